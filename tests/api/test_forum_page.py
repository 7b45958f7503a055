from datetime import datetime

from threadmill.api.forum_page import read_forum_page
from threadmill.types import Post

NOW = datetime(2024, 6, 1, 12)
POSTS = "".join(
    f"<div class=post><a href=/user/{name}>{name}</a> <span>{day}</span>"
    f"<div>{name} thinks that the ferry was late again, as it is on most days.</div></div>"
    for name, day in [
        ("anna", "2024-05-28 10:15"),
        ("boris", "2024-05-29 11:00"),
        ("carla", "yesterday 08:30"),
    ]
)
ROWS = "<table><tr><th>Topic<th>Replies<th>Last post</tr>" + "".join(
    f"<tr><td><a href=/t/{n}>A question about tide number {n}</a><td>{n}<td>2024-05-{10 + n} 10:0{n}</tr>"
    for n in range(1, 9)
)
URL = "https://forum.example.org/t/1"


def test_a_thread_page_has_posts_and_no_rows() -> None:
    page = read_forum_page(f"<title>Ferries</title>{POSTS}", URL, now=NOW)
    assert (page.kind, page.title, page.threads, page.boards) == ("thread", "Ferries", (), ())
    assert [post.author for post in page.posts] == ["anna", "boris", "carla"]
    assert page.posts[0].author_url == "https://forum.example.org/user/anna"
    assert page.paging is not None
    assert page.confidence > 0.5


def test_relative_dates_count_from_now() -> None:
    last: Post = read_forum_page(POSTS, URL, now=NOW).posts[2]
    assert last.date is not None
    assert last.date.isoformat() == "2024-05-31T08:30"


def test_an_index_page_has_rows_and_no_posts() -> None:
    page = read_forum_page(ROWS, "https://forum.example.org/b/1", now=NOW)
    assert (page.kind, page.posts) == ("index", ())
    assert [row.replies for row in page.threads] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert page.threads[0].url == "https://forum.example.org/t/1"


def test_another_page_has_a_reason_and_nothing_else() -> None:
    page = read_forum_page("<form>Please log in <input type=password></form>", URL, now=NOW)
    assert (page.kind, page.reason) == ("other", "login")
    assert (page.posts, page.threads, page.paging) == ((), (), None)


def test_a_page_is_read_as_the_kind_that_the_caller_names() -> None:
    page = read_forum_page(ROWS, URL, now=NOW, read_as="thread")
    assert page.kind == "index"
    assert page.threads == ()
    assert page.paging is not None
    assert read_forum_page(POSTS, URL, now=NOW, read_as="index").posts == ()


def test_bytes_are_decoded_by_their_header() -> None:
    html = POSTS.replace("carla", "žofie").encode("cp1250")
    page = read_forum_page(html, URL, now=NOW, content_type="text/html; charset=windows-1250")
    assert page.posts[2].author == "žofie"
