"""Sends complete WARC files of an archive to an object store or another directory, and fetches them back.

A note in the place of a sent file says where it is, and every reader follows it. A file is deleted only after
its copy was read and compared. A crash in between leaves both; the next call goes on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from threadmill.archive.remote_files import (
    PLACE_SUFFIX,
    AnyFile,
    as_file,
    file_uri,
    new_file,
    read_place,
)
from threadmill.archive.warc_reader import warc_files
from threadmill.archive.warc_writer import OPEN_SUFFIX, sync_directory
from threadmill.errors import ArchiveError

_PIECE = 1 << 20


def send_files(directory: Path, folder: AnyFile, least: int = 0) -> Iterator[tuple[str, int]]:
    """Send the files of at least so many bytes that nobody writes. Yield the name and size of each."""
    if isinstance(folder, Path):
        folder.mkdir(parents=True, exist_ok=True)
    for file in warc_files(directory):
        if file.exists() and file.stat().st_size >= least:
            size = _send_file(file, folder / _flat_name(file, directory))
            if size:
                yield file.name, size


def fetch_files(directory: Path) -> Iterator[tuple[str, int]]:
    """Fetch all files back. Yield the name and size of each."""
    for file in warc_files(directory):
        if not file.exists():
            yield file.name, fetch_file(file)


def fetch_file(file: Path) -> int:
    """Fetch a file back to where it was, and delete its copy elsewhere. Return its size."""
    note = read_place(file)
    if note is None:
        raise ArchiveError(f"{file} was not sent anywhere; nothing can be fetched")
    source = as_file(note["url"])
    with source.open("rb") as stream, new_file(file) as target:
        if _copy(stream, target) != note["sha256"]:
            raise ArchiveError(f"{source} is not what was sent there; nothing was changed")
    sync_directory(file.parent)
    _note_of(file).unlink()
    if isinstance(source, Path):
        source.unlink()
    else:
        source.remove()
    return int(note["size"])


def _send_file(file: Path, target: AnyFile) -> int:
    """Send one file. 0 if it is being written, or a crash left it and it must be repaired first."""
    import fcntl  # POSIX only: reading archives works without it

    with file.open("rb+") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)  # no writer continues it meanwhile
        except BlockingIOError:
            return 0
        if file.with_name(f"{file.name}{OPEN_SUFFIX}").exists():
            return 0
        with new_file(target) as copy:
            digest = _copy(stream, copy)
        with target.open("rb") as copy:
            if _copy(copy) != digest:
                raise ArchiveError(f"{target} is not what was sent there; {file} stays here")
        size = file.stat().st_size
        said = {"url": file_uri(target), "size": size, "sha256": digest}
        with new_file(_note_of(file)) as note:
            note.write(json.dumps(said).encode())
        sync_directory(file.parent)
        file.unlink()
    return size


def _flat_name(file: Path, directory: Path) -> str:
    """The name of a file in a folder without folders in it."""
    return "-".join(file.relative_to(directory).parts)


def _note_of(file: Path) -> Path:
    return file.with_name(f"{file.name}{PLACE_SUFFIX}")


def _copy(source: IO[bytes], target: IO[bytes] | None = None) -> str:
    """Read a stream to its end, and write it. Return its hash."""
    digest = hashlib.sha256()
    while piece := source.read(_PIECE):
        digest.update(piece)
        if target is not None:
            target.write(piece)
    return digest.hexdigest()
