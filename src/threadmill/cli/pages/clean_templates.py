"""Chooses the template of each page for `threadmill clean`: given, stored, or learnt from the input."""

from __future__ import annotations

import argparse
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from threadmill.cli.pages.site_pages import TemporaryPages
from threadmill.config import SETTINGS_FILE
from threadmill.errors import URLError, UsageError
from threadmill.urls.sites import site_of

if TYPE_CHECKING:
    from threadmill.template import Template
    from threadmill.types import Capture

# A place is framing when at least four pages and half of the pages of a kind have it. Ten pages leave room
# for two kinds.
LEAST_PAGES = 10
# Templates are learnt from 250 pages of a site; twice as many are kept so that thinning leaves enough.
_MOST_PAGES = 500


class _PageSample(TemporaryPages):
    """Some hundred pages of a site, spread evenly over all its pages."""

    def __init__(self) -> None:
        super().__init__()
        self._offered = 0
        self._step = 1

    def offer(self, page: bytes) -> None:
        """Keep every n-th page. When there are too many, every second one is dropped."""
        if self._offered % self._step == 0:
            self._places.append(self._write(page))
            if len(self._places) == _MOST_PAGES:
                del self._places[1::2]
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
        return self._default or self._known.get(_site(capture, self._inputs))


def read_templates(arguments: argparse.Namespace, captures: Callable[[], Iterable[Capture]]) -> SiteTemplates:
    """Read the templates that the options name, or learn them from the pages in a first pass."""
    if arguments.template == "none":
        return SiteTemplates({})
    if arguments.template != "auto":
        return SiteTemplates({}, default=_read_file(Path(arguments.template)))
    inputs = arguments.inputs
    workspaces = [*filter(is_workspace, map(Path, inputs)), *filter(None, [arguments.workspace])]
    known = {site: template for workspace in workspaces for site, template in _stored(workspace)}
    if any(map(_may_hold_many, inputs)):
        known |= dict(_learn(captures(), known, inputs))
    return SiteTemplates(known, inputs)


def is_workspace(path: Path) -> bool:
    """Is this directory a workspace?"""
    return (path / SETTINGS_FILE).is_file()


def _read_file(path: Path) -> Template:
    from threadmill.template import unpack_template

    try:
        template = unpack_template(path.read_bytes())
    except OSError as error:
        raise UsageError(f"cannot read the template {path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, zlib.error):
        template = None
    if template is None:
        raise UsageError(
            f"{path} is not a template of this version; make one: threadmill template learn DIR --save FILE"
        )
    return template


def _stored(workspace: Path) -> Iterator[tuple[str, Template]]:
    from threadmill.store import open_store_for_reading
    from threadmill.store.templates import list_templates
    from threadmill.template import unpack_template
    from threadmill.workspace import open_workspace

    with (
        closing(open_store_for_reading(open_workspace(workspace).store_url)) as store,
        store.reading() as connection,
    ):
        for row in list_templates(connection):
            template = unpack_template(row.data)
            if template is not None:
                yield row.site, template


def _may_hold_many(source: str) -> bool:
    """A directory or a WARC file. One page shows no framing; standard input cannot be read twice."""
    return source != "-" and (Path(source).is_dir() or ".warc" in Path(source).name.lower())


def _learn(
    captures: Iterable[Capture], known: dict[str, Template], inputs: Sequence[str]
) -> Iterator[tuple[str, Template]]:
    from threadmill.template import learn_template

    samples: dict[str, _PageSample] = {}
    for capture in captures:
        site = _site(capture, inputs)
        if site not in known:
            samples.setdefault(site, _PageSample()).offer(capture.payload)
    for site, sample in samples.items():
        if len(sample) >= LEAST_PAGES:
            template = learn_template(sample)
            places = len(template.framing.outermost())
            print(f"{site}: framing of {places} places, learnt from {len(sample)} pages", file=sys.stderr)
            yield site, template


def _site(capture: Capture, inputs: Sequence[str]) -> str:
    """The site of a capture. Files of a directory, which have no URL, are one site."""
    try:
        return site_of(capture.url)
    except URLError:
        return next((name for name in inputs if capture.source.startswith(name)), "")
