"""Finds the links of a page, as canonical URLs, in page order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from threadmill.page.parse.tree import Tree
from threadmill.urls import resolve

# The longest real lists of links (sitemaps in HTML, A–Z indexes) have some thousands. A page of a million
# links would be a minute of useless work.
MAX_LINKS = 10_000

_NO_FOLLOWING = {"nofollow", "none"}


@dataclass(frozen=True, slots=True)
class PageLinks:
    """All links of a page, each URL once."""

    urls: tuple[str, ...]  # canonical
    nofollow: frozenset[str] = frozenset()  # those of them that ask not to be followed
    closed: bool = False  # the page asks that none be followed: <meta name=robots content=nofollow>
    cut: bool = False  # there were more than MAX_LINKS


def find_links(tree: Tree) -> PageLinks:
    """The links of a page that lead to web pages."""
    base = base_of(tree)
    root, directory = _levels(base)
    elements = tree.document.select("a[href], area[href], frame[src], iframe[src]")
    found: dict[str, None] = {}
    nofollow: set[str] = set()
    for element in elements[:MAX_LINKS]:
        href = element.attr("href") or element.attr("src")
        if not href or href[0] == "#":  # by far the most common link to the same page
            continue
        first = href[0]
        if first == "/" or href.startswith(("http://", "https://")):
            url = _resolve(href, root)
        elif (first.isalnum() or first == ".") and ":" not in href:
            url = _resolve(href, directory)
        else:  # a query, white space, "http:?x": resolved against the page itself
            url = resolve(href, base)
        if url is not None:
            found[url] = None
            rel = element.attr("rel")
            if rel is not None and "nofollow" in rel.lower().split():
                nofollow.add(url)
    closed = _asks_not_to_follow(tree)
    return PageLinks(tuple(found), frozenset(nofollow), closed, len(elements) > MAX_LINKS)


# Pages of a site have mostly the same links: framing, neighbours, popular pages. To resolve a link takes 1.8
# µs, to find it in the cache 0.1 µs. A page of 98 links takes 0.16 ms instead of 0.26. The cache has 15 MB at
# most.
_resolve = lru_cache(maxsize=32_768)(resolve)


def _levels(base: str | None) -> tuple[str | None, str | None]:
    """The root of the site and the directory of the page. Most links are relative to one of these."""
    if base is None:
        return None, None
    page = base.partition("#")[0].partition("?")[0]
    if page.count("/") < 3:
        page += "/"
    start = page.find("/", page.find("//") + 2)
    return page[: start + 1], page[: page.rindex("/") + 1]


def base_of(tree: Tree) -> str | None:
    """The base URL of the links: the first <base href> that is a web URL, else the URL of the page."""
    own = tree.url or None
    element = tree.document.select_one("base[href]")
    href = element.attr("href") if element is not None else None
    if not href:
        return own
    # Parsed only to check it: the canonical form could lose what relative links need.
    return _absolute(href, own) or own


def _absolute(href: str, own: str | None) -> str | None:
    import can_ada

    try:
        base = (can_ada.parse(own) + href if own else can_ada.parse(href)).href
    except (ValueError, TypeError):
        return None
    return str(base) if base.startswith(("http://", "https://")) else None


def _asks_not_to_follow(tree: Tree) -> bool:
    for element in tree.document.select("meta[name][content]"):
        if (element.attr("name") or "").strip().lower() == "robots":
            words = (element.attr("content") or "").lower().replace(",", " ").split()
            if _NO_FOLLOWING.intersection(words):
                return True
    return False
