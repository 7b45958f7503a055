"""Recovers pages after a crash: what is in the archive but not in the database is recorded now."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from threadmill.archive import read_exchanges_after, recover
from threadmill.archive.warc_writer import OPEN_SUFFIX
from threadmill.crawl.fetch.decoding import decode_exchange
from threadmill.crawl.fetch.retry import BUSY_STATUSES, RETRIED_STATUSES
from threadmill.crawl.frontier.frontier import Frontier
from threadmill.crawl.site.page_visit import URLVisit, VisitJudge
from threadmill.crawl.site.recorder import CrawlRecorder
from threadmill.errors import BusyError
from threadmill.store import Store
from threadmill.store.crawl.captures import forget_unread, known_end, note_unread, unread_files
from threadmill.types import Capture, Exchange, Location
from threadmill.urls import resolve

ArchivedExchange = tuple[Location, Exchange]


class CrashRecovery:
    """Records what a killed crawl left in an archive directory."""

    def __init__(
        self, store: Store, frontier: Frontier, recorder: CrawlRecorder, judge: VisitJudge, max_body: int
    ) -> None:
        self._store = store
        self._frontier = frontier
        self._recorder = recorder
        self._judge = judge
        self._max_body = max_body

    def run(self, directory: Path) -> list[URLVisit]:
        """Repair the archive and record what the database lacks. A crash during this does no harm either."""
        # This is stored first, because `recover` removes the markers of such files.
        names = [marker.name.removesuffix(OPEN_SUFFIX) for marker in directory.glob(f"*{OPEN_SUFFIX}")]
        job = self._frontier.job
        with self._store.writing() as connection:
            note_unread(connection, names)
            known = {file: known_end(connection, job, file) for file in unread_files(connection, job)}
        if not known:
            return []
        recover(directory, known)
        visits = [visit for file, end in known.items() for visit in self._record(directory, file, end)]
        with self._store.writing() as connection:
            forget_unread(connection, job)
        return visits

    def _record(self, directory: Path, file: str, start: int) -> Iterator[URLVisit]:
        if not (directory / file).exists():
            return
        for chain in group_by_visit(read_exchanges_after(directory, file, start)):
            visit = self._visit(tuple(exchange for _, exchange in chain))
            if visit is not None:
                self._recorder.record_archived(visit, [location for location, _ in chain])
                # One by one: a link of this page may be the next page that was fetched.
                self._recorder.commit(time.time(), refill=False)
                yield visit

    def _visit(self, exchanges: tuple[Exchange, ...]) -> URLVisit | None:
        url = resolve(exchanges[0].url)
        if url is None:
            return None
        with self._store.reading() as connection:
            lease = self._frontier.find(connection, [url]).get(url)
        if lease is None:  # robots.txt, a page of another job, or a page that is already recorded
            return None
        last = exchanges[-1]
        if last.status in BUSY_STATUSES:
            return self._judge.judge_error(lease, BusyError("the server was busy", exchanges), time.time())
        payload, flaw = decode_exchange(last, self._max_body)
        capture = Capture(last.url, last.at, last.status, last.headers, payload, "archive")
        return self._judge.judge_response(lease, capture, exchanges, (flaw,) if flaw else ())


def group_by_visit(archived: Iterable[ArchivedExchange]) -> Iterator[list[ArchivedExchange]]:
    """Group exchanges that belong to one visit: retries, and redirects that were followed."""
    chain: list[ArchivedExchange] = []
    for location, exchange in archived:
        if chain and not _belongs_together(chain[-1][1], exchange):
            yield chain
            chain = []
        chain.append((location, exchange))
    if chain:
        yield chain


def _belongs_together(one: Exchange, other: Exchange) -> bool:
    if one.url == other.url:
        return one.status in RETRIED_STATUSES or bool(one.truncated) or 300 <= one.status < 400
    location = next((value for name, value in one.headers if name.lower() == "location"), "")
    return 300 <= one.status < 400 and resolve(location, one.url) == resolve(other.url)
