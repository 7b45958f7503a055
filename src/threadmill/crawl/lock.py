"""Locks a workspace for one crawl. The lock ends with its process, however that ends."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from threadmill.errors import WorkspaceError

LOCK_FILE = "crawl.lock"
# On Windows a locked byte cannot be read by others. This one lies behind the process id, which they read.
_LOCKED_BYTE = 1024


@contextmanager
def lock_workspace(root: Path, *, shared: bool = False) -> Iterator[None]:
    """Hold the workspace. A second crawl in it would fetch and archive the same pages.

    Workers of a fleet share it: they agree on who asks which host.
    """
    path = root / LOCK_FILE
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise WorkspaceError(f"cannot write to the workspace {root}: {error.strerror}") from None
    try:
        if not try_lock(descriptor, shared=shared):
            holder = os.read(descriptor, 20).decode("ascii", "replace").strip()
            raise WorkspaceError(
                f"another crawl (process {holder or 'unknown'}) is running in {root}; "
                "wait until it ends, or name another directory with --workspace"
            )
        os.ftruncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())
        yield
    finally:
        os.close(descriptor)


def lock_holder(root: Path) -> int | None:
    """The process that crawls in a workspace; None if no crawl is running."""
    try:
        descriptor = os.open(root / LOCK_FILE, os.O_RDWR)
    except OSError:
        return None
    try:
        number = int(os.read(descriptor, 20).decode("ascii", "replace").strip() or 0)
        os.kill(number, 0)  # asks whether the process is there
        return None if try_lock(descriptor) else number
    except (OSError, ValueError):
        return None
    finally:
        os.close(descriptor)


def try_lock(descriptor: int, platform: str = sys.platform, *, shared: bool = False) -> bool:
    """Lock an open file without waiting. False if another process holds it.

    A shared lock keeps out only those who want it for themselves. Windows has none.
    """
    # Each module exists on its own platform only, so neither can be imported at the top.
    if platform == "win32":
        msvcrt = importlib.import_module("msvcrt")
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
        return True
    fcntl = importlib.import_module("fcntl")
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
