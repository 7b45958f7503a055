"""Parts of an output: each worker reads whole input files and writes what it makes of them as a part.

A part lies in a directory beside the output until it is joined. A small file beside it says that it is
complete: of which inputs (with size and version), how long, with which hash. Whoever is killed loses the
parts in work, nothing else; a second run of the same job finds the others.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, cast
from uuid import uuid4

from threadmill.archive.remote_files import AnyFile, RemoteFile, file_size, file_version, is_stream, new_file
from threadmill.errors import ArchiveError
from threadmill.parallel.workers import Workers, WorkPlace, WorkTask, open_workers

# Files of a task: small ones share it, so that handing it over costs little.
_MOST_FILES = 64
_MOST_OCTETS = 16_000_000
# Bytes of a range of a file: some 10 to 900 pages.
_LEAST_RANGE, _MOST_RANGE = 1 << 18, 1 << 24
_RANGES_PER_WORKER = 4
_TASKS_PER_WORKER = 8  # at least, if there are enough files
_PIECE = 1 << 20

# Options, inputs and a function that takes bytes → counts that JSON can hold.
PartFunction = Callable[[Any, Sequence[Any], Callable[[bytes], object]], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class FileRange:
    """The bytes of a large file that a worker reads: from the first record that begins in them."""

    file: Path
    start: int
    stop: int
    is_exact: bool = True  # whether a record begins at `start`, so that none has to be searched

    def __str__(self) -> str:
        return f"{'' if self.is_exact else 'about '}bytes {self.start} to {self.stop} of {self.file}"


@dataclass(frozen=True, slots=True)
class PartMaker:
    """All that a worker needs to make parts of one job."""

    function: PartFunction
    options: Any
    job: str  # names everything that the output depends on, except the inputs
    folder: AnyFile = Path()


@dataclass(frozen=True, slots=True)
class Part:
    """A complete part."""

    name: str
    inputs: tuple[tuple[str, str], ...]  # name and version of each input
    octets: int
    digest: str
    counts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class PartOutcome:
    """The parts of some input files, and the files that were left out."""

    files: tuple[AnyFile, ...]
    parts: list[Part]
    failures: list[tuple[Any, str]]


def parts_folder(output: AnyFile) -> AnyFile:
    """Where the parts of an output lie until they are joined."""
    return output.with_name(f"{output.name}.parts")


def run_in_parts(
    workers: Workers, maker: PartMaker, tasks: Iterable[tuple[AnyFile, ...]]
) -> Iterator[PartOutcome]:
    """Make parts of groups of files, and yield them in the order of the files."""
    for outcome in workers.run(part_task(maker, files) for files in tasks):
        yield PartOutcome(outcome.about, outcome.results, outcome.failures)


def write_parts(
    maker: PartMaker,
    files: Sequence[AnyFile],
    output: AnyFile | None,
    place: WorkPlace,
    *,
    head: bytes = b"",
    tail: bytes = b"",
    together: bool = False,
) -> Iterator[PartOutcome]:
    """Write what a function makes of some files into one output; None: standard output.

    In one process of this machine there are no parts. `maker` needs no folder. With `together`, one worker
    gets all files.
    """
    with ExitStack() as stack:
        target = cast(IO[bytes], _StandardOutput())
        if output is not None:
            target = stack.enter_context(new_file(output))
        target.write(head)
        if place.is_here() and not any(isinstance(file, RemoteFile) for file in files):
            counts = maker.function(maker.options, files, target.write)
            yield PartOutcome(tuple(files), [Part("", (), 0, "", counts)], [])
        else:
            folder = stack.enter_context(_folder_of(output))
            workers = stack.enter_context(open_workers(place.on, place.processes))
            maker = replace(maker, folder=folder)
            shared = [tuple(files)] if together else share_evenly(files, workers.number)
            for outcome in run_in_parts(workers, maker, shared):
                for part in outcome.parts:
                    for piece in read_part(folder, part):
                        target.write(piece)
                yield outcome
        target.write(tail)
        target.flush()


class _StandardOutput:
    """Takes bytes, also where standard output was replaced by a stream that takes text only."""

    def __init__(self) -> None:
        self._decoder = getincrementaldecoder("utf-8")("replace")

    def write(self, data: bytes) -> None:
        octets = getattr(sys.stdout, "buffer", None)
        if octets is None:
            sys.stdout.write(self._decoder.decode(data))
        else:
            octets.write(data)

    def flush(self) -> None:
        sys.stdout.flush()


@contextmanager
def _folder_of(output: AnyFile | None) -> Iterator[AnyFile]:
    """The directory of the parts. It goes when the output is complete."""
    if output is None or is_stream(output):
        with TemporaryDirectory() as name:
            yield Path(name)
        return
    folder = parts_folder(output)
    yield folder
    drop_folder(folder)


def part_task(maker: PartMaker, files: tuple[AnyFile, ...]) -> WorkTask:
    """The task to make the part of some files."""
    return WorkTask(make_part, maker, files, files)


def range_task(maker: PartMaker, part: FileRange) -> WorkTask:
    """The task to make the part of a range of a file. If it fails, its records can still be tried."""
    return WorkTask(make_part, maker, (part,), part, is_last_try=False)


def cut_file(file: Path, size: int, rest: int, workers: int) -> Iterator[FileRange]:
    """The ranges of a file. They get smaller at the end of the work, so that no worker waits long.

    `rest`: bytes of this file and of all that come after it.
    """
    start = 0
    while start < size:
        step = 1 << max(0, ((rest - start) // (_RANGES_PER_WORKER * workers)).bit_length() - 1)
        stop = min(size, start + min(_MOST_RANGE, max(_LEAST_RANGE, step)))
        yield FileRange(file, start, stop, start == 0)
        start = stop


def share_evenly(files: Sequence[AnyFile], workers: int) -> Iterator[tuple[AnyFile, ...]]:
    """The files in order, shared out so that each worker has several tasks to do."""
    sized = [(file, file_size(file)) for file in files]
    return share_files(sized, octets_of_task(sum(size for _, size in sized), workers))


def octets_of_task(total: int, workers: int) -> int:
    """How many bytes one task should have. A power of two: if an input changes, the other parts still fit."""
    return 1 << max(0, (total // (_TASKS_PER_WORKER * workers)).bit_length() - 1)


def share_files(
    inputs: Iterable[tuple[AnyFile, int]], most: int = _MOST_OCTETS
) -> Iterator[tuple[AnyFile, ...]]:
    """The files (with their sizes) in order, shared out over tasks of at most so many bytes."""
    most = min(most, _MOST_OCTETS)
    files: list[AnyFile] = []
    octets = 0
    for file, size in inputs:
        if files and (octets + size > most or len(files) >= _MOST_FILES):
            yield tuple(files)
            files, octets = [], 0
        files.append(file)
        octets += size
    if files:
        yield tuple(files)


def make_part(maker: PartMaker, files: Sequence[AnyFile | FileRange]) -> Part:
    """Make the part of some inputs, unless an earlier run did. Workers call this."""
    # What has no version, such as a directory, may have changed and is read again.
    inputs = tuple((str(file), _version(file) or uuid4().hex) for file in files)
    name = hashlib.sha256(json.dumps([maker.job, inputs]).encode()).hexdigest()[:24]
    marker = maker.folder / f"{name}.json"
    if marker.exists():
        return _read_part(marker)
    if isinstance(maker.folder, Path):
        maker.folder.mkdir(parents=True, exist_ok=True)
    digest = hashlib.blake2b(digest_size=16)
    octets = 0

    with new_file(maker.folder / f"{name}.part") as sink:

        def write(data: bytes) -> None:
            nonlocal octets
            octets += len(data)
            digest.update(data)
            sink.write(data)

        counts = maker.function(maker.options, files, write)
    part = Part(name, inputs, octets, digest.hexdigest(), counts)
    with new_file(marker) as sink:
        sink.write(json.dumps({name: getattr(part, name) for name in Part.__slots__}).encode())
    return part


def _version(file: AnyFile | FileRange) -> str:
    return file_version(file.file if isinstance(file, FileRange) else file)


def _read_part(marker: AnyFile) -> Part:
    said = json.loads(marker.read_bytes())
    inputs = tuple((str(name), str(version)) for name, version in said["inputs"])
    return Part(said["name"], inputs, said["octets"], said["digest"], said["counts"])


def read_part(folder: AnyFile, part: Part) -> Iterator[bytes]:
    """The bytes of a part, in pieces. A part that is not what its worker wrote is an error."""
    file = folder / f"{part.name}.part"
    if not file.exists():
        raise ArchiveError(
            f"a worker wrote {file}, but it is not visible here; "
            "give an output on storage that all machines share, such as s3://"
        )
    digest = hashlib.blake2b(digest_size=16)
    with file.open("rb") as stream:
        while piece := stream.read(_PIECE):
            digest.update(piece)
            yield piece
    if digest.hexdigest() != part.digest:
        raise ArchiveError(f"{file} has changed since it was written; delete {folder} and run this again")


def drop_parts(folder: AnyFile, parts: Iterable[Part]) -> None:
    """Delete parts that are in the output for good."""
    for part in parts:
        for file in (folder / f"{part.name}.json", folder / f"{part.name}.part"):
            if isinstance(file, Path):
                file.unlink(missing_ok=True)
            else:
                file.remove()


def drop_folder(folder: AnyFile) -> None:
    """Delete the directory of parts when the output is complete."""
    if isinstance(folder, Path):
        shutil.rmtree(folder, ignore_errors=True)
    else:
        folder.remove()
