"""What a misbehaving server speaks through: the raw request, and a line to write whatever bytes it likes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Asked:
    """One request as it came in."""

    path: str
    query: str
    headers: dict[str, str]
    raw: bytes
    visit: int  # how often this path was asked for before, plus one


@dataclass
class Line:
    """The connection to answer on; `hang_up` after an answer that must not be followed by another."""

    writer: asyncio.StreamWriter
    hang_up: bool = False

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def answer(
        self,
        body: bytes = b"",
        status: str = "200 OK",
        kind: str = "text/html; charset=utf-8",
        **headers: Any,
    ) -> None:
        """A well-formed answer; headers by keyword, with _ for -; content_length may lie."""
        given = {"content_type": kind, "content_length": len(body), **headers}
        lines = "".join(
            f"{name.replace('_', '-').title()}: {value}\r\n" for name, value in given.items() if value != ""
        )
        await self.send(f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + body)

    def reset(self) -> None:
        """Drop the connection without a word."""
        self.hang_up = True
        self.writer.transport.abort()
