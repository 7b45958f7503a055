"""The search indexes of a workspace: finds them, keeps them open, and makes one from the workspace itself."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from threading import Lock
from typing import BinaryIO

from threadmill.corpus.search.index import STATE_FILE, SearchIndex
from threadmill.corpus.search.query import SearchQuery
from threadmill.errors import SearchIndexError

OWN_INDEX = "threadmill-index"  # the index of the workspace itself
_LOG_FILE = "console-index.log"
_LOG_BYTES = 2000  # of the output of a run that failed


class WorkspaceIndexes:
    """The indexes in the directory of a workspace. One that was written since is opened again."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._open: dict[str, tuple[int, SearchIndex]] = {}
        self._months: dict[str, tuple[int, dict[str, int]]] = {}
        self._lock = Lock()

    def names(self) -> list[str]:
        """The directories that are indexes, that of the workspace itself first."""
        found = sorted(file.parent.name for file in self._root.glob(f"*/{STATE_FILE}"))
        return sorted(found, key=lambda name: name != OWN_INDEX)

    def stamp(self, name: str) -> int:
        """A number that changes when an index is written."""
        try:
            return (self._root / name / STATE_FILE).stat().st_mtime_ns
        except OSError:
            raise SearchIndexError(f"there is no index {name!r} in this workspace") from None

    def get(self, name: str) -> SearchIndex:
        """The index with a name. The name must be one of `names`: it is used as a path."""
        if name not in self.names():
            raise SearchIndexError(f"there is no index {name!r} in this workspace")
        stamp = self.stamp(name)
        with self._lock:
            known = self._open.get(name)
            if known is None or known[0] != stamp:
                known = self._open[name] = (stamp, SearchIndex(self._root / name))
        return known[1]

    def texts_by_month(self, name: str) -> dict[str, int]:
        """All texts of an index by month."""
        stamp = self.stamp(name)
        known = self._months.get(name)
        if known is None or known[0] != stamp:
            known = self._months[name] = (stamp, self.get(name).count_by_month(SearchQuery()))
        return known[1]


class IndexRun:
    """Makes or renews the index of the workspace, as a process of its own."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._process: subprocess.Popen[bytes] | None = None
        self._task: asyncio.Task[None] | None = None
        self.failure = ""

    @property
    def is_running(self) -> bool:
        """Whether the index is being made."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Begin, unless it is under way."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        log = self._root / _LOG_FILE
        with log.open("wb") as output:
            self._process = self._begin(output)
            code = await asyncio.to_thread(self._process.wait)
        said = log.read_bytes()[-_LOG_BYTES:].decode("utf-8", "replace").strip()
        self.failure = "" if code == 0 else said or f"indexing ended with code {code}"

    def _begin(self, output: BinaryIO) -> subprocess.Popen[bytes]:
        words = [sys.executable, "-m", "threadmill", "index", str(self._root)]
        words += ["--index", str(self._root / OWN_INDEX)]
        # No shell reads the words, and none of them comes from a request.
        return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output, stderr=output)  # noqa: S603
