"""The two long-running programs: `serve` answers HTTP calls, `work` runs stages as a separate worker."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from threadmill.config import ServiceSettings
from threadmill.errors import MissingDependencyError, SettingsError
from threadmill.service.queue.message_queue import InProcessQueue, MessageQueue
from threadmill.service.queue.messages import Stage
from threadmill.service.queue.rabbitmq import RabbitMessageQueue
from threadmill.service.work.controller import TaskController
from threadmill.service.work.worker_group import WorkerGroupProcess, worker_group
from threadmill.store import Store
from threadmill.workspace import Workspace

if TYPE_CHECKING:
    from fastapi import FastAPI
    from uvicorn import Server

Announce = Callable[[str], None]
_BACKLOG = 2048  # connections that may wait: callers can come as soon as the address is announced


def serve(
    workspace: Workspace,
    store: Store,
    announce: Announce,
    extend: Callable[[FastAPI, Callable[[], None]], str] | None = None,
) -> None:
    """Answer HTTP calls until stopped. Without a broker, also run all stages.

    `extend` may add pages to the application, such as the console. It is given the application and what to
    call after a new task, and returns where the pages are.
    """
    try:
        import uvicorn
    except ImportError:
        raise MissingDependencyError("uvicorn", "service", "The service") from None
    from threadmill.service.http.app import make_app  # needs FastAPI, which a worker does not

    settings = workspace.settings.service
    listening = _listen(settings)

    async def answer_calls(wake: Callable[[], None], background: Coroutine[Any, Any, None]) -> None:
        app = make_app(store, settings, wake)
        added = extend(app, wake) if extend is not None else ""
        last = 2  # seconds for answers under way; the events of the console never end
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, lifespan="off", timeout_graceful_shutdown=last
        )
        server = uvicorn.Server(config)
        host, port = listening.getsockname()[:2]
        announce(f"serving at http://{host}:{port}/ (documentation: /docs and /redoc{added})")
        await _run_both(asyncio.create_task(background), server, listening)

    async def run() -> None:
        if not settings.broker and settings.processes:
            workers = WorkerGroupProcess(workspace)
            await answer_calls(workers.wake, workers.run())
            return
        queue: MessageQueue = RabbitMessageQueue(settings.broker) if settings.broker else InProcessQueue()
        controller = TaskController(store, queue, queue_is_durable=bool(settings.broker))
        stages = () if settings.broker else tuple(Stage)
        async with worker_group(workspace, store, queue, stages, 0):
            await answer_calls(controller.wake, controller.run())

    asyncio.run(run())


def work(workspace: Workspace, store: Store, stages: Sequence[Stage], announce: Announce) -> None:
    """Run some stages on the messages of a broker, until stopped."""
    settings = workspace.settings.service
    if not settings.broker:
        raise SettingsError(
            "a worker takes its work from a broker, but service.broker is not set; "
            "set it, or use `threadmill serve` alone, which does all the work itself"
        )

    async def run() -> None:
        stop = asyncio.Event()
        for name in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(name, stop.set)
        async with worker_group(workspace, store, RabbitMessageQueue(settings.broker), stages, 0):
            announce(f"working on {', '.join(stages)}")
            await stop.wait()

    asyncio.run(run())


async def _run_both(background: asyncio.Task[None], server: Server, listening: socket.socket) -> None:
    """Answer calls until the server is stopped or the background task fails. Then stop the other one too."""
    answering = asyncio.create_task(server.serve([listening]))
    await asyncio.wait([background, answering], return_when=asyncio.FIRST_COMPLETED)
    server.should_exit = True
    await answering
    background.cancel()
    try:
        await background
    except asyncio.CancelledError:
        return


def _listen(settings: ServiceSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        raise SettingsError(
            f"cannot listen on {settings.host}:{settings.port}: {error.strerror}; "
            "set service.host and service.port, or use --host and --port"
        ) from None
    return listening
