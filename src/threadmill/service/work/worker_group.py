"""A worker group: the consumers of a message queue, in this process or in one beside the HTTP server."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from multiprocessing import get_context, resource_tracker
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

_EXTRA_GROUPS = 1  # groups of sites requested beyond the workers: a free worker finds the next one ready
_JOIN_SECONDS = 10.0
_NICENESS = 5  # lower priority than the HTTP server; costs nothing on an idle machine
_RESTART_SECONDS = 1.0
# Seconds between tries to reach the database, ten minutes in all: a server that is repaired comes back.
_STORE_PAUSES = (1, 2, 4, 8, *[15] * 39)
_log = logging.getLogger("threadmill.service")


@contextlib.asynccontextmanager
async def worker_group(
    workspace: Workspace, store: Store, queue: MessageQueue, stages: Sequence[Stage], processes: int
) -> AsyncIterator[None]:
    """Start a queue with the consumers of some stages. Unfinished work at the end will be done again."""
    settings = workspace.settings.service
    pool = WorkerPool(processes)
    async with contextlib.AsyncExitStack() as stack:
        stack.callback(pool.close)
        collects = Stage.COLLECT in stages
        collector = await stack.enter_async_context(SiteCollector(workspace)) if collects else None
        handler = RetryingHandler(Stages(store, workspace.root, pool, collector, settings.vocabulary))
        stack.push_async_callback(queue.close)
        await queue.start()
        for stage in stages:
            reading = (pool.count + _EXTRA_GROUPS) * GROUP_SIZE
            together = {Stage.COLLECT: settings.together, Stage.READ: reading, Stage.DECIDE: 1}[stage]
            await queue.consume(stage, handler, together)
        if not stages:
            await queue.watch_dead_letters(handler.give_up)
        yield


class WorkerGroupProcess:
    """Runs all stages in a separate process, so that reading a large page does not delay HTTP calls."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._context = get_context("spawn")  # a fork would inherit the locks of open databases
        self._pipe: Connection | None = None

    def wake(self) -> None:
        """Tell the process about a new task. A process that just starts finds it by itself."""
        if self._pipe is not None:
            with contextlib.suppress(OSError):
                self._pipe.send_bytes(b"task")

    async def run(self) -> None:
        """Keep a process running, until cancelled. When one dies, the next goes on from the store."""
        while True:
            await self._run_once()
            _log.warning("the worker process ended; starting another one")
            await asyncio.sleep(_RESTART_SECONDS)

    async def _run_once(self) -> None:
        self._pipe, child_pipe = self._context.Pipe()
        process = self._context.Process(target=_run_in_process, args=(self._workspace, child_pipe))
        with _interrupts_blocked():  # Ctrl-C goes to all; the new process cannot ignore it while it loads
            process.start()
        child_pipe.close()
        ended = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.add_reader(process.sentinel, ended.set)
        try:
            await ended.wait()
        finally:
            loop.remove_reader(process.sentinel)
            self._pipe.close()  # the process notices this and stops, also when this process was killed
            self._pipe = None
            process.join(_JOIN_SECONDS)
            if process.is_alive():
                process.kill()


@contextlib.contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Processes that are started meanwhile do not notice Ctrl-C."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # its start would let interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _run_in_process(workspace: Workspace, pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    _lower_priority()
    set_up_log()
    store = wait_for_store(workspace.store_url)
    try:
        asyncio.run(_run_until_pipe_closes(workspace, store, pipe))
    finally:
        store.close()


def _lower_priority() -> None:
    """Let the HTTP server run first: its callers wait, while a task takes minutes anyway."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(_NICENESS)


async def _run_until_pipe_closes(workspace: Workspace, store: Store, pipe: Connection) -> None:
    processes = workspace.settings.service.processes
    queue = InProcessQueue()
    controller = TaskController(store, queue, queue_is_durable=False)
    closed = asyncio.Event()

    def on_pipe_event() -> None:
        try:
            pipe.recv_bytes()
            controller.wake()
        except (EOFError, OSError):
            closed.set()
            asyncio.get_running_loop().remove_reader(pipe.fileno())

    asyncio.get_running_loop().add_reader(pipe.fileno(), on_pipe_event)
    async with worker_group(workspace, store, queue, tuple(Stage), processes if processes > 1 else 0):
        controlling = asyncio.create_task(controller.run())
        closing = asyncio.create_task(closed.wait())
        done, _ = await asyncio.wait([controlling, closing], return_when=asyncio.FIRST_COMPLETED)
        controlling.cancel()
        if controlling in done:
            controlling.result()


def wait_for_store(url: str) -> Store:
    """Open the store. Wait for a database server that is not up yet: all servers may start together."""
    for pause in _STORE_PAUSES:
        try:
            return open_store(url)
        except StoreError as error:
            if "cannot reach" not in str(error) and "shut down" not in str(error):
                raise
            _log.warning("%s; trying again in %d s", error, pause)
            time.sleep(pause)
    return open_store(url)


def set_up_log() -> None:
    """Write warnings of the service to standard error, one line each."""
    if not _log.hasHandlers():  # the command may have set one up
        _log.addHandler(logging.StreamHandler())
    _log.setLevel(logging.WARNING)
    logging.getLogger("aio_pika").setLevel(logging.CRITICAL)  # the service reports broker errors itself
    logging.getLogger("aiormq").setLevel(logging.CRITICAL)
