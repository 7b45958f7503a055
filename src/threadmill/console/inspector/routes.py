"""The pages of the inspector: choose a page, see it with its layers."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request
from sqlalchemy import Connection
from starlette.datastructures import UploadFile
from starlette.responses import HTMLResponse, RedirectResponse, Response

from threadmill.console.context import ConsoleContext
from threadmill.console.inspector.page_layers import LayerName, PageLayers, in_words, read_layers
from threadmill.console.inspector.page_sources import (
    CAPTURE_KEY,
    ArchivedParts,
    InspectedPage,
    fetch_page,
    load_capture,
    uploaded_capture,
)
from threadmill.console.inspector.safe_html import write_safe_page
from threadmill.console.security.gate import ARCHIVED_POLICY
from threadmill.crawl.forum.knowledge import ForumKnowledge
from threadmill.errors import OldModelError
from threadmill.forum.link_urls import same_site
from threadmill.forum.site_model.wrapper import Wrapper
from threadmill.page.parse.tree import parse
from threadmill.store.crawl.captures import captures_of, list_captures
from threadmill.store.forum.activity import known_forums
from threadmill.store.templates import load_template
from threadmill.template import Template, unpack_template
from threadmill.urls import canonicalise, site_of

_FIRST_LAYERS = (LayerName.POSTS, LayerName.ROWS, LayerName.PAGER)
_MOST_READ = 8  # pages whose layers are kept: switching a layer does not read the page again
_MAX_PAGE = 10_000_000  # bytes; the rest of a larger page is not read
_MOST_LISTED = 500  # posts, rows, dates or paragraphs in the tables below the page
_EVIDENCE = 8
_RECENT = 50


class PageInspector:
    """Loads pages and reads them outside the event loop. The last readings are kept."""

    def __init__(self, context: ConsoleContext) -> None:
        self._context = context
        self.held = context.held
        self._threads = ThreadPoolExecutor(2, "inspector")
        self._read: OrderedDict[str, PageLayers] = OrderedDict()
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
        with self._lock:
            known = self._read.get(page.key)
        if known is not None:
            return known
        wrapper, template = await self._context.access.read(lambda connection: _site_of(connection, page))

        def read() -> PageLayers:
            capture = page.capture
            html = capture.payload[:_MAX_PAGE]
            tree = parse(html, capture.url, capture.header("content-type") or "")
            return read_layers(tree, capture.at, wrapper, template)

        found = await self._run(read)
        with self._lock:
            self._read[page.key] = found
            while len(self._read) > _MOST_READ:
                self._read.popitem(last=False)
        return found

    async def frame(self, page: InspectedPage, layers: list[LayerName]) -> str:
        """The page for the sandboxed frame."""
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
            )

        return await self._context.access.read(write)

    async def _run(self, work: Callable[[], PageLayers]) -> PageLayers:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


def _site_of(connection: Connection, page: InspectedPage) -> tuple[Wrapper | None, Template | None]:
    """What is known about the site of a page: the wrapper of its forum, and its framing."""
    url = page.capture.url
    if not url:
        return None, None
    row = load_template(connection, site_of(url))
    template = unpack_template(row.data) if row else None
    known = next((forum for forum in known_forums(connection) if same_site(forum.entry, url)), None)
    try:
        wrapper = ForumKnowledge.from_json(known.model).layout.model.wrapper if known else None
    except OldModelError:
        wrapper = None
    return wrapper, template


def make_router(context: ConsoleContext) -> APIRouter:
    """The routes of the inspector."""
    router = APIRouter(prefix="/inspect")
    inspector = PageInspector(context)
    renderer = context.renderer
    _add_choice(router, context, inspector)

    @router.get("/{key}")
    async def inspect_page(
        request: Request, key: str, layer: Annotated[list[LayerName] | None, Query()] = None
    ) -> HTMLResponse:
        page = await inspector.find(key)
        found = await inspector.layers(page)
        chosen = _chosen(request, layer)
        return renderer.page(
            request,
            "inspect_page.html",
            page=page,
            found=found,
            layers=list(LayerName),
            counts=_counts(found),
            chosen=chosen,
            frame="&".join(f"layer={name}" for name in chosen) or "layer=",
            evidence=[(in_words(name), weight) for name, weight in found.evidence[:_EVIDENCE]],
            most=_MOST_LISTED,
        )

    @router.get("/{key}/frame")
    async def frame(request: Request, key: str) -> HTMLResponse:
        page = await inspector.find(key)
        wanted = request.query_params.getlist("layer")
        layers = [name for name in LayerName if name in wanted]
        return HTMLResponse(
            await inspector.frame(page, layers), headers={"Content-Security-Policy": ARCHIVED_POLICY}
        )

    return router


def _add_choice(router: APIRouter, context: ConsoleContext, inspector: PageInspector) -> None:
    renderer = context.renderer

    @router.get("")
    async def choose_page(
        request: Request, before: Annotated[int | None, Query(ge=0, le=2**62)] = None
    ) -> HTMLResponse:
        rows = await context.access.read(lambda connection: list_captures(connection, before, _RECENT))
        return renderer.page(request, "inspect.html", captures=rows, more=len(rows) == _RECENT, url="")

    @router.get("/archived")
    async def archived(
        request: Request,
        url: Annotated[str, Query(max_length=4000)],
        instead: Annotated[str, Query(max_length=4000)] = "",
    ) -> Response:
        """The captures of one URL, else of another one; or the page itself if there is only one capture."""
        address = canonicalise(url)
        rows = await context.access.read(lambda connection: captures_of(connection, address, _RECENT))
        if not rows and instead:
            address = canonicalise(instead)
            rows = await context.access.read(lambda connection: captures_of(connection, address, _RECENT))
        if len(rows) == 1:
            return _to_page(request, f"c{rows[0][0]}")
        return renderer.page(request, "inspect.html", captures=rows, more=False, url=address)

    @router.post("")
    async def add_page(request: Request) -> Response:
        form: Any = await request.form()
        url, file = str(form.get("url") or ""), form.get("file")
        if isinstance(file, UploadFile) and file.filename:
            content = await file.read()
            page = inspector.held.add(uploaded_capture(content, url), file.filename[:200])
            return _to_page(request, page.key)
        private = context.rules.open_to_all
        capture = await fetch_page(context.workspace.settings, url, private=private)
        return _to_page(request, inspector.held.add(capture, "fetched just now").key)


def _to_page(request: Request, key: str) -> RedirectResponse:
    return RedirectResponse(f"{request.scope.get('root_path', '')}/inspect/{key}", 303)


def _chosen(request: Request, given: list[LayerName] | None) -> list[LayerName]:
    """The layers that are switched on. A form with all boxes empty says so in a field of its own."""
    if given:
        return given
    return [] if "chosen" in request.query_params else list(_FIRST_LAYERS)


def _counts(found: PageLayers) -> dict[LayerName, int]:
    counts = dict.fromkeys(LayerName, 0)
    for marks in found.marks.values():
        for mark in marks:
            counts[mark.layer] += 1
    counts[LayerName.POSTS] = len(found.posts)
    counts[LayerName.ROWS] = len(found.rows)
    counts[LayerName.PARAGRAPHS] = len(found.page.paragraphs)
    return counts
