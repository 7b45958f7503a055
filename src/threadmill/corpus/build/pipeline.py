"""Builds a corpus: many inputs into one file, on all cores, in input order. An interrupted run continues."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from multiprocessing import parent_process
from multiprocessing.connection import wait
from pathlib import Path
from typing import IO

from threadmill.archive.read_tally import ReadTally
from threadmill.archive.warc_reader import STDIN
from threadmill.corpus.build.corpus_inputs import expand_inputs, read_sources, size_of
from threadmill.corpus.build.page_to_corpus import BatchResult, CorpusOptions, PageConverter
from threadmill.corpus.build.stored_threads import CorpusThread
from threadmill.corpus.near_duplicates.dedup import DedupCounts, Deduplicator, DedupRules
from threadmill.corpus.vertical import Inventory
from threadmill.corpus.vertical.corpus_managers import CorpusDescription, cwb_commands, manatee_registry
from threadmill.errors import ArchiveError, StoreError, UsageError, WorkspaceError
from threadmill.types import Capture

# Pages and bytes of a group: many enough that passing it to a process is cheap, few enough for the memory.
_BATCH_PAGES = 16
_BATCH_OCTETS = 4_000_000
# Groups in advance for each process. Results are written in order, so one slow page must not stop the others.
_BATCHES_AHEAD = 4
# Saving takes longer as the corpus grows. The work between two savings takes so many times as long as saving.
_SAVING_SHARE = 20.0


@dataclass(slots=True)
class BuildProgress:
    """The progress of a run, passed to the caller after every group."""

    file: str = ""
    files_done: int = 0
    files: int = 0
    pages: int = 0
    octets: int = 0
    total: int = 0  # bytes of all input files; 0 if unknown
    position: int = 0  # bytes of them that are done
    resumed_at: int = 0  # bytes that an earlier run had done
    inventory: Inventory = field(default_factory=Inventory)
    reasons: Counter[str] = field(default_factory=Counter)  # why records, pages and files were left out
    duplicates: DedupCounts | None = None  # None without deduplication

    def seconds_left(self, seconds: float) -> float | None:
        """Seconds for the rest at the speed of the first `seconds`. None if unknown."""
        done, rest = self.position - self.resumed_at, self.total - self.position
        return seconds * rest / done if self.total and done > 0 else None

    @property
    def failed_pages(self) -> int:
        """Pages that could not be converted."""
        return sum(count for reason, count in self.reasons.items() if reason.startswith("failed with "))

    @property
    def unreadable_files(self) -> int:
        """Input files that could not be read."""
        return sum(count for reason, count in self.reasons.items() if reason.startswith("unreadable file"))

    def add(self, batch: BatchResult) -> None:
        """Add the counts of a batch."""
        self.pages += batch.pages
        self.octets += batch.octets
        self.inventory.merge(batch.inventory)
        self.reasons.update(batch.reasons)


@dataclass(frozen=True, slots=True)
class CorpusJob:
    """The inputs, the output file and the options of a corpus."""

    inputs: tuple[Path, ...]
    output: Path  # "-": standard output
    options: CorpusOptions = field(default_factory=CorpusOptions)
    wiki: bool = False
    processes: int = 1
    dedup: DedupRules | None = None

    def fingerprint(self) -> str:
        """A hash of everything that the output depends on, except the inputs."""
        dedup = asdict(self.dedup) if self.dedup else None
        parts = json.dumps([asdict(self.options), self.wiki, dedup], sort_keys=True, default=str)
        return hashlib.sha256(parts.encode()).hexdigest()[:16]


def run_job(job: CorpusJob, report: Callable[[BuildProgress], None] = lambda _: None) -> BuildProgress:
    """Build the corpus. Inputs that an interrupted run of the same job finished are not read again.

    `report` is called with the progress after every group of pages.
    """
    skipped: Counter[str] = Counter()
    files = expand_inputs(list(job.inputs), wiki=job.wiki, skipped=skipped)
    if not files:
        raise UsageError("found no WARC or HTML file in the given inputs; nothing to do")
    _refuse_to_overwrite(job, files)
    PageConverter(job.options)  # a hook that cannot be loaded fails here, not in every process
    with ExitStack() as stack:
        sink = _CorpusFile(job, stack)
        workers = stack.enter_context(_start_processes(job.processes)) if job.processes > 1 else None
        if not sink.progress.files_done:
            sink.progress.reasons.update(skipped)
        sink.progress.files = len(files)
        sink.progress.total = sum(map(size_of, files))
        sink.progress.resumed_at = sum(map(size_of, files[: sink.progress.files_done]))
        for group, batch in _convert_groups(job, files[sink.progress.files_done :], workers):
            sink.write(group, batch)
            report(sink.progress)
        sink.finish()
    return sink.progress


def _refuse_to_overwrite(job: CorpusJob, files: Sequence[Path]) -> None:
    """Raise an error if the output is one of the inputs, or lies in a directory whose files are all read."""
    output = job.output
    if str(output) == STDIN:
        return
    if output.exists() and any(file.exists() and output.samefile(file) for file in files):
        raise UsageError(f"{output} is one of the inputs and would be overwritten; give another output")
    place = output.resolve()
    if job.wiki and any(path.is_dir() and place.is_relative_to(path.resolve()) for path in job.inputs):
        raise UsageError(f"{output} lies in a directory whose files are all inputs; choose another place")


def _start_processes(number: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(number, initializer=_end_with_parent)


def _end_with_parent() -> None:
    """End this process when its parent is killed, so that it does not wait for work for ever."""

    def watch() -> None:
        parent = parent_process()
        if parent is not None:
            wait([parent.sentinel])
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@dataclass(slots=True)
class _PageGroup:
    """Pages that are converted together. They may come from several files."""

    file: Path
    pages: list[Capture | CorpusThread] = field(default_factory=list)
    octets: int = 0
    position: int = 0  # in the last file
    finished: list[Path] = field(default_factory=list)  # files that end in this group
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


def _groups(job: CorpusJob, files: Sequence[Path]) -> Iterator[_PageGroup]:
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
        for page in _pages(file, tally, job):
            empty = False
            group.add(page)
            if group.is_full():
                if whole:
                    yield group.split(whole)
                else:
                    yield group
                    group = _PageGroup(file)
                whole = 0
        if empty and not tally.skipped:
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


def _pages(file: Path, tally: ReadTally, job: CorpusJob) -> Iterator[Capture | CorpusThread]:
    """The pages of a file. A file that cannot be opened is counted like a broken record."""
    try:
        yield from read_sources(file, tally, wiki=job.wiki)
    except (ArchiveError, StoreError, WorkspaceError, OSError) as error:
        tally.skipped[f"unreadable file ({type(error).__name__})"] += 1


def _convert_groups(
    job: CorpusJob, files: Sequence[Path], workers: Executor | None
) -> Iterator[tuple[_PageGroup, BatchResult]]:
    """Convert the groups, and yield the results in their order."""
    if workers is None:
        for group in _groups(job, files):
            yield group, _convert(job.options, group.pages)
        return
    waiting: deque[tuple[_PageGroup, Future[BatchResult]]] = deque()
    for group in _groups(job, files):
        waiting.append((group, workers.submit(_convert, job.options, group.pages)))
        group.pages = []
        if len(waiting) >= _BATCHES_AHEAD * job.processes:
            yield _next_finished(waiting)
    while waiting:
        yield _next_finished(waiting)


def _next_finished(waiting: deque[tuple[_PageGroup, Future[BatchResult]]]) -> tuple[_PageGroup, BatchResult]:
    group, future = waiting.popleft()
    return group, future.result()


_converters: dict[CorpusOptions, PageConverter] = {}


def _convert(options: CorpusOptions, group: Sequence[Capture | CorpusThread]) -> BatchResult:
    """Convert a group. The converter stays in its process, because it keeps its sentence splitters."""
    converter = _converters.get(options)
    if converter is None:
        converter = _converters[options] = PageConverter(options)
    return converter.batch(group)


class _CorpusFile:
    """The output file, and beside it a marker file that says how much of it is complete."""

    def __init__(self, job: CorpusJob, stack: ExitStack) -> None:
        self.progress = BuildProgress()
        self._job = job
        self._dedup = Deduplicator(job.dedup) if job.dedup else None
        self._done: list[str] = []
        self._octets_done = 0
        self._save_at = 0.0
        self._to_stdout = str(job.output) == STDIN
        self._marker = job.output.with_name(f"{job.output.name}.progress")
        self._state = job.output.with_name(f"{job.output.name}.dedup")
        if self._to_stdout:
            self._file: IO[bytes] = sys.stdout.buffer
            return
        position = self._resume()
        job.output.parent.mkdir(parents=True, exist_ok=True)
        self._file = stack.enter_context(job.output.open("r+b" if position else "wb"))
        self._file.truncate(position)
        self._file.seek(position)

    def write(self, group: _PageGroup, batch: BatchResult) -> None:
        """Append the documents of a group. Files that end in it are never read again."""
        progress = self.progress
        progress.add(batch)
        texts: Iterable[str] = batch.texts
        if self._dedup is not None:
            texts = (self._dedup.vertical(text) for text in batch.texts)
            progress.duplicates = self._dedup.counts
        for text in texts:
            self._file.write(text.encode("utf-8", "replace"))
        progress.reasons.update(group.skipped)
        progress.files_done += len(group.finished)
        self._done += map(str, group.finished)
        self._octets_done += sum(map(size_of, group.finished))
        progress.file = str(group.file)
        # Offsets in a compressed extract count unpacked bytes, so they may be larger than the file.
        at_file = 0 if group.file in group.finished else min(group.position, size_of(group.file))
        progress.position = self._octets_done + at_file
        if group.finished and not self._to_stdout and time.monotonic() >= self._save_at:
            self._save()

    def _save(self) -> None:
        started = time.monotonic()
        self._file.flush()
        if self._dedup is not None:
            self._dedup.save(self._state, self._done)
        self._save_marker()
        now = time.monotonic()
        self._save_at = now + _SAVING_SHARE * (now - started)

    def _save_marker(self) -> None:
        progress = self.progress
        marker = {
            "job": self._job.fingerprint(),
            "done": self._done,
            "position": self._file.tell(),
            "pages": progress.pages,
            "octets": progress.octets,
            "reasons": progress.reasons,
            "inventory": asdict(progress.inventory),
        }
        fresh = self._marker.with_name(f"{self._marker.name}.new")
        fresh.write_text(json.dumps(marker), encoding="utf-8")
        fresh.replace(self._marker)

    def _resume(self) -> int:
        """Continue an interrupted run of this job: the number of bytes of its output that are complete."""
        if not self._marker.exists() or not self._job.output.exists():
            return 0
        marker = json.loads(self._marker.read_text(encoding="utf-8"))
        files = [str(file) for file in expand_inputs(list(self._job.inputs), wiki=self._job.wiki)]
        done = marker["done"]
        if marker["job"] != self._job.fingerprint() or files[: len(done)] != done:
            return 0
        if self._dedup is not None and self._dedup.load(self._state) != done:
            self._dedup = Deduplicator(self._dedup.rules)
            return 0
        self._done = done
        self._octets_done = sum(size_of(Path(file)) for file in done)
        self.progress = BuildProgress(
            files_done=len(done),
            pages=marker["pages"],
            octets=marker["octets"],
            inventory=Inventory(**marker["inventory"]),
            reasons=Counter(marker["reasons"]),
        )
        position: int = marker["position"]
        return position

    def finish(self) -> None:
        """Write the files for corpus managers, and delete what only a continued run needs."""
        if self._to_stdout:
            self._file.flush()
            return
        self._marker.unlink(missing_ok=True)
        if self._dedup is not None:
            for leftover in self._state.iterdir():
                leftover.unlink()
            self._state.rmdir()
        if self._job.options.format == "vertical":
            self._write_registry()

    def _write_registry(self) -> None:
        options = self._job.options
        corpus = CorpusDescription(self._job.output, self.progress.inventory, options.columns)
        if options.dialect == "cwb":
            corpus.beside("cwb.sh").write_text(cwb_commands(corpus), encoding="utf-8")
        elif options.dialect == "sketch":
            corpus.beside("registry").write_text(manatee_registry(corpus), encoding="utf-8")
