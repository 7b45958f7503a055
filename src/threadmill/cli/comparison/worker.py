"""`threadmill worker`: one stage of the service. Several workers on several machines share the work."""

from __future__ import annotations

import argparse

from threadmill.cli.arguments import add_workspace, whole_number

_STAGES = ("collect", "read", "decide", "all")

EXAMPLES = """\
  threadmill worker collect --workspace compare
  threadmill worker read --workspace compare
  THREADMILL_SERVICE_BROKER=amqp://user:password@broker/ threadmill worker all --workspace compare"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("stage", choices=_STAGES, help="the stage to run")
    add_workspace(parser, "the workspace of the service, which all workers share", "threadmill-sites")
    parser.add_argument(
        "--together", type=whole_number(1), metavar="N", help="sites to fetch at the same time (100)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Work until interrupted."""
    from dataclasses import replace

    from threadmill.config import override
    from threadmill.service.programs import work
    from threadmill.service.queue.messages import Stage
    from threadmill.service.work.worker_group import set_up_log, wait_for_store
    from threadmill.workspace import open_workspace, refuse_lost_database

    workspace = open_workspace(arguments.workspace, create=True)
    refuse_lost_database(workspace)
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
