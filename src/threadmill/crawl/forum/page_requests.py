"""Requests forum pages, conditionally if the server can be trusted, and archives what comes.

A conditional request asks for a page only if it has changed. The server proves itself where the answer is
known in advance: if a counter or a date of a row has moved, the page behind it has changed. There "not
modified" is a lie, and the page is requested again without conditions. Only after such proofs is "not
modified" believed where nothing else tells. Even then every fourth look is unconditional. After one lie no
more conditional requests are sent, and the pages that were believed unchanged are read again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from pathlib import Path

from sqlalchemy import Connection

from threadmill.archive import ArchiveWriter, read_at
from threadmill.archive.header_values import read_http_date
from threadmill.archive.warc_writer import OriginalCapture
from threadmill.crawl.fetch.client import FetchResult, Request
from threadmill.crawl.fetch.decoding import decode_exchange
from threadmill.crawl.fetch.target import parse_target
from threadmill.crawl.forum.knowledge import ForumKnowledge
from threadmill.crawl.forum.rows.row_state import SURELY_CHANGED
from threadmill.crawl.site.recorder import capture_row
from threadmill.errors import ArchiveError, FetchError
from threadmill.forum.paging.thread_walk import ThreadWalk
from threadmill.page.parse.tree import Tree, parse
from threadmill.store import Store
from threadmill.store.crawl.captures import CaptureRow, latest_capture, recent_captures, unmodified_urls
from threadmill.store.forum.forums import BoardState, board_urls, make_due
from threadmill.store.forum.threads import ThreadState, change_thread, idle_threads_at
from threadmill.types import Capture, Exchange, Location

LIE = "lie"
_MIN_PROOFS = 3  # pages whose change a row announced; two may share a cache that just expired
_MIN_OWN_PROOFS = 2  # of them pages of the same kind: engines cache boards and threads separately
_CONTROL = 4  # every fourth look at a page is unconditional, whatever was proved
_FORGIVEN = 1  # a row may be wrong once: a post was deleted again
NOT_MODIFIED = 304
OK = 200
_HTML = {"text/html", "application/xhtml+xml"}
_NOWHERE = Location("", 0, 0, "")


_GRACE = 3.0  # seconds that requests under way get when a run is stopped


class RequestLimits:
    """The time limits of requests under way. When the run is stopped they end soon, also those that wait."""

    def __init__(self) -> None:
        self._open: set[asyncio.Timeout] = set()
        self._stopped = False

    @asynccontextmanager
    async def limit(self, seconds: float | None) -> AsyncIterator[None]:
        """Raise TimeoutError after some seconds, or soon after the run is stopped."""
        if self._stopped:
            seconds = min(_GRACE, seconds or _GRACE)
        async with asyncio.timeout(seconds) as timeout:
            self._open.add(timeout)
            try:
                yield
            finally:
                self._open.discard(timeout)

    def stop(self) -> None:
        """Let requests under way end soon."""
        if self._stopped:
            return
        self._stopped = True
        soon = asyncio.get_running_loop().time() + _GRACE if self._open else 0.0
        for timeout in self._open:
            when = timeout.when()
            if timeout.expired():
                continue
            timeout.reschedule(soon if when is None else min(when, soon))


class Weight(Enum):
    """What "not modified" means for a page."""

    NONE = "the request is unconditional"
    PROOF = "a lie, if the page has news nevertheless"
    BELIEVED = "nothing new"


@dataclass(frozen=True, slots=True)
class Condition:
    """How a page is requested, and what is known about its last state."""

    request: Request
    kind: str = ""  # entry, index, thread
    before: CaptureRow | None = None  # the page as it was last read
    weight: Weight = Weight.NONE
    denied: bool = False  # did the server say "not modified" where that was not believed

    @property
    def sent(self) -> bool:
        """Is the request conditional?"""
        return bool(self.request.etag or self.request.last_modified)

    def without_validators(self) -> Condition:
        """The same page without conditions, after "not modified" was not believed."""
        return replace(self, request=Request(self.request.url), denied=True)


class ConditionalRequests:
    """Decides how the pages of one forum are requested, and learns whether the server tells the truth."""

    def __init__(self, store: Store, job: int, forum: int, knowledge: ForumKnowledge) -> None:
        self._store = store
        self._job = job
        self._forum = forum
        self._knowledge = knowledge
        self._votes = knowledge.site.validators

    @property
    def _lied(self) -> bool:
        return bool(self._votes.votes[LIE])

    def condition_for(self, task: BoardState | ThreadState) -> Condition:
        """How to request the due page of a board or thread."""
        plain = Condition(Request(str(task.due)))
        if self._knowledge.just_learnt or self._lied or not self._starts_visit(task):
            return plain
        recent = self._recent(plain.request.url)
        before = next((row for row in recent if row.status != NOT_MODIFIED), None)
        if before is None or before.status != 200 or not (before.etag or before.last_modified):
            return plain
        kind = self._kind(task)
        weight = self._weight(task, kind, before, believed=recent.index(before))
        request = plain.request
        if weight is not Weight.NONE:
            request = Request(request.url, before.etag, before.last_modified)
        return Condition(request, kind, before, weight)

    def record(self, connection: Connection, condition: Condition | None, now: CaptureRow, news: int) -> None:
        """Vote after a whole page came: did its validators change with the news on it?"""
        if condition is None or condition.before is None or self._lied or now.url != condition.before.url:
            return
        before = condition.before
        if not news:
            if condition.denied:
                self._votes.add(f"{condition.kind} vain")
        elif condition.denied or _same_validators(before, now):
            if not now.digest or now.digest != before.digest:
                self._distrust(connection)
        else:
            proof = "proof" if condition.weight is Weight.PROOF else "change"
            self._votes.add(f"{condition.kind} {proof}")

    def _starts_visit(self, task: BoardState | ThreadState) -> bool:
        """Is this the first page of a visit? Later pages are read because of what the first one showed."""
        if isinstance(task, ThreadState):
            return bool(task.posts and task.walk.get("first") and not task.walk.get("misses"))
        # Where threads are sorted by creation, an answer to an old thread does not change the first page.
        return task.visited is not None and task.page == 0 and not self._knowledge.layout.sorted_by_creation

    def _recent(self, url: str) -> list[CaptureRow]:
        """The last captures of a URL, newest first."""
        with self._store.reading() as connection:
            return recent_captures(connection, self._job, self._captured_url(url), _CONTROL)

    @staticmethod
    def _captured_url(url: str) -> str:
        """A URL in the form in which captures store it."""
        try:
            return parse_target(url).url
        except FetchError:
            return url

    def _kind(self, task: BoardState | ThreadState) -> str:
        if isinstance(task, ThreadState):
            return "thread"
        return "entry" if task.url == self._knowledge.layout.model.entry else "index"

    def _weight(self, task: BoardState | ThreadState, kind: str, before: CaptureRow, believed: int) -> Weight:
        if task.said.get(SURELY_CHANGED):
            # Rows that are wrong themselves ("3 days ago" moves by itself) prove nothing, and each such
            # request must be sent twice.
            votes = self._votes.votes
            wrong = votes[f"{kind} vain"] > votes[f"{kind} proof"] + _FORGIVEN
            return Weight.NONE if wrong else Weight.PROOF
        if isinstance(task, ThreadState):
            # Only the page that was the last one can tell that nothing follows.
            end = task.last_page if self._knowledge.layout.oldest_first else task.url
            if before.url != end:
                return Weight.NONE
        trusted = believed < _CONTROL - 1 and self._trusts(kind)
        return Weight.BELIEVED if trusted else Weight.NONE

    def _trusts(self, kind: str) -> bool:
        votes = self._votes.votes
        proofs = votes["thread proof"] + votes["index proof"]
        own = votes[f"{kind} proof"] + votes[f"{kind} change"]
        return proofs >= _MIN_PROOFS and own >= _MIN_OWN_PROOFS

    def _distrust(self, connection: Connection) -> None:
        """Never send conditions again, and make every page due that was believed to be unchanged."""
        self._votes.add(LIE)
        believed = set(unmodified_urls(connection, self._job))
        for number, url in board_urls(connection, self._forum):
            if self._captured_url(url) in believed:
                make_due(connection, number)
        for number, url in idle_threads_at(connection, self._forum, believed):
            walk = ThreadWalk(url, None, overlap=True, why="the server may have lied about it")
            change_thread(connection, number, due=url, walk=walk.as_dict())


def _same_validators(before: CaptureRow, now: CaptureRow) -> bool:
    """Would the server have said "not modified"? An entity tag goes before a date (RFC 9110, 13.2.2)."""
    if before.etag or now.etag:
        return before.etag == now.etag
    return before.last_modified is not None and before.last_modified == now.last_modified


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """An archived response. Its rows are written in one transaction with the content of the page."""

    asked: str  # the URL that was requested
    capture: Capture
    rows: tuple[CaptureRow, ...]
    condition: Condition | None = None  # how it was requested
    stored: bool = False  # its rows are stored already

    @property
    def readable(self) -> bool:
        """Is it an HTML page?"""
        return 200 <= self.capture.status < 300 and self.capture.content_type in _HTML

    @property
    def unmodified(self) -> bool:
        """Did the server answer a conditional request with "not modified"?"""
        conditional = self.condition is not None and self.condition.sent
        return conditional and self.capture.status == NOT_MODIFIED

    def tree(self) -> Tree:
        """The parsed page."""
        capture = self.capture
        return parse(capture.payload, capture.url, capture.header("content-type") or "")

    @property
    def now(self) -> datetime:
        """The time at the site. Relative dates ("today") are read against it, not against our own clock."""
        return site_time(self.capture)


def archive_result(store: Store, archive: ArchiveWriter | None, job: int, result: FetchResult) -> FetchedPage:
    """Archive every exchange of a fetch. A payload identical to the last one becomes a revisit record."""
    rows: list[CaptureRow] = []
    with store.reading() as connection:
        for exchange in result.exchanges:
            location = _NOWHERE
            if archive is not None:
                earlier = latest_capture(connection, exchange.url)
                original = (
                    OriginalCapture(earlier.url, earlier.at, earlier.digest)
                    if earlier and earlier.file and earlier.digest
                    else None
                )
                location = archive.write(exchange, original)
            rows.append(capture_row(job, 0, exchange, location))
    return FetchedPage(result.request.url, result.capture, tuple(rows))


def page_from_archive(
    job: int, chain: Sequence[tuple[Location, Exchange]], max_body: int
) -> FetchedPage | None:
    """The page that a killed crawl archived but did not record. None if there is no whole page in it."""
    last = chain[-1][1]
    if last.status != OK or last.truncated or not last.body:
        return None
    payload, flaw = decode_exchange(last, max_body)
    if flaw:
        return None
    capture = Capture(last.url, last.at, last.status, last.headers, payload, "archive")
    rows = tuple(capture_row(job, 0, exchange, location) for location, exchange in chain)
    return FetchedPage(chain[0][1].url, capture, rows)


def archived_pages(
    connection: Connection, directory: Path, job: int, urls: Iterable[str]
) -> list[FetchedPage]:
    """Pages that earlier runs of a job have fetched, as far as the archive has them."""
    pages = []
    for url in urls:
        for row in recent_captures(connection, job, url, 1):
            if row.status == OK and row.file:
                with suppress(ArchiveError):
                    capture = read_at(directory, Location(row.file, row.offset, row.length, row.digest))
                    pages.append(FetchedPage(url, capture, (row,), stored=True))
    return pages


def site_time(capture: Capture) -> datetime:
    """The Date header if it makes sense, otherwise the time of our request."""
    stated = read_http_date(capture.header("date"))
    return stated if stated is not None and 1995 <= stated.year <= 2100 else capture.at


def seconds_left(deadline: float | None) -> float | None:
    """Seconds until a moment of time.monotonic(); None without one."""
    return None if deadline is None else max(0.0, deadline - time.monotonic())
