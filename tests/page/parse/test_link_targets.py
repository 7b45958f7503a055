from urllib.parse import urljoin

import pytest

from threadmill.page.parse.link_targets import LinkResolver, link_base
from threadmill.page.parse.tree import parse

BASES = [
    "https://a.example/x/y?q=1", "http://a.example", "https://a.example:8080/x/", "https://a.example/x/y.html",
    "https://a.example/x//y", "https://a.example/x/../y", "https://a.example/x/y;z", "https://a.example/x?",
    "https://a.example/x/y#z", "HTTP://a.example/x", "https://a.example/x/y/z/.",
]  # fmt: skip
TARGETS = [
    "b", "b/c.html", "b?x=1", "../b", "./b", "../../../b/c#d", ".././b?x=1", "../b//c", "../b/../c",
    "../b#", "../?b", "..", "../.b", "../b c", "/b", "/b/../c", "//c.example/d", "#top", "#", "?x=2", "b#c",
    "https://c.example/", "HTTP://c.example/", "mailto:a@b.example", "javascript:go()", "tel:1", "b:c", "b;c",
    "ä", "b c", "-b", "", "b?", "b#",
]  # fmt: skip


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("target", TARGETS)
def test_the_short_way_leads_where_the_standard_leads(base: str, target: str) -> None:
    assert LinkResolver(base).absolute(target) == urljoin(base, target)


def test_white_space_around_a_target_does_not_count() -> None:
    assert LinkResolver(BASES[0]).absolute(" \n b\t") == "https://a.example/x/b"


def test_without_a_base_targets_stay_as_they_are() -> None:
    assert LinkResolver("").absolute(" /b ") == "/b"


@pytest.mark.parametrize("base", ["http://[", "not a url"])
def test_a_base_that_is_no_url_raises_nothing(base: str) -> None:
    assert LinkResolver(base).absolute("mailto:x") == "mailto:x"
    assert isinstance(LinkResolver(base).absolute("../b c"), str)


def test_a_target_that_is_no_url_stays_as_it_is() -> None:
    assert LinkResolver(BASES[0]).absolute("http+x://[") == "http+x://["


@pytest.mark.parametrize(
    ("head", "base"),
    [
        ("", "https://a.example/x/y"),
        ('<base href="/z/">', "https://a.example/z/"),
        ("<base target=_top>", "https://a.example/x/y"),
    ],
)
def test_links_start_from_the_base_of_the_page(head: str, base: str) -> None:
    tree = parse(f"<html><head>{head}</head><body></body></html>", "https://a.example/x/y")
    assert link_base(tree.document, "https://a.example/x/y") == base
