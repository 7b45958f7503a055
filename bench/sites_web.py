"""A web of generated small sites on one loopback port, as a process: its time is not the comparison's.

The host s12.test has site 12. On the host s12-de.test half of its words are stop words of German.
"""

from __future__ import annotations

import asyncio
import random
import sys
from functools import cache
from itertools import accumulate

from threadmill.page.judge.stop_words import stop_words
from threadmill.sites.decide.vocabulary import load_vocabulary

_PATHS = ("", "about.html", "services.html", "team.html", "company.html", "history.html")
_KNOWN = (*_PATHS, "contact.html")
_WORDS = 350  # of a page
_SECTIONS = 12


@cache
def _common_words() -> tuple[list[str], list[float]]:
    terms = sorted(load_vocabulary().frequencies.items(), key=lambda item: (-item[1], item[0]))[:20_000]
    return [term for term, _ in terms], list(accumulate(float(count) for _, count in terms))


def make_page(number: int, path: str, language: str = "") -> bytes:
    """One page of a site: navigation, sections of text, contact data; every tenth site has a twin."""
    company = number - 1 if number % 10 == 9 else number
    chance = random.Random(f"{number} {path}")
    terms, ladder = _common_words()
    words = chance.choices(terms, cum_weights=ladder, k=_WORDS)
    if language:
        words[::2] = chance.choices(sorted(stop_words(language)), k=len(words[::2]))
    step = _WORDS // _SECTIONS
    text = "".join(
        f"<section class='s{i}'><h2>{' '.join(words[i * step : i * step + 3])}</h2><p>"
        f"{' '.join(words[i * step + 3 : (i + 1) * step])}.</p><img src='/{number}-{i}.jpg'></section>"
        for i in range(_SECTIONS)
    )
    nav = "".join(f"<li><a href='/{p}'>{p.partition('.')[0] or 'home'}</a></li>" for p in _KNOWN)
    street = f"High Street {company % 90 + 1}, {10000 + company} Town"
    mail = f"office@firm{company}.test"
    return (
        f"<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>{path} | Firm{company} Ltd</title>"
        "<style>.menu{margin:0}</style></head><body>"
        f"<nav><ul class=menu>{nav}</ul></nav><main>{text}</main>"
        f"<footer><p>Firm{company} Ltd, {street}, Tel. +44 20 7{company:07d}</p>"
        f"<p><a href='mailto:{mail}'>{mail}</a></p></footer></body></html>"
    ).encode()


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while asked := await reader.readuntil(b"\r\n\r\n"):
            lines = asked.decode("latin-1").split("\r\n")
            path = lines[0].split(" ")[1].lstrip("/")
            host = next(line.split(":")[1].strip() for line in lines if line.lower().startswith("host:"))
            known = path in _KNOWN
            number, _, language = host.split(".")[0][1:].partition("-")
            body = make_page(int(number), path, language) if known else b"not found"
            status = "200 OK" if known else "404 Not Found"
            kind = "text/html; charset=utf-8" if known else "text/plain"
            writer.write(
                f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
                + body
            )
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def _serve() -> None:
    make_page(0, "")  # reads the vocabulary before the first visitor comes
    server = await asyncio.start_server(_answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    sys.exit(asyncio.run(_serve()))
