"""Reads pages of sites from directories, WARC files and workspaces, and the templates that fit them."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from threadmill.archive import read_captures
from threadmill.archive.page_spool import GroupedPages, PageSpool, SiteGroups
from threadmill.archive.remote_files import AnyFile, as_file
from threadmill.archive.warc_reader import WARC_SUFFIXES
from threadmill.cli.terminal import show_count
from threadmill.config import SETTINGS_FILE
from threadmill.errors import NothingFoundError, URLError
from threadmill.types import Capture
from threadmill.urls.sites import site_of

if TYPE_CHECKING:
    from threadmill.template import Template

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


class _HtmlFiles(Sequence[bytes]):
    """The HTML files of a directory."""

    def __init__(self, paths: list[Path]) -> None:
        self._paths = paths

    def __len__(self) -> int:
        return len(self._paths)

    def __getitem__(self, index: int) -> bytes:  # type: ignore[override]
        return self._paths[index].read_bytes()


class _FileNames(Sequence[str]):
    """File names for the pages of a site, made from their URLs when needed."""

    def __init__(self, pages: GroupedPages) -> None:
        self._pages = pages

    def __len__(self) -> int:
        return len(self._pages)

    def __getitem__(self, index: int) -> str:  # type: ignore[override]
        if not 0 <= index < len(self._pages):
            raise IndexError(index)
        return _file_name(index, self._pages.url(index))


def read_sites(source: str | Path, name: str | None = None, *, folder: Path | None = None) -> list[SitePages]:
    """The sites in a WARC file, in a directory of them, or in a workspace.

    A directory of HTML files is one site. Pages of archives are grouped in a temporary file, which is in
    `folder` where workers on other machines must see it.
    """
    file = as_file(source)
    if not file.exists():
        raise NothingFoundError(
            f"{source} does not exist; name a directory of HTML files, WARC files or a workspace"
        )
    found: list[SitePages]
    if isinstance(file, Path) and file.is_dir() and not _holds_archives(file):
        found = [_directory(file, name)]
    else:
        found = _archived(file / "archive" if is_workspace(file) else file, name, folder)
    sites = [site for site in found if len(site.pages) and name in {None, site.name}]
    if not sites:
        raise NothingFoundError(f"no HTML pages in {source}{f' of the site {name}' if name else ''}")
    return sites


def _holds_archives(directory: Path) -> bool:
    """A workspace, or a directory with a WARC file anywhere in it."""
    names = (path.name.lower() for path in directory.rglob("*"))
    return is_workspace(directory) or any(name.endswith(WARC_SUFFIXES) for name in names)


def _directory(source: Path, name: str | None) -> SitePages:
    paths = sorted(path for path in source.rglob("*") if _is_html(path) and path.is_file())
    names = [str(path.relative_to(source)) for path in paths]
    return SitePages(name or source.resolve().name, _HtmlFiles(paths), names)


def _is_html(path: Path) -> bool:
    return path.suffix.lower() in _HTML_FILES or _LANGUAGE_SUFFIX.search(path.name) is not None


def _archived(source: AnyFile, name: str | None, folder: Path | None) -> list[SitePages]:
    groups = group_by_site([source], name, folder=folder)
    return [SitePages(site, pages, _FileNames(pages)) for site, pages in groups.items()]


def group_by_site(
    sources: Iterable[AnyFile], name: str | None = None, *, folder: Path | None = None
) -> dict[str, GroupedPages]:
    """The HTML pages of archives, by site; with a name, those of one site."""
    groups = SiteGroups(folder)
    for source in sources:
        for capture in show_count(read_captures(source, follow_revisits=True), f"pages of {source} read"):
            if capture.status == 200 and capture.content_type in _HTML_TYPES and capture.payload:
                for site in _site(capture):
                    if name in {None, site}:
                        groups.put(site, capture)
    return groups.sites


def _site(capture: Capture) -> Iterator[str]:
    try:
        yield site_of(capture.url)
    except URLError:
        return


def _file_name(number: int, url: str) -> str:
    """A file name for a URL. The number keeps similar URLs apart."""
    plain = _UNSAFE.sub("_", url.partition("://")[2]).strip("_")[:_LONGEST_NAME]
    return f"{number:06d}-{plain or 'page'}.html"


# A place is framing when at least four pages and half of the pages of a kind have it. Ten pages leave room
# for two kinds.
LEAST_PAGES = 10
# Templates are learnt from 250 pages of a site; twice as many are kept so that thinning leaves enough.
_MOST_PAGES = 500


class _PageSample:
    """Some hundred pages of a site, spread evenly over all its pages."""

    def __init__(self, site: str, spool: PageSpool) -> None:
        self.pages = GroupedPages(site, spool)
        self._spool = spool
        self._offered = 0
        self._step = 1

    def offer(self, capture: Capture) -> None:
        """Keep every n-th page. When there are too many, every second one is dropped."""
        if self._offered % self._step == 0:
            self.pages.add(self._spool.write(capture))
            if len(self.pages) == _MOST_PAGES:
                self.pages.thin()
                self._step *= 2
        self._offered += 1


class SiteTemplates:
    """The templates of sites, looked up by page."""

    def __init__(
        self, known: dict[str, Template], inputs: Sequence[str] = (), default: Template | None = None
    ) -> None:
        self._known = known
        self._inputs = inputs
        self._default = default

    def of(self, capture: Capture) -> Template | None:
        """The template of a page's site. None: nothing is known of it."""
        return self._default or self._known.get(_template_site(capture, self._inputs))


def read_templates(arguments: argparse.Namespace, captures: Callable[[], Iterable[Capture]]) -> SiteTemplates:
    """Read the templates that the options name, or learn them from the pages in a first pass."""
    if arguments.template == "none":
        return SiteTemplates({})
    if arguments.template != "auto":
        from threadmill.api.pages import read_template

        return SiteTemplates({}, default=read_template(arguments.template))
    inputs = arguments.inputs
    workspaces = [*filter(is_workspace, map(Path, inputs)), *filter(None, [arguments.workspace])]
    known = {site: template for workspace in workspaces for site, template in _stored(workspace)}
    if any(map(_may_hold_many, inputs)):
        known |= dict(_learn(captures(), known, inputs))
    return SiteTemplates(known, inputs)


def is_workspace(path: AnyFile) -> bool:
    """Is this directory a workspace?"""
    return isinstance(path, Path) and (path / SETTINGS_FILE).is_file()


def _stored(workspace: Path) -> Iterator[tuple[str, Template]]:
    from threadmill.store import open_store_for_reading
    from threadmill.store.templates import list_templates
    from threadmill.template import unpack_template
    from threadmill.workspace import lost_database, open_workspace

    opened = open_workspace(workspace)
    if lost_database(opened):  # its archive can be read without
        return
    with (
        closing(open_store_for_reading(opened.store_url)) as store,
        store.reading() as connection,
    ):
        for row in list_templates(connection):
            template = unpack_template(row.data)
            if template is not None:
                yield row.site, template


def _may_hold_many(source: str) -> bool:
    """A directory or a WARC file. One page shows no framing; standard input cannot be read twice."""
    return source != "-" and (as_file(source).is_dir() or ".warc" in Path(source).name.lower())


def _learn(
    captures: Iterable[Capture], known: dict[str, Template], inputs: Sequence[str]
) -> Iterator[tuple[str, Template]]:
    from threadmill.template import learn_template

    samples: dict[str, _PageSample] = {}
    spool = PageSpool()
    for capture in captures:
        site = _template_site(capture, inputs)
        if site not in known:
            if site not in samples:
                samples[site] = _PageSample(site, spool)
            samples[site].offer(capture)
    for site, sample in samples.items():
        if len(sample.pages) >= LEAST_PAGES:
            template = learn_template(sample.pages)
            places = len(template.framing.outermost())
            count = len(sample.pages)
            print(f"{site}: framing of {places} places, learnt from {count} pages", file=sys.stderr)
            yield site, template


def _template_site(capture: Capture, inputs: Sequence[str]) -> str:
    """The site of a capture. Files of a directory, which have no URL, are one site."""
    try:
        return site_of(capture.url)
    except URLError:
        return next((name for name in inputs if capture.source.startswith(name)), "")
