import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers.companies import Companies
from threadmill.api.sites import compare_sites, compare_sites_async
from threadmill.errors import UsageError


@pytest.fixture(scope="module")
def urls() -> Iterator[list[str]]:
    with Companies(3) as sites:
        yield sites.urls


def test_the_pair_of_one_company_is_found_with_its_evidence(urls: list[str]) -> None:
    seen: list[str] = []
    results = compare_sites(urls, delay=0, on_site=lambda site: seen.append(site.url))
    assert [site.url for site in results.sites] == urls
    assert sorted(seen) == sorted(urls)
    [pair] = results.over(0.5)
    assert (pair.one, pair.other) == (0, 1)
    assert pair.why


def test_the_method_of_the_source_counts_words_alone(urls: list[str]) -> None:
    pytest.importorskip("simplemma")
    results = compare_sites(urls[:2], delay=0, method="source")
    assert [found.kind for pair in results.pairs for found in pair.evidence] == ["words"]
    assert results.pairs[0].score == results.pairs[0].cosine


def test_an_archive_answers_when_the_sites_are_gone(tmp_path: Path) -> None:
    with Companies(2) as sites:
        fresh = compare_sites(sites.urls, delay=0, archive=tmp_path / "kept")
    again = compare_sites(sites.urls, delay=0, archive=str(tmp_path / "kept"), use_archive_data=True)
    assert again.sites == fresh.sites
    assert [pair.score for pair in again.pairs] == [pair.score for pair in fresh.pairs]


def test_archive_data_needs_an_archive() -> None:
    with pytest.raises(UsageError, match="needs archive"):
        compare_sites(["a.example", "b.example"], use_archive_data=True)


def test_one_site_cannot_be_compared() -> None:
    with pytest.raises(UsageError, match="at least two sites"):
        compare_sites(["a.example", "a.example"])


def test_inside_an_event_loop_the_async_form_is_named(urls: list[str]) -> None:
    async def call() -> None:
        compare_sites(urls)

    with pytest.raises(UsageError, match="await compare_sites_async"):
        asyncio.run(call())


def test_the_async_form_gives_the_same(urls: list[str]) -> None:
    results = asyncio.run(compare_sites_async(urls[:2], delay=0))
    assert results == compare_sites(urls[:2], delay=0)


def test_workers_that_read_the_sites_give_the_same_results(urls: list[str]) -> None:
    alone = compare_sites(urls, delay=0)
    seen: list[str] = []
    together = compare_sites(urls, delay=0, processes=2, on_site=lambda site: seen.append(site.url))
    assert together == alone
    assert sorted(seen) == sorted(urls)
