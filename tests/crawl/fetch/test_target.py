from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.crawl.fetch.target import parse_target, resolve_redirect
from threadmill.errors import URLError


@pytest.mark.parametrize(
    ("url", "authority", "resource", "port"),
    [
        ("http://example.com", "example.com", "/", 80),
        ("https://Example.COM:443/a?b=c#d", "example.com", "/a?b=c", 443),
        ("http://example.com:8080/?x", "example.com:8080", "/?x", 8080),
        ("http://user:secret@example.com/", "example.com", "/", 80),
        ("http://[2001:db8::1]:81/", "[2001:db8::1]:81", "/", 81),
        ("http://bücher.example/straße?q=ä b", "xn--bcher-kva.example", "/stra%C3%9Fe?q=%C3%A4%20b", 80),
        ("http://e.com/a%20b/%D0%B0?x=1&y[]=2", "e.com", "/a%20b/%D0%B0?x=1&y[]=2", 80),
    ],
)
def test_a_url_is_taken_apart(url: str, authority: str, resource: str, port: int) -> None:
    target = parse_target(url)
    assert (target.authority, target.resource, target.port) == (authority, resource, port)
    assert parse_target(target.url) == target


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com",
        "ftp://e.com/",
        "http://",
        "http://e.com:99999/",
        "http://[::1/",
        "http://a b/",
    ],
)
def test_what_is_no_web_address_is_refused(url: str) -> None:
    with pytest.raises(URLError):
        parse_target(url)


@given(st.text(max_size=50))
def test_a_request_line_is_never_broken_by_a_url(text: str) -> None:
    try:
        target = parse_target(f"http://e.com/{text}")
    except URLError:
        return
    assert target.resource.isascii()
    assert not set(target.resource) & set(" \r\n\t\x00")


@pytest.mark.parametrize(
    ("location", "url"),
    [
        ("next", "https://e.com/a/next"),
        ("/next?x=1#y", "https://e.com/next?x=1"),
        ("//other.com/", "https://other.com/"),
        (" ?page=2 ", "https://e.com/a/b?page=2"),
        ("/лес".encode().decode("latin-1"), "https://e.com/%D0%BB%D0%B5%D1%81"),
        ("/caf\xe9", "https://e.com/caf%C3%A9"),
    ],
)
def test_a_location_is_relative_to_where_it_was_found(location: str, url: str) -> None:
    assert resolve_redirect(parse_target("https://e.com/a/b"), location).url == url
