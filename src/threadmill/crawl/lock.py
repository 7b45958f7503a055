"""One crawl at a time in a workspace: a lock that dies with its process, however that ends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from threadmill.errors import WorkspaceError

LOCK_FILE = "crawl.lock"


@contextmanager
def locked(root: Path) -> Iterator[None]:
    """Hold the workspace; a second crawl in it would fetch and archive the same pages."""
    import fcntl  # POSIX only: everything but a crawl works without it

    path = root / LOCK_FILE
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise WorkspaceError(f"cannot write to the workspace {root}: {error.strerror}") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.read(descriptor, 20).decode("ascii", "replace").strip()
        os.close(descriptor)
        raise WorkspaceError(
            f"another crawl (process {holder or 'unknown'}) is at work in {root}; "
            "wait for it, or name another directory with --workspace"
        ) from None
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(descriptor)
