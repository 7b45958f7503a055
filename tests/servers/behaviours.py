"""Every way a web server is known to misbehave, one coroutine each; its name is its path."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import cache

from tests.servers.wire import Asked, Line

Behaviour = Callable[[Asked, Line], Awaitable[None]]
BEHAVIOURS: dict[str, Behaviour] = {}

PAGE = b"<html><head><title>A page</title></head><body><p>Words of a page.</p></body></html>"
RUSSIAN = "Сегодня в лесу было тихо, и никто не ждал гостей до самого вечера."


def behaviour(function: Behaviour) -> Behaviour:
    """Register a coroutine under its name, with dashes."""
    BEHAVIOURS[function.__name__.rstrip("_").replace("_", "-")] = function
    return function


@behaviour
async def ok(asked: Asked, line: Line) -> None:
    await line.answer(PAGE)


@behaviour
async def empty(asked: Asked, line: Line) -> None:
    await line.answer(b"")


@behaviour
async def no_content(asked: Asked, line: Line) -> None:
    await line.send(b"HTTP/1.1 204 No Content\r\n\r\n")


@behaviour
async def missing(asked: Asked, line: Line) -> None:
    await line.answer(b"gone", "404 Not Found")


@behaviour
async def until_close(asked: Asked, line: Line) -> None:
    """No length, no chunks: the end of the connection is the end of the body."""
    line.hang_up = True
    await line.answer(PAGE, content_length="")


@behaviour
async def chunked(asked: Asked, line: Line) -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Twice: 1\r\nX-Twice: 2\r\n\r\n"
    half = len(PAGE) // 2
    pieces = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (PAGE[:half], PAGE[half:]))
    await line.send(head + pieces + b"0\r\n\r\n")


@behaviour
async def early_hints(asked: Asked, line: Line) -> None:
    await line.send(b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n")
    await line.answer(PAGE)


# Slow, cut off, endless, of the wrong length.


@behaviour
async def drip(asked: Asked, line: Line) -> None:
    """A byte now and then, for ever: never idle, never done."""
    await line.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n")
    while True:
        await line.send(b"x")
        await asyncio.sleep(0.02)


@behaviour
async def silent(asked: Asked, line: Line) -> None:
    await asyncio.sleep(3600)


@behaviour
async def cut_off(asked: Asked, line: Line) -> None:
    line.hang_up = True
    await line.answer(PAGE, content_length=len(PAGE) * 10)


@behaviour
async def cut_in_head(asked: Asked, line: Line) -> None:
    line.hang_up = True
    await line.send(b"HTTP/1.1 200 OK\r\nContent-Ty")


@behaviour
async def cut_chunks(asked: Asked, line: Line) -> None:
    line.hang_up = True
    await line.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")


@behaviour
async def endless(asked: Asked, line: Line) -> None:
    line.hang_up = True
    await line.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    while True:
        await line.send(b"<p>and so on " * 1000)


@behaviour
async def length_too_long(asked: Asked, line: Line) -> None:
    """Promises more than it sends, and keeps the connection open."""
    await line.answer(PAGE, content_length=len(PAGE) + 100)
    await asyncio.sleep(3600)


@behaviour
async def length_too_short(asked: Asked, line: Line) -> None:
    await line.answer(PAGE, content_length=len(PAGE) - 7)


@behaviour
async def length_is_nonsense(asked: Asked, line: Line) -> None:
    await line.answer(PAGE, content_length="many")


@behaviour
async def reset(asked: Asked, line: Line) -> None:
    line.reset()


@behaviour
async def hang_up(asked: Asked, line: Line) -> None:
    line.hang_up = True


@behaviour
async def flaky(asked: Asked, line: Line) -> None:
    """Fails twice, then works."""
    if asked.visit == 1:
        line.reset()
    elif asked.visit == 2:
        await line.answer(b"database is gone", "500 Internal Server Error")
    else:
        await line.answer(PAGE)


@behaviour
async def closes_when_idle(asked: Asked, line: Line) -> None:
    """Promises keep-alive and closes all the same."""
    line.hang_up = True
    await line.answer(PAGE, connection="keep-alive")


# What is not HTTP.


@behaviour
async def garbage(asked: Asked, line: Line) -> None:
    line.hang_up = True
    await line.send(b"<html>HTTP/0.9 was enough for everybody</html>\n")


@behaviour
async def bad_chunking(asked: Asked, line: Line) -> None:
    line.hang_up = True
    await line.send(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\nworld\r\n0\r\n\r\n"
    )


@behaviour
async def header_flood(asked: Asked, line: Line) -> None:
    line.hang_up = True
    await line.send(b"HTTP/1.1 200 OK\r\n")
    while True:
        await line.send(b"".join(b"X-Flood-%d: yes\r\n" % number for number in range(1000)))


@behaviour
async def giant_header(asked: Asked, line: Line) -> None:
    line.hang_up = True
    await line.send(b"HTTP/1.1 200 OK\r\nX-Giant: ")
    for _ in range(1000):
        await line.send(b"x" * 10_000)
    await line.send(b"\r\n\r\n")


@behaviour
async def odd_headers(asked: Asked, line: Line) -> None:
    """Bare line feeds, Latin-1 and a header without a value: browsers read on."""
    await line.send(b"HTTP/1.1 200\nContent-Length: 2\nX-Name: caf\xe9\nX-Empty:\n\nok")


# Content encodings.


@behaviour
async def gzipped(asked: Asked, line: Line) -> None:
    await line.answer(gzip.compress(PAGE), content_encoding="gzip")


@behaviour
async def raw_deflate(asked: Asked, line: Line) -> None:
    machine = zlib.compressobj(wbits=-15)
    await line.answer(machine.compress(PAGE) + machine.flush(), content_encoding="deflate")


@behaviour
async def bad_gzip(asked: Asked, line: Line) -> None:
    """Sound for its first half, then noise."""
    noise = b"".join(b"<p>%d</p>" % (number * 7919 % 10007) for number in range(5000))
    whole = gzip.compress(noise)
    half = len(whole) // 2
    await line.answer(whole[:half] + bytes(200) + whole[half + 200 :], content_encoding="gzip")


@behaviour
async def short_gzip(asked: Asked, line: Line) -> None:
    await line.answer(gzip.compress(PAGE * 100)[:-12], content_encoding="gzip")


@behaviour
async def plain_as_gzip(asked: Asked, line: Line) -> None:
    await line.answer(PAGE, content_encoding="gzip")


@behaviour
async def bomb(asked: Asked, line: Line) -> None:
    await line.answer(_bomb(), content_encoding="gzip")


@cache
def _bomb() -> bytes:
    """Ten megabytes of nothing in ten kilobytes."""
    return gzip.compress(bytes(10_000_000))


@behaviour
async def wrong_charset(asked: Asked, line: Line) -> None:
    body = f"<html><head><title>Лес</title></head><body><p>{RUSSIAN}</p></body></html>"
    await line.answer(body.encode("cp1251"), kind="text/html; charset=utf-8")


# Redirects.


@behaviour
async def loop(asked: Asked, line: Line) -> None:
    await line.answer(b"", "302 Found", location="/loop-back")


@behaviour
async def loop_back(asked: Asked, line: Line) -> None:
    await line.answer(b"", "302 Found", location="/loop")


@behaviour
async def chain(asked: Asked, line: Line) -> None:
    """An endless chain, every URL new."""
    number = int(asked.query or 0) + 1
    await line.answer(b"", "301 Moved Permanently", location=f"/chain?{number}")


@behaviour
async def moved(asked: Asked, line: Line) -> None:
    await line.answer(b"over there", "301 Moved Permanently", location="ok")


@behaviour
async def elsewhere(asked: Asked, line: Line) -> None:
    """Redirects to the URL in the query."""
    await line.answer(b"", "302 Found", location=asked.query)


@behaviour
async def mail(asked: Asked, line: Line) -> None:
    await line.answer(b"", "302 Found", location="mailto:somebody@example.com")


@behaviour
async def nowhere(asked: Asked, line: Line) -> None:
    await line.answer(b"a redirect without a place", "302 Found")


# Busy.


@behaviour
async def busy(asked: Asked, line: Line) -> None:
    """429 twice, seconds asked for in the query."""
    if asked.visit <= 2:
        await line.answer(b"slow down", "429 Too Many Requests", retry_after=asked.query or "7")
    else:
        await line.answer(PAGE)


@behaviour
async def maintenance(asked: Asked, line: Line) -> None:
    """503, for ever, with the Retry-After of the query; "date" says it by a date."""
    date = format_datetime(datetime(2030, 1, 1, 0, 1, tzinfo=UTC), usegmt=True)
    asks = date if asked.query == "date" else asked.query
    await line.answer(b"back soon", "503 Service Unavailable", retry_after=asks)


@behaviour
async def broken(asked: Asked, line: Line) -> None:
    await line.answer(b"an error of ours", "500 Internal Server Error")


# Content that changes, remembers, or never ends.


@behaviour
async def changing(asked: Asked, line: Line) -> None:
    await line.answer(b"<p>You are visitor %d" % asked.visit)


@behaviour
async def validated(asked: Asked, line: Line) -> None:
    if asked.headers.get("if-none-match") == '"v1"':
        await line.send(b'HTTP/1.1 304 Not Modified\r\nETag: "v1"\r\n\r\n')
    else:
        await line.answer(PAGE, etag='"v1"', last_modified="Sun, 01 Nov 2026 10:00:00 GMT")


@behaviour
async def dated(asked: Asked, line: Line) -> None:
    if asked.headers.get("if-modified-since") == "Sun, 01 Nov 2026 10:00:00 GMT":
        await line.send(b"HTTP/1.1 304 Not Modified\r\nContent-Length: 5000\r\n\r\n")
    else:
        await line.answer(PAGE, last_modified="Sun, 01 Nov 2026 10:00:00 GMT")


@behaviour
async def cookie_wall(asked: Asked, line: Line) -> None:
    """Sends everybody round until they bring the cookie."""
    if "taste=sweet" in asked.headers.get("cookie", ""):
        await line.answer(PAGE)
    else:
        await line.answer(b"", "302 Found", location="/cookie-wall", set_cookie="taste=sweet; Path=/")


@behaviour
async def sessions(asked: Asked, line: Line) -> None:
    """A new session id in every link of every visit."""
    await line.answer(f'<a href="/sessions?sid={asked.visit:032x}">the same page</a>'.encode())


@behaviour
async def calendar(asked: Asked, line: Line) -> None:
    month = int(asked.query.partition("=")[2] or 0)
    await line.answer(f'<p>Nothing on.</p><a href="/calendar?month={month + 1}">next month</a>'.encode())
