"""`sites compare` over generated local sites of seven pages: seconds of CPU, stages apart.

    python3 dev.py run python -m bench.sites_compare 1000
    python3 dev.py run python -m bench.sites_compare 500 --method source

With the method of the source, the sites are in twenty languages: each needs a dictionary of lemmas.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import time
from collections import Counter

from bench.figures import Figure, at_most, write_figures
from threadmill.config import Settings, override
from threadmill.crawl.fetch.client import Fetcher
from threadmill.sites.collect.fetch_sites import fetch_sites
from threadmill.sites.compare import SOURCE_METHOD, ComparisonMethod, compare_read_sites
from threadmill.sites.decide.vocabulary import load_vocabulary
from threadmill.sites.model import CompanySite
from threadmill.sites.read.read_site import read_site

_LANGUAGES = (
    *("bg", "ca", "cs", "da", "de", "el", "en", "es", "fi", "fr"),
    *("hu", "it", "nl", "pl", "pt", "ro", "ru", "sk", "sv", "uk"),
)
_SOURCE_SITES = 500
_SOURCE_SECONDS = 60


async def gather(urls: list[str], spent: dict[str, float], *, lemmas: bool) -> list[CompanySite]:
    """Collect and read all sites, minding the time of reading."""
    settings = override(
        override(Settings(), "crawl", delay=0.0, concurrency=32), "fetch", private_targets=True
    )
    sites = []

    async def lookup(host: str, port: int) -> tuple[str, ...]:  # noqa: ARG001
        return ("127.0.0.1",)

    async with Fetcher(settings, lookup=lookup) as fetcher:
        async for collected in fetch_sites(fetcher, urls):
            begun = time.process_time()
            sites.append(read_site(collected, lemmas=lemmas))
            spent["read"] += time.process_time() - begun
    return sites


def main() -> None:
    """Print the stages of one comparison."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sites", nargs="?", type=int, default=1000)
    parser.add_argument("--method", choices=["all", "source"], default="all")
    arguments = parser.parse_args()
    is_source = arguments.method == "source"
    server = subprocess.Popen([sys.executable, "-m", "bench.sites_web"], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        port = int(server.stdout.readline())
        marks = [f"-{_LANGUAGES[n % len(_LANGUAGES)]}" if is_source else "" for n in range(arguments.sites)]
        urls = [f"http://s{number}{mark}.test:{port}/" for number, mark in enumerate(marks)]
        _measure(urls, SOURCE_METHOD if is_source else ComparisonMethod())
    finally:
        server.kill()


def _measure(urls: list[str], method: ComparisonMethod) -> None:
    spent = {"read": 0.0}
    vocabulary = load_vocabulary()
    wall, begun = time.perf_counter(), time.process_time()
    sites = asyncio.run(gather(urls, spent, lemmas=method.lemmas))
    spent["collect"] = time.process_time() - begun - spent["read"]
    begun = time.process_time()
    results = compare_read_sites(sites, vocabulary, method.floor, words_only=method.words_only)
    spent["vectors, join, decide"] = time.process_time() - begun
    stages = ", ".join(f"{stage} {seconds:.1f}" for stage, seconds in spent.items())
    outcomes = dict(Counter(site.outcome.value for site in sites))
    languages = len({site.language for site in sites})
    pages = sum(site.pages for site in sites)
    print(f"{len(sites)} sites {outcomes}, {languages} languages, {pages} pages, {len(results.pairs)} pairs")
    print(f"{time.perf_counter() - wall:.1f} s in all, {sum(spent.values()):.1f} s of CPU: {stages}")
    size = f"{len(sites):,} sites of seven pages"
    if method.words_only:
        bar = at_most(_SOURCE_SECONDS) if len(sites) == _SOURCE_SITES else None
        what = f"the source's method, CPU, {size}, {languages} languages"
        write_figures("sites_compare.source", [Figure("sites", what, sum(spent.values()), bar, "s")])
        return
    figures = [Figure("sites", f"CPU of a comparison, {size}", sum(spent.values()), unit="s")]
    figures += [
        Figure("sites", f"CPU, {stage}, {size}", seconds, unit="s") for stage, seconds in spent.items()
    ]
    write_figures("sites_compare", figures)


if __name__ == "__main__":
    main()
