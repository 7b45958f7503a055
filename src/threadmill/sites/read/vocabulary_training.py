"""A vocabulary trained on pages that are already here: WARC files, folders of pages, crawls."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator

from threadmill.errors import URLError
from threadmill.sites.collect.placeholder import judge_home
from threadmill.sites.model import Outcome
from threadmill.sites.read.keywords import count_keywords, main_language
from threadmill.sites.read.site_page import read_page
from threadmill.sites.read.vocabulary import Vocabulary, train
from threadmill.types import Capture
from threadmill.urls import site_of

_HTML = {"text/html", "application/xhtml+xml", ""}
_MOST_PAGES = 6  # of one site: what the comparison reads of it too


def train_on(captures: Iterable[Capture], least: int, note: str, *, lemmas: bool = False) -> Vocabulary:
    """The vocabulary of the sites some captures belong to; placeholders are none."""
    return train(_keywords(captures, lemmas=lemmas), least, note)


def _keywords(captures: Iterable[Capture], *, lemmas: bool) -> Iterator[dict[str, int]]:
    """Each site's terms; kept as numbers, so that two hundred thousand sites are some hundred megabytes."""
    numbers: dict[str, int] = {}
    sites: dict[str, array[int]] = {}
    pages: Counter[str] = Counter()
    for capture in captures:
        site = _site(capture)
        if not site or pages[site] >= _MOST_PAGES:
            continue
        page = read_page(capture)
        if not pages[site] and judge_home(page)[0] is not Outcome.OK:
            continue
        pages[site] += 1
        found = count_keywords([page.text], main_language([page.text]), lemmas=lemmas)
        known = sites.setdefault(site, array("I"))
        seen = set(known)
        known.extend({numbers.setdefault(term, len(numbers)) for term in found} - seen)
    terms = list(numbers)
    for known in sites.values():
        yield {terms[number]: 1 for number in known}


def _site(capture: Capture) -> str:
    if capture.status != 200 or capture.content_type not in _HTML or not capture.payload:
        return ""
    if capture.url.startswith("file:"):  # a page on its own: nothing tells which site it is of
        return capture.url
    try:
        return site_of(capture.url)
    except URLError:
        return ""
