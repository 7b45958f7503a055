"""Where a page leads: its links as canonical URLs, in the order they stand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from threadmill.page.parse.tree import Tree
from threadmill.urls import resolve

# The longest honest lists of links (sitemaps in HTML, A–Z indexes) have some thousands; a page of a
# million links would be a minute of work for nothing.
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
    """The links of a page that lead to pages of the web."""
    base = base_of(tree)
    root, directory = _levels(base)
    elements = tree.document.select("a[href], area[href], frame[src], iframe[src]")
    found: dict[str, None] = {}
    shy: set[str] = set()
    for element in elements[:MAX_LINKS]:
        href = element.attr("href") or element.attr("src")
        if not href or href[0] == "#":  # by far the most common link that leads nowhere new
            continue
        first = href[0]
        if first == "/" or href.startswith(("http://", "https://")):
            url = _resolve(href, root)
        elif (first.isalnum() or first == ".") and ":" not in href:
            url = _resolve(href, directory)
        else:  # a query, white space, "http:?x": relative to the page itself
            url = resolve(href, base)
        if url is not None:
            found[url] = None
            rel = element.attr("rel")
            if rel is not None and "nofollow" in rel.lower().split():
                shy.add(url)
    closed = _asks_not_to_follow(tree)
    return PageLinks(tuple(found), frozenset(shy), closed, len(elements) > MAX_LINKS)


# The links of a site's pages are mostly the same: framing, neighbours, popular pages. Resolving one takes
# 1.8 µs, finding it here 0.1; for a page of 98 links that is 0.16 ms in place of 0.26. 15 MB at most.
_resolve = lru_cache(maxsize=32_768)(resolve)


def _levels(base: str | None) -> tuple[str | None, str | None]:
    """A site's root and a page's directory: what most links are relative to, and shared by many pages."""
    if base is None:
        return None, None
    page = base.partition("#")[0].partition("?")[0]
    if page.count("/") < 3:
        page += "/"
    start = page.find("/", page.find("//") + 2)
    return page[: start + 1], page[: page.rindex("/") + 1]


def base_of(tree: Tree) -> str | None:
    """What links are relative to: the first <base href> that is a web address, else the page's own URL."""
    own = tree.url or None
    element = tree.document.select_one("base[href]")
    href = element.attr("href") if element is not None else None
    if not href:
        return own
    # Only for its validity: the canonical form could drop what relative links need.
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
