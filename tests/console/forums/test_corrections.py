"""Correcting a forum in the console: point, see what would change, keep, remove."""

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from tests.servers.console import ConsoleClient
from threadmill.store import open_store
from threadmill.store.forum.activity import known_forums
from threadmill.store.forum.corrections import corrections_of
from threadmill.store.forum.forums import forum
from threadmill.workspace import Workspace


@pytest.fixture(autouse=True)
def model(crawled: Workspace) -> Iterator[None]:
    """Removing a correction makes a forum forget its model: other tests need it."""
    store = open_store(crawled.store_url)
    with store.reading() as connection:
        [known] = known_forums(connection)
    yield
    with store.writing() as connection:
        connection.execute(forum.update().values(model=known.model))
    store.close()


@pytest.fixture
def thread_page(client: ConsoleClient) -> str:
    """The path of an archived thread page in the inspector."""
    rows = re.findall(r'href="(/inspect/c\d+)">([^<]+)</a>', client.get("/inspect").text)
    for path, _ in rows:
        if "Posts found by" in client.get(path).text:
            return str(path)
    raise AssertionError("no thread page is archived")


def targets(client: ConsoleClient, page: str, kind: str) -> list[tuple[str, str]]:
    """Where a click on each text of a page leads."""
    frame = client.get(f"{page}/frame?point={quote(kind)}").text
    found = re.findall(r'<a class="tm-point" target="_top" href="([^"]+)">([^<]+)</a>', frame)
    return [(href.replace("&amp;", "&"), text.strip()) for href, text in found]


def kept(workspace: Workspace) -> list[tuple[str, str]]:
    store = open_store(workspace.store_url)
    with store.reading() as connection:
        [known] = known_forums(connection)
        found = [(one.kind, one.who) for one in corrections_of(connection, known.url)]
    store.close()
    return found


def test_a_person_points_at_an_author_sees_the_counts_and_keeps_it(
    client: ConsoleClient, crawled: Workspace, thread_page: str
) -> None:
    page = client.get(thread_page).text
    author = re.findall(r'<td class="number">1</td><td>([^<]+)</td>', page)[0]
    assert "This is the author" in page
    assert "Point at the name of an author" in client.get(f"{thread_page}?point=author").text
    href = next(href for href, text in targets(client, thread_page, "author") if text == author)
    tested = client.get(href).text
    assert "No post would be read differently" in tested  # it was right before
    counts = dict(re.findall(r"<tr><td>([^<]+)</td><td class=\"number\">([\d,]+)</td>", tested))
    assert int(counts["posts"].replace(",", "")) > 10
    assert kept(crawled) == []
    key = re.findall(r'name="key" value="([^"]+)"', tested)[0]
    assert client.post("/forums/1/corrections", {"key": key}).status == 303
    assert kept(crawled) == [("author", "somebody")]
    assert client.post("/forums/1/corrections", {"key": key}).status == 404  # once
    number = re.findall(r"/corrections/(\d+)/remove", client.get("/forums/1/model").text)[0]
    assert client.post(f"/forums/1/corrections/{number}/remove").status == 303
    assert kept(crawled) == []


def test_pointing_at_the_wrong_thing_says_what_would_change(client: ConsoleClient, thread_page: str) -> None:
    outside = targets(client, thread_page, "author")[0][0]
    assert "outside of all posts" in client.get(outside).text
    links = [href for href, _ in targets(client, thread_page, "not boards")]
    answers = [client.get(href) for href in links[:8]]
    assert {answer.status for answer in answers} <= {200, 400}


def test_urls_and_the_order_of_dates_can_be_said(client: ConsoleClient) -> None:
    dates = client.get("/forums/1/corrections/try?kind=date+order&said=mdy").text
    assert "Dates are <strong>month first</strong>" in dates
    assert "posts with a date" in dates
    urls = client.get(
        "/forums/1/corrections/try?kind=threads&said=http%3A%2F%2Fa.test%2Fx%2F1%0Ahttp%3A%2F%2Fa.test%2Fx%2F2"
    )
    assert "http://a.test/x/2" in urls.text


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/forums/1/corrections/try?kind=nonsense&said=x", 404),
        ("/forums/99/corrections/try?kind=threads&said=x", 404),
        ("/forums/1/corrections/try?kind=threads", 400),
        ("/forums/1/corrections/try?kind=date+order&said=x", 400),
        ("/forums/1/corrections/try?kind=author&page=c999999&element=1", 404),
        ("/forums/1/corrections/try?kind=author&page=c2&element=9999999", 400),
        ("/forums/1/corrections/try?kind=author&page=c2&element=-1", 400),
    ],
)
def test_what_makes_no_sense_is_refused(client: ConsoleClient, path: str, status: int) -> None:
    assert client.get(path).status == status


def test_nothing_is_kept_without_a_test(client: ConsoleClient) -> None:
    assert client.post("/forums/1/corrections", {"key": "made up"}).status == 404
    assert client.post("/forums/1/corrections/99999/remove").status == 303
