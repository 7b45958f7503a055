from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from fastapi import HTTPException
from sqlalchemy import Connection

from threadmill.errors import StoreError
from threadmill.service.http.store_access import StoreAccess, require_site, require_task
from threadmill.store import open_store
from threadmill.store.sites.task_sites import SiteRow, add_sites
from threadmill.store.sites.tasks import TaskRow, add_task, load_task

TASK = TaskRow(uuid4(), datetime(2026, 11, 16, tzinfo=UTC))
SITE = SiteRow(uuid4(), TASK.id, 0, "http://a.example/")


def add(connection: Connection) -> None:
    add_task(connection, TASK)
    add_sites(connection, [SITE])


def test_what_is_written_can_be_read(store_url: str) -> None:
    store = open_store(store_url)

    async def work() -> TaskRow | None:
        access = StoreAccess(store)
        await access.write(add)
        return await access.read(lambda connection: load_task(connection, TASK.id))

    assert asyncio.run(work()) == TASK
    store.close()


@pytest.mark.parametrize(("failures", "works"), [(0, True), (1, True), (2, False)])
def test_one_failure_of_the_store_is_tried_again(failures: int, works: bool) -> None:
    store = open_store("sqlite://")
    calls = 0

    def unsteady(_connection: Connection) -> int:
        nonlocal calls
        calls += 1
        if calls <= failures:
            raise StoreError("the server was shut down")
        return calls

    if works:
        assert asyncio.run(StoreAccess(store).read(unsteady)) == failures + 1
    else:
        with pytest.raises(StoreError):
            asyncio.run(StoreAccess(store).write(unsteady))
    store.close()


def test_unknown_ids_are_answered_with_404() -> None:
    store = open_store("sqlite://")
    with store.writing() as connection:
        add(connection)
        assert require_task(connection, TASK.id) == TASK
        assert require_site(connection, SITE.id, TASK.id) == SITE
        other = uuid4()
        for call, told in (
            (lambda: require_task(connection, other), "Task not found"),
            (lambda: require_site(connection, other), f"Site not found: {other}"),
            (lambda: require_site(connection, SITE.id, other), f"Task {other} has no site {SITE.id}"),
        ):
            with pytest.raises(HTTPException) as caught:
                call()
            assert (caught.value.status_code, caught.value.detail) == (404, told)
    store.close()
