"""The verb `serve`: the duplicate-sites service over HTTP."""

from __future__ import annotations

import argparse
from pathlib import Path

EXAMPLES = """\
  threadmill serve --workspace compare
  threadmill serve --workspace compare --port 9000 --processes 4
  curl -X POST http://127.0.0.1:8000/task -H 'Content-Type: application/json' \\
       -d '{"sites": ["https://dawei.at", "https://dawei.de"], "use_archive_data": false}'
  curl 'http://127.0.0.1:8000/task/ID?similarity_border=0.6'"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--workspace", type=Path, default=Path("threadmill-sites"), help="made when new")
    parser.add_argument("--host", help="address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=int, help="port to listen on; 0: a free one (8000)")
    parser.add_argument(
        "--processes", type=int, help="that do the work, one more to collect from 2 on; 0: this one does (1)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until interrupted."""
    from dataclasses import replace

    from threadmill.config import override
    from threadmill.errors import UsageError
    from threadmill.service.programs import serve
    from threadmill.service.work.worker_group import set_up_log, wait_for_store
    from threadmill.workspace import open_workspace

    if arguments.processes is not None and arguments.processes < 0:
        raise UsageError(f"--processes is a number from 0 on, not {arguments.processes}")
    workspace = open_workspace(arguments.workspace, create=True)
    given = {"host": arguments.host, "port": arguments.port, "processes": arguments.processes}
    workspace = replace(workspace, settings=override(workspace.settings, "service", **given))
    set_up_log()
    store = wait_for_store(workspace.store_url)
    try:
        serve(workspace, store, lambda line: print(line, flush=True))
    finally:
        store.close()
    return 0
