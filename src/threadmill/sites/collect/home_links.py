"""What a home page leads to: the pages of its site, its favicon and logo, its style sheets."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from threadmill.page.parse.links import base_of
from threadmill.page.parse.tree import Tree, parse
from threadmill.types import Capture
from threadmill.urls import Scope, in_scope, resolve

_MOST_LINKS = 2000
_ICON = "link[rel~=icon i][href], link[rel~=apple-touch-icon i][href]"
_LOGO = (
    "img[src*=logo i], img[class*=logo i], img[alt*=logo i], [class*=logo i] img[src], header img[src], "
    "a[href='/'] img"
)
_SHEET = "link[rel~=stylesheet i][href]:not([media=print i])"


@dataclass(frozen=True, slots=True)
class Leads:
    """URLs that may be fetched next."""

    links: list[tuple[str, str]]  # pages of the site, each once, with all texts that lead there
    pictures: list[str]
    sheets: list[str]


def find_leads(home: Capture, *, alone: bool = True) -> Leads:
    """Read a home page once for all that it leads to."""
    tree = parse(home.payload, home.url, home.header("content-type") or "")
    base = resolve(base_of(tree) or "", home.url) or home.url
    return Leads(
        _links(tree, home.url, base, alone=alone), _pictures(tree, base, alone=alone), _sheets(tree, base)
    )


def _links(tree: Tree, home: str, base: str, *, alone: bool) -> list[tuple[str, str]]:
    inside = home if urlsplit(home).path in {"", "/"} else _folder(home)
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
    """Sites kept side by side under one address, as a local mirror has them: "/" is then each site's own."""
    host = urlsplit(url).hostname or ""
    return (host.replace(".", "").isdigit() or host == "localhost") and urlsplit(url).path not in {"", "/"}


def _pictures(tree: Tree, base: str, *, alone: bool) -> list[str]:
    icon = tree.document.select_one(_ICON)
    logo = tree.document.select_one(_LOGO)
    # The icon at the root of a host that others share is not this site's.
    default = "/favicon.ico" if alone and not _is_mirror(base) else ""
    found = [str(icon.attr("href")) if icon is not None else default]
    if logo is not None:
        found.append(str(logo.attr("src") or ""))
    urls = (resolve(source, base) for source in found if source and not source.startswith("data:"))
    return [url for url in urls if url]


def _sheets(tree: Tree, base: str) -> list[str]:
    """Style sheets of the site itself: those of libraries hide nothing that a company says."""
    urls = (resolve(str(link.attr("href")), base) for link in tree.document.select(_SHEET)[:20])
    return [url for url in urls if url and in_scope(url, base, Scope.SITE)]
