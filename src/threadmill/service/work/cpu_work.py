"""The CPU-bound work of the stages READ and DECIDE, as plain functions on files.

They run the same way in a thread, in a process of the worker pool and in a separate worker.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from threadmill.service.work.stage_files import COLLECTED, READ, load, save
from threadmill.sites.compare import compare_read_sites, name_of
from threadmill.sites.decide.vocabulary import Vocabulary, load_vocabulary
from threadmill.sites.model import CollectedSite, CompanySite, SitePair
from threadmill.sites.read.read_site import read_site


@dataclass(frozen=True, slots=True)
class SiteSummary:
    """The columns of a site that READ writes to the store. Keywords and facts stay in its file."""

    outcome: str
    reason: str
    language: str
    pages: int
    name: str = ""


def read_site_from_files(root: Path, files_path: str) -> SiteSummary:
    """Read one site from its collected pages, and save its keywords and facts."""
    site = read_site(load(root, files_path, COLLECTED, CollectedSite))
    save(root, files_path, READ, site)
    return SiteSummary(site.outcome.value, site.reason, site.language, site.pages, name_of(site))


def read_sites(root: Path, folders: Sequence[str]) -> list[SiteSummary | Exception]:
    """Read several sites. A site that fails gives its exception; the others are not affected."""
    return [_read_or_error(root, folder) for folder in folders]


def _read_or_error(root: Path, folder: str) -> SiteSummary | Exception:
    try:
        return read_site_from_files(root, folder)
    except Exception as error:  # a page of the web can cause any error
        return error


def compare_sites_from_files(
    root: Path, folders: Sequence[str], vocabulary: str = ""
) -> tuple[SitePair, ...]:
    """Compare the sites in some folders. The numbers of a pair are positions in `folders`."""
    sites = (load(root, folder, READ, CompanySite) for folder in folders)
    return compare_read_sites(sites, _load_vocabulary(vocabulary)).pairs


@lru_cache(maxsize=2)
def _load_vocabulary(file: str) -> Vocabulary:
    return load_vocabulary(Path(file) if file else None)
