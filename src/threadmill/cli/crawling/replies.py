"""`threadmill replies`: export who answered whom, as a table or as a graph."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import quoteattr

from threadmill.cli.arguments import add_pseudonym_options, add_workspace, read_pseudonym_key
from threadmill.cli.tables import TableColumns, write_rows
from threadmill.cli.terminal import complete_file, counted
from threadmill.errors import NothingFoundError, UsageError
from threadmill.workspace import open_workspace, refuse_lost_database

EXAMPLES = """\
  threadmill replies --workspace work/forum -o replies.csv
  threadmill replies --workspace work/forum --format gexf -o replies.gexf
  threadmill replies --workspace work/forum --board https://forum.example.org/b/2 --pseudonyms "$KEY\""""

COLUMNS = TableColumns(("author", "answered", "posts"), right=("posts",))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_workspace(parser, "the workspace of the posts")
    parser.add_argument("--board", metavar="URL", help="only posts of this board")
    parser.add_argument("--forum", metavar="URL", help="only posts of the forum crawled from this URL")
    add_pseudonym_options(parser)
    parser.add_argument(
        "--format",
        choices=["table", "csv", "jsonl", "gexf"],
        help="default: table; with -o: by its ending, or csv",
    )
    parser.add_argument("--json", action="store_true", help="the same as --format jsonl")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: standard output")


def run(arguments: argparse.Namespace) -> int:
    """Write the pairs, the most frequent first."""
    from threadmill.store import open_store_for_reading
    from threadmill.store.forum.export import PostFilter, Pseudonyms, why_nothing
    from threadmill.store.forum.replies import count_replies

    if arguments.json and arguments.format not in {None, "jsonl"}:
        raise UsageError(f"--json and --format {arguments.format} contradict each other; leave one out")
    key = read_pseudonym_key(arguments)
    pseudonyms = Pseudonyms(key) if key is not None else None
    wanted = PostFilter(board=arguments.board, forum=arguments.forum)
    workspace = open_workspace(arguments.workspace)
    refuse_lost_database(workspace)
    store = open_store_for_reading(workspace.store_url)
    try:
        with store.reading() as connection:
            counts = dict(
                sorted(count_replies(connection, wanted).items(), key=lambda one: (-one[1], one[0]))
            )
            reason = why_nothing(connection, wanted) if not counts else ""
    finally:
        store.close()
    if reason:
        raise NothingFoundError(f"no replies were written, because there is {reason}")
    if pseudonyms is not None:
        counts = {(str(pseudonyms.of(a)), str(pseudonyms.of(b))): n for (a, b), n in counts.items()}
    by_ending = arguments.format is None and not arguments.json
    if arguments.format == "gexf" or (by_ending and _ending(arguments.output) == ".gexf"):
        _write_graph(counts, arguments.output)
        if arguments.output is not None:
            people = len({name for pair in counts for name in pair})
            told = f"{counted(people, 'person', 'people')} and {counted(len(counts), 'pair')}"
            print(f"{told} are in {arguments.output}", file=sys.stderr)
        return 0
    rows = ({"author": a, "answered": b, "posts": count} for (a, b), count in counts.items())
    if not write_rows(rows, COLUMNS, arguments):
        print("no post answers another", file=sys.stderr)
    return 0


def _ending(file: Path | None) -> str:
    return file.suffix.lower() if file is not None else ""


def _write_graph(counts: Mapping[tuple[str, str], int], file: Path | None) -> None:
    text = as_gexf(counts)
    if file is None:
        sys.stdout.write(text)
        return
    with complete_file(file) as part:
        part.write_text(text, encoding="utf-8")


def as_gexf(counts: Mapping[tuple[str, str], int]) -> str:
    """A directed graph that Gephi and NetworkX read: authors, and how often one answered another."""
    names = sorted({name for pair in counts for name in pair})
    numbers = {name: number for number, name in enumerate(names)}
    nodes = "".join(
        f"<node id={quoteattr(str(numbers[name]))} label={quoteattr(_clean(name))}/>\n" for name in names
    )
    edges = "".join(
        f'<edge id="{number}" source="{numbers[one]}" target="{numbers[other]}" weight="{count}"/>\n'
        for number, ((one, other), count) in enumerate(counts.items())
    )
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://gexf.net/1.3" version="1.3">\n'
    graph = f"<nodes>\n{nodes}</nodes>\n<edges>\n{edges}</edges>\n"
    return f'{head}<graph defaultedgetype="directed">\n{graph}</graph>\n</gexf>\n'


def _clean(name: str) -> str:
    """The name without characters that XML does not allow."""
    return "".join(letter for letter in name if letter >= " " and not "\ud800" <= letter <= "\udfff")
