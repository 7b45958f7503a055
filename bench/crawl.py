"""The same generated site crawled by Threadmill and by Scrapy: pages per second of CPU, one process each."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.figures import Figure, at_least, write_figures
from bench.generated import served

RUNS = {
    "threadmill, archive off, frontier in memory": ("threadmill", "--no-archive", "--memory"),
    "threadmill, archive off, frontier on disk": ("threadmill", "--no-archive"),
    "threadmill, archive on, frontier on disk": ("threadmill",),
    "scrapy, as its tutorial does it": ("scrapy",),
    "scrapy, with a set of links in the spider": ("scrapy", "--set"),
}
BARS = {
    "threadmill, archive off, frontier on disk": 2.5,
    "threadmill, archive on, frontier on disk": 1.8,
}


@dataclass(frozen=True)
class Result:
    """What one crawl cost."""

    pages: int
    cpu: float
    wall: float

    @property
    def rate(self) -> float:
        """Pages per second of CPU."""
        return self.pages / self.cpu


def main() -> None:
    """Crawl with each, best of several rounds, and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--skip", default="", help="leave out runs whose name holds this")
    options = parser.parse_args()
    runs = {name: words for name, words in RUNS.items() if not options.skip or options.skip not in name}
    best: dict[str, Result] = {}
    with served(options.pages) as url:
        for _ in range(options.rounds):
            for name, words in runs.items():
                result = measure(url, words, options.concurrency)
                print(f"… {name}: {result.cpu:.2f} s CPU", file=sys.stderr, flush=True)
                if name not in best or result.rate > best[name].rate:
                    best[name] = result
    peer = max(result.rate for name, result in best.items() if name.startswith("scrapy"))
    figures = [
        Figure(
            "crawl",
            f"pages per CPU-second, {name}, against Scrapy",
            best[name].rate / peer,
            at_least(bar),
            "×",
        )
        for name, bar in BARS.items()
        if name in best
    ]
    write_figures("crawl", figures)
    for name, result in best.items():
        bar = f" (bar {BARS[name]})" if name in BARS else ""
        print(
            f"{name}: {result.pages} pages, {result.cpu:.2f} s CPU, "
            f"{result.cpu / result.pages * 1e3:.2f} ms a page, {result.rate:.0f} pages/CPU-s, "
            f"{result.wall:.1f} s wall, {result.rate / peer:.2f}× Scrapy at its best{bar}"
        )


def measure(url: str, words: tuple[str, ...], concurrency: int) -> Result:
    """One crawl in a process of its own, which tells its pages; the system tells its CPU time."""
    with tempfile.TemporaryDirectory() as directory:
        command = [sys.executable, "-m", "bench.crawl", "--as", *words, url, str(concurrency), directory]
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        said = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - start
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed")
    return Result(json.loads(said.splitlines()[-1])["pages"], usage.ru_utime + usage.ru_stime, wall)


def crawl_as_threadmill(words: list[str]) -> int:
    """Threadmill's plain crawl, without the command line's display."""
    from threadmill.config import override
    from threadmill.crawl.site.site_crawl import crawl_site
    from threadmill.urls import Scope
    from threadmill.workspace import Workspace, open_workspace

    url, concurrency, directory = words[-3:]
    settings = open_workspace(Path(directory) / "work", create=True).settings
    polite = {
        "delay": 0.0,
        "robots": False,
        "concurrency": int(concurrency),
        "host_concurrency": int(concurrency),
    }
    settings = override(settings, "crawl", **polite)
    settings = override(settings, "archive", enabled="--no-archive" not in words)
    settings = override(settings, "store", url="sqlite://" if "--memory" in words else None)
    return crawl_site(Workspace(Path(directory) / "work", settings), url, Scope.HOST).pages


def crawl_as_scrapy(words: list[str]) -> int:
    """Scrapy with the links taken by its selector, which is faster than its LinkExtractor.

    Most of its time goes into requests for links it has seen: a spider that keeps a set of links does better.
    """
    scrapy: Any = import_module("scrapy")
    crawler: Any = import_module("scrapy.crawler")
    url, concurrency, _ = words[-3:]
    met: set[str] | None = set() if "--set" in words else None
    pages = 0

    class Spider(scrapy.Spider):  # type: ignore[misc]
        name = "bench"
        start_urls = (url,)
        allowed_domains = ("127.0.0.1",)

        def parse(self, response: Any) -> Iterator[Any]:
            nonlocal pages
            pages += 1
            for href in response.css("a::attr(href)").getall():
                if href.startswith(("mailto:", "#")) or (met is not None and href in met):
                    continue
                if met is not None:
                    met.add(href)
                yield response.follow(href, self.parse)

    process = crawler.CrawlerProcess(
        {
            "LOG_LEVEL": "ERROR",
            "ROBOTSTXT_OBEY": False,
            "DOWNLOAD_DELAY": 0,
            "CONCURRENT_REQUESTS": int(concurrency),
            "CONCURRENT_REQUESTS_PER_DOMAIN": int(concurrency),
            "COOKIES_ENABLED": False,
            "TELNETCONSOLE_ENABLED": False,
        }
    )
    process.crawl(Spider)
    process.start()
    return pages


if __name__ == "__main__":
    if "--as" in sys.argv:
        crawl = {"threadmill": crawl_as_threadmill, "scrapy": crawl_as_scrapy}[sys.argv[2]]
        print(json.dumps({"pages": crawl(sys.argv[3:])}))
    else:
        main()
