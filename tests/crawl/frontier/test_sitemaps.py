from __future__ import annotations

import gzip
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.crawl.frontier.sitemaps import read_sitemap
from threadmill.crawl.frontier.url_listing import ListedURL

URLSET = b"""<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url><loc> https://example.com/a?x=1&amp;y=2 </loc><lastmod>2026-11-01T10:00:00+02:00</lastmod>
    <image:image><image:loc>https://example.com/a.jpg</image:loc></image:image></url>
  <url><loc>https://example.com/b</loc><lastmod>2026-11-01</lastmod></url>
  <url><loc>/c</loc></url>
  <url><loc>javascript:alert(1)</loc></url>
</urlset>"""


def test_a_urlset_gives_pages_with_their_moments() -> None:
    listing = read_sitemap(URLSET, "https://example.com/sitemap.xml")
    assert listing.entries == (
        ListedURL("https://example.com/a?x=1&y=2", datetime(2026, 11, 1, 8, tzinfo=UTC)),
        ListedURL("https://example.com/b", datetime(2026, 11, 1, tzinfo=UTC)),
        ListedURL("https://example.com/c"),
    )
    assert (listing.flaw, listing.dropped, listing.sitemaps) == ("", 1, ())


def test_an_index_gives_sitemaps() -> None:
    body = (
        b"<sitemapindex><sitemap><loc>https://e.com/1.xml.gz</loc><lastmod>2026</lastmod></sitemap>"
        b"<sitemap><loc>https://e.com/2.xml</loc></sitemap></sitemapindex>"
    )
    listing = read_sitemap(body)
    assert [entry.url for entry in listing.sitemaps] == ["https://e.com/1.xml.gz", "https://e.com/2.xml"]
    assert listing.entries == ()


def test_gzip_is_seen_by_its_bytes() -> None:
    assert read_sitemap(gzip.compress(URLSET)).entries[1].url == "https://example.com/b"


@pytest.mark.parametrize(
    "body",
    [b"\xef\xbb\xbfhttps://e.com/a\r\nhttps://e.com/b", b"https://e.com/a\n\nnot a URL\nhttps://e.com/b\n"],
)
def test_plain_text_is_one_url_a_line(body: bytes) -> None:
    assert [entry.url for entry in read_sitemap(body).entries] == ["https://e.com/a", "https://e.com/b"]


def test_prefixed_elements_are_read() -> None:
    body = b'<s:urlset xmlns:s="x"><s:url><s:loc>http://e.com/</s:loc></s:url></s:urlset>'
    assert read_sitemap(body).entries == (ListedURL("http://e.com/"),)


@pytest.mark.parametrize(
    "body",
    [
        b"<urlset><url><loc>http://e.com/?a=1&b=2</loc></url><url><loc>http://e.com/2</loc></url></urlset>",
        b"<urlset><url><loc>http://e.com/?a=1&amp;b=2</loc></url><url><loc>http://e.com/2</loc></urls>",
        b"<urlset><url><loc>http://e.com/?a=1&amp;b=2</loc></url><url><loc><![CDATA[http://e.com/2]]></loc></u",
    ],
)
def test_broken_xml_gives_what_can_be_read(body: bytes) -> None:
    listing = read_sitemap(body)
    assert [entry.url for entry in listing.entries] == ["http://e.com/?a=1&b=2", "http://e.com/2"]
    assert listing.flaw == "bad-xml"


def test_a_cut_gzip_gives_its_sound_part() -> None:
    body = b"<urlset>" + b"".join(b"<url><loc>http://e.com/%d</loc></url>" % n for n in range(20_000))
    listing = read_sitemap(gzip.compress(body)[:-2000])
    assert 10_000 < len(listing.entries) < 20_000
    assert listing.flaw == "bad-xml"


@pytest.mark.parametrize(
    "declaration",
    [
        b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>',
        b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
    ],
)
def test_entities_of_its_own_are_refused(declaration: bytes) -> None:
    listing = read_sitemap(declaration + b"<urlset><url><loc>http://e.com/&a;</loc></url></urlset>")
    assert (listing.entries, listing.flaw) == ((), "xml-entities")


def test_depth_and_number_are_bounded() -> None:
    assert read_sitemap(b"<a>" * 100_000).flaw == "xml-too-deep"
    many = (
        b"<urlset>" + b"".join(b"<url><loc>http://e.com/%d</loc></url>" % n for n in range(50)) + b"</urlset>"
    )
    listing = read_sitemap(many, limit=10)
    assert (len(listing.entries), listing.flaw) == (10, "too-many")


def test_a_bomb_is_read_no_further_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("threadmill.crawl.frontier.sitemaps.MAX_BYTES", 100_000)
    entries = b"".join(b"<url><loc>http://e.com/%d</loc></url>" % n for n in range(100_000))
    assert len(read_sitemap(gzip.compress(b"<urlset>" + entries)).entries) < 5_000


@given(st.binary(max_size=500))
def test_noise_is_judged_never_raised(noise: bytes) -> None:
    read_sitemap(noise)
    read_sitemap(b"<urlset>" + noise)
    read_sitemap(gzip.compress(noise)[:-3])


@pytest.mark.parametrize(
    "body",
    [
        b"https://e.com/1\nhttps://e.com/2\nhttps://e.com/3\nhttps://e.com/4\n",
        b"https://e.com/1\nhttps://e.com/2\nhttps://e.com/3",
        b"<urlset>"
        + b"".join(b"<url><loc>https://e.com/%d</loc></url>" % n for n in (1, 2, 3))
        + b"</urlset>",
    ],
    ids=["lines", "last line", "XML"],
)
def test_more_urls_than_allowed_are_told(body: bytes) -> None:
    listing = read_sitemap(body, limit=2)
    assert ([entry.url[-1] for entry in listing.entries], listing.flaw) == (["1", "2"], "too-many")


def test_the_parts_of_one_url_do_not_reach_the_next() -> None:
    body = (
        b"<urlset><url><loc>https://e.com/1</loc><lastmod>2026-11-01</lastmod></url>"
        b"<url><lastmod>2026-11-01</lastmod></url><url><loc>https://e.com/2</loc></url></urlset>"
    )
    assert read_sitemap(body).entries == (
        ListedURL("https://e.com/1", datetime(2026, 11, 1, tzinfo=UTC)),
        ListedURL("https://e.com/2"),
    )
