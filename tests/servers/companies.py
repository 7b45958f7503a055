"""Sites of made-up companies, each at a loopback address of its own: python -m tests.servers.companies 1000.

Two sites that follow each other are of one company where the number of the first divides by twenty: they
share contact data, name and half of their text.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Self

from threadmill.page.judge.stop_words import stop_words
from threadmill.sites.decide.vocabulary import load_vocabulary

PAGES = ("about", "team", "company", "history", "services")  # beside the home page: six in all
_SIBLINGS_EVERY = 20
_DEAD_EVERY = 50  # a site that answers 500 to everything
_PARAGRAPHS = 12
_SENTENCE = (8, 22)  # words


def address(number: int) -> str:
    """The loopback address of a site: a host of its own for the politeness of a fetcher."""
    return f"127.{1 + number // 62500}.{number // 250 % 250}.{1 + number % 250}"


def company_of(number: int) -> int:
    """The company of a site."""
    return number - 1 if number % _SIBLINGS_EVERY == 1 else number


def is_dead(number: int) -> bool:
    """Does a site answer nothing but errors?"""
    return number % _DEAD_EVERY == _DEAD_EVERY - 1


def true_pairs(count: int) -> list[tuple[int, int]]:
    """The pairs of sites that are of one company and answer."""
    pairs = [(number - 1, number) for number in range(1, count, _SIBLINGS_EVERY)]
    return [(one, other) for one, other in pairs if not is_dead(one) and not is_dead(other)]


@cache
def _words() -> tuple[list[str], list[str]]:
    counted = load_vocabulary().frequencies
    plain = [term for term in counted if term.isascii() and term.isalpha() and 4 <= len(term) <= 12]
    plain.sort(key=lambda term: (-counted[term], term))
    return sorted(stop_words("en")), plain[300:15_000]


@cache
def page(number: int, name: str) -> bytes:
    """One page of a site."""
    company = company_of(number)
    chance = random.Random(f"{company} {name}")
    _, stock = _words()
    trade = random.Random(company).sample(stock, 400)
    paragraphs = [_paragraph(chance, trade) for _ in range(_PARAGRAPHS)]
    if company != number:  # the sibling has every second paragraph of its own
        other = random.Random(f"{number} {name} own")
        paragraphs[::2] = [_paragraph(other, trade) for _ in paragraphs[::2]]
    called = f"{trade[0].title()} {trade[1].title()} {company}"
    menu = "".join(f'<li class="nav-item"><a href="/{other}">{other.title()}</a></li>' for other in PAGES)
    body = "".join(f'<section class="block"><h2>{p[:30]}</h2><p>{p}</p></section>' for p in paragraphs)
    contact = f"info@{trade[0]}{company}.test, +49 30 {1_000_000 + company * 37}"
    return (
        f"<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>{called} – {name}</title>"
        f'<style>.hidden{{display:none}}</style></head><body><header><ul class="nav">{menu}</ul></header>'
        f"<main><h1>{called}</h1>{body}</main><p class=hidden>never seen</p>"
        f"<footer>{called} GmbH, {contact} <a href=/imprint>Imprint</a></footer></body></html>"
    ).encode()


def _paragraph(chance: random.Random, trade: list[str]) -> str:
    stops, _ = _words()
    sentences = []
    for _ in range(4):
        length = chance.randint(*_SENTENCE)
        words = [chance.choice(stops if chance.random() < 0.45 else trade) for _ in range(length)]
        sentences.append(" ".join(words).capitalize() + ".")
    return " ".join(sentences)


def answer(number: int, path: str) -> tuple[int, str, bytes]:
    """Status, type and body of one request."""
    name = path.strip("/").partition("?")[0] or "home"
    if name == "robots.txt":
        return 404, "text/plain", b""
    if is_dead(number):
        return 500, "text/html", b"broken"
    if name == "favicon.ico":
        return 200, "image/x-icon", random.Random(company_of(number)).randbytes(400)
    if name in {"home", "imprint", *PAGES}:
        return 200, "text/html; charset=utf-8", page(number, name)
    return 404, "text/html", b"nothing here"


class Companies:
    """The server as a process of its own."""

    def __init__(self, count: int, latency: float = 0.0) -> None:
        command = [sys.executable, "-m", "tests.servers.companies", str(count), "--latency", str(latency)]
        root = Path(__file__).parents[2]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root)
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline())
        self.urls = [f"http://{address(number)}:{self.port}/" for number in range(count)]
        self.pid = self._process.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


class _Connection(asyncio.Protocol):
    """HTTP as far as our own fetcher speaks it: heads only, kept alive."""

    def __init__(self, latency: float) -> None:
        self._latency = latency
        self._came = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        host = transport.get_extra_info("sockname")[0]
        parts = [int(part) for part in host.split(".")]
        self._number = (parts[1] - 1) * 62500 + parts[2] * 250 + parts[3] - 1

    def data_received(self, data: bytes) -> None:
        self._came += data
        while b"\r\n\r\n" in self._came:
            head, _, self._came = self._came.partition(b"\r\n\r\n")
            status, kind, body = answer(self._number, head.split(b" ", 2)[1].decode("latin-1"))
            told = f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
            asyncio.get_running_loop().call_later(self._latency, self._transport.write, told.encode() + body)


async def _serve(count: int, latency: float) -> None:
    listening = socket.socket()
    # All of 127.0.0.0/8, and nothing but the loopback device: nobody else can reach it.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, b"lo")
    listening.bind(("0.0.0.0", 0))  # noqa: S104
    for number in range(count):  # made beforehand: the time to write pages is not the service's
        for name in ("home", "imprint", *PAGES):
            page(number, name)
    server = await asyncio.get_running_loop().create_server(
        lambda: _Connection(latency), sock=listening, backlog=1000
    )
    print(listening.getsockname()[1], flush=True)
    parent = os.getppid()
    while os.getppid() == parent:  # noqa: ASYNC110 -- a killed test leaves no server behind
        await asyncio.sleep(1)
    server.close()


def main() -> None:
    """Serve until killed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    arguments = parser.parse_args()
    asyncio.run(_serve(arguments.count, arguments.latency))


if __name__ == "__main__":
    main()
