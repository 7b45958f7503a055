"""One HTTP/1.1 connection: sends a request, reads one response, and notes what is wrong with it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import cast

import httptools

from threadmill.errors import BadAnswerError, CutOffError, FetchError, FetchTimeoutError, HeadTooLargeError

Headers = tuple[tuple[str, str], ...]

# Chromium stops at 256 KiB, and servers send less than 16 KiB. A longer head is an attack or an error.
MAX_HEAD_BYTES = 256 * 1024


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

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
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
        self._received = 0
        self._reason = b""
        self._headers: list[tuple[bytes, bytes]] = []
        # Not a list of pieces: a million chunks of two bytes would need forty times their size. Most bodies
        # come in one piece and are never copied.
        self._body: bytes | bytearray = b""
        self._pipe.write(head)
        return self._waiter

    def give_up(self) -> None:
        """End on a timeout: keep the part of the body that came, or fail if no head came."""
        if self._head_done:
            self._finish(truncated="time", flaw="timeout")
        else:
            self._fail(FetchTimeoutError("the server did not answer in time"))

    def close(self) -> None:
        """Close the connection at once."""
        self.usable = False
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
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            self._end_on_bad_data(error)
        if not self._head_done:
            self._received += len(data)
            if self._received > MAX_HEAD_BYTES:
                self._fail(HeadTooLargeError(f"the headers go on after {self._received} bytes"))

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
        """Collect one header."""
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
        self.usable = keep
        if not keep:
            self.close()

    def _fail(self, error: FetchError) -> None:
        waiter, self._waiter = self._waiter, None
        if waiter is not None and not waiter.done():
            waiter.set_exception(error)
        self.close()
