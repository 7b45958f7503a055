"""Copies WARC files record by record: some changed, some left out. A crash at any moment does no harm.

A new file gets its name only when it is complete. A note beside it names the files that it replaces. They are
removed after the database names the new file.
"""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from isal import isal_zlib

from threadmill.archive.read_tally import ReadTally
from threadmill.archive.warc_reader import stream_records
from threadmill.archive.warc_records import WarcRecord, head_end
from threadmill.archive.warc_writer import WARC_SUFFIX, sha1_digest, sync_directory
from threadmill.errors import ArchiveError

NOTE_SUFFIX = ".replaces"
_PART_SUFFIX = ".part"
_ROUND = re.compile(r"-v(\d+)$")
_OLD_FORM = re.compile(rb"(?im)^(content-encoding|transfer-encoding|content-length):")
KEEP = "keep"
DROP = "drop"

# What becomes of a record: KEEP, DROP, or the record in a new form.
Change = Callable[[str, WarcRecord], str | bytes]


RecordKey = tuple[str, int]  # file and offset
NewPlace = tuple[str, int, int]  # file, offset and length


@dataclass(slots=True)
class RewrittenFile:
    """A new file that waits to take the place of others."""

    name: str
    sources: tuple[str, ...]
    moved: dict[RecordKey, NewPlace | None] = field(default_factory=dict)  # None: it was left out
    kept: int = 0
    changed: int = 0
    dropped: int = 0
    size: int = 0
    damaged: int = 0

    @property
    def differs(self) -> bool:
        """Is there anything in it that its sources do not have, or the other way round?"""
        return bool(self.changed or self.dropped or len(self.sources) > 1)


def rewrite(directory: Path, sources: Sequence[Path], change: Change) -> RewrittenFile:
    """Write the records of some files into one new file. It counts only after `put_in_place`."""
    name = _next_name(directory, sources[0])
    result = RewrittenFile(name, tuple(str(source.relative_to(directory)) for source in sources))
    part = directory / f"{name}{_PART_SUFFIX}"
    try:
        with part.open("wb") as target:
            for source in sources:
                _copy(directory, source, target, change, result)
            target.flush()
            os.fsync(target.fileno())
            result.size = target.tell()
    except OSError as error:
        part.unlink(missing_ok=True)
        raise ArchiveError(f"cannot write {part}: {error.strerror}; nothing was changed") from None
    return result


def discard(directory: Path, result: RewrittenFile) -> None:
    """Forget a new file that is of no use."""
    (directory / f"{result.name}{_PART_SUFFIX}").unlink(missing_ok=True)


def put_in_place(directory: Path, result: RewrittenFile) -> None:
    """Give the new file its name. The database must name it next, and then `finish` removes the old ones."""
    note = directory / f"{result.name}{NOTE_SUFFIX}"
    _write_whole(note, json.dumps(list(result.sources)).encode())
    part = directory / f"{result.name}{_PART_SUFFIX}"
    if result.size:
        part.rename(directory / result.name)
    else:
        part.unlink()
    sync_directory(directory)


def finish(directory: Path, is_named: Callable[[Iterable[str]], bool]) -> None:
    """Remove what a rewriting left: the old files, or the new one if the database still names an old one."""
    for note in sorted(directory.glob(f"*{NOTE_SUFFIX}")):
        sources = json.loads(note.read_bytes())
        fresh = note.with_suffix("")
        if is_named(sources):
            fresh.unlink(missing_ok=True)
        else:
            for name in sources:
                (directory / name).unlink(missing_ok=True)
        sync_directory(directory)
        note.unlink()
    for part in directory.glob(f"*{_PART_SUFFIX}"):
        part.unlink()


def with_payload(record: WarcRecord, payload: bytes) -> bytes:
    """A record with another payload: a response keeps its HTTP head, without the encoding of the old one."""
    block = payload
    fields = {b"WARC-Block-Digest": "", b"Content-Length": ""}
    if record.kind in {"response", "revisit"}:
        body = head_end(record.data, record.start, record.end)
        head = record.data[record.start : body if body >= 0 else record.end]
        block = _OLD_FORM.sub(rb"X-Archive-Orig-\1:", head) + payload
        fields[b"WARC-Payload-Digest"] = sha1_digest(payload)
    fields[b"WARC-Block-Digest"] = sha1_digest(block)
    fields[b"Content-Length"] = str(len(block))
    return member(with_headers(record.head, fields), block)


def with_headers(head: bytes, fields: dict[bytes, str]) -> bytes:
    """The head of a record with other values of some headers."""
    for name, value in fields.items():
        line = name + b": " + value.encode()
        head, count = re.subn(rb"(?im)^" + re.escape(name) + rb":[^\r\n]*", lambda _: line, head)  # noqa: B023
        if not count:
            head = head.rstrip(b"\r\n") + b"\r\n" + line
    return head


def member(head: bytes, block: bytes) -> bytes:
    """A record as a gzip member."""
    return isal_zlib.compress(head.rstrip(b"\r\n") + b"\r\n\r\n" + block + b"\r\n\r\n", 1, 31)


def _copy(
    directory: Path, source: Path, target: io.BufferedWriter, change: Change, result: RewrittenFile
) -> None:
    name = str(source.relative_to(directory))
    tally = ReadTally()
    with closing(source.open("rb")) as stream, closing(source.open("rb")) as raw:
        for record in stream_records(stream, str(source), tally, size=source.stat().st_size):
            choice = change(name, record)
            place = record.place.offset
            if isinstance(choice, str) and choice == DROP:
                result.dropped += 1
                result.moved[name, place] = None
                continue
            if isinstance(choice, bytes):
                result.changed += 1
                octets = choice
            else:
                result.kept += 1
                octets = _as_it_is(raw, record)
            result.moved[name, place] = (result.name, target.tell(), len(octets))
            target.write(octets)
    result.damaged += sum(tally.skipped.values())


def _as_it_is(raw: io.BufferedReader, record: WarcRecord) -> bytes:
    if record.length and not record.place.inner:
        raw.seek(record.place.offset)
        octets = raw.read(record.length)
        if octets.startswith(b"\x1f\x8b"):
            return octets
    return member(record.head, record.block)


def _next_name(directory: Path, source: Path) -> str:
    """The name of the file that replaces one: it sorts behind it, and before files that were begun later."""
    name = source.name
    stem = name[: name.lower().index(".warc")] if ".warc" in name.lower() else source.stem
    found = _ROUND.search(stem)
    base, number = (stem[: found.start()], int(found[1]) + 1) if found else (stem, 1)
    while (directory / f"{base}-v{number}{WARC_SUFFIX}").exists():
        number += 1
    return f"{base}-v{number}{WARC_SUFFIX}"


def _write_whole(file: Path, content: bytes) -> None:
    part = file.with_name(f"{file.name}.new")
    with part.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    part.rename(file)
