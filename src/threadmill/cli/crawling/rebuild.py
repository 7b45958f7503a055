"""`threadmill rebuild`: make the database of a workspace again from its archive."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from threadmill.cli.arguments import add_workspace
from threadmill.cli.terminal import counted, live_text
from threadmill.workspace import open_workspace

if TYPE_CHECKING:
    from threadmill.crawl.rebuild import RebuildProgress

EXAMPLES = """\
  threadmill rebuild --workspace work/forum           after the database was lost or damaged
  threadmill rebuild --workspace work/forum           after an upgrade that reads pages better
  threadmill rebuild --workspace work/forum --force   also if the archive gives fewer posts"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_workspace(parser, "the workspace of the archive")
    parser.add_argument(
        "--force", action="store_true", help="replace the database even if it has more posts than the archive"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Rebuild, and sum up what came of it."""
    from threadmill.crawl.rebuild import rebuild

    workspace = open_workspace(arguments.workspace)
    with live_text("reading the archive …") as show:

        def watch(progress: RebuildProgress) -> None:
            if show is not None:
                show(f"run {progress.runs} of {progress.all_runs}, {progress.answers:,} answers")

        done = rebuild(workspace, watch, force=arguments.force)
    if arguments.json:
        print(json.dumps(asdict(done)))
        return 0
    posts, answers = counted(done.posts, "post"), counted(done.answers, "archived answer")
    print(f"{posts} of {answers} in {counted(done.runs, 'run')}")
    if done.posts_before:
        print(f"the database had {counted(done.posts_before, 'post')}")
    if done.unread:
        print(f"{done.unread:,} archived pages are neither boards nor threads now")
    if done.troubles:
        print(f"{counted(done.troubles, 'run')} could not be repeated to the end; what was read is kept:")
        for reason in done.why:
            print(f"  {reason}")
        print("crawl these forums once more: a crawl fetches what is missing")
    return 0
