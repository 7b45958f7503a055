"""The pages of the inspector: choose a page, see it with its layers."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from starlette.datastructures import UploadFile
from starlette.responses import HTMLResponse, RedirectResponse, Response

from threadmill.console.context import ConsoleContext
from threadmill.console.inspector.page_inspector import PageInspector, find_known_site
from threadmill.console.inspector.page_layers import LayerName, PageLayers, in_words
from threadmill.console.inspector.page_sources import (
    fetch_page,
    uploaded_capture,
)
from threadmill.console.security.gate import ARCHIVED_POLICY
from threadmill.store.crawl.captures import captures_of, list_captures
from threadmill.urls import canonicalise

_FIRST_LAYERS = (LayerName.POSTS, LayerName.ROWS, LayerName.PAGER)
_MOST_LISTED = 500  # posts, rows, dates or paragraphs in the tables below the page
_EVIDENCE = 8
_RECENT = 50
# What a person can point at on a page, to correct how it is read.
POINTED = {
    "author": "the name of an author",
    "date": "the date of a post",
    "text": "the text of a post",
    "threads": "the title of a thread",
    "boards": "the name of a board",
    "not boards": "a link that is no board",
}


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
        site = await context.access.read(lambda connection: find_known_site(connection, page))
        point = request.query_params.get("point", "")
        point = point if point in POINTED and site.forum else ""
        return renderer.page(
            request,
            "inspect_page.html",
            page=page,
            found=found,
            layers=list(LayerName),
            counts=_counts(found),
            chosen=chosen,
            frame="&".join([*(f"layer={name}" for name in chosen), *_point_part(point)]) or "layer=",
            forum=site.forum,
            point=point,
            pointed=POINTED,
            evidence=[(in_words(name), weight) for name, weight in found.evidence[:_EVIDENCE]],
            most=_MOST_LISTED,
        )

    @router.get("/{key}/frame")
    async def frame(request: Request, key: str) -> HTMLResponse:
        page = await inspector.find(key)
        wanted = request.query_params.getlist("layer")
        layers = [name for name in LayerName if name in wanted]
        point, target = request.query_params.get("point", ""), ""
        if point in POINTED:
            site = await context.access.read(lambda connection: find_known_site(connection, page))
            query = urlencode({"page": page.key, "kind": point})
            base = request.scope.get("root_path", "")
            target = f"{base}/forums/{site.forum}/corrections/try?{query}" if site.forum else ""
        return HTMLResponse(
            await inspector.frame(page, layers, target), headers={"Content-Security-Policy": ARCHIVED_POLICY}
        )

    return router


def _point_part(point: str) -> list[str]:
    return [urlencode({"point": point})] if point else []


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
