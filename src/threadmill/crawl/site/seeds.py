"""Where a site crawl may start besides its seed: what the site's sitemaps and feeds tell of."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable
from urllib.parse import urljoin

from threadmill.crawl.fetch.client import Answer, Fetcher, Request
from threadmill.crawl.frontier.feeds import read_feed
from threadmill.crawl.frontier.frontier import Lead
from threadmill.crawl.frontier.scope import Territory
from threadmill.crawl.frontier.sitemaps import read_sitemap
from threadmill.crawl.frontier.url_listing import Listing
from threadmill.errors import FetchError
from threadmill.urls import resolve

# The protocol allows 50,000 sitemaps in an index; a site that needs more than this many files has more
# pages than a crawl without limits would reach in a week.
MAX_FILES = 500
_DEPTH = 1  # a page the site itself tells of is as near as one the home page links to


async def find_seeds(
    fetcher: Fetcher, territory: Territory, keep: Callable[[Answer], None]
) -> AsyncIterator[list[Lead]]:
    """URLs within the territory, file by file, from the sitemaps robots.txt names or the usual place."""
    listed = (await fetcher.rules(territory.seed)).sitemaps
    waiting = deque(listed or (urljoin(territory.seed, "/sitemap.xml"),))
    seen = set(waiting)
    while waiting and len(seen) <= MAX_FILES:
        listing = await _read(fetcher, waiting.popleft(), keep)
        for entry in listing.sitemaps:
            if entry.url not in seen:
                seen.add(entry.url)
                waiting.append(entry.url)
        urls = (resolve(entry.url) for entry in listing.entries)
        yield [Lead(url, _DEPTH, _DEPTH) for url in urls if url and not territory.objection(url, _DEPTH)]


async def _read(fetcher: Fetcher, url: str, keep: Callable[[Answer], None]) -> Listing:
    """A sitemap, or a feed that stands in its place; nothing, when there is none."""
    try:
        answer = await fetcher.fetch(Request(url))
    except FetchError:
        return Listing(())
    keep(answer)
    capture = answer.capture
    if not 200 <= capture.status < 300:
        return Listing(())
    listing = read_sitemap(capture.payload, capture.url)
    return listing if listing.entries or listing.sitemaps else read_feed(capture.payload, capture.url)
