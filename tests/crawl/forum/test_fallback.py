"""Other ways to find posts: which links are tried, and when."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import select

from tests.crawl.forum.played_web import NOW
from tests.empty_store import put_empty_store
from tests.forum import sites
from threadmill.crawl.forum import fallback
from threadmill.crawl.forum.fallback import Fallbacks, FallbackTools, needs_fallback
from threadmill.crawl.forum.knowledge import ForumKnowledge, LayoutKnowledge, SearchLevel
from threadmill.crawl.forum.link_pool import LinkPool
from threadmill.crawl.forum.page_requests import FetchedPage
from threadmill.crawl.forum.resources import CrawlContext
from threadmill.crawl.forum.rows.row_state import GUESSED
from threadmill.forum.paging.pager import Paging
from threadmill.forum.read_page import ThreadPage
from threadmill.forum.site_model.learn import AnalysedSample, SamplePage
from threadmill.forum.site_model.model import ForumModel, UrlFamily
from threadmill.forum.site_model.url_patterns import UrlPattern
from threadmill.forum.site_model.wrapper import RecordShape, Wrapper
from threadmill.store import Store, open_store
from threadmill.store.crawl.captures import CaptureRow, add_captures
from threadmill.store.crawl.jobs import find_or_add_job, start_run
from threadmill.store.forum.forums import (
    BoardState,
    add_board,
    change_board,
    find_board,
    find_forum,
    keep_forum,
)
from threadmill.store.forum.page_visits import page_visit
from threadmill.store.forum.posts import add_post
from threadmill.store.forum.threads import ThreadState, add_thread, due_threads, find_thread
from threadmill.types import AccountLine, Capture, CrawlAccount, Post

ENTRY = "https://f.example/"


def pool(*urls: str) -> LinkPool:
    found = LinkPool(ENTRY)
    found.add(dict.fromkeys(urls, 20))
    return found


def account(verdict: str, kept: int, claimed: int | None) -> CrawlAccount:
    return CrawlAccount(verdict, kept, claimed)


def test_other_ways_are_tried_where_posts_are_missing_and_not_again_for_the_same_posts() -> None:
    knowledge = ForumKnowledge(LayoutKnowledge(ForumModel(ENTRY)))
    assert needs_fallback(account("incomplete", 7, 1620), knowledge)
    assert needs_fallback(account("unknown", 0, None), knowledge)
    assert not needs_fallback(account("unknown", 300, None), knowledge)
    assert not needs_fallback(account("complete", 300, 300), knowledge)
    assert not needs_fallback(account("incomplete", 290, 300), knowledge)  # a few, where none was missing
    assert needs_fallback(account("incomplete", 290, 300), replace(knowledge, just_learnt=True))
    knowledge.site.missing_after_search = 1613
    again = ForumKnowledge.from_json(knowledge.to_json())
    assert not needs_fallback(account("incomplete", 7, 1640), again)
    assert needs_fallback(account("incomplete", 7, 4000), again)


def test_the_first_crawl_always_asks_where_links_lead_that_were_not_followed() -> None:
    knowledge = ForumKnowledge(LayoutKnowledge(ForumModel(ENTRY)), just_learnt=True)
    assert needs_fallback(account("complete", 300, 300), knowledge)
    knowledge.site.missing_after_search = 0
    assert not needs_fallback(account("complete", 300, 300), knowledge)


def test_posts_are_known_by_their_lines_whatever_else_a_page_shows() -> None:
    unread = ForumKnowledge(LayoutKnowledge(ForumModel(ENTRY))).site.unread
    unread.record("/t1", [], ["The paint lasted for eleven winters.\nThanks."])
    assert unread.knows(["A subject of some length, twice\nThe paint lasted for eleven winters."])
    assert not unread.knows(["Nobody has answered the telephone since.\nThanks."])
    assert not unread.knows(["Thanks."])


def test_a_page_that_was_looked_at_is_read_without_a_request_once_its_kind_is_known() -> None:
    """Its URL was asked for, so the crawl would take it for a list that goes in a circle."""
    taken: list[dict[str, bool]] = []

    async def fetch(url: str) -> FetchedPage | None:
        capture = Capture(url, NOW, 200, (("Content-Type", "text/html"),), b"<p>Words</p>")
        return FetchedPage(url, capture, ())

    async def crawl() -> None:
        taken.append({url: page.stored for url, page in tools.ready.items() if url not in tools.asked})
        tools.ready.clear()

    async def work() -> None:
        for url in ("b/?t=2", "t/1"):
            await ways._fetch(ENTRY + url)
            tools.asked.add(ENTRY + url)
        tools.ready[f"{ENTRY}t/1"] = cast(FetchedPage, await fetch(f"{ENTRY}t/1"))  # offered, not stored yet
        tools.asked.discard(f"{ENTRY}t/1")
        await ways._crawl()
        await ways._crawl()

    tools = FallbackTools(fetch, crawl, {}, set(), {})
    knowledge = ForumKnowledge(LayoutKnowledge(ForumModel(ENTRY)))
    ways = Fallbacks(cast(CrawlContext, None), knowledge, tools)
    asyncio.run(work())
    assert taken == [{f"{ENTRY}b/?t=2": True, f"{ENTRY}t/1": False}, {}]


# ---- with a store and a web ----

HTML = (("content-type", "text/html"),)
THREAD, INDEX = sites.flat_thread(), sites.index_page()


@dataclass
class Search:
    """The other ways of a stored forum, with pages that the test plays and crawls that it counts."""

    store: Store
    context: CrawlContext
    pages: dict[str, str] = field(default_factory=dict)
    fetched: list[str] = field(default_factory=list)
    crawls: list[list[str]] = field(default_factory=list)  # what was ready at each

    def __post_init__(self) -> None:
        self.tools = FallbackTools(self._fetch, self._crawl, {}, set(), {})
        self.knowledge = ForumKnowledge(LayoutKnowledge(ForumModel(ENTRY)))
        self.ways = Fallbacks(self.context, self.knowledge, self.tools)
        self.posts_a_crawl = 0

    async def _fetch(self, url: str) -> FetchedPage | None:
        self.fetched.append(url)
        if url not in self.pages:
            return None
        page = self.page(url, self.pages[url])
        self.tools.ready[url] = page
        return page

    async def _crawl(self) -> None:
        self.crawls.append(sorted(self.tools.ready))
        for number in range(self.posts_a_crawl):
            self.add_thread(f"found{len(self.crawls)}-{number}", sites.WORDS[0])

    def page(self, url: str, html: str) -> FetchedPage:
        row = CaptureRow(self.context.job, url, NOW, 200)
        return FetchedPage(url, Capture(url, NOW, 200, HTML, html.encode(), "http"), (row,))

    def add_thread(self, name: str, *texts: str, **values: Any) -> int:
        url = f"{ENTRY}{name}"
        with self.store.writing() as connection:
            row = {"forum": self.context.forum, "board": None, "key": url, "url": url, "title": name}
            number = add_thread(connection, **{**row, **values})
            for text in texts:
                add_post(connection, number, Post(text, text, author="anna"), url, NOW)
            return number

    def thread(self, number: int) -> ThreadState:
        with self.store.reading() as connection:
            return find_thread(connection, number)

    def due(self) -> list[str]:
        with self.store.reading() as connection:
            return [str(one.due) for one in due_threads(connection, self.context.forum, 100)]

    def board(self, url: str) -> BoardState | None:
        with self.store.reading() as connection:
            return find_board(connection, self.context.forum, url)

    def leads(self, url: str) -> bool:
        return asyncio.run(self.ways._leads_to_posts(url))


@pytest.fixture
def search(tmp_path: Path) -> Iterator[Search]:
    store = open_store(put_empty_store(tmp_path / "store.sqlite"))
    with store.writing() as connection:
        job = find_or_add_job(connection, "forum", ENTRY, "forum", NOW)
        run = start_run(connection, job.id, NOW)
        forum = keep_forum(connection, job.id, ENTRY, {}, NOW)
        change_board(connection, add_board(connection, forum, ENTRY, "", None), due=None)
    nobody = cast(Any, None)
    yield Search(store, CrawlContext(store, None, nobody, job.id, run, forum, NOW))
    store.close()


def test_a_page_with_unknown_posts_becomes_a_due_thread_that_is_not_fetched_again(search: Search) -> None:
    url = f"{ENTRY}x/9"
    search.pages[url] = THREAD
    assert search.leads(url)
    assert search.due() == [url]
    assert list(search.tools.ready) == [url]
    assert url not in search.tools.asked


def test_a_page_with_posts_that_are_kept_leads_to_nothing_and_leaves_a_visit(search: Search) -> None:
    search.add_thread("t/1", *sites.WORDS)
    url = f"{ENTRY}x/9"
    search.pages[url] = THREAD
    assert not search.leads(url)
    assert search.due() == []
    assert (search.tools.ready, search.tools.asked) == ({}, {url})
    with search.store.reading() as connection:
        assert [tuple(row) for row in connection.execute(select(page_visit.c.url, page_visit.c.kind))] == [
            (url, "other")
        ]


def test_posts_that_are_too_short_to_tell_are_no_unknown_posts(search: Search) -> None:
    short = THREAD
    for words in sites.WORDS:
        short = short.replace(words, words[:25])
    search.pages[f"{ENTRY}x/9"] = short
    assert not search.leads(f"{ENTRY}x/9")


def test_a_page_that_cannot_be_fetched_leads_to_nothing(search: Search) -> None:
    assert not search.leads(f"{ENTRY}x/9")
    assert search.tools.asked == {f"{ENTRY}x/9"}


def test_a_list_whose_thread_has_unknown_posts_becomes_a_board_that_the_model_knows(search: Search) -> None:
    url = f"{ENTRY}list/5"
    rows = AnalysedSample(SamplePage(url, sites.tree(INDEX, url), NOW)).index.rows
    search.pages = {url: INDEX, **{row.url: THREAD for row in rows}}
    assert search.leads(url)
    assert search.fetched == [url, rows[len(rows) // 2].url]
    found = search.board(url)
    assert found is not None
    assert found.said == {GUESSED: True}
    assert found.parent is not None
    assert search.knowledge.layout.link_kind(url) == "index"
    assert search.ways._promising == [row.url for row in rows]


def test_a_list_of_known_threads_leads_to_nothing(search: Search) -> None:
    url = f"{ENTRY}list/5"
    search.pages[url] = INDEX
    assert not search.leads(url)  # its threads cannot be fetched
    assert search.board(url) is None


def test_a_later_page_of_a_thread_makes_its_first_page_due(search: Search) -> None:
    url = f"{ENTRY}x/9?page=2"
    pager = '<div class="pages"><a href="/x/9?page=1">1</a> <b>2</b> <a href="/x/9?page=1">previous</a></div>'
    search.pages[url] = THREAD.replace("<footer>", f"{pager}<footer>")
    assert search.leads(url)
    [due] = search.due()
    assert due in {f"{ENTRY}x/9?page=1", f"{ENTRY}x/9"}
    assert search.tools.ready == {}


def test_nothing_due_means_that_the_site_is_open_without_a_request(search: Search) -> None:
    assert asyncio.run(search.ways._is_open())
    assert search.fetched == []


@pytest.mark.parametrize(
    ("start", "is_open"), [(INDEX, True), ("<p>We are away for maintenance.", False), (None, False)]
)
def test_where_pages_are_still_due_the_start_page_tells_whether_the_site_is_open(
    search: Search, start: str | None, is_open: bool
) -> None:
    search.add_thread("t/1", due=f"{ENTRY}t/1")
    search.pages = {ENTRY: start} if start else {}
    assert asyncio.run(search.ways._is_open()) is is_open
    assert search.fetched == [ENTRY]


def test_a_way_that_brings_posts_is_kept_and_one_that_brings_none_is_undone(search: Search) -> None:
    layout = search.knowledge.layout

    async def way() -> None:
        layout.level = SearchLevel.PAGES
        await search.tools.crawl()

    before = layout.level
    asyncio.run(search.ways._try(way))
    assert layout.level is before
    search.posts_a_crawl = 1
    asyncio.run(search.ways._try(way))
    assert layout.level is SearchLevel.PAGES


def test_a_way_that_leads_to_as_many_doubles_as_posts_is_undone(search: Search) -> None:
    async def way() -> None:
        search.knowledge.layout.level = SearchLevel.PAGES
        search.add_thread("t/1", sites.WORDS[0])
        search.add_thread("t/2", gone=True)

    before = search.knowledge.layout.level
    asyncio.run(search.ways._try(way))
    assert search.knowledge.layout.level is before


def test_threads_that_were_not_read_and_fit_no_pattern_are_dropped(search: Search) -> None:
    layout = search.knowledge.layout
    pattern = UrlPattern((("/1", "t"), ("/2", r"\d+")))
    layout.model = replace(layout.model, threads=UrlFamily(patterns=(pattern,)))
    fitting = search.add_thread("t/7", due=f"{ENTRY}t/7")
    other = search.add_thread("z/7", due=f"{ENTRY}z/7")
    read = search.add_thread("z/8", due=f"{ENTRY}z/8", posts=3)
    assert layout.link_kind(f"{ENTRY}t/7") != "other"
    search.ways._drop_unread()
    assert [search.thread(number).due for number in (fitting, other, read)] == [
        f"{ENTRY}t/7",
        None,
        f"{ENTRY}z/8",
    ]


def test_lists_are_read_again_from_memory(search: Search) -> None:
    with search.store.writing() as connection:
        for name in ("b/1", "b/2"):
            number = add_board(connection, search.context.forum, f"{ENTRY}{name}", name, None)
            change_board(connection, number, due=None, page=3, visited_run=search.context.run)
    search.tools.index_pages[f"{ENTRY}b/1"] = search.page(f"{ENTRY}b/1", INDEX)
    search.tools.asked.update({f"{ENTRY}b/1", f"{ENTRY}b/2"})
    asyncio.run(search.ways._follow_rows())
    again, other = search.board(f"{ENTRY}b/1"), search.board(f"{ENTRY}b/2")
    assert again is not None
    assert other is not None
    assert (again.due, again.page, again.visited_run) == (f"{ENTRY}b/1", 0, None)
    assert (other.due, other.page) == (None, 3)
    assert search.tools.asked == {f"{ENTRY}b/2"}
    assert search.crawls == [[f"{ENTRY}b/1"]]
    assert search.knowledge.layout.level is SearchLevel.ROWS
    asyncio.run(search.ways._follow_rows())
    assert len(search.crawls) == 1


def start_page(count: int) -> str:
    links = "".join(
        f'<li><a href="/x/{number}">A title of some length {number}</a>' for number in range(count)
    )
    return f"<html><body><h1>All of it</h1><ul>{links}</ul></body></html>"


def test_page_by_page_threads_are_read_as_they_are_found(search: Search) -> None:
    search.tools.ready[ENTRY] = search.page(ENTRY, start_page(3))
    search.pages = {f"{ENTRY}x/{number}": THREAD for number in range(3)}
    search.posts_a_crawl = 5
    asyncio.run(search.ways._read_page_by_page())
    assert {f"{ENTRY}x/{number}" for number in range(3)} <= set(search.fetched)
    assert len(search.crawls) == 1
    assert search.knowledge.layout.level is SearchLevel.PAGES
    assert len(search.due()) == 3


def test_page_by_page_a_group_without_threads_is_left_alone(search: Search) -> None:
    search.tools.ready[ENTRY] = search.page(ENTRY, start_page(30))
    search.pages = {f"{ENTRY}x/{number}": "<p>Words of nobody." for number in range(30)}
    asyncio.run(search.ways._read_page_by_page())
    assert len(search.fetched) == 8
    assert search.crawls == []


def test_pages_that_were_fetched_before_are_not_probed(search: Search) -> None:
    search.tools.ready[ENTRY] = search.page(ENTRY, start_page(3))
    search.tools.asked.add(f"{ENTRY}x/0")
    with search.store.writing() as connection:
        add_captures(connection, [CaptureRow(search.context.job, f"{ENTRY}x/1", NOW, 200)])
    asyncio.run(search.ways._read_page_by_page())
    assert search.fetched == [f"{ENTRY}x/2"]


def test_what_is_still_missing_is_noted_for_the_next_crawl(search: Search) -> None:
    asyncio.run(search.ways.run())
    assert search.knowledge.site.missing_after_search == 0
    with search.store.reading() as connection:
        found = find_forum(connection, search.context.job)
    assert found is not None
    assert found[2] == json.loads(json.dumps(search.knowledge.to_json()))


def test_a_closed_site_is_not_searched(search: Search) -> None:
    search.add_thread("t/1", due=f"{ENTRY}t/1")
    asyncio.run(search.ways.run())
    assert search.fetched == [ENTRY]
    assert search.knowledge.site.missing_after_search is None


def test_the_first_crawl_asks_one_page_of_each_group_of_links_that_were_not_followed(search: Search) -> None:
    search.knowledge.just_learnt = True
    search.tools.index_pages[ENTRY] = search.page(ENTRY, INDEX)
    search.pages = {f"{ENTRY}t/{number}": THREAD for number in range(100)}
    search.posts_a_crawl = 5
    asyncio.run(search.ways.run())
    assert search.fetched
    assert any(url.startswith(f"{ENTRY}t/") for url in search.fetched)
    assert len(search.crawls) >= 1
    assert len(search.due()) >= 1


def test_threads_that_the_wrapper_reads_too_short_are_read_again_without_it(
    search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fallback, "extract_thread", lambda *_: ThreadPage(posts=(), paging=Paging()))
    layout = search.knowledge.layout
    shape = RecordShape("div.main/div.list/div.nothing", ("div.nothing/time",), (), (), ())
    layout.model = replace(layout.model, wrapper=Wrapper((shape,), (), (), (), ()))
    short = search.add_thread("t/1", sites.WORDS[0], said={"count": 4})
    other = search.add_thread("t/2", sites.WORDS[1])
    search.pages[f"{ENTRY}t/1"] = THREAD
    lines = (AccountLine(f"{ENTRY}t/1", "t/1", 1, 4),)
    full = CrawlAccount("incomplete", 2, 5, threads=lines)
    search.ways._account = lambda: full  # type: ignore[method-assign]
    search.tools.asked.update({f"{ENTRY}t/1", f"{ENTRY}t/2"})
    asyncio.run(search.ways._read_short_threads())
    assert layout.model.wrapper is None
    assert (search.thread(short).due, search.thread(other).due) == (f"{ENTRY}t/1", None)
    assert f"{ENTRY}t/1" not in search.tools.asked
    assert len(search.crawls) == 1
