"""A whole corpus: inputs to one file, on all cores, in the order of the inputs; a second run goes on."""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO

from threadmill.archive.reader import STDIN
from threadmill.archive.tally import Tally
from threadmill.corpus.dedup import Deduplicator, Rules
from threadmill.corpus.inputs import captures, expand
from threadmill.corpus.stored import Thread
from threadmill.corpus.vertical import Inventory
from threadmill.corpus.vertical.registry import cwb_commands, manatee_registry
from threadmill.corpus.verticalise import Batch, Recipe, Verticaliser
from threadmill.errors import ArchiveError, StoreError, UsageError, WorkspaceError
from threadmill.types import Capture

# Pages a batch and bytes a batch: enough that handing it over costs little, little enough for the memory.
_BATCH_PAGES = 16
_BATCH_OCTETS = 4_000_000
_BATCHES_AHEAD = 2  # for each process


@dataclass(slots=True)
class Progress:
    """Where a run is; handed to the caller after every batch."""

    file: str = ""
    files_done: int = 0
    files: int = 0
    pages: int = 0
    octets: int = 0
    inventory: Inventory = field(default_factory=Inventory)
    reasons: Counter[str] = field(default_factory=Counter)  # of records and pages left out

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
    files = expand(list(job.inputs), wiki=job.wiki)
    if not files:
        raise UsageError("there is no WARC or HTML file under what was given; nothing to do")
    Verticaliser(job.recipe)  # a hook that cannot be loaded is told here, not by every process
    with ExitStack() as stack:
        sink = _Sink(job, stack)
        workers = stack.enter_context(ProcessPoolExecutor(job.processes)) if job.processes > 1 else None
        sink.progress.files = len(files)
        for file in files[sink.progress.files_done :]:
            sink.progress.file = str(file)
            tally = Tally()
            for batch in _batches(job, _pages(file, tally, job), workers):
                sink.write(batch)
                report(sink.progress)
            sink.progress.reasons.update(tally.skipped)
            sink.finish_file(file)
            report(sink.progress)
        sink.finish()
    return sink.progress


def _pages(file: Path, tally: Tally, job: Job) -> Iterator[Capture | Thread]:
    """The pages of a file; one that cannot be opened at all is counted like a broken record."""
    try:
        yield from captures(file, tally, wiki=job.wiki)
    except (ArchiveError, StoreError, WorkspaceError, OSError) as error:
        tally.skipped[f"unreadable file ({type(error).__name__})"] += 1


def _batches(job: Job, pages: Iterator[Capture | Thread], workers: Executor | None) -> Iterator[Batch]:
    groups = _groups(pages)
    if workers is None:
        own = Verticaliser(job.recipe)
        yield from map(own.batch, groups)
        return
    waiting: deque[Future[Batch]] = deque()
    for group in groups:
        waiting.append(workers.submit(_work, job.recipe, group))
        if len(waiting) >= _BATCHES_AHEAD * job.processes:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _groups(pages: Iterator[Capture | Thread]) -> Iterator[list[Capture | Thread]]:
    group: list[Capture | Thread] = []
    octets = 0
    for page in pages:
        group.append(page)
        octets += len(page.payload)
        if len(group) >= _BATCH_PAGES or octets >= _BATCH_OCTETS:
            yield group
            group, octets = [], 0
    if group:
        yield group


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

    def write(self, batch: Batch) -> None:
        """Append the documents of a batch."""
        self.progress.add(batch)
        texts: Iterable[str] = batch.texts
        if self._dedup is not None:
            texts = (self._dedup.vertical(text) for text in batch.texts)
        for text in texts:
            self._file.write(text.encode("utf-8", "replace"))

    def finish_file(self, file: Path) -> None:
        """An input is done: whatever happens now, it need not be read again."""
        self.progress.files_done += 1
        self._done.append(str(file))
        if self._plain:
            return
        self._file.flush()
        if self._dedup is not None:
            self._dedup.save(self._state, self._done)
        self._save_marker()

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
