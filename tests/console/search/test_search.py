"""Words in context in the console, over the index of the crawled forum."""

import csv
import io
import re
import time
from urllib.parse import quote

import pytest

from tests.servers.console import ConsoleClient
from threadmill.console.search.concordances import read_question
from threadmill.console.search.routes import by_period
from threadmill.workspace import Workspace

_LINE = re.compile(
    r'<td class="left"><div dir="auto">(.*?)</div></td><td class="match"><mark>(.*?)</mark></td>'
    r'<td class="right"><div dir="auto">(.*?)</div>',
    re.DOTALL,
)


@pytest.fixture
def indexed(client: ConsoleClient, crawled: Workspace) -> ConsoleClient:
    """The console of a workspace with an index."""
    if not (crawled.root / "threadmill-index").exists():
        assert "Make an index of the workspace" in client.get("/search").text
        assert client.post("/search/index").status == 303
        for _ in range(300):
            page = client.get("/search").text
            if "Index the workspace again" in page:
                break
            time.sleep(0.1)
        assert "problem" not in page
    return client


def words(client: ConsoleClient, query: str) -> list[tuple[str, str, str]]:
    return _LINE.findall(client.get(f"/search?{query}").text)


def test_a_word_is_found_in_context_and_leads_to_its_post_and_archived_page(indexed: ConsoleClient) -> None:
    page = indexed.get("/search?q=the").text
    lines = _LINE.findall(page)
    assert len(lines) >= 30
    assert {match.lower() for _, match, _ in lines} == {"the"}
    assert "Over time" in page
    link = re.findall(r'href="(/search/open[^"]+)"', page)[0].replace("&amp;", "&")
    post = indexed.get(link).headers["location"]
    thread, _, anchor = post.partition("#")
    assert f'id="{anchor}"' in indexed.get(thread).text
    archived = re.findall(r'href="(/inspect/archived[^"]+)"', page)[0].replace("&amp;", "&")
    assert indexed.get(archived).status in {200, 303}


def test_lines_are_sorted_by_the_words_after_or_before(indexed: ConsoleClient) -> None:
    def keys(lines: list[tuple[str, str, str]], place: int) -> list[list[str]]:
        plain = [re.findall(r"\w+", re.sub(r"&\w+;|&#\d+;", " ", line[place].lower())) for line in lines]
        return [found[::-1] if place == 0 else found for found in plain]

    after = keys(words(indexed, "q=the&sort=right"), 2)
    before = keys(words(indexed, "q=the&sort=left"), 0)
    assert [key[:1] for key in after] == sorted(key[:1] for key in after)
    assert [key[:1] for key in before] == sorted(key[:1] for key in before)


def test_a_sample_is_random_and_can_be_repeated(indexed: ConsoleClient) -> None:
    one = words(indexed, "q=the&order=random&seed=1")
    assert one == words(indexed, "q=the&order=random&seed=1")
    assert one != words(indexed, "q=the&order=random&seed=2")
    assert one != words(indexed, "q=the")


def test_filters_narrow_the_search(indexed: ConsoleClient) -> None:
    def count(query: str) -> int:
        return int(
            re.findall(r"<strong>([\d,]+)</strong> texts", indexed.get(query).text)[0].replace(",", "")
        )

    every = count("/search?q=the")
    boards = re.findall(r'<option value="(http[^"]+)">', indexed.get("/search").text)
    by_board = [count(f"/search?q=the&board={quote(url, safe='')}") for url in boards]
    assert 0 < max(by_board) < every
    assert sum(by_board) == every
    assert 0 < count("/search?q=the&since=2015-03&until=2015-09") < every
    assert count("/search?q=the&site=nowhere.example") == 0


def test_lines_are_downloaded_as_a_table_without_formulas(indexed: ConsoleClient) -> None:
    answer = indexed.get("/search/lines.csv?q=the&sort=right")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert len(rows) >= 30
    assert {"left", "match", "right", "author", "url", "board"} <= rows[0].keys()
    assert not any(value.startswith(("=", "+", "@")) for row in rows for value in row.values())


@pytest.mark.parametrize(
    "query", ["q=-", "since=x", "q=%00", "q=%22", "q=a%2A", "q=the&page=99999", "index=..%2Fetc&q=a"]
)
def test_odd_questions_get_a_page(indexed: ConsoleClient, query: str) -> None:
    assert indexed.get(f"/search?{query}").status == 200


def test_a_line_whose_post_is_not_stored_leads_to_the_archive(indexed: ConsoleClient) -> None:
    answer = indexed.get("/search/open?url=http%3A%2F%2Fa.test%2F&date=2020")
    assert answer.headers["location"].startswith("/inspect/archived?")


def test_values_that_make_no_sense_are_read_as_the_first_choice() -> None:
    given = {"index": "../etc", "order": "x", "sort": "y", "seed": "-1", "context": "7", "q": "a" * 999}
    question = read_question(given, ["one", "two"])
    assert (question.index, question.order, question.sort) == ("one", "relevance", "")
    assert (question.seed, question.context, len(question.text)) == (1, 60, 500)


def test_more_than_four_years_are_counted_by_year() -> None:
    months, _ = by_period({"2020-01": 1, "2020-03": 2}, {})
    assert months == {"2020-01": 1, "2020-02": 0, "2020-03": 2}
    years, whole = by_period({"2010-01": 1, "2010-12": 1, "2020-03": 2}, {"2010-05": 7})
    assert years["2010"] == 2
    assert years["2015"] == 0
    assert whole == {"2010": 7}
