"""A queue with everybody who works on it, here or in a process beside the one that answers calls."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import time
from collections.abc import AsyncIterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection

from threadmill.errors import StoreError
from threadmill.service.queue.message_queue import InProcessQueue, MessageQueue
from threadmill.service.queue.messages import Stage
from threadmill.service.work.collector import SiteCollector
from threadmill.service.work.controller import TaskController
from threadmill.service.work.retries import RetryingHandler
from threadmill.service.work.site_reader import GROUP_SIZE
from threadmill.service.work.stages import Stages
from threadmill.service.work.worker_pool import WorkerPool
from threadmill.store import Store, open_store
from threadmill.workspace import Workspace

_AHEAD = 1  # a group of messages more than hands: the next one is there when a hand is free
_LEAVE_SECONDS = 10.0
_POLITE = 5  # niceness; on an idle machine it costs nothing
_log = logging.getLogger("threadmill.service")


@contextlib.asynccontextmanager
async def worker_group(
    workspace: Workspace, store: Store, queue: MessageQueue, stages: Sequence[Stage], processes: int
) -> AsyncIterator[None]:
    """A queue with its consumers; what they are at when it ends is left to be done again."""
    settings = workspace.settings.service
    hands = WorkerPool(processes)
    async with contextlib.AsyncExitStack() as stack:
        stack.callback(hands.close)
        collects = Stage.COLLECT in stages
        collector = await stack.enter_async_context(SiteCollector(workspace)) if collects else None
        handler = RetryingHandler(Stages(store, workspace.root, hands, collector, settings.vocabulary))
        stack.push_async_callback(queue.close)
        await queue.start()
        for stage in stages:
            reading = (hands.count + _AHEAD) * GROUP_SIZE
            together = {Stage.COLLECT: settings.together, Stage.READ: reading, Stage.DECIDE: 1}[stage]
            await queue.consume(stage, handler, together)
        if not stages:
            await queue.watch_the_dead(handler.give_up)
        yield


class WorkerGroupProcess:
    """All stages in a process of their own: calls are answered at once, however long a page takes to read."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._context = get_context("spawn")  # a fork would inherit the locks of open databases
        self._line: Connection | None = None

    def wake(self) -> None:
        """There is a new task; a process that is just being started sees it by itself."""
        if self._line is not None:
            with contextlib.suppress(OSError):
                self._line.send_bytes(b"task")

    async def run(self) -> None:
        """Keep it alive until cancelled; one that dies loses nothing, the next goes on from the store."""
        while True:
            await self._one()
            _log.warning("the process that does the work ended; starting another")
            await asyncio.sleep(1)

    async def _one(self) -> None:
        self._line, theirs = self._context.Pipe()
        process = self._context.Process(target=_work, args=(self._workspace, theirs))
        process.start()
        theirs.close()
        ended = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.add_reader(process.sentinel, ended.set)
        try:
            await ended.wait()
        finally:
            loop.remove_reader(process.sentinel)
            self._line.close()  # which it hears, as it would if we were killed
            self._line = None
            process.join(_LEAVE_SECONDS)
            if process.is_alive():
                process.kill()


def _work(workspace: Workspace, line: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent says when it is over
    _give_way()
    set_up_log()
    store = wait_for_store(workspace.store_url)
    try:
        asyncio.run(_until_told(workspace, store, line))
    finally:
        store.close()


def _give_way() -> None:
    """Whoever asks over HTTP waits for an answer; work that takes minutes can wait for a moment."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(_POLITE)


async def _until_told(workspace: Workspace, store: Store, line: Connection) -> None:
    processes = workspace.settings.service.processes
    queue = InProcessQueue()
    controller = TaskController(store, queue, queue_remembers=False)
    over = asyncio.Event()

    def hear() -> None:
        try:
            line.recv_bytes()
            controller.wake()
        except (EOFError, OSError):
            over.set()
            asyncio.get_running_loop().remove_reader(line.fileno())

    asyncio.get_running_loop().add_reader(line.fileno(), hear)
    async with worker_group(workspace, store, queue, tuple(Stage), processes if processes > 1 else 0):
        control = asyncio.create_task(controller.run())
        ending = asyncio.create_task(over.wait())
        done, _ = await asyncio.wait([control, ending], return_when=asyncio.FIRST_COMPLETED)
        control.cancel()
        if control in done:
            control.result()


def wait_for_store(url: str) -> Store:
    """Open the store; a server that is not up yet is waited for, as everything starts at one moment."""
    for pause in (1, 2, 4, 8, 15, 15, 15):
        try:
            return open_store(url)
        except StoreError as error:
            if "cannot reach" not in str(error) and "shut down" not in str(error):
                raise
            _log.warning("%s; trying again in %d s", error, pause)
            time.sleep(pause)
    return open_store(url)


def set_up_log() -> None:
    """Warnings of the service, one line each on standard error."""
    _log.addHandler(logging.StreamHandler())
    _log.setLevel(logging.WARNING)
    logging.getLogger("aio_pika").setLevel(logging.CRITICAL)  # we say it ourselves
    logging.getLogger("aiormq").setLevel(logging.CRITICAL)
