"""A whole corpus: inputs to one file, on all cores, in the order of the inputs; a second run goes on."""

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

from threadmill.archive.warc_reader import STDIN
from threadmill.archive.read_tally import ReadTally
from threadmill.corpus.near_duplicates.dedup import Deduplicator, Rules
from threadmill.corpus.near_duplicates.dedup import Tally as Duplicates
from threadmill.corpus.build.corpus_inputs import captures, expand, size_of
from threadmill.corpus.build.stored_threads import Thread
from threadmill.corpus.vertical import Inventory
from threadmill.corpus.vertical.registry import cwb_commands, manatee_registry
from threadmill.corpus.build.page_to_corpus import Batch, Recipe, Verticaliser
from threadmill.errors import ArchiveError, StoreError, UsageError, WorkspaceError
from threadmill.types import Capture

# Pages a batch and bytes a batch: enough that handing it over costs little, little enough for the memory.
_BATCH_PAGES = 16
_BATCH_OCTETS = 4_000_000
# For each process: what is done is written in order, so one slow page must not leave the others without work.
_BATCHES_AHEAD = 4
# Saving takes longer the more there is; the work between two savings takes this many times as long.
_SAVING_SHARE = 20.0


@dataclass(slots=True)
class Progress:
    """Where a run is; handed to the caller after every batch."""

    file: str = ""
    files_done: int = 0
    files: int = 0
    pages: int = 0
    octets: int = 0
    total: int = 0  # bytes of all input files; 0 where nobody knows
    position: int = 0  # bytes of them that are done
    resumed_at: int = 0  # those that an earlier run had done
    inventory: Inventory = field(default_factory=Inventory)
    reasons: Counter[str] = field(default_factory=Counter)  # of records, pages and files left out
    duplicates: Duplicates | None = None  # where they were looked for

    def seconds_left(self, seconds: float) -> float | None:
        """How long the rest will take if it goes on as in these seconds; None where nobody can tell."""
        done, rest = self.position - self.resumed_at, self.total - self.position
        return seconds * rest / done if self.total and done > 0 else None

    def add(self, batch: Batch) -> None:
        """Count what a batch brought."""
        self.pages += batch.pages
        self.octets += batch.octets
        self.inventory.merge(batch.inventory)
        self.reasons.update(batch.reasons)


@dataclass(frozen=True, slots=True)
class Job:
    """What to make of what."""

    inputs: tuple[Path, ...]
    output: Path  # "-": standard output
    recipe: Recipe = field(default_factory=Recipe)
    wiki: bool = False
    processes: int = 1
    dedup: Rules | None = None

    def fingerprint(self) -> str:
        """Names everything the output depends on, the inputs apart."""
        dedup = asdict(self.dedup) if self.dedup else None
        parts = json.dumps([asdict(self.recipe), self.wiki, dedup], sort_keys=True, default=str)
        return hashlib.sha256(parts.encode()).hexdigest()[:16]


def build(job: Job, report: Callable[[Progress], None] = lambda _: None) -> Progress:
    """Make the corpus; inputs that an interrupted run of the same job has finished are not read again."""
    passed_over: Counter[str] = Counter()
    files = expand(list(job.inputs), wiki=job.wiki, passed_over=passed_over)
    if not files:
        raise UsageError("there is no WARC or HTML file under what was given; nothing to do")
    _refuse_to_overwrite(job, files)
    Verticaliser(job.recipe)  # a hook that cannot be loaded is told here, not by every process
    with ExitStack() as stack:
        sink = _Sink(job, stack)
        workers = stack.enter_context(_processes(job.processes)) if job.processes > 1 else None
        if not sink.progress.files_done:
            sink.progress.reasons.update(passed_over)
        sink.progress.files = len(files)
        sink.progress.total = sum(map(size_of, files))
        sink.progress.resumed_at = sum(map(size_of, files[: sink.progress.files_done]))
        for group, batch in _batches(job, files[sink.progress.files_done :], workers):
            sink.write(group, batch)
            report(sink.progress)
        sink.finish()
    return sink.progress


def _refuse_to_overwrite(job: Job, files: Sequence[Path]) -> None:
    """What is read is not written over; of a directory of extracts every file is read."""
    output = job.output
    if str(output) == STDIN:
        return
    if output.exists() and any(file.exists() and output.samefile(file) for file in files):
        raise UsageError(f"{output} is one of the inputs and would be overwritten; give another output")
    place = output.resolve()
    if job.wiki and any(path.is_dir() and place.is_relative_to(path.resolve()) for path in job.inputs):
        raise UsageError(f"{output} lies in a directory of which all files are read; put it elsewhere")


def _processes(number: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(number, initializer=_end_with_parent)


def _end_with_parent() -> None:
    """A run that is killed leaves no process behind that waits for work for ever."""

    def watch() -> None:
        parent = parent_process()
        if parent is not None:
            wait([parent.sentinel])
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@dataclass(slots=True)
class _Group:
    """Some pages that are worked on together, perhaps of several files."""

    file: Path
    pages: list[Capture | Thread] = field(default_factory=list)
    octets: int = 0
    position: int = 0  # in the last file
    finished: list[Path] = field(default_factory=list)  # files that end in it
    skipped: Counter[str] = field(default_factory=Counter)  # records of those files that are no pages

    def add(self, page: Capture | Thread) -> None:
        """Take one more page in."""
        self.pages.append(page)
        self.octets += len(page.payload)
        self.position = _offset(page)

    def split(self, count: int) -> _Group:
        """Give the first pages and the files that end with them away."""
        first = _Group(self.file, self.pages[:count], 0, 0, self.finished, self.skipped)
        self.pages = self.pages[count:]
        self.octets = sum(len(page.payload) for page in self.pages)
        self.finished, self.skipped = [], Counter()
        return first

    def is_full(self) -> bool:
        """Whether handing it over is worth its while."""
        return len(self.pages) >= _BATCH_PAGES or self.octets >= _BATCH_OCTETS


def _groups(job: Job, files: Sequence[Path]) -> Iterator[_Group]:
    """All pages of all files in order; small files share a group, so that they too keep all cores busy.

    A group holds whole files or a part of one: where it ends with a file, a later run can go on.
    """
    group = _Group(Path())
    for file in files:
        tally = ReadTally()
        whole = len(group.pages)  # pages of files that are whole in this group
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
                    group = _Group(file)
                whole = 0
        if empty and not tally.skipped:
            tally.skipped["input without pages"] += 1
        group.finished.append(file)
        group.skipped.update(tally.skipped)
        if group.position or group.is_full() or len(group.finished) >= _BATCH_PAGES:
            yield group
            group = _Group(file)
    if group.finished:
        yield group


def _offset(page: Capture | Thread) -> int:
    """Where in its file a record of an archive began, 0 for anything else."""
    if isinstance(page, Thread):
        return 0
    found = page.source.rpartition(":")[2].partition("+")[0]
    return int(found) if found.isdecimal() else 0


def _pages(file: Path, tally: ReadTally, job: Job) -> Iterator[Capture | Thread]:
    """The pages of a file; one that cannot be opened at all is counted like a broken record."""
    try:
        yield from captures(file, tally, wiki=job.wiki)
    except (ArchiveError, StoreError, WorkspaceError, OSError) as error:
        tally.skipped[f"unreadable file ({type(error).__name__})"] += 1


def _batches(job: Job, files: Sequence[Path], workers: Executor | None) -> Iterator[tuple[_Group, Batch]]:
    """What became of the groups, in their order."""
    if workers is None:
        for group in _groups(job, files):
            yield group, _work(job.recipe, group.pages)
        return
    waiting: deque[tuple[_Group, Future[Batch]]] = deque()
    for group in _groups(job, files):
        waiting.append((group, workers.submit(_work, job.recipe, group.pages)))
        group.pages = []
        if len(waiting) >= _BATCHES_AHEAD * job.processes:
            yield _finished(waiting)
    while waiting:
        yield _finished(waiting)


def _finished(waiting: deque[tuple[_Group, Future[Batch]]]) -> tuple[_Group, Batch]:
    group, future = waiting.popleft()
    return group, future.result()


_verticalisers: dict[Recipe, Verticaliser] = {}


def _work(recipe: Recipe, group: Sequence[Capture | Thread]) -> Batch:
    """What a process does; it keeps its splitters from batch to batch."""
    verticaliser = _verticalisers.get(recipe)
    if verticaliser is None:
        verticaliser = _verticalisers[recipe] = Verticaliser(recipe)
    return verticaliser.batch(group)


class _Sink:
    """The output file and beside it the marker that says up to where it is good."""

    def __init__(self, job: Job, stack: ExitStack) -> None:
        self.progress = Progress()
        self._job = job
        self._dedup = Deduplicator(job.dedup) if job.dedup else None
        self._done: list[str] = []
        self._octets_done = 0
        self._save_at = 0.0
        self._plain = str(job.output) == STDIN
        self._marker = job.output.with_name(f"{job.output.name}.progress")
        self._state = job.output.with_name(f"{job.output.name}.dedup")
        if self._plain:
            self._file: IO[bytes] = sys.stdout.buffer
            return
        position = self._resume()
        job.output.parent.mkdir(parents=True, exist_ok=True)
        self._file = stack.enter_context(job.output.open("r+b" if position else "wb"))
        self._file.truncate(position)
        self._file.seek(position)

    def write(self, group: _Group, batch: Batch) -> None:
        """Append the documents of a batch; files that end in it need not be read again, whatever happens."""
        progress = self.progress
        progress.add(batch)
        texts: Iterable[str] = batch.texts
        if self._dedup is not None:
            texts = (self._dedup.vertical(text) for text in batch.texts)
            progress.duplicates = self._dedup.tally
        for text in texts:
            self._file.write(text.encode("utf-8", "replace"))
        progress.reasons.update(group.skipped)
        progress.files_done += len(group.finished)
        self._done += map(str, group.finished)
        self._octets_done += sum(map(size_of, group.finished))
        progress.file = str(group.file)
        # Places in a packed extract are counted in what it holds, which is more than the file.
        at_file = 0 if group.file in group.finished else min(group.position, size_of(group.file))
        progress.position = self._octets_done + at_file
        if group.finished and not self._plain and time.monotonic() >= self._save_at:
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
        """Up to where the file of an interrupted run of this job is good."""
        if not self._marker.exists() or not self._job.output.exists():
            return 0
        marker = json.loads(self._marker.read_text(encoding="utf-8"))
        files = [str(file) for file in expand(list(self._job.inputs), wiki=self._job.wiki)]
        done = marker["done"]
        if marker["job"] != self._job.fingerprint() or files[: len(done)] != done:
            return 0
        if self._dedup is not None and self._dedup.load(self._state) != done:
            self._dedup = Deduplicator(self._dedup.rules)
            return 0
        self._done = done
        self._octets_done = sum(size_of(Path(file)) for file in done)
        self.progress = Progress(
            files_done=len(done),
            pages=marker["pages"],
            octets=marker["octets"],
            inventory=Inventory(**marker["inventory"]),
            reasons=Counter(marker["reasons"]),
        )
        position: int = marker["position"]
        return position

    def finish(self) -> None:
        """All is done: leave what corpus managers want, take away what only a second run would need."""
        if self._plain:
            self._file.flush()
            return
        self._marker.unlink(missing_ok=True)
        if self._dedup is not None:
            for leftover in self._state.iterdir():
                leftover.unlink()
            self._state.rmdir()
        if self._job.recipe.format == "vertical":
            self._describe()

    def _describe(self) -> None:
        output, recipe, inventory = self._job.output, self._job.recipe, self.progress.inventory
        name = output.name.partition(".")[0]
        place = output.resolve()
        if recipe.dialect == "cwb":
            text = cwb_commands(name, place, inventory, recipe.columns)
            output.with_name(f"{output.name}.cwb.sh").write_text(text, encoding="utf-8")
        elif recipe.dialect == "sketch":
            text = manatee_registry(name, place, inventory, recipe.columns)
            output.with_name(f"{output.name}.registry").write_text(text, encoding="utf-8")
