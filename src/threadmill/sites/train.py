"""Trains a vocabulary on pages that are already here: WARC files, folders of pages, crawls."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator

from threadmill.errors import URLError
from threadmill.sites.decide.vocabulary import Vocabulary, make_vocabulary
from threadmill.sites.model import ReadOutcome
from threadmill.sites.read.keywords import count_keywords, main_language
from threadmill.sites.read.placeholder import judge_home
from threadmill.sites.read.site_page import read_page
from threadmill.types import Capture
from threadmill.urls import site_of

_HTML = {"text/html", "application/xhtml+xml", ""}
_MOST_PAGES = 6  # of one site; a comparison reads as many


def train_vocabulary(
    captures: Iterable[Capture], least_sites: int, note: str, *, lemmas: bool = False
) -> Vocabulary:
    """The vocabulary of the sites to which some captures belong. Placeholder sites are left out."""
    return make_vocabulary(_keywords_by_site(captures, lemmas=lemmas), least_sites, note)


def _keywords_by_site(captures: Iterable[Capture], *, lemmas: bool) -> Iterator[dict[str, int]]:
    """The terms of each site, each with the count 1.

    Terms are kept as numbers, so that two hundred thousand sites need only some hundred megabytes.
    """
    numbers: dict[str, int] = {}
    sites: dict[str, array[int]] = {}
    pages: Counter[str] = Counter()
    for capture in captures:
        site = _site_of_page(capture)
        if not site or pages[site] >= _MOST_PAGES:
            continue
        page = read_page(capture)
        if not pages[site] and judge_home(page)[0] is not ReadOutcome.OK:
            continue
        pages[site] += 1
        found = count_keywords([page.text], main_language([page.text]), lemmas=lemmas)
        known = sites.setdefault(site, array("I"))
        seen = set(known)
        known.extend({numbers.setdefault(term, len(numbers)) for term in found} - seen)
    terms = list(numbers)
    for known in sites.values():
        yield {terms[number]: 1 for number in known}


def _site_of_page(capture: Capture) -> str:
    """The site of a page, empty if the capture is no page."""
    if capture.status != 200 or capture.content_type not in _HTML or not capture.payload:
        return ""
    if capture.url.startswith("file:"):  # a file does not say to which site it belongs
        return capture.url
    try:
        return site_of(capture.url)
    except URLError:
        return ""
