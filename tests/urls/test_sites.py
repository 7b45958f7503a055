import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.errors import URLError
from threadmill.urls import Scope, host_of, in_scope, resolve, same_site, site_of
from threadmill.urls.sites import is_ending


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://www.example.com/", "www.example.com"),
        ("http://www.example.com:8080/a:b", "www.example.com"),
        ("http://WWW.Example.com", "www.example.com"),
        ("http://user@münchen.de/", "xn--mnchen-3ya.de"),
        ("http://[::1]:8080/", "[::1]"),
        ("http://127.0.0.1/", "127.0.0.1"),
    ],
)
def test_the_host_of_a_url(url: str, host: str) -> None:
    assert host_of(url) == host


def test_what_is_no_url_has_no_host() -> None:
    with pytest.raises(URLError):
        host_of("example.com")


@pytest.mark.parametrize(
    ("host", "site"),
    [
        ("www.forum.example.com", "example.com"),
        ("news.bbc.co.uk", "bbc.co.uk"),
        ("co.uk", "co.uk"),
        ("ann.github.io", "ann.github.io"),
        ("a.b.xn--p1ai", "b.xn--p1ai"),
        ("www.city.kawasaki.jp", "city.kawasaki.jp"),
        ("localhost", "localhost"),
        ("127.0.0.1", "127.0.0.1"),
        ("[::1]", "[::1]"),
    ],
)
def test_the_site_of_a_url_is_its_registrable_domain(host: str, site: str) -> None:
    assert site_of(f"https://{host}/x") == site


def test_private_suffixes_can_be_ignored() -> None:
    assert site_of("https://ann.github.io/", private_suffixes=False) == "github.io"
    assert same_site("https://ann.github.io/", "https://bob.github.io/", private_suffixes=False)
    assert not same_site("https://ann.github.io/", "https://bob.github.io/")


@pytest.mark.parametrize(
    ("url", "scopes"),
    [
        ("https://example.com/forum/t?a=/x", {Scope.SITE, Scope.HOST, Scope.PREFIX}),
        ("https://www.example.com/forum/", {Scope.SITE, Scope.HOST, Scope.PREFIX}),
        ("https://example.com/shop/", {Scope.SITE, Scope.HOST}),
        ("https://example.com/forums", {Scope.SITE, Scope.HOST}),
        ("https://shop.example.com/forum/", {Scope.SITE}),
        ("https://example.org/forum/", set()),
    ],
)
def test_how_far_a_scope_reaches(url: str, scopes: set[Scope]) -> None:
    seed = "https://example.com/forum/index.php?c=/x/"
    assert {scope for scope in Scope if in_scope(url, seed, scope)} == scopes


@given(st.from_regex(r"https?://[a-zäß0-9.\[\]:-]{1,20}(/[a-z?/]{0,9})?", fullmatch=True))
def test_every_canonical_url_has_a_host_and_a_site(text: str) -> None:
    url = resolve(text)
    if url is not None:
        assert host_of(url).endswith(site_of(url))
        assert all(in_scope(url, url, scope) for scope in Scope)


@pytest.mark.parametrize(
    ("label", "known"), [("de", True), ("shop", True), ("test", True), ("dekontakt", False), ("png", False)]
)
def test_endings_of_domains_are_known(label: str, known: bool) -> None:
    assert is_ending(label) is known
