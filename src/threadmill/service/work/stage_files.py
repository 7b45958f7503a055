"""The files that one stage leaves for the next: a folder per site, each file written whole or not at all.

They hold what is too large for a message: the pages collected, and the site read from them. The format is
MessagePack (by msgspec), compressed with zstd.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar
from uuid import UUID, uuid4

import zstandard

from threadmill.errors import MessageError, MissingDependencyError

try:
    import msgspec
except ImportError:
    raise MissingDependencyError("msgspec", "service", "The service") from None

COLLECTED = "collected.zst"
READ = "site.zst"
Value = TypeVar("Value")

_LEVEL = 1  # of zstd: shrinks HTML to a fifth, at 300 MB a second


def folder_of(task_id: UUID, site_id: UUID) -> str:
    """Return the files_path of a site. It is relative: workers may have the workspace at other places."""
    return f"sites/{task_id}/{site_id}"


def is_inside(files_path: str) -> bool:
    """Whether a files_path stays inside the workspace."""
    # No path objects: a decision asks this of a hundred thousand sites.
    return (
        bool(files_path)
        and "\0" not in files_path
        and not files_path.startswith("/")
        and ".." not in files_path.split("/")
    )


def save(root: Path, files_path: str, name: str, value: object) -> None:
    """Write a value in place of an earlier one. A kill leaves the old or the new file, never a part."""
    folder = root / files_path
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f".{name}.{uuid4().hex}"
    unfinished.write_bytes(pack(value))
    unfinished.replace(folder / name)


def load(root: Path, files_path: str, name: str, kind: type[Value]) -> Value:
    """Read a value that an earlier stage wrote."""
    if not is_inside(files_path):
        raise MessageError(f"expected a files_path inside the workspace, but it is {files_path!r}")
    try:
        with open(f"{root}/{files_path}/{name}", "rb") as file:  # noqa: PTH123 -- see is_inside
            data = file.read()
    except FileNotFoundError:
        raise MessageError(
            f"expected the file {name} in {files_path} of the workspace, but there is none; "
            "check that all workers share one workspace directory"
        ) from None
    return unpack(kind, data)


def pack(value: object) -> bytes:
    """Write a dataclass as compressed bytes."""
    try:
        plain = msgspec.msgpack.encode(value)
    except UnicodeEncodeError:  # JSON of a page can hold "\ud800", half a character, which has no UTF-8
        plain = msgspec.msgpack.encode(_as_valid_unicode(_as_builtins(value)))
    return zstandard.ZstdCompressor(level=_LEVEL).compress(plain)


def unpack(kind: type[Value], data: bytes) -> Value:
    """Read what `pack` wrote. Fields that the writer did not know get their defaults."""
    try:
        return msgspec.msgpack.decode(zstandard.ZstdDecompressor().decompress(data), type=kind)
    except (zstandard.ZstdError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise MessageError(
            f"expected a packed {kind.__name__}, but reading it failed with {type(error).__name__}: {error}"
        ) from None


def _as_builtins(value: object) -> Any:
    return msgspec.to_builtins(value, builtin_types=(bytes, datetime))


def _as_valid_unicode(value: Any) -> Any:
    """Replace each half of a surrogate pair by U+FFFD, in all strings of nested built-in values."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_as_valid_unicode(key): _as_valid_unicode(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_as_valid_unicode(item) for item in value]
    return value
