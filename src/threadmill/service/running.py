"""The two long-running programs: the service with its controller, and a worker of one or all stages."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from threadmill.config import ServiceSettings
from threadmill.errors import MissingDependencyError, SettingsError, StoreError
from threadmill.service.api import make_app
from threadmill.service.attempts import Attempts
from threadmill.service.collector import Collector
from threadmill.service.controller import Controller
from threadmill.service.hands import Hands
from threadmill.service.message import Stage
from threadmill.service.queue import InProcessQueue, Queue
from threadmill.service.rabbit import RabbitStages
from threadmill.service.stages import Stages
from threadmill.store import Store, open_store
from threadmill.workspace import Workspace

# A message more than hands: the next one is there when a hand is free.
_AHEAD = 1
_log = logging.getLogger("threadmill.service")
Announce = Callable[[str], None]


def serve(workspace: Workspace, store: Store, announce: Announce) -> None:
    """Answer calls until told to stop; without a broker, also do all the work."""
    try:
        import uvicorn
    except ImportError:
        raise MissingDependencyError("uvicorn", "service", "The service") from None

    settings = workspace.settings.service
    listening = _listen(settings)

    async def run() -> None:
        queue: Queue = RabbitStages(settings.broker) if settings.broker else InProcessQueue()
        controller = Controller(store, queue, queue_remembers=bool(settings.broker))
        app = make_app(store, settings, controller.wake)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False, lifespan="off"))
        stages = () if settings.broker else tuple(Stage)
        async with _crew(workspace, store, queue, stages, settings.processes):
            control = asyncio.create_task(controller.run())
            host, port = listening.getsockname()[:2]
            announce(f"serving at http://{host}:{port}/ (documentation: /docs and /redoc)")
            answering = asyncio.create_task(server.serve([listening]))
            await _first_end([control, answering], server)

    asyncio.run(run())


def work(workspace: Workspace, store: Store, stages: Sequence[Stage], announce: Announce) -> None:
    """Work on the messages of some stages until told to stop."""
    settings = workspace.settings.service
    if not settings.broker:
        raise SettingsError(
            "a worker takes its work from a broker, but service.broker is not set; "
            "without one, `threadmill serve` does all the work itself"
        )

    async def run() -> None:
        stop = asyncio.Event()
        for name in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(name, stop.set)
        async with _crew(workspace, store, RabbitStages(settings.broker), stages, 0):
            announce(f"working on {', '.join(stages)}")
            await stop.wait()

    asyncio.run(run())


@contextlib.asynccontextmanager
async def _crew(
    workspace: Workspace, store: Store, queue: Queue, stages: Sequence[Stage], processes: int
) -> AsyncIterator[None]:
    """A queue with its consumers; what they are at when it ends is left to be done again."""
    settings = workspace.settings.service
    hands = Hands(processes)
    async with contextlib.AsyncExitStack() as stack:
        stack.callback(hands.close)
        collects = Stage.COLLECT in stages
        collector = await stack.enter_async_context(Collector(workspace)) if collects else None
        handler = Attempts(Stages(store, workspace.root, hands, collector, settings.vocabulary))
        stack.push_async_callback(queue.close)
        await queue.start()
        for stage in stages:
            together = {Stage.COLLECT: settings.together, Stage.DECIDE: 1}.get(stage, hands.count + _AHEAD)
            await queue.consume(stage, handler, together)
        if not stages:
            await queue.watch_the_dead(handler.give_up)
        yield


async def _first_end(tasks: Sequence[asyncio.Task[None]], server: Any) -> None:
    """Wait until the server stops, or something fails that should not; then stop the rest."""
    done, left = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    server.should_exit = True
    for task in left:
        if task is not tasks[-1]:
            task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
    for task in done:
        task.result()


def _listen(settings: ServiceSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
        listening.listen(2048)  # callers may come from the moment we say so
    except OSError as error:
        listening.close()
        raise SettingsError(
            f"cannot listen on {settings.host}:{settings.port}: {error.strerror}; "
            "set service.host and service.port, or give --host and --port"
        ) from None
    return listening


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
    log = logging.getLogger("threadmill.service")
    log.addHandler(logging.StreamHandler())
    log.setLevel(logging.WARNING)
    logging.getLogger("aio_pika").setLevel(logging.CRITICAL)  # we say it ourselves
    logging.getLogger("aiormq").setLevel(logging.CRITICAL)
