"""Where the verb `template` takes pages from: directories of HTML files, WARC files, workspaces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from threadmill.archive import read_captures
from threadmill.cli.pages.spool import Spool
from threadmill.config import SETTINGS_FILE
from threadmill.errors import URLError, UsageError
from threadmill.types import Capture
from threadmill.urls.sites import site_of

_HTML_FILES = (".html", ".htm", ".xhtml", ".shtml", ".php", ".asp", ".aspx", ".jsp")
_HTML_TYPES = ("text/html", "application/xhtml+xml")
_LANGUAGE_SUFFIX = re.compile(r"\.x?html\.[a-z]{2}(?:[-.][\w.-]+)?$")  # index.html.de, as Apache names them
_UNSAFE = re.compile(r"[^\w.=-]+")
_LONGEST_NAME = 150


@dataclass(frozen=True, slots=True)
class Site:
    """The pages of one site, each read when it is asked for, and a file name for each."""

    name: str
    pages: Sequence[bytes]
    names: Sequence[str]


class _Files(Sequence[bytes]):
    """Files of a directory."""

    def __init__(self, paths: list[Path]) -> None:
        self._paths = paths

    def __len__(self) -> int:
        return len(self._paths)

    def __getitem__(self, index: int) -> bytes:  # type: ignore[override]
        return self._paths[index].read_bytes()


class _Archived(Spool):
    """Pages of an archive, the last of each address: unpacked once, because they are read twice."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers: dict[str, int] = {}

    def put(self, url: str, page: bytes) -> None:
        """Add a page, in place of an older one of the same address."""
        place = self._write(page)
        number = self._numbers.setdefault(url, len(self._places))
        if number == len(self._places):
            self._places.append(place)
        else:
            self._places[number] = place

    @property
    def urls(self) -> list[str]:
        """The addresses, in the order of the pages."""
        return list(self._numbers)


def read_sites(source: Path, name: str | None = None) -> list[Site]:
    """The sites of a directory of HTML files (one site), a WARC file, or a workspace's archive."""
    if not source.exists():
        raise UsageError(f"there is no {source}; name a directory of HTML files, a WARC file or a workspace")
    if source.is_dir() and not (source / SETTINGS_FILE).exists():
        found = [_directory(source, name)]
    else:
        found = _archived(source / "archive" if source.is_dir() else source)
    sites = [site for site in found if len(site.pages) and name in {None, site.name}]
    if not sites:
        raise UsageError(f"there are no HTML pages in {source}{f' of the site {name}' if name else ''}")
    return sites


def _directory(source: Path, name: str | None) -> Site:
    paths = sorted(path for path in source.rglob("*") if _is_html(path) and path.is_file())
    names = [str(path.relative_to(source)) for path in paths]
    return Site(name or source.resolve().name, _Files(paths), names)


def _is_html(path: Path) -> bool:
    return path.suffix.lower() in _HTML_FILES or _LANGUAGE_SUFFIX.search(path.name) is not None


def _archived(source: Path) -> list[Site]:
    spools: dict[str, _Archived] = {}
    for capture in read_captures(source, follow_revisits=True):
        if capture.status == 200 and capture.content_type in _HTML_TYPES and capture.payload:
            for site in _site(capture):
                spools.setdefault(site, _Archived()).put(capture.url, capture.payload)
    return [
        Site(site, spool, [_file_name(number, url) for number, url in enumerate(spool.urls)])
        for site, spool in spools.items()
    ]


def _site(capture: Capture) -> Iterator[str]:
    try:
        yield site_of(capture.url)
    except URLError:
        return


def _file_name(number: int, url: str) -> str:
    """A file name for an address; the number keeps two addresses apart that read alike."""
    plain = _UNSAFE.sub("_", url.partition("://")[2]).strip("_")[:_LONGEST_NAME]
    return f"{number:06d}-{plain or 'page'}.html"
