"""Credentials go to their site only, and their values are not archived."""

import pytest

from threadmill.crawl.fetch.credentials import LEFT_OUT, NO_CREDENTIALS, Credentials, without_secrets
from threadmill.crawl.fetch.target import parse_target

KEY = Credentials("https://forum.example.org", (("X-Key", "secret"), ("Authorization", "Basic eA==")))


@pytest.mark.parametrize(
    ("url", "sent"),
    [
        ("https://forum.example.org/a", True),
        ("https://www.forum.example.org/a", True),
        ("http://forum.example.org/a", False),  # an open line
        ("https://example.org/a", False),
        ("https://forum.example.org.evil.test/", False),
        ("https://other.forum.example.org/", False),
    ],
)
def test_headers_are_sent_to_the_site_only(url: str, sent: bool) -> None:
    lines = KEY.lines(parse_target(url))
    assert lines == ("X-Key: secret\r\nAuthorization: Basic eA==\r\n" if sent else "")


def test_a_site_without_tls_may_move_to_it() -> None:
    plain = Credentials("http://a.test", (("X-Key", "secret"),))
    assert plain.lines(parse_target("http://a.test/"))
    assert plain.lines(parse_target("https://a.test/"))


def test_whether_there_are_any_is_told() -> None:
    assert not NO_CREDENTIALS.are_given
    assert KEY.are_given
    assert Credentials("https://a.test", logs_in=True).are_given
    assert NO_CREDENTIALS.lines(parse_target("https://a.test/")) == ""


def test_secret_headers_keep_their_name_and_lose_their_value() -> None:
    head = b"GET /a:b HTTP/1.1\r\nHost: a.test\r\nCookie: sid=1\r\nx-key: secret\r\n\r\n"
    shown, headers = without_secrets(head, (("Set-Cookie", "sid=1"), ("Server", "x")), KEY.hidden)
    assert b"secret" not in shown
    assert b"sid=1" not in shown
    assert shown.startswith(b"GET /a:b HTTP/1.1\r\nHost: a.test\r\nCookie: (left out)\r\n")
    assert shown.endswith(b"\r\n\r\n")
    assert headers == (("Set-Cookie", LEFT_OUT), ("Server", "x"))
