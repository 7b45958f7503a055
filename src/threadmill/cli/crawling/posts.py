"""`threadmill posts`: export the posts of a workspace as JSON lines, CSV or Parquet."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from threadmill.cli.arguments import add_pseudonym_options, add_workspace, read_pseudonym_key
from threadmill.cli.terminal import complete_file, counted, guard_cell, show_count
from threadmill.errors import MissingDependencyError, NothingFoundError, UsageError
from threadmill.workspace import open_workspace, refuse_lost_database

EXAMPLES = """\
  threadmill posts --workspace work/forum > posts.jsonl
  threadmill posts --workspace work/forum --since 2025-05-01 --format csv -o may.csv
  threadmill posts --workspace work/forum --new-since yesterday --query "lighthouse keeper"
  threadmill posts --workspace work/forum --edited --versions --format csv -o edits.csv
  threadmill posts --workspace work/forum --author "alan smithee" --pseudonyms "$KEY\""""

_PARQUET_BATCH = 10_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_workspace(parser, "the workspace of the posts")
    parser.add_argument(
        "--format", choices=["jsonl", "csv", "parquet"], help="default: by the ending of -o, or jsonl"
    )
    parser.add_argument("--json", action="store_true", help="the same as --format jsonl")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: standard output")
    parser.add_argument(
        "--since", metavar="DATE", help="only posts of this day or later: 2025-05-01, 2025, yesterday …"
    )
    parser.add_argument("--until", metavar="DATE", help="only posts of this day or earlier")
    parser.add_argument(
        "--new-since",
        metavar="DATE",
        help="only posts that a crawl first saw then or later: a day, or a moment such as 2025-05-01T18:30",
    )
    parser.add_argument("--forum", metavar="URL", help="only posts of the forum crawled from this URL")
    parser.add_argument("--board", metavar="URL", help="only posts of this board")
    parser.add_argument("--thread", metavar="URL", help="only posts of this thread")
    parser.add_argument("--author", metavar="NAME", help="only posts of this author")
    parser.add_argument(
        "--query", metavar="WORDS", help="only posts whose text holds all these words, in any case"
    )
    parser.add_argument("--edited", action="store_true", help="only posts that were edited")
    parser.add_argument("--vanished", action="store_true", help="only posts that the forum no longer shows")
    parser.add_argument(
        "--versions",
        action="store_true",
        help="also every earlier wording; the columns version and until tell them apart",
    )
    add_pseudonym_options(parser)
    parser.add_argument(
        "--guard-formulas",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="CSV: put an apostrophe before cells that a spreadsheet would compute (= + - @)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the posts."""
    from threadmill.store import open_store_for_reading
    from threadmill.store.forum.export import (
        FIELDS,
        PostFilter,
        Pseudonyms,
        authors_of,
        export_posts,
        read_filter,
        why_nothing,
    )

    wanted = read_filter(
        datetime.now().astimezone(),
        since=arguments.since,
        until=arguments.until,
        new_since=arguments.new_since,
        board=arguments.board,
        thread=arguments.thread,
        author=arguments.author,
        forum=arguments.forum,
        words=tuple((arguments.query or "").split()),
        edited=arguments.edited,
        vanished=arguments.vanished,
    )
    form = _form(arguments)
    key = read_pseudonym_key(arguments)
    workspace = open_workspace(arguments.workspace)
    refuse_lost_database(workspace)
    store = open_store_for_reading(workspace.store_url)
    try:
        with store.reading() as connection, _output(arguments.output) as output:
            pseudonyms = Pseudonyms(key, authors_of(connection)) if key is not None else None
            found = export_posts(connection, wanted, pseudonyms, versions=arguments.versions)
            posts = _Counted(show_count(found, "posts", quiet=output is None and sys.stdout.isatty()))
            fields = (*FIELDS, "time", *(("version", "until") if arguments.versions else ()))
            if form == "parquet":
                _write_parquet(posts, fields, output)
            elif form == "csv":
                _write_csv(posts, fields, output, guard=arguments.guard_formulas)
            else:
                _write_json_lines(posts, output)
            if posts.count == 0 and wanted == PostFilter():
                print("the workspace holds no posts yet", file=sys.stderr)
            elif posts.count == 0:
                if reason := why_nothing(connection, wanted):
                    raise NothingFoundError(f"no posts were written, because there is {reason}")
                # A day without posts is no mistake of the one who asks for it.
                print("no post meets all conditions", file=sys.stderr)
        if arguments.output is not None and posts.count:
            print(f"{counted(posts.count, 'post is', 'posts are')} in {arguments.output}", file=sys.stderr)
    finally:
        store.close()
    return 0


def _form(arguments: argparse.Namespace) -> str:
    """The format that the options name, or that the ending of the file says."""
    if arguments.json and arguments.format not in {None, "jsonl"}:
        raise UsageError(f"--json and --format {arguments.format} contradict each other; leave one out")
    ending = arguments.output.suffix.lower() if arguments.output is not None else ""
    if arguments.format is None and ending in {".xlsx", ".xls", ".ods", ".html", ".xml", ".pdf", ".gexf"}:
        raise UsageError(
            f"posts are written as JSON lines, CSV or Parquet, not as {ending}; name the file .jsonl, .csv "
            "or .parquet, or say which with --format"
        )
    by_ending = {".csv": "csv", ".parquet": "parquet"}.get(ending, "jsonl")
    return str(arguments.format or ("jsonl" if arguments.json else by_ending))


def _output(path: Path | None) -> AbstractContextManager[Path | None]:
    """The file to write, or standard output."""
    return nullcontext() if path is None else complete_file(path)


class _Counted:
    """Counts posts while they are written."""

    def __init__(self, posts: Iterable[dict[str, Any]]) -> None:
        self._posts = posts
        self.count = 0

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for post in self._posts:
            self.count += 1
            yield post


@contextmanager
def _text(output: Path | None) -> Iterator[IO[str]]:
    if output is None:
        yield sys.stdout
    else:
        with output.open("w", encoding="utf-8", newline="") as out:
            yield out


def _write_json_lines(posts: Iterable[dict[str, Any]], output: Path | None) -> None:
    with _text(output) as out:
        for post in posts:
            out.write(json.dumps(post, ensure_ascii=False) + "\n")


def _write_csv(
    posts: Iterable[dict[str, Any]], fields: Sequence[str], output: Path | None, *, guard: bool
) -> None:
    with _text(output) as out:
        table = csv.DictWriter(out, fields)
        table.writeheader()
        for post in posts:
            cells = {**_with_time(post), "quotes": json.dumps(post["quotes"], ensure_ascii=False)}
            table.writerow({name: guard_cell(cell) for name, cell in cells.items()} if guard else cells)


def _with_time(post: dict[str, Any]) -> dict[str, Any]:
    """The post with its date once more, with all parts: tables want one form in a column."""
    from threadmill.types import Moment

    return {**post, "time": Moment.fromisoformat(post["date"]).complete() if post["date"] else None}


def _write_parquet(posts: Iterable[dict[str, Any]], fields: Sequence[str], output: Path | None) -> None:
    if output is None:
        raise UsageError("Parquet cannot be written to a terminal or a pipe; name a file with -o FILE")
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingDependencyError("pyarrow", "parquet", "Export to Parquet") from None
    quote = pa.struct([("text", pa.string()), ("author", pa.string()), ("url", pa.string())])
    numbers = dict.fromkeys(("position", "version"), pa.int64())
    kinds = {**numbers, "quotes": pa.list_(quote), "time": pa.timestamp("us")}
    schema = pa.schema([(name, kinds.get(name, pa.string())) for name in fields])
    with pq.ParquetWriter(output, schema) as writer:
        batch: list[dict[str, Any]] = []
        for post in posts:
            row = _with_time(post)
            batch.append(row | {"time": datetime.fromisoformat(row["time"]) if row["time"] else None})
            if len(batch) == _PARQUET_BATCH:
                writer.write_table(pa.Table.from_pylist(batch, schema))
                batch.clear()
        writer.write_table(pa.Table.from_pylist(batch, schema))
