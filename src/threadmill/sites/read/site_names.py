"""What a site calls itself: titles, site name, copyright line, structured data."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from threadmill.sites.read.common_words import known
from threadmill.sites.read.site_page import Reading
from threadmill.sites.read.spelling import fold

_PARTS = re.compile(r"\s+[|–—\-·•:»/>]+\s+|\s*[|»•·]\s*|\s[-–—]\s|:\s")
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
# Words a page calls itself by in any trade, and what web makers leave in titles.
_GENERIC = known("generic_names")
_MOST_WORDS = 7


def fold_name(text: str) -> str:
    """A name without case, accents, legal form, year and signs; empty when nothing of its own is left."""
    plain = _YEAR.sub(" ", _LEGAL_FORM.sub(" ", fold(text)))
    words = re.findall(r"\w+", plain)
    own = [word for word in words if word not in _GENERIC and not word.isdigit()]
    if not own or len(words) > _MOST_WORDS or sum(map(len, own)) < 4:
        return ""
    return " ".join(own)


def names(pages: Sequence[Reading]) -> Iterator[str]:
    """Names of the site, folded; each from a place where a site puts its own."""
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
        yield from _author(page)
        yield from (fold_name(found) for found in _COPYRIGHT.findall(page.text[-4000:]))
        for item in page.data:
            if isinstance(item.get("name"), str) and _is_organisation(item.get("@type")):
                yield fold_name(item["name"])
    yield from _of_titles([page.title for page in pages])


def _author(page: Reading) -> Iterator[str]:
    """Whom a page names as its author, where its title has a word of that: else it is the site's maker."""
    element = page.tree.document.select_one('meta[name="author"]')
    name = fold_name(str(element.attr("content") or "")) if element is not None else ""
    if set(name.split()) & set(re.findall(r"\w+", fold(page.title))):
        yield name


def _is_organisation(kind: object) -> bool:
    said = " ".join(kind) if isinstance(kind, list) and all(isinstance(k, str) for k in kind) else str(kind)
    return bool(
        re.search(
            r"Organi[sz]ation|Business|Corporation|Store|Restaurant|Hotel|School|WebSite|Club|Service\b|Person",
            said,
        )
    )


def _of_titles(titles: Sequence[str]) -> Iterator[str]:
    """A part that two pages' titles share is the site's name; of one page alone, its shortest part may be."""
    parts = Counter(
        part for title in set(titles) for part in {fold_name(p) for p in _PARTS.split(title)} if part
    )
    yield from (part for part, count in parts.items() if count > 1)
    if titles:
        own = [part for p in _PARTS.split(titles[0]) if (part := fold_name(p))]
        if own:
            yield min(own, key=len)
            yield own[0]
            yield own[-1]
