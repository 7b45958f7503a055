"""CPU per request of our fetcher beside aiohttp and httpx: 50 kB from loopback, keep-alive, 16 at a time."""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
import time
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from multiprocessing.connection import Connection

from bench.figures import Figure, at_most, write_figures
from threadmill.config import Settings, override
from threadmill.crawl.fetch.client import Fetcher, Request

REQUESTS = 3000
CONCURRENCY = 16
ROUNDS = 3

_PARAGRAPH = b"<p>Some words of a page and <a href='/page/2'>a link</a> to another one.</p>\n"
PAGE = b"<html><head><title>A page</title></head><body>%s</body></html>" % (_PARAGRAPH * 650)
ANSWER = (
    b'HTTP/1.1 200 OK\r\nServer: bench\r\nDate: Sun, 15 Nov 2026 21:00:00 GMT\r\nETag: "abc"\r\n'
    b"Content-Type: text/html; charset=utf-8\r\nCache-Control: private\r\nVary: Accept-Encoding\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (len(PAGE), PAGE)
)

One = Callable[[str], Awaitable[int]]


class Server(asyncio.Protocol):
    """Answers every request with the same page."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the line."""
        self._transport = transport
        self._pending = b""

    def data_received(self, data: bytes) -> None:
        """One answer for each complete head."""
        *heads, self._pending = (self._pending + data).split(b"\r\n\r\n")
        for _ in heads:
            self._transport.write(ANSWER)  # type: ignore[attr-defined]


def serve(pipe: Connection) -> None:
    """Run the server and tell its port."""

    async def go() -> None:
        server = await asyncio.get_running_loop().create_server(Server, "127.0.0.1", 0)
        pipe.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(go())


async def measure(one: One, base: str) -> float:
    """Milliseconds of CPU per request, after a warm-up."""

    async def drive(numbers: range) -> None:
        todo = iter(numbers)

        async def work() -> None:
            for number in todo:
                assert await one(f"{base}/page/{number}") == len(PAGE)

        await asyncio.gather(*(work() for _ in range(CONCURRENCY)))

    await drive(range(200))
    started = time.process_time()
    await drive(range(REQUESTS))
    return (time.process_time() - started) / REQUESTS * 1000


async def ours(base: str, *, robots: bool = False) -> float:
    """The whole fetcher: politeness, robots.txt, cookies, records for the archive."""
    settings = override(Settings(), "crawl", delay=0.0, host_concurrency=CONCURRENCY, robots=robots)
    async with Fetcher(settings) as fetcher:

        async def one(url: str) -> int:
            return len((await fetcher.fetch(Request(url))).capture.payload)

        return await measure(one, base)


async def with_robots(base: str) -> float:
    """The same, with every URL judged by a robots.txt (that of this server is an HTML page: no rules)."""
    return await ours(base, robots=True)


async def with_aiohttp(base: str) -> float:
    """A bare aiohttp session."""
    import aiohttp

    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(auto_decompress=False, connector=connector) as session:

        async def one(url: str) -> int:
            async with session.get(url, allow_redirects=False) as response:
                return len(await response.read())

        return await measure(one, base)


async def with_httpx(base: str) -> float:
    """A bare httpx client."""
    import httpx

    async with httpx.AsyncClient() as client:

        async def one(url: str) -> int:
            return len((await client.get(url)).content)

        return await measure(one, base)


def main() -> None:
    """Measure each in turn, several rounds, and print the best of each."""
    clients: dict[str, Callable[[str], Awaitable[float]]] = {
        "threadmill": ours,
        "threadmill, robots.txt": with_robots,
    }
    peers = {"aiohttp": with_aiohttp, "httpx": with_httpx}
    clients.update({name: run for name, run in peers.items() if find_spec(name)})
    ours_end, theirs = multiprocessing.Pipe()
    server = multiprocessing.Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    base = f"http://127.0.0.1:{ours_end.recv()}"
    best = dict.fromkeys(clients, float("inf"))
    for _ in range(ROUNDS):
        for name, run in clients.items():
            best[name] = min(best[name], asyncio.run(run(base)))  # type: ignore[arg-type]
    server.terminate()
    for name, cost in best.items():
        print(f"{name:<24} {cost:.3f} ms of CPU per request   {cost / best['threadmill']:.1f}x")
    theirs_best = {name: cost for name, cost in best.items() if name in peers}
    bar = at_most(theirs_best["aiohttp"]) if "aiohttp" in theirs_best else None
    write_figures(
        "fetch", [Figure("crawl", "CPU per request of 50 kB", best["threadmill"], bar, "ms", theirs_best)]
    )
    for name in peers.keys() - clients.keys():
        print(f"{name} is not installed: pip install {name}", file=sys.stderr)


if __name__ == "__main__":
    main()
