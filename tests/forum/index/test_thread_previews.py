"""Index pages that show posts: the links of posts tell that the page shows several threads."""

from datetime import UTC, datetime

from threadmill.forum.page_analysis import PageAnalysis
from threadmill.forum.page_class.classify import classify_page
from threadmill.forum.read_page import extract_index
from threadmill.page.parse.tree import parse

URL = "http://board.example/b/"
TEXT = "The pump was loud again tonight, so I took the lid off and had a look at it. "


def _post(number: int, thread: int, name: str = "Anonymous") -> str:
    return (
        f"<div class=post id=p{number}><b>{name}</b> <i>2026-10-{number:02} 10:15</i>"
        f" <a href='/b/thread/{thread}#p{number}'>No.{number}</a>"
        f"<p>{TEXT * (1 + number % 3)}</p><a href='/b/report/{thread}'>Report</a></div>"
    )


def _analyse(html: str, url: str = URL) -> PageAnalysis:
    return PageAnalysis(parse(f"<html><body>{html}</body></html>", url), datetime(2026, 11, 16, tzinfo=UTC))


def test_posts_that_lead_to_several_threads_make_an_index() -> None:
    blocks = [(4, [4, 9, 10]), (5, [5]), (6, [6, 7, 8])]
    html = "".join(
        f"<div class=thread><b>Subject {thread}</b> [<a href='/b/thread/{thread}'>Reply</a>]"
        f"{''.join(_post(number, thread) for number in numbers)}</div>"
        for thread, numbers in blocks
    )
    analysis = _analyse(html)
    assert classify_page(analysis).kind == "index"
    rows = extract_index(analysis).rows
    assert [row.url for row in rows] == [f"http://board.example/b/thread/{n}" for n in (4, 5, 6)]
    assert rows[0].title == "Subject 4"


def test_posts_that_lead_to_one_thread_make_a_thread() -> None:
    analysis = _analyse(
        "".join(_post(number, 4) for number in range(4, 10)), "http://board.example/b/thread/4"
    )
    assert analysis.previews == ()
    assert classify_page(analysis).kind == "thread"


def test_links_that_follow_the_authors_lead_to_people() -> None:
    people = ["ann", "ann", "bob", "bob", "cem"]
    html = "".join(
        f"<div class=post><b>{name}</b> <i>2026-10-{number:02} 10:15</i><p>{TEXT}</p>"
        f"<a href='/who/{len(name)}{name}'>Website</a></div>"
        for number, name in enumerate(people, 1)
    )
    assert _analyse(html).previews == ()


def test_files_of_some_posts_are_no_threads() -> None:
    html = "".join(
        f"<div class=post><b>ann{number}</b> <i>2026-10-{number:02} 10:15</i><p>{TEXT}</p>"
        + (f"<a href='/file/{number}.zip'>Download</a>" if number in {1, 4, 5} else "")
        + "</div>"
        for number in range(1, 8)
    )
    assert _analyse(html).previews == ()
