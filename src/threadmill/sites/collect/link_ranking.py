"""Which links of a home page are worth following: for the text of a site, and for who runs it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from itertools import chain
from urllib.parse import unquote, urlsplit

from threadmill.sites.read.spelling import fold

_SPLIT = re.compile(r"[^\w]+|_|(?<=[a-z])(?=[A-Z])")
_NO_PAGE = re.compile(
    r"\.(?:pdf|jpe?g|png|gif|svg|webp|ico|zip|gz|rar|7z|docx?|xlsx?|pptx?|mp[34]|avi|mov|webm|css|js|xml|json|txt|ics|vcf)$",
    re.IGNORECASE,
)
_COMPANY = 3.0
_TEXT_ONLY = 0.5  # a word in the link's text tells as much as one in its address; both tell more


def _words(url: str, text: str) -> tuple[set[str], set[str]]:
    path = unquote(urlsplit(url).path)
    return set(_SPLIT.split(fold(path))) - {""}, set(_SPLIT.split(fold(text))) - {""}


def rank_for_text(links: Iterable[tuple[str, str]]) -> list[str]:
    """The pages that tell most about a company first; legal pages not at all."""
    scored = []
    for position, (url, text) in enumerate(links):
        address, label = _words(url, text)
        if (
            _NO_PAGE.search(urlsplit(url).path)
            or _matches(address | label, "legal")
            or _matches(address | label, "imprint")
        ):
            continue
        score = _COMPANY * (_matches(address, "company") + _TEXT_ONLY * _matches(label, "company"))
        depth = urlsplit(url).path.strip("/").count("/") + 4 * bool(urlsplit(url).query)
        scored.append((-(score - 0.5 * depth), position, url))
    return [url for _, _, url in sorted(scored)]


def rank_for_identity(links: Iterable[tuple[str, str]]) -> list[str]:
    """Imprint, contact and, failing these, privacy pages: where a site says who runs it."""
    scored = []
    for position, (url, text) in enumerate(links):
        if _NO_PAGE.search(urlsplit(url).path):
            continue
        words = set.union(*_words(url, text))
        worth = 3 * _matches(words, "imprint") or 2 * _matches(words, "contact") or _matches(words, "privacy")
        if worth:
            scored.append((-worth, position, url))
    return [url for _, _, url in sorted(scored)]


def _matches(words: set[str], kind: str) -> int:
    return any(_stems(kind).match(word) for word in words)


@cache
def _stems(kind: str) -> re.Pattern[str]:
    lists = _lists()
    stems = lists["identity"][kind] if kind in lists["identity"] else list(chain(*lists[kind].values()))
    short = [stem for stem in stems if len(stem) < 4 and stem.isascii()]  # "om", "chi": whole words only
    long = [stem for stem in stems if stem not in short]
    return re.compile(
        f"(?:{'|'.join(map(re.escape, long))})|(?:{'|'.join(map(re.escape, short)) or '(?!)'})$"
    )


@cache
def _lists() -> dict[str, dict[str, list[str]]]:
    text = files("threadmill.sites").joinpath("data/link_words.json").read_text(encoding="utf-8")
    return {kind: lists for kind, lists in json.loads(text).items() if kind != "note"}
