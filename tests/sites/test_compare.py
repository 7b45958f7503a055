"""The whole comparison of a list over loopback sites, with the method that was asked for."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from tests.servers.sites import Reply, SiteServer
from threadmill.config import Settings, override
from threadmill.errors import UsageError
from threadmill.parallel.workers import WorkPlace
from threadmill.sites.compare import (
    SOURCE_METHOD,
    ComparisonMethod,
    ListComparison,
    compare_read_sites,
    compare_sites,
    read_list,
)
from threadmill.sites.decide.vocabulary import Vocabulary
from threadmill.sites.model import CompanySite, Fact, ReadOutcome, SiteFacts

_SINGULAR = (
    "The gardener plants a tree beside the house, repairs an old wooden fence and paints the narrow gate. "
)
_PLURAL = "Gardeners plant trees beside houses, repair older wooden fences and painted narrow gates. "


def cosine(*, lemmas: bool) -> float:
    """How alike the words of two sites are that say the same in other forms."""
    home = {
        text: {"/": Reply(f"<html lang=en><title>Garden</title><p>{text * 6}</p></html>".encode())}
        for text in (_SINGULAR, _PLURAL)
    }
    settings = override(override(Settings(), "crawl", delay=0.0), "fetch", private_targets=True)
    with SiteServer(home[_SINGULAR]) as one, SiteServer(home[_PLURAL]) as other:
        method = replace(SOURCE_METHOD, lemmas=lemmas, floor=0.01)
        results = asyncio.run(compare_sites([one.url(), other.url()], settings, method))
    return results.pairs[0].cosine


def test_lemmas_are_counted_when_they_are_asked_for() -> None:
    pytest.importorskip("simplemma", reason="lemmas need the extra of that name")
    assert cosine(lemmas=True) > cosine(lemmas=False) + 0.2


def test_a_list_takes_urls_and_bare_domains_once() -> None:
    assert read_list(["# mine", "a.test", "https://b.test/x", "", "a.test"]) == [
        "http://a.test/",
        "https://b.test/x",
    ]


def test_a_list_keeps_the_scheme_and_takes_the_first_word_of_a_line() -> None:
    assert read_list(["  HTTPS://b.test/ my note", "\tftp.test", "#c.test", " # d.test"]) == [
        "HTTPS://b.test/",
        "http://ftp.test/",
    ]


@pytest.mark.parametrize(("lines", "count"), [([], 0), (["a.test", "a.test"], 1), (["# a.test"], 0)])
def test_a_list_of_fewer_than_two_sites_is_refused(lines: list[str], count: int) -> None:
    with pytest.raises(UsageError, match=f"at least two sites.* found {count}"):
        read_list(lines)


WORDS = Vocabulary(100, {"bread": 10, "roll": 20})


def read(url: str, outcome: ReadOutcome = ReadOutcome.OK) -> CompanySite:
    facts = SiteFacts(frozenset({("phone", "20937841"), ("e-mail", "info@kern.test")}), url.split("/")[2])
    return CompanySite(url, outcome, "", "en", {"bread": 1}, facts, 1)


def test_pairs_are_numbered_by_the_list_and_only_good_sites_take_part() -> None:
    sites = [
        read("http://p.test/", ReadOutcome.PARKED),
        read("http://a.test/"),
        read("http://e.test/", ReadOutcome.EMPTY),
        read("http://b.test/"),
    ]
    for words_only in (True, False):
        results = compare_read_sites(sites, WORDS, words_only=words_only)
        assert [(pair.one, pair.other) for pair in results.pairs] == [(1, 3)]
        assert [site.url for site in results.sites] == [site.url for site in sites]


def test_the_floor_is_that_of_the_words() -> None:
    one, other = read("http://a.test/"), read("http://b.test/")
    alike = [
        replace(one, facts=SiteFacts()),
        replace(other, facts=SiteFacts(), keywords={"bread": 1, "roll": 9}),
    ]
    assert len(compare_read_sites(alike, WORDS, 0.1, words_only=True).pairs) == 1
    assert compare_read_sites(alike, WORDS, 0.9, words_only=True).pairs == ()


def test_the_usual_method_weighs_all_evidence_and_that_of_the_source_words_alone() -> None:
    assert ComparisonMethod() == ComparisonMethod(None, False, 0.3, False)
    assert ComparisonMethod(None, True, 0.1, True) == SOURCE_METHOD


def test_progress_is_told_of_every_site() -> None:
    settings = override(override(Settings(), "crawl", delay=0.0), "fetch", private_targets=True)
    told: list[CompanySite] = []
    with SiteServer({"/": Reply(b"<title>x</title><p>This domain is for sale</p>")}) as server:
        urls = [server.url(), server.url("/none")]
        results = asyncio.run(compare_sites(urls, settings, progress=told.append))
    assert {site.url: site.outcome for site in told} == {
        urls[0]: ReadOutcome.PARKED,
        urls[1]: ReadOutcome.DEAD,
    }
    assert [site.url for site in results.sites] == urls


def test_the_sentence_quotes_the_site_that_stands_first_in_the_list() -> None:
    def site(url: str, written: str) -> CompanySite:
        fact = Fact("phone", "20937841", written)
        return CompanySite(url, ReadOutcome.OK, facts=SiteFacts(frozenset({fact.key}), found=(fact,)))

    sites = [site("http://a.test/", "030 2093 7841"), site("http://b.test/", "+49 30 20937841")]
    for order in ([0, 1], [1, 0]):
        comparison = ListComparison(WORDS)
        numbers = {sites[place].url: comparison.add(sites[place]) for place in order}
        [pair] = comparison.results([numbers[one.url] for one in sites]).pairs
        assert (pair.one, pair.other) == (0, 1)
        assert pair.why.startswith("both have the telephone number 030 2093 7841")
        assert [fact.written for fact in pair.evidence[0].places] == ["030 2093 7841", "+49 30 20937841"]


def test_an_entry_of_a_list_that_is_no_site_is_named() -> None:
    with pytest.raises(UsageError, match="as entry 4, but got 'no site at all'"):
        read_list(["# mine", "a.test", "", "  no site at all ", "b.test"])


def test_sites_are_read_in_other_processes_too() -> None:
    pages = [
        {"/": Reply(f"<html lang=en><title>Garden</title><p>{text * 6}</p></html>".encode())}
        for text in (_SINGULAR, _SINGULAR, _PLURAL)
    ]
    settings = override(override(Settings(), "crawl", delay=0.0), "fetch", private_targets=True)
    with SiteServer(pages[0]) as one, SiteServer(pages[1]) as other, SiteServer(pages[2]) as third:
        urls = [one.url(), other.url(), third.url()]
        told: list[str] = []
        method = replace(SOURCE_METHOD, lemmas=False, floor=0.01)
        here = asyncio.run(compare_sites(urls, settings, method))
        method = replace(method, place=WorkPlace(processes=2))
        there = asyncio.run(
            compare_sites(urls, settings, method, progress=lambda site: told.append(site.url))
        )
    assert there == here
    assert sorted(told) == sorted(urls)
