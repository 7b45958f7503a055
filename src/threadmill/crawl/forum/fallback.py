"""Tries other ways to find posts where the learnt model of a forum keeps too little of what the forum claims.

From the strongest to the weakest: links in rows of index pages, whatever their URLs look like; a model learnt
anew from other pages than before; every page within the forum, read one by one. The account of the crawl
decides when a way is not enough and the next one is tried.

Counters may be silent, or agree by chance. So the first crawl of a forum also asks one page of each group of
links on its lists that was not followed: does it lead to posts that are not kept?
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from threadmill.crawl.forum.account import COMPLETE, INCOMPLETE, UNKNOWN, take_account
from threadmill.crawl.forum.account_claims import ENOUGH
from threadmill.crawl.forum.knowledge import ForumKnowledge, SearchLevel
from threadmill.crawl.forum.link_pool import LinkPool
from threadmill.crawl.forum.page_lookup import FetchPage
from threadmill.crawl.forum.page_requests import FetchedPage
from threadmill.crawl.forum.resources import CrawlContext
from threadmill.crawl.forum.rows.row_state import GUESSED
from threadmill.forum.link_urls import strip_session, url_fields
from threadmill.forum.paging.thread_walk import ThreadWalk
from threadmill.forum.read_page import extract_thread
from threadmill.forum.site_model.learn import AnalysedSample, SamplePage, learn_from_analysed
from threadmill.forum.site_model.model import ForumModel
from threadmill.forum.site_model.url_patterns import UrlPattern
from threadmill.forum.site_model.url_shapes import group_by_shape
from threadmill.store.crawl.captures import add_captures, captured_urls
from threadmill.store.forum.accounts import thread_holdings
from threadmill.store.forum.activity import all_boards
from threadmill.store.forum.forums import add_board, change_board, due_boards, find_board, keep_forum
from threadmill.store.forum.page_visits import PageVisitRow, add_page_visit
from threadmill.store.forum.posts import threads_with
from threadmill.store.forum.threads import (
    add_thread,
    change_thread,
    count_due,
    due_threads,
    find_threads,
)
from threadmill.types import CrawlAccount, Post

_FEW_POSTS = 5  # kept by a crawl that claims nothing: most likely nothing was understood
_GROWN = 1.2  # times the posts that were missing after the last search: then it is worth another one
_GROWN_BY = 20
_PROBES = 30  # pages from which the forum is learnt anew
_HOPELESS = 40  # pages read one by one without a single thread among them
_MOST_PAGES = 500  # read one by one, and two for each post that is claimed
_MISSES = 8  # pages of a group of like URLs that are no threads or lists, before the group is left alone
_BATCH = 20  # pages found one by one, before what they lead to is read
_MOST_SAMPLES = 60  # pages that are kept to learn from
_SURE = 0.3  # confidence of a page with a single post that nothing confirms
_MANY = 1_000_000  # threads
_NEARLY_ALL = 0.9  # of the threads that were read: a model learnt anew must know them too
# Pages fetched to learn what links lead to that were not followed; fewer where the account is satisfied.
_MOST_OPEN_PAGES, _FEW_OPEN_PAGES = 8, 4
_TRIES_PER_GROUP = 2  # pages of one group of such links; a thread may be empty or closed
_MOST_LIKE_LISTS = 50  # fetched where one list of a group was found
_TELLING = 40  # characters of a post that nobody writes twice
_MOST_LINK_TEXT = 60  # characters of a link that count for the weight of its group
_MOST_REREAD = 6  # threads that are read again without the wrapper, to compare


@dataclass(frozen=True, slots=True)
class FallbackTools:
    """What the run lends: a way to fetch a page, a way to read all that is due, and its pages in memory."""

    fetch: FetchPage
    crawl: Callable[[], Awaitable[None]]
    ready: dict[str, FetchedPage]  # pages that the crawl takes from here instead of fetching them
    asked: set[str]
    index_pages: dict[str, FetchedPage]  # index pages of this run, by the URL that was asked for
    again: frozenset[str] = frozenset()  # pages of earlier runs that count as not fetched


def needs_fallback(account: CrawlAccount, knowledge: ForumKnowledge) -> bool:
    """Is so much missing that other ways are worth their pages?

    A forum that was learnt in an earlier run needed none then. So a few posts are no reason: a row may count
    one that was deleted.
    """
    if account.verdict == UNKNOWN:
        missing = 0
        wanted = account.kept < _FEW_POSTS
    else:
        missing = (account.claimed or 0) - account.kept
        wanted = account.verdict == INCOMPLETE
    before = knowledge.site.missing_after_search
    if knowledge.just_learnt and before is None:
        return True  # links that were not followed are looked at
    if before is None and account.verdict == INCOMPLETE:
        before = 0
    return wanted and (before is None or missing > _GROWN * before + _GROWN_BY)


class Fallbacks:
    """The other ways, for one forum in one run."""

    def __init__(self, context: CrawlContext, knowledge: ForumKnowledge, tools: FallbackTools) -> None:
        self._context = context
        self._knowledge = knowledge
        self._tools = tools
        self._samples: dict[str, AnalysedSample] = {}
        self._pool = LinkPool(knowledge.layout.model.entry, knowledge.layout.refused)
        self._promising: list[str] = []  # links that were not followed, of groups that lead to unknown posts
        self._probed: dict[str, FetchedPage] = {}  # pages fetched to look at them, by URL

    async def run(self) -> None:
        """Try one way after the other, until the account is satisfied."""
        if not await self._is_open():
            return
        await self._read_short_threads()
        if self._knowledge.just_learnt:
            await self._ask_open_links()
        if self._promising:  # a board that was found may be all that was missing
            await self._crawl()
        ways = [self._follow_rows, self._learn_anew, self._read_page_by_page]
        if self._promising:  # pages that the model should know by their URLs
            ways = [self._learn_anew, self._follow_rows, self._read_page_by_page]
        for way in ways:
            if not self._lacks_threads():
                break
            await self._try(way)
        account = self._account()
        missing = max(0, (account.claimed or 0) - account.kept) if account.verdict == INCOMPLETE else 0
        self._knowledge.site.missing_after_search = missing
        self._knowledge.site.unfollowed = len(self._still_open(self._promising))
        self._store_knowledge()

    async def _try(self, way: Callable[[], Awaitable[None]]) -> None:
        """Try a way. One that brings no post is undone: later crawls would follow it again in vain.

        So is one that leads to more known threads or single messages of them than to posts.
        """
        layout, kept, doubles = self._knowledge.layout, self._account().kept, self._count_doubles()
        model, level = layout.model, layout.level
        await way()
        if self._account().kept - kept <= self._count_doubles() - doubles:
            layout.model, layout.level = model, level
            self._drop_unread()

    def _drop_unread(self) -> None:
        """Drop threads that were not read and whose URLs no pattern of the model fits."""
        layout = self._knowledge.layout
        with self._context.store.writing() as connection:
            for one in due_threads(connection, self._context.forum, _MANY):
                if not one.posts and layout.model.threads.patterns and layout.link_kind(one.url) == "other":
                    change_thread(connection, one.id, due=None, walk={}, gone=True)

    def _count_doubles(self) -> int:
        """Threads that turned out to be known ones, or none."""
        with self._context.store.reading() as connection:
            return sum(one.gone for one in thread_holdings(connection, self._context.forum))

    async def _is_open(self) -> bool:
        """Does the site still show its start page, and no notice of maintenance, login or captcha?

        Only asked if pages are still due: then they came without posts or rows.
        """
        with self._context.store.reading() as connection:
            left = due_boards(connection, self._context.forum) or count_due(connection, self._context.forum)
        if not left:
            return True
        page = await self._fetch(self._knowledge.layout.model.entry)
        if page is None:
            return False
        self._store_page(page)
        return AnalysedSample(SamplePage(page.capture.url, page.tree(), page.now)).kind == "index"

    def _account(self) -> CrawlAccount:
        with self._context.store.reading() as connection:
            return take_account(connection, self._context.forum, self._knowledge)

    def _lacks_threads(self) -> bool:
        """Are posts missing that no listed thread claims? Only these can be found in other threads."""
        account = self._account()
        if self._still_open(self._promising):
            return True
        if account.verdict == UNKNOWN:
            return account.kept < _FEW_POSTS
        with self._context.store.reading() as connection:
            read = sum(one.kept > 0 for one in thread_holdings(connection, self._context.forum))
        empty = sum(not line.kept for line in account.threads)
        # Where most threads seem to be empty, they may not be threads at all.
        listed = sum(line.missing for line in account.threads if line.kept or empty <= read)
        return account.verdict == INCOMPLETE and account.kept + listed < ENOUGH * (account.claimed or 0)

    def _store_knowledge(self) -> None:
        context, knowledge = self._context, self._knowledge
        with context.store.writing() as connection:
            entry = knowledge.layout.model.entry
            keep_forum(connection, context.job, entry, knowledge.to_json(), context.started)

    # ---- threads that were listed and lack posts ----

    async def _read_short_threads(self) -> None:
        """Read threads without the wrapper, if the wrapper misses posts on their pages."""
        layout = self._knowledge.layout
        account = self._account()
        if layout.model.wrapper is None or not account.threads:
            return
        more = 0
        tried = [line for line in account.threads if line.kept][:_MOST_REREAD]
        for line in tried:
            page = await self._fetch(line.url)
            if page is None:
                continue
            self._store_page(page)
            sample = self._sample(page)
            wrapped = extract_thread(sample.analysis, layout.model.wrapper).posts
            more += _count_whole(sample.thread.posts) > _count_whole(wrapped)
        if not more or more * 2 < len(tried):
            return
        layout.model = replace(layout.model, wrapper=None)
        unread = self._knowledge.site.unread
        is_every = bool(unread.find_threads())  # only some threads were looked at, but all are built alike
        unread.clear()
        short = {line.url for line in account.threads}
        with self._context.store.writing() as connection:
            for one in thread_holdings(connection, self._context.forum):
                if (one.url in short or is_every) and not one.gone:
                    short.add(one.url)
                    walk = ThreadWalk(one.url, why="the wrapper missed posts")
                    change_thread(connection, one.id, due=one.url, walk=walk.as_dict())
            due = {one.due for one in due_threads(connection, self._context.forum, _MANY) if one.due}
        # Pages are read again, in another way. Those that came without posts are left for the next run.
        self._tools.asked.intersection_update({strip_session(url) for url in due} - short)
        await self._crawl()

    # ---- links that were not followed ----

    async def _ask_open_links(self) -> None:
        """Fetch a page of each group of links that were not followed. Note the groups that lead to posts."""
        self._fill_pool()
        links: dict[str, int] = {}
        for sample in list(self._samples.values()):
            for url, length in sample.links.items() if sample.kind == "index" else ():
                links[url] = max(length, links.get(url, 0))
        unknown = set(self._still_open(url for url in links if links[url] and self._pool.is_wanted(url)))
        groups = [
            sorted((url for url in group if url in unknown), key=lambda url: -links[url])  # ties: as on pages
            for group in group_by_shape(links)
        ]
        groups = [group for group in groups if group]
        groups.sort(key=lambda group: -sum(min(links[url], _MOST_LINK_TEXT) for url in group))
        left = _FEW_OPEN_PAGES if self._account().verdict == COMPLETE else _MOST_OPEN_PAGES
        for group in groups:
            for url in group[:_TRIES_PER_GROUP]:
                if left <= 0:
                    return
                left -= 1
                if await self._leads_to_posts(url):
                    self._promising += group
                    await self._read_like_lists(group, url)
                    break

    async def _read_like_lists(self, group: Sequence[str], found: str) -> None:
        """Note the other lists of a group of links in which one list was found: each board may have one."""
        if not self._is_noted_list(found):
            return
        for url in [one for one in group if one != found][:_MOST_LIKE_LISTS]:
            page = await self._fetch(url)
            self._tools.asked.add(strip_session(url))
            sample = self._sample(page) if page is not None else None
            if page is None or sample is None or sample.kind != "index" or not sample.index.rows:
                return  # the links of the group lead to different kinds of pages
            with self._context.store.writing() as connection:
                self._note_list(connection, url, page, sample)
            self._add_board_pattern(url)

    def _is_noted_list(self, url: str) -> bool:
        with self._context.store.reading() as connection:
            return (
                find_board(connection, self._context.forum, self._knowledge.layout.board_url(url)) is not None
            )

    def _still_open(self, urls: Iterable[str]) -> list[str]:
        """The URLs that are neither fetched nor those of known threads."""
        layout = self._knowledge.layout
        own = [url for url in urls if strip_session(url) not in self._tools.asked]
        keys = {url: layout.thread_key(url) for url in own}
        with self._context.store.reading() as connection:
            fetched = self._fetched_urls(connection)
            known = find_threads(connection, self._context.forum, set(keys.values()))
        return [url for url in own if strip_session(url) not in fetched and keys[url] not in known]

    def _fetched_urls(self, connection: Connection) -> set[str]:
        urls = captured_urls(connection, self._context.job)
        return {strip_session(url) for url in urls} - self._tools.again

    async def _leads_to_posts(self, url: str, *, directly: bool = False) -> bool:
        """Does a page show posts that are not kept, or (if not only directly) list a thread that does?"""
        page = await self._fetch(url)
        self._tools.asked.add(strip_session(url))
        if page is None:
            return False
        sample = self._sample(page)
        is_new = self._has_unknown_posts(sample)
        if is_new:
            self._note(url, page, sample)
        if strip_session(url) not in self._tools.ready:
            self._store_page(page)
        if is_new or directly or sample.kind != "index":
            return is_new
        rows = self._still_open(row.url for row in sample.index.rows if self._pool.is_wanted(row.url))
        if not rows or not await self._leads_to_posts(rows[len(rows) // 2], directly=True):
            return False
        self._promising += rows
        with self._context.store.writing() as connection:
            self._note_list(connection, url, page, sample)
        self._add_board_pattern(url)
        return True

    def _add_board_pattern(self, url: str) -> None:
        """Let the model know a board that its patterns miss, so that later crawls compare its row too."""
        layout = self._knowledge.layout
        if layout.link_kind(url) == "index":
            return
        fields = tuple((name, re.escape(value)) for name, value in url_fields(strip_session(url)).items())
        boards = layout.model.boards
        patterns = (*boards.patterns, UrlPattern(fields))
        layout.model = replace(layout.model, boards=replace(boards, patterns=patterns))

    def _has_unknown_posts(self, sample: AnalysedSample) -> bool:
        thread = sample.thread
        if sample.kind != "thread" or not _reads_as_thread(thread.posts, thread.confidence):
            return False
        if self._knowledge.site.unread.knows(post.text for post in thread.posts):
            return False
        telling = [post for post in thread.posts if len(post.text) >= _TELLING]
        with self._context.store.reading() as connection:
            return bool(telling) and not threads_with(connection, self._context.forum, telling)

    # ---- links in rows, whatever their URLs look like ----

    async def _follow_rows(self) -> None:
        """Follow every row of the index pages, by what the row is and not by its URL."""
        if self._knowledge.layout.level >= SearchLevel.ROWS:
            return
        self._knowledge.layout.level = SearchLevel.ROWS
        await self._read_lists_again()

    async def _read_lists_again(self) -> None:
        """Read all index pages again, those in memory without a request."""
        tools = self._tools
        for url, page in tools.index_pages.items():
            tools.ready[strip_session(url)] = page
            tools.asked.discard(strip_session(url))
        with self._context.store.writing() as connection:
            for board in all_boards(connection, self._context.forum):
                if strip_session(board.url) in tools.ready:
                    change_board(connection, board.id, due=board.url, page=0, visited_run=None)
        await self._crawl()

    # ---- another model ----

    async def _learn_anew(self) -> None:
        """Learn the forum from other pages than before: one or two of each group of like URLs."""
        self._fill_pool()
        found = await self._probe(_PROBES, per_group=2)
        if not found and not self._promising:
            return
        old = self._knowledge.layout.model
        model = learn_from_analysed(self._samples, old.entry)
        if self._covers(model) <= self._covers(old) or not self._keeps_threads(model):
            return
        self._knowledge.layout.model = model
        self._store_knowledge()
        await self._read_lists_again()

    def _covers(self, model: ForumModel) -> int:
        """How many sample pages a model knows by their URLs."""
        wanted = {"thread": "thread", "index": "index"}
        kinds = [(sample.kind, model.kind_of_url(sample.url)) for sample in self._samples.values()]
        return sum(kind in wanted and told.startswith((kind, "entry")) for kind, told in kinds)

    def _keeps_threads(self, model: ForumModel) -> bool:
        """Does a model know the threads that have posts, and still tell them apart?"""
        with self._context.store.reading() as connection:
            read = [one.url for one in thread_holdings(connection, self._context.forum) if one.kept]
        known = [url for url in read if self._knowledge.layout.model.kind_of_url(url) == "thread"]
        keys = {model.threads.key(url) for url in known if model.kind_of_url(url).startswith("thread")}
        return len(keys) >= _NEARLY_ALL * len(known)

    # ---- page by page ----

    async def _read_page_by_page(self) -> None:
        """Read every page within the forum, the most promising groups of URLs first."""
        self._knowledge.layout.level = SearchLevel.PAGES
        self._fill_pool()
        claimed = self._account().claimed or 0
        left = _MOST_PAGES + 2 * claimed
        hits = 0
        while left > 0 and self._pool:
            found = await self._probe(min(_BATCH, left), per_group=_MISSES)
            hits += found
            left -= _BATCH
            if found:
                await self._crawl()
                if not self._lacks_threads():
                    return
            elif not hits and self._pool.tried >= _HOPELESS:
                return

    def _fill_pool(self) -> None:
        with self._context.store.reading() as connection:
            self._pool.seen |= self._fetched_urls(connection)
        self._pool.seen |= self._tools.asked
        for page in [*self._tools.ready.values(), *self._tools.index_pages.values()]:
            if page.readable and strip_session(page.asked) not in self._samples:
                self._sample(page)

    def _sample(self, page: FetchedPage) -> AnalysedSample:
        """Analyse a page, and note its links."""
        sample = AnalysedSample(SamplePage(page.capture.url, page.tree(), page.now))
        if len(self._samples) < _MOST_SAMPLES or sample.kind == "thread":
            self._samples[strip_session(page.asked)] = sample
        self._pool.add(sample.links)
        return sample

    async def _probe(self, most: int, per_group: int) -> int:
        """Fetch pages of the pool. Return how many threads and lists were among them."""
        found = 0
        for _ in range(most):
            url = self._pool.choose(per_group)
            if url is None:
                break
            page = await self._fetch(url)
            self._tools.asked.add(strip_session(url))
            if page is None:
                self._pool.judge(url, hit=False)
                continue
            hit = self._note(url, page, self._sample(page))
            if strip_session(url) not in self._tools.ready:
                self._store_page(page)
            self._pool.judge(url, hit=hit)
            found += hit
        return found

    async def _fetch(self, url: str) -> FetchedPage | None:
        """A page that the crawl does not take, unless it is offered."""
        page = await self._tools.fetch(url)
        if page is None:
            return None
        for name in (page.asked, page.capture.url):
            self._tools.ready.pop(strip_session(name), None)
        if not page.readable:
            self._store_page(page)
            return None
        if len(self._probed) < _MOST_SAMPLES:
            self._probed[strip_session(url)] = page
        return page

    async def _crawl(self) -> None:
        """Crawl what is due. Pages that were looked at before their kind was known are not fetched again."""
        for url, page in self._probed.items():
            if url in self._tools.asked:
                self._tools.ready[url] = replace(page, stored=True)
                self._tools.asked.discard(url)
        self._probed.clear()
        await self._tools.crawl()

    def _store_page(self, page: FetchedPage) -> None:
        """Store a page from which nothing is read."""
        context = self._context
        if context.archive is not None:
            context.archive.sync()
        with context.store.writing() as connection:
            if not page.stored:
                add_captures(connection, [replace(row, etag=None, last_modified=None) for row in page.rows])
            size = len(page.capture.payload)
            visit = PageVisitRow(context.run, page.asked, page.capture.at, "other", size, 0, 0)
            add_page_visit(connection, visit)

    def _note(self, url: str, page: FetchedPage, sample: AnalysedSample) -> bool:
        """Make a thread or a list due that was found by reading its page."""
        thread = sample.thread
        with self._context.store.writing() as connection:
            if sample.kind == "thread" and _reads_as_thread(thread.posts, thread.confidence):
                return self._note_thread(connection, url, page, sample)
            if sample.kind == "index" and (sample.index.rows or sample.index.boards):
                self._note_list(connection, url, page, sample)
                return True
        return False

    def _note_list(self, connection: Connection, url: str, page: FetchedPage, sample: AnalysedSample) -> None:
        forum = self._context.forum
        base = self._knowledge.layout.board_url(url)
        if find_board(connection, forum, base) is None:
            top = find_board(connection, forum, self._knowledge.layout.model.entry)
            number = add_board(connection, forum, base, sample.index.title, top.id if top else None)
            change_board(connection, number, said={GUESSED: True})
            self._offer(base, page)

    def _note_thread(
        self, connection: Connection, url: str, page: FetchedPage, sample: AnalysedSample
    ) -> bool:
        paging = sample.thread.paging
        first = (paging.url_of(1) or paging.previous or url) if paging.previous else url
        key = self._knowledge.layout.thread_key(first)
        if find_threads(connection, self._context.forum, [key]):
            return True
        add_thread(
            connection,
            forum=self._context.forum,
            board=None,
            key=key,
            url=first,
            title=sample.thread.title,
            due=first,
            walk=ThreadWalk(first, why="its page reads as a thread").as_dict(),
        )
        if first == url:
            self._offer(url, page)
        return True

    def _offer(self, url: str, page: FetchedPage) -> None:
        """Let the crawl take a page without fetching it again."""
        self._tools.ready[strip_session(url)] = page
        self._tools.asked.discard(strip_session(url))


def _count_whole(posts: Iterable[Post]) -> int:
    """How many posts have words and an author: a wrong cut gives more posts, of which many have neither."""
    return sum(bool(post.text) and post.author is not None for post in posts)


def _reads_as_thread(posts: Iterable[object], confidence: float) -> bool:
    count = len(list(posts))
    return count > 1 or (count == 1 and confidence > _SURE)
