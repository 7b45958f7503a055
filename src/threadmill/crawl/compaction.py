"""Compacts an archive: joins small WARC files, and keeps each answer of a page once.

A page that was archived again with the same content becomes a revisit record, as the WARC standard has it.
Rebuilding the database gives the same result before and after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from threadmill.archive import rewriting
from threadmill.archive.archive_index import files_in_order
from threadmill.archive.warc_records import WarcRecord, head_end
from threadmill.archive.warc_writer import IDENTICAL, sha1_digest
from threadmill.crawl.crash_recovery import repair_archive
from threadmill.crawl.lock import lock_workspace
from threadmill.store import Store, open_store
from threadmill.store.forum.removal import is_file_named, rename_captures
from threadmill.workspace import Workspace, refuse_lost_database

_LEAST_PAYLOAD = 200  # bytes; the record of a revisit is about as long
Watch = Callable[[str], None]


@dataclass(slots=True)
class CompactionReport:
    """What a compaction has done."""

    files_before: int = 0
    files_after: int = 0
    bytes_before: int = 0
    bytes_after: int = 0
    revisits: int = 0  # answers that were held twice
    damaged: int = 0  # files that were left alone


def compact(workspace: Workspace, watch: Watch = lambda _: None) -> CompactionReport:
    """Compact the archive of a workspace. After a crash, the same call goes on."""
    refuse_lost_database(workspace)
    report = CompactionReport()
    with lock_workspace(workspace.root), closing(open_store(workspace.store_url)) as store:
        directory = workspace.archive
        if not directory.is_dir():
            return report
        repair_archive(store, directory)
        files = _files_here(directory)
        report.files_before = len(files)
        report.bytes_before = sum(file.stat().st_size for file in files)
        seen = _AnswersSeen()
        done = 0
        for group in _groups(files, workspace.settings.archive.max_file_bytes):
            watch(f"compacting file {done + 1:,} of {len(files):,} …")
            done += len(group)
            seen.again.clear()
            result = rewriting.rewrite(directory, group, seen.once)
            if result.damaged:
                report.damaged += len(group)
            if result.damaged or not result.differs:
                rewriting.discard(directory, result)
                continue
            report.revisits += result.changed
            seen.move(result)
            replace_files(store, directory, result, {})
        files = _files_here(directory)
        report.files_after = len(files)
        report.bytes_after = sum(file.stat().st_size for file in files)
    return report


def _files_here(directory: Path) -> list[Path]:
    """The files in their order. What was sent elsewhere stays as it is."""
    return [file for file in files_in_order(directory) if file.exists()]


def replace_files(
    store: Store, directory: Path, result: rewriting.RewrittenFile, digests: Mapping[str, str]
) -> None:
    """Let a new archive file take the place of others, in the archive and in the database."""
    rewriting.put_in_place(directory, result)
    with store.writing() as connection:
        for name in result.sources:
            moved = {offset: place for (file, offset), place in result.moved.items() if file == name}
            rename_captures(connection, name, result.name, moved, digests)
    store.flush()
    with store.reading() as connection:
        rewriting.finish(directory, lambda names: is_file_named(connection, list(names)))


def _groups(files: list[Path], most: int) -> Iterator[list[Path]]:
    """Neighbours that fit into one file."""
    group: list[Path] = []
    size = 0
    for file in files:
        own = file.stat().st_size
        if group and size + own > most:
            yield group
            group, size = [], 0
        group.append(file)
        size += own
    if group:
        yield group


@dataclass(slots=True)
class _FirstAnswer:
    date: str
    place: tuple[str, int, int]  # file, offset and length


@dataclass(slots=True)
class _AnswersSeen:
    """The first answer of each page with each content."""

    first: dict[bytes, _FirstAnswer] = field(default_factory=dict)  # by a hash of URL and content
    again: dict[tuple[str, int], _FirstAnswer] = field(default_factory=dict)  # by file and offset

    def once(self, file: str, record: WarcRecord) -> str | bytes:
        """Keep a record, or refer to the same answer that came before it."""
        if record.kind != "response" or record.header(b"WARC-Truncated"):
            return rewriting.KEEP
        url, digest = record.header(b"WARC-Target-URI"), record.header(b"WARC-Payload-Digest")
        body = head_end(record.data, record.start, record.end)
        if not digest or body < 0 or record.end - body < _LEAST_PAYLOAD:
            return rewriting.KEEP
        key = blake2b(f"{url}\n{digest}".encode(), digest_size=12).digest()  # millions fit into memory
        first = self.first.get(key)
        offset = record.place.offset
        if first is None:
            place = (file, offset, record.length)
            self.first[key] = _FirstAnswer(record.header(b"WARC-Date"), place)
            return rewriting.KEEP
        if sha1_digest(record.data[body : record.end]) != digest:  # its own bytes say something else
            return rewriting.KEEP
        self.again[file, offset] = first
        return _as_revisit(record, record.data[record.start : body], url, first.date)

    def move(self, result: rewriting.RewrittenFile) -> None:
        """Note where first answers are now. The database names them for later answers, too."""
        for first in self.first.values():
            first.place = result.moved.get(first.place[:2]) or first.place
        for key, first in self.again.items():
            result.moved[key] = first.place


def _as_revisit(record: WarcRecord, block: bytes, url: str, date: str) -> bytes:
    fields = {
        b"WARC-Type": "revisit",
        b"WARC-Profile": IDENTICAL,
        b"WARC-Refers-To-Target-URI": url,
        b"WARC-Refers-To-Date": date,
        b"WARC-Block-Digest": sha1_digest(block),
        b"Content-Length": str(len(block)),
    }
    return rewriting.member(rewriting.with_headers(record.head, fields), block)
