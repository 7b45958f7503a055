"""A corpus file in the making: its job, its progress, and the marker from which a second run continues."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from threadmill.archive.remote_files import AnyFile, RemoteFile, file_version, is_stream, new_file
from threadmill.archive.warc_reader import STDIN
from threadmill.corpus.build.corpus_options import BatchResult, CorpusOptions
from threadmill.corpus.near_duplicates.dedup import DedupCounts, Deduplicator, DedupRules
from threadmill.corpus.vertical import Inventory
from threadmill.corpus.vertical.corpus_managers import CorpusDescription, cwb_commands, manatee_registry
from threadmill.parallel.parts import Part, drop_folder, drop_parts, parts_folder
from threadmill.parallel.workers import LOCAL

# Saving takes longer as the corpus grows. The work between two savings takes so many times as long as saving.
_SAVING_SHARE = 20.0
_UNREADABLE = "unreadable file: "
_FAILURES = ("failed with ", "the hook ")
_MOST_NAMED = 50  # unreadable files that are named; a wrong folder must not fill the memory
_MOST_REASON = 300  # characters


def unreadable_file(file: AnyFile, why: str) -> str:
    """The reason of a file that cannot be read, with its name."""
    named = why if str(file) in why else f"{file}: {why}"
    return f"{_UNREADABLE}{named}"[:_MOST_REASON]


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
        return sum(count for reason, count in self.reasons.items() if reason.startswith(_FAILURES))

    @property
    def unreadable_files(self) -> int:
        """Input files that could not be read."""
        return sum(count for reason, count in self.reasons.items() if reason.startswith(_UNREADABLE))

    def add(self, batch: BatchResult) -> None:
        """Add the counts of a batch."""
        self.pages += batch.pages
        self.octets += batch.octets
        self.inventory.merge(batch.inventory)
        for reason, count in batch.reasons.items():
            unnamed = reason.startswith(_UNREADABLE) and reason not in self.reasons and self._names_enough()
            self.reasons[f"{_UNREADABLE}and others" if unnamed else reason] += count

    def _names_enough(self) -> bool:
        return sum(reason.startswith(_UNREADABLE) for reason in self.reasons) >= _MOST_NAMED


@dataclass(frozen=True, slots=True)
class CorpusJob:
    """The inputs, the output file and the options of a corpus."""

    inputs: tuple[AnyFile, ...]
    output: AnyFile  # "-": standard output
    options: CorpusOptions = field(default_factory=CorpusOptions)
    wiki: bool = False
    processes: int = 1  # 0: one per core of the machine or cluster
    dedup: DedupRules | None = None
    on: str = LOCAL

    def fingerprint(self) -> str:
        """A hash of everything that the output depends on, except the inputs."""
        dedup = asdict(self.dedup) if self.dedup else None
        parts = json.dumps([asdict(self.options), self.wiki, dedup], sort_keys=True, default=str)
        return hashlib.sha256(parts.encode()).hexdigest()[:16]

    def needs_workers(self) -> bool:
        """Whether one process is not enough. An input on a server is retried, and only workers retry."""
        remote = any(isinstance(file, RemoteFile) for file in (*self.inputs, self.output))
        return self.processes != 1 or self.on != LOCAL or remote


class SizedFile:
    """An input file. Its size and its version are asked for once."""

    def __init__(self, file: AnyFile) -> None:
        self.file = file
        self.version = file_version(file)
        self.size = int(self.version.partition(":")[0] or 0)

    @property
    def is_readable_by_workers(self) -> bool:
        """Whether every process can read it. This process reads pipes and workspaces."""
        return isinstance(self.file, RemoteFile) or self.file.is_file()


@dataclass(slots=True)
class CorpusPiece:
    """What was made of some pages or files: the next piece of the corpus."""

    counts: list[BatchResult]
    texts: Iterable[bytes]  # documents, if there is deduplication
    finished: Sequence[AnyFile]
    file: AnyFile
    position: int = 0
    parts: Sequence[Part] = ()  # where the texts are until they are in the corpus


class CorpusFile:
    """The output file, and beside it a marker file that says how much of it is complete.

    An object store takes a file as a whole. There, nothing but the parts is kept for a second run.
    """

    def __init__(self, job: CorpusJob, files: Sequence[SizedFile], stack: ExitStack) -> None:
        self.progress = BuildProgress()
        self._job = job
        self._dedup = Deduplicator(job.dedup) if job.dedup else None
        self._files = {str(file.file): file for file in files}
        self._done: list[tuple[str, str]] = []  # names and versions of inputs
        self._octets_done = 0
        self._save_at = 0.0
        self._joined: list[Part] = []  # in the output, but not yet in the marker
        self._streams = str(job.output) == STDIN or is_stream(job.output)
        self._output = job.output if isinstance(job.output, Path) and not self._streams else None
        self._marker = Path(f"{job.output}.progress")
        self._state = Path(f"{job.output}.dedup")
        self._closing = stack.enter_context(ExitStack())
        if self._streams:
            self.folder: AnyFile = Path(stack.enter_context(TemporaryDirectory()))
            self._file: IO[bytes] = sys.stdout.buffer
            if str(job.output) != STDIN:
                self._file = self._closing.enter_context(job.output.open("wb"))
            return
        self.folder = parts_folder(job.output)
        if self._output is None:
            self._file = self._closing.enter_context(new_file(job.output))
            return
        position = self._resume(self._output, files)
        self._output.parent.mkdir(parents=True, exist_ok=True)
        self._file = self._closing.enter_context(self._output.open("r+b" if position else "wb"))
        self._file.truncate(position)
        self._file.seek(position)

    def write(self, piece: CorpusPiece) -> None:
        """Append the documents of a piece. Files that end in it are never read again."""
        progress = self.progress
        for counts in piece.counts:
            progress.add(counts)
        texts = piece.texts
        if self._dedup is not None:
            texts = map(self._without_duplicates, texts)
            progress.duplicates = self._dedup.counts
        for text in texts:
            self._file.write(text)
        progress.files_done += len(piece.finished)
        for file in map(str, piece.finished):
            self._done.append((file, self._files[file].version))
            self._octets_done += self._files[file].size
        if self._streams:  # a second run begins anew, so they are of no use
            drop_parts(self.folder, piece.parts)
        else:
            self._joined += piece.parts
        progress.file = str(piece.file)
        # Offsets in a compressed extract count unpacked bytes, so they may be larger than the file.
        at_file = 0 if piece.file in piece.finished else min(piece.position, self._files[progress.file].size)
        progress.position = self._octets_done + at_file
        if piece.finished and self._output is not None and time.monotonic() >= self._save_at:
            self._save()

    def _without_duplicates(self, document: bytes) -> bytes:
        assert self._dedup is not None
        return self._dedup.vertical(document.decode()).encode("utf-8", "replace")

    def _save(self) -> None:
        started = time.monotonic()
        self._file.flush()
        if self._dedup is not None:
            self._dedup.save(self._state, [name for name, _ in self._done])
        self._save_marker()
        drop_parts(self.folder, self._joined)
        self._joined = []
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

    def _resume(self, output: Path, files: Sequence[SizedFile]) -> int:
        """Continue an interrupted run of this job: the number of bytes of its output that are complete."""
        if not self._marker.exists() or not output.exists():
            return 0
        marker = json.loads(self._marker.read_text(encoding="utf-8"))
        done = [(str(name), str(version)) for name, version in marker["done"]]
        now = [(str(file.file), file.version) for file in files[: len(done)]]
        if marker["job"] != self._job.fingerprint() or now != done:
            return 0
        if self._dedup is not None and self._dedup.load(self._state) != [name for name, _ in done]:
            self._dedup = Deduplicator(self._dedup.rules)
            return 0
        self._done = done
        self._octets_done = sum(file.size for file in files[: len(done)])
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
        if self._streams:
            self._file.flush()
            return
        self._closing.close()
        self._marker.unlink(missing_ok=True)
        drop_folder(self.folder)
        if self._dedup is not None and self._output is not None:
            shutil.rmtree(self._state, ignore_errors=True)
        if self._job.options.format == "vertical":
            self._write_registry()

    def _write_registry(self) -> None:
        output, options = self._job.output, self._job.options
        # Corpus managers read local files, so a corpus on a store is fetched first.
        place = output if isinstance(output, Path) else Path(output.name)
        language = options.languages[0] if len(options.languages) == 1 else ""
        corpus = CorpusDescription(place, self.progress.inventory, options.columns, language)
        if options.dialect == "cwb":
            output.with_name(f"{output.name}.cwb.sh").write_bytes(cwb_commands(corpus).encode())
        elif options.dialect == "sketch":
            output.with_name(f"{output.name}.registry").write_bytes(manatee_registry(corpus).encode())
