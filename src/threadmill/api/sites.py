"""Lists of sites: which of them belong to one company."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Literal

from threadmill.api.crawling import run_blocking
from threadmill.archive import ArchiveWriter
from threadmill.config import Settings, load_settings, override
from threadmill.errors import UsageError
from threadmill.parallel.workers import LOCAL, WorkPlace
from threadmill.sites import compare as stage
from threadmill.sites.collect.archived_pages import ArchivedPages
from threadmill.sites.compare import SOURCE_METHOD, ComparisonMethod, read_list
from threadmill.sites.model import CompanySite
from threadmill.sites.report.results import ComparisonResults

AnyPath = str | os.PathLike[str]


def compare_sites(
    sites: Iterable[str],
    *,
    method: Literal["all", "source"] = "all",
    vocabulary: AnyPath | None = None,
    lemmas: bool = False,
    archive: AnyPath | None = None,
    use_archive_data: bool = False,
    delay: float | None = None,
    processes: int = 1,
    on: str = LOCAL,
    settings: Settings | None = None,
    on_site: Callable[[CompanySite], None] | None = None,
) -> ComparisonResults:
    """Fetch sites and find the pairs that belong to one company, with a score and the evidence.

    `sites` are URLs or domains. Method "all" weighs words and every other evidence into a calibrated score;
    "source" is the cosine of lemmas alone. `archive` is a directory that keeps every answer as WARC; with
    `use_archive_data`, sites that it already holds are not fetched again. `vocabulary` is a file made by
    `threadmill sites train`. With more `processes`, or `on` a Ray cluster ("ray", "ray://host:port"), workers
    read the pages that this process fetches. `on_site` is called with each site when it has been read. The
    results keep every pair, so `over` and `clusters` answer for any border between 0 and 1. In a notebook,
    use `compare_sites_async`.

    >>> import threadmill
    >>> results = threadmill.compare_sites(["https://a.example/", "https://b.example/", "https://c.example/"])
    >>> [site.outcome.value for site in results.sites]
    ['ok', 'ok', 'ok']
    >>> [(pair.one, pair.other) for pair in results.over(0.5)]
    [(0, 1)]
    """
    return run_blocking(
        "compare_sites",
        lambda: compare_sites_async(
            sites,
            method=method,
            vocabulary=vocabulary,
            lemmas=lemmas,
            archive=archive,
            use_archive_data=use_archive_data,
            delay=delay,
            processes=processes,
            on=on,
            settings=settings,
            on_site=on_site,
        ),
    )


async def compare_sites_async(
    sites: Iterable[str],
    *,
    method: Literal["all", "source"] = "all",
    vocabulary: AnyPath | None = None,
    lemmas: bool = False,
    archive: AnyPath | None = None,
    use_archive_data: bool = False,
    delay: float | None = None,
    processes: int = 1,
    on: str = LOCAL,
    settings: Settings | None = None,
    on_site: Callable[[CompanySite], None] | None = None,
) -> ComparisonResults:
    """Do what `compare_sites` does, inside a running event loop: in a notebook, or beside other tasks.

    >>> import asyncio, threadmill
    >>> async def main():
    ...     return await threadmill.compare_sites_async(["https://a.example/", "https://b.example/"])
    >>> len(asyncio.run(main()).over(0.5))
    1
    """
    if use_archive_data and archive is None:
        raise UsageError("use_archive_data needs archive, the directory that holds the pages")
    urls = read_list(sites)
    chosen = override(settings or load_settings(), "crawl", delay=delay)
    words = Path(vocabulary) if vocabulary is not None else None
    how = (
        replace(SOURCE_METHOD, vocabulary=words)
        if method == "source"
        else ComparisonMethod(words, lemmas=lemmas)
    )
    how = replace(how, place=WorkPlace(on, processes))
    archived = ArchivedPages(Path(archive)) if archive is not None and use_archive_data else None
    with ArchiveWriter(Path(archive), chosen.archive) if archive is not None else nullcontext() as writer:
        return await stage.compare_sites(
            urls,
            chosen,
            how,
            archive=writer,
            archived=archived,
            use_archive_data=use_archive_data,
            progress=on_site,
        )
