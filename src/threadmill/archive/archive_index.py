"""An index of an archive: its runs, and what each of them asked for. Bodies stay on the disk."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

from threadmill.archive.header_values import read_whole_number
from threadmill.archive.read_tally import ReadTally
from threadmill.archive.recovery import is_rendered_page, read_exchanges_after
from threadmill.archive.run_records import RUN_TYPE, RunRecord
from threadmill.archive.warc_reader import date_of, exchange_of, read_records, warc_files
from threadmill.archive.warc_records import WarcRecord
from threadmill.archive.warc_writer import SEQUENCE_FIELD
from threadmill.types import Exchange, Location

_MAX_BYTES = 1 << 24  # a record of a run names some thousand boards at most


@dataclass(frozen=True, slots=True)
class IndexedExchange:
    """An archived exchange without its body, and where it is."""

    location: Location  # of the page that a browser made, if there is one
    exchange: Exchange
    revisit: bool
    answer: Location | None = None  # of the answer, if a browser made another page of it


@dataclass(slots=True)
class ArchivedRun:
    """A run as the archive shows it."""

    start: RunRecord
    end: RunRecord | None = None  # None: it was killed
    exchanges: list[IndexedExchange] = field(default_factory=list)


class ArchiveIndex:
    """The runs of an archive in their order. Bodies stay on the disk until they are asked for."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._originals: dict[str, Location] = {}
        self.tally = ReadTally()
        self.runs: list[ArchivedRun] = []
        self._open: dict[str, ArchivedRun] = {}
        self._latest: ArchivedRun | None = None  # the run of the last answer
        for file in files_in_order(directory):
            self._read_file(file)
        # Robots.txt and the like before a run may make a run of nothing.
        self.runs = [run for run in self.runs if run.exchanges or run.end]

    def load(self, found: IndexedExchange) -> Exchange:
        """The exchange with its body. One that was identical to an earlier one gets the body of that."""
        location = found.location
        if found.answer is not None:
            return self._read(found.answer)
        if found.revisit and found.exchange.status != 304:
            original = self._originals.get(location.digest)
            if original is None:
                return found.exchange
            return replace(found.exchange, body=self._read(original).body)
        return self._read(location)

    def load_original(self, found: IndexedExchange) -> Exchange | None:
        """The exchange that "not modified" speaks of, at the time of that answer."""
        original = self._originals.get(found.location.digest)
        return replace(self._read(original), at=found.exchange.at) if original is not None else None

    def _read(self, location: Location) -> Exchange:
        _, exchange = next(read_exchanges_after(self._directory, location.file, location.offset))
        return exchange

    def _read_file(self, file: Path) -> None:
        name = str(file.relative_to(self._directory))
        implicit: dict[str, ArchivedRun] = {}  # host → run, in archives without records of runs
        for record in read_records(file, self.tally):
            kind = record.kind
            if kind == "metadata" and record.header(b"Content-Type") == RUN_TYPE:
                self._border(RunRecord.from_json(record.block[:_MAX_BYTES]))
            elif kind in {"response", "revisit"}:
                self._add(record, name, implicit)
            elif is_rendered_page(record):
                self._add_rendered_page(record)

    def _border(self, record: RunRecord | None) -> None:
        if record is None:
            return
        if not record.ended:
            run = self._open[record.run] = ArchivedRun(record)
            self.runs.append(run)
        elif record.run in self._open:
            self._open.pop(record.run).end = record

    def _add(self, record: WarcRecord, file: str, implicit: dict[str, ArchivedRun]) -> None:
        exchange = exchange_of(record, b"")
        if exchange is None:
            return
        location = Location(file, record.place.offset, record.length, record.header(b"WARC-Payload-Digest"))
        revisit = record.kind == "revisit"
        if not revisit and location.digest:
            self._originals.setdefault(location.digest, location)
        self._latest = None
        if urlsplit(exchange.url).path == "/robots.txt":
            return
        run = self._run_of(exchange, implicit)
        light = replace(exchange, body=b"", request_head=b"")
        run.exchanges.append(IndexedExchange(location, light, revisit))
        self._latest = run

    def _add_rendered_page(self, record: WarcRecord) -> None:
        """A page that a browser made belongs to the answer before it."""
        if self._latest is None or not self._latest.exchanges:
            return
        exchanges = self._latest.exchanges
        answer = exchanges[-1].location
        page = replace(answer, offset=record.place.offset, length=record.length)
        exchanges[-1] = replace(exchanges[-1], location=page, answer=answer)

    def _run_of(self, exchange: Exchange, implicit: dict[str, ArchivedRun]) -> ArchivedRun:
        """The run that an exchange belongs to. Of runs at the same time each has its own host."""
        host = urlsplit(exchange.url).netloc
        latest = list(self._open.values())[::-1]
        for run in latest:
            if urlsplit(run.start.url).netloc == host:
                return run
        if latest:  # a redirect to another host
            return latest[0]
        if host not in implicit:
            at = exchange.at.isoformat()
            run = implicit[host] = ArchivedRun(RunRecord(f"{host} {at}", "forum", exchange.url, "forum", at))
            self.runs.append(run)
        return implicit[host]


def files_in_order(directory: Path) -> list[Path]:
    """The files as they were begun. Dates decide only where nothing else does: a clock may be wrong."""
    files = warc_files(directory) if directory.is_dir() else []
    found = []
    for file in files:
        first = next(iter(read_records(file, ReadTally())), None)
        if first is not None:
            found.append((date_of(first), file.name, file, _read_sequence(first)))
    found.sort(key=lambda one: one[:2])
    # Files without a number are those of other programs and of earlier versions, which came before.
    rank = [number if number is not None else -1 for *_, number in found]
    return [found[at][2] for at in sorted(range(len(found)), key=rank.__getitem__)]


def _read_sequence(record: WarcRecord) -> int | None:
    """How many files an archive had when the file of this first record was begun. None: unknown."""
    if record.kind != "warcinfo":
        return None
    for line in record.block[:_MAX_BYTES].decode("utf-8", "replace").splitlines():
        name, _, value = line.partition(":")
        if name.strip().lower() == SEQUENCE_FIELD:
            return read_whole_number(value)
    return None
