"""Fetches the sites of a list: home page, the best of its links, imprint, favicon, logo, style sheets."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import chain
from urllib.parse import unquote, urlsplit

from threadmill.crawl.fetch.client import Fetcher, FetchResult, Request
from threadmill.errors import FetchError, ForbiddenError, TruncatedError, URLError, UsageError
from threadmill.page.parse.links import base_of
from threadmill.page.parse.tree import Tree, parse
from threadmill.sites.collect.archived_pages import ArchivedPages
from threadmill.sites.model import CollectedSite
from threadmill.sites.read.folded_words import fold
from threadmill.types import Capture
from threadmill.urls import Scope, canonicalise, host_of, in_scope, resolve

_MOST_LINKS = 2000
_MOST_SHEETS = 20
_ICON = "link[rel~=icon i][href], link[rel~=apple-touch-icon i][href]"
_LOGO = (
    "img[src*=logo i], img[class*=logo i], img[alt*=logo i], [class*=logo i] img[src], header img[src], "
    "a[href='/'] img"
)
_SHEET = "link[rel~=stylesheet i][href]:not([media=print i])"
_WORD_BREAK = re.compile(r"[^\w]+|_")
_NO_PAGE = re.compile(
    r"\.(?:pdf|jpe?g|png|gif|svg|webp|ico|zip|gz|rar|7z|docx?|xlsx?|pptx?|mp[34]|avi|mov|webm|css|js|xml|json|txt|ics|vcf)$",
    re.IGNORECASE,
)
# Points of a link for a company word in its path, for one in its text, and for each folder of its path. A
# word in both places counts more than a word in one. A query counts like four folders.
_WORD_IN_PATH = 3.0
_WORD_IN_TEXT = 1.5
_FOLDER = -0.5
_FOLDERS_OF_QUERY = 4


@dataclass(frozen=True, slots=True)
class HomeLinks:
    """URLs on a home page that may be fetched next."""

    links: list[tuple[str, str]]  # pages of the site: each URL once, with the texts of all links to it
    pictures: list[str]  # favicon and logo
    sheets: list[str]  # style sheets


def find_home_links(home: Capture, *, alone: bool = True) -> HomeLinks:
    """Find the pages, pictures and style sheets that a home page links to.

    With `alone` false, other sites of the list share the host. Then only links below the home page's path
    count.
    """
    tree = parse(home.payload, home.url, home.header("content-type") or "")
    base = resolve(base_of(tree) or "", home.url) or home.url
    return HomeLinks(
        _find_pages(tree, home.url, base, alone=alone),
        _find_pictures(tree, base, alone=alone),
        _find_sheets(tree, base),
    )


def _find_pages(tree: Tree, home: str, base: str, *, alone: bool) -> list[tuple[str, str]]:
    inside = _folder(home)  # of a site in a mirror
    scope = Scope.HOST if alone and not _is_mirror(home) else Scope.PREFIX
    texts: dict[str, str] = {}
    for element in tree.document.select("a[href], area[href], frame[src]")[:_MOST_LINKS]:
        href = str(element.attr("href") or element.attr("src") or "").strip()
        if _is_mirror(home) and href.startswith("/") and not href.startswith(("//", urlsplit(inside).path)):
            href = f"{inside}{href.lstrip('/')}"
        url = resolve(href, base)
        if url is None or not in_scope(url, home, scope):
            continue
        url = url.partition("#")[0]
        if url != home:
            texts[url] = f"{texts.get(url, '')} {element.text[:100]}"
    return list(texts.items())


def _folder(url: str) -> str:
    return url.partition("?")[0].rpartition("/")[0] + "/"


def _is_mirror(url: str) -> bool:
    """Whether a URL belongs to a local mirror, which keeps many sites under one address.

    Each site of a mirror has its own folder, and "/" in its links means that folder.
    """
    host = urlsplit(url).hostname or ""
    return (host.replace(".", "").isdigit() or host == "localhost") and urlsplit(url).path not in {"", "/"}


def _find_pictures(tree: Tree, base: str, *, alone: bool) -> list[str]:
    icon = tree.document.select_one(_ICON)
    logo = tree.document.select_one(_LOGO)
    # On a shared host the icon at the root belongs to nobody in particular.
    default = "/favicon.ico" if alone and not _is_mirror(base) else ""
    found = [str(icon.attr("href")) if icon is not None else default]
    if logo is not None:
        found.append(str(logo.attr("src") or ""))
    urls = (resolve(source, base) for source in found if source and not source.startswith("data:"))
    return [url for url in urls if url]


def _find_sheets(tree: Tree, base: str) -> list[str]:
    """Style sheets on the site itself. Sheets of libraries elsewhere hide nothing that a company says."""
    urls = (resolve(str(link.attr("href")), base) for link in tree.document.select(_SHEET)[:_MOST_SHEETS])
    return [url for url in urls if url and in_scope(url, base, Scope.SITE)]


def rank_for_text(links: Iterable[tuple[str, str]]) -> list[str]:
    """URLs in the order of what they may say about the company. Legal pages are left out."""
    scored = []
    for position, (url, text) in enumerate(links):
        in_path, in_text = _words_of_path(url), _words(text)
        if (
            _NO_PAGE.search(urlsplit(url).path)
            or _has_word(in_path | in_text, "legal")
            or _has_word(in_path | in_text, "imprint")
        ):
            continue
        score = _WORD_IN_PATH * _has_word(in_path, "company") + _WORD_IN_TEXT * _has_word(in_text, "company")
        folders = urlsplit(url).path.strip("/").count("/") + _FOLDERS_OF_QUERY * bool(urlsplit(url).query)
        scored.append((-(score + _FOLDER * folders), position, url))
    return [url for _, _, url in sorted(scored)]


def rank_for_identity(links: Iterable[tuple[str, str]]) -> list[str]:
    """URLs of pages where a site says who runs it: imprint first, then contact, then privacy pages."""
    scored = []
    for position, (url, text) in enumerate(links):
        if _NO_PAGE.search(urlsplit(url).path):
            continue
        words = _words_of_path(url) | _words(text)
        worth = (
            3 * _has_word(words, "imprint") or 2 * _has_word(words, "contact") or _has_word(words, "privacy")
        )
        if worth:
            scored.append((-worth, position, url))
    return [url for _, _, url in sorted(scored)]


def _words_of_path(url: str) -> set[str]:
    return _words(unquote(urlsplit(url).path))


def _words(text: str) -> set[str]:
    return set(_WORD_BREAK.split(fold(text))) - {""}


def _has_word(words: set[str], kind: str) -> int:
    """1 where a word begins with one of the stems of this kind, else 0."""
    return int(any(_stems(kind).match(word) for word in words))


@cache
def _stems(kind: str) -> re.Pattern[str]:
    lists = _stem_lists()
    stems = lists["identity"][kind] if kind in lists["identity"] else list(chain(*lists[kind].values()))
    # Short stems such as "om" and "chi" must be whole words.
    short = [stem for stem in stems if len(stem) < 4 and stem.isascii()]
    long = [stem for stem in stems if stem not in short]
    return re.compile(
        f"(?:{'|'.join(map(re.escape, long))})|(?:{'|'.join(map(re.escape, short)) or '(?!)'})$"
    )


@cache
def _stem_lists() -> dict[str, dict[str, list[str]]]:
    text = files("threadmill.sites").joinpath("data/link_words.json").read_text(encoding="utf-8")
    return {kind: lists for kind, lists in json.loads(text).items() if kind != "note"}


_HTML = {"text/html", "application/xhtml+xml", ""}
_REFRESH = re.compile(r"""url\s*=\s*["']?([^"'>\s]+)""", re.IGNORECASE)
_PAGE_LANGUAGE = re.compile(rb"<html[^>]{0,200}?\blang=[\"']?([a-z]{2})\b", re.IGNORECASE)
_MOST_GUESSES = 6  # addresses that are tried: at one request a second, they take six seconds
_HEAD_BYTES = 20_000  # of a page: a meta refresh stands before them
_MOST_PICTURE_BYTES = 300_000  # logos are small
_FORBIDDEN = {401, 403, 451}  # status codes by which a server refuses us

# Pages have 0.1 MB in the median. What stands after 2 MB of a page, or after 4 MB of a site, tells nothing
# new, and a hundred sites are in memory at once.
_MOST_PAGE_BYTES = 2_000_000
_MOST_SITE_BYTES = 4_000_000
_ENDLESS = {"too-large", "timeout"}  # flaws of a body that did not end

KeepAnswer = Callable[[FetchResult], None]


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """How much of a site is fetched at most."""

    pages: int = 5  # pages for its text, in addition to the home page; the source took as many
    identity: int = 2  # imprint and contact page
    pictures: int = 2  # favicon and logo
    sheets: int = 3  # style sheets of the home page; they show which of its words are hidden


async def fetch_sites(
    fetcher: Fetcher,
    urls: Sequence[str],
    limits: FetchLimits | None = None,
    keep: KeepAnswer | None = None,
    together: int = 16,
    *,
    archived: ArchivedPages | None = None,
    use_archive_data: bool = False,
) -> AsyncIterator[CollectedSite]:
    """Yield each site of a list as soon as it is fetched. A site that fails says why and delays no other."""
    waiting = iter(urls)
    shared = shared_hosts(urls)
    # At most `together` sites are in memory, finished ones included, because the reader may be slower.
    running: set[asyncio.Task[CollectedSite]] = set()
    try:
        while True:
            for url in waiting:
                work = fetch_site(
                    fetcher,
                    url,
                    limits or FetchLimits(),
                    keep,
                    archived=archived,
                    use_archive_data=use_archive_data,
                    alone=_host(url) not in shared,
                )
                running.add(asyncio.ensure_future(work))
                if len(running) >= together:
                    break
            if not running:
                return
            done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                yield task.result()
    finally:
        for task in running:
            task.cancel()


async def fetch_site(
    fetcher: Fetcher,
    url: str,
    limits: FetchLimits,
    keep: KeepAnswer | None = None,
    *,
    archived: ArchivedPages | None = None,
    use_archive_data: bool = False,
    alone: bool = True,
) -> CollectedSite:
    """Fetch one site.

    With `use_archive_data` a site whose home page is archived is taken from the archive, without a request.
    A site that is not `alone` on its host consists only of what lies below its address.
    """
    if use_archive_data and archived is None:
        raise UsageError("use_archive_data needs an archive to take the pages from, but none was given")
    source = _PageSource(fetcher, keep, archived if use_archive_data else None)
    try:
        home = await source.get_home(canonicalise(url))
    except ForbiddenError as error:
        return CollectedSite(url, failure=error.reason, forbidden=True)
    except (FetchError, URLError) as error:
        return CollectedSite(url, failure=getattr(error, "reason", "bad URL"))
    if home.status >= 400 or not home.payload:
        failure = str(home.status) if home.status >= 400 else "no content"
        return CollectedSite(url, failure=failure, forbidden=home.status in _FORBIDDEN)
    if home.content_type not in _HTML:
        return CollectedSite(url, failure=f"no page but {home.content_type}")
    return await _fetch_linked(source, url, home, find_home_links(home, alone=alone), limits)


async def _fetch_linked(
    source: _PageSource, url: str, home: Capture, links: HomeLinks, limits: FetchLimits
) -> CollectedSite:
    """Fetch what the home page links to, as far as the limits allow."""
    for_text = rank_for_text(links.links)[: limits.pages]
    for_identity = [link for link in rank_for_identity(links.links) if link not in for_text]
    pages = [page for page in await source.get_all(for_text) if _is_page(page)]
    legal = [page for page in await source.get_all(for_identity[: limits.identity]) if _is_page(page)]
    if not pages and not legal and limits.identity:
        legal = await source.get_first(_usual_addresses(home), limits.identity)
    return CollectedSite(
        url,
        (home, *pages),
        tuple(legal),
        tuple(
            picture
            for picture in await source.get_all(links.pictures[: limits.pictures])
            if picture.status == 200
            and len(picture.payload) <= _MOST_PICTURE_BYTES
            and picture.content_type != "text/html"
        ),
        sheets=tuple(
            sheet
            for sheet in await source.get_all(links.sheets[: limits.sheets])
            if sheet.status == 200 and sheet.content_type in {"text/css", ""}
        ),
    )


def _usual_addresses(home: Capture) -> list[str]:
    """Where contact pages and imprints lie, for a home page whose links are made by scripts or are broken."""
    language = _PAGE_LANGUAGE.search(home.payload[:_HEAD_BYTES])
    words = _stem_lists()["usual_addresses"]
    named = words.get(language[1].decode().lower() if language else "", [])
    folder = _folder(home.url)
    return [f"{folder}{name}" for name in dict.fromkeys((*named, *words[""]))][:_MOST_GUESSES]


def shared_hosts(urls: Sequence[str]) -> frozenset[str]:
    """Hosts with several sites of the list, each under its own path."""
    return frozenset(host for host, count in Counter(map(_host, urls)).items() if host and count > 1)


def _host(url: str) -> str:
    clean = resolve(url)
    return host_of(clean) if clean else ""


class _PageSource:
    """Gets the pages of one site, by requests or from the archive."""

    def __init__(self, fetcher: Fetcher, keep: KeepAnswer | None, archived: ArchivedPages | None) -> None:
        self._fetcher = fetcher
        self._keep = keep
        self._archived = archived
        self._bytes = 0

    async def get_home(self, url: str) -> Capture:
        """The home page. A meta refresh to another page is followed once."""
        if self._archived is not None and self._archived.find(url) is None:
            self._archived = None  # the archive lacks this site, so all of it is fetched
        capture = await self._get(url)
        target = _refresh_target(capture)
        if not target or target == capture.url:
            return capture
        return await self._get(target)

    async def get_all(self, urls: Sequence[str]) -> list[Capture]:
        """The answers to some URLs. A URL that fails is left out."""
        found = []
        for url in urls:
            if self._bytes > _MOST_SITE_BYTES:
                break
            try:
                found.append(await self._get(url))
            except (FetchError, URLError):
                continue
        return found

    async def get_first(self, urls: Sequence[str], most: int) -> list[Capture]:
        """The first of some URLs that are pages."""
        found: list[Capture] = []
        for url in urls:
            found += [page for page in await self.get_all([url]) if _is_page(page)]
            if len(found) >= most:
                break
        return found

    async def _get(self, url: str) -> Capture:
        if self._archived is not None:
            capture = self._archived.find(url)
            if capture is None:
                raise FetchError(f"the archive has no answer for {url}")
            return capture
        answer = await self._fetcher.fetch(Request(url))
        if self._keep is not None:
            self._keep(answer)
        if not _ENDLESS.isdisjoint(answer.flaws):
            raise TruncatedError(f"the answer of {url} did not end", answer.exchanges)
        capture = answer.capture
        if len(capture.payload) > _MOST_PAGE_BYTES:
            capture = replace(capture, payload=capture.payload[:_MOST_PAGE_BYTES])
        self._bytes += len(capture.payload)
        return capture


def _is_page(capture: Capture) -> bool:
    return capture.status == 200 and capture.content_type in _HTML and bool(capture.payload)


def _refresh_target(capture: Capture) -> str | None:
    """The URL that a page's meta refresh names."""
    head = capture.payload[:_HEAD_BYTES]
    # Most home pages lack the word, and are not parsed a second time.
    if capture.content_type not in _HTML or b"refresh" not in head.lower():
        return None
    element = parse(head, capture.url).document.select_one('meta[http-equiv="refresh" i][content]')
    found = _REFRESH.search(str(element.attr("content"))) if element is not None else None
    return resolve(found[1], capture.url) if found else None
