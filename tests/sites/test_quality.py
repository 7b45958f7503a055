"""Small sites written by hand: what a comparison of them must find, and what it must not."""

from __future__ import annotations

import asyncio
import json
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from tests.sites.collect.test_fetch_sites import Pages
from threadmill.config import Settings, override
from threadmill.crawl.fetch.client import Fetcher
from threadmill.sites.compare import compare_read_sites, fetch_and_read
from threadmill.sites.decide.score_pairs import DEFAULT_BORDER
from threadmill.sites.decide.vocabulary import load_vocabulary
from threadmill.sites.model import CompanySite

_CASES = Path(__file__).parent / "cases"


@cache
def compared(name: str) -> tuple[set[frozenset[str]], set[frozenset[str]]]:
    """The pairs of one company, and the pairs that were reported."""
    case = json.loads((_CASES / f"{name}.json").read_text(encoding="utf-8"))
    web = Pages(
        {f"http://{h}{path}": html for h, site in case.items() for path, html in site["pages"].items()}
    )

    async def work() -> list[CompanySite]:
        async with Fetcher(override(Settings(), "crawl", delay=0.0), transport=web) as fetcher:
            return [site async for site in fetch_and_read(fetcher, [f"http://{host}/" for host in case])]

    results = compare_read_sites(asyncio.run(work()), load_vocabulary())
    hosts = [site.url.split("/")[2] for site in results.sites]
    reported = {frozenset((hosts[pair.one], hosts[pair.other])) for pair in results.over(DEFAULT_BORDER)}
    true = {frozenset(pair) for pair in combinations(case, 2) if len({case[h]["group"] for h in pair}) == 1}
    return true, reported


# Of the first 32 sites, when they were new, 13 pairs were reported, 5 of the 7 true ones among them; the
# false ones, makers and their customers, were mended. Of the next 16 then 2 pairs were, 2 of the 3 true ones.
@pytest.mark.parametrize(("name", "least"), [("companies", 7), ("companies_later", 2)])
def test_companies_in_two_languages_rewritten_or_with_a_second_brand_are_found(name: str, least: int) -> None:
    true, reported = compared(name)
    assert len(true & reported) >= least, true - reported


@pytest.mark.parametrize("name", ["companies", "companies_later"])
def test_makers_malls_namesakes_and_copied_words_join_nobody(name: str) -> None:
    true, reported = compared(name)
    # Two branches of a chain with the chain's mail domain and name: who could tell from their pages?
    chain = frozenset({"bubbletown-linz.test", "bubbletown-graz.test"})
    assert reported - true <= {chain}
