"""Hosts of which a third hang, loop or send endless bodies: how long two collectors take, and their memory.

    python3 dev.py run python -m bench.sites_hostile [--hosts 2000]

Every host has a loopback address of its own. The good ones have three small pages. Of the bad ones a third
never answers, a third redirects to itself for ever, a third sends a body without end.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import time
from collections import Counter
from collections.abc import Sequence
from multiprocessing import get_context

from bench.figures import Figure, at_most, write_figures
from threadmill.config import Settings, override
from threadmill.crawl.fetch.client import Fetcher
from threadmill.sites.collect.fetch_sites import fetch_sites
from threadmill.sites.model import CompanySite
from threadmill.sites.read.read_site import read_site

_COLLECTORS = 2
_TEXT = "<p>We are a family firm that bakes bread, rolls and cakes by hand every night for the town. </p>" * 4


def address_of(number: int) -> str:
    """The loopback address of a host."""
    return f"127.{10 + number // 62500}.{number // 250 % 250}.{1 + number % 250}"


def is_bad(number: int) -> bool:
    """Whether a host misbehaves: each third does."""
    return number % 3 == 2


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        host = writer.get_extra_info("sockname")[0].split(".")
        number = (int(host[1]) - 10) * 62500 + int(host[2]) * 250 + int(host[3]) - 1
        while asked := await reader.readuntil(b"\r\n\r\n"):
            path = asked.split(b" ")[1]
            if not is_bad(number) or path == b"/robots.txt":
                body = b"" if path == b"/robots.txt" else _page(number)
                kind = b"text/plain" if path == b"/robots.txt" else b"text/html"
                head = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n" % (
                    kind,
                    len(body),
                )
                writer.write(head + body)
            elif number // 3 % 3 == 0:
                await asyncio.sleep(3600)
            elif number // 3 % 3 == 1:
                writer.write(b"HTTP/1.1 302 Found\r\nLocation: %s1\r\nContent-Length: 0\r\n\r\n" % path)
            else:
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
                )
                while True:
                    writer.write(b"8000\r\n" + b"x" * 0x8000 + b"\r\n")
                    await writer.drain()
            await writer.drain()
    except (ConnectionError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


def _page(number: int) -> bytes:
    links = "<a href=/about>About us</a><a href=/contact>Contact</a>"
    return f"<title>Firm {number}</title>{links}{_TEXT}<p>info@firm{number}.example</p>".encode()


def _serve(ready: object) -> None:
    async def run() -> None:
        server = await asyncio.start_server(_answer, "0.0.0.0", 0, backlog=2000)  # noqa: S104 -- all of 127/8
        ready.send(server.sockets[0].getsockname()[1])  # type: ignore[attr-defined]
        await server.serve_forever()

    asyncio.run(run())


def _outcome(site: CompanySite) -> str:
    return f"{site.outcome} {site.reason.partition(':')[0]}".strip()  # without what was left out


def _collect(urls: Sequence[str], answer: object) -> None:
    async def run() -> Counter[str]:
        settings = override(Settings(), "crawl", delay=0.0, concurrency=100)
        settings = override(settings, "fetch", private_targets=True)
        async with Fetcher(settings) as fetcher:
            found = fetch_sites(fetcher, urls, together=100)
            sites = [_outcome(read_site(collected)) async for collected in found]
            return Counter(sites)

    outcomes = asyncio.run(run())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    answer.send((outcomes, peak))  # type: ignore[attr-defined]


def main() -> None:
    """Serve, collect, print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--hosts", type=int, default=2000)
    arguments = parser.parse_args()
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    server = context.Process(target=_serve, args=(theirs,), daemon=True)
    server.start()
    port = ours.recv()
    urls = [f"http://{address_of(number)}:{port}/" for number in range(arguments.hosts)]
    begun = time.perf_counter()
    collectors = []
    for part in range(_COLLECTORS):
        mine, its = context.Pipe()
        process = context.Process(target=_collect, args=(urls[part::_COLLECTORS], its))
        process.start()
        collectors.append((process, mine))
    outcomes: Counter[str] = Counter()
    peaks = []
    for process, pipe in collectors:
        found, peak = pipe.recv()
        outcomes += found
        peaks.append(peak)
        process.join()
    spent = time.perf_counter() - begun
    server.terminate()
    print(
        f"{arguments.hosts} hosts in {spent:.0f} s, at most {max(peaks):.0f} MB a process: {dict(outcomes)}"
    )
    full = arguments.hosts == 2000
    what = f"{arguments.hosts:,} hosts, a third of them hostile, 2 collectors"
    figures = [
        Figure("sites", f"{what}, time", spent, at_most(600) if full else None, "s"),
        Figure("sites", f"{what}, largest process", max(peaks), at_most(400) if full else None, "MB"),
    ]
    write_figures("sites_hostile", figures)


if __name__ == "__main__":
    main()
