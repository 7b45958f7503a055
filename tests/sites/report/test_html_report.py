from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import turbohtml

from threadmill.sites.model import CompanySite, Evidence, ReadOutcome, SitePair
from threadmill.sites.report.html_report import CLUSTERS_OF_PAGE, as_html, page_count, write_html
from threadmill.sites.report.results import ComparisonResults


def site(url: str, outcome: ReadOutcome = ReadOutcome.OK, reason: str = "") -> CompanySite:
    return CompanySite(url, outcome, reason)


def results(urls: Sequence[str], *pairs: SitePair, more: Sequence[CompanySite] = ()) -> ComparisonResults:
    return ComparisonResults((*map(site, urls), *more), pairs)


URLS = ["http://www.kern.test/", "http://huber.test/shop/", "http://mill.test/", "http://oven.test/"]
PAIR = SitePair(
    0,
    1,
    0.875,
    0.2,
    (Evidence("words", 0.2), Evidence("phone", 1.0), Evidence("name", 0.04)),
    "both <have> it.",
)


def texts(page: str, selector: str) -> list[str]:
    return [" ".join(element.text.split()) for element in turbohtml.parse(page).select(selector)]


def test_the_summary_counts_sites_pairs_and_companies() -> None:
    parked = site("http://p.test/", ReadOutcome.PARKED, "says so")
    page = as_html(results(URLS, PAIR, SitePair(1, 2, 0.3, 0.0), more=[parked]), 0.5)
    assert texts(page, ".cards li") == [
        "5 sites",
        "4 compared",
        "1 pairs scored 0.5 or more",
        "1 companies with several sites",
    ]
    assert texts(page, "nav li") == ["kern.test 2 sites"]
    assert "<a href='#c1'>" in page
    assert "<section id=c1>" in page


def test_a_pair_is_shown_with_score_sites_sentence_and_evidence() -> None:
    page = as_html(results(URLS, PAIR), 0.5)
    assert texts(page, "td.score") == ["0.88"]
    assert "width:88%" in page
    assert texts(page, "td.sites a") == ["kern.test", "huber.test/shop"]
    assert texts(page, "ul.chips li") == ["phone", "words"]  # the strongest first, the weakest left out
    assert "title='strength 1.00'" in page
    assert "both &lt;have&gt; it." in page


def test_evidence_against_a_pair_is_marked() -> None:
    signals = (Evidence("other contact", 0.5), Evidence("other name", 1.0), Evidence("phone", 0.05))
    page = as_html(results(URLS, SitePair(0, 1, 0.6, 0.0, signals)), 0.5)
    assert texts(page, "li.against") == ["names differ", "contact data differ"]
    assert texts(page, "li.for") == ["phone"]


def test_each_cluster_lists_only_its_own_pairs() -> None:
    page = as_html(results(URLS, PAIR, SitePair(2, 3, 0.7, 0.0, (), "second")), 0.5)
    sections = page.split("<section")[1:]
    assert len(sections) == 2
    assert "second" not in sections[0]
    assert "second" in sections[1]
    assert texts(page, "h2 small") == ["2 sites", "2 sites"]


def test_without_a_cluster_the_page_says_so() -> None:
    page = as_html(results(URLS, PAIR), 0.9)
    assert "No two sites are one company at this border." in page
    assert "<nav>" not in page
    assert "No two sites" not in as_html(results(URLS, PAIR), 0.5)


def test_sites_that_were_not_compared_are_listed_by_outcome_and_url() -> None:
    more = [
        site("http://z.test/", ReadOutcome.PARKED, "says 'for sale'"),
        site("http://y.test/", ReadOutcome.DEAD, "no host"),
        site("http://x.test/", ReadOutcome.PARKED, "<b>"),
    ]
    page = as_html(results(URLS, more=more), 0.5)
    cells = texts(page.split("Not compared")[1], "td")
    assert cells == [
        "y.test",
        "dead",
        "no host",
        "x.test",
        "parked",
        "<b>",
        "z.test",
        "parked",
        "says 'for sale'",
    ]
    assert "Not compared" not in as_html(results(URLS), 0.5)


def test_the_graph_places_two_sites_on_one_line() -> None:
    page = as_html(results(["http://a.test/", "http://b.test/"], SitePair(0, 1, 1.0, 0.0)), 0.5)
    # 70 pixels of radius, a margin of 30 and 7.2 for each of the 6 letters: 2 * (70 + 73.2).
    assert "viewBox='0 0 286 60' width='286' height='60'" in page
    assert "<line x1='73' y1='30' x2='213' y2='30' stroke-width='4.0' stroke-opacity='0.85'>" in page
    assert "<circle class=first cx='73' cy='30' r='8'/>" in page
    assert "<circle cx='213' cy='30' r='6'/>" in page
    assert "<text class=first x='60' y='34' text-anchor='end'>a.test</text>" in page
    assert "<text x='226' y='34' text-anchor='start'>b.test</text>" in page


def test_the_graph_grows_with_its_members_up_to_forty() -> None:
    urls = [f"http://s{number:02}.test/" for number in range(42)]
    pairs = [SitePair(0, number, 0.9, 0.0) for number in range(1, 42)]
    page = as_html(results(urls, *pairs), 0.5)
    assert page.count("<circle") == 40
    assert page.count("<line ") == 39
    assert "and 2 more, in the table" in page
    box = re.search(r"viewBox='0 0 (\d+) (\d+)'", page)
    assert box is not None
    assert int(box[2]) == 60 + 2 * 14 * 40
    assert "more, in the table" not in as_html(results(urls[:40], *pairs[:39]), 0.5)


def test_a_weaker_pair_has_a_thinner_and_paler_line() -> None:
    page = as_html(results(URLS, SitePair(0, 1, 0.5, 0.0, (), "why & how")), 0.5)
    assert "stroke-width='2.5' stroke-opacity='0.55'" in page
    assert "<title>0.50: why &amp; how</title>" in page


def test_long_urls_are_shortened_and_other_schemes_are_no_links() -> None:
    long = "http://" + "a" * 60 + ".test/"
    page = as_html(results([long, "javascript:alert(1)"], SitePair(0, 1, 0.9, 0.0)), 0.5)
    assert "a" * 43 + "…" in page
    assert "a" * 44 + "…" not in page
    assert 'href="javascript' not in page
    assert texts(page, "td.sites a") == ["a" * 43 + "…"]
    exact = "http://" + "b" * 44
    assert "b" * 44 in as_html(results([exact, "http://c.test/"], SitePair(0, 1, 0.9, 0.0)), 0.5)


def test_the_page_loads_nothing_and_is_complete() -> None:
    page = as_html(results(URLS, PAIR), 0.5)
    assert page.startswith("<!DOCTYPE html>")
    assert "default-src 'none'" in page
    assert "<style>" in page
    assert page.endswith("</main></body></html>\n")


def test_members_stand_at_equal_distances_on_a_circle() -> None:
    urls = [f"http://{letter}.test/" for letter in "abcd"]
    page = as_html(results(urls, *(SitePair(0, number, 0.9, 0.0) for number in range(1, 4))), 0.5)
    circles = re.findall(r"cx='(\d+)' cy='(\d+)'", page)
    # The middle is at (143, 100), the radius is 70: left, top, right, bottom.
    assert circles == [("73", "100"), ("143", "30"), ("213", "100"), ("143", "170")]


def test_a_report_of_many_companies_is_written_in_pages_that_lead_to_each_other(tmp_path: Path) -> None:
    companies = CLUSTERS_OF_PAGE + 1
    urls = [f"http://s{number}.test/" for number in range(2 * companies)]
    pairs = [SitePair(2 * number, 2 * number + 1, 0.9, 0.0) for number in range(companies)]
    many = results(urls, *pairs)
    assert page_count(many, 0.5) == 2
    written = write_html(many, 0.5, tmp_path / "report.html")
    assert [file.name for file in written] == ["report.html", "report-2.html"]
    first, second = (file.read_text("utf-8") for file in written)
    assert (first.count("<section"), second.count("<section")) == (CLUSTERS_OF_PAGE, 1)
    assert 'href="report-2.html"' in first
    assert 'href="report.html"' in second
    assert [file.name for file in write_html(many, 0.5, tmp_path / "report")] == ["report", "report-2"]


def test_a_report_has_one_page_even_without_a_company_and_a_page_for_each_thousand_failures() -> None:
    assert page_count(results([]), 0.5) == 1
    failed = [site(f"http://f{number}.test/", ReadOutcome.PARKED) for number in range(1001)]
    assert page_count(results(URLS, PAIR, more=failed[:1000]), 0.5) == 1
    assert page_count(results(URLS, PAIR, more=failed), 0.5) == 2
