import re
from datetime import UTC, datetime

import pytest

from tests.servers.console import ConsoleClient
from threadmill.console.forums.routes import _every_month, describe_model
from threadmill.crawl.forum.knowledge import ForumKnowledge
from threadmill.store import open_store
from threadmill.store.forum.activity import known_forums
from threadmill.store.forum.posts import post
from threadmill.workspace import Workspace

HOSTILE = "<script>document.title='owned'</script><img src=x onerror=alert(1)>"


def test_a_reader_goes_from_the_forum_to_a_post_and_to_its_archived_page(client: ConsoleClient) -> None:
    forum = client.get("/forums/1")
    assert "Posts per month" in forum.text
    boards = re.findall(r'href="(/boards/\d+)">(?!start)', forum.text)
    board = next(page for path in boards if "/threads/" in (page := client.get(path).text))
    thread = client.get(re.findall(r'href="(/threads/\d+)"', board)[0]).text
    assert 'class="post"' in thread
    archived = re.findall(r'href="(/inspect/archived\?[^"]+)">archived page<span', thread)[0]
    answer = client.get(archived.replace("&amp;", "&"))
    assert answer.status == 303 or "Captures of this URL" in answer.text
    assert "no capture" not in answer.text


def test_threads_are_sorted_by_the_server(client: ConsoleClient) -> None:
    forum = client.get("/forums/1").text
    board = max(re.findall(r'href="(/boards/\d+)"', forum), key=lambda path: len(client.get(path).text))

    def titles(query: str) -> list[str]:
        return re.findall(r'href="/threads/\d+">([^<]+)', client.get(f"{board}?{query}").text)

    up = titles("sort=title&dir=up")
    assert up == sorted(up)
    assert titles("sort=title&dir=down") == up[::-1]
    assert titles("sort=nonsense&page=-3&dir=x") == titles("")
    assert titles("page=9999999") == []


@pytest.mark.parametrize(
    "path",
    [
        "/forums/0",
        "/forums/99",
        "/forums/99/model",
        "/boards/0",
        "/boards/9999999999999999999",
        "/threads/-1",
    ],
)
def test_what_is_not_there_is_404(client: ConsoleClient, path: str) -> None:
    assert client.get(path).status == 404


def test_the_model_is_told_in_words_with_examples(client: ConsoleClient, crawled: Workspace) -> None:
    page = client.get("/forums/1/model").text
    assert "URLs like" in page
    assert "Found by a wrapper" in page or "no wrapper" in page
    store = open_store(crawled.store_url)
    with store.reading() as connection:
        [forum] = known_forums(connection)
    store.close()
    facts = describe_model(ForumKnowledge.from_json(forum.model), [], [])
    assert {"Boards", "Threads", "Time zone", "Pager of threads"} <= {fact.name for fact in facts}
    assert not any("\\d" in fact.words or "(?" in fact.words for fact in facts)


def test_months_without_posts_are_shown_and_ten_years_are_enough() -> None:
    assert _every_month({"2024-01": 2, "2024-03": 1, "": 9}) == {"2024-01": 2, "2024-02": 0, "2024-03": 1}
    assert len(_every_month({"1990-01": 1, "2024-01": 1})) == 120
    assert _every_month({"": 3}) == {}


def test_posts_of_hostile_authors_are_text(client: ConsoleClient, crawled: Workspace) -> None:
    store = open_store(crawled.store_url)
    quote = {"text": HOSTILE, "author": HOSTILE, "url": None}
    values = {
        "thread": 1, "identity": "h", "wording": "h", "url": "javascript:alert(1)", "author": HOSTILE,
        "date": HOSTILE, "position": 10**6, "text": HOSTILE, "html": HOSTILE,
        "first_seen": datetime.now(UTC), "apart": {"quotes": [quote], "edit_note": HOSTILE},
    }  # fmt: skip
    with store.writing() as connection:
        connection.execute(post.insert().values(values))
    page = client.get("/threads/1").text
    with store.writing() as connection:
        connection.execute(post.delete().where(post.c.identity == "h"))
    store.close()
    assert "&lt;script&gt;" in page
    assert len(re.findall("<script", page)) == 1
    assert "<img" not in page
    assert 'href="javascript' not in page
