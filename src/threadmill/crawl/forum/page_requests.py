"""Conditional requests: a known page is asked for only if it has changed, where the site tells the truth.

A site proves itself where the answer is known beforehand: a row whose counter or date moved says that the
page behind it has changed, so "not modified" there is a lie, and the page is asked for again without
conditions. Only after such proofs is "not modified" believed where nothing else tells; and now and then it
is controlled even so. One lie, and the site is never asked conditionally again; what it was believed before
is read anew.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from sqlalchemy import Connection

from threadmill.crawl.fetch.client import Request
from threadmill.crawl.fetch.target import parse_target
from threadmill.crawl.forum.knowledge import Lore
from threadmill.crawl.forum.notes import SURE
from threadmill.crawl.forum.thread_walk import Walk
from threadmill.errors import FetchError
from threadmill.store import Store
from threadmill.store.crawl.captures import CaptureRow, recent_captures, unmodified_urls
from threadmill.store.forum.forums import BoardState, board_urls, make_due
from threadmill.store.forum.threads import ThreadState, change_thread, idle_threads_at

LIE = "lie"
_ENOUGH_PROOFS = 3  # pages whose change was foretold by a row; two may share a cache that just ran out
_ENOUGH_OWN = 2  # of them pages of the same kind: engines keep boards and threads in different caches
_CONTROL = 4  # each fourth look at a page is without conditions, whatever was proved
_FORGIVEN = 1  # a row that was wrong once: a post was deleted again
NOT_MODIFIED = 304


class Weight(Enum):
    """What "not modified" would mean for a page."""

    NONE = "nothing was asked"
    PROOF = "a lie, if the page has news all the same"
    BELIEVED = "nothing new"


@dataclass(frozen=True, slots=True)
class Condition:
    """How a page is asked for, and what is known of it from before."""

    request: Request
    kind: str = ""  # entry, index, thread
    before: CaptureRow | None = None  # the page as it was last read
    weight: Weight = Weight.NONE
    denied: bool = False  # has the site said "not modified" where that was not believed

    @property
    def sent(self) -> bool:
        """Is the server asked to say whether the page has changed?"""
        return bool(self.request.etag or self.request.last_modified)

    def plainly(self) -> Condition:
        """The same page without conditions, after "not modified" was not believed."""
        return replace(self, request=Request(self.request.url), denied=True)


class Conditions:
    """Asks for the pages of one forum."""

    def __init__(self, store: Store, job: int, forum: int, lore: Lore) -> None:
        self._store = store
        self._job = job
        self._forum = forum
        self._lore = lore

    @property
    def _lied(self) -> bool:
        return bool(self._lore.validators.votes[LIE])

    def of(self, task: BoardState | ThreadState) -> Condition:
        """How to ask for the page of a board or thread that is due."""
        plain = Condition(Request(str(task.due)))
        if self._lore.fresh or self._lied or not self._begins(task):
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

    def judge(self, connection: Connection, condition: Condition | None, now: CaptureRow, news: int) -> None:
        """A page came whole: did its validators tell of the news on it?"""
        if condition is None or condition.before is None or self._lied or now.url != condition.before.url:
            return
        before = condition.before
        if not news:
            if condition.denied:
                self._lore.validators.add(f"{condition.kind} vain")
        elif condition.denied or _same_validators(before, now):
            if not now.digest or now.digest != before.digest:
                self._distrust(connection)
        else:
            proof = "proof" if condition.weight is Weight.PROOF else "change"
            self._lore.validators.add(f"{condition.kind} {proof}")

    def _begins(self, task: BoardState | ThreadState) -> bool:
        """Only the first page of a visit: what follows is worth reading because of what that one showed."""
        if isinstance(task, ThreadState):
            return bool(task.posts and task.walk.get("first") and not task.walk.get("misses"))
        # Sorted by creation, an answer to an old thread leaves the first page as it was.
        return task.visited is not None and task.page == 0 and not self._lore.by_creation

    def _recent(self, url: str) -> list[CaptureRow]:
        """The last answers to a URL, newest first."""
        with self._store.reading() as connection:
            return recent_captures(connection, self._job, self._asked(url), _CONTROL)

    @staticmethod
    def _asked(url: str) -> str:
        """A URL as captures name it."""
        try:
            return parse_target(url).url
        except FetchError:
            return url

    def _kind(self, task: BoardState | ThreadState) -> str:
        if isinstance(task, ThreadState):
            return "thread"
        return "entry" if task.url == self._lore.model.entry else "index"

    def _weight(self, task: BoardState | ThreadState, kind: str, before: CaptureRow, believed: int) -> Weight:
        if task.said.get(SURE):
            # Where rows themselves are wrong ("3 days ago" moves by itself) they prove nothing, and asking
            # twice costs a request each time.
            votes = self._lore.validators.votes
            wrong = votes[f"{kind} vain"] > votes[f"{kind} proof"] + _FORGIVEN
            return Weight.NONE if wrong else Weight.PROOF
        if isinstance(task, ThreadState):
            # Only the page that was its last can tell that nothing follows.
            end = task.last_page if self._lore.ascending else task.url
            if before.url != end:
                return Weight.NONE
        trusted = believed < _CONTROL - 1 and self._trusts(kind)
        return Weight.BELIEVED if trusted else Weight.NONE

    def _trusts(self, kind: str) -> bool:
        votes = self._lore.validators.votes
        proofs = votes["thread proof"] + votes["index proof"]
        own = votes[f"{kind} proof"] + votes[f"{kind} change"]
        return proofs >= _ENOUGH_PROOFS and own >= _ENOUGH_OWN

    def _distrust(self, connection: Connection) -> None:
        """Never again; and every page that was believed to be as before is read."""
        self._lore.validators.add(LIE)
        believed = set(unmodified_urls(connection, self._job))
        for number, url in board_urls(connection, self._forum):
            if self._asked(url) in believed:
                make_due(connection, number)
        for number, url in idle_threads_at(connection, self._forum, believed):
            walk = Walk(url, None, overlap=True, why="it may have been wrongly said to be as before")
            change_thread(connection, number, due=url, walk=walk.as_dict())


def _same_validators(before: CaptureRow, now: CaptureRow) -> bool:
    """Would the server have said "not modified"? An entity tag goes before a date (RFC 9110, 13.2.2)."""
    if before.etag or now.etag:
        return before.etag == now.etag
    return before.last_modified is not None and before.last_modified == now.last_modified
