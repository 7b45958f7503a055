"""Compares the sites of a list on one machine: fetch, read, score, results."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from threadmill.archive.warc_writer import ArchiveWriter
from threadmill.config import Settings
from threadmill.crawl.fetch.client import Fetcher, FetchResult
from threadmill.errors import UsageError
from threadmill.sites.collect.archived_pages import ArchivedPages
from threadmill.sites.collect.fetch_sites import FetchLimits, fetch_sites
from threadmill.sites.decide.score_pairs import COSINE_FLOOR, score_pairs, score_pairs_by_words
from threadmill.sites.decide.vocabulary import Vocabulary, load_vocabulary, tf_idf_vectors
from threadmill.sites.model import CompanySite, ReadOutcome
from threadmill.sites.read.read_site import read_site
from threadmill.sites.report.results import ComparisonResults, make_results

_SCHEME = re.compile(r"https?://", re.IGNORECASE)
SiteCallback = Callable[[CompanySite], None]


@dataclass(frozen=True, slots=True)
class ComparisonMethod:
    """How sites are compared."""

    vocabulary: Path | None = None  # made by `sites train`; without it, the one that comes with Threadmill
    lemmas: bool = False  # count lemmas instead of words
    floor: float = COSINE_FLOOR
    words_only: bool = False  # the score is the cosine of the words, and no other evidence counts


SOURCE_METHOD = ComparisonMethod(lemmas=True, floor=0.1, words_only=True)  # as in the source


def decode_list(content: bytes) -> str:
    """The text of a list: UTF-8, UTF-16 with its mark, or else Windows-1252, as old editors write it."""
    wide = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if wide else ("utf-8-sig", "cp1252"):
        with suppress(UnicodeDecodeError):
            return content.decode(encoding)
    return content.decode("latin-1")


def read_list(lines: Iterable[str]) -> list[str]:
    """The URLs of a list, each once. A line is a URL or a bare domain; # begins a comment line."""
    found: dict[str, None] = {}
    for line in lines:
        word = line.strip().split()[0] if line.strip() else ""
        if word and not word.startswith("#"):
            found[word if _SCHEME.match(word) else f"http://{word}/"] = None
    if len(found) < 2:
        raise UsageError(
            f"expected at least two sites to compare, one URL or domain a line, but found {len(found)}"
        )
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
