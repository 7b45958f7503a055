"""A web server on a free loopback port that misbehaves on request: `with MisbehavingServer() as server`."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.servers.behaviours import BEHAVIOURS
from tests.servers.wire import Asked, Line

# How /robots.txt answers, by name; anything else is taken as the text of the file.
ROBOTS: dict[str, Callable[[Line], Awaitable[None]]] = {
    "none": lambda line: line.answer(b"no such file", "404 Not Found"),
    "forbidden": lambda line: line.answer(b"not for you", "403 Forbidden"),
    "error": lambda line: line.answer(b"broken", "500 Internal Server Error"),
    "busy": lambda line: line.answer(b"later", "503 Service Unavailable"),
    "too many": lambda line: line.answer(b"later", "429 Too Many Requests"),
    "silent": lambda _: asyncio.sleep(3600),
    "loop": lambda line: line.answer(b"", "302 Found", location="/robots.txt"),
    "moved": lambda line: line.answer(b"", "301 Moved Permanently", location="/moved-robots.txt"),
}


class MisbehavingServer:
    """Runs in a thread of its own, so that it serves whatever a test does, and remembers what was asked."""

    def __init__(self, robots: str = "none", *, tls: bool = False) -> None:
        self.robots = robots
        self.scheme = "https" if tls else "http"
        self.hits: Counter[str] = Counter()
        self.asked: list[Asked] = []
        self.connections = 0
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._started.wait(10)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def url(self, path: str = "/ok", host: str = "127.0.0.1") -> str:
        """The URL of a behaviour."""
        return f"{self.scheme}://{host}:{self.port}{path}"

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        tls = self._certificate() if self.scheme == "https" else None
        starting = asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=tls)
        server = self._loop.run_until_complete(starting)
        self.port = server.sockets[0].getsockname()[1]
        self._started.set()
        self._loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(self._settle())
        self._loop.close()

    def _certificate(self) -> ssl.SSLContext:
        """One that nobody vouches for, of another name than the host's."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(Path(__file__).with_name("self_made.pem"))
        return context

    async def _settle(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*others, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = Line(writer)
        self.connections += 1
        try:
            while not line.hang_up:
                raw = await reader.readuntil(b"\r\n\r\n")
                await self._behave(self._read(raw), line)
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    def _read(self, raw: bytes) -> Asked:
        first, *lines = raw.decode("latin-1").split("\r\n")
        path, _, query = first.split(" ")[1].partition("?")
        pairs = (line.partition(":") for line in lines if line)
        self.hits[path] += 1
        headers = {name.lower(): value.strip() for name, _, value in pairs}
        asked = Asked(path, query, headers, raw, self.hits[path])
        self.asked.append(asked)
        return asked

    async def _behave(self, asked: Asked, line: Line) -> None:
        if asked.path == "/robots.txt":
            await self._answer_robots(line)
        elif asked.path == "/moved-robots.txt":
            await line.answer(b"User-agent: *\nDisallow: /ok", kind="text/plain")
        else:
            behave = BEHAVIOURS.get(asked.path.split("/")[1], BEHAVIOURS["missing"])
            await behave(asked, line)

    async def _answer_robots(self, line: Line) -> None:
        special = ROBOTS.get(self.robots)
        if special is not None:
            await special(line)
        else:
            await line.answer(self.robots.encode(), kind="text/plain")
