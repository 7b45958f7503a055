from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.crawl.fetch.cookies import CookieJar, parse_cookie
from threadmill.crawl.fetch.target import parse_target

NOW = datetime(2030, 1, 1, tzinfo=UTC)
FORUM = parse_target("https://www.forum.example.com/board/show.php?t=1")


def jar_with(*values: str) -> CookieJar:
    cookies = CookieJar()
    cookies.take(FORUM, [("Set-Cookie", value) for value in values], NOW)
    return cookies


def sent(cookies: CookieJar, url: str, now: datetime = NOW) -> str:
    return cookies.header(parse_target(url), now)


def test_a_cookie_goes_back_to_its_host_only() -> None:
    cookies = jar_with("sid=1; Path=/")
    assert sent(cookies, "https://www.forum.example.com/x") == "sid=1"
    assert sent(cookies, "https://forum.example.com/x") == ""
    assert sent(cookies, "https://a.www.forum.example.com/x") == ""


def test_a_cookie_of_a_domain_goes_to_the_family() -> None:
    cookies = jar_with("sid=1; Path=/; Domain=.example.com")
    assert sent(cookies, "http://example.com/") == "sid=1"
    assert sent(cookies, "http://other.example.com/") == "sid=1"
    assert sent(cookies, "http://badexample.com/") == ""


@pytest.mark.parametrize(
    "domain", ["other.com", "com", "ww.forum.example.com", "xample.com", "a.www.forum.example.com"]
)
def test_a_cookie_for_somebody_else_is_refused(domain: str) -> None:
    assert jar_with(f"sid=1; Domain={domain}").export() == []


def test_path_and_secure_are_kept_to() -> None:
    cookies = jar_with("a=1", "b=2; Path=/", "c=3; Path=/; Secure")
    assert sent(cookies, "https://www.forum.example.com/board/x") == "a=1; b=2; c=3"
    assert sent(cookies, "http://www.forum.example.com/boarding") == "b=2"


@pytest.mark.parametrize(
    "lifetime",
    ["Max-Age=60", "Expires=Tue, 01 Jan 2030 00:01:00 GMT", "Expires=Tue, 01-Jan-2030 00:01:00 GMT"],
)
def test_a_cookie_dies_when_it_said(lifetime: str) -> None:
    cookies = jar_with(f"sid=1; Path=/; {lifetime}")
    assert sent(cookies, "https://www.forum.example.com/") == "sid=1"
    assert sent(cookies, "https://www.forum.example.com/", NOW + timedelta(seconds=61)) == ""


def test_a_cookie_is_replaced_and_deleted() -> None:
    cookies = jar_with("sid=1; Path=/", "sid=2; Path=/")
    assert sent(cookies, "https://www.forum.example.com/") == "sid=2"
    cookies.take(FORUM, [("set-cookie", "sid=; Path=/; Max-Age=0")], NOW)
    assert cookies.export() == []


def test_a_host_cannot_fill_our_memory() -> None:
    assert len(jar_with(*(f"c{number}=1" for number in range(1000))).export()) == 50
    assert jar_with(f"big={'x' * 5000}").export() == []


def test_what_is_exported_can_be_loaded() -> None:
    cookies = jar_with("a=1; Path=/; Max-Age=60; Secure", "b=2; Domain=example.com")
    other = CookieJar()
    other.load(json.loads(json.dumps(cookies.export())))
    assert other.export() == cookies.export()


@given(st.text(max_size=100))
def test_any_cookie_is_judged(value: str) -> None:
    cookie = parse_cookie(value, FORUM, NOW)
    assert cookie is None or not set(cookie.name + cookie.value) & set("\r\n;")


@pytest.mark.parametrize(
    ("host", "domain", "taken"),
    [
        ("a.b.co.uk", "b.co.uk", True),
        ("a.b.co.uk", "co.uk", False),
        ("somebody.github.io", "github.io", False),
        ("10.1.2.3", "2.3", False),
        ("localhost", "localhost", True),
    ],
)
def test_nobody_sets_cookies_for_a_public_suffix(host: str, domain: str, taken: bool) -> None:
    cookie = parse_cookie(f"sid=1; Domain={domain}", parse_target(f"http://{host}/"), NOW)
    assert (cookie is not None) is taken
