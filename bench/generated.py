"""A site of generated pages (40–60 kB, about 100 links each) and a server for it, in a process of its own."""

from __future__ import annotations

import asyncio
import multiprocessing
import random
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

WORDS = (  # noqa: SIM905 -- a list of quoted words reads worse
    "thread mill forum engine window river stone paper garden winter summer question answer reply topic "
    "board member today yesterday music photo camera kernel driver update version support problem solution "
    "market price travel mountain coffee kitchen recipe language grammar history science planet battery"
).split()
SECTIONS = 40
LINKS_TO_PAGES = 56


def page_path(number: int) -> str:
    """Where page number N is."""
    return f"/section-{number % SECTIONS}/article-{number}.html"


def make_page(number: int, pages: int) -> bytes:
    """One page: framing as sites have it, a long article, links to its children and anywhere."""
    chance = random.Random(number)
    targets = [n for n in (2 * number + 1, 2 * number + 2) if n < pages]
    targets += [chance.randrange(pages) for _ in range(LINKS_TO_PAGES - len(targets))]
    parts = [_head(number), _navigation()]
    for target in targets:
        parts.append(_paragraph(chance, target))
    parts.append(_footer())
    return "".join(parts).encode()


def _head(number: int) -> str:
    styles = "".join(f".c{n} {{ margin: {n}px; color: #{n:03x}; }}\n" for n in range(60))
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>Article {number}</title>\n"
        f'<link rel="stylesheet" href="/static/site.css">\n<style>\n{styles}</style>\n'
        "<script>window.dataLayer = window.dataLayer || []; function gtag(){dataLayer.push(1);}</script>\n"
        "</head>\n<body>\n"
    )


def _navigation() -> str:
    items = "".join(
        f'<li class="menu-item menu-item-{n}"><a class="menu-link" href="/section-{n}/" title="Section {n}">'
        f"<span>Section {n}</span></a></li>\n"
        for n in range(SECTIONS)
    )
    return f'<header id="top"><nav class="main"><ul class="menu">\n{items}</ul></nav></header>\n<main>\n'


def _paragraph(chance: random.Random, target: int) -> str:
    words = chance.choices(WORDS, k=75)
    before, after = " ".join(words[:45]), " ".join(words[45:])
    return (
        f'<div class="block c{target % 60}"><h3 id="s{target}">{words[0].title()} {words[1]}</h3>\n'
        f'<p class="text">{before} <a href="{page_path(target)}" class="more">{words[2]} {words[3]}</a> '
        f"{after}.</p>\n<p><em>{words[4]}</em> &mdash; {' '.join(words[5:20])}</p></div>\n"
    )


def _footer() -> str:
    return (
        "</main>\n<footer><p>&copy; "
        '<a href="/about.html">About</a> <a href="mailto:a@b.example">Mail</a> '
        '<a href="#top">Top</a> <a href="https://elsewhere.example/">Elsewhere</a></p>'
        "</footer>\n</body>\n</html>\n"
    )


class _Protocol(asyncio.Protocol):
    """Just enough HTTP to keep the server's own time out of the way."""

    answers: dict[bytes, bytes]
    missing = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\nnot found"

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.buffer = b""

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while b"\r\n\r\n" in self.buffer:
            head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
            self.transport.write(self.answers.get(head.split(b" ", 2)[1], self.missing))  # type: ignore[attr-defined]


def _serve(pages: int, pipe: Connection) -> None:
    answers = {page_path(number).encode(): _answer(make_page(number, pages)) for number in range(pages)}
    for section in range(SECTIONS):
        answers[f"/section-{section}/".encode()] = _answer(make_page(pages + section, pages))
    _Protocol.answers = answers

    async def run() -> None:
        server = await asyncio.get_running_loop().create_server(_Protocol, "127.0.0.1", 0, backlog=512)
        pipe.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


def _answer(body: bytes) -> bytes:
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


@contextmanager
def served(pages: int) -> Iterator[str]:
    """The site on a port of its own; gives the URL of its first page."""
    here, there = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_serve, args=(pages, there), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{here.recv()}{page_path(0)}"
    finally:
        process.terminate()
        process.join()
