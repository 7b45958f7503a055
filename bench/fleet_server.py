"""Serves simulated forums to a fleet, and notes when each request reached this machine.

The kernel stamps what comes with its own clock (SO_TIMESTAMPNS). So a server that is busy, or waits for a
processor, notes the true moment all the same.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from threadmill.lab.simulate.server import Simulation

_SO_TIMESTAMPNS = 35  # asm-generic/socket.h; Python's socket does not name it
_TIMESPEC = struct.Struct("@ll")
_MOST = 65_536  # bytes of a request


@dataclass(frozen=True, slots=True)
class AskedHost:
    """One request as the server saw it. Times are those of time.monotonic()."""

    host: str
    worker: str
    came: float
    answered: float


class FleetServer:
    """Answers after a pause, as a server far away does, and notes who asked which host when."""

    def __init__(self, simulation: Simulation, latency: float) -> None:
        self.asked: list[AskedHost] = []
        self.forums = tuple(simulation.forums)
        self._simulation = simulation
        self._latency = latency

    async def serve_connection(self, connection: socket.socket) -> None:
        """Answer the requests of one connection, one after the other."""
        loop = asyncio.get_running_loop()
        with connection:
            while True:
                try:
                    head, came = await _receive(connection)
                    if not head:
                        return
                    await loop.sock_sendall(connection, await self._answer(head.decode("latin-1"), came))
                except OSError:
                    return  # the worker was killed

    async def _answer(self, head: str, came: float) -> bytes:
        line, *rest = head.split("\r\n")
        headers = dict(one.split(": ", 1) for one in rest if ": " in one)
        lower = {name.lower(): value for name, value in headers.items()}
        answer = self._simulation.answer(line.split(" ")[1], headers)
        await asyncio.sleep(came + self._latency - time.monotonic())
        worker = lower.get("user-agent", "").rpartition("worker-")[2].partition(")")[0]
        self.asked.append(AskedHost(lower.get("host", ""), worker, came, time.monotonic()))
        lines = [f"HTTP/1.1 {answer.status} OK", *(f"{name}: {value}" for name, value in answer.headers)]
        lines.append(f"Content-Length: {len(answer.body)}\r\n\r\n")
        return "\r\n".join(lines).encode("latin-1") + answer.body


async def _receive(connection: socket.socket) -> tuple[bytes, float]:
    """A request, and when its last bytes came. Nothing if the connection was closed."""
    head, came = b"", 0.0
    while not head.endswith(b"\r\n\r\n"):
        await _until_readable(connection)
        data, notes, _, _ = connection.recvmsg(_MOST, socket.CMSG_SPACE(_TIMESPEC.size))
        if not data:
            return b"", 0.0
        head += data
        seconds, nanoseconds = next(
            _TIMESPEC.unpack(note) for level, kind, note in notes if kind == _SO_TIMESTAMPNS
        )
        # The stamp is a time of day. How long ago that was is the same by any clock.
        came = time.monotonic() - (time.time() - (seconds + nanoseconds / 1e9))
    return head, came


async def _until_readable(connection: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    readable: asyncio.Future[None] = loop.create_future()

    def note() -> None:
        if not readable.done():
            readable.set_result(None)

    loop.add_reader(connection, note)
    try:
        await readable
    finally:
        loop.remove_reader(connection)


@contextmanager
def serving_fleet(server: FleetServer) -> Iterator[int]:
    """Serve in a thread. Yield the port."""
    loop = asyncio.new_event_loop()
    listening = socket.create_server(("127.0.0.1", 0), backlog=512)
    listening.setblocking(False)
    listening.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)  # its connections inherit it
    serving: set[asyncio.Task[None]] = set()

    async def accept() -> None:
        while True:
            connection, _ = await loop.sock_accept(listening)
            connection.setblocking(False)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            task = loop.create_task(server.serve_connection(connection))
            serving.add(task)
            task.add_done_callback(serving.discard)

    accepting = loop.create_task(accept())
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        tasks = accepting, *serving
        for task in tasks:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        listening.close()
        loop.close()
