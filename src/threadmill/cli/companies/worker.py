"""The verb `worker`: one stage of the duplicate-sites service, as many processes and machines as it needs."""

from __future__ import annotations

import argparse
from pathlib import Path

_STAGES = ("collect", "read", "decide", "all")

EXAMPLES = """\
  threadmill worker collect --workspace compare
  threadmill worker read --workspace compare
  THREADMILL_SERVICE_BROKER=amqp://user:password@broker/ threadmill worker all --workspace compare"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("stage", choices=_STAGES, help="which part of the work to do")
    parser.add_argument(
        "--workspace",
        type=Path,
        default=Path("threadmill-sites"),
        help="shared by all workers; made when new",
    )
    parser.add_argument("--together", type=int, help="sites collected at once (100)")


def run(arguments: argparse.Namespace) -> int:
    """Work until interrupted."""
    from dataclasses import replace

    from threadmill.config import override
    from threadmill.errors import UsageError
    from threadmill.service.programs import work
    from threadmill.service.queue.messages import Stage
    from threadmill.service.work.worker_group import set_up_log, wait_for_store
    from threadmill.workspace import open_workspace

    if arguments.together is not None and arguments.together < 1:
        raise UsageError(f"--together is a number from 1 on, not {arguments.together}")
    workspace = open_workspace(arguments.workspace, create=True)
    settings = override(workspace.settings, "service", together=arguments.together)
    workspace = replace(workspace, settings=settings)
    stages = tuple(Stage) if arguments.stage == "all" else (Stage(arguments.stage),)
    set_up_log()
    store = wait_for_store(workspace.store_url)
    try:
        work(workspace, store, stages, lambda line: print(line, flush=True))
    finally:
        store.close()
    return 0
