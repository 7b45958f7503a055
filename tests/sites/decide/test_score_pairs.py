from __future__ import annotations

from threadmill.sites.compare import compare_read_sites, read_list
from threadmill.sites.decide.score_pairs import DEFAULT_BORDER, default_weights
from threadmill.sites.decide.vocabulary import Vocabulary
from threadmill.sites.model import CompanySite, ReadOutcome, SiteFacts
from threadmill.sites.report.html_report import as_html
from threadmill.sites.report.results import ComparisonResults, as_csv, as_json

_WORDS = Vocabulary(100, {"bread": 10, "roll": 10, "brot": 10, "wheel": 10, "bike": 10})


def site(url: str, words: dict[str, int], *keys: tuple[str, str], name: str = "") -> CompanySite:
    facts = SiteFacts(frozenset(keys), url.split("/")[2], frozenset(), frozenset({name} if name else set()))
    return CompanySite(url, ReadOutcome.OK, "", "en", words, facts, 1)


def compare(*sites: CompanySite) -> ComparisonResults:
    return compare_read_sites(sites, _WORDS)


def test_one_company_in_two_languages_is_found_by_its_contact_data() -> None:
    keys = [("e-mail", "info@kern.test"), ("mail domain", "kern.test"), ("phone", "20937841")]
    results = compare(
        site("http://kern.test/", {"bread": 3}, *keys, name="kern"),
        site("http://kern-bakery.test/", {"brot": 3}, *keys, name="kern"),
        site("http://bikes.test/", {"bike": 3, "wheel": 1}, ("phone", "99887712"), name="bikes"),
    )
    [pair] = results.over(DEFAULT_BORDER)
    assert (pair.one, pair.other) == (0, 1)
    assert "info@kern.test" in pair.why


def test_a_number_that_half_the_list_shares_joins_nobody() -> None:
    sites = [site(f"http://s{n}.test/", {"bread": 1}, ("phone", "1"), name=f"firm{n}") for n in range(45)]
    assert not compare(*sites).over(DEFAULT_BORDER)


def test_words_alone_with_other_names_and_contact_are_not_enough() -> None:
    results = compare(
        site("http://a.test/", {"bread": 2, "roll": 1}, ("phone", "20937841"), name="kern"),
        site("http://b.test/", {"bread": 2, "roll": 1}, ("phone", "77120034"), name="huber"),
    )
    assert not results.over(DEFAULT_BORDER)


def test_placeholders_take_no_part() -> None:
    parked = [CompanySite(f"http://p{n}.test/", ReadOutcome.PARKED, "says 'for sale'") for n in range(2)]
    assert compare(*parked).pairs == ()


def test_every_kind_of_evidence_speaks_for_or_against_as_it_should() -> None:
    weights = default_weights().weights
    assert all(weight <= 0 for kind, weight in weights.items() if kind.startswith("other"))
    assert all(weight >= 0 for kind, weight in weights.items() if not kind.startswith(("other", "template")))


def test_exports_escape_what_sites_say() -> None:
    keys = [("e-mail", "<b>@kern.test"), ("name", "<script>alert(1)</script>"), ("mail domain", "kern.test")]
    results = compare(
        site("http://kern.test/<i>", {"bread": 1}, *keys), site("http://kern2.test/", {"bread": 1}, *keys)
    )
    page = as_html(results, DEFAULT_BORDER)
    assert "<script" not in page
    assert "<i>" not in page
    assert "http://kern2.test/" in as_csv(results, DEFAULT_BORDER)
    assert '"representative"' in as_json(results, DEFAULT_BORDER)


def test_a_list_takes_urls_and_bare_domains_once() -> None:
    assert read_list(["# mine", "a.test", "https://b.test/x", "", "a.test"]) == [
        "http://a.test/",
        "https://b.test/x",
    ]


def test_the_sources_method_scores_by_words_and_nothing_else() -> None:
    results = compare_read_sites(
        [
            site("http://a.test/", {"bread": 2, "roll": 1}, ("phone", "20937841"), name="kern"),
            site("http://b.test/", {"bread": 2, "roll": 1}, ("phone", "77120034"), name="huber"),
            site("http://c.test/", {"brot": 2}, ("phone", "20937841"), name="kern"),
        ],
        _WORDS,
        words_only=True,
    )
    [pair] = results.pairs
    assert (pair.one, pair.other, pair.score) == (0, 1, 1.0)
