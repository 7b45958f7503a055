from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.crawl.frontier.feeds import read_feed
from threadmill.crawl.frontier.url_listing import ListedURL

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)

RSS = b"""
<?xml version="1.0"?><rss version="2.0"><channel><title>A forum</title><link>https://e.com/</link>
<item><title>One &nbsp; two</title><link>https://e.com/t/1?a=1&amp;b=2</link>
  <pubDate>Sun, 01 Nov 2026 13:00:00 +0100</pubDate></item>
<item><guid>https://e.com/t/2</guid></item>
<item><guid isPermaLink="false">https://e.com/t/3</guid></item>
</channel></rss>"""

ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="https://e.com/feed"/>
<entry><link rel="replies" href="https://e.com/r"/><link href="/t/1"/>
<published>2026-10-01T00:00:00Z</published>
<updated>2026-11-01T12:00:00Z</updated><author><name>x</name></author></entry></feed>"""

RDF = b"""<rdf:RDF xmlns:rdf="r" xmlns:dc="d"><item rdf:about="x"><link>https://e.com/t/1</link>
<dc:date>2026-11-01T12:00:00+00:00</dc:date></item></rdf:RDF>"""

JSON_FEED = json.dumps(
    {
        "version": "https://jsonfeed.org/version/1.1",
        "items": [{"url": "https://e.com/t/1", "date_published": "2026-11-01T12:00:00Z"}, {"id": 7}, 5],
    }
).encode()


@pytest.mark.parametrize(
    ("body", "entries"),
    [
        (RSS, (ListedURL("https://e.com/t/1?a=1&b=2", NOON), ListedURL("https://e.com/t/2"))),
        (ATOM, (ListedURL("https://e.com/t/1", NOON),)),
        (RDF, (ListedURL("https://e.com/t/1", NOON),)),
        (JSON_FEED, (ListedURL("https://e.com/t/1", NOON),)),
    ],
)
def test_each_kind_of_feed_gives_its_entries(body: bytes, entries: tuple[ListedURL, ...]) -> None:
    listing = read_feed(body, "https://e.com/feed")
    assert listing.entries == entries
    assert listing.flaw == ""


def test_a_feed_that_is_not_xml_any_more_gives_its_links() -> None:
    body = b"<rss><item><title>a & b</title><link>http://e.com/1</link></item><item><link>http://e.com/2</link></item>"
    listing = read_feed(body)
    assert [entry.url for entry in listing.entries] == ["http://e.com/1", "http://e.com/2"]
    assert listing.flaw == "bad-xml"


def test_a_feed_in_another_encoding_is_read() -> None:
    body = '<?xml version="1.0" encoding="windows-1251"?><rss><item><title>Лес</title><link>http://e.com/лес</link></item></rss>'
    assert read_feed(body.encode("cp1251")).entries == (ListedURL("http://e.com/лес"),)


@pytest.mark.parametrize("body", [b"", b"<html><p>no feed</p></html>", b"{]", b'{"items": 3}', b"[1]"])
def test_what_is_no_feed_has_no_entries(body: bytes) -> None:
    assert read_feed(body).entries == ()


@given(st.binary(max_size=500))
def test_noise_is_judged_never_raised(noise: bytes) -> None:
    read_feed(noise)
    read_feed(b"<rss><item>" + noise)
    read_feed(b"{" + noise)


def _rss(*items: str) -> bytes:
    return f"<rss><channel>{''.join(f'<item>{item}</item>' for item in items)}</channel></rss>".encode()


@pytest.mark.parametrize(
    "body",
    [
        _rss("<link>https://e.com/1</link>", "<link>https://e.com/2</link>", "<link>https://e.com/3</link>"),
        json.dumps({"items": [{"url": f"https://e.com/{n}"} for n in (1, 2, 3)]}).encode(),
    ],
    ids=["XML", "JSON"],
)
def test_a_feed_with_more_entries_than_allowed_says_so(body: bytes) -> None:
    listing = read_feed(body, "https://e.com/feed", limit=2)
    assert ([entry.url[-1] for entry in listing.entries], listing.flaw) == (["1", "2"], "too-many")


def test_the_last_change_counts_before_the_first_date_and_the_first_link_before_others() -> None:
    item = (
        "<link>https://e.com/t/1</link><link>https://e.com/t/9</link><guid>https://e.com/g</guid>"
        "<updated>2026-11-01T12:00:00Z</updated><pubDate>2020-01-01</pubDate>"
    )
    assert read_feed(_rss(item)).entries == (ListedURL("https://e.com/t/1", NOON),)


def test_an_identifier_that_is_no_url_is_no_link() -> None:
    assert read_feed(_rss("<guid>tag:e.com,7</guid>", "<guid>https://e.com/2</guid>")).entries == (
        ListedURL("https://e.com/2"),
    )


def test_the_parts_of_an_item_do_not_reach_the_next() -> None:
    items = _rss(
        "<link>https://e.com/1</link><pubDate>2026-11-01T12:00:00Z</pubDate>", "<link>https://e.com/2</link>"
    )
    assert read_feed(items).entries == (ListedURL("https://e.com/1", NOON), ListedURL("https://e.com/2"))
