"""A list of sites in, results out: the stages one after the other on one machine."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from threadmill.archive.writer import ArchiveWriter
from threadmill.config import Settings
from threadmill.crawl.fetch.client import Fetcher, FetchResult
from threadmill.errors import UsageError
from threadmill.sites.collect.archived_pages import Archived
from threadmill.sites.collect.collect import Effort, collect
from threadmill.sites.decide.decide import FLOOR, decide, decide_by_words
from threadmill.sites.model import Outcome, Site
from threadmill.sites.read.read_site import read_site
from threadmill.sites.read.vocabulary import Vocabulary, load_vocabulary, weigh
from threadmill.sites.report.results import Results, make_results

_SCHEME = re.compile(r"https?://", re.IGNORECASE)
Progress = Callable[[Site], None]


def read_list(lines: Iterable[str]) -> list[str]:
    """The sites of a list, each once: a URL or a bare domain a line; # begins a comment."""
    found: dict[str, None] = {}
    for line in lines:
        word = line.strip().split()[0] if line.strip() else ""
        if word and not word.startswith("#"):
            found[word if _SCHEME.match(word) else f"http://{word}/"] = None
    if len(found) < 2:
        raise UsageError("expected at least two sites to compare, one URL or domain a line")
    return list(found)


async def gather(
    fetcher: Fetcher,
    urls: Sequence[str],
    *,
    archive: ArchiveWriter | None = None,
    archived: Archived | None = None,
    use_archive_data: bool = False,
    effort: Effort | None = None,
    lemmas: bool = False,
) -> AsyncIterator[Site]:
    """Collect and read every site of a list, each as it is done."""

    def keep(answer: FetchResult) -> None:
        if archive is not None:
            for exchange in answer.exchanges:
                archive.write(exchange)

    found = collect(fetcher, urls, effort, keep, archived=archived, use_archive_data=use_archive_data)
    async for collected in found:
        yield read_site(collected, lemmas=lemmas)


@dataclass(frozen=True, slots=True)
class Method:
    """How sites are compared."""

    vocabulary: Path | None = None  # made by `sites train`; else the one shipped
    lemmas: bool = False
    floor: float = FLOOR
    words_only: bool = False  # the source's method: the score is the cosine of the words, nothing else counts


SOURCE = Method(lemmas=True, floor=0.1, words_only=True)


async def compare(
    urls: Sequence[str],
    settings: Settings,
    method: Method | None = None,
    *,
    archive: ArchiveWriter | None = None,
    archived: Archived | None = None,
    use_archive_data: bool = False,
    progress: Progress | None = None,
) -> Results:
    """Which of some sites are one company."""
    method = method or Method()
    words = load_vocabulary(method.vocabulary)
    sites: dict[str, Site] = {}
    async with Fetcher(settings) as fetcher:
        reading = gather(
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
    return judge([sites[url] for url in urls], words, method.floor, words_only=method.words_only)


def judge(
    sites: Sequence[Site], vocabulary: Vocabulary, floor: float = FLOOR, *, words_only: bool = False
) -> Results:
    """Compare sites that were read; those without an own text take no part."""
    taking_part = [number for number, site in enumerate(sites) if site.outcome is Outcome.OK]
    chosen = [sites[number] for number in taking_part]
    vectors = weigh([site.keywords for site in chosen], vocabulary)
    found = (
        decide_by_words(vectors, floor) if words_only else decide(chosen, vectors, vocabulary, floor=floor)
    )
    pairs = [replace(pair, one=taking_part[pair.one], other=taking_part[pair.other]) for pair in found]
    return make_results(sites, pairs)
