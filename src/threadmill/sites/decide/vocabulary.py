"""The vocabulary: on how many sites each term occurs. It is trained on pages; all processes use the same."""

from __future__ import annotations

import gzip
import json
import math
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from threadmill.errors import URLError, UsageError
from threadmill.sites.model import ReadOutcome
from threadmill.sites.read.keywords import count_keywords, main_language
from threadmill.sites.read.placeholder import judge_home
from threadmill.sites.read.site_page import read_page
from threadmill.types import Capture
from threadmill.urls import site_of


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Terms with the number of sites that have them."""

    documents: int  # sites in all
    frequencies: Mapping[str, int]
    note: str = ""

    def idf(self, term: str) -> float:
        """log(|D| / documents with the term), as in the source. 0 for an unknown term."""
        frequency = self.frequencies.get(term, 0)
        return math.log(self.documents / frequency) if frequency else 0.0


def make_vocabulary(sites: Iterable[Mapping[str, int]], least_sites: int = 2, note: str = "") -> Vocabulary:
    """A vocabulary of the keywords of some sites. Terms on fewer than `least_sites` sites are left out."""
    frequencies: Counter[str] = Counter()
    documents = 0
    for keywords in sites:
        documents += 1
        frequencies.update(keywords.keys())
    kept = {term: count for term, count in frequencies.items() if count >= least_sites}
    return Vocabulary(documents, kept, note)


def save_vocabulary(vocabulary: Vocabulary, file: Path) -> None:
    """Write a vocabulary as gzipped JSON."""
    value = {
        "documents": vocabulary.documents,
        "note": vocabulary.note,
        "terms": dict(vocabulary.frequencies),
    }
    # No time stamp inside, so that the same vocabulary gives the same bytes.
    file.write_bytes(gzip.compress(json.dumps(value, ensure_ascii=False, sort_keys=True).encode(), mtime=0))


def load_vocabulary(file: Path | None = None) -> Vocabulary:
    """Read a vocabulary from a file. Without a file, read the one that comes with Threadmill."""
    try:
        raw = (file or files("threadmill.sites").joinpath("data/vocabulary.json.gz")).read_bytes()
        value = json.loads(gzip.decompress(raw))
        return Vocabulary(int(value["documents"]), dict(value["terms"]), str(value.get("note", "")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"expected a vocabulary made by `threadmill sites train` in {file}, "
            f"but reading it failed with {type(error).__name__}: {error}"
        ) from None


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
