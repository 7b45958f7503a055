"""Reading WARC: our loop beside a bare FastWARC loop and warcio, on one file made here, in CPU time."""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.figures import Figure, at_least, at_most, write_figures
from threadmill.archive import ArchiveWriter, read_captures
from threadmill.types import Exchange

RECORDS = 2_000
ROUNDS = 5
WORDS = [
    f"{a}{b}{c}"
    for a in ("ver", "kon", "lo", "fora")
    for b in ("ti", "ma", "len")
    for c in ("r", "st", "na", "")
]


def main() -> int:
    """Write the file, read it in turns, print the best of each and the ratios."""
    with tempfile.TemporaryDirectory() as directory:
        writing = write_archive(Path(directory))
        file = next(Path(directory).glob("*.warc.gz"))
        size = file.stat().st_size
        print(f"{RECORDS} responses with their requests, {size / 1e6:.1f} MB compressed")
        print(f"writing        {writing * 1e6 / RECORDS:7.0f} µs of CPU a response")
        loops = {"threadmill": read_ours, "fastwarc": read_fastwarc, "warcio": read_warcio}
        best = {name: float("inf") for name in loops}
        totals = set()
        for _ in range(ROUNDS):  # in turns, so that a busy moment of the machine hits all alike
            for name, loop in loops.items():
                seconds, total = measure(loop, file)
                best[name] = min(best[name], seconds)
                totals.add(total)
        assert len(totals) == 1, f"the loops read different payloads: {totals}"
    for name, seconds in best.items():
        print(f"{name:<14} {seconds * 1e6 / RECORDS:7.0f} µs of CPU a response")
    print(f"threadmill / fastwarc: {best['fastwarc'] / best['threadmill']:.2f} × the speed (bar 0.85)")
    print(f"threadmill / warcio:   {best['warcio'] / best['threadmill']:.2f} × the speed (bar 2.0)")
    figures = [
        Figure(
            "archive",
            "speed of reading, against a bare FastWARC loop",
            best["fastwarc"] / best["threadmill"],
            at_least(0.85),
            "×",
        ),
        Figure(
            "archive",
            "speed of reading, against warcio",
            best["warcio"] / best["threadmill"],
            at_least(2.0),
            "×",
        ),
        Figure("archive", "CPU to write a page of 55 kB", writing * 1e3 / RECORDS, at_most(1.0), "ms"),
    ]
    write_figures("warc", figures)
    return 0


def measure(loop: Callable[[Path], tuple[int, int]], file: Path) -> tuple[float, tuple[int, int]]:
    """CPU seconds of one reading, and what it read."""
    start = time.process_time()
    total = loop(file)
    return time.process_time() - start, total


def read_ours(file: Path) -> tuple[int, int]:
    """Captures: status, headers and payload of every response."""
    count = size = 0
    for capture in read_captures(file):
        assert capture.status == 200
        assert capture.headers
        count += 1
        size += len(capture.payload)
    return count, size


def read_fastwarc(file: Path) -> tuple[int, int]:
    """The same work with FastWARC alone."""
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    count = size = 0
    for record in ArchiveIterator(str(file), record_types=WarcRecordType.response, parse_http=True):
        assert record.http_headers.status_code == 200
        assert record.http_headers.to_tuples()
        count += 1
        size += len(record.reader.read())
    return count, size


def read_warcio(file: Path) -> tuple[int, int]:
    """The same work with warcio alone."""
    from warcio.archiveiterator import ArchiveIterator

    count = size = 0
    with file.open("rb") as stream:
        for record in ArchiveIterator(stream):
            if record.rec_type == "response":
                assert record.http_headers.get_statuscode() == "200"
                assert record.http_headers.headers
                count += 1
                size += len(record.content_stream().read())
    return count, size


def write_archive(directory: Path) -> float:
    """RECORDS pages of 50 to 60 kB, with their requests; the CPU seconds it took."""
    chance = random.Random(5)
    start = datetime(2026, 11, 15, tzinfo=UTC)
    exchanges = [exchange(chance, number, start) for number in range(RECORDS // 10)]
    before = time.process_time()
    with ArchiveWriter(directory) as writer:
        for number in range(RECORDS):
            writer.write(exchanges[number % len(exchanges)])
    return time.process_time() - before


def exchange(chance: random.Random, number: int, start: datetime) -> Exchange:
    """A page like those of a forum: much the same frame, different words."""
    size = chance.randrange(50_000, 60_000)
    parts = ["<!DOCTYPE html><html><head><title>", str(number), "</title></head><body>"]
    length = 0
    while length < size:
        words = " ".join(chance.choices(WORDS, k=30))
        parts.append(f'<div class="post" id="p{chance.randrange(10**7)}"><p>{words}</p></div>\n')
        length += len(parts[-1])
    body = "".join(parts).encode()
    headers = (
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Length", str(len(body))),
        ("Server", "nginx"),
    )
    url = f"http://forum.example/viewtopic.php?t={number}"
    head = f"GET /viewtopic.php?t={number} HTTP/1.1\r\nHost: forum.example\r\n\r\n".encode()
    return Exchange(url, start + timedelta(seconds=number), head, 200, "OK", headers, body, "192.0.2.1")


if __name__ == "__main__":
    sys.exit(main())
