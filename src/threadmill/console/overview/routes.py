"""The overview page, its buttons, and the events that keep it current."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse

from threadmill.console.charts import sparkline
from threadmill.console.context import ConsoleContext
from threadmill.console.overview.crawl_processes import WantedCrawl
from threadmill.console.overview.summaries import JobCard, make_cards, next_visits
from threadmill.console.shared_reading import SharedReading
from threadmill.store.forum.browsing import refresh_post_counts, uncounted_posts
from threadmill.urls import canonicalise

_SHARED_SECONDS = 0.9  # viewers of the overview share what was read in this time
_PLAN_SECONDS = 300.0
_FEW_POSTS = 20_000  # so many are counted while a reader waits: 0.1 s
_LONGEST_STREAM = 3600  # events; a browser opens the stream again
_SCOPES = ("host", "site", "prefix")


class OverviewReader:
    """Reads what the overview shows, once for all who look at the same time."""

    def __init__(self, context: ConsoleContext) -> None:
        self._context = context
        self.cards = SharedReading(self._read_cards, _SHARED_SECONDS)
        self._plans_at = 0.0
        self._tasks: set[asyncio.Task[None]] = set()
        self._counting = False
        self.visits: dict[str, tuple[object, str]] = {}

    async def _read_cards(self) -> list[JobCard]:
        await self._count_posts()
        now = time.monotonic()
        if now - self._plans_at > _PLAN_SECONDS or not self._plans_at:
            self._plans_at = now
            self._begin(self._plan())
        root, crawls = self._context.workspace.root, self._context.crawls
        return await self._context.access.read(lambda connection: make_cards(connection, root, crawls))

    async def _count_posts(self) -> None:
        """Bring the counts of posts up to date: at once if few are new, else behind the scenes."""
        fresh = await self._context.access.read(uncounted_posts)
        if fresh <= 0 or self._counting:
            return
        self._counting = True
        if fresh <= _FEW_POSTS:
            await self._refresh()
        else:
            self._begin(self._refresh())

    async def _refresh(self) -> None:
        try:
            await self._context.access.write(refresh_post_counts)
        finally:
            self._counting = False

    async def _plan(self) -> None:
        watch = self._context.workspace.settings.watch
        found = await self._context.access.read(lambda connection: next_visits(connection, watch))
        self.visits = dict(found)

    def _begin(self, work: object) -> None:
        task: asyncio.Task[None] = asyncio.create_task(work)  # type: ignore[arg-type]
        self._tasks.add(task)
        task.add_done_callback(self._end)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # a store that is away is told on the page, not here


def make_router(context: ConsoleContext) -> APIRouter:
    """The routes of the overview."""
    router = APIRouter()
    reader = OverviewReader(context)

    async def render_cards(request: Request) -> str:
        cards = await reader.cards.get()
        return context.renderer.text(
            request,
            "overview_cards.html",
            cards=cards,
            visits=reader.visits,
            failure=context.crawls.failure,
            sparkline=sparkline,
        )

    @router.get("/")
    async def overview(request: Request) -> HTMLResponse:
        cards = await render_cards(request)
        return context.renderer.page(request, "overview.html", cards=cards, disk=await context.disk.get())

    @router.get("/events")
    async def events(request: Request) -> Response:
        async def stream() -> AsyncIterator[str]:
            before = ""
            for _ in range(_LONGEST_STREAM):
                if await request.is_disconnected():
                    return
                now = await render_cards(request)
                yield f"data: {json.dumps(now)}\n\n" if now != before else ": still here\n\n"
                before = now
                await asyncio.sleep(1)

        return StreamingResponse(stream(), media_type="text/event-stream")

    _add_buttons(router, context)
    return router


def _add_buttons(router: APIRouter, context: ConsoleContext) -> None:
    async def wanted_by(request: Request) -> WantedCrawl:
        form = await request.form()
        kind, scope = str(form.get("kind") or "forum"), str(form.get("scope") or "host")
        if kind not in {"forum", "site"} or (kind == "site" and scope not in _SCOPES):
            raise HTTPException(400, "This is no kind of crawl.")
        return WantedCrawl(
            kind, canonicalise(str(form.get("url") or "")), scope if kind == "site" else "host"
        )

    def back(request: Request) -> RedirectResponse:
        return RedirectResponse(request.scope.get("root_path", "") + "/", 303)

    @router.post("/crawls/start")
    async def start(request: Request) -> Response:
        context.crawls.start(await wanted_by(request))
        return back(request)

    @router.post("/crawls/pause")
    async def pause(request: Request) -> Response:
        if await wanted_by(request) == context.crawls.current:
            context.crawls.pause()
        else:
            context.crawls.pause_other()
        return back(request)

    @router.post("/crawls/stop")
    async def stop(request: Request) -> Response:
        await context.crawls.stop(await wanted_by(request))
        return back(request)
