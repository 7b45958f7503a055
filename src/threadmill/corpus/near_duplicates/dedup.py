"""Removes or marks near-duplicates in files of vertical text or JSON lines. An interrupted run continues."""

from __future__ import annotations

import io
import json
import re
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TextIO

from threadmill.corpus.build.corpus_inputs import open_unpacked
from threadmill.corpus.near_duplicates.detector import DocumentIndex, SeenNgrams
from threadmill.errors import UsageError

_FORM = re.compile(r"^(?!</?[a-z])([^\t\n]+)", re.MULTILINE)
_PARAGRAPH = re.compile(r"^(<p(?:[ \t][^\n]*)?>\n)(.*?^</p>\n)", re.MULTILINE | re.DOTALL)
# Saving takes seconds once the tables are large. Files finished since the last saving are done again.
_SAVE_EVERY_SECONDS = 60.0
_REPORT_EVERY_SECONDS = 0.3
_MAX_LINE = 1 << 26  # characters; as long as the longest record of an archive that is read
_STATE_FOLDER = ".dedup"


@dataclass(slots=True)
class DedupCounts:
    """How many documents and paragraphs a run has seen, and how many are duplicates."""

    documents: int = 0
    duplicate_documents: int = 0
    paragraphs: int = 0
    duplicate_paragraphs: int = 0
    broken: int = 0  # lines that are no JSON object with a text; they are kept unchanged


@dataclass(slots=True)
class DedupProgress:
    """The progress of a run, passed to the caller a few times a second."""

    counts: DedupCounts
    files: int
    total: int  # bytes of the inputs that this run reads
    file: Path = Path()
    files_done: int = 0
    finished: int = 0  # bytes of the files that are done
    position: int = 0  # bytes read of the current file

    @property
    def octets(self) -> int:
        """Bytes of the inputs that are done."""
        return self.finished + self.position

    def seconds_left(self, seconds: float) -> float | None:
        """Seconds for the rest at the speed of the first `seconds`. None if unknown."""
        return seconds * (self.total - self.octets) / self.octets if self.octets else None


@dataclass(frozen=True, slots=True)
class DedupRules:
    """What counts as a duplicate, and whether it is removed or marked."""

    mark: bool = False  # mark duplicates instead of removing them
    documents: bool = True
    paragraphs: bool = True
    threshold: float = 0.7
    megabytes: int = 256
    field: str = "text"  # the field of a JSON object that has the text


@dataclass(slots=True)
class Deduplicator:
    """Finds duplicates among documents in order. The first of several versions stays."""

    rules: DedupRules
    counts: DedupCounts = field(default_factory=DedupCounts)
    _index: DocumentIndex = field(init=False)
    _seen: SeenNgrams = field(init=False)

    def __post_init__(self) -> None:
        self._index = DocumentIndex(self.rules.threshold)
        self._seen = SeenNgrams(self.rules.megabytes if self.rules.paragraphs else 1)

    def is_document_seen(self, text: str) -> bool:
        """Whether a document is a version of an earlier one."""
        self.counts.documents += 1
        seen = self.rules.documents and self._index.add(text) is not None
        self.counts.duplicate_documents += seen
        return seen

    def is_paragraph_seen(self, text: str) -> bool:
        """Whether most of a paragraph has been seen before."""
        self.counts.paragraphs += 1
        seen = self.rules.paragraphs and self._seen.seen(text)
        self.counts.duplicate_paragraphs += seen
        return seen

    def vertical(self, document: str) -> str:
        """A document in vertical text with duplicates removed or marked. Empty if it is removed itself."""
        first, end, rest = document.partition("\n")
        if self.is_document_seen(" ".join(_FORM.findall(rest))):
            return f"{first}\n<dup/>\n{rest}" if self.rules.mark else ""
        return first + end + _PARAGRAPH.sub(lambda match: _dedup_paragraph(match, self), rest)

    def save(self, directory: Path, done: Sequence[str]) -> None:
        """Write the state beside the old one, then replace the old one."""
        fresh = directory.with_name(f"{directory.name}.new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        self._index.save(fresh)
        self._seen.save(fresh)
        state = {"done": list(done), "tally": asdict(self.counts), "rules": asdict(self.rules)}
        (fresh / "state.json").write_text(json.dumps(state), encoding="utf-8")
        shutil.rmtree(directory, ignore_errors=True)
        fresh.rename(directory)

    def load(self, directory: Path) -> list[str]:
        """Continue from a saved state. Returns the names of the files that it has done."""
        if not (directory / "state.json").exists():
            return []
        state = json.loads((directory / "state.json").read_text(encoding="utf-8"))
        if state["rules"] != asdict(self.rules):
            raise UsageError(
                f"{directory.parent} was started with other options ({state['rules']}); "
                "use those, or another output directory"
            )
        self._index.load(directory)
        self._seen.load(directory)
        self.counts = DedupCounts(**state["tally"])
        done: list[str] = state["done"]
        return done


def dedup_files(
    inputs: Sequence[Path],
    output: Path,
    rules: DedupRules,
    report: Callable[[DedupProgress], None] = lambda _: None,
) -> DedupCounts:
    """Write each input under its name into the output directory, with duplicates removed or marked."""
    names = [_output_name(file) for file in inputs]
    if len(set(names)) != len(names):
        raise UsageError(
            "two inputs have the same file name; rename one, or deduplicate them into two directories"
        )
    for file in inputs:
        if not file.is_file():
            raise UsageError(f"{file} is no file; give .vert or .jsonl files, plain or compressed")
        if file.resolve().parent == output.resolve():
            raise UsageError(
                f"{file} lies in {output}, where its result would be written; give another directory"
            )
    output.mkdir(parents=True, exist_ok=True)
    job = Deduplicator(rules)
    done = job.load(output / _STATE_FOLDER)
    todo = [(file, name) for file, name in zip(inputs, names, strict=True) if name not in done]
    progress = DedupProgress(job.counts, len(inputs), sum(file.stat().st_size for file, _ in todo))
    progress.files_done = len(inputs) - len(todo)
    if not todo:
        return job.counts
    saved = time.monotonic()
    for file, name in todo:
        progress.file = file
        _dedup_file(file, output / name, job, progress, report)
        done.append(name)
        if time.monotonic() - saved > _SAVE_EVERY_SECONDS:
            job.save(output / _STATE_FOLDER, done)
            saved = time.monotonic()
    job.save(output / _STATE_FOLDER, done)
    return job.counts


def _output_name(file: Path) -> str:
    return file.name.removesuffix(".gz").removesuffix(".xz")


def _dedup_file(
    file: Path,
    target: Path,
    job: Deduplicator,
    progress: DedupProgress,
    report: Callable[[DedupProgress], None],
) -> None:
    partial = target.with_name(f"{target.name}.part")
    lines_of_json = ".jsonl" in file.suffixes or ".ndjson" in file.suffixes
    told = 0.0
    with (
        open_unpacked(file) as (stream, raw),
        partial.open("w", encoding="utf-8", errors="surrogateescape", newline="") as sink,
    ):
        source = io.TextIOWrapper(stream, encoding="utf-8", errors="surrogateescape", newline="\n")
        for text in _dedup_json_lines(source, job) if lines_of_json else _dedup_vertical(source, job):
            sink.write(text)
            if time.monotonic() - told > _REPORT_EVERY_SECONDS:
                told, progress.position = time.monotonic(), raw.tell()
                report(progress)
        progress.finished += raw.tell()
    partial.replace(target)
    progress.position = 0
    progress.files_done += 1
    report(progress)


def _dedup_vertical(lines: TextIO, job: Deduplicator) -> Iterator[str]:
    for first, document in _split_documents(lines):
        yield job.vertical(first + document) if first else document


def _split_documents(lines: TextIO) -> Iterator[tuple[str, str]]:
    """The opening line of each document and the rest of it. Text outside has no opening line."""
    opening, held = "", list[str]()
    for line in _read_lines(lines):
        if line.startswith("<doc") and line[4:5] in {" ", ">", "\t"}:
            if opening:
                yield opening, "".join(held)
            opening, held = line, []
        elif not opening:
            yield "", line
        else:
            held.append(line)
            if line.startswith("</doc>"):
                yield opening, "".join(held)
                opening, held = "", []
    if opening:
        yield opening, "".join(held)


def _read_lines(source: TextIO) -> Iterator[str]:
    """The lines of a file. One that no corpus has comes in pieces: a small packed file may hold gigabytes."""
    while line := source.readline(_MAX_LINE):
        yield line


def _dedup_paragraph(match: re.Match[str], job: Deduplicator) -> str:
    if not job.is_paragraph_seen(" ".join(_FORM.findall(match[2]))):
        return match[0]
    return f"{match[1]}<dup/>\n{match[2]}" if job.rules.mark else ""


def _dedup_json_lines(lines: TextIO, job: Deduplicator) -> Iterator[str]:
    for line in _read_lines(lines):
        try:
            record = json.loads(line)
            text = record[job.rules.field]
            paragraphs = text.split("\n")
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            job.counts.broken += 1
            yield line
            continue
        if job.is_document_seen(text):
            if job.rules.mark:
                yield _dump({**record, "duplicate": True})
        else:
            seen = {at for at, paragraph in enumerate(paragraphs) if job.is_paragraph_seen(paragraph)}
            yield _without_paragraphs(record, paragraphs, seen, job.rules) if seen else line


def _without_paragraphs(
    record: dict[str, Any], paragraphs: list[str], seen: set[int], rules: DedupRules
) -> str:
    if rules.mark:
        return _dump({**record, "duplicate_paragraphs": sorted(seen)})
    gone = {paragraphs[at] for at in seen}
    kept = [paragraph for at, paragraph in enumerate(paragraphs) if at not in seen]
    changed = {**record, rules.field: "\n".join(kept)}
    if isinstance(record.get("blocks"), list):
        changed["blocks"] = _blocks_without(record["blocks"], gone)
    return _dump(changed)


def _blocks_without(blocks: list[Any], gone: set[str]) -> list[Any]:
    kept = []
    for block in blocks:
        if isinstance(block, dict) and isinstance(block.get("blocks"), list):
            kept.append({**block, "blocks": _blocks_without(block["blocks"], gone)})
        elif not (isinstance(block, dict) and block.get("text") in gone):
            kept.append(block)
    return kept


def _dump(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"
