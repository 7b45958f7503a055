"""A store with one task of three sites."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest
from sqlalchemy import Connection

from threadmill.store.sites.task_sites import (
    SiteRow,
    add_sites,
    sites_of,
)
from threadmill.store.sites.tasks import (
    TaskRow,
    add_task,
)

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


@pytest.fixture
def task(empty: Connection) -> TaskRow:
    row = TaskRow(uuid4(), NOW, use_archive_data=True)
    add_task(empty, row)
    add_sites(empty, [SiteRow(uuid4(), row.id, n, f"http://s{n}.example/") for n in (2, 0, 1)])
    return row


def ids(connection: Connection, task: TaskRow) -> list[UUID]:
    return [site.id for site in sites_of(connection, task.id)]
