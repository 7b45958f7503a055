"""Who does the work that needs a core: a thread of this process, or processes of their own."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, TypeVar

Result = TypeVar("Result")


class WorkerPool:
    """Runs functions beside the event loop; with processes, polling stays quick while they compute."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self.count = max(1, processes)
        self._executor = self._make()

    async def run(self, function: Callable[..., Result], *words: Any) -> Result:
        """What a function comes to; a process that dies at it takes only this one work with it."""
        executor = self._executor
        try:
            return await asyncio.get_running_loop().run_in_executor(executor, function, *words)
        except BrokenProcessPool:
            if executor is self._executor:  # the first to notice gets new ones
                self._executor = self._make()
                executor.shutdown(wait=False)
            raise

    def close(self) -> None:
        """Let them go without waiting for what they are at: it will be done again."""
        processes = getattr(self._executor, "_processes", None) or {}
        for process in list(processes.values()):
            process.terminate()
        self._executor.shutdown(wait=not self._processes, cancel_futures=True)

    def _make(self) -> Executor:
        if not self._processes:
            return ThreadPoolExecutor(1, "hands")
        # Spawned, not forked: a fork of a process with threads and open databases inherits their locks.
        pool = ProcessPoolExecutor(self._processes, get_context("spawn"), _leave_interrupts_to_the_parent)
        for _ in range(self._processes):  # started now: the first work finds them ready
            pool.submit(_be_ready)
        return pool


def _be_ready() -> None:
    import threadmill.service.work.cpu_work  # noqa: F401


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
