"""The directory where stages leave what is too large for a message: a folder a site, whole files only."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import TypeVar
from uuid import UUID, uuid4

from threadmill.errors import MessageError
from threadmill.service.work.packing import pack, unpack

COLLECTED = "collected.zst"
READ = "site.zst"
Value = TypeVar("Value")


def folder_of(task_id: UUID, site_id: UUID) -> str:
    """The files_path of a site: relative, so that every worker may have the directory elsewhere."""
    return f"sites/{task_id}/{site_id}"


def is_inside(files_path: str) -> bool:
    """Does a files_path stay within the workspace?"""
    path = PurePosixPath(files_path)
    return bool(files_path) and not path.is_absolute() and ".." not in path.parts and "\0" not in files_path


def save(root: Path, files_path: str, name: str, value: object) -> None:
    """Write a value in place of the one before; a kill leaves the old file or the new one, never a half."""
    folder = root / files_path
    folder.mkdir(parents=True, exist_ok=True)
    half = folder / f".{name}.{uuid4().hex}"
    half.write_bytes(pack(value))
    half.replace(folder / name)


def load(root: Path, files_path: str, name: str, kind: type[Value]) -> Value:
    """Read a value that an earlier stage left."""
    if not is_inside(files_path):
        raise MessageError(f"expected a files_path inside the workspace, but it is {files_path!r}")
    try:
        data = (root / files_path / name).read_bytes()
    except FileNotFoundError:
        raise MessageError(
            f"expected the file {name} in {files_path} of the workspace, but there is none; "
            "do all workers share one workspace directory?"
        ) from None
    return unpack(kind, data)
