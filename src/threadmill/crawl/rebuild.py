"""Makes the database again from the archive alone: every run is repeated, and the archive gives the answers.

A newer version of Threadmill may read the pages better, so the posts may be better than they were. Nothing
is asked of any site.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection, Table, func, select

from threadmill.archive import ArchiveWriter, OriginalCapture
from threadmill.archive.archive_index import ArchivedRun, ArchiveIndex, IndexedExchange
from threadmill.archive.run_records import RunRecord
from threadmill.config import Settings, override
from threadmill.crawl.crash_recovery import group_by_visit
from threadmill.crawl.fetch.client import Fetcher, FetchResult, Request
from threadmill.crawl.fetch.decoding import decode_exchange
from threadmill.crawl.fetch.target import parse_target
from threadmill.crawl.forum.forum_crawl import ForumRun, RunScope
from threadmill.crawl.forum.forum_loop import ForumLoop
from threadmill.crawl.forum.knowledge import ForumKnowledge, LayoutKnowledge
from threadmill.crawl.forum.progress import FAILED_CODE, ForumProgress
from threadmill.crawl.forum.resources import CrawlContext, CrawlResources
from threadmill.crawl.frontier.frontier import FoundURL, Frontier
from threadmill.crawl.frontier.scope import CrawlScope
from threadmill.crawl.lock import lock_workspace
from threadmill.crawl.site.page_visit import VisitJudge
from threadmill.crawl.site.recorder import CrawlRecorder
from threadmill.crawl.site.site_crawl import CrashRecovery
from threadmill.errors import NotArchivedError, StoreError, ThreadmillError, WorkspaceError
from threadmill.forum.paging.thread_walk import ThreadWalk
from threadmill.store import Store, open_store
from threadmill.store.crawl.captures import capture, unread_archive
from threadmill.store.crawl.jobs import (
    UNFINISHED,
    correct_run,
    find_or_add_job,
    job,
    last_run,
    run,
    start_run,
)  # fmt: skip
from threadmill.store.crawl.robots import robots
from threadmill.store.crawl.url_queue import queue
from threadmill.store.forum.accounts import account
from threadmill.store.forum.corrections import copy_corrections
from threadmill.store.forum.forums import (
    board,
    board_urls,
    change_board,
    find_board,
    find_forum,
    forum,
)
from threadmill.store.forum.page_visits import page_visit
from threadmill.store.forum.posts import post, wording
from threadmill.store.forum.threads import (
    ThreadState,
    add_thread,
    bring_back_due,
    change_thread,
    find_threads,
    set_due_aside,
    thread,
)
from threadmill.store.schema import copy_rows
from threadmill.types import Capture, Exchange, Location
from threadmill.urls import Scope, canonicalise
from threadmill.workspace import DATABASE_FILE, Workspace, lost_database

_MOST_TOLD = 5  # runs whose trouble is told
_SCRATCH = "rebuild.sqlite"  # in the workspace; the old database stays until the new one is complete
_ENDINGS = ("", "-wal", "-shm")  # of the files of an SQLite database
_MOST_ROUNDS = 1000  # for pages that the repeated run did not ask for; a round takes one page of each thread
# Each table stands after those that it refers to.
_CRAWL_TABLES: tuple[Table, ...] = (
    job, run, capture, unread_archive, queue, robots,
    forum, board, thread, post, wording, page_visit, account,
)  # fmt: skip
_log = logging.getLogger("threadmill.crawl")


@dataclass(slots=True)
class RebuildProgress:
    """What a rebuild has done so far."""

    runs: int = 0
    all_runs: int = 0
    answers: int = 0
    posts: int = 0
    posts_before: int = 0
    unread: int = 0  # pages of the archive that no run asked for and that are neither boards nor threads
    troubles: int = 0  # runs that could not be repeated to their end
    why: list[str] = field(default_factory=list)  # of the first ones

    def add_trouble(self, run: ArchivedRun, error: ThreadmillError) -> None:
        """Count a run that could not be repeated to its end."""
        self.troubles += 1
        if len(self.why) < _MOST_TOLD:
            self.why.append(f"{run.start.url}, {run.start.at[:16]}: {error}")


Watch = Callable[[RebuildProgress], None]


def rebuild(workspace: Workspace, watch: Watch | None = None, *, force: bool = False) -> RebuildProgress:
    """Make the database of a workspace again. With fewer posts than before it is refused, unless forced."""
    with lock_workspace(workspace.root):
        return asyncio.run(_rebuild(workspace, watch, force=force))


async def _rebuild(workspace: Workspace, watch: Watch | None, *, force: bool) -> RebuildProgress:
    index = ArchiveIndex(workspace.archive)
    if not index.runs:
        raise WorkspaceError(f"expected an archive of crawls in {workspace.archive}, but it holds none")
    progress = RebuildProgress(all_runs=len(index.runs))
    _remove_scratch(workspace.root)
    scratch = open_store(f"sqlite:///{workspace.root / _SCRATCH}")
    try:
        _copy_corrections(workspace, scratch)
        replay = _Replay(index, workspace.settings, scratch, progress)
        for run in index.runs:
            await replay.repeat(run)
            progress.runs += 1
            if watch is not None:
                watch(progress)
        progress.posts = _count_posts(scratch)
        _replace_store(workspace, scratch, progress, force=force)
    finally:
        scratch.close()
        _remove_scratch(workspace.root)
    return progress


def _copy_corrections(workspace: Workspace, scratch: Store) -> None:
    """Let the repeated runs know what people said about the forums. A lost database knows nothing of it."""
    if lost_database(workspace):  # to open it would make an empty one
        return
    with (
        suppress(StoreError),
        closing(open_store(workspace.store_url)) as store,
        store.reading() as source,
        scratch.writing() as target,
    ):
        copy_corrections(source, target)


def _remove_scratch(root: Path) -> None:
    for ending in _ENDINGS:
        (root / f"{_SCRATCH}{ending}").unlink(missing_ok=True)


def _count_posts(store: Store) -> int:
    with store.reading() as connection:
        return int(connection.execute(select(func.count(post.c.id))).scalar_one())


def _replace_store(workspace: Workspace, scratch: Store, progress: RebuildProgress, *, force: bool) -> None:
    """Copy everything into the store of the workspace, in one transaction.

    A lost database is replaced in one step too: a kill must not leave an empty one in its place.
    """
    if lost_database(workspace):
        scratch.close()
        (workspace.root / _SCRATCH).rename(workspace.root / DATABASE_FILE)
        return
    with closing(_open_or_set_aside(workspace)) as store:
        try:
            progress.posts_before = _count_posts(store)
        except StoreError:
            if not force:
                raise
        if progress.posts < progress.posts_before and not force:
            raise WorkspaceError(
                f"the archive gives {progress.posts:,} posts, the database has {progress.posts_before:,}; "
                "nothing was changed; add --force to replace the database nevertheless"
            )
        with scratch.reading() as source, store.writing() as target:
            copy_rows(_CRAWL_TABLES, source, target)
        store.flush()


def _open_or_set_aside(workspace: Workspace) -> Store:
    """The store of a workspace. A file that no database can read is kept under another name."""
    try:
        return open_store(workspace.store_url)
    except StoreError as error:
        file = workspace.root / DATABASE_FILE
        if workspace.settings.store.url or not file.exists():
            raise
        _log.warning("%s; it is kept as %s.damaged", error, file.name)
        for ending in _ENDINGS:
            part = file.with_name(f"{file.name}{ending}")
            if part.exists():
                part.rename(file.with_name(f"{file.name}.damaged{ending}"))
        return open_store(workspace.store_url)


class _Replay:
    """Repeats runs one after the other."""

    def __init__(
        self, index: ArchiveIndex, settings: Settings, store: Store, progress: RebuildProgress
    ) -> None:
        calm = {"delay": 0.0, "concurrency": 1, "robots": False, "max_pages": 0, "max_seconds": 0.0}
        self._settings = override(settings, "crawl", **calm)
        self._index = index
        self._store = store
        self._progress = progress
        self._clock = ReplayClock()
        self._fetchers: dict[str, ArchiveFetcher] = {}
        self._cut_off: set[str] = set()  # start URLs of forums whose last run did not come to its end
        self._last = {run.start.url: run for run in index.runs}

    async def repeat(self, run: ArchivedRun) -> None:
        """Repeat one run, and store when it began and ended."""
        start = run.start
        began = start.moment or datetime(1970, 1, 1, tzinfo=UTC)
        self._clock.moment = began
        number: int | None
        try:
            if start.kind == "site":
                number = self._repeat_site(run, began)
            else:
                number = await self._repeat_forum(run)
        except ThreadmillError as error:
            _log.info("the run of %s on %s cannot be repeated: %s", start.url, start.at, error)
            self._progress.add_trouble(run, error)
            return
        end = run.end
        (self._cut_off.add if was_cut_off(run) else self._cut_off.discard)(start.url)
        if number is not None:
            with self._store.writing() as connection:
                ended = (end.moment, end.exit_code, end.counts) if end else None
                correct_run(connection, number, began, ended)

    async def _repeat_forum(self, run: ArchivedRun) -> int | None:
        start = run.start
        fetcher = self._fetchers.get(start.url)
        if fetcher is None:
            fetcher = ArchiveFetcher(self._settings, self._index, self._clock)
            self._fetchers[start.url] = fetcher
        fetcher.begin(run, resumes=start.url in self._cut_off)
        archive = WrittenArchive(Path(), fetcher.locations)
        resources = CrawlResources(self._settings, self._store, archive, fetcher, self._clock)
        forum_run = ForumRun(resources, start.url, self._scope(start))
        try:
            with suppress(CutOffHere):
                await forum_run.run()
            # The next run continues one that was cut off, with the pages that it has not read.
            if not was_cut_off(run) or run is self._last[start.url]:
                await self._read_unasked(resources, start, fetcher)
        except ThreadmillError as error:
            # A run that failed in its time may fail again.
            if run.end is not None and run.exchanges and run.end.exit_code != FAILED_CODE:
                self._progress.add_trouble(run, error)
                _log.info("%s: %s", start.url, error)
        self._progress.answers += fetcher.answers
        fetcher.answers = 0
        return forum_run.number

    async def _read_unasked(
        self, resources: CrawlResources, start: RunRecord, fetcher: ArchiveFetcher
    ) -> None:
        """Read the pages that the run asked for in its time and does not ask for now."""
        for _ in range(_MOST_ROUNDS):
            unasked = fetcher.unasked()
            if not unasked:
                return
            left = await _read_pages(resources, start.url, unasked)
            if fetcher.unasked() == unasked:  # none of them can be read
                left = set(unasked)
            for url in left:
                self._progress.unread += 1
                fetcher.drop(url)

    def _scope(self, start: RunRecord) -> RunScope:
        if start.boards is None:
            return RunScope(through_entry=start.through_entry)
        with self._store.reading() as connection:
            job = find_or_add_job(connection, "forum", canonicalise(start.url), "forum", self._clock.now())
            known = find_forum(connection, job.id)
            numbers = {url: number for number, url in board_urls(connection, known[0])} if known else {}
        wanted = frozenset(numbers[url] for url in start.boards if url in numbers)
        direct = frozenset(numbers[url] for url in start.direct if url in numbers)
        return RunScope(wanted, direct, start.through_entry)

    def _repeat_site(self, run: ArchivedRun, began: datetime) -> int:
        """Record the visits of a site crawl, one after the other."""
        seed = canonicalise(run.start.url)
        with self._store.writing() as connection:
            job = find_or_add_job(connection, "site", seed, run.start.scope, began)
            number = start_run(connection, job.id, began)
            frontier = Frontier(job.id)
            frontier.load(connection, 0)
            frontier.add(connection, [FoundURL(seed, 0, 0)])
        recorder = CrawlRecorder(self._store, frontier, None)
        judge = VisitJudge(frontier, CrawlScope(seed, Scope(run.start.scope), 0))
        limit = self._settings.fetch.max_body_bytes
        recovery = CrashRecovery(self._store, frontier, recorder, judge, limit)
        loaded = ((found.location, self._index.load(found)) for found in run.exchanges)
        for chain in group_by_visit(loaded):
            self._progress.answers += recovery.record_visit(chain) is not None
        return number


async def _read_pages(resources: CrawlResources, start: str, urls: Sequence[str]) -> set[str]:
    """Read some pages of a known forum, one of each board or thread. Return those that are neither.

    What is due otherwise stays due and is not read.
    """
    store, now = resources.store, resources.clock.now()
    with store.reading() as connection:
        job = find_or_add_job(connection, "forum", canonicalise(start), "forum", now)
        known = find_forum(connection, job.id)
    if known is None:
        return set(urls)
    number, _, stored = known
    knowledge = ForumKnowledge.from_json(stored)
    with store.writing() as connection:
        others = set_due_aside(connection, number)
        left = _DueTasks(connection, number, knowledge.layout).make_due(urls)
        run = last_run(connection, job.id)
    context = CrawlContext(store, resources.archive, resources.fetcher, job.id, run, number, now)
    await ForumLoop(context, knowledge, resources.settings.crawl, ForumProgress()).run()
    with store.writing() as connection:
        bring_back_due(connection, number, others)
    return left


class _DueTasks:
    """Makes pages of one forum due."""

    def __init__(self, connection: Connection, forum: int, layout: LayoutKnowledge) -> None:
        self._connection = connection
        self._forum = forum
        self._layout = layout

    def make_due(self, urls: Iterable[str]) -> set[str]:
        """Make one page of each board and thread due. Return the URLs that belong to neither."""
        left = set()
        busy: set[tuple[str, int]] = set()
        for url in urls:
            kind = self._layout.link_kind(url)
            if kind == "thread":
                self._make_thread_due(url, busy)
            elif not self._make_board_due(url, busy):
                left.add(url)
        return left

    def _make_thread_due(self, url: str, busy: set[tuple[str, int]]) -> None:
        key = self._layout.thread_key(url)
        known: ThreadState | None = find_threads(self._connection, self._forum, [key]).get(key)
        walk = ThreadWalk(url, None, overlap=known is not None, why="the archive has it").as_dict()
        if known is None:
            number = add_thread(
                self._connection, forum=self._forum, key=key, url=url, title="", due=url, walk=walk
            )
            busy.add(("thread", number))
        elif ("thread", known.id) not in busy:
            change_thread(self._connection, known.id, due=url, walk=walk)
            busy.add(("thread", known.id))

    def _make_board_due(self, url: str, busy: set[tuple[str, int]]) -> bool:
        board = find_board(self._connection, self._forum, self._layout.board_url(url))
        if board is None:
            return False
        if ("board", board.id) not in busy:
            change_board(self._connection, board.id, due=url)
            busy.add(("board", board.id))
        return True


_HTML = {"text/html", "application/xhtml+xml"}


class ReplayClock:
    """The time of the answers that are read again. Nobody waits."""

    def __init__(self) -> None:
        self.moment = datetime(1970, 1, 1, tzinfo=UTC)

    def monotonic(self) -> float:
        return self.moment.timestamp()

    def now(self) -> datetime:
        return self.moment

    async def sleep(self, seconds: float) -> None:  # noqa: ARG002 -- part of the interface
        await asyncio.sleep(0)


_Chain = tuple[IndexedExchange, ...]


class ArchiveFetcher(Fetcher):
    """Takes answers from the archive instead of the network."""

    def __init__(self, settings: Settings, index: ArchiveIndex, clock: ReplayClock) -> None:
        super().__init__(settings, clock=clock)
        self._index = index
        self._clock = clock
        self._chains: dict[str, deque[_Chain]] = defaultdict(deque)
        self._used: dict[str, _Chain] = {}
        self._was_cut_off = False
        self.locations: dict[int, Location] = {}
        self.answers = 0

    def begin(self, run: ArchivedRun, *, resumes: bool) -> None:
        """Offer the answers of a run. One that continues another may use what that one did not read."""
        self._was_cut_off = was_cut_off(run)
        if not resumes:
            self._chains.clear()
            self._used.clear()
        pairs = [(found.location, found.exchange) for found in run.exchanges]
        by_offset = {(found.location.file, found.location.offset): found for found in run.exchanges}
        for group in group_by_visit(pairs):
            chain = tuple(by_offset[place.file, place.offset] for place, _ in group)
            self._chains[chain[0].exchange.url].append(chain)

    def unasked(self) -> list[str]:
        """The URLs of pages that nobody has asked for yet."""
        return [
            url
            for url, chains in self._chains.items()
            if any(chain[-1].exchange.status == 200 and _is_html(chain[-1].exchange) for chain in chains)
        ]

    def drop(self, url: str) -> None:
        """Stop offering a URL."""
        self._chains.pop(url, None)

    async def fetch(self, request: Request, may_follow: Callable[[str], bool] | None = None) -> FetchResult:  # noqa: ARG002
        """The archived answer to a request. NotArchivedError if the run did not ask for it.

        A run that was cut off ends there: with some pages missing it would learn another forum.
        """
        url = parse_target(request.url).url
        chains = self._chains.get(url)
        if chains:
            self._used[url] = chain = chains.popleft()
        elif url in self._used:
            chain = self._used[url]
        elif self._was_cut_off:
            raise CutOffHere
        else:
            raise NotArchivedError(f"the archive has no answer of this run for {url}")
        self.locations.clear()
        exchanges = []
        for found in chain:
            exchange = self._index.load(found)
            if exchange.status == 304 and not (request.etag or request.last_modified):
                exchange = self._index.load_original(found) or exchange
            self.locations[id(exchange)] = found.location
            exchanges.append(exchange)
        last = exchanges[-1]
        self._clock.moment = last.at
        self.answers += 1
        payload, flaw = decode_exchange(last, self._settings.fetch.max_body_bytes)
        capture = Capture(last.url, last.at, last.status, last.headers, payload, "archive")
        flaws = (flaw,) if flaw else ()
        return FetchResult(request, tuple(exchanges), capture, last.status == 304, flaws)


class CutOffHere(Exception):  # noqa: N818 -- it is the end of a repeated run, no failure
    """The run that is repeated was killed or stopped before this request."""


def was_cut_off(run: ArchivedRun) -> bool:
    """Was a run killed, or stopped by its user or a limit?"""
    return run.end is None or UNFINISHED in run.end.counts


def _is_html(exchange: Exchange) -> bool:
    kind = next((value for name, value in exchange.headers if name.lower() == "content-type"), "")
    return kind.partition(";")[0].strip().lower() in _HTML


class WrittenArchive(ArchiveWriter):
    """Says where an exchange is in the archive, instead of writing it."""

    def __init__(self, directory: Path, locations: dict[int, Location]) -> None:
        super().__init__(directory)
        self._locations = locations

    def write(self, exchange: Exchange, revisit_of: OriginalCapture | None = None) -> Location:  # noqa: ARG002
        return self._locations.get(id(exchange), Location("", 0, 0, ""))

    def write_run(self, record: RunRecord) -> None:
        """The archive has it."""
