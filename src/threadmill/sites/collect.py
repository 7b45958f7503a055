"""The first stage: a site's home page, its most informative pages, its imprint, its favicon and logo."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from threadmill.crawl.client import Answer, Fetcher, Request
from threadmill.errors import FetchError, ForbiddenError, URLError
from threadmill.page.address import Addresses
from threadmill.page.tree import parse
from threadmill.sites.model import Collected
from threadmill.sites.ranking import rank_for_identity, rank_for_text
from threadmill.types import Capture
from threadmill.urls import Scope, canonicalise, in_scope, resolve

_HTML = {"text/html", "application/xhtml+xml", ""}
_REFRESH = re.compile(r"""url\s*=\s*["']?([^"'>\s]+)""", re.IGNORECASE)
_MOST_PICTURE = 300_000  # bytes: logos are small

Keep = Callable[[Answer], None]


@dataclass(frozen=True, slots=True)
class Effort:
    """How much of a site is fetched."""

    pages: int = 5  # beside the home page, for its text; what the source took
    identity: int = 2  # imprint and contact page
    pictures: int = 2  # favicon and logo


async def collect(
    fetcher: Fetcher,
    urls: Sequence[str],
    effort: Effort | None = None,
    keep: Keep | None = None,
    together: int = 16,
) -> AsyncIterator[Collected]:
    """Every site of the list as it is done; a site that fails says why and holds up nobody."""
    gate = asyncio.Semaphore(together)

    async def one(url: str) -> Collected:
        async with gate:
            return await collect_site(fetcher, url, effort or Effort(), keep)

    for task in asyncio.as_completed([asyncio.ensure_future(one(url)) for url in urls]):
        yield await task


async def collect_site(fetcher: Fetcher, url: str, effort: Effort, keep: Keep | None = None) -> Collected:
    """One site."""
    visit = _Visit(fetcher, keep)
    try:
        home = await visit.home(canonicalise(url))
    except ForbiddenError as error:
        return Collected(url, failure=error.reason, forbidden=True)
    except (FetchError, URLError) as error:
        return Collected(url, failure=getattr(error, "reason", "bad URL"))
    if home.status >= 400 or not home.payload:
        return Collected(url, failure=str(home.status) if home.status >= 400 else "no content")
    links = _links(home)
    wanted = rank_for_text(links)[: effort.pages]
    who = [link for link in rank_for_identity(links) if link not in wanted][: effort.identity]
    return Collected(
        url,
        (home, *[page for page in await visit.all(wanted) if _is_page(page)]),
        tuple(page for page in await visit.all(who) if _is_page(page)),
        tuple(
            picture
            for picture in await visit.all(_pictures(home)[: effort.pictures])
            if picture.status == 200
            and len(picture.payload) <= _MOST_PICTURE
            and picture.content_type != "text/html"
        ),
    )


class _Visit:
    """The requests to one site."""

    def __init__(self, fetcher: Fetcher, keep: Keep | None) -> None:
        self._fetcher = fetcher
        self._keep = keep

    async def home(self, url: str) -> Capture:
        """The home page; a page that only sends the browser on is followed once."""
        capture = await self._get(url)
        onward = _refresh(capture)
        return await self._get(onward) if onward and onward != capture.url else capture

    async def all(self, urls: Sequence[str]) -> list[Capture]:
        """What can be had of some URLs; a page that fails is only a page less."""
        found = []
        for url in urls:
            try:
                found.append(await self._get(url))
            except (FetchError, URLError):
                continue
        return found

    async def _get(self, url: str) -> Capture:
        answer = await self._fetcher.fetch(Request(url))
        if self._keep is not None:
            self._keep(answer)
        return answer.capture


def _is_page(capture: Capture) -> bool:
    return capture.status == 200 and capture.content_type in _HTML and bool(capture.payload)


def _refresh(capture: Capture) -> str | None:
    if capture.content_type not in _HTML or len(capture.payload) > 20_000:
        return None
    document = parse(capture.payload, capture.url).document
    element = document.select_one('meta[http-equiv="refresh" i][content]')
    found = _REFRESH.search(str(element.attr("content"))) if element is not None else None
    return resolve(found[1], capture.url) if found else None


def _links(home: Capture) -> list[tuple[str, str]]:
    """Links that stay on the site, each once, with all texts that lead there."""
    tree = parse(home.payload, home.url, home.header("content-type") or "")
    scope = Scope.HOST if urlsplit(home.url).path in {"", "/"} or not _is_prefix(home.url) else Scope.PREFIX
    texts: dict[str, str] = {}
    for element in tree.document.select("a[href], area[href], frame[src]")[:2000]:
        url = resolve(str(element.attr("href") or element.attr("src") or ""), home.url)
        if url is None or not in_scope(url, home.url, scope):
            continue
        url = url.partition("#")[0]
        if url != home.url:
            texts[url] = f"{texts.get(url, '')} {element.text[:100]}"
    return list(texts.items())


def _is_prefix(url: str) -> bool:
    """Many sites on one host by their path, as on 127.0.0.1 or at a university."""
    host = urlsplit(url).hostname or ""
    return host.replace(".", "").isdigit() or host == "localhost"


def _pictures(home: Capture) -> list[str]:
    tree = parse(home.payload, home.url, home.header("content-type") or "")
    addresses = Addresses(home.url)
    icon = tree.document.select_one("link[rel~=icon i][href], link[rel~=apple-touch-icon i][href]")
    logo = tree.document.select_one(
        "img[src*=logo i], img[class*=logo i], img[alt*=logo i], [class*=logo i] img[src], header img[src], "
        "a[href='/'] img"
    )
    found = [str(icon.attr("href")) if icon is not None else "/favicon.ico"]
    if logo is not None:
        found.append(str(logo.attr("src") or ""))
    wanted = (
        resolve(addresses.absolute(source), home.url)
        for source in found
        if source and not source.startswith("data:")
    )
    return [url for url in wanted if url]
