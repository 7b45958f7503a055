"""The page of words in context."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from sqlalchemy import Connection
from starlette.responses import HTMLResponse, Response

from threadmill.console.charts import ChartSeries, bar_chart
from threadmill.console.context import ConsoleContext
from threadmill.console.page_renderer import PAGE_ROWS, redirect, table_view
from threadmill.console.search.concordances import (
    CONTEXTS,
    ORDERS,
    SORTS,
    Concordances,
    Question,
    read_question,
)
from threadmill.console.search.indexes import IndexRun, WorkspaceIndexes
from threadmill.corpus.search.query import SearchQuery
from threadmill.errors import SearchIndexError, UsageError
from threadmill.store.forum.browsing import find_post, list_boards

_MOST_BOARDS = 300  # in the list of boards to choose from
_MOST_MONTHS = 48  # more are shown as years
_LONGEST_URL = 4000


def make_router(context: ConsoleContext) -> APIRouter:
    """The routes of words in context."""
    router = APIRouter(prefix="/search")
    indexes = WorkspaceIndexes(context.workspace.root)
    concordances = Concordances(indexes)
    run = IndexRun(context.workspace.root)
    threads = ThreadPoolExecutor(2, "search")

    async def answer(work: Any, *values: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(threads, work, *values)

    @router.get("")
    async def search_page(request: Request) -> HTMLResponse:
        names = await answer(indexes.names)
        question = read_question(request.query_params, names)
        view = table_view(request, {"found": True})
        filters = dict(question.filters)
        values: dict[str, Any] = {"page": None, "charts": (), "problem": "", "filters": filters}
        if names and (question.text.strip() or question.filters):
            try:
                values["page"] = await answer(concordances.page, question, view.page)
                values["charts"] = await answer(_charts, indexes, question)
            except (UsageError, SearchIndexError) as error:
                values["problem"] = str(error)
        boards = await context.access.read(lambda connection: list_boards(connection, _MOST_BOARDS))
        choices = {"orders": ORDERS, "sorts": SORTS, "contexts": CONTEXTS, "names": names, "boards": boards}
        return context.renderer.page(
            request, "search/search.html", question=question, view=view, run=run, **choices, **values
        )

    @router.get("/lines.csv")
    async def export(request: Request) -> Response:
        question = read_question(request.query_params, await answer(indexes.names))
        text = await answer(concordances.export, question)
        headers = {"Content-Disposition": 'attachment; filename="lines.csv"'}
        return Response(text, media_type="text/csv; charset=utf-8", headers=headers)

    @router.post("/index")
    async def make_index(request: Request) -> Response:
        run.start()
        await asyncio.sleep(0.2)  # so that the page says that it runs
        return redirect(request, "/search")

    _add_post_link(router, context)
    return router


def _add_post_link(router: APIRouter, context: ConsoleContext) -> None:
    @router.get("/open")
    async def open_post(
        request: Request,
        url: Annotated[str, Query(max_length=_LONGEST_URL)],
        date: Annotated[str, Query(max_length=40)] = "",
    ) -> Response:
        """Lead from a line to its post, or else to the archived page."""

        def read(connection: Connection) -> tuple[int, int, int] | None:
            return find_post(connection, url, date)

        found = await context.access.read(read)
        if found is None:
            return redirect(request, "/inspect/archived?" + urlencode({"url": url}))
        thread, number, before = found
        return redirect(request, f"/threads/{thread}?page={before // PAGE_ROWS + 1}#p{number}")


def _charts(indexes: WorkspaceIndexes, question: Question) -> tuple[Any, ...]:
    """Texts with a match over time, and their share of all texts of that time."""
    found = indexes.count_by_month(question.index, question.parse())
    if not found:
        return ()
    whole = indexes.count_by_month(question.index, SearchQuery())
    counts, totals = by_period(found, whole)
    share = [1000 * count / max(1, totals.get(name, 0)) for name, count in counts.items()]
    labels = list(counts)
    return (
        bar_chart(labels, [ChartSeries("texts", list(counts.values()))], "texts with a match over time"),
        bar_chart(labels, [ChartSeries("of 1,000 texts", share)], "texts with a match of 1,000 texts"),
    )


def by_period(found: Mapping[str, int], whole: Mapping[str, int]) -> tuple[dict[str, int], dict[str, int]]:
    """Counts by month, with the months in between; over four years by year. And the same of all texts."""
    first, last = min(found), max(found)
    months = _months(first, last)
    if len(months) <= _MOST_MONTHS:
        return {name: found.get(name, 0) for name in months}, dict(whole)
    counts, totals = Counter[str](), Counter[str]()
    for target, source in ((counts, found), (totals, whole)):
        for month, number in source.items():
            target[month[:4]] += number
    years = [f"{year:04d}" for year in range(int(first[:4]), int(last[:4]) + 1)]
    return {year: counts[year] for year in years[-200:]}, dict(totals)


def _months(first: str, last: str) -> list[str]:
    begin, end = (int(name[:4]) * 12 + int(name[5:7]) - 1 for name in (first, last))
    return [f"{month // 12:04d}-{month % 12 + 1:02d}" for month in range(begin, end + 1)]
