"""The stages that need a core, as plain functions on files: the same in a thread, a process, a worker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from threadmill.service.work.stage_files import COLLECTED, READ, load, save
from threadmill.sites.compare import judge
from threadmill.sites.model import Collected, Pair, Site
from threadmill.sites.read.read_site import read_site
from threadmill.sites.read.vocabulary import Vocabulary, load_vocabulary


@dataclass(frozen=True, slots=True)
class SiteSummary:
    """What the store hears of a site that was read; the rest is in its file."""

    outcome: str
    reason: str
    language: str
    pages: int


def read_site_from_files(root: Path, files_path: str) -> SiteSummary:
    """Read one site from what its collector left, and leave keywords and facts."""
    site = read_site(load(root, files_path, COLLECTED, Collected))
    save(root, files_path, READ, site)
    return SiteSummary(site.outcome.value, site.reason, site.language, site.pages)


def read_sites(root: Path, folders: Sequence[str]) -> list[SiteSummary | Exception]:
    """Read some sites one after the other; what one of them breaks is told of that one alone."""
    return [_read_or_why(root, folder) for folder in folders]


def _read_or_why(root: Path, folder: str) -> SiteSummary | Exception:
    try:
        return read_site_from_files(root, folder)
    except Exception as error:  # whatever a page can do to us
        return error


def compare_sites_from_files(root: Path, folders: Sequence[str], vocabulary: str = "") -> tuple[Pair, ...]:
    """Compare the sites in some folders; the numbers of a pair are positions in the sequence."""
    sites = [load(root, folder, READ, Site) for folder in folders]
    return judge(sites, _vocabulary(vocabulary)).pairs


@lru_cache(maxsize=2)
def _vocabulary(file: str) -> Vocabulary:
    return load_vocabulary(Path(file) if file else None)
