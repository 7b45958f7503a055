"""Compares the sites of a list on one machine: fetch, read, score, results."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from threadmill.archive.warc_writer import ArchiveWriter
from threadmill.config import Settings
from threadmill.crawl.fetch.client import Fetcher, FetchResult
from threadmill.errors import UsageError
from threadmill.sites.collect.archived_pages import ArchivedPages
from threadmill.sites.collect.fetch_sites import FetchLimits, fetch_sites
from threadmill.sites.collect.site_lists import require_sites, site_url
from threadmill.sites.decide.score_pairs import COSINE_FLOOR, score_pairs, score_pairs_by_words
from threadmill.sites.decide.vocabulary import Vocabulary, load_vocabulary, tf_idf_vectors
from threadmill.sites.model import CompanySite, ReadOutcome
from threadmill.sites.read.read_site import read_site
from threadmill.sites.report.results import ComparisonResults, make_results

SiteCallback = Callable[[CompanySite], None]


@dataclass(frozen=True, slots=True)
class ComparisonMethod:
    """How sites are compared."""

    vocabulary: Path | None = None  # made by `sites train`; without it, the one that comes with Threadmill
    lemmas: bool = False  # count lemmas instead of words
    floor: float = COSINE_FLOOR
    words_only: bool = False  # the score is the cosine of the words, and no other evidence counts


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
    """Fetch, read and compare some sites. `progress` is called with each site as soon as it is read."""
    method = method or ComparisonMethod()
    vocabulary = load_vocabulary(method.vocabulary)
    sites: dict[str, CompanySite] = {}
    async with Fetcher(settings) as fetcher:
        reading = fetch_and_read(
            fetcher,
            urls,
            archive=archive,
            archived=archived,
            use_archive_data=use_archive_data,
            lemmas=method.lemmas,
        )
        async for site in reading:
            sites[site.url] = site
            if progress is not None:
                progress(site)
    return compare_read_sites(
        [sites[url] for url in urls], vocabulary, method.floor, words_only=method.words_only
    )


async def fetch_and_read(
    fetcher: Fetcher,
    urls: Sequence[str],
    *,
    archive: ArchiveWriter | None = None,
    archived: ArchivedPages | None = None,
    use_archive_data: bool = False,
    limits: FetchLimits | None = None,
    lemmas: bool = False,
) -> AsyncIterator[CompanySite]:
    """Fetch and read the sites of a list, and yield each as soon as it is read."""

    def keep(answer: FetchResult) -> None:
        if archive is not None:
            for exchange in answer.exchanges:
                archive.write(exchange)

    found = fetch_sites(fetcher, urls, limits, keep, archived=archived, use_archive_data=use_archive_data)
    async for collected in found:
        yield read_site(collected, lemmas=lemmas)


def compare_read_sites(
    sites: Sequence[CompanySite],
    vocabulary: Vocabulary,
    floor: float = COSINE_FLOOR,
    *,
    words_only: bool = False,
) -> ComparisonResults:
    """Compare sites that are already read. Only sites with the outcome OK take part."""
    positions = [number for number, site in enumerate(sites) if site.outcome is ReadOutcome.OK]
    chosen = [sites[number] for number in positions]
    vectors = tf_idf_vectors([site.keywords for site in chosen], vocabulary)
    if words_only:
        found = score_pairs_by_words(vectors, floor)
    else:
        found = score_pairs(chosen, vectors, vocabulary, floor=floor)
    pairs = [replace(pair, one=positions[pair.one], other=positions[pair.other]) for pair in found]
    return make_results(sites, pairs)
