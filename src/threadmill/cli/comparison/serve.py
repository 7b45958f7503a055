"""`threadmill serve`: the comparison of sites as an HTTP service."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from threadmill.cli.arguments import MOST_PROCESSES, add_workspace, port, whole_number
from threadmill.errors import MissingDependencyError

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi import FastAPI

    from threadmill.store import Store
    from threadmill.workspace import Workspace

EXAMPLES = """\
  threadmill serve --workspace compare
  threadmill serve --workspace compare --port 9000 --processes 4
  curl -X POST http://127.0.0.1:8000/task -H 'Content-Type: application/json' \\
       -d '{"sites": ["https://dawei.at", "https://dawei.de"], "use_archive_data": false}'
  curl 'http://127.0.0.1:8000/task/ID?similarity_border=0.6'"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_workspace(parser, "a directory for tasks and results; made when it is new", "threadmill-sites")
    parser.add_argument("--host", help="the address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=port, help="the port to listen on; 0: any free port (8000)")
    parser.add_argument(
        "--processes",
        type=whole_number(0, MOST_PROCESSES),
        metavar="N",
        help="worker processes; with 2 or more, one more process fetches; 0: no extra process (1)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until interrupted."""
    from dataclasses import replace

    from threadmill.config import override
    from threadmill.service.programs import serve
    from threadmill.service.work.worker_group import set_up_log, wait_for_store
    from threadmill.workspace import open_workspace, refuse_lost_database

    workspace = open_workspace(arguments.workspace, create=True)
    refuse_lost_database(workspace)
    given = {"host": arguments.host, "port": arguments.port, "processes": arguments.processes}
    workspace = replace(workspace, settings=override(workspace.settings, "service", **given))
    set_up_log()

    def say(line: str) -> None:
        print(line, flush=True)

    store = wait_for_store(workspace.store_url)
    try:
        serve(workspace, store, say, lambda app, wake: _add_console(app, workspace, store, wake))
    finally:
        store.close()
    return 0


def _add_console(app: FastAPI, workspace: Workspace, store: Store, wake: Callable[[], None]) -> str:
    """Show the console below /console, if its extra is installed."""
    try:
        from threadmill.console.app import mount_console
    except MissingDependencyError:
        return ""
    token = mount_console(app, workspace, store, workspace.settings.service.host, wake)
    app.state.home = "console/"
    return f"; console: /console/{f'login?token={token}' if token else ''}"
