"""URLs of sitemaps and feeds, each once, with the date of their last change."""

from datetime import UTC, datetime

import pytest

from threadmill.crawl.frontier.url_listing import ListedURL, URLCollector, read_moment

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def test_urls_are_resolved_and_kept_once_with_their_first_date() -> None:
    collector = URLCollector("http://e.com/dir/feed.xml")
    assert collector.add(" page ", "2026-05-01T12:00:00Z")
    assert collector.add("/dir/page")
    assert collector.add("map.xml", sitemap=True)
    listing = collector.listing("flaw")
    assert listing.entries == (ListedURL("http://e.com/dir/page", NOON),)
    assert listing.sitemaps == (ListedURL("http://e.com/dir/map.xml"),)
    assert (listing.flaw, listing.dropped) == ("flaw", 0)


@pytest.mark.parametrize("url", ["mailto:a@b.c", "http://[::1", "invalid:"])
def test_what_is_no_web_address_is_dropped_and_counted(url: str) -> None:
    collector = URLCollector("http://e.com/")
    assert collector.add(url)
    assert collector.listing() == type(collector.listing())((), (), "", 1)


def test_a_url_in_several_lines_is_joined() -> None:
    collector = URLCollector("")
    collector.add("http://e.com/\n  page")
    assert [entry.url for entry in collector.listing().entries] == ["http://e.com/page"]


def test_there_is_room_for_the_limit_of_each_kind_and_for_what_is_known() -> None:
    collector = URLCollector("http://e.com/", limit=2)
    assert [collector.add(url) for url in ("a", "b", "c", "a")] == [True, True, False, True]
    assert collector.add("map", sitemap=True)
    assert len(collector.listing().entries) == 2


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-05-01T12:00:00Z", NOON),
        ("2026-05-01T14:00:00+02:00", NOON),
        ("2026-05-01T12:00:00", NOON),
        ("Fri, 01 May 2026 12:00:00 GMT", NOON),
        (" Fri, 01 May 2026 13:00:00 +0100 ", NOON),
        ("2026-05-01", datetime(2026, 5, 1, tzinfo=UTC)),
        ("2026-05", datetime(2026, 5, 1, tzinfo=UTC)),
        ("2026", datetime(2026, 1, 1, tzinfo=UTC)),
        ("", None),
        ("yesterday", None),
        ("2026-13", None),
        ("0001-01-01T00:00:00+10:00", None),
        ("2026-05-01T12:00:00" + " " * 99 + "Z", None),
    ],
)
def test_dates_of_machines_are_read_and_others_are_not(text: str, moment: datetime | None) -> None:
    assert read_moment(text) == moment
