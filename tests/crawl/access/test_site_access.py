import pytest

from threadmill.config import AccessSettings
from threadmill.crawl.access.site_access import for_start, load_access
from threadmill.crawl.fetch.target import parse_target
from threadmill.errors import SettingsError, UsageError


def lines(settings: AccessSettings, url: str) -> str:
    return load_access(settings).credentials.lines(parse_target(url))


def test_headers_and_passwords_go_to_their_site_only() -> None:
    given = for_start(
        AccessSettings(user="a", password="b", headers="X-Key: 5"), "https://forum.example.org/x"
    )
    assert lines(given, "https://forum.example.org/y") == "X-Key: 5\r\nAuthorization: Basic YTpi\r\n"
    assert lines(given, "https://www.forum.example.org/y")
    assert not lines(given, "http://forum.example.org/y")  # a redirect to an open line
    assert not lines(given, "https://example.org/")
    assert not lines(given, "https://forum.example.org.evil.example/")


def test_a_site_of_the_settings_wins_over_the_start() -> None:
    assert (
        for_start(AccessSettings(site="https://a.example"), "https://b.example/").site == "https://a.example"
    )


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (AccessSettings(headers="X-Key: 5"), "without access.site"),
    ],
)
def test_settings_that_lack_something_are_refused(settings: AccessSettings, told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        load_access(settings)


@pytest.mark.parametrize("line", ["no colon", "Bad Name: 1", "Host: x", "User-Agent: x", "X: a\x07b", "X: €"])
def test_headers_that_cannot_be_sent_are_refused(line: str) -> None:
    with pytest.raises(UsageError):
        load_access(AccessSettings(site="http://x.example", headers=line))
