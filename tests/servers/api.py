"""The API alone on a free port, over a store, with nobody behind it who would fetch anything."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Self

import uvicorn

from tests.servers.rabbitmq import free_port
from tests.servers.service import TOKEN, Caller
from threadmill.config import ServiceSettings
from threadmill.service.http.app import make_app
from threadmill.store import Store


class API(Caller):
    """The application in a thread of its own."""

    def __init__(self, store: Store) -> None:
        self.port = free_port()
        app = make_app(store, ServiceSettings(token=TOKEN), lambda: None)
        config = uvicorn.Config(app, port=self.port, log_level="error", access_log=False, lifespan="off")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        while not self._server.started:
            time.sleep(0.02)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.should_exit = True
        self._thread.join(10)
