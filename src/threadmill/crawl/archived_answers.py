"""Gives the answers of archived runs instead of the network, at the time when they came.

`rebuild.py` repeats crawls with it. Nothing is fetched, and nothing is written to the archive again.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from threadmill.archive import ArchiveWriter, OriginalCapture
from threadmill.archive.archive_index import ArchivedRun, ArchiveIndex, IndexedExchange
from threadmill.archive.run_records import RunRecord
from threadmill.config import Settings
from threadmill.crawl.crash_recovery import group_by_visit
from threadmill.crawl.fetch.client import Fetcher, FetchResult, Request
from threadmill.crawl.fetch.decoding import decode_exchange
from threadmill.crawl.fetch.target import parse_target
from threadmill.errors import NotArchivedError
from threadmill.store.crawl.jobs import UNFINISHED
from threadmill.types import Capture, Exchange, Location

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
