"""Starts crawls as processes of their own, one at a time, and stops them.

A workspace allows one crawl at a time. A crawl that is started while another runs waits for its turn.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from threadmill.crawl.lock import lock_holder

_LOG_BYTES = 2000  # of the output of a crawl that failed
_MOST_WAITING = 100
_STOP_SECONDS = 10.0
LOG_FILE = "console-crawls.log"


@dataclass(frozen=True, slots=True)
class WantedCrawl:
    """A crawl that somebody asked for."""

    kind: str  # "forum" or "site"
    url: str
    scope: str = "host"

    def words(self, root: Path) -> list[str]:
        """The command."""
        words = [sys.executable, "-m", "threadmill", "crawl", "--quiet", "--workspace", str(root)]
        return [*words, *(["--site", "--scope", self.scope] if self.kind == "site" else []), "--", self.url]


@dataclass(slots=True)
class CrawlProcesses:
    """The crawl that this console runs, and those that wait."""

    root: Path
    waiting: list[WantedCrawl] = field(default_factory=list)
    current: WantedCrawl | None = None
    failure: str = ""  # what the last crawl said when it failed
    _process: subprocess.Popen[bytes] | None = None
    _task: asyncio.Task[None] | None = None
    _was_stopped: bool = False  # by this console; a process that is still starting ends with any code

    def start(self, wanted: WantedCrawl) -> None:
        """Start a crawl as soon as no other runs. A crawl that already waits or runs is not added again."""
        if wanted != self.current and wanted not in self.waiting and len(self.waiting) < _MOST_WAITING:
            self.waiting.append(wanted)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run_all())

    def pause(self) -> None:
        """End the current crawl after the requests under way. The next start continues it."""
        self._signal(signal.SIGINT)

    async def stop(self, wanted: WantedCrawl) -> None:
        """End a crawl now, or take it out of those that wait. What was stored stays, and can be continued."""
        if wanted in self.waiting:
            self.waiting.remove(wanted)
        if wanted != self.current or self._process is None:
            return
        process = self._process
        self._signal(signal.SIGINT)
        for _ in range(int(_STOP_SECONDS * 10)):
            if process.poll() is not None:
                return
            await asyncio.sleep(0.1)
        process.kill()

    def pause_other(self) -> None:
        """Pause a crawl that was started elsewhere, in a terminal or by `threadmill watch`."""
        holder = lock_holder(self.root)
        if holder is not None and self._process is None and holder != os.getpid():
            os.kill(holder, signal.SIGINT)

    def close(self) -> None:
        """End everything; called when the console ends."""
        self.waiting.clear()
        self._signal(signal.SIGINT)

    def _begin(self, wanted: WantedCrawl, output: BinaryIO) -> subprocess.Popen[bytes]:
        # The words are a list, and the URL is canonical and stands behind "--": no shell reads them.
        words = wanted.words(self.root)
        return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output, stderr=output)  # noqa: S603

    def _signal(self, number: int) -> None:
        if self._process is not None and self._process.poll() is None:
            self._was_stopped = True
            self._process.send_signal(number)

    async def _run_all(self) -> None:
        while self.waiting:
            if lock_holder(self.root) is not None:
                await asyncio.sleep(0.5)
                continue
            self.current = self.waiting.pop(0)
            try:
                await self._run(self.current)
            finally:
                self.current = self._process = None

    async def _run(self, wanted: WantedCrawl) -> None:
        log = self.root / LOG_FILE
        self._was_stopped = False
        with log.open("wb") as output:
            self._process = self._begin(wanted, output)
            code = await asyncio.to_thread(self._process.wait)
        ended_by_us = self._was_stopped or code in {0, 130, -signal.SIGKILL, -signal.SIGINT}
        said = log.read_bytes()[-_LOG_BYTES:].decode("utf-8", "replace").strip()
        self.failure = "" if ended_by_us else f"{wanted.url}: {said or f'the crawl ended with code {code}'}"
