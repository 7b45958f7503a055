"""What an operator looks at: jobs, tasks, requests per host, growth of the disk, errors; for monitors."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Request
from sqlalchemy import Connection
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response

from threadmill.console.charts import ChartSeries, bar_chart
from threadmill.console.context import ConsoleContext
from threadmill.console.overview.summaries import JobCard, make_cards
from threadmill.console.shared_reading import SharedReading
from threadmill.crawl.lock import lock_holder
from threadmill.errors import StoreError
from threadmill.store.forum.activity import request_moments
from threadmill.store.sites.task_sites import count_stages
from threadmill.store.sites.tasks import tasks_in_progress

_DAYS = 30
_MOST_TASKS = 20
_HOUR = timedelta(hours=1)
_KEPT_SECONDS, _GROWTH_SECONDS = 2.0, 30.0


def make_router(context: ConsoleContext) -> APIRouter:
    """The routes of operations."""
    router = APIRouter()
    workspace, crawls = context.workspace, context.crawls

    def read(connection: Connection) -> dict[str, Any]:
        cards = make_cards(connection, workspace.root, crawls)
        open_tasks = tasks_in_progress(connection)[:_MOST_TASKS]
        tasks = [(task, count_stages(connection, task.id)) for task in open_tasks]
        hosts = _requests_per_host(connection, cards)
        return {"cards": cards, "tasks": tasks, "hosts": hosts, "queues": waiting_by_stage(tasks)}

    current = SharedReading(lambda: context.access.read(read), _KEPT_SECONDS)
    growth = SharedReading(lambda: asyncio.to_thread(archive_growth, workspace.archive), _GROWTH_SECONDS)

    @router.get("/operations")
    async def operations(request: Request) -> HTMLResponse:
        values = await current.get()
        days = await growth.get()
        sizes = ChartSeries("MB", [size / 1e6 for size in days.values()])
        chart = bar_chart(list(days), [sizes], "archive, MB a day")
        disk = await context.disk.get()
        workers = {
            "crawls": f"process {holder}" if (holder := lock_holder(workspace.root)) else "idle",
            "comparisons": "at work" if context.worker.is_working else "idle",
        }
        return context.renderer.page(
            request,
            "operations.html",
            growth=chart,
            disk=disk,
            waiting=crawls.waiting,
            workers=workers,
            **values,
        )

    @router.get("/health")
    async def health() -> Response:
        """Whether the console and its store work. Monitors need no log-in for this."""
        try:
            await context.access.read(lambda connection: tasks_in_progress(connection, unqueued=True))
        except StoreError:
            return JSONResponse({"status": "the store cannot be reached"}, 503)
        return JSONResponse({"status": "ok"})

    @router.get("/metrics")
    async def metrics() -> Response:
        values = await current.get()
        disk = await context.disk.get()
        text = "".join(f"{line}\n" for line in _metrics(values, disk, len(crawls.waiting)))
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4")

    return router


def waiting_by_stage(tasks: Iterable[tuple[Any, Mapping[str, int]]]) -> dict[str, int]:
    """Sites of all tasks in progress that wait for each stage: those that passed the one before it."""
    waiting: Counter[str] = Counter()
    for _, counts in tasks:
        before = counts["sites"]
        for stage, passed in counts.items():
            if stage != "sites":
                waiting[stage.removesuffix("_at")] += max(0, before - passed)
                before = passed
    return dict(waiting)


def _requests_per_host(connection: Connection, cards: Iterable[JobCard]) -> list[tuple[str, int]]:
    """Requests of forum crawls in the last hour, by host."""
    counts: Counter[str] = Counter()
    since = datetime.now(UTC) - _HOUR
    for card in cards:
        if card.job.kind == "forum" and card.job.id:
            counts[urlsplit(card.job.url).netloc] += len(request_moments(connection, [card.job.id], since))
    return [(host, count) for host, count in counts.most_common() if count]


def archive_growth(archive: Path) -> dict[str, int]:
    """Bytes of archive files by the day of their last change, for the last days."""
    today = datetime.now(UTC).date()
    days = {(today - timedelta(days=ago)).isoformat(): 0 for ago in reversed(range(_DAYS))}
    for file in archive.glob("*") if archive.is_dir() else ():
        try:
            status = file.stat()
        except OSError:
            continue
        day = datetime.fromtimestamp(status.st_mtime, UTC).date().isoformat()
        if day in days:
            days[day] += status.st_size
    return days


def _metrics(values: dict[str, Any], disk: tuple[int, int], waiting: int) -> Iterator[str]:
    """The figures in the text format of Prometheus."""
    cards: list[JobCard] = values["cards"]
    yield "# TYPE threadmill_posts gauge"
    for card in cards:
        if card.forum is not None:
            yield f'threadmill_posts{{job="{_label(card.job.url)}"}} {card.posts}'
    yield "# TYPE threadmill_jobs gauge"
    for state, count in Counter(card.state for card in cards).items():
        yield f'threadmill_jobs{{state="{state}"}} {count}'
    yield "# TYPE threadmill_last_run_timestamp_seconds gauge"
    for card in cards:
        if card.job.started is not None:
            when = card.job.started.timestamp()
            yield f'threadmill_last_run_timestamp_seconds{{job="{_label(card.job.url)}"}} {when:.0f}'
    yield "# TYPE threadmill_last_run_errors gauge"
    for card in cards:
        yield f'threadmill_last_run_errors{{job="{_label(card.job.url)}"}} {sum(card.job.troubles.values())}'
    yield "# TYPE threadmill_requests_last_hour gauge"
    for host, count in values["hosts"]:
        yield f'threadmill_requests_last_hour{{host="{_label(host)}"}} {count}'
    yield "# TYPE threadmill_waiting_crawls gauge"
    yield f"threadmill_waiting_crawls {waiting}"
    yield "# TYPE threadmill_tasks_in_progress gauge"
    yield f"threadmill_tasks_in_progress {len(values['tasks'])}"
    yield "# TYPE threadmill_disk_bytes gauge"
    yield f'threadmill_disk_bytes{{part="archive"}} {disk[0]}'
    yield f'threadmill_disk_bytes{{part="rest"}} {disk[1]}'


def _label(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
