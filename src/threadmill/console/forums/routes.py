"""The routes of a forum: its page, its boards and threads, and the learnt model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Request
from sqlalchemy import Connection
from starlette.responses import HTMLResponse

from threadmill.console.charts import ChartSeries, bar_chart, line_chart
from threadmill.console.context import ConsoleContext
from threadmill.console.forums.corrections import describe_tested
from threadmill.console.page_renderer import PAGE_ROWS, table_view
from threadmill.crawl.corrections import correct_layout, join_corrections
from threadmill.crawl.forum.knowledge import ForumKnowledge
from threadmill.errors import OldModelError
from threadmill.forum.site_model.corrections import DATE_ORDERS
from threadmill.forum.site_model.model import UrlFamily
from threadmill.store.crawl.jobs import runs_of
from threadmill.store.forum.accounts import latest_account
from threadmill.store.forum.browsing import (
    browse_boards,
    browse_posts,
    browse_thread,
    browse_threads,
    count_thread_posts,
    example_threads,
    find_browsed_board,
    forum_job_url,
    load_forum,
    posts_per_month,
)
from threadmill.store.forum.corrections import corrections_of
from threadmill.store.forum.page_visits import PageCounts, count_pages_of_run, visited_urls

_MONTHS = 120
_RUNS = 40
_THREAD_SORTS = {"newest": True, "posts": True, "title": False}  # and whether each falls at first
_LARGEST = 2**62


class RunHistory:
    """The pages of runs by class. Runs that have ended do not change, so they are counted once."""

    def __init__(self) -> None:
        self._known: dict[int, PageCounts] = {}

    def of_job(self, connection: Connection, job: int) -> list[tuple[str, PageCounts]]:
        """Start and counts of the last runs, oldest first."""
        found = []
        for number, started, ended in runs_of(connection, job, _RUNS):
            counts = self._known.get(number) or count_pages_of_run(connection, number)
            if ended is not None:
                self._known[number] = counts
            found.append((started.strftime("%Y-%m-%d"), counts))
        return found


def make_router(context: ConsoleContext) -> APIRouter:
    """The routes of forums."""
    router = APIRouter()
    history = RunHistory()

    @router.get("/forums/{number}")
    async def forum_page(request: Request, number: int) -> HTMLResponse:
        values = await context.access.read(lambda connection: _read_forum(connection, number, history))
        return context.renderer.page(request, "forums/forum.html", **values)

    @router.get("/forums/{number}/model")
    async def model_page(request: Request, number: int) -> HTMLResponse:
        values = await context.access.read(lambda connection: _read_model(connection, number))
        return context.renderer.page(request, "forums/model.html", **values)

    @router.get("/boards/{number}")
    async def board_page(request: Request, number: int) -> HTMLResponse:
        view = table_view(request, _THREAD_SORTS)

        def read(connection: Connection) -> dict[str, Any]:
            found = find_browsed_board(connection, _checked(number))
            if found is None:
                raise HTTPException(404, "There is no such board.")
            threads = browse_threads(
                connection,
                number,
                view.sort,
                descending=view.descending,
                offset=view.offset,
                most=PAGE_ROWS,
            )
            return {"forum": found[0], "board": found[1], "threads": threads}

        return context.renderer.page(
            request, "forums/board.html", view=view, sorts=_THREAD_SORTS, **await context.access.read(read)
        )

    @router.get("/threads/{number}")
    async def thread_page(request: Request, number: int) -> HTMLResponse:
        view = table_view(request, {"position": False})

        def read(connection: Connection) -> dict[str, Any]:
            found = browse_thread(connection, _checked(number))
            if found is None:
                raise HTTPException(404, "There is no such thread.")
            thread = found[1]
            posts = browse_posts(connection, number, offset=view.offset, most=PAGE_ROWS)
            board = find_browsed_board(connection, thread.board) if thread.board else None
            total = count_thread_posts(connection, number)
            return {"forum": found[0], "thread": thread, "posts": posts, "board": board, "total": total}

        return context.renderer.page(
            request,
            "forums/thread.html",
            view=view,
            archived=_archived_link,
            **await context.access.read(read),
        )

    return router


def _checked(number: int) -> int:
    if not 0 < number < _LARGEST:
        raise HTTPException(404, "There is no such page.")
    return number


def _archived_link(url: str, instead: str) -> str:
    return "/inspect/archived?" + urlencode({"url": url, "instead": instead})


def _read_forum(connection: Connection, number: int, history: RunHistory) -> dict[str, Any]:
    found = load_forum(connection, _checked(number))
    if found is None:
        raise HTTPException(404, "There is no such forum.")
    job, entry, _, learnt = found
    counts = posts_per_month(connection, number)
    months = _every_month(counts)
    runs = history.of_job(connection, job)
    labels = [label for label, _ in runs]
    return {
        "number": number,
        "entry": entry,
        "learnt": learnt,
        "posts": sum(counts.values()),
        "account": latest_account(connection, job),
        "boards": browse_boards(connection, number),
        "month_chart": bar_chart(
            list(months), [ChartSeries("posts", list(months.values()))], "posts per month"
        ),
        "page_chart": bar_chart(
            labels,
            [
                ChartSeries(name, [getattr(counts, name) for _, counts in runs])
                for name in ("new", "semi", "duplicate", "other")
            ],
            "pages per crawl by class",
        ),
        "precision_chart": line_chart(
            labels,
            ChartSeries("precision", [counts.precision for _, counts in runs]),
            "precision of each crawl",
            top=1.0,
        ),
        "runs": len(runs),
    }


def _every_month(counts: Mapping[str, int]) -> dict[str, int]:
    """Posts of each month, with those in between that have none; at most the last ten years."""
    dated = [name for name in counts if name]
    if not dated:
        return {}
    first, last = min(dated), max(dated)
    year, month = int(last[:4]), int(last[5:7])
    months: list[str] = []
    while len(months) < _MONTHS and (not months or months[-1] > first):
        months.append(f"{year:04d}-{month:02d}")
        year, month = (year, month - 1) if month > 1 else (year - 1, 12)
    return {name: counts.get(name, 0) for name in reversed(months)}


def _read_model(connection: Connection, number: int) -> dict[str, Any]:
    found = load_forum(connection, _checked(number))
    if found is None:
        raise HTTPException(404, "There is no such forum.")
    _, entry, model, learnt = found
    boards = [board.url for board in browse_boards(connection, number) if board.url != entry]
    said = corrections_of(connection, forum_job_url(connection, number) or "")
    try:
        threads = example_threads(connection, number, 50)
        knowledge = ForumKnowledge.from_json(model)
        correct_layout(knowledge.layout, join_corrections(said))
        facts = describe_model(knowledge, boards, threads)
    except OldModelError as error:
        why = f"It cannot be read: {error}" if model else "A correction was taken back"
        facts = [ModelFact("Model", f"{why}. The next crawl learns it anew.")]
    told = [(one, describe_tested(dict(one.tested))) for one in said]
    example = visited_urls(connection, found[0], "thread", 1) or [entry]
    return {
        "number": number,
        "entry": entry,
        "facts": facts,
        "learnt": learnt,
        "corrections": told,
        "orders": DATE_ORDERS,
        "example": example[0],
    }


_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class ModelFact:
    """One thing that was learnt."""

    name: str
    words: str
    examples: tuple[str, ...] = ()


def describe_model(
    knowledge: ForumKnowledge, boards: Sequence[str], threads: Sequence[str]
) -> list[ModelFact]:
    """The facts of a model. `boards` and `threads` are URLs, from which the examples are taken."""
    model, layout = knowledge.layout.model, knowledge.layout
    facts = [
        ModelFact("Start page", "Crawls begin here.", (model.entry,)),
        _describe_urls("Boards", model.boards, boards),
        _describe_urls("Threads", model.threads, threads),
        ModelFact("Pager of boards", _describe_pager(model.boards), _second_pages(model.boards, boards)),
        ModelFact("Pager of threads", _describe_pager(model.threads), _second_pages(model.threads, threads)),
        ModelFact("Order of threads", f"By {model.index_order}." if model.index_order else "Not known."),
        ModelFact("Order of posts", f"By date, {model.post_order}." if model.post_order else "Not known."),
        ModelFact("Posts on a page", f"{layout.posts_per_page or 'no fixed number'}"),
        _describe_wrapper(knowledge),
        ModelFact("Time zone", layout.zone or "The pages state none that holds all year."),
        ModelFact("Learnt from", f"{model.samples} pages."),
    ]
    if knowledge.site.feed:
        facts.append(ModelFact("Feed", "Asked first, once it has proved true.", (knowledge.site.feed,)))
    return facts


def _describe_urls(name: str, family: UrlFamily, urls: Sequence[str]) -> ModelFact:
    if not family.patterns:
        return ModelFact(name, "No URL pattern is known; links are told by their place on the page.")
    shown = " or ".join(_plain_pattern(str(pattern)) for pattern in family.patterns[:_EXAMPLES])
    fitting = tuple(url for url in urls if family.split(url))[:_EXAMPLES]
    return ModelFact(name, f"URLs like {shown}", fitting)


def _plain_pattern(pattern: str) -> str:
    """A pattern as a person writes it: "N" for a number, "…" for anything."""
    text = re.sub(r"\(?(?:\\d\+|\[0-9\]\+)\)?", "N", pattern)
    text = re.sub(r"\(?(?:\.[*+]|\[\^/\][*+]|\\w\+|\[\^?[^\]]*\][*+])\??\)?", "…", text)
    return re.sub(r"\\(.)", r"\1", text)


def _describe_pager(family: UrlFamily) -> str:
    style = family.style
    if style is None:
        return "Pages have no URLs that can be computed; links are followed."
    if not style.step:
        return f"Later pages have a mark in “{style.parameter}” that cannot be computed; links are followed."
    inserted = (style.insert or "").replace("{}", "N")
    where = f"the parameter “{style.parameter}”" if style.parameter else f"“{inserted}” in the path"
    size = f"; {family.per_page} entries on a page" if family.per_page else ""
    return f"The number stands in {where}; it begins with {style.start} and grows by {style.step}{size}."


def _second_pages(family: UrlFamily, urls: Sequence[str]) -> tuple[str, ...]:
    found = (family.url_of(url, 2) for url in urls[:1])
    return tuple(url for url in found if url)


def _describe_wrapper(knowledge: ForumKnowledge) -> ModelFact:
    wrapper = knowledge.layout.model.wrapper
    if wrapper is None:
        return ModelFact("Posts", "Found anew on every page; no wrapper was learnt.")
    cover = ", ".join(f"{name} on {100 * share:.0f} %" for name, share in wrapper.cover.items())
    order = {"dmy": "day first", "mdy": "month first", "ymd": "year first"}.get(wrapper.order, "")
    words = f"Found by a wrapper from {wrapper.pages} pages ({cover})"
    if order:
        words += f"; dates are {order}"
    return ModelFact("Posts", f"{words}.", tuple(shape.top for shape in wrapper.shapes[:_EXAMPLES]))
