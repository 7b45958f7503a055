"""What a crawl writes down: answers into the archive at once, then rows and frontier in one transaction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from threadmill.crawl.frontier.frontier import Frontier
from threadmill.crawl.site.page_visit import Visit
from threadmill.store import Store
from threadmill.store.crawl.captures import CaptureRow, add_captures
from threadmill.store.crawl.url_queue import UrlState
from threadmill.types import Exchange, Location

_NOWHERE = Location("", 0, 0, "")
# Headers of any length come from the web; what is longer than this is none we will send back.
_LONGEST_VALUE = 500


class Archive(Protocol):
    """What keeps exchanges for good."""

    def write(self, exchange: Exchange) -> Location:
        """Keep one; when this returns, a kill of our process does not lose it."""


class Book:
    """Archived first, noted second: after a kill, what lies between the two is adopted."""

    def __init__(self, store: Store, frontier: Frontier, archive: Archive | None) -> None:
        self._store = store
        self._frontier = frontier
        self._archive = archive
        self._visits: list[Visit] = []
        self._rows: list[CaptureRow] = []

    @property
    def pending(self) -> int:
        """Visits that are archived and not yet committed."""
        return len(self._visits)

    def enter(self, visit: Visit) -> None:
        """Archive a visit's exchanges and keep it for the next commit."""
        locations = [self._archive.write(e) if self._archive else _NOWHERE for e in visit.exchanges]
        self.adopt(visit, locations)

    def adopt(self, visit: Visit, locations: Iterable[Location]) -> None:
        """Keep a visit for the next commit whose exchanges are in the archive already."""
        self._visits.append(visit)
        lease = visit.outcome.lease
        for exchange, location in zip(visit.exchanges, locations, strict=True):
            self._rows.append(capture_row(self._frontier.job, lease.depth, exchange, location))

    def commit(self, now: float, *, refill: bool = True) -> None:
        """One transaction: capture rows, found URLs, states of the leases, and the next leases."""
        visits, self._visits = self._visits, []
        rows, self._rows = self._rows, []
        with self._store.writing() as connection:
            add_captures(connection, rows)
            passed = [lead for visit in visits for lead in visit.passed]
            if passed:
                self._frontier.add(connection, passed, UrlState.DONE, claimed=True)
            self._frontier.add(connection, [lead for visit in visits for lead in visit.leads])
            beyond = [lead for visit in visits for lead in visit.beyond]
            if beyond:
                self._frontier.add(connection, beyond, UrlState.BEYOND)
            self._frontier.settle(connection, [visit.outcome for visit in visits])
            if refill:
                self._frontier.refill(connection, now)


def capture_row(job: int, depth: int, exchange: Exchange, location: Location) -> CaptureRow:
    wanted = dict.fromkeys(("content-type", "etag", "last-modified"), "")
    for name, value in exchange.headers:
        lowered = name.lower()
        if lowered in wanted and not wanted[lowered]:
            wanted[lowered] = value.replace("\0", "")[:_LONGEST_VALUE]
    return CaptureRow(
        job=job,
        url=exchange.url.replace("\0", ""),
        at=exchange.at,
        status=exchange.status,
        content_type=wanted["content-type"].partition(";")[0].strip().lower(),
        depth=depth,
        file=location.file,
        offset=location.offset,
        length=location.length,
        digest=location.digest,
        etag=wanted["etag"] or None,
        last_modified=wanted["last-modified"] or None,
    )
