from __future__ import annotations

import asyncio

from threadmill.config import Settings, override
from threadmill.crawl.fetch.client import Fetcher
from threadmill.crawl.fetch.connection import RawResponse
from threadmill.crawl.fetch.target import RequestTarget
from threadmill.errors import UnknownHostError
from threadmill.sites.collect.fetch_sites import FetchLimits, fetch_sites
from threadmill.sites.collect.home_links import rank_for_identity, rank_for_text
from threadmill.sites.model import CollectedSite, ReadOutcome
from threadmill.sites.read.read_site import read_site

_HOME = """<title>Kern</title><p>Bread</p><a href=/news>News</a><a href=/ueber-uns.html>Wir</a>
<a href=/datenschutz>Datenschutz</a><a href=/impressum>Impressum</a><a href=http://else.test/about>About</a>"""


class Pages:
    """A web of a few pages."""

    def __init__(self, pages: dict[str, str]) -> None:
        self.pages = pages
        self.asked: list[str] = []

    async def exchange(self, target: RequestTarget, head: bytes, max_body: int) -> RawResponse:  # noqa: ARG002
        self.asked.append(target.url)
        if target.host == "dead.test":
            raise UnknownHostError("there is no host dead.test")
        html = self.pages.get(target.url)
        kind = (("Content-Type", "text/plain" if target.url.endswith(".txt") else "text/html"),)
        return (
            RawResponse(200, "OK", kind, html.encode()) if html else RawResponse(404, "Not Found", kind, b"")
        )

    async def close(self) -> None:
        pass


def fetch(web: Pages, *urls: str) -> dict[str, CollectedSite]:
    settings = override(Settings(), "crawl", delay=0.0)

    async def work() -> dict[str, CollectedSite]:
        async with Fetcher(settings, transport=web) as fetcher:
            return {
                found.url: found
                async for found in fetch_sites(fetcher, urls, FetchLimits(pages=1, identity=1))
            }

    return asyncio.run(work())


def test_company_pages_come_before_news_and_legal_pages_serve_as_evidence_only() -> None:
    pages = {
        f"http://kern.test/{name}": "<p>x" for name in ("news", "ueber-uns.html", "datenschutz", "impressum")
    }
    web = Pages({"http://kern.test/": _HOME, **pages})
    found = fetch(web, "http://kern.test/")["http://kern.test/"]
    assert [page.url for page in found.pages] == ["http://kern.test/", "http://kern.test/ueber-uns.html"]
    assert [page.url for page in found.legal] == ["http://kern.test/impressum"]
    assert not any("else.test" in url for url in web.asked)


def test_a_dead_or_forbidden_site_says_so_and_holds_up_nobody() -> None:
    web = Pages({"http://shy.test/robots.txt": "User-agent: *\nDisallow: /\n", "http://kern.test/": _HOME})
    found = fetch(web, "http://dead.test/", "http://shy.test/", "http://kern.test/")
    assert read_site(found["http://dead.test/"]).outcome is ReadOutcome.DEAD
    assert read_site(found["http://shy.test/"]).outcome is ReadOutcome.FORBIDDEN
    assert found["http://kern.test/"].pages


def test_links_are_ranked_in_many_languages() -> None:
    links = [
        ("http://a.test/x1", "Galerie"),
        ("http://a.test/x2", "О компании"),
        ("http://a.test/x3", "会社概要"),
    ]
    assert rank_for_text(links)[-1] == "http://a.test/x1"
    assert (
        rank_for_text([("http://a.test/p", "Polityka prywatności"), ("http://a.test/f.pdf", "About")]) == []
    )
    assert rank_for_identity([("http://a.test/k", "Kontakt"), ("http://a.test/i", "Impressum")])[0].endswith(
        "/i"
    )
