"""One HTTP/1.1 connection: bytes of a request out, one answer in, judged where it breaks the rules."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import cast

import httptools

from threadmill.errors import BadAnswerError, CutOffError, FetchError, FetchTimeoutError, HeadTooLargeError

Headers = tuple[tuple[str, str], ...]

# Browsers stop at 256 KiB (Chromium) and servers send under 16 KiB; beyond this it is a flood.
MAX_HEAD_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer as it came over the wire."""

    status: int
    reason: str
    headers: Headers
    body: bytes
    remote_address: str = ""
    truncated: str = ""
    flaw: str = ""  # what was wrong with it, when it could be kept all the same


class Connection(asyncio.Protocol):
    """A connection that asks one question at a time; httptools calls the on_… methods."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.remote_address = ""
        self.usable = False  # open, idle and in step with the peer
        self.heard = False  # has any byte of an answer come
        self._pipe: asyncio.Transport | None = None
        self._waiter: asyncio.Future[Reply] | None = None
        self._max_body = 0

    def ask(self, head: bytes, max_body: int) -> asyncio.Future[Reply]:
        """Send a request; the future brings the reply or a FetchError."""
        assert self._pipe is not None
        self._waiter = self._loop.create_future()
        self._max_body = max_body
        self._parser = httptools.HttpResponseParser(self)
        # What every browser forgives; each of our connections carries only our own requests, so
        # the smuggling these rules guard against has nobody to harm.
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
        # Not a list of pieces: a million chunks of two bytes would cost forty times their size. Most
        # bodies come in one piece and are never copied.
        self._body: bytes | bytearray = b""
        self._pipe.write(head)
        return self._waiter

    def give_up(self) -> None:
        """Time is up: keep what came of the body, or tell that nothing did."""
        if self._head_done:
            self._finish(truncated="time", flaw="timeout")
        else:
            self._fail(FetchTimeoutError("the server did not answer in time"))

    def close(self) -> None:
        """Hang up."""
        self.usable = False
        if self._pipe is not None:
            self._pipe.abort()

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The line is open."""
        self._pipe = cast(asyncio.Transport, transport)
        peer = transport.get_extra_info("peername")
        self.remote_address = str(peer[0]) if peer else ""
        self.usable = True

    def data_received(self, data: bytes) -> None:
        """Feed the parser; an answer nobody asked for ends the connection."""
        if self._waiter is None:
            self.close()
            return
        self.heard = True
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            self._misspoken(error)
        if not self._head_done:
            self._received += len(data)
            if self._received > MAX_HEAD_BYTES:
                self._fail(HeadTooLargeError(f"the headers go on after {self._received} bytes"))

    def connection_lost(self, exc: Exception | None) -> None:
        """The peer hung up: an end of the body, or in the midst of it."""
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

    # What httptools calls.

    def on_message_begin(self) -> None:
        """A head starts: the first one, or the real one after 100 Continue."""
        if self._waiter is None:  # after a complete answer: one nobody asked for
            self.close()
            return
        self._headers.clear()
        self._reason = b""

    def on_status(self, status: bytes) -> None:
        """The reason phrase, perhaps in pieces."""
        self._reason += status

    def on_header(self, name: bytes, value: bytes) -> None:
        """One header."""
        self._headers.append((name, value))

    def on_headers_complete(self) -> None:
        """The head is whole."""
        if self._parser.get_status_code() >= 200:
            self._head_done = True

    def on_body(self, body: bytes) -> None:
        """A piece of the body, up to the limit."""
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
        """The answer is whole; a connection still in step can be asked again."""
        if self._waiter is not None and self._head_done:
            keep = self._parser.should_keep_alive()
            self._finish(keep=keep)

    def _misspoken(self, error: Exception) -> None:
        if self._waiter is None:
            self.close()
        elif self._head_done:
            self._finish(truncated="disconnect", flaw="bad-chunking")
        else:
            self._fail(BadAnswerError(f"expected an HTTP answer, but {str(error) or type(error).__name__}"))

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
            Reply(
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
