"""`threadmill fleet`: show the workers that share a store, and ask one of them to end."""

from __future__ import annotations

import argparse
import json
from datetime import UTC
from typing import TYPE_CHECKING, Any

from threadmill.cli.arguments import add_workspace
from threadmill.cli.tables import TableColumns, print_table
from threadmill.cli.terminal import counted
from threadmill.errors import NothingFoundError, UsageError
from threadmill.workspace import open_workspace

if TYPE_CHECKING:
    from threadmill.store.crawl.fleet import FleetSummary, WorkerState

EXAMPLES = """\
  threadmill fleet --workspace shared/forums                 who is working, and on what
  threadmill fleet --workspace shared/forums --drain NAME    let a worker finish its runs and end"""

_SILENT = 0.5  # of a lease without a sign of life: a worker reports six times in that time
_MOST_HOSTS = 3  # that are named in a row of the table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_workspace(parser, "the workspace of the fleet")
    parser.add_argument("--drain", metavar="NAME", help="let this worker finish its runs and end")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Show the fleet, or drain a worker."""
    from threadmill.store import open_store
    from threadmill.store.crawl.fleet import drain_worker, fleet_summary, fleet_workers

    workspace = open_workspace(arguments.workspace)
    if not workspace.store_url.startswith("postgres"):
        raise UsageError("a fleet needs a store in PostgreSQL; set store.url in threadmill.toml")
    store = open_store(workspace.store_url)
    try:
        with store.writing() as connection:
            if arguments.drain and not drain_worker(connection, arguments.drain):
                raise NothingFoundError(
                    f"no worker is called {arguments.drain!r}; threadmill fleet lists all"
                )
            workers, summary = fleet_workers(connection), fleet_summary(connection)
    finally:
        store.close()
    if arguments.json:
        print(json.dumps(_as_json(workers, summary), ensure_ascii=False))
    else:
        _print(workers, summary, workspace.settings.watch.lease_seconds)
    return 0


def _as_json(workers: list[WorkerState], summary: FleetSummary) -> dict[str, Any]:
    return {
        "forums": summary.forums,
        "due": summary.due,
        "hosts_taken": summary.hosts_taken,
        "next_due": summary.next_due.astimezone(UTC).isoformat() if summary.next_due else None,
        "failing": dict(summary.failing),
        "workers": [
            {
                "name": worker.name,
                "machine": worker.machine,
                "process": worker.process,
                "started": worker.started.astimezone(UTC).isoformat(),
                "seen": worker.seen.astimezone(UTC).isoformat(),
                "draining": worker.draining,
                "runs": worker.counts.runs,
                "pages": worker.counts.pages,
                "posts": worker.counts.posts,
                "hosts": list(worker.hosts),
            }
            for worker in workers
        ],
    }


_COUNTS = ("runs", "pages", "posts")
_COLUMNS = TableColumns(("worker", "state", *_COUNTS, "asks"), right=_COUNTS)


def _print(workers: list[WorkerState], summary: FleetSummary, lease: float) -> None:
    print_table((_row(worker, lease) for worker in workers), _COLUMNS)
    forums, hosts = counted(summary.forums, "forum"), counted(summary.hosts_taken, "host")
    print(f"{counted(len(workers), 'worker')}; {forums}, {summary.due:,} of them due, {hosts} taken")
    for url, why in summary.failing.items():
        print(f"failing: {url}: {why}")


def _row(worker: WorkerState, lease: float) -> dict[str, Any]:
    silent = worker.silent.total_seconds() > lease * _SILENT
    named, more = ", ".join(worker.hosts[:_MOST_HOSTS]), len(worker.hosts) - _MOST_HOSTS
    return {
        "worker": worker.name,
        "state": "silent" if silent else "draining" if worker.draining else "working",
        **{name: getattr(worker.counts, name) for name in _COUNTS},
        "asks": f"{named} and {more} more" if more > 0 else named,
    }
