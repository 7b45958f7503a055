"""The private routes: read and change tasks, sites and results. Callers need the token of the settings."""

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

from threadmill.service.http import schemas
from threadmill.service.http.store_access import StoreAccess, require_site, require_task
from threadmill.store.sites.compare_results import ResultRow, put_results
from threadmill.store.sites.task_sites import STAGE_TIMES, SiteRow, load_site, sites_of, update_site
from threadmill.store.sites.tasks import end_task

_ERRORS: dict[int | str, dict[str, Any]] = {
    **{status: {"model": schemas.ErrorDetail} for status in (401, 404, 503)},
    422: {"model": schemas.InvalidRequest},
}
_BEARER = HTTPBearer(auto_error=False, description="service.token of the settings")


def make_router(access: StoreAccess, token: str) -> APIRouter:
    """Make the router of the private calls. Without a token in the settings, all of them answer 401."""
    router = APIRouter(prefix="/private", dependencies=[Depends(_make_token_check(token))], responses=_ERRORS)
    _add_task_routes(router, access)
    _add_site_routes(router, access)
    return router


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
