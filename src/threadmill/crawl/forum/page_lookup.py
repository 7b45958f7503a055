"""Fetches pages outside of the loop: to learn a forum, and to see what is behind links and in the archive."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from threadmill.crawl.crash_recovery import unrecorded_visits
from threadmill.crawl.fetch.client import Request
from threadmill.crawl.forum.page_requests import (
    FetchedPage,
    RequestLimits,
    archive_result,
    archived_pages,
    page_from_archive,
    seconds_left,
)
from threadmill.crawl.forum.progress import (
    FOR_MEMBERS,
    HOST_FAILS,
    PAGE_LIMIT,
    TIME_LIMIT,
    ForumProgress,
)
from threadmill.crawl.forum.resources import CrawlContext, CrawlResources
from threadmill.crawl.site.site_crawl import INTERRUPTED
from threadmill.errors import FetchError, HostAsideError, NothingFoundError
from threadmill.forum.link_urls import strip_session
from threadmill.forum.site_model.explore import explore
from threadmill.forum.site_model.learn import SamplePage
from threadmill.forum.site_model.model import ForumModel
from threadmill.page.obstacles import WALLS, PageProblem, find_problem
from threadmill.store.crawl.captures import add_captures, lost_urls
from threadmill.store.forum.forums import board_urls
from threadmill.store.forum.page_visits import urls_without_items, visited_urls

# Pages that a killed run archived but did not read are taken from the archive for this time. Later the forum
# may have changed.
_ADOPTED_FOR = timedelta(hours=1)
# A first crawl that was cut off takes so many lists and so many pages without items from its earlier runs.
_MOST_PAGES_AGAIN = 200
Watch = Callable[[ForumProgress], None]
FetchPage = Callable[[str], Awaitable[FetchedPage | None]]


class StoppedError(Exception):
    """The crawl was stopped outside of the loop; its text says why."""


class PageLookup:
    """Fetches, archives and remembers single pages within the limits of a run."""

    def __init__(self, resources: CrawlResources, progress: ForumProgress, max_pages: int) -> None:
        self._resources = resources
        self._store = resources.store
        self._progress = progress
        self._max_pages = max_pages  # that the run may fetch; 0: any number
        limit = resources.settings.crawl.max_seconds
        self.deadline = time.monotonic() + limit if limit else None
        self.limits = RequestLimits()
        self.stopped = False
        self.learning = True  # the loop has not begun
        self.watch: Watch | None = None  # told of each page while the forum is learnt
        self.ready: dict[str, FetchedPage] = {}  # pages fetched here, which the loop need not fetch
        self.index_pages: dict[str, FetchedPage] = {}  # index pages of the run
        self.asked: set[str] = set()
        self.troubles: Counter[str] = Counter()
        self._recovered: dict[str, FetchedPage] = {}  # pages of earlier runs, instead of fetching them
        self._fetched = 0  # pages that the progress does not count yet

    def stop(self) -> None:
        """Start no new requests."""
        self.stopped = True
        self.limits.stop()

    def forget(self) -> None:
        """Forget all pages: the forum has another layout now, and they are asked for once more."""
        self.ready.clear()
        self.asked.clear()
        self._recovered.clear()

    def count(self, fetched: int = 0) -> None:
        """Let the progress count the pages that were fetched here, and others."""
        self._progress.pages += self._fetched + fetched
        self._fetched = 0

    def _stop_if_due(self) -> None:
        """End the learning of a forum if the run was stopped or has reached a limit."""
        if self.stopped:
            raise StoppedError(INTERRUPTED)
        if self.deadline is not None and time.monotonic() >= self.deadline:
            raise StoppedError(TIME_LIMIT)
        if self._max_pages and self._progress.pages + self._fetched >= self._max_pages:
            raise StoppedError(PAGE_LIMIT)

    def recover(self, job: int, now: datetime) -> None:
        """Take pages that a killed run archived a short while ago. They are not fetched again."""
        resources = self._resources
        if resources.directory is None or resources.archive is None:
            return
        for chain in unrecorded_visits(self._store, resources.directory, job):
            if now - chain[-1][1].at > _ADOPTED_FOR:
                continue
            page = page_from_archive(job, chain, resources.settings.fetch.max_body_bytes)
            if page is not None and page.readable:
                self._recover(page)

    def _recover(self, page: FetchedPage) -> None:
        self._recovered[strip_session(page.asked)] = self._recovered[strip_session(page.capture.url)] = page

    def offer_recovered(self) -> None:
        """Let the loop take the pages of a killed run, too."""
        self.ready = {**self._recovered, **self.ready}

    def recover_cut_runs(self, context: CrawlContext) -> frozenset[str]:
        """Take pages from the archive that earlier runs of this first crawl have fetched.

        The search for other ways begins again. It looks at the same lists, and at the same pages from which
        nothing was read. The URLs of the latter are returned.
        """
        directory, job = self._resources.directory, context.job
        if directory is None:
            return frozenset()
        with self._store.reading() as connection:
            urls = visited_urls(connection, job, "index", _MOST_PAGES_AGAIN)
            lists = archived_pages(connection, directory, job, urls)
            urls = urls_without_items(connection, job, _MOST_PAGES_AGAIN)
            others = archived_pages(connection, directory, job, urls)
            boards = {strip_session(url) for _, url in board_urls(connection, context.forum)}
        for page in lists:
            self.index_pages.setdefault(page.asked, page)
        found = {strip_session(page.asked): page for page in others if page.readable}
        again = found.keys() - boards - self.asked
        self._recovered |= {url: found[url] for url in again}
        return frozenset(again)

    async def fetch_lost(self, context: CrawlContext) -> None:
        """Fetch pages again whose archived answer is gone. Their posts are stored; the archive lacks them."""
        progress = self._progress
        with self._store.reading() as connection:
            urls = lost_urls(connection, context.job)
        for url in urls:
            limit = self._resources.settings.crawl.max_pages
            if self.stopped or (limit and progress.pages >= limit):
                return
            progress.add_trouble("bytes gone", f"{url}: its answer is gone from the archive")
            try:
                async with self.limits.limit(seconds_left(self.deadline)):
                    result = await self._resources.fetcher.fetch(Request(url))
            except TimeoutError:
                return
            except FetchError as error:
                progress.add_trouble(error.reason, f"{url}: {error}")
                continue
            progress.pages += 1
            page = archive_result(self._store, self._resources.archive, context.job, result)
            progress.bytes += len(page.capture.payload)
            if self._resources.archive is not None:
                self._resources.archive.sync()
            with self._store.writing() as connection:
                # Without validators: the page was not read, so it must come again whole.
                add_captures(connection, [replace(r, etag=None, last_modified=None) for r in page.rows])

    def pages_seen(self) -> list[FetchedPage]:
        """The pages fetched while the forum was learnt, each once."""
        pages = {id(page): page for page in self.ready.values()}.values()
        return [page for page in pages if page.readable]

    def fetcher_for(self, job: int) -> FetchPage:
        """A function that fetches, archives and stores a page, within the limits of the run."""

        async def fetch(url: str) -> FetchedPage | None:
            self._stop_if_due()
            if kept := self._recovered.pop(strip_session(url), None):
                self.ready[strip_session(kept.asked)] = self.ready[strip_session(kept.capture.url)] = kept
                return kept
            try:
                async with self.limits.limit(seconds_left(self.deadline)):
                    result = await self._resources.fetcher.fetch(Request(url))
            except TimeoutError:
                raise StoppedError(INTERRUPTED if self.stopped else TIME_LIMIT) from None
            except FetchError as error:
                if self.learning and not self.ready:  # the page that the user named
                    raise
                if isinstance(error, HostAsideError):
                    self._progress.add_trouble(error.reason, f"{url}: {error}")
                    raise StoppedError(HOST_FAILS) from None
                self.troubles[error.reason] += 1
                return None
            page = archive_result(self._store, self._resources.archive, job, result)
            self.ready[strip_session(page.asked)] = self.ready[strip_session(page.capture.url)] = page
            self._fetched += 1
            self._note_wall(page)
            if self.watch is not None and self.learning:
                self.watch(replace(self._progress, pages=self._fetched, learning=True))
            return page

        return fetch

    def _note_wall(self, page: FetchedPage) -> None:
        """Count a page that only members see: the server refuses it, or sends us to its log-in form."""
        capture = page.capture
        if capture.status not in {401, 403} and strip_session(capture.url) == strip_session(page.asked):
            return
        problem = _problem_of(page)
        if problem is not None and problem.kind in WALLS:
            self._progress.add_trouble(FOR_MEMBERS, f"{page.asked}: {problem.sentence}")


async def learn_forum(start: str, fetch: FetchPage) -> ForumModel:
    """Learn the model of the forum that a page belongs to, by reading some of its pages."""
    exploration = explore(start)
    wanted = next(exploration)
    fetched: list[FetchedPage] = []
    while True:
        page = await fetch(wanted)
        fetched += [page] if page is not None else []
        sample = (
            SamplePage(page.capture.url, page.tree(), page.now)
            if page is not None and page.readable
            else None
        )
        try:
            wanted = exploration.send(sample)
        except StopIteration as end:
            model: ForumModel = end.value
            break
    if not model.threads.patterns and model.wrapper is None:
        raise NothingFoundError(_why_no_forum(start, fetched))
    return model


def _why_no_forum(start: str, fetched: Sequence[FetchedPage]) -> str:
    """Why nothing was learnt: what keeps us out of the first page or of others, or that it is no forum."""
    problems = [_problem_of(page) for page in fetched]
    if problems and problems[0] is not None:
        return f"nothing could be learnt from {start}: {problems[0].sentence}"
    walls = [problem for problem in problems if problem is not None and problem.kind in WALLS]
    if walls:
        return (
            f"nothing could be learnt from {start}: {len(walls):,} of {len(fetched):,} pages that were tried "
            f"cannot be read by guests; {walls[-1].sentence}"
        )
    return (
        f"expected a page of a forum at {start}, but found neither boards nor threads there; "
        "name a page of the forum itself, or add --site to crawl an ordinary site"
    )


def _problem_of(page: FetchedPage) -> PageProblem | None:
    capture = page.capture
    kind = capture.header("content-type") or ""
    return find_problem(capture.payload, capture.status, kind, capture.headers)
