"""Removes or marks near-duplicates in files of vertical text or JSON lines. An interrupted run continues."""

from __future__ import annotations

import io
import json
import re
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TextIO

from threadmill.archive.remote_files import AnyFile, RemoteFile, file_size
from threadmill.corpus.build.corpus_inputs import open_unpacked
from threadmill.corpus.near_duplicates.detector import DocumentIndex, SeenNgrams
from threadmill.corpus.near_duplicates.document_join import SignatureWriter, find_duplicates
from threadmill.errors import ArchiveError, NothingFoundError, UsageError
from threadmill.parallel.parts import Part, PartMaker, drop_folder, parts_folder, run_in_parts
from threadmill.parallel.workers import WorkPlace, open_workers

_FORM = re.compile(r"^(?!</?[a-z])([^\t\n]+)", re.MULTILINE)
_PARAGRAPH = re.compile(r"^(<p(?:[ \t][^\n]*)?>\n)(.*?^</p>\n)", re.MULTILINE | re.DOTALL)
# Saving takes seconds once the tables are large. Files finished since the last saving are done again.
_SAVE_EVERY_SECONDS = 60.0
_REPORT_EVERY_SECONDS = 0.3
_MAX_LINE = 1 << 26  # characters; as long as the longest record of an archive that is read
_STATE_FOLDER = ".dedup"
_HERE = WorkPlace()


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
    file: AnyFile = Path()
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
    # Of the documents that come next, which are versions of earlier ones, if that was found out before.
    decided: Iterator[bool] | None = None
    joined: bool = False  # whether that is so for all documents, and the index is empty

    def __post_init__(self) -> None:
        self._index = DocumentIndex(self.rules.threshold)
        self._seen = SeenNgrams(self.rules.megabytes if self.rules.paragraphs else 1)

    def is_document_seen(self, text: str) -> bool:
        """Whether a document is a version of an earlier one."""
        self.counts.documents += 1
        if self.decided is not None:
            seen = next(self.decided)
        else:
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
        if self.is_document_seen(_words_of(rest)):
            return f"{first}\n<dup/>\n{rest}" if self.rules.mark else ""
        return first + end + _PARAGRAPH.sub(lambda match: _dedup_paragraph(match, self), rest)

    def save(self, directory: Path, done: Sequence[str]) -> None:
        """Write the state beside the old one, then replace the old one."""
        fresh = directory.with_name(f"{directory.name}.new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        self._index.save(fresh)
        self._seen.save(fresh)
        state = {
            "done": list(done),
            "tally": asdict(self.counts),
            "rules": asdict(self.rules),
            "joined": self.joined,
        }
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
        self.joined = state["joined"]
        done: list[str] = state["done"]
        return done


def dedup_files(
    inputs: Sequence[AnyFile],
    output: Path,
    rules: DedupRules,
    report: Callable[[DedupProgress], None] = lambda _: None,
    place: WorkPlace = _HERE,
) -> DedupCounts:
    """Write each input under its name into the output directory, with duplicates removed or marked.

    One process holds the keys of all documents in memory. With workers, they write signatures to files first,
    and the memory does not limit the number of documents. The results are the same.
    """
    names = [_output_name(file) for file in inputs]
    if len(set(names)) != len(names):
        raise UsageError(
            "two inputs have the same file name; rename one, or deduplicate them into two directories"
        )
    for file in inputs:
        if not file.exists() or file.is_dir():
            raise NothingFoundError(f"{file} is no file; give .vert or .jsonl files, plain or compressed")
        if isinstance(file, Path) and file.resolve().parent == output.resolve():
            raise UsageError(
                f"{file} lies in {output}, where its result would be written; give another directory"
            )
    output.mkdir(parents=True, exist_ok=True)
    job = Deduplicator(rules)
    done = job.load(output / _STATE_FOLDER)
    todo = [(file, name) for file, name in zip(inputs, names, strict=True) if name not in done]
    progress = DedupProgress(job.counts, len(inputs), sum(file_size(file) for file, _ in todo))
    progress.files_done = len(inputs) - len(todo)
    if not todo:
        return job.counts
    remote = any(isinstance(file, RemoteFile) for file in inputs)
    decided: dict[AnyFile, Iterable[bool]] = {}
    if remote or job.joined or not place.is_here():
        _require_all(done, names, output)
        decided = _decide_documents(inputs, output, rules, place)
        job.joined = True
    saved = time.monotonic()
    for file, name in todo:
        progress.file = file
        job.decided = map(bool, decided[file]) if file in decided else None
        _dedup_file(file, output / name, job, progress, report)
        done.append(name)
        if time.monotonic() - saved > _SAVE_EVERY_SECONDS:
            job.save(output / _STATE_FOLDER, done)
            saved = time.monotonic()
    job.save(output / _STATE_FOLDER, done)
    drop_folder(parts_folder(output))
    return job.counts


def _require_all(done: Sequence[str], names: Sequence[str], output: Path) -> None:
    """Workers compare the documents of the inputs alone, so all that were done before must be among them."""
    missing = [name for name in done if name not in names]
    if missing:
        raise UsageError(
            f"{output} holds {missing[0]} of an earlier run; name all inputs of that run too, "
            "so that the new ones are compared with them"
        )


def _output_name(file: AnyFile) -> str:
    return file.name.removesuffix(".gz").removesuffix(".xz")


def _decide_documents(
    inputs: Sequence[AnyFile], output: Path, rules: DedupRules, place: WorkPlace
) -> dict[AnyFile, Iterable[bool]]:
    """For each input, which of its documents are versions of earlier ones."""
    if not rules.documents:
        return {}
    maker = PartMaker(write_signatures, rules, f"signatures {rules.field}", parts_folder(output))
    parts: list[Part] = []
    with open_workers(place.on, place.processes) as workers:
        for outcome in run_in_parts(workers, maker, ((file,) for file in inputs)):
            for file, why in outcome.failures:
                raise ArchiveError(f"{file} cannot be deduplicated: {why.partition(': ')[2] or why}")
            parts += outcome.parts
    found = find_duplicates(maker.folder, parts, rules.threshold)
    decided: dict[AnyFile, Iterable[bool]] = {}
    at = 0
    for file, part in zip(inputs, parts, strict=True):
        decided[file] = found[at : at + part.counts["documents"]]
        at += part.counts["documents"]
    return decided


def write_signatures(
    rules: DedupRules, files: Sequence[AnyFile], write: Callable[[bytes], object]
) -> dict[str, Any]:
    """Write the signatures of the documents of a file. Returns how many there are."""
    writer = SignatureWriter(write)
    for file in files:
        with open_unpacked(file) as (stream, _):
            source = io.TextIOWrapper(stream, encoding="utf-8", errors="surrogateescape", newline="\n")
            if _is_json(file):
                for line in _read_lines(source):
                    record = _read_record(line, rules)
                    if record is not None:
                        writer.add(record[rules.field])
            else:
                for first, document in _split_documents(source):
                    if first:
                        writer.add(_words_of(document))
    return {"documents": writer.documents}


def _is_json(file: AnyFile) -> bool:
    return ".jsonl" in file.suffixes or ".ndjson" in file.suffixes


def _words_of(vertical: str) -> str:
    """The words of vertical text as running text."""
    return " ".join(_FORM.findall(vertical))


def _read_record(line: str, rules: DedupRules) -> dict[str, Any] | None:
    """The JSON object of a line. None if it has no text."""
    try:
        record: dict[str, Any] = json.loads(line)
        record[rules.field].split("\n")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return record


def _dedup_file(
    file: AnyFile,
    target: Path,
    job: Deduplicator,
    progress: DedupProgress,
    report: Callable[[DedupProgress], None],
) -> None:
    partial = target.with_name(f"{target.name}.part")
    told = 0.0
    with (
        open_unpacked(file) as (stream, raw),
        partial.open("w", encoding="utf-8", errors="surrogateescape", newline="") as sink,
    ):
        source = io.TextIOWrapper(stream, encoding="utf-8", errors="surrogateescape", newline="\n")
        for text in _dedup_json_lines(source, job) if _is_json(file) else _dedup_vertical(source, job):
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
    if not job.is_paragraph_seen(_words_of(match[2])):
        return match[0]
    return f"{match[1]}<dup/>\n{match[2]}" if job.rules.mark else ""


def _dedup_json_lines(lines: TextIO, job: Deduplicator) -> Iterator[str]:
    for line in _read_lines(lines):
        record = _read_record(line, job.rules)
        if record is None:
            job.counts.broken += 1
            yield line
            continue
        text: str = record[job.rules.field]
        paragraphs = text.split("\n")
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
