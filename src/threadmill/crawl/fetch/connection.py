"""One HTTP/1.1 connection: sends a request, reads one response, and notes what is wrong with it."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from typing import cast

import httptools

from threadmill.errors import BadAnswerError, CutOffError, FetchError, FetchTimeoutError, HeadTooLargeError

Headers = tuple[tuple[str, str], ...]

# Chromium stops at 256 KiB, and servers send less than 16 KiB. A longer head is an attack or an error.
MAX_HEAD_BYTES = 256 * 1024
# A chunk of one byte takes six. More than this per byte is an attack.
_MAX_CHUNK_OVERHEAD = 16
_EXTRA_SECONDS = 10.0  # for a response that had to wait for memory until its time was over


class BodyMemory:
    """Limits the bytes of unfinished bodies over all connections.

    Beyond the limit only the connection that began first goes on; the others stop reading until it has ended.
    So one always ends, and the memory is at most the limit, one body more, and a little for each connection.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held: dict[HTTPConnection, int] = {}  # in the order in which their bodies began
        self._paused: dict[HTTPConnection, None] = {}
        self.total = 0

    def grow(self, connection: HTTPConnection, count: int) -> None:
        """Note that a body has grown."""
        if not count:
            return
        self._held[connection] = self._held.get(connection, 0) + count
        self.total += count
        if self.total > self._limit and connection is not next(iter(self._held)):
            self._paused[connection] = None
            connection.pause()

    def release(self, connection: HTTPConnection) -> None:
        """Note that a body is finished or given up."""
        self.total -= self._held.pop(connection, 0)
        self._paused.pop(connection, None)
        if self.total <= self._limit:
            waiting = list(self._paused)
        else:
            waiting = [first] if (first := next(iter(self._held), None)) in self._paused and first else []
        for other in waiting:
            self._paused.pop(other, None)
            other.resume()


@dataclass(frozen=True, slots=True)
class RawResponse:
    """A response as it came over the wire, before content encodings are removed."""

    status: int
    reason: str
    headers: Headers
    body: bytes
    remote_address: str = ""
    truncated: str = ""
    flaw: str = ""  # what was wrong with it, if it could be kept nevertheless


class HTTPConnection(asyncio.Protocol):
    """A connection that serves one request at a time. httptools calls the on_… methods."""

    def __init__(self, memory: BodyMemory | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        self._memory = memory or BodyMemory(sys.maxsize)
        self._paused = self._overdue = False
        self.remote_address = ""
        self.usable = False  # open, idle, and ready for another request
        self.heard = False  # has any byte of a response come
        self._pipe: asyncio.Transport | None = None
        self._waiter: asyncio.Future[RawResponse] | None = None
        self._max_body = 0

    def send(self, head: bytes, max_body: int) -> asyncio.Future[RawResponse]:
        """Send a request. The future yields the response or raises a FetchError."""
        assert self._pipe is not None
        self._waiter = self._loop.create_future()
        self._max_body = max_body
        self._parser = httptools.HttpResponseParser(self)
        # Browsers tolerate all of these. The strict rules guard against request smuggling, which cannot harm
        # anybody here: a connection carries only our own requests.
        self._parser.set_dangerous_leniencies(
            lenient_headers=True,
            lenient_chunked_length=True,
            lenient_transfer_encoding=True,
            lenient_optional_cr_before_lf=True,
            lenient_spaces_after_chunk_size=True,
            lenient_data_after_close=True,
        )
        self.usable = False
        self.heard = False
        self._head_done = False
        self._received = 0  # bytes that are no body
        self._reason = b""
        self._headers: list[tuple[bytes, bytes]] = []
        # Not a list of pieces: a million chunks of two bytes would need forty times their size. Most bodies
        # come in one piece and are never copied.
        self._body: bytes | bytearray = b""
        self._pipe.write(head)
        return self._waiter

    def give_up(self) -> None:
        """End on a timeout: keep the part of the body that came, or fail if no head came.

        A connection that waits for memory is not the server's fault: it gets time when it goes on.
        """
        if self._paused:
            self._overdue = True
        elif self._head_done:
            self._finish(truncated="time", flaw="timeout")
        else:
            self._fail(FetchTimeoutError("the server did not answer in time"))

    def pause(self) -> None:
        """Stop reading: other bodies fill the memory."""
        self._paused = True
        if self._pipe is not None:
            self._pipe.pause_reading()

    def resume(self) -> None:
        """Read on."""
        self._paused = False
        if self._pipe is not None and not self._pipe.is_closing():
            self._pipe.resume_reading()
        if self._overdue:
            self._overdue = False
            self._loop.call_later(_EXTRA_SECONDS, self._give_up_unless_done, self._waiter)

    def _give_up_unless_done(self, waiter: asyncio.Future[RawResponse] | None) -> None:
        if waiter is not None and waiter is self._waiter:
            self.give_up()

    def close(self) -> None:
        """Close the connection at once."""
        self.usable = False
        self._memory.release(self)
        if self._pipe is not None:
            self._pipe.abort()

    # asyncio calls these.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Note that the connection is open."""
        self._pipe = cast(asyncio.Transport, transport)
        peer = transport.get_extra_info("peername")
        self.remote_address = str(peer[0]) if peer else ""
        self.usable = True

    def data_received(self, data: bytes) -> None:
        """Feed the parser. Close the connection if no request is waiting for a response."""
        if self._waiter is None:
            self.close()
            return
        self.heard = True
        body_before = len(self._body)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            self._end_on_bad_data(error)
        self._keep_limits(len(data), len(self._body) - body_before)

    def _keep_limits(self, came: int, grown: int) -> None:
        """End a response whose head, chunk sizes or trailer are too long; wait if all bodies are."""
        if self._waiter is None:
            return
        self._received += came - grown
        if not self._head_done:
            if self._received > MAX_HEAD_BYTES:
                self._fail(HeadTooLargeError(f"the headers go on after {self._received} bytes"))
        elif self._received > MAX_HEAD_BYTES + _MAX_CHUNK_OVERHEAD * len(self._body):
            self._finish(truncated="length", flaw="too-large")
        else:
            self._memory.grow(self, grown)

    def connection_lost(self, exc: Exception | None) -> None:
        """End the response: complete if only the close marks its end, otherwise cut off."""
        self.usable = False
        if self._waiter is None:
            return
        if not self._head_done:
            detail = f": {exc}" if exc else ""
            self._fail(CutOffError(f"the server closed the connection without an answer{detail}"))
        elif self._has_known_end() or exc is not None:
            self._finish(truncated="disconnect", flaw="cut-off")
        else:
            self._finish()

    # httptools calls these.

    def on_message_begin(self) -> None:
        """Start a head: the only one, or the final one after 100 Continue."""
        if self._waiter is None:  # a second response, which nobody asked for
            self.close()
            return
        self._headers.clear()
        self._reason = b""

    def on_status(self, status: bytes) -> None:
        """Collect the reason phrase. It may come in pieces."""
        self._reason += status

    def on_header(self, name: bytes, value: bytes) -> None:
        """Collect one header. Those of a trailer are ignored, as browsers do."""
        if not self._head_done:
            self._headers.append((name, value))

    def on_headers_complete(self) -> None:
        """Note that the head is complete, unless it is an interim one (1xx)."""
        if self._parser.get_status_code() >= 200:
            self._head_done = True

    def on_body(self, body: bytes) -> None:
        """Collect a piece of the body. Stop at the limit."""
        if self._waiter is None:
            return
        if not self._body:
            self._body = body
        elif isinstance(self._body, bytearray):
            self._body += body
        else:
            self._body = bytearray(self._body) + body
        if len(self._body) > self._max_body:
            self._body = self._body[: self._max_body]
            self._finish(truncated="length", flaw="too-large")

    def on_message_complete(self) -> None:
        """Finish the response. Keep the connection for another request if the server allows it."""
        if self._waiter is not None and self._head_done:
            keep = self._parser.should_keep_alive()
            self._finish(keep=keep)

    def _end_on_bad_data(self, error: Exception) -> None:
        if self._waiter is None:
            self.close()
        elif self._head_done:
            self._finish(truncated="disconnect", flaw="bad-chunking")
        else:
            self._fail(BadAnswerError(f"expected an HTTP response, but {str(error) or type(error).__name__}"))

    def _has_known_end(self) -> bool:
        names = {name.lower() for name, _ in self._headers}
        return b"content-length" in names or b"transfer-encoding" in names

    def _finish(self, *, truncated: str = "", flaw: str = "", keep: bool = False) -> None:
        waiter, self._waiter = self._waiter, None
        self._memory.release(self)
        if waiter is None or waiter.done():
            self.close()
            return
        headers = tuple([(name.decode("latin-1"), value.decode("latin-1")) for name, value in self._headers])
        waiter.set_result(
            RawResponse(
                self._parser.get_status_code(),
                self._reason.decode("latin-1"),
                headers,
                bytes(self._body),
                self.remote_address,
                truncated,
                flaw,
            )
        )
        self._body = b""  # an idle connection must not keep it
        self.usable = keep
        if not keep:
            self.close()

    def _fail(self, error: FetchError) -> None:
        waiter, self._waiter = self._waiter, None
        if waiter is not None and not waiter.done():
            waiter.set_exception(error)
        self.close()
