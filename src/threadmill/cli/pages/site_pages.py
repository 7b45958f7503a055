"""Reads the pages of sites for the template commands: from directories, WARC files and workspaces."""

from __future__ import annotations

import re
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from threadmill.archive import read_captures
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
class SitePages:
    """The pages of one site, which are read when needed, and a file name for each."""

    name: str
    pages: Sequence[bytes]
    names: Sequence[str]


class TemporaryPages(Sequence[bytes]):
    """Pages in a temporary file, read back one at a time: a site may be larger than memory.

    A subclass fills it and decides which pages stay.
    """

    def __init__(self) -> None:
        self._file: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115 -- lives as long as the sequence
        weakref.finalize(self, self._file.close)
        self._places: list[tuple[int, int]] = []  # start and length of each page that stays

    def _write(self, page: bytes) -> tuple[int, int]:
        """Append a page to the file. Returns its start and length."""
        place = (self._file.seek(0, 2), len(page))
        self._file.write(page)
        return place

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, index: int) -> bytes:  # type: ignore[override]
        start, length = self._places[index]
        self._file.seek(start)
        return self._file.read(length)


class _HtmlFiles(Sequence[bytes]):
    """The HTML files of a directory."""

    def __init__(self, paths: list[Path]) -> None:
        self._paths = paths

    def __len__(self) -> int:
        return len(self._paths)

    def __getitem__(self, index: int) -> bytes:  # type: ignore[override]
        return self._paths[index].read_bytes()


class _ArchivedPages(TemporaryPages):
    """The latest page of each URL in an archive. They are unpacked once, because they are read twice."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers: dict[str, int] = {}

    def put(self, url: str, page: bytes) -> None:
        """Add a page. It replaces an older page with the same URL."""
        place = self._write(page)
        number = self._numbers.setdefault(url, len(self._places))
        if number == len(self._places):
            self._places.append(place)
        else:
            self._places[number] = place

    @property
    def urls(self) -> list[str]:
        """The URLs, in the order of the pages."""
        return list(self._numbers)


def read_sites(source: Path, name: str | None = None) -> list[SitePages]:
    """The sites in a WARC file or a workspace. A directory of HTML files is one site."""
    if not source.exists():
        raise UsageError(
            f"{source} does not exist; name a directory of HTML files, a WARC file or a workspace"
        )
    if source.is_dir() and not (source / SETTINGS_FILE).exists():
        found = [_directory(source, name)]
    else:
        found = _archived(source / "archive" if source.is_dir() else source)
    sites = [site for site in found if len(site.pages) and name in {None, site.name}]
    if not sites:
        raise UsageError(f"no HTML pages in {source}{f' of the site {name}' if name else ''}")
    return sites


def _directory(source: Path, name: str | None) -> SitePages:
    paths = sorted(path for path in source.rglob("*") if _is_html(path) and path.is_file())
    names = [str(path.relative_to(source)) for path in paths]
    return SitePages(name or source.resolve().name, _HtmlFiles(paths), names)


def _is_html(path: Path) -> bool:
    return path.suffix.lower() in _HTML_FILES or _LANGUAGE_SUFFIX.search(path.name) is not None


def _archived(source: Path) -> list[SitePages]:
    pages: dict[str, _ArchivedPages] = {}
    for capture in read_captures(source, follow_revisits=True):
        if capture.status == 200 and capture.content_type in _HTML_TYPES and capture.payload:
            for site in _site(capture):
                pages.setdefault(site, _ArchivedPages()).put(capture.url, capture.payload)
    return [
        SitePages(site, kept, [_file_name(number, url) for number, url in enumerate(kept.urls)])
        for site, kept in pages.items()
    ]


def _site(capture: Capture) -> Iterator[str]:
    try:
        yield site_of(capture.url)
    except URLError:
        return


def _file_name(number: int, url: str) -> str:
    """A file name for a URL. The number keeps similar URLs apart."""
    plain = _UNSAFE.sub("_", url.partition("://")[2]).strip("_")[:_LONGEST_NAME]
    return f"{number:06d}-{plain or 'page'}.html"
