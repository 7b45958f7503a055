"""Where a response leads, and when to stop following."""

from datetime import UTC, datetime

import pytest

from threadmill.crawl.fetch.redirects import RedirectChain
from threadmill.crawl.fetch.target import parse_target
from threadmill.errors import BadRedirectError, RedirectLoopError, TooManyRedirectsError
from threadmill.types import Exchange


def _exchange(status: int, *locations: str) -> Exchange:
    headers = tuple(("LOCATION", location) for location in locations)
    return Exchange("http://e.com/", datetime(2026, 1, 1, tzinfo=UTC), b"", status, "", headers, b"", "", "")


def _next(chain: RedirectChain, url: str, location: str, cookies: str = "") -> str | None:
    target = chain.next(parse_target(url), _exchange(302, location), cookies)
    return target.url if target else None


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_leads_to_its_location(status: int) -> None:
    target = RedirectChain(5).next(parse_target("http://e.com/a"), _exchange(status, "/b"), "")
    assert target is not None
    assert target.url == "http://e.com/b"


@pytest.mark.parametrize(
    "exchange", [_exchange(200, "/b"), _exchange(304, "/b"), _exchange(302), _exchange(302, " ")]
)
def test_what_is_no_redirect_leads_nowhere(exchange: Exchange) -> None:
    assert RedirectChain(5).next(parse_target("http://e.com/a"), exchange, "") is None


def test_as_many_redirects_as_allowed_are_followed() -> None:
    chain = RedirectChain(2)
    assert _next(chain, "http://e.com/0", "/1") == "http://e.com/1"
    assert _next(chain, "http://e.com/1", "/2") == "http://e.com/2"
    with pytest.raises(TooManyRedirectsError, match="more than 2"):
        _next(chain, "http://e.com/2", "/3")


def test_a_way_back_to_the_start_is_a_loop() -> None:
    chain = RedirectChain(5)
    _next(chain, "http://e.com/0", "/1")
    with pytest.raises(RedirectLoopError):
        _next(chain, "http://e.com/1", "/0")


def test_the_same_page_with_a_new_cookie_is_no_loop() -> None:
    chain = RedirectChain(5)
    assert _next(chain, "http://e.com/0", "/0", "seen=1") == "http://e.com/0"
    with pytest.raises(RedirectLoopError):
        _next(chain, "http://e.com/0", "/0", "seen=1")


@pytest.mark.parametrize("location", ["mailto:me@e.com", "http://[::1"])
def test_a_location_that_is_no_web_page_is_an_error(location: str) -> None:
    with pytest.raises(BadRedirectError, match="not a web page"):
        _next(RedirectChain(5), "http://e.com/0", location)
