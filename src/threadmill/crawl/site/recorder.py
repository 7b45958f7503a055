"""Records visits: exchanges go into the archive at once, then database rows follow in one transaction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from threadmill.crawl.frontier.frontier import Frontier
from threadmill.crawl.site.page_visit import URLVisit
from threadmill.store import Store
from threadmill.store.crawl.captures import CaptureRow, add_captures
from threadmill.store.crawl.url_queue import UrlState
from threadmill.types import Exchange, Location

_NOWHERE = Location("", 0, 0, "")
# A longer ETag or Last-Modified header is cut. It would not be sent back anyway.
_LONGEST_VALUE = 500


class ExchangeArchive(Protocol):
    """Keeps exchanges for good."""

    def write(self, exchange: Exchange) -> Location:
        """Keep an exchange. Once this returns, a crash of the process does not lose it."""

    def sync(self) -> None:
        """Keep it over a power cut, too."""


class CrawlRecorder:
    """Archives exchanges first and commits rows later. `crash_recovery` finds what was only archived."""

    def __init__(self, store: Store, frontier: Frontier, archive: ExchangeArchive | None) -> None:
        self._store = store
        self._frontier = frontier
        self._archive = archive
        self._visits: list[URLVisit] = []
        self._rows: list[CaptureRow] = []

    @property
    def pending(self) -> int:
        """Number of visits that are archived but not committed."""
        return len(self._visits)

    def record(self, visit: URLVisit) -> None:
        """Archive the exchanges of a visit, and keep it for the next commit."""
        locations = [self._archive.write(e) if self._archive else _NOWHERE for e in visit.exchanges]
        self.record_archived(visit, locations)

    def record_archived(self, visit: URLVisit, locations: Iterable[Location]) -> None:
        """Keep a visit for the next commit. Its exchanges are already in the archive."""
        self._visits.append(visit)
        lease = visit.outcome.lease
        for exchange, location in zip(visit.exchanges, locations, strict=True):
            self._rows.append(capture_row(self._frontier.job, lease.depth, exchange, location))

    def commit(self, now: float, *, refill: bool = True) -> None:
        """Write all in one transaction: captures, found URLs, outcomes of leases, and the next leases."""
        visits, self._visits = self._visits, []
        rows, self._rows = self._rows, []
        if rows and self._archive is not None:
            self._archive.sync()
        with self._store.writing() as connection:
            add_captures(connection, rows)
            redirected = [found for visit in visits for found in visit.redirected]
            if redirected:
                self._frontier.add(connection, redirected, UrlState.DONE, claimed=True)
            self._frontier.add(connection, [found for visit in visits for found in visit.links])
            too_deep = [found for visit in visits for found in visit.too_deep]
            if too_deep:
                self._frontier.add(connection, too_deep, UrlState.BEYOND)
            self._frontier.settle(connection, [visit.outcome for visit in visits])
            if refill:
                self._frontier.refill(connection, now)


def capture_row(job: int, depth: int, exchange: Exchange, location: Location) -> CaptureRow:
    """The database row of an exchange and of its place in the archive."""
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
        # The empty page before its scripts may stay the same while the posts change.
        etag=None if exchange.rendered else wanted["etag"] or None,
        last_modified=None if exchange.rendered else wanted["last-modified"] or None,
    )
