"""The search indexes of a workspace: finds them, keeps them open, and makes one from the workspace itself."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import BinaryIO

from threadmill.corpus.search.index import STATE_FILE, SearchIndex
from threadmill.corpus.search.query import SearchQuery
from threadmill.errors import SearchIndexError

OWN_INDEX = "threadmill-index"  # the index of the workspace itself
_LOG_FILE = "console-index.log"
_MOST_COUNTS = 64  # questions whose counts by month are kept
_LOG_BYTES = 2000  # of the output of a run that failed


class WorkspaceIndexes:
    """The indexes in the directory of a workspace. One that was written since is opened again."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._open: dict[str, tuple[int, SearchIndex]] = {}
        self._months: OrderedDict[tuple[str, int, SearchQuery], dict[str, int]] = OrderedDict()
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

    def count_by_month(self, name: str, query: SearchQuery) -> dict[str, int]:
        """Texts with a match by month; of an empty query all texts. Kept, so that turning a page is free."""
        key = (name, self.stamp(name), query)
        with self._lock:
            known = self._months.pop(key, None)
        if known is None:
            known = self.get(name).count_by_month(query)
        with self._lock:
            self._months[key] = known
            while len(self._months) > _MOST_COUNTS:
                self._months.popitem(last=False)
        return known


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
