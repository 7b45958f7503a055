"""`threadmill boards`: list the boards of a workspace."""

from __future__ import annotations

import argparse
import sys

from threadmill.cli.arguments import add_workspace
from threadmill.cli.tables import TableColumns, add_table_options, write_rows
from threadmill.workspace import open_workspace

EXAMPLES = """\
  threadmill boards --workspace work/forum
  threadmill boards --workspace work/forum -o boards.csv"""

COLUMNS = TableColumns(
    ("title", "threads", "posts", "claimed_posts", "visited", "url", "parent_url"),
    right=("threads", "posts", "claimed_posts"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_workspace(parser, "the workspace of the boards")
    add_table_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """List them."""
    for_people = not arguments.json and not arguments.output and arguments.format in {None, "table"}
    rows = (
        {name: getattr(board, name) for name in COLUMNS.names}
        | {"title": board.title or ("(start page)" if for_people and not board.parent_url else "")}
        | {"visited": board.visited.isoformat(timespec="seconds") if board.visited else None}
        for board in open_workspace(arguments.workspace).boards()
    )
    if not write_rows(rows, COLUMNS, arguments):
        print("there are no boards yet; crawl a forum first", file=sys.stderr)
    return 0
