from __future__ import annotations

import asyncio
import os
import threading
from concurrent.futures.process import BrokenProcessPool

import pytest

from threadmill.service.work.worker_pool import WorkerPool


def test_without_processes_work_runs_in_a_thread_of_this_process() -> None:
    async def work() -> tuple[int, bool]:
        pool = WorkerPool(0)
        try:
            there = await pool.run(threading.get_ident)
            return await pool.run(os.getpid), there != threading.get_ident()
        finally:
            pool.close()

    assert asyncio.run(work()) == (os.getpid(), True)
    assert WorkerPool(0).count == 1


def test_a_process_that_dies_costs_its_own_call_only() -> None:
    async def work() -> tuple[int, int]:
        pool = WorkerPool(1)
        try:
            before = await pool.run(os.getpid)
            with pytest.raises(BrokenProcessPool):
                await pool.run(os._exit, 9)
            return before, await pool.run(os.getpid)
        finally:
            pool.close()

    before, after = asyncio.run(work())
    assert len({before, after, os.getpid()}) == 3


def test_an_exception_of_the_work_comes_back() -> None:
    async def work() -> None:
        pool = WorkerPool(0)
        try:
            await pool.run(int, "x")
        finally:
            pool.close()

    with pytest.raises(ValueError, match="invalid literal"):
        asyncio.run(work())
