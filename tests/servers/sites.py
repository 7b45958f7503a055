"""A well-behaved site on a free loopback port, page by page as a test writes it, with a log."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

_REASONS = {200: "OK", 301: "Moved Permanently", 302: "Found", 404: "Not Found", 500: "Internal Server Error"}


@dataclass(frozen=True)
class Reply:
    """What one path answers."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "text/html; charset=utf-8"})


def page(*links: str, text: str = "words on a page") -> Reply:
    """An HTML page with these links."""
    anchors = "".join(f'<p>{text} <a href="{link}">more</a></p>' for link in links)
    return Reply(f"<!DOCTYPE html><title>{text}</title>{anchors}".encode())


def redirect(location: str, status: int = 302) -> Reply:
    """An answer that sends elsewhere."""
    return Reply(b"", status, {"Location": location})


class SiteServer:
    """Serves a mapping of paths, queries included, in a thread of its own."""

    def __init__(self, pages: dict[str, Reply], delay: float = 0.0) -> None:
        self.pages = pages
        self.delay = delay
        self.log: list[str] = []  # paths in the order they were asked for, robots.txt apart
        self.on_request: Callable[[str], None] | None = None
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

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        """The URL of a path."""
        return f"http://{host}:{self.port}{path}"

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=200))
        self.port = server.sockets[0].getsockname()[1]
        self._started.set()
        self._loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(self._settle())
        self._loop.close()

    async def _settle(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*others, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                raw = await reader.readuntil(b"\r\n\r\n")
                path = raw.split(b" ", 2)[1].decode()
                await self._answer(path, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _answer(self, path: str, writer: asyncio.StreamWriter) -> None:
        if path != "/robots.txt":
            self.log.append(path)
            if self.on_request is not None:
                self.on_request(path)
            if self.delay:
                await asyncio.sleep(self.delay)
        reply = self.pages.get(path, Reply(b"not here", 404))
        lines = [f"HTTP/1.1 {reply.status} {_REASONS.get(reply.status, 'Other')}"]
        lines += [f"{name}: {value}" for name, value in reply.headers.items()]
        lines.append(f"Content-Length: {len(reply.body)}")
        writer.write("\r\n".join([*lines, "", ""]).encode() + reply.body)
        await writer.drain()
