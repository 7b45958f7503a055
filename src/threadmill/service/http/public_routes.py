"""The calls for everybody: make a task, ask for its results, its progress, its sites; cancel it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import UUID, uuid4

from fastapi import APIRouter, Query, Response
from fastapi.exceptions import RequestValidationError
from sqlalchemy import Connection

from threadmill.config import ServiceSettings
from threadmill.service.http import schemas as shapes
from threadmill.service.http.answers import ResultsQuery, write_task_answer
from threadmill.service.http.polls import SharedAnswers
from threadmill.service.http.store_access import StoreAccess, require_task
from threadmill.service.http.target_urls import find_private_urls, without_duplicates
from threadmill.sites.collect.collect import shared_hosts
from threadmill.sites.decide.clusters import make_clusters
from threadmill.sites.model import Outcome, Pair, Site
from threadmill.store.sites.compare_results import pairs_over
from threadmill.store.sites.task_sites import (
    SiteRow,
    add_sites,
    count_outcomes,
    count_sites,
    count_stages,
    sites_of,
)
from threadmill.store.sites.tasks import TaskRow, TaskStatus, add_task, end_task
from threadmill.urls import canonicalise, host_of

_NOT_FOUND: dict[int | str, dict[str, Any]] = {404: {"model": shapes.Problem}}
_INVALID: dict[int | str, dict[str, Any]] = {422: {"model": shapes.Complaints}}
Border = Annotated[
    float,
    Query(
        ge=0,
        le=1,
        allow_inf_nan=False,
        description="Least similarity of a pair. Another border costs nothing: results are stored.",
        examples=[0.5],
    ),
]
Limit = Annotated[int | None, Query(ge=1, le=10_000, description="At most so many; all when left out")]
Offset = Annotated[int, Query(ge=0, le=2**31, description="Leave out so many of the first")]


def make_router(door: StoreAccess, settings: ServiceSettings, wake: Callable[[], None]) -> APIRouter:
    """The public calls over a store; `wake` tells the controller of a new task."""
    router = APIRouter(responses={**_INVALID, 503: {"model": shapes.Problem}})
    polls: SharedAnswers[tuple[bytes, dict[str, str]]] = SharedAnswers()

    @router.post("/task", responses={413: {"model": shapes.Problem}}, summary="Create Task")
    async def create_task(new: shapes.NewTask) -> shapes.TaskCreated:
        """Make a task of a list of sites. The answer comes at once; ask for the results by its id."""
        _check(new, settings)
        task = TaskRow(uuid4(), datetime.now(UTC), use_archive_data=new.use_archive_data)
        rows = _rows(task.id, without_duplicates(new.sites))

        def store(connection: Connection) -> None:
            add_task(connection, task)
            add_sites(connection, rows)

        await door.write(store)
        wake()
        return shapes.TaskCreated(id=task.id)

    @router.get(
        "/task/{task_id}",
        summary="Get Task Results",
        responses={200: {"model": shapes.TaskAnswer}, **_NOT_FOUND},
        response_class=Response,
    )
    async def get_results(
        task_id: UUID,
        similarity_border: Border = 0.5,
        limit: Limit = None,
        offset: Offset = 0,
        evidence: Annotated[bool, Query(description="Also say why")] = False,
    ) -> Response:
        """The results of an earlier created task. The header X-Total-Count says how many there are in all,
        Link where the next page is, when `limit` cuts."""
        page = ResultsQuery(task_id, similarity_border, limit, offset, evidence)
        body, headers = await polls.ask(page, lambda: door.read(lambda c: write_task_answer(c, page)))
        return Response(body, media_type="application/json", headers=headers)

    @router.post("/task/{task_id}/cancel", responses=_NOT_FOUND, summary="Cancel Task")
    async def cancel_task(task_id: UUID) -> Response:
        """Stop working on a task. One that has ended stays as it is; the answer says how it stands."""

        def cancel(connection: Connection) -> tuple[bytes, dict[str, str]]:
            require_task(connection, task_id)
            end_task(connection, task_id, datetime.now(UTC), TaskStatus.CANCELLED)
            return write_task_answer(connection, ResultsQuery(task_id, 1.0, 1))

        body, _ = await door.write(cancel)
        polls.forget()
        return Response(body, media_type="application/json")

    _add_looks(router, door)
    return router


def _add_looks(router: APIRouter, door: StoreAccess) -> None:
    @router.get("/task/{task_id}/progress", responses=_NOT_FOUND, summary="Get Task Progress")
    async def get_progress(task_id: UUID) -> shapes.Progress:
        """How many sites of a task have come through each stage."""

        def look(connection: Connection) -> shapes.Progress:
            task = require_task(connection, task_id)
            counts = count_stages(connection, task_id)
            outcomes = count_outcomes(connection, task_id)
            return shapes.Progress(task_id=task_id, status=task.status, outcomes=outcomes, **counts)

        return await door.read(look)

    @router.get("/task/{task_id}/sites", responses=_NOT_FOUND, summary="Get Task Sites")
    async def get_sites(
        response: Response,
        task_id: UUID,
        outcome: Annotated[str, Query(max_length=20, pattern="^[a-z-]*$")] = "",
        limit: Annotated[int, Query(ge=1, le=10_000)] = 1000,
        offset: Offset = 0,
    ) -> shapes.SiteOutcomes:
        """What became of each site of a task: a dead or empty one holds up nobody, and says why."""

        def look(connection: Connection) -> tuple[list[SiteRow], int]:
            require_task(connection, task_id)
            rows = sites_of(connection, task_id, outcome=outcome, limit=limit, offset=offset)
            return rows, count_sites(connection, task_id, outcome=outcome)

        rows, total = await door.read(look)
        response.headers["X-Total-Count"] = str(total)
        return shapes.SiteOutcomes(task_id=task_id, sites=[_outcome(row) for row in rows])

    @router.get("/task/{task_id}/clusters", responses=_NOT_FOUND, summary="Get Task Clusters")
    async def get_clusters(task_id: UUID, similarity_border: Border = 0.5) -> shapes.Clusters:
        """Sites joined into companies: A is B and B is C make one of three. Empty until the task is done."""

        def look(connection: Connection) -> list[list[str]]:
            require_task(connection, task_id)
            return _clusters(connection, task_id, similarity_border)

        return shapes.Clusters(task_id=task_id, clusters=await door.read(look))


def _check(new: shapes.NewTask, settings: ServiceSettings) -> None:
    if len(new.sites) > settings.max_sites:
        told = f"Expected at most {settings.max_sites} sites in one task, but there are {len(new.sites)}"
        raise RequestValidationError([{"loc": ("body", "sites"), "msg": told, "type": "too_long"}])
    complaints = [] if settings.private_targets else find_private_urls(new.sites)
    if complaints:
        raise RequestValidationError(
            [
                {"loc": ("body", "sites", c.position), "msg": c.message, "type": "private_target"}
                for c in complaints
            ]
        )


def _rows(task_id: UUID, urls: list[str]) -> list[SiteRow]:
    shared = shared_hosts(urls)
    return [
        SiteRow(uuid4(), task_id, position, url, alone=host_of(canonicalise(url)) not in shared)
        for position, url in enumerate(urls)
    ]


def _outcome(row: SiteRow) -> shapes.SiteOutcome:
    return shapes.SiteOutcome(
        url=row.root_url, outcome=row.outcome, reason=row.reason, language=row.language, pages=row.pages
    )


def _clusters(connection: Connection, task_id: UUID, border: float) -> list[list[str]]:
    rows = sites_of(connection, task_id)
    number = {row.position: place for place, row in enumerate(rows)}
    sites = [Site(row.root_url, Outcome.OK, pages=row.pages) for row in rows]
    pairs = [
        Pair(number[pair.position1], number[pair.position2], pair.similarity, pair.words or 0.0)
        for pair in pairs_over(connection, task_id, border)
    ]
    return [[sites[n].url for n in cluster.members] for cluster in make_clusters(sites, pairs, border)]
