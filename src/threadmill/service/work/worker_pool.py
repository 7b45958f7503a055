"""A pool for CPU-bound functions: one thread of this process, or several processes."""

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
    """Runs functions outside the event loop. With processes, they do not slow down HTTP calls."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self.count = max(1, processes)
        self._executor = self._make_executor()

    async def run(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Run a function and return its result.

        When a worker process dies, its call raises BrokenProcessPool. Later calls use new processes.
        """
        executor = self._executor
        try:
            return await asyncio.get_running_loop().run_in_executor(executor, function, *arguments)
        except BrokenProcessPool:
            if executor is self._executor:  # only the first of several failed calls replaces the processes
                self._executor = self._make_executor()
                executor.shutdown(wait=False)
            raise

    def close(self) -> None:
        """Stop the processes without waiting for their work. It will be done again."""
        processes = getattr(self._executor, "_processes", None) or {}
        for process in list(processes.values()):
            process.terminate()
        self._executor.shutdown(wait=not self._processes, cancel_futures=True)

    def _make_executor(self) -> Executor:
        if not self._processes:
            return ThreadPoolExecutor(1, "worker-pool")
        # Spawned, not forked: a fork would inherit the locks of threads and open databases.
        pool = ProcessPoolExecutor(self._processes, get_context("spawn"), _ignore_interrupts)
        for _ in range(self._processes):  # start all processes now, so that the first work finds them ready
            pool.submit(_import_work)
        return pool


def _import_work() -> None:
    import threadmill.service.work.cpu_work  # noqa: F401


def _ignore_interrupts() -> None:
    """Ignore Ctrl-C in a worker process. The parent stops it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
