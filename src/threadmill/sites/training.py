"""A vocabulary trained on pages that are already here: WARC files, folders of pages, crawls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from threadmill.errors import URLError
from threadmill.sites.keywords import count_keywords, main_language
from threadmill.sites.reading import read_page
from threadmill.sites.vocabulary import Vocabulary, train
from threadmill.types import Capture
from threadmill.urls import site_of

_HTML = {"text/html", "application/xhtml+xml", ""}
_MOST_PAGES = 6  # of one site: what the comparison reads of it too


def train_on(captures: Iterable[Capture], least: int, note: str) -> Vocabulary:
    """The vocabulary of the sites some captures belong to."""
    return train(_keywords(captures), least, note)


def _keywords(captures: Iterable[Capture]) -> Iterator[Counter[str]]:
    sites: dict[str, Counter[str]] = {}
    pages: Counter[str] = Counter()
    for capture in captures:
        site = _site(capture)
        if not site or pages[site] >= _MOST_PAGES:
            continue
        pages[site] += 1
        text = read_page(capture).text
        sites.setdefault(site, Counter()).update(count_keywords([text], main_language([text])))
    yield from sites.values()


def _site(capture: Capture) -> str:
    if capture.status != 200 or capture.content_type not in _HTML or not capture.payload:
        return ""
    try:
        return site_of(capture.url)
    except URLError:
        return ""
