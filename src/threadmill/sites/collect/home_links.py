"""Finds what a home page links to, and ranks the links: for a site's text, and for who runs the site."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import chain
from urllib.parse import unquote, urlsplit

from threadmill.page.parse.links import base_of
from threadmill.page.parse.tree import Tree, parse
from threadmill.sites.read.folded_words import fold
from threadmill.types import Capture
from threadmill.urls import Scope, in_scope, resolve

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
