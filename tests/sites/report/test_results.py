from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from threadmill.errors import UsageError
from threadmill.sites.model import CompanySite, Evidence, Fact, ReadOutcome, SiteCluster, SitePair
from threadmill.sites.report.results import (
    ComparisonResults,
    as_csv,
    as_json,
    load_results,
    save_results,
)

SITES = (
    CompanySite("http://a.test/", ReadOutcome.OK, "", "en", pages=3, name="Kern"),
    CompanySite("http://b.test/", ReadOutcome.OK, "", "de", pages=2),
    CompanySite("http://p.test/", ReadOutcome.PARKED, "says 'for sale'", pages=1),
    CompanySite("http://c.test/", ReadOutcome.OK, "", "en", pages=1),
)
PLACES = (
    Fact("phone", "", "030 2093 7841", "Tel. 030 2093 7841", "http://a.test/contact"),
    Fact("phone", "", "+49 30 20937841", "call +49 30 20937841", "http://b.test/"),
)
PHONE = Evidence("phone", 1.0, places=PLACES)
PAIRS = (
    SitePair(0, 1, 0.9, 0.25, (PHONE, Evidence("words", 0.25)), "both have a phone."),
    SitePair(1, 3, 0.4, 0.5, (Evidence("words", 0.5),), "=cmd()"),
)
RESULTS = ComparisonResults(SITES, PAIRS)


def test_pairs_over_a_border_include_the_border() -> None:
    assert RESULTS.over(0.9) == PAIRS[:1]
    assert RESULTS.over(0.4) == PAIRS
    assert RESULTS.over(0.91) == ()


def test_clusters_follow_the_border() -> None:
    assert RESULTS.clusters(0.5) == [SiteCluster((0, 1))]
    assert RESULTS.clusters(0.4) == [SiteCluster((1, 0, 3))]


def test_saved_results_are_read_back(tmp_path: Path) -> None:
    save_results(RESULTS, tmp_path / "r.json")
    assert load_results(tmp_path / "r.json") == RESULTS


def test_strengths_are_saved_with_three_digits(tmp_path: Path) -> None:
    pair = SitePair(0, 1, 0.9, 0.25, (Evidence("words", 0.12345, "a text"),), "why")
    save_results(ComparisonResults(SITES, (pair,)), tmp_path / "r.json")
    [loaded] = load_results(tmp_path / "r.json").pairs
    assert loaded.evidence == (Evidence("words", 0.123),)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("nonsense", "Expecting value"),
        ("[]", "list indices"),
        ("[" * 100_000, "recursion depth"),
        ('{"pairs": []}', "'sites' is missing"),
        ('{"sites": [{"url": "x", "outcome": "odd", "reason": "", "language": "", "pages": 1}]}', "'odd'"),
        ('{"sites": [], "pairs": [{"url1": "x"}]}', "'x' is missing"),
    ],
)
def test_a_file_that_has_no_results_is_refused_with_its_problem(
    tmp_path: Path, content: str, problem: str
) -> None:
    (tmp_path / "r.json").write_text(content)
    with pytest.raises(UsageError, match=r"expected results made by .* in .*r\.json, but ") as error:
        load_results(tmp_path / "r.json")
    assert problem in str(error.value)


def test_csv_has_a_line_per_pair_and_no_formula() -> None:
    rows = list(csv.reader(io.StringIO(as_csv(RESULTS, 0.4))))
    assert rows == [
        ["cluster", "company", "url1", "url2", "similarity", "words", "why", "found1", "found2"],
        [
            *("1", "Kern", "http://a.test/", "http://b.test/", "0.9", "0.25", "both have a phone."),
            *("phone: 030 2093 7841 (http://a.test/contact)", "phone: +49 30 20937841 (http://b.test/)"),
        ],
        ["1", "", "http://b.test/", "http://c.test/", "0.4", "0.5", "'=cmd()", "", ""],
    ]
    assert len(as_csv(RESULTS, 0.5).splitlines()) == 2


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t"])
def test_every_sign_that_begins_a_formula_is_quoted(sign: str) -> None:
    pair = SitePair(0, 1, 0.9, 0.0, (), f"{sign}x")
    rows = list(csv.reader(io.StringIO(as_csv(ComparisonResults(SITES, (pair,)), 0.5))))
    assert rows[1][6] == f"'{sign}x"


def test_json_has_pairs_clusters_and_all_sites() -> None:
    assert json.loads(as_json(RESULTS, 0.5)) == {
        "similarity_border": 0.5,
        "results": [
            {
                "url1": "http://a.test/",
                "url2": "http://b.test/",
                "similarity": 0.9,
                "words": 0.25,
                "why": "both have a phone.",
                "evidence": {"phone": 1.0, "words": 0.25},
                "found": [
                    {"kind": "phone", "page": place.page, "written": place.written, "around": place.around}
                    for place in PLACES
                ],
            }
        ],
        "clusters": [
            {
                "id": 1,
                "company": "Kern",
                "representative": "http://a.test/",
                "sites": ["http://a.test/", "http://b.test/"],
            }
        ],
        "sites": [
            {"url": site.url, "name": site.name, "outcome": site.outcome.value, "reason": site.reason}
            for site in SITES
        ],
    }
    assert as_json(RESULTS, 0.5).endswith("}\n")
