"""A server that answers whatever a check wants: the hostile ones of the trust bench."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def hostile_server(answer: Callable[[str], Iterator[bytes]], robots: bytes = b"") -> Iterator[str]:
    """A server that sends for every path what a function yields, and closes."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=200)

    def serve(line: socket.socket) -> None:
        with line:
            try:
                path = line.recv(65536).split(b" ")[1].decode()
                if path == "/robots.txt":
                    line.sendall(robots or b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                    return
                for piece in answer(path):
                    line.sendall(piece)
            except (OSError, IndexError):
                return

    def accept() -> None:
        while True:
            try:
                line, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(line,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    finally:
        listener.close()
