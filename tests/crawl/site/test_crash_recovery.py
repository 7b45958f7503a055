from datetime import UTC, datetime

from threadmill.crawl.site.crash_recovery import group_by_visit
from threadmill.types import Exchange, Location

WHERE = Location("x.warc.gz", 0, 0, "")


def kept(path: str, status: int = 200, location: str = "") -> tuple[Location, Exchange]:
    headers = (("Location", location),) if location else ()
    at = datetime(2026, 11, 15, tzinfo=UTC)
    return WHERE, Exchange(f"http://a.example{path}", at, b"", status, "", headers, b"")


def paths(*exchanges: tuple[Location, Exchange]) -> list[list[str]]:
    return [[e.url.removeprefix("http://a.example") for _, e in chain] for chain in group_by_visit(exchanges)]


def test_answers_to_different_urls_are_visits_of_their_own() -> None:
    assert paths(kept("/1"), kept("/2"), kept("/3", 404)) == [["/1"], ["/2"], ["/3"]]


def test_a_redirect_and_where_it_led_are_one_visit() -> None:
    assert paths(kept("/1", 301, "/2"), kept("/2", 302, "3"), kept("/3"), kept("/4")) == [
        ["/1", "/2", "/3"],
        ["/4"],
    ]


def test_a_redirect_that_was_not_followed_ends_its_visit() -> None:
    assert paths(kept("/1", 301, "/elsewhere"), kept("/2")) == [["/1"], ["/2"]]


def test_tries_of_one_url_are_one_visit() -> None:
    assert paths(kept("/1", 503), kept("/1", 500), kept("/1"), kept("/2")) == [["/1", "/1", "/1"], ["/2"]]


def test_a_cookie_wall_sends_round_to_the_same_url() -> None:
    assert paths(kept("/1", 302, "/1"), kept("/1")) == [["/1", "/1"]]


def test_nothing_kept_is_no_visit() -> None:
    assert paths() == []
