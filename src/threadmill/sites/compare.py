"""Compares the sites of a list on one machine: fetch, read, score, results."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from threadmill.archive.warc_writer import ArchiveWriter
from threadmill.config import Settings
from threadmill.crawl.fetch.client import Fetcher, FetchResult
from threadmill.errors import UsageError
from threadmill.parallel.workers import Workers, WorkPlace, WorkTask, open_workers
from threadmill.sites.collect.archived_pages import ArchivedPages
from threadmill.sites.collect.fetch_sites import FetchLimits, fetch_sites
from threadmill.sites.collect.site_lists import require_sites, site_url
from threadmill.sites.decide.candidates import floor_for
from threadmill.sites.decide.score_pairs import COSINE_FLOOR, score_pairs, score_pairs_by_words
from threadmill.sites.decide.site_table import SiteTable
from threadmill.sites.decide.vocabulary import Vocabulary, load_vocabulary
from threadmill.sites.model import CollectedSite, CompanySite, ReadOutcome, SitePair
from threadmill.sites.read.read_site import read_site
from threadmill.sites.report.results import ComparisonResults

# Sites that wait for each worker with all their pages, some megabytes each.
_SITES_AHEAD = 8
SiteCallback = Callable[[CompanySite], None]


@dataclass(frozen=True, slots=True)
class ComparisonMethod:
    """How sites are compared."""

    vocabulary: Path | None = None  # made by `sites train`; without it, the one that comes with Threadmill
    lemmas: bool = False  # count lemmas instead of words
    floor: float = COSINE_FLOOR
    words_only: bool = False  # the score is the cosine of the words, and no other evidence counts
    place: WorkPlace = field(default_factory=WorkPlace)  # whose processes read the pages that were fetched


SOURCE_METHOD = ComparisonMethod(lemmas=True, floor=0.1, words_only=True)  # as in the source


def read_list(lines: Iterable[str]) -> list[str]:
    """The URLs of a list, each once. A line is a URL or a bare domain; # begins a comment line."""
    found: dict[str, None] = {}
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            url = site_url(line)
            if url is None:
                raise UsageError(
                    f"expected a URL or a domain as entry {number}, but got {line.strip()[:60]!r}"
                )
            found[url] = None
    require_sites(len(found))
    return list(found)


async def compare_sites(
    urls: Sequence[str],
    settings: Settings,
    method: ComparisonMethod | None = None,
    *,
    archive: ArchiveWriter | None = None,
    archived: ArchivedPages | None = None,
    use_archive_data: bool = False,
    progress: SiteCallback | None = None,
) -> ComparisonResults:
    """Fetch, read and compare some sites. `progress` is called with each site as soon as it is read.

    This process fetches. The workers of `method.place` read what was fetched.
    """
    method = method or ComparisonMethod()
    vocabulary = load_vocabulary(method.vocabulary)
    comparison = ListComparison(vocabulary, method.floor, words_only=method.words_only)
    numbers: dict[str, int] = {}
    async with Fetcher(settings) as fetcher:
        reading = fetch_and_read(
            fetcher,
            urls,
            method,
            archive=archive,
            archived=archived,
            use_archive_data=use_archive_data,
        )
        async for site in reading:
            numbers[site.url] = comparison.add(site)
            if progress is not None:
                progress(site)
    return comparison.results([numbers[url] for url in urls])


async def fetch_and_read(
    fetcher: Fetcher,
    urls: Sequence[str],
    method: ComparisonMethod | None = None,
    *,
    archive: ArchiveWriter | None = None,
    archived: ArchivedPages | None = None,
    use_archive_data: bool = False,
    limits: FetchLimits | None = None,
) -> AsyncIterator[CompanySite]:
    """Fetch and read the sites of a list, and yield each as soon as it is read."""

    def keep(answer: FetchResult) -> None:
        if archive is not None:
            for exchange in answer.exchanges:
                archive.write(exchange)

    found = fetch_sites(fetcher, urls, limits, keep, archived=archived, use_archive_data=use_archive_data)
    method = method or ComparisonMethod()
    if method.place.is_here():
        async for collected in found:
            yield read_site(collected, lemmas=method.lemmas)
        return
    with open_workers(method.place.on, method.place.processes) as workers:
        async for site in _read_by_workers(found, workers, lemmas=method.lemmas):
            yield site


async def _read_by_workers(
    found: AsyncIterator[CollectedSite], workers: Workers, *, lemmas: bool
) -> AsyncIterator[CompanySite]:
    """Read sites while others are still fetched, and yield each as soon as it is read."""
    reading: set[asyncio.Task[CompanySite]] = set()
    async for collected in found:
        task = WorkTask(_read_task, lemmas, (collected,))
        reading.add(asyncio.ensure_future(_finish(workers, task, workers.submit(task))))
        patience = None if len(reading) >= _SITES_AHEAD * workers.number else 0
        done, reading = await asyncio.wait(reading, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
        for site in done:
            yield site.result()
    for next_site in asyncio.as_completed(reading):
        yield await next_site


async def _finish(workers: Workers, task: WorkTask, future: Future[Any]) -> CompanySite:
    outcome = await asyncio.to_thread(workers.finish, task, future)
    [collected] = task.items
    return next(iter(outcome.results), CompanySite(collected.url, ReadOutcome.DEAD, "it could not be read"))


def _read_task(lemmas: bool, sites: Sequence[CollectedSite]) -> CompanySite:
    [collected] = sites
    return read_site(collected, lemmas=lemmas)


def compare_read_sites(
    sites: Iterable[CompanySite],
    vocabulary: Vocabulary,
    floor: float = COSINE_FLOOR,
    *,
    words_only: bool = False,
) -> ComparisonResults:
    """Compare sites that are already read. Only sites with the outcome OK take part.

    Of each site only its row in the table is kept, so `sites` may come from files one after the other.
    """
    comparison = ListComparison(vocabulary, floor, words_only=words_only)
    urls = [comparison.add(site) for site in sites]
    return comparison.results(urls)


class ListComparison:
    """Takes sites as they are read, in any order, and compares them when all are there."""

    def __init__(
        self, vocabulary: Vocabulary, floor: float = COSINE_FLOOR, *, words_only: bool = False
    ) -> None:
        self._table = SiteTable(vocabulary)
        self._floor = floor
        self._words_only = words_only
        self._sites: list[CompanySite] = []  # without keywords and facts
        self._rows: list[int] = []  # of each row of the table, the number of its site

    def add(self, site: CompanySite) -> int:
        """Take a site and return its number."""
        if site.outcome is ReadOutcome.OK:
            self._table.add(site)
            self._rows.append(len(self._sites))
        name = name_of(site)
        bare = CompanySite(site.url, site.outcome, site.reason, site.language, pages=site.pages, name=name)
        self._sites.append(bare)
        return len(self._sites) - 1

    def results(self, order: Sequence[int]) -> ComparisonResults:
        """The results. `order` has the numbers of the sites as the list has them."""
        place = {number: position for position, number in enumerate(order)}
        if self._words_only:
            found = score_pairs_by_words(self._table.words, self._floor)
        else:
            rows = [place[number] for number in self._rows]
            found = score_pairs(self._table, floor=floor_for(len(self._table), self._floor), places=rows)
        pairs = [
            in_order(replace(pair, one=place[self._rows[pair.one]], other=place[self._rows[pair.other]]))
            for pair in found
        ]
        pairs.sort(key=lambda pair: (-pair.score, pair.one, pair.other))
        return ComparisonResults(tuple(self._sites[number] for number in order), tuple(pairs))


def in_order(pair: SitePair) -> SitePair:
    """The pair with its first site first in the list."""
    if pair.one < pair.other:
        return pair
    evidence = tuple(replace(item, places=item.places[::-1]) for item in pair.evidence)
    return replace(pair, one=pair.other, other=pair.one, evidence=evidence)


def name_of(site: CompanySite) -> str:
    """What the site calls itself: the first name of its home page, as it is written there."""
    stated = (fact.written for kind in ("name", "title") for fact in site.facts.found if fact.kind == kind)
    return next(stated, "")
