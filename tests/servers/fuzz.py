"""A run of schemathesis against the API, with the ids of things that are there."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from tests.servers.service import TOKEN
from threadmill.store import Store
from threadmill.store.sites.compare_results import ResultRow, put_results
from threadmill.store.sites.task_sites import SiteRow, add_sites
from threadmill.store.sites.tasks import TaskRow, add_task, end_task


def make_something(store: Store) -> tuple[TaskRow, list[SiteRow]]:
    """A task that is done, with two sites and a result: most calls only go deep when they find one."""
    task = TaskRow(uuid4(), datetime.now(UTC))
    sites = [SiteRow(uuid4(), task.id, n, f"http://{n}.example/", outcome="ok") for n in range(2)]
    with store.writing() as connection:
        add_task(connection, task)
        add_sites(connection, sites)
        put_results(connection, [ResultRow(task.id, sites[0].id, sites[1].id, 0.75)])
        end_task(connection, task.id, datetime.now(UTC))
    return task, sites


def fuzz(port: int, store: Store, folder: Path, *options: str) -> tuple[int, str]:
    """Send whatever the schema allows and forbids; the exit code, and what it printed."""
    task, sites = make_something(store)
    known = {"task_id": task.id, "site_id": sites[0].id, "site1": sites[0].id, "site2": sites[1].id}
    lines = [f'"path.{name}" = "{value}"' for name, value in known.items()]
    (folder / "schemathesis.toml").write_text("[parameters]\n" + "\n".join(lines) + "\n")
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "run", f"http://127.0.0.1:{port}/openapi.json"),
        *("--checks", "not_a_server_error,response_schema_conformance", *options),
        *("--header", f"Authorization: Bearer {TOKEN}", "--seed", "8"),
    ]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return run.returncode, run.stdout + run.stderr
