from __future__ import annotations

import asyncio
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.crawl.fetch.connection import MAX_HEAD_BYTES, BodyMemory, HTTPConnection, RawResponse
from threadmill.errors import BadAnswerError, CutOffError, FetchError, HeadTooLargeError


class Pipe(asyncio.Transport):
    """A line that leads nowhere."""

    def __init__(self) -> None:
        super().__init__(extra={"peername": ("192.0.2.1", 80)})
        self.sent = b""
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.sent += bytes(data)

    def abort(self) -> None:
        self.closed = True


def converse(
    *pieces: bytes, max_body: int = 1000, error: Exception | None = None
) -> tuple[RawResponse | FetchError, bool]:
    """What comes of an answer that arrives in these pieces, and whether the connection can be used again."""

    async def go() -> tuple[RawResponse | FetchError, bool]:
        connection, pipe = HTTPConnection(), Pipe()
        connection.connection_made(pipe)
        waiting = connection.send(b"GET / HTTP/1.1\r\n\r\n", max_body)
        for piece in pieces:
            if not pipe.closed:
                connection.data_received(piece)
        usable = connection.usable
        assert usable is not pipe.closed or not waiting.done()
        connection.connection_lost(error)
        try:
            return await waiting, usable
        except FetchError as failure:
            return failure, usable

    return asyncio.run(go())


ANSWER = b"HTTP/1.1 200 Fine\r\nContent-Length: 5\r\nX-A: 1\r\nx-a: 2\r\n\r\nhello"


@given(st.lists(st.integers(0, len(ANSWER)), max_size=8).map(sorted))
def test_an_answer_is_the_same_in_whatever_pieces_it_comes(cuts: list[int]) -> None:
    ends = [0, *cuts, len(ANSWER)]
    pieces = [ANSWER[start:end] for start, end in itertools.pairwise(ends) if end > start]
    reply, usable = converse(*pieces)
    headers = (("Content-Length", "5"), ("X-A", "1"), ("x-a", "2"))
    assert reply == RawResponse(200, "Fine", headers, b"hello", "192.0.2.1")
    assert usable


@given(st.lists(st.binary(min_size=1, max_size=60), max_size=10))
def test_noise_ends_in_a_reply_or_a_named_failure(noise: list[bytes]) -> None:
    for start in (b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"):
        outcome, _ = converse(*([start] if start else []), *noise)
        assert isinstance(outcome, RawResponse | FetchError)


def test_the_body_ends_where_the_connection_does_unless_it_was_torn() -> None:
    head = b"HTTP/1.1 200 OK\r\n\r\n"
    whole, _ = converse(head, b"abc")
    torn, _ = converse(head, b"abc", error=ConnectionResetError())
    assert isinstance(whole, RawResponse)
    assert isinstance(torn, RawResponse)
    assert (whole.body, whole.truncated) == (b"abc", "")
    assert (torn.body, torn.truncated) == (b"abc", "disconnect")


def test_a_second_answer_makes_the_connection_unusable() -> None:
    reply, usable = converse(ANSWER + b"HTTP/1.1 200 OK\r\n")
    assert isinstance(reply, RawResponse)
    assert reply.body == b"hello"
    assert not usable


def test_a_flood_of_provisional_answers_is_cut() -> None:
    flood = b"HTTP/1.1 100 Continue\r\n\r\n" * 100
    outcome, _ = converse(*[flood] * (MAX_HEAD_BYTES // len(flood) + 2))
    assert isinstance(outcome, HeadTooLargeError)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (b"", CutOffError),
        (b"HTTP/1.1 200 OK\r\nContent-", CutOffError),
        (b"SSH-2.0-OpenSSH_9.2\r\n", BadAnswerError),
        (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n", FetchError),
    ],
)
def test_what_is_no_answer_is_a_named_failure(answer: bytes, kind: type[FetchError]) -> None:
    outcome, usable = converse(*([answer] if answer else []))
    assert isinstance(outcome, kind)
    assert not usable or not answer


def test_an_endless_trailer_ends_the_response() -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n"
    trailer = b"X-Trailer: " + b"t" * 1000 + b"\r\n"
    for line in (trailer, b"t" * 1000):  # many lines, or one that never ends
        reply, usable = converse(head, *[line] * 400)
        assert isinstance(reply, RawResponse)
        assert (reply.body, reply.truncated, usable) == (b"hello", "length", False)
        assert [name for name, _ in reply.headers] == ["Transfer-Encoding"]


def test_sizes_of_chunks_do_not_go_on_for_ever() -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    reply, _ = converse(head, *[b"1;" + b"e" * 5000 + b"\r\nx\r\n"] * 100)
    assert isinstance(reply, RawResponse)
    assert reply.truncated == "length"


class SlowPipe(Pipe):
    """A line that can be paused."""

    reading = True

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def is_closing(self) -> bool:
        return self.closed


def test_bodies_of_all_connections_together_are_limited_and_every_one_ends() -> None:
    async def go() -> tuple[list[int], int]:
        memory = BodyMemory(1000)
        lines = []
        for _ in range(10):
            connection, pipe = HTTPConnection(memory), SlowPipe()
            connection.connection_made(pipe)
            waiting = connection.send(b"GET / HTTP/1.1\r\n\r\n", 10_000)
            connection.data_received(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n")
            lines.append((connection, pipe, waiting))
        most = 0
        while not all(waiting.done() for _, _, waiting in lines):
            moving = [(c, w) for c, p, w in lines if p.reading and not w.done()]
            assert moving, "somebody can always go on"
            for connection, _ in moving:
                connection.data_received(b"x" * 100)
            most = max(most, memory.total)
        return [len((await waiting).body) for _, _, waiting in lines], most

    sizes, most = asyncio.run(go())
    assert sizes == [900] * 10
    assert most <= 1000 + 900 + 10 * 100


def test_a_response_that_waits_for_memory_is_not_blamed_for_its_time() -> None:
    async def go() -> tuple[bool, bool]:
        memory = BodyMemory(100)
        made = []
        for _ in range(2):
            connection, pipe = HTTPConnection(memory), SlowPipe()
            connection.connection_made(pipe)
            waiting = connection.send(b"GET / HTTP/1.1\r\n\r\n", 10_000)
            connection.data_received(b"HTTP/1.1 200 OK\r\nContent-Length: 150\r\n\r\n" + b"x" * 80)
            made.append((connection, pipe, waiting))
        (first, _, _), (second, pipe, waiting) = made
        paused = not pipe.reading
        second.give_up()
        assert not waiting.done()
        first.data_received(b"x" * 70)
        second.data_received(b"x" * 70)
        return paused, (await waiting).truncated == ""

    assert asyncio.run(go()) == (True, True)


def test_an_idle_connection_keeps_no_body() -> None:
    async def go() -> int:
        connection = HTTPConnection()
        connection.connection_made(Pipe())
        connection.send(b"GET / HTTP/1.1\r\n\r\n", 1000)
        connection.data_received(ANSWER)
        assert connection.usable
        return len(connection._body)

    assert asyncio.run(go()) == 0
