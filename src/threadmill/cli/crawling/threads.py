"""`threadmill threads`: list the threads of a workspace, or of one board."""

from __future__ import annotations

import argparse
import sys

from threadmill.cli.arguments import add_workspace
from threadmill.cli.tables import TableColumns, add_table_options, write_rows
from threadmill.errors import NothingFoundError
from threadmill.workspace import open_workspace

EXAMPLES = """\
  threadmill threads --workspace work/forum
  threadmill threads --workspace work/forum --board https://forum.example.org/b/2 -o threads.csv"""

COLUMNS = TableColumns(
    ("title", "posts", "pages", "first_post", "last_post", "authors", "visited", "gone", "url", "board_url"),
    right=("posts", "pages", "authors"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_workspace(parser, "the workspace of the threads")
    parser.add_argument("--board", metavar="URL", help="only threads of this board")
    add_table_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """List them."""
    rows = (
        {name: getattr(thread, name) for name in COLUMNS.names}
        | {"visited": thread.visited.isoformat(timespec="seconds") if thread.visited else None}
        for thread in open_workspace(arguments.workspace).threads(board=arguments.board)
    )
    count = write_rows(rows, COLUMNS, arguments)
    if not count and arguments.board is not None:
        raise NothingFoundError(f"there are no threads of a board with this URL: {arguments.board}")
    if not count:
        print("there are no threads yet; crawl a forum first", file=sys.stderr)
    return 0
