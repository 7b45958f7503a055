"""Finds what a site calls itself: in titles, meta elements, the copyright line and structured data."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from threadmill.sites.read.folded_words import common_words, fold
from threadmill.sites.read.site_page import SitePage

_TITLE_PARTS = re.compile(r"\s+[|–—\-·•:»/>]+\s+|\s*[|»•·]\s*|\s[-–—]\s|:\s")
_COPYRIGHT = re.compile(
    r"(?:©|\(c\)|&copy;|copyright)\s*(?:copyright)?\s*(?:(?:19|20)\d\d\s*[-–—/]?\s*(?:(?:19|20)?\d\d)?)?[\s,.|:–-]*(?:by\s+)?"
    r"([^\n|©.,;:–—<>]{3,60})",
    re.IGNORECASE,
)
_LEGAL_FORM = re.compile(
    r"\b(?:gmbh|mbh|co|kg|ag|ug|ohg|gbr|e\.? ?v|ek|inc|llc|ltd|limited|plc|corp|corporation|company|"
    r"s\.? ?r\.? ?l|srls|s\.? ?p\.? ?a|s\.? ?a|sas|sarl|sasu|eurl|b\.? ?v|n\.? ?v|vof|s\.? ?r\.? ?o|a\.? ?s|"
    r"spol|"
    r"sp\.? z o\.? ?o|z o\.? ?o|kft|bt|zrt|nyrt|d\.? ?o\.? ?o|ab|oy|oyj|aps|as|asa|ooo|ооо|зао|тов|ltda|"
    r"lda|sl|slu|"
    r"sti|as|ltd sti|san tic)\b\.?",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
# Words that sites of any trade call themselves by, and words that site builders leave in titles.
_GENERIC = common_words("generic_names")
_MOST_WORDS = 7  # a longer text is a sentence
_LEAST_LETTERS = 4


def fold_name(text: str) -> str:
    """A name without case, accents, legal form, year, signs and generic words; empty if nothing is left."""
    plain = _YEAR.sub(" ", _LEGAL_FORM.sub(" ", fold(text)))
    words = re.findall(r"\w+", plain)
    own = [word for word in words if word not in _GENERIC and not word.isdigit()]
    if not own or len(words) > _MOST_WORDS or sum(map(len, own)) < _LEAST_LETTERS:
        return ""
    return " ".join(own)


def find_names(pages: Sequence[SitePage]) -> Iterator[str]:
    """Folded names of the site, each from a place where sites put their own name. Some are empty."""
    for page in pages:
        document = page.tree.document
        for selector in (
            'meta[property="og:site_name"]',
            'meta[name="application-name"]',
            'meta[name="apple-mobile-web-app-title"]',
            'meta[name="copyright"]',
        ):
            element = document.select_one(selector)
            if element is not None:
                yield fold_name(str(element.attr("content") or ""))
        yield from _author_name(page)
        yield from (fold_name(found) for found in _COPYRIGHT.findall(page.text[-4000:]))
        for item in page.data:
            if isinstance(item.get("name"), str) and _is_organisation(item.get("@type")):
                yield fold_name(item["name"])
    yield from _names_in_titles([page.title for page in pages])


def _author_name(page: SitePage) -> Iterator[str]:
    """The author that a page names, if its title has a word of it. Else the author is the web designer."""
    element = page.tree.document.select_one('meta[name="author"]')
    name = fold_name(str(element.attr("content") or "")) if element is not None else ""
    if set(name.split()) & set(re.findall(r"\w+", fold(page.title))):
        yield name


def _is_organisation(kind: object) -> bool:
    """Whether a type of structured data (a text or a list of texts) means an organisation or a person."""
    said = " ".join(kind) if isinstance(kind, list) and all(isinstance(k, str) for k in kind) else str(kind)
    return bool(
        re.search(
            r"Organi[sz]ation|Business|Corporation|Store|Restaurant|Hotel|School|WebSite|Club|Service\b|Person",
            said,
        )
    )


def _names_in_titles(titles: Sequence[str]) -> Iterator[str]:
    """Names in the titles of a site's pages.

    A part that several titles share is the name of the site. So may be the shortest, the first and the last
    part of the home page's title.
    """
    parts = Counter(
        part for title in set(titles) for part in {fold_name(p) for p in _TITLE_PARTS.split(title)} if part
    )
    yield from (part for part, count in parts.items() if count > 1)
    if titles:
        own = [part for p in _TITLE_PARTS.split(titles[0]) if (part := fold_name(p))]
        if own:
            yield min(own, key=len)
            yield own[0]
            yield own[-1]
