"""The pages of comparisons: all of them, a new one, one with its clusters, pairs, sites and decisions."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from fastapi import APIRouter, Request
from sqlalchemy import Connection
from starlette.datastructures import FormData, UploadFile
from starlette.responses import HTMLResponse, Response, StreamingResponse

from threadmill.config import ServiceSettings
from threadmill.console.context import ConsoleContext
from threadmill.console.page_renderer import PAGE_ROWS, TableView, redirect, table_view
from threadmill.console.sites.cluster_graph import histogram, small_graph
from threadmill.console.sites.comparisons import Comparison, Comparisons, as_pair
from threadmill.console.sites.decision_routes import add_decision_routes, border_of, pairs_by_cluster
from threadmill.console.sites.exports import add_exports
from threadmill.errors import UsageError
from threadmill.service.http.store_access import require_task
from threadmill.service.http.target_urls import (
    check_url,
    find_private_urls,
    make_site_rows,
    without_duplicates,
)
from threadmill.sites.collect.site_lists import read_site_list
from threadmill.sites.model import SiteCluster
from threadmill.store.sites.compare_results import count_over, pairs_over
from threadmill.store.sites.task_sites import (
    add_sites,
    count_outcomes,
    count_sites,
    count_sites_of,
    count_stages,
    sites_of,
)
from threadmill.store.sites.tasks import TaskRow, TaskStatus, add_task, end_task, list_tasks

VIEWS = ("clusters", "pairs", "sites", "decisions")
_CARDS = 48  # clusters on a page
_LONGEST_STREAM = 3600  # seconds
_STAGES = (
    ("downloaded", "fetched"),
    ("extracted", "read"),
    ("vectorized", "compared"),
)


def make_router(context: ConsoleContext) -> APIRouter:
    """The routes of sites."""
    router = APIRouter(prefix="/sites")
    comparisons = Comparisons()
    _add_list(router, context)
    _add_progress(router, context)

    @router.get("/{task_id}")
    async def comparison_page(request: Request, task_id: UUID) -> HTMLResponse:
        border, view = border_of(request), table_view(request, {"score": True})
        name = request.query_params.get("view", "")
        name = name if name in VIEWS else VIEWS[0]

        def read(connection: Connection) -> dict[str, Any]:
            comparison = comparisons.load(connection, task_id)
            if comparison.task.status is TaskStatus.IN_PROGRESS:
                return {"comparison": comparison, **progress_of(connection, comparison.task)}
            outcomes = count_outcomes(connection, task_id)
            clusters = comparisons.clusters(comparison, border)
            if name == "clusters":
                shown = _read_clusters(comparison, clusters, border, view)
            else:
                outcome = request.query_params.get("outcome", "")
                shown = _read_table(connection, comparison, border, view, name=name, outcome=outcome)
            return {"comparison": comparison, "clusters": clusters, "outcomes": outcomes, **shown}

        values = await context.access.read(read)
        part = "part" in request.query_params and "clusters" in values
        if "clusters" in values:
            values |= {
                "view": view,
                "name": name,
                "views": VIEWS,
                "border": border,
                "histogram": histogram(values["comparison"].histogram, border),
            }
        template = "sites/comparison_part.html" if part else "sites/comparison.html"
        return context.renderer.page(request, template, worker=context.worker, **values)

    add_decision_routes(router, context, comparisons)
    add_exports(router, context, comparisons)
    return router


def _read_clusters(
    comparison: Comparison, clusters: Sequence[SiteCluster], border: float, view: TableView
) -> dict[str, Any]:
    first = (view.page - 1) * _CARDS
    shown = clusters[first : first + _CARDS]
    edges = pairs_by_cluster(comparison, shown, border)
    said = comparison.results.decisions
    cards = [(one, small_graph(one, edges[one.members[0]], said)) for one in shown]
    return {"cards": cards, "edges": edges, "card_rows": _CARDS, "total": len(clusters)}


def _read_table(
    connection: Connection,
    comparison: Comparison,
    border: float,
    view: TableView,
    *,
    name: str,
    outcome: str,
) -> dict[str, Any]:
    task, offset = comparison.task.id, view.offset
    if name == "pairs":
        rising = not view.descending
        found = pairs_over(connection, task, border, limit=PAGE_ROWS, offset=offset, rising=rising)
        return {"pairs": [as_pair(pair) for pair in found], "total": count_over(connection, task, border)}
    if name == "sites":
        rows = sites_of(connection, task, outcome=outcome, limit=PAGE_ROWS, offset=offset)
        return {"site_rows": rows, "total": count_sites(connection, task, outcome=outcome)}
    return {"total": len(comparison.decided)}


def _add_list(router: APIRouter, context: ConsoleContext) -> None:
    settings = context.workspace.settings.service

    @router.get("")
    async def all_comparisons(request: Request) -> HTMLResponse:
        view = table_view(request, {"created": True})

        def read(connection: Connection) -> dict[str, Any]:
            tasks = list_tasks(connection, offset=view.offset, most=PAGE_ROWS)
            return {"tasks": tasks, "counts": count_sites_of(connection, [task.id for task in tasks])}

        values = {"view": view, "most": settings.max_sites, **await context.access.read(read)}
        return context.renderer.page(request, "sites/sites.html", **values)

    @router.post("")
    async def start(request: Request) -> Response:
        form = await request.form()
        urls = check_list(await _given_text(form), settings)
        task = TaskRow(uuid4(), datetime.now(UTC), use_archive_data=bool(form.get("use_archive_data")))
        rows = make_site_rows(task.id, urls)

        def write(connection: Connection) -> None:
            add_task(connection, task)
            add_sites(connection, rows)

        await context.access.write(write)
        context.worker.wake()
        return redirect(request, f"/sites/{task.id}")


async def _given_text(form: FormData) -> str:
    """The list of a form: pasted, or a file: a text, CSV or Excel. One site a line."""
    file, pasted = form.get("file"), form.get("list")
    found: list[str] = []
    if isinstance(file, UploadFile) and file.filename:
        found += read_site_list(await file.read(), least=1).urls
    if isinstance(pasted, str) and pasted.strip():
        found += read_site_list(pasted.encode("utf-8", "replace"), least=1).urls
    return "\n".join(found)


def check_list(text: str, settings: ServiceSettings) -> list[str]:
    """The sites of a list, each once. Raise UsageError for a list that cannot be compared."""
    urls = []
    for number, url in enumerate(read_site_list(text.encode("utf-8", "replace")).urls, 1):
        try:
            urls.append(check_url(url))
        except ValueError as error:
            raise UsageError(f"entry {number} of the list cannot be used: {error}") from None
    urls = without_duplicates(urls)
    if not 2 <= len(urls) <= settings.max_sites:
        raise UsageError(f"expected 2 to {settings.max_sites:,} different sites, but got {len(urls):,}")
    problems = [] if settings.private_targets else find_private_urls(urls)
    if problems:
        raise UsageError(problems[0].message)
    return urls


def progress_of(connection: Connection, task: TaskRow) -> dict[str, Any]:
    """How many sites have passed each stage."""
    counts = count_stages(connection, task.id)
    stages = [(label, counts[name]) for name, label in _STAGES]
    return {"stages": stages, "all_sites": counts["sites"], "outcomes": count_outcomes(connection, task.id)}


def _add_progress(router: APIRouter, context: ConsoleContext) -> None:
    @router.get("/{task_id}/events")
    async def events(request: Request, task_id: UUID) -> Response:
        def read(connection: Connection) -> tuple[TaskRow, dict[str, Any]]:
            task = require_task(connection, task_id)
            return task, progress_of(connection, task)

        await context.access.read(read)  # 404 before the stream begins

        async def stream() -> AsyncIterator[str]:
            before = ""
            for _ in range(_LONGEST_STREAM):
                task, progress = await context.access.read(read)
                if task.status is not TaskStatus.IN_PROGRESS:
                    yield "event: done\ndata: 1\n\n"
                    return
                now = context.renderer.text(request, "sites/comparison_progress.html", **progress)
                yield f"data: {json.dumps(now)}\n\n" if now != before else ": still here\n\n"
                before = now
                await asyncio.sleep(1)

        return StreamingResponse(stream(), media_type="text/event-stream")

    @router.post("/{task_id}/continue")
    async def go_on(request: Request, task_id: UUID) -> Response:
        await context.access.read(lambda connection: require_task(connection, task_id))
        context.worker.wake()
        return redirect(request, f"/sites/{task_id}")

    @router.post("/{task_id}/cancel")
    async def cancel(request: Request, task_id: UUID) -> Response:
        def write(connection: Connection) -> None:
            require_task(connection, task_id)
            end_task(connection, task_id, datetime.now(UTC), TaskStatus.CANCELLED)

        await context.access.write(write)
        return redirect(request, f"/sites/{task_id}")
