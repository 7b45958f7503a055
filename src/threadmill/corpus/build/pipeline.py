"""Builds a corpus: many inputs into one file, on many cores or machines, in input order.

Where there are many input files, each worker reads whole files and writes its own part of the corpus. Of a
file that is large in comparison with the rest, the workers get groups of pages. If it is a WARC file whose
records are compressed one by one, each worker reads a range of its bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field, replace
from enum import Enum, auto
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, cast

from threadmill.archive.read_tally import ReadTally
from threadmill.archive.remote_files import AnyFile, RemoteFile
from threadmill.archive.warc_reader import (
    STDIN,
    WARC_SUFFIXES,
    RecordRange,
    find_first_record,
    find_records,
    read_rest,
)
from threadmill.corpus.build.corpus_file import (
    BuildProgress,
    CorpusFile,
    CorpusJob,
    CorpusPiece,
    SizedFile,
    unreadable_file,
)
from threadmill.corpus.build.corpus_inputs import expand_inputs, read_sources, with_base
from threadmill.corpus.build.corpus_options import BatchResult, CorpusOptions
from threadmill.corpus.build.page_to_corpus import PageConverter
from threadmill.corpus.build.stored_threads import CorpusThread
from threadmill.corpus.vertical import Inventory
from threadmill.errors import ArchiveError, NothingFoundError, StoreError, UsageError, WorkspaceError
from threadmill.parallel.parts import (
    FileRange,
    Part,
    PartMaker,
    cut_file,
    octets_of_task,
    part_task,
    range_task,
    read_part,
    share_files,
)
from threadmill.parallel.workers import LOCAL, TaskOutcome, Workers, WorkTask, open_workers
from threadmill.types import Capture

__all__ = ["BuildProgress", "run_job"]

# Pages and bytes of a group: many enough that passing it to a process is cheap, few enough for the memory.
_BATCH_PAGES = 16
_BATCH_OCTETS = 2_000_000
_BATCH_RECORDS = 2 * _BATCH_PAGES  # most archives have a request for each page
# Pages and their texts wait in memory, those of a whole file on disk.
_GROUP_WEIGHT = 4
# A file is handed over whole if each worker still has so many files of its size to do. At the end of a run
# the workers share the pages of the last files, so that none of them waits for another.
_FILES_PER_WORKER = 2


def run_job(job: CorpusJob, report: Callable[[BuildProgress], None] = lambda _: None) -> BuildProgress:
    """Build the corpus. Inputs that an interrupted run of the same job finished are not read again.

    `report` is called with the progress after every group of pages.
    """
    for path in job.inputs:
        if path.name.lower().removesuffix(".gz").removesuffix(".xz").endswith((".vert", ".vrt")):
            raise UsageError(
                f"{path} is a corpus already; threadmill vert convert changes its dialect, threadmill dedup "
                "removes near-duplicates, threadmill query index and threadmill index make it searchable"
            )
    skipped: Counter[str] = Counter()
    files = [SizedFile(file) for file in expand_inputs(job.inputs, wiki=job.wiki, skipped=skipped)]
    if not files:
        raise NothingFoundError("found no WARC or HTML file in the given inputs; nothing to do")
    _refuse_to_overwrite(job, files)
    PageConverter(job.options)  # a hook that cannot be loaded fails here, not in every process
    with ExitStack() as stack:
        # Before the output: if there are no workers, it stays as it was.
        workers = stack.enter_context(open_workers(job.on, job.processes)) if job.needs_workers() else None
        sink = CorpusFile(job, files, stack)
        if not sink.progress.files_done:
            sink.progress.reasons.update(skipped)
        sink.progress.files = len(files)
        sink.progress.total = sum(file.size for file in files)
        sink.progress.resumed_at = sum(file.size for file in files[: sink.progress.files_done])
        for piece in _convert_all(job, files[sink.progress.files_done :], workers, sink.folder):
            sink.write(piece)
            report(sink.progress)
        sink.finish()
    return sink.progress


def _refuse_to_overwrite(job: CorpusJob, files: Sequence[SizedFile]) -> None:
    """Raise an error if the output is one of the inputs, or lies in a directory whose files are all read."""
    output = job.output
    if str(output) == STDIN:
        return
    if any(_is_same(output, file.file) for file in files):
        raise UsageError(f"{output} is one of the inputs and would be overwritten; give another output")
    if job.wiki and any(_is_under(output, path) for path in job.inputs):
        raise UsageError(f"{output} lies in a directory whose files are all inputs; choose another place")


def _is_same(one: AnyFile, other: AnyFile) -> bool:
    if isinstance(one, Path) and isinstance(other, Path):
        return one.exists() and other.exists() and one.samefile(other)
    return str(one) == str(other)


def _is_under(output: AnyFile, folder: AnyFile) -> bool:
    if isinstance(output, Path) and isinstance(folder, Path):
        return folder.is_dir() and output.resolve().is_relative_to(folder.resolve())
    return str(output).startswith(str(folder).rstrip("/") + "/")


@dataclass(slots=True)
class _PageGroup:
    """Pages that are converted together. They may come from several files."""

    file: AnyFile
    pages: list[Capture | CorpusThread] = field(default_factory=list)
    octets: int = 0
    position: int = 0  # in the last file
    finished: list[AnyFile] = field(default_factory=list)  # files that end in this group
    skipped: Counter[str] = field(default_factory=Counter)  # records of these files that are no pages

    def add(self, page: Capture | CorpusThread) -> None:
        """Add a page."""
        self.pages.append(page)
        self.octets += len(page.payload)
        self.position = _offset_in_file(page)

    def split(self, count: int) -> _PageGroup:
        """Split off the first pages, with the files that end in them."""
        first = _PageGroup(self.file, self.pages[:count], 0, 0, self.finished, self.skipped)
        self.pages = self.pages[count:]
        self.octets = sum(len(page.payload) for page in self.pages)
        self.finished, self.skipped = [], Counter()
        return first

    def is_full(self) -> bool:
        """Whether the group is large enough to be converted."""
        return len(self.pages) >= _BATCH_PAGES or self.octets >= _BATCH_OCTETS


class _RangeJoiner:
    """Puts together what workers made of the ranges of one large file.

    A worker that begins in the middle of a file searches a record, and may take for one what only looks like
    one. So a range counts only if it begins where the one before it ended; else it is read again from there.
    """

    def __init__(self, job: CorpusJob, workers: Workers, maker: PartMaker) -> None:
        self._job, self._workers, self._maker = job, workers, maker
        self._next = 0  # where the next record begins
        self._is_broken = False  # whether what is there is no single record

    def pieces(self, outcome: TaskOutcome, size: int) -> Iterator[CorpusPiece]:
        """The pieces of a range. Behind the last range comes what must be read in one go."""
        part: FileRange = outcome.about
        if part.start == 0:
            self._next, self._is_broken = 0, False
        if self._next < part.stop and not self._is_broken:
            yield from self._range(outcome)
        if part.stop < size:
            return
        if self._next == size:
            yield CorpusPiece([], (), [part.file], part.file, size)
            return
        for left in self._workers.run(_page_tasks(self._job, [part.file], self._next)):
            yield _piece_of_group(left.about, left.results, left.failures)

    def _range(self, outcome: TaskOutcome) -> Iterator[CorpusPiece]:
        made: FileRange = outcome.about
        part = FileRange(made.file, self._next, made.stop)
        if outcome.failures:
            yield from self._one_by_one(part)
        elif outcome.results[0].counts["start"] != self._next:
            for again in self._workers.run([range_task(self._maker, part)]):
                yield from self._range(again)
        else:
            counts = outcome.results[0].counts
            self._next, self._is_broken = counts["end"], counts["end"] < part.stop
            yield _piece_of_parts(outcome.results, self._maker, (), part.file, position=self._next)

    def _one_by_one(self, part: FileRange) -> Iterator[CorpusPiece]:
        """The records of a range that could not be read as a whole, in small groups."""
        for outcome in self._workers.run(_record_tasks(self._job, part)):
            self._next = outcome.about.position
            yield _piece_of_group(outcome.about, outcome.results, outcome.failures)
        self._is_broken = self._next < part.stop


def _record_tasks(job: CorpusJob, part: FileRange) -> Iterator[WorkTask]:
    """The tasks of the records of a range. They end before the first that cannot be read by itself."""
    records: list[FileRange] = []
    # Where the file cannot be read, whoever reads the rest of it tells why.
    with suppress(ArchiveError, OSError):
        for start, end in find_records(part.file, part.start, part.stop):
            records.append(FileRange(part.file, start, end))
            if len(records) >= _BATCH_RECORDS:
                yield _record_task(job, records)
                records = []
    if records:
        yield _record_task(job, records)


def _record_task(job: CorpusJob, records: list[FileRange]) -> WorkTask:
    group = _PageGroup(records[0].file, position=records[-1].stop)
    return WorkTask(_convert_records, job.options, records, group, weight=_GROUP_WEIGHT)


def _page_tasks(job: CorpusJob, files: Sequence[AnyFile], start: int = 0) -> Iterator[WorkTask]:
    """The tasks of files that this process reads, the first one from an offset on."""
    for group in _groups(job, files, start):
        pages, group.pages = group.pages, []
        yield WorkTask(_convert, job.options, pages, group, weight=_GROUP_WEIGHT)


def _groups(job: CorpusJob, files: Sequence[AnyFile], start: int = 0) -> Iterator[_PageGroup]:
    """All pages of all files in order, in groups. Small files share a group, so that all cores have work.

    A group holds whole files, or a part of one file. A later run can continue after a group that ends with a
    file.
    """
    group = _PageGroup(Path())
    for file in files:
        tally = ReadTally()
        whole = len(group.pages)  # pages of files that lie completely in this group
        group.file = file
        empty = True
        for page in _pages(file, tally, job, start):
            empty = False
            group.add(page)
            if group.is_full():
                if whole:
                    yield group.split(whole)
                else:
                    yield group
                    group = _PageGroup(file)
                whole = 0
        if empty and not tally.skipped and not start:
            tally.skipped["input without pages"] += 1
        group.finished.append(file)
        group.skipped.update(tally.skipped)
        if group.position or group.is_full() or len(group.finished) >= _BATCH_PAGES:
            yield group
            group = _PageGroup(file)
    if group.finished:
        yield group


def _offset_in_file(page: Capture | CorpusThread) -> int:
    """The offset of an archived page in its file. 0 for anything else."""
    if isinstance(page, CorpusThread):
        return 0
    found = page.source.rpartition(":")[2].partition("+")[0]
    return int(found) if found.isdecimal() else 0


def _pages(
    file: AnyFile, tally: ReadTally, job: CorpusJob, start: int = 0
) -> Iterator[Capture | CorpusThread]:
    """The pages of a file, from an offset on. A file that cannot be opened is counted like a broken record.

    A server may answer the next time, so an error of one ends the task, which is tried again.
    """
    try:
        if start:
            yield from read_rest(cast(Path, file), start, tally)
        else:
            sources = read_sources(file, tally, wiki=job.wiki, field=job.options.field)
            base = job.options.base
            yield from with_base(sources, base, file, job.inputs) if base else sources
    except (ArchiveError, StoreError, WorkspaceError, OSError) as error:
        if isinstance(file, RemoteFile):
            raise
        tally.skipped[unreadable_file(file, str(error))] += 1


def _convert_all(
    job: CorpusJob, files: Sequence[SizedFile], workers: Workers | None, folder: AnyFile
) -> Iterator[CorpusPiece]:
    """Convert the files, and yield the pieces of the corpus in their order."""
    if workers is None:
        for group in _groups(job, [file.file for file in files]):
            batch = _convert(job.options, group.pages)
            yield _piece_of_group(group, [batch], [])
        return
    maker = PartMaker(_convert_files, replace(job, inputs=()), job.fingerprint(), folder)
    joiner = _RangeJoiner(job, workers, maker)
    sizes = {file.file: file.size for file in files}
    for outcome in workers.run(_tasks(job, files, workers.number, maker)):
        if isinstance(outcome.about, _PageGroup):
            yield _piece_of_group(outcome.about, outcome.results, outcome.failures)
        elif isinstance(outcome.about, FileRange):
            yield from joiner.pieces(outcome, sizes[outcome.about.file])
        else:
            done: tuple[AnyFile, ...] = outcome.about
            yield _piece_of_parts(outcome.results, maker, done, done[-1], failures=outcome.failures)


def _tasks(job: CorpusJob, files: Sequence[SizedFile], workers: int, maker: PartMaker) -> Iterator[WorkTask]:
    """The files in order: many of them whole, some in ranges or in groups of pages."""
    total = rest = sum(file.size for file in files)
    for way, run in groupby(_ways(job, files, workers), itemgetter(0)):
        chosen = [file for _, file in run]
        if way is _Way.RANGES:
            for one in chosen:
                for part in cut_file(cast(Path, one.file), one.size, rest, workers):
                    yield range_task(maker, part)
                rest -= one.size
            continue
        rest -= sum(one.size for one in chosen)
        if way is _Way.PAGES:
            yield from _page_tasks(job, [one.file for one in chosen])
        else:
            sized = ((one.file, one.size) for one in chosen)
            for files_of_task in share_files(sized, octets_of_task(total, workers)):
                yield part_task(maker, files_of_task)


def _has_single_records(job: CorpusJob, one: SizedFile) -> bool:
    """May this be a WARC file whose records are compressed one by one, and that the workers can read?

    A machine of a cluster may not have the file, so there it gets the pages.
    """
    name = one.file.name.lower()
    is_warc = name.endswith(WARC_SUFFIXES) and name.endswith(".gz") and not job.wiki
    return is_warc and job.on == LOCAL and isinstance(one.file, Path) and one.file.is_file()


class _Way(Enum):
    """How the workers get a file."""

    WHOLE = auto()
    RANGES = auto()  # each worker reads some of its bytes
    PAGES = auto()  # this process reads it, and hands out its pages in groups


def _ways(job: CorpusJob, files: Sequence[SizedFile], workers: int) -> Iterator[tuple[_Way, SizedFile]]:
    """How the workers get each file.

    Pages that this process reads have to be sent. On a cluster this is slow, so only a file that would keep
    one machine busy while all others wait is sent.
    """
    rest = sum(file.size for file in files)
    for file in files:
        large = file.size > rest / (_FILES_PER_WORKER * workers if job.on == LOCAL else workers)
        here = not any(isinstance(place, RemoteFile) for place in (file.file, job.output))
        if file.is_readable_by_workers and not (large and here):
            yield _Way.WHOLE, file
        else:
            yield _Way.RANGES if _has_single_records(job, file) else _Way.PAGES, file
        rest -= file.size


def _piece_of_group(
    group: _PageGroup, batches: Sequence[BatchResult], failures: Sequence[tuple[Any, str]]
) -> CorpusPiece:
    reasons = group.skipped + Counter(f"failed with {_error_name(why)}" for _, why in failures)
    left_out = BatchResult(reasons=reasons, pages=len(failures))
    texts = (text.encode("utf-8", "replace") for batch in batches for text in batch.texts)
    return CorpusPiece([*batches, left_out], texts, group.finished, group.file, group.position)


def _piece_of_parts(
    parts: Sequence[Part],
    maker: PartMaker,
    finished: Sequence[AnyFile],
    file: AnyFile,
    *,
    position: int = 0,
    failures: Sequence[tuple[Any, str]] = (),
) -> CorpusPiece:
    reasons = Counter(unreadable_file(one, why) for one, why in failures)
    texts = (text for part in parts for text in _texts_of_part(maker, part))
    counts = [_counts_of_part(part.counts) for part in parts]
    return CorpusPiece([*counts, BatchResult(reasons=reasons)], texts, finished, file, position, parts)


def _error_name(why: str) -> str:
    return why.partition(":")[0]


def _texts_of_part(maker: PartMaker, part: Part) -> Iterator[bytes]:
    """The documents of a part if their lengths are known; else its bytes in any pieces."""
    lengths: list[int] | None = part.counts["lengths"]
    pieces = read_part(maker.folder, part)
    if lengths is None:
        yield from pieces
        return
    held = bytearray()
    for length in lengths:
        while len(held) < length:
            held += next(pieces)
        yield bytes(held[:length])
        del held[:length]
    for _ in pieces:  # at its end, a part is checked
        pass


def _counts_of_part(counts: dict[str, Any]) -> BatchResult:
    return BatchResult(
        reasons=Counter(counts["reasons"]),
        inventory=Inventory(**counts["inventory"]),
        pages=counts["pages"],
        octets=counts["octets"],
    )


def _convert_files(
    job: CorpusJob, inputs: Sequence[AnyFile | FileRange], write: Callable[[bytes], object]
) -> dict[str, Any]:
    """Read whole files, or a range of one, and write their documents. Returns the counts."""
    if isinstance(inputs[0], FileRange):
        return _convert_range(job, inputs[0], write)
    return _write_groups(job, _groups(job, cast(Sequence[AnyFile], inputs)), write)


def _convert_range(job: CorpusJob, part: FileRange, write: Callable[[bytes], object]) -> dict[str, Any]:
    """Write the documents of a range. The counts say where its first record begins and its last one ends."""
    start: int | None = part.start
    if not part.is_exact:
        start = find_first_record(part.file, part.start, part.stop)
    records = RecordRange(part.file, part.stop if start is None else start, part.stop, tally := ReadTally())
    counts = _write_groups(job, _groups_of_range(part.file, records, tally), write)
    return {**counts, "start": start, "end": records.end}


def _groups_of_range(file: Path, records: RecordRange, tally: ReadTally) -> Iterator[_PageGroup]:
    group = _PageGroup(file)
    for page in records:
        group.add(page)
        if group.is_full():
            yield group
            group = _PageGroup(file)
    group.skipped.update(tally.skipped)
    yield group


def _write_groups(
    job: CorpusJob, groups: Iterable[_PageGroup], write: Callable[[bytes], object]
) -> dict[str, Any]:
    total = BatchResult()
    lengths: list[int] = []
    for group in groups:
        batch = _convert(job.options, group.pages)
        total.add(batch)
        total.reasons.update(group.skipped)
        for text in batch.texts:
            data = text.encode("utf-8", "replace")
            lengths.append(len(data))
            write(data)
    return {
        "pages": total.pages,
        "octets": total.octets,
        "reasons": total.reasons,
        "inventory": asdict(total.inventory),
        "lengths": lengths if job.dedup else None,
    }


def _convert_records(options: CorpusOptions, places: Sequence[FileRange]) -> BatchResult:
    """Read some neighbouring records of a file, and convert those that are pages."""
    tally = ReadTally()
    pages = list(RecordRange(places[0].file, places[0].start, places[-1].stop, tally))
    batch = _convert(options, pages)
    batch.reasons.update(tally.skipped)
    return batch


_converters: dict[CorpusOptions, PageConverter] = {}


def _convert(options: CorpusOptions, group: Sequence[Capture | CorpusThread]) -> BatchResult:
    """Convert a group. The converter stays in its process, because it keeps its sentence splitters."""
    converter = _converters.get(options)
    if converter is None:
        converter = _converters[options] = PageConverter(options)
    return converter.batch(group)
