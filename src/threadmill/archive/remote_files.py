"""Opens, lists and writes files that a URL names: s3://, gs://, hf://, http(s):// and whatever fsspec knows.

Nothing is copied as a whole: a file is read and written in pieces. A local path needs no fsspec.
"""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, BinaryIO, cast
from uuid import uuid4

from threadmill.errors import ArchiveError, MissingDependencyError, ThreadmillError

# Two letters or more: "C://" is a drive of Windows.
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://").match
_WEB = ("http://", "https://")  # servers of web pages have no directories that could be listed
_MISSING = (404, 410)  # answers of servers that have no such file
# The packages that fsspec needs for a scheme. Its own messages do not always name them.
_CLIENTS = {
    "s3": "s3fs",
    "gs": "gcsfs",
    "gcs": "gcsfs",
    "hf": "huggingface-hub",
    "http": "aiohttp",
    "https": "aiohttp",
}
PLACE_SUFFIX = ".place"  # of the note that a file leaves here when it is sent elsewhere
_BUFFER = 1 << 18  # bytes that are handed on at once; clients fetch more than that in advance


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file or directory of an object store or server. It has the methods of Path that readers use."""

    url: str

    def __str__(self) -> str:
        return self.url

    def __truediv__(self, name: str) -> RemoteFile:
        return RemoteFile(f"{self.url.rstrip('/')}/{name}")

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.url.rstrip("/").rpartition("/")[2]

    @property
    def suffix(self) -> str:
        """The last ending of the name, with its dot."""
        return Path(self.name).suffix

    @property
    def suffixes(self) -> list[str]:
        """All endings of the name."""
        return Path(self.name).suffixes

    def with_name(self, name: str) -> RemoteFile:
        """The file of another name beside this one."""
        return RemoteFile(f"{self.url.rstrip('/').rpartition('/')[0]}/{name}")

    def open(self, mode: str = "rb") -> BinaryIO:
        """Open it for reading in pieces ("rb"), or for writing ("wb"). It appears when it is closed."""
        with self.named_errors():
            system, path = self._place()
            raw = _RemoteStream(self, system.open(path, mode))
        return cast(BinaryIO, raw if raw.writable() else io.BufferedReader(cast(io.RawIOBase, raw), _BUFFER))

    def read_bytes(self) -> bytes:
        """The content of a small file."""
        with self.open() as stream:
            return stream.read()

    def write_bytes(self, content: bytes) -> None:
        """Write a small file at once."""
        with self.named_errors():
            system, path = self._place()
            system.pipe_file(path, content)

    def exists(self) -> bool:
        """Whether there is such a file or directory. A server that refuses to say is an error."""
        with self.named_errors():
            system, path = self._place()
            for _ in range(2):
                try:
                    system.info(path)
                except Exception as error:
                    if not _is_missing(error):
                        raise
                    # A client may answer from memory, and other processes write there.
                    system.invalidate_cache()
                else:
                    return True
            return False

    def is_dir(self) -> bool:
        """Whether it is a directory, or the common beginning of several names."""
        if self.url.startswith(_WEB):
            return False
        with self.named_errors():
            system, path = self._place()
            return bool(system.isdir(path))

    def files(self) -> list[RemoteFile]:
        """All files under a directory, sorted by name."""
        with self.named_errors():
            system, path = self._place()
            # A store may answer from memory, and other processes write there.
            system.invalidate_cache()
            return [RemoteFile(system.unstrip_protocol(found)) for found in sorted(system.find(path))]

    def is_pattern(self) -> bool:
        """Whether the URL stands for many files. On web servers, ? begins a query."""
        return "*" in self.url and not self.url.startswith(_WEB)

    def matches(self) -> list[RemoteFile]:
        """The files that a URL with * names, sorted by name."""
        with self.named_errors():
            system, path = self._place()
            return [RemoteFile(system.unstrip_protocol(found)) for found in sorted(system.glob(path))]

    def remove(self) -> None:
        """Delete the file, or the directory with everything in it."""
        with self.named_errors():
            system, path = self._place()
            system.invalidate_cache()
            if system.exists(path):
                system.rm(path, recursive=True)

    def info(self) -> tuple[int, str, datetime | None]:
        """Its size (0 if unknown), a mark that changes with its content, and when it was changed."""
        with self.named_errors():
            system, path = self._place()
            known: dict[str, Any] = system.info(path)
        marks = (known.get(key) for key in ("ETag", "etag", "checksum", "md5Hash", "mtime", "LastModified"))
        mark = next((str(found) for found in marks if found), "")
        changed = known.get("LastModified") or known.get("last_modified")
        return int(known.get("size") or 0), mark, changed if isinstance(changed, datetime) else None

    def _place(self) -> tuple[Any, str]:
        """The file system of fsspec, and the path in it."""
        try:
            import fsspec.core
        except ImportError:
            raise MissingDependencyError("fsspec", "remote", f"reading or writing {self.url}") from None
        system, path = fsspec.core.url_to_fs(self.url)
        return system, str(path)

    @contextmanager
    def named_errors(self) -> Iterator[None]:
        """Errors of stores as ours, with the URL. A missing client library is named.

        Each client has errors of its own, and not all of them are an OSError.
        """
        try:
            yield
        except ThreadmillError:
            raise
        except ImportError as error:
            scheme = self.url.partition("://")[0].lower()
            package = _CLIENTS.get(scheme, f"for {scheme}:// ({error})")
            raise MissingDependencyError(package, "remote", f"using {self.url}") from None
        except NotImplementedError:
            raise ArchiveError(
                f"{self.url} cannot be written, listed or deleted: such servers only give files; "
                "name a directory or an object store"
            ) from None
        except Exception as error:
            if _is_missing(error):
                raise ArchiveError(f"{self.url} does not exist; check the URL") from None
            answer = _answer_behind(error)
            said = f"the server answered {answer}" if answer else " ".join(str(error).split())[:300]
            raise ArchiveError(
                f"cannot use {self.url}: {said or type(error).__name__}; check the URL and your access"
            ) from error


def _is_missing(error: BaseException) -> bool:
    """Whether there is no such file. Some clients say so, too, when a server refuses."""
    answer = _answer_behind(error)
    return answer in _MISSING or (answer is None and isinstance(error, FileNotFoundError))


def _answer_behind(error: BaseException) -> int | None:
    """The status with which a server answered, if an error came from one."""
    while True:
        response = getattr(error, "response", None)
        status = getattr(error, "status", None) or getattr(response, "status_code", None)
        if isinstance(status, int):
            return status
        if error.__cause__ is None:
            return None
        error = error.__cause__


class _RemoteStream(io.RawIOBase):
    """An open file of a server. What goes wrong while it is read or written is told with its URL."""

    def __init__(self, file: RemoteFile, stream: Any) -> None:
        self._file = file
        self._stream = stream

    def readable(self) -> bool:
        return bool(self._stream.readable())

    def writable(self) -> bool:
        return bool(self._stream.writable())

    def seekable(self) -> bool:
        return bool(self._stream.seekable())

    def readinto(self, buffer: Any) -> int:
        with self._file.named_errors():
            found: bytes = self._stream.read(len(buffer))
        buffer[: len(found)] = found
        return len(found)

    def write(self, data: Any) -> int:
        with self._file.named_errors():
            return int(self._stream.write(data))

    def seek(self, offset: int, whence: int = 0) -> int:
        with self._file.named_errors():
            return int(self._stream.seek(offset, whence))

    def tell(self) -> int:
        return int(self._stream.tell())

    def close(self) -> None:
        """Close the file. One that was written appears now."""
        if not self.closed:
            super().close()
            with self._file.named_errors():
                self._stream.close()

    def discard(self) -> None:
        """Leave nothing of a file that was not finished. A store would keep what it has when it is closed."""
        super().close()
        if hasattr(self._stream, "discard"):
            self._stream.discard()
            self._stream.closed = True


AnyFile = Path | RemoteFile


def as_file(source: str | os.PathLike[str] | RemoteFile) -> AnyFile:
    """The file that a path or a URL names. `file://` URLs are paths."""
    if isinstance(source, RemoteFile):
        return source
    text = os.fspath(source)
    if text.startswith("file://"):
        return Path(text.removeprefix("file://"))
    return RemoteFile(text) if _URL(text) else Path(source)


def as_files(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> list[AnyFile]:
    """One path, or several, as files. A string is one path, never a list of letters."""
    return [as_file(path) for path in ([paths] if isinstance(paths, str | os.PathLike) else paths)]


def files_under(directory: AnyFile) -> Sequence[AnyFile]:
    """All files of a directory and of those in it, sorted by name. Sent ones are where their notes say."""
    if isinstance(directory, RemoteFile):
        return directory.files()
    names = {str(file).removesuffix(PLACE_SUFFIX) for file in directory.rglob("*") if file.is_file()}
    return [locate(Path(name)) for name in sorted(names)]


def locate(file: Path) -> AnyFile:
    """A file, or the place to which it was sent. The file here counts if there are both."""
    note = read_place(file)
    return file if note is None else as_file(note["url"])


def read_place(file: Path) -> dict[str, Any] | None:
    """The note of a file that was sent elsewhere: its url, size and sha256. None: it is here, or nowhere."""
    note = file.with_name(f"{file.name}{PLACE_SUFFIX}")
    if file.exists() or not note.exists():
        return None
    found: dict[str, Any] = json.loads(note.read_bytes())
    return found


def file_size(file: AnyFile) -> int:
    """The bytes of a file. 0 for standard input and directories, whose size is unknown beforehand."""
    if isinstance(file, RemoteFile):
        return file.info()[0]
    if file.is_file():
        return file.stat().st_size
    note = read_place(file)
    return int(note["size"]) if note is not None else 0


def file_version(file: AnyFile) -> str:
    """A text that changes when the file changes: size and time, or size and the mark that a store gives."""
    if isinstance(file, RemoteFile):
        size, mark, _ = file.info()
        return f"{size}:{mark}"
    if not file.is_file():
        return ""
    stat = file.stat()
    return f"{stat.st_size}:{stat.st_mtime_ns}"


def file_uri(file: AnyFile) -> str:
    """The URL of a file."""
    return file.url if isinstance(file, RemoteFile) else file.resolve().as_uri()


def file_date(file: AnyFile, unknown: datetime) -> datetime:
    """When a file was changed; `unknown` where the server does not say."""
    if isinstance(file, RemoteFile):
        return file.info()[2] or unknown
    return datetime.fromtimestamp(file.stat().st_mtime, UTC)


def is_stream(file: AnyFile) -> bool:
    """Whether a path is a pipe or a device, which has no files beside it."""
    return isinstance(file, Path) and file.exists() and not file.is_file()


@contextmanager
def new_file(target: AnyFile) -> Iterator[IO[bytes]]:
    """A file to write that appears complete or not at all, also if two processes write it at once.

    Pipes and devices are written directly.
    """
    if isinstance(target, Path):
        if is_stream(target):
            with target.open("wb") as direct:
                yield direct
            return
        target = target.resolve()
    fresh = target.with_name(f"{target.name}.{uuid4().hex[:12]}") if isinstance(target, Path) else target
    stream = fresh.open("wb")
    try:
        yield stream
    except BaseException:
        _abandon(stream, fresh)
        raise
    stream.close()
    if isinstance(fresh, Path) and isinstance(target, Path):
        fresh.replace(target)


def _abandon(stream: Any, fresh: AnyFile) -> None:
    """Leave nothing of a file that was not finished."""
    if isinstance(fresh, Path):
        stream.close()
        fresh.unlink(missing_ok=True)
    else:
        stream.discard()
