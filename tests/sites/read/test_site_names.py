from __future__ import annotations

from datetime import UTC, datetime

import pytest

from threadmill.sites.read.site_names import find_names, fold_name
from threadmill.sites.read.site_page import SitePage, read_page
from threadmill.types import Capture


def page(html: str, title: str = "") -> SitePage:
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    body = f"<html><head><title>{title}</title></head><body>{html}</body></html>".encode()
    return read_page(Capture("http://a.test/", datetime(2026, 1, 1, tzinfo=UTC), 200, headers, body))


def names(*pages: SitePage) -> set[str]:
    return {name for name in find_names(pages) if name}


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Kern Bäckerei GmbH & Co. KG", "kern backerei"),
        ("Kern s.r.o.", "kern"),
        ("Huber Ltd. 2019", "huber"),
        ("Home", ""),
        ("About Kern", "kern"),
        ("Abc", ""),
        ("Abcd", "abcd"),
        ("12345 67", ""),
        ("one two three four five six seven", "one two three four five six seven"),
        ("one two three four five six seven eight", ""),
        ("", ""),
    ],
)
def test_a_name_is_folded_to_its_own_words(text: str, folded: str) -> None:
    assert fold_name(text) == folded


@pytest.mark.parametrize(
    "html",
    [
        '<meta property="og:site_name" content="Kern Mill">',
        '<meta name="application-name" content="Kern Mill">',
        '<meta name="apple-mobile-web-app-title" content="Kern Mill">',
        '<meta name="copyright" content="Kern Mill GmbH">',
        "<p>© 2015-2024 Kern Mill. All rights reserved.</p>",
        "<p>(c) 2020 by Kern Mill, Linz</p>",
        '<script type="application/ld+json">{"@type": "Organization", "name": "Kern Mill"}</script>',
        '<script type=application/ld+json>{"@type": ["X", "LocalBusiness"], "name": "Kern Mill"}</script>',
    ],
)
def test_a_site_names_itself_in_many_places(html: str) -> None:
    assert names(page(html)) == {"kern mill"}


@pytest.mark.parametrize(
    "html",
    [
        '<script type="application/ld+json">{"@type": "Product", "name": "Kern Mill"}</script>',
        '<script type="application/ld+json">{"@type": "Organization", "name": 5}</script>',
        '<script type="application/ld+json">{"name": "Kern Mill"}</script>',
        '<meta name="description" content="Kern Mill">',
    ],
)
def test_other_data_are_no_names(html: str) -> None:
    assert names(page(html)) == set()


def test_an_author_is_the_site_only_where_the_title_has_a_word_of_the_name() -> None:
    author = '<meta name="author" content="Kern Mill">'
    assert names(page(author, "Nordlicht Design")) == {"nordlicht"}
    assert "kern mill" in names(page(author, "Bread of the old Kern"))


def test_a_part_that_two_titles_share_is_a_name() -> None:
    first, second = (
        page("", "Bread by hand today | Kern Mill | Linz at night"),
        page("", "Contact us now - Kern Mill"),
    )
    assert "kern mill" in names(first, second)
    assert "kern mill" in names(first, page("", "Kern Mill: our team"))


def test_of_one_title_the_first_last_and_shortest_parts_may_be_names() -> None:
    found = names(page("", "Finest bread in town – Kern – Rolls and cakes – Order online with us"))
    assert found == {fold_name("Finest bread in town"), "kern", fold_name("Order online with us")}
    assert fold_name("Rolls and cakes") not in found


def test_a_site_without_titles_has_no_names() -> None:
    assert names() == set()
    assert names(page("<p>Bread</p>")) == set()
