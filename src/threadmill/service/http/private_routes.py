"""The calls behind a token: tasks and sites as the stages see them, for tools of one's own."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Depends, HTTPException
from fastapi.exceptions import RequestValidationError
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from sqlalchemy import Connection

from threadmill.service.http import schemas as shapes
from threadmill.service.http.store_access import StoreAccess, require_site, require_task
from threadmill.store.sites.compare_results import ResultRow, put_results
from threadmill.store.sites.task_sites import STAGE_TIMES, SiteRow, load_site, sites_of, update_site
from threadmill.store.sites.tasks import end_task

_CLOSED: dict[int | str, dict[str, Any]] = {401: {"model": shapes.Problem}, 404: {"model": shapes.Problem}}
_BEARER = HTTPBearer(auto_error=False, description="service.token of the settings")


def make_router(door: StoreAccess, token: str) -> APIRouter:
    """The private calls; without a token in the settings they are closed to everybody."""
    router = APIRouter(
        prefix="/private",
        dependencies=[Depends(_guard(token))],
        responses={
            **_CLOSED,
            422: {"model": shapes.Complaints},
            503: {"model": shapes.Problem},
        },
    )
    _add_task_calls(router, door)
    _add_site_calls(router, door)
    return router


def _guard(token: str) -> Callable[..., None]:
    def check(given: Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)]) -> None:
        if not token:
            told = "The private calls are closed: set service.token to open them"
        elif given is None:
            told = "This call is private: send the header Authorization: Bearer TOKEN"
        elif not hmac.compare_digest(given.credentials.encode("utf-8", "replace"), token.encode()):
            told = "This is not the token of this service"
        else:
            return
        raise HTTPException(401, told, {"WWW-Authenticate": "Bearer"})

    return check


def _add_task_calls(router: APIRouter, door: StoreAccess) -> None:
    @router.get("/task/{task_id}", summary="Get Task")
    async def get_task(task_id: UUID) -> shapes.TaskState:
        """A task with its sites."""
        return await door.read(lambda connection: _task(connection, task_id))

    @router.patch("/task/{task_id}/done", summary="Mark Task Done")
    async def mark_done(task_id: UUID) -> shapes.TaskState:
        """Mark a task as done; nothing more is done for it. One that has ended stays as it is."""

        def write(connection: Connection) -> shapes.TaskState:
            require_task(connection, task_id)
            end_task(connection, task_id, datetime.now(UTC))
            return _task(connection, task_id)

        return await door.write(write)

    @router.put("/compare_result/{site1}/{site2}", summary="Put Compare Result")
    async def put_result(site1: UUID, site2: UUID, new: shapes.NewResult) -> shapes.ResultState:
        """Store how alike two sites of a task are, in place of what was stored before."""
        if site1 == site2:
            told = "Expected two different sites, but both are the same"
            raise RequestValidationError([{"loc": ("path", "site2"), "msg": told, "type": "same_site"}])

        def write(connection: Connection) -> shapes.ResultState:
            require_task(connection, new.task_id)
            pair = [require_site(connection, site, new.task_id) for site in (site1, site2)]
            one, other = sorted(pair, key=lambda site: site.position)  # one row a pair, whichever came first
            put_results(connection, [ResultRow(new.task_id, one.id, other.id, float(new.similarity))])
            return shapes.ResultState(
                task_id=new.task_id, site1_id=site1, site2_id=site2, similarity=new.similarity
            )

        return await door.write(write)


def _add_site_calls(router: APIRouter, door: StoreAccess) -> None:
    @router.get("/site/{site_id}", summary="Get Site")
    async def get_site(site_id: UUID) -> shapes.SiteState:
        """A site and the times at which it came through the stages."""
        return await door.read(lambda connection: _state(require_site(connection, site_id)))

    @router.put("/site/{site_id}", summary="Put Site")
    async def put_site(site_id: UUID, new: shapes.SiteChange) -> shapes.SiteState:
        """Set what is known of a site."""

        def write(connection: Connection) -> shapes.SiteState:
            require_site(connection, site_id, new.task_id)
            times = {name: _utc(getattr(new, name)) for name in STAGE_TIMES}
            values = {"root_url": new.root_url, "files_path": new.files_path, **times}
            update_site(connection, site_id, values)
            changed = load_site(connection, site_id)
            assert changed is not None
            return _state(changed)

        return await door.write(write)


def _task(connection: Connection, task_id: UUID) -> shapes.TaskState:
    task = require_task(connection, task_id)
    sites = [_state(row) for row in sites_of(connection, task_id)]
    return shapes.TaskState(id=task.id, created_at=task.created_at, done_at=task.done_at, sites=sites)


def _state(row: SiteRow) -> shapes.SiteState:
    times = {name: getattr(row, name) for name in STAGE_TIMES}
    return shapes.SiteState(
        id=row.id, task_id=row.task_id, root_url=row.root_url, files_path=row.files_path, **times
    )


def _utc(at: datetime | None) -> datetime | None:
    """A moment without a zone is UTC; one at the very edge of the calendar has no other zone."""
    if at is None:
        return None
    try:
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except OverflowError:
        told = "Expected a moment within the years 1 to 9999 of UTC"
        raise RequestValidationError([{"loc": ("body",), "msg": told, "type": "datetime"}]) from None
