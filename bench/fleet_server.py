"""Serves simulated forums to a fleet, and notes when each request reached this machine.

The kernel tells how long ago the last bytes of a connection came (TCP_INFO). So a server that is busy, or
waits for a processor, notes the true moment all the same.
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

_SHORT = 0.002  # seconds
_TCP_INFO = 11  # socket.TCP_INFO is missing before Python 3.12 on some systems
# The 13th number of struct tcp_info (linux/tcp.h), after 8 bytes of flags: milliseconds since data came.
_LAST_RECEIVED = struct.Struct("8x10I I I")


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

    async def serve_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection, one after the other."""
        connection: socket.socket = writer.get_extra_info("socket")
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                came = _arrival(connection)
                writer.write(await self._answer(head.decode("latin-1"), came))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the worker closed the connection, or was killed
        finally:
            writer.close()

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


def _arrival(connection: socket.socket) -> float:
    """When the last bytes came. It is asked again if this process was stopped while it asked."""
    while True:
        before = time.monotonic()
        told = connection.getsockopt(socket.IPPROTO_TCP, _TCP_INFO, _LAST_RECEIVED.size)
        if time.monotonic() - before < _SHORT:
            milliseconds: int = _LAST_RECEIVED.unpack(told)[-1]
            return before - milliseconds / 1000


@contextmanager
def serving_fleet(server: FleetServer) -> Iterator[int]:
    """Serve in a thread. Yield the port."""
    loop = asyncio.new_event_loop()
    opening = asyncio.start_server(server.serve_connection, "127.0.0.1", 0, backlog=512)
    listening = loop.run_until_complete(opening)
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield listening.sockets[0].getsockname()[1]
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        listening.close()
