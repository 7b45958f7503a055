"""The routes of the service: public ones for tasks and results, private ones for holders of the token."""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Generic, Literal, TypeVar, get_args
from uuid import UUID, uuid4

from fastapi import APIRouter, Depends, HTTPException, Query, Response
from fastapi.exceptions import RequestValidationError
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from sqlalchemy import Connection

from threadmill.config import ServiceSettings
from threadmill.service.http import schemas
from threadmill.service.http.store_access import StoreAccess, require_site, require_task
from threadmill.service.http.target_urls import find_private_urls, make_site_rows, without_duplicates
from threadmill.sites.decide.clusters import make_clusters
from threadmill.sites.model import CompanySite, ReadOutcome, SitePair
from threadmill.store.sites.compare_results import FoundPair, ResultRow, count_over, pairs_over, put_results
from threadmill.store.sites.task_sites import (
    STAGE_TIMES,
    SiteRow,
    add_sites,
    count_all_outcomes,
    count_outcomes,
    count_sites,
    count_stages,
    load_site,
    sites_of,
    update_site,
)
from threadmill.store.sites.tasks import TaskRow, TaskStatus, add_task, count_tasks, end_task


def make_private_router(access: StoreAccess, token: str) -> APIRouter:
    """Make the router of the private calls. Without a token in the settings, all of them answer 401."""
    router = APIRouter(prefix="/private", dependencies=[Depends(_make_token_check(token))], responses=_ERRORS)
    _add_task_routes(router, access)
    _add_site_routes(router, access)
    return router


# A client that polls does not notice this delay. A hundred of them cost the store five queries a second.
_SHARED_SECONDS = 0.2
_MOST_SHARED = 1000  # answers kept before expired ones are removed

_NOT_FOUND: dict[int | str, dict[str, Any]] = {404: {"model": schemas.ErrorDetail}}
_INVALID: dict[int | str, dict[str, Any]] = {422: {"model": schemas.InvalidRequest}}
_UNREADABLE: dict[int | str, dict[str, Any]] = {
    400: {"model": schemas.ErrorDetail, "description": "The body is not UTF-8"}
}
_LEAST_SITES = 2
OutcomeName = Literal["", "ok", "empty", "parked", "script-only", "dead", "forbidden", "failed"]
Border = Annotated[
    float,
    Query(
        ge=0,
        le=1,
        allow_inf_nan=False,
        description="Lowest similarity of a pair. Results are stored: you can ask again with another border.",
        examples=[0.5],
    ),
]
Limit = Annotated[int | None, Query(ge=1, le=10_000, description="Largest number of results; default: all")]
Offset = Annotated[int, Query(ge=0, le=2**31, description="Number of results to skip")]
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class ResultsQuery:
    """The parameters of GET /task/{id}."""

    task_id: UUID
    border: float
    limit: int | None = None
    offset: int = 0
    evidence: bool = False


class SharedAnswers(Generic[Answer]):
    """A cache of answers for a fraction of a second. Clients that poll for the same answer share one query.

    Use it from one event loop.
    """

    def __init__(self) -> None:
        self._answers: dict[Hashable, tuple[float, asyncio.Future[Answer]]] = {}

    async def get(self, key: Hashable, load: Callable[[], Awaitable[Answer]]) -> Answer:
        """Return the answer of a moment ago, or load a new one."""
        now = asyncio.get_running_loop().time()
        kept = self._answers.get(key)
        if kept is None or kept[0] < now:
            self._remove_expired(now)
            kept = (now + _SHARED_SECONDS, asyncio.ensure_future(load()))
            self._answers[key] = kept
        return await asyncio.shield(kept[1])

    def clear(self) -> None:
        """Forget all answers, because a call changed something."""
        self._answers.clear()

    def _remove_expired(self, now: float) -> None:
        if len(self._answers) >= _MOST_SHARED:
            self._answers = {key: kept for key, kept in self._answers.items() if kept[0] >= now}


def make_public_router(access: StoreAccess, settings: ServiceSettings, wake: Callable[[], None]) -> APIRouter:
    """Make the router of the public calls. `wake` tells the controller about a new task."""
    router = APIRouter(responses={**_INVALID, 503: {"model": schemas.ErrorDetail}})
    shared: SharedAnswers[tuple[bytes, dict[str, str]]] = SharedAnswers()

    @router.post(
        "/task", responses={**_UNREADABLE, 413: {"model": schemas.ErrorDetail}}, summary="Create Task"
    )
    async def create_task(new: schemas.NewTask) -> schemas.TaskCreated:
        """Create a task from a list of sites. The answer comes at once. Use its id to ask for the results."""
        _check_new_task(new, settings)
        urls = without_duplicates(new.sites)
        if len(urls) < _LEAST_SITES:
            message = f"Expected at least two different sites to compare, but got {len(urls)}"
            raise RequestValidationError([{"loc": ("body", "sites"), "msg": message, "type": "too_short"}])
        task = TaskRow(uuid4(), datetime.now(UTC), use_archive_data=new.use_archive_data)
        rows = make_site_rows(task.id, urls)

        def write(connection: Connection) -> None:
            add_task(connection, task)
            add_sites(connection, rows)

        await access.write(write)
        wake()
        return schemas.TaskCreated(id=task.id)

    @router.get(
        "/task/{task_id}",
        summary="Get Task Results",
        responses={200: {"model": schemas.TaskAnswer}, **_NOT_FOUND},
        response_class=Response,
    )
    async def get_results(
        task_id: UUID,
        similarity_border: Border = 0.5,
        limit: Limit = None,
        offset: Offset = 0,
        evidence: Annotated[bool, Query(description="Also return the evidence for each pair")] = False,
    ) -> Response:
        """Return the results of a task. The header X-Total-Count gives the number of all results.

        With `limit`, the header Link gives the address of the next page.
        """
        query = ResultsQuery(task_id, similarity_border, limit, offset, evidence)
        body, headers = await shared.get(query, lambda: access.read(lambda c: write_task_answer(c, query)))
        return Response(body, media_type="application/json", headers=headers)

    @router.post("/task/{task_id}/cancel", responses=_NOT_FOUND, summary="Cancel Task")
    async def cancel_task(task_id: UUID) -> Response:
        """Stop working on a task. A task that has ended does not change. The answer gives its state."""

        def write(connection: Connection) -> tuple[bytes, dict[str, str]]:
            require_task(connection, task_id)
            end_task(connection, task_id, datetime.now(UTC), TaskStatus.CANCELLED)
            return write_task_answer(connection, ResultsQuery(task_id, 1.0, 1))

        body, _ = await access.write(write)
        shared.clear()
        return Response(body, media_type="application/json")

    _add_detail_routes(router, access)
    return router


def _add_detail_routes(router: APIRouter, access: StoreAccess) -> None:
    @router.get("/task/{task_id}/progress", responses=_NOT_FOUND, summary="Get Task Progress")
    async def get_progress(task_id: UUID) -> schemas.TaskProgress:
        """Return how many sites of a task have passed each stage."""

        def read(connection: Connection) -> schemas.TaskProgress:
            task = require_task(connection, task_id)
            counts = count_stages(connection, task_id)
            outcomes = count_outcomes(connection, task_id)
            return schemas.TaskProgress(task_id=task_id, status=task.status, outcomes=outcomes, **counts)

        return await access.read(read)

    @router.get("/task/{task_id}/sites", responses=_NOT_FOUND, summary="Get Task Sites")
    async def get_sites(
        response: Response,
        task_id: UUID,
        outcome: Annotated[OutcomeName, Query(description="Only sites with this outcome")] = "",
        limit: Annotated[int, Query(ge=1, le=10_000)] = 1000,
        offset: Offset = 0,
    ) -> schemas.SiteOutcomes:
        """Return the outcome of each site of a task, with a reason. Dead sites do not delay a task."""

        def read(connection: Connection) -> tuple[list[SiteRow], int]:
            require_task(connection, task_id)
            rows = sites_of(connection, task_id, outcome=outcome, limit=limit, offset=offset)
            return rows, count_sites(connection, task_id, outcome=outcome)

        rows, total = await access.read(read)
        response.headers["X-Total-Count"] = str(total)
        return schemas.SiteOutcomes(task_id=task_id, sites=[_site_outcome(row) for row in rows])

    @router.get("/task/{task_id}/clusters", responses=_NOT_FOUND, summary="Get Task Clusters")
    async def get_clusters(task_id: UUID, similarity_border: Border = 0.5) -> schemas.SiteClusters:
        """Return the sites of each company. If A matches B and B matches C, all three are one cluster.

        The list is empty until the task is done.
        """

        def read(connection: Connection) -> list[list[str]]:
            require_task(connection, task_id)
            return _find_clusters(connection, task_id, similarity_border)

        return schemas.SiteClusters(task_id=task_id, clusters=await access.read(read))


def make_monitoring_router(access: StoreAccess, version: str) -> APIRouter:
    """Make the router of the calls for operators: /health and /metrics."""
    router = APIRouter(responses={503: {"model": schemas.ErrorDetail}})
    shared: SharedAnswers[str] = SharedAnswers()

    @router.get("/health", summary="Health")
    async def get_health() -> schemas.Health:
        """Return 200 if the service and its database work, and 503 if the database cannot be reached."""
        counts = await access.read(count_tasks)
        in_progress = counts.get(TaskStatus.IN_PROGRESS.value, 0)
        return schemas.Health(status="ok", version=version, tasks_in_progress=in_progress)

    @router.get("/metrics", summary="Metrics", response_class=Response)
    async def get_metrics() -> Response:
        """Return counts of tasks and sites in the text format of Prometheus."""
        text = await shared.get("metrics", lambda: access.read(_write_metrics))
        return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")

    return router


def _write_metrics(connection: Connection) -> str:
    tasks = dict.fromkeys((status.value for status in TaskStatus), 0) | count_tasks(connection)
    sites = dict.fromkeys(get_args(OutcomeName), 0) | count_all_outcomes(connection)
    sites["unread"] = sites.pop("", 0)
    lines = ["# HELP threadmill_tasks Tasks by status.", "# TYPE threadmill_tasks gauge"]
    lines += [f'threadmill_tasks{{status="{status}"}} {count}' for status, count in tasks.items()]
    lines += ["# HELP threadmill_sites Sites of all tasks by outcome.", "# TYPE threadmill_sites gauge"]
    lines += [f'threadmill_sites{{outcome="{outcome}"}} {count}' for outcome, count in sites.items()]
    return "\n".join(lines) + "\n"


def write_task_answer(connection: Connection, query: ResultsQuery) -> tuple[bytes, dict[str, str]]:
    """Write the body and headers of GET /task/{id}. Results are present only when the task is done.

    The JSON is written without pydantic models: this is the most frequent call.
    """
    task = require_task(connection, query.task_id)
    value: dict[str, Any] = {
        "task_id": str(task.id),
        "created_at": _write_time(task.created_at),
        "status": task.status,
        "done_at": _write_time(task.done_at),
    }
    headers: dict[str, str] = {}
    if task.status is TaskStatus.FAILED:
        value["detail"] = task.reason
    if task.status is TaskStatus.DONE:
        pairs = pairs_over(connection, task.id, query.border, limit=query.limit, offset=query.offset)
        value["results"] = [_pair_as_json(pair, query.evidence) for pair in pairs]
        is_page = query.limit or query.offset
        total = count_over(connection, task.id, query.border) if is_page else len(pairs)
        headers = _paging_headers(query, total)
    return json.dumps(value, ensure_ascii=False).encode(), headers


def _write_time(at: datetime | None) -> str | None:
    """Write a time in UTC with a Z at its end."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z") if at else None


def _pair_as_json(pair: FoundPair, evidence: bool) -> dict[str, Any]:
    value: dict[str, Any] = {"url1": pair.url1, "url2": pair.url2, "similarity": pair.similarity}
    if evidence:
        value |= {"words": pair.words, "why": pair.why, "evidence": dict(pair.evidence)}
        value["found"] = list(pair.found)
    return value


def _paging_headers(query: ResultsQuery, total: int) -> dict[str, str]:
    headers = {"X-Total-Count": str(total)}
    end = query.offset + (query.limit or total)
    if query.limit and end < total:
        parameters = f"similarity_border={query.border}&limit={query.limit}&offset={end}"
        parameters += "&evidence=true" if query.evidence else ""
        headers["Link"] = f'</task/{query.task_id}?{parameters}>; rel="next"'
    return headers


def _check_new_task(new: schemas.NewTask, settings: ServiceSettings) -> None:
    """Refuse a task with too many sites, or with private addresses where these are not allowed."""
    if len(new.sites) > settings.max_sites:
        message = f"Expected at most {settings.max_sites} sites in one task, but got {len(new.sites)}"
        raise RequestValidationError([{"loc": ("body", "sites"), "msg": message, "type": "too_long"}])
    problems = [] if settings.private_targets else find_private_urls(new.sites)
    if problems:
        raise RequestValidationError(
            [
                {"loc": ("body", "sites", problem.position), "msg": problem.message, "type": "private_target"}
                for problem in problems
            ]
        )


def _site_outcome(row: SiteRow) -> schemas.SiteOutcome:
    return schemas.SiteOutcome(
        url=row.root_url,
        outcome=row.outcome,
        reason=row.reason,
        language=row.language,
        pages=row.pages,
        name=row.name,
    )


def _find_clusters(connection: Connection, task_id: UUID, border: float) -> list[list[str]]:
    rows = sites_of(connection, task_id)
    index_of = {row.position: index for index, row in enumerate(rows)}
    sites = [CompanySite(row.root_url, ReadOutcome.OK, pages=row.pages) for row in rows]
    pairs = [
        SitePair(index_of[pair.position1], index_of[pair.position2], pair.similarity, pair.words or 0.0)
        for pair in pairs_over(connection, task_id, border)
    ]
    return [[sites[n].url for n in cluster.members] for cluster in make_clusters(sites, pairs, border)]


_ERRORS: dict[int | str, dict[str, Any]] = {
    **{status: {"model": schemas.ErrorDetail} for status in (400, 401, 404, 503)},
    422: {"model": schemas.InvalidRequest},
}
_BEARER = HTTPBearer(auto_error=False, description="service.token of the settings")


def _make_token_check(token: str) -> Callable[..., None]:
    def check(given: Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)]) -> None:
        if not token:
            message = "The private calls are switched off. Set service.token to switch them on."
        elif given is None:
            message = "This call is private. Send the header Authorization: Bearer TOKEN."
        elif not hmac.compare_digest(given.credentials.encode("utf-8", "replace"), token.encode()):
            message = "Wrong token"
        else:
            return
        raise HTTPException(401, message, {"WWW-Authenticate": "Bearer"})

    return check


def _add_task_routes(router: APIRouter, access: StoreAccess) -> None:
    @router.get("/task/{task_id}", summary="Get Task")
    async def get_task(task_id: UUID) -> schemas.TaskState:
        """Return a task with its sites."""
        return await access.read(lambda connection: _load_task_state(connection, task_id))

    @router.patch("/task/{task_id}/done", summary="Mark Task Done")
    async def mark_done(task_id: UUID) -> schemas.TaskState:
        """Mark a task as done and stop working on it. A task that has ended does not change."""

        def write(connection: Connection) -> schemas.TaskState:
            require_task(connection, task_id)
            end_task(connection, task_id, datetime.now(UTC))
            return _load_task_state(connection, task_id)

        return await access.write(write)

    @router.put("/compare_result/{site1}/{site2}", summary="Put Compare Result")
    async def put_result(site1: UUID, site2: UUID, new: schemas.NewResult) -> schemas.ResultState:
        """Store the similarity of two sites of a task. It replaces an earlier value."""
        if site1 == site2:
            message = "Expected two different sites, but both are the same"
            raise RequestValidationError([{"loc": ("path", "site2"), "msg": message, "type": "same_site"}])

        def write(connection: Connection) -> schemas.ResultState:
            require_task(connection, new.task_id)
            pair = [require_site(connection, site, new.task_id) for site in (site1, site2)]
            one, other = sorted(pair, key=lambda site: site.position)  # one row per pair, in either order
            put_results(connection, [ResultRow(new.task_id, one.id, other.id, float(new.similarity))])
            return schemas.ResultState(
                task_id=new.task_id, site1_id=site1, site2_id=site2, similarity=new.similarity
            )

        return await access.write(write)


def _add_site_routes(router: APIRouter, access: StoreAccess) -> None:
    @router.get("/site/{site_id}", summary="Get Site")
    async def get_site(site_id: UUID) -> schemas.SiteState:
        """Return a site with the times at which it passed each stage."""
        return await access.read(lambda connection: _site_state(require_site(connection, site_id)))

    @router.put("/site/{site_id}", summary="Put Site")
    async def put_site(site_id: UUID, new: schemas.SiteChange) -> schemas.SiteState:
        """Replace the stored state of a site."""

        def write(connection: Connection) -> schemas.SiteState:
            require_site(connection, site_id, new.task_id)
            times = {name: _as_utc(getattr(new, name)) for name in STAGE_TIMES}
            values = {"root_url": new.root_url, "files_path": new.files_path, **times}
            update_site(connection, site_id, values)
            changed = load_site(connection, site_id)
            assert changed is not None
            return _site_state(changed)

        return await access.write(write)


def _load_task_state(connection: Connection, task_id: UUID) -> schemas.TaskState:
    task = require_task(connection, task_id)
    sites = [_site_state(row) for row in sites_of(connection, task_id)]
    return schemas.TaskState(id=task.id, created_at=task.created_at, done_at=task.done_at, sites=sites)


def _site_state(row: SiteRow) -> schemas.SiteState:
    times = {name: getattr(row, name) for name in STAGE_TIMES}
    return schemas.SiteState(
        id=row.id, task_id=row.task_id, root_url=row.root_url, files_path=row.files_path, **times
    )


def _as_utc(at: datetime | None) -> datetime | None:
    """Convert a time to UTC. A time without a zone is taken as UTC. Years outside 1 to 9999 are refused."""
    if at is None:
        return None
    try:
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except OverflowError:
        message = "Expected a time in the years 1 to 9999 (UTC)"
        raise RequestValidationError([{"loc": ("body",), "msg": message, "type": "datetime"}]) from None
