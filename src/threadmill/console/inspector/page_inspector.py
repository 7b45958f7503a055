"""Finds pages, reads them outside the event loop, and writes them for the sandboxed frame."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock

from fastapi import HTTPException
from sqlalchemy import Connection
from turbohtml import Element, Node

from threadmill.console.context import ConsoleContext
from threadmill.console.inspector.page_layers import LayerName, PageLayers, read_layers
from threadmill.console.inspector.page_sources import CAPTURE_KEY, ArchivedParts, InspectedPage, load_capture
from threadmill.console.inspector.safe_html import Pointer, write_safe_page
from threadmill.crawl.corrections import join_corrections
from threadmill.crawl.forum.knowledge import ForumKnowledge
from threadmill.errors import OldModelError
from threadmill.forum.link_urls import same_site
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.site_model.corrections import correct_model
from threadmill.forum.site_model.wrapper import Wrapper
from threadmill.page.parse.tree import Tree, parse
from threadmill.store.forum.activity import known_forums
from threadmill.store.forum.corrections import corrections_of_job
from threadmill.store.templates import load_template
from threadmill.template import Template, unpack_template
from threadmill.urls import site_of

_MOST_READ = 8  # pages whose layers are kept: switching a layer does not read the page again
_MAX_PAGE = 10_000_000  # bytes; the rest of a larger page is not read


class PageInspector:
    """Loads pages and reads them outside the event loop. The last readings are kept."""

    def __init__(self, context: ConsoleContext) -> None:
        self._context = context
        self.held = context.held
        self._threads = ThreadPoolExecutor(2, "inspector")
        self._read: OrderedDict[tuple[object, ...], PageLayers] = OrderedDict()
        self._lock = Lock()

    async def find(self, key: str) -> InspectedPage:
        """The page with a key, or the answer 404."""
        number = CAPTURE_KEY.fullmatch(key)
        page = self.held.get(key)
        if page is None and number is not None:
            workspace = self._context.workspace
            page = await self._context.access.read(
                lambda connection: load_capture(workspace, connection, int(number[1]))
            )
        if page is None:
            raise HTTPException(404, "This page is not here any more. Fetch or upload it again.")
        return page

    async def layers(self, page: InspectedPage) -> PageLayers:
        """All readings of a page."""
        site = await self._context.access.read(lambda connection: find_known_site(connection, page))
        key = (page.key, *site.version)
        with self._lock:
            known = self._read.get(key)
        if known is not None:
            return known

        def read() -> PageLayers:
            capture = page.capture
            html = capture.payload[:_MAX_PAGE]
            tree = parse(html, capture.url, capture.header("content-type") or "")
            return read_layers(tree, capture.at, site.wrapper, site.template)

        found = await self._run(read)
        with self._lock:
            self._read[key] = found
            while len(self._read) > _MOST_READ:
                self._read.popitem(last=False)
        return found

    async def frame(self, page: InspectedPage, layers: list[LayerName], point: str = "") -> str:
        """The page for the sandboxed frame. With `point`, a click on a text leads to this URL."""
        found = await self.layers(page)
        workspace = self._context.workspace

        def write(connection: Connection) -> str:
            document = found.tree.document
            parts = ArchivedParts(workspace, connection, page.capture.url)
            sheets = [
                link.attr("href") or ""
                for link in document.iter_elements("link")
                if "stylesheet" in (link.attr("rel") or "").lower()
            ]
            return write_safe_page(
                document,
                found.marks,
                layers,
                picture=parts.picture,
                style_sheets=parts.style_sheets(sheets),
                pointer=_make_pointer(found.tree, point) if point else None,
            )

        return await self._context.access.read(write)

    async def _run(self, work: Callable[[], PageLayers]) -> PageLayers:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


@dataclass(frozen=True, slots=True)
class KnownSite:
    """What is known about the site of a page."""

    forum: int | None = None
    wrapper: Wrapper | None = None  # with the corrections of people
    template: Template | None = None  # its framing
    version: tuple[object, ...] = ()  # changes when a reading may change


def find_known_site(connection: Connection, page: InspectedPage) -> KnownSite:
    url = page.capture.url
    if not url:
        return KnownSite()
    row = load_template(connection, site_of(url))
    template = unpack_template(row.data) if row else None
    known = next((forum for forum in known_forums(connection) if same_site(forum.entry, url)), None)
    if known is None:
        return KnownSite(template=template)
    said = corrections_of_job(connection, known.job)
    version = (known.id, known.last_run, said[-1].id if said else 0, len(said))
    try:
        model = correct_model(ForumKnowledge.from_json(known.model).layout.model, join_corrections(said))
    except OldModelError:
        return KnownSite(known.id, None, template, version)
    return KnownSite(known.id, model.wrapper, template, version)


def _make_pointer(tree: Tree, target: str) -> Pointer:
    numbers: dict[Node, int] = {element: n for n, element in enumerate(PageOutline(tree).elements)}

    def pointer(element: Element) -> str | None:
        number = numbers.get(element)
        return None if number is None else f"{target}&element={number}"

    return pointer
