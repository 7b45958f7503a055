from __future__ import annotations

from datetime import UTC, datetime

from threadmill.sites.collect.fetch_sites import shared_hosts
from threadmill.sites.collect.home_links import HomeLinks, find_home_links
from threadmill.sites.read.site_page import read_page
from threadmill.types import Capture

_AT = datetime(2026, 1, 1, tzinfo=UTC)
_HOME = (
    "<link rel=stylesheet href=/style.css><a href=/about.html>About</a><a href=/~b/x.html>B</a>"
    "<a href=team.html>Team</a><p class=gone>Secret words.</p><p>Bread and rolls from our own oven.</p>"
)


def capture(url: str) -> Capture:
    return Capture(url, _AT, 200, (("Content-Type", "text/html"),), _HOME.encode())


def leads(url: str, *, alone: bool = True) -> HomeLinks:
    return find_home_links(capture(url), alone=alone)


def test_a_site_that_shares_its_host_is_only_what_lies_under_its_path() -> None:
    found = leads("http://uni.test/~a/", alone=False)
    assert [url for url, _ in found.links] == ["http://uni.test/~a/team.html"]
    assert found.pictures == []
    assert shared_hosts(["http://uni.test/~a/", "http://uni.test/~b/", "http://kern.test/"]) == {"uni.test"}


def test_in_a_local_mirror_links_from_the_root_stay_with_their_site() -> None:
    found = leads("http://127.0.0.1:8899/kern.test/")
    assert "http://127.0.0.1:8899/kern.test/about.html" in [url for url, _ in found.links]


def test_a_linked_style_sheet_hides_words_but_not_contact_data() -> None:
    assert leads("http://kern.test/").sheets == ["http://kern.test/style.css"]
    page = read_page(capture("http://kern.test/"), [".gone{display:none}"])
    assert "Secret" not in page.text
    assert "Secret" in page.whole


def test_a_sheet_that_hides_most_of_a_page_is_undone_by_a_script() -> None:
    page = read_page(capture("http://kern.test/"), ["p{display:none}"])
    assert "Bread and rolls" in page.text
