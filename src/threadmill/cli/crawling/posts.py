"""`threadmill posts`: export the posts of a workspace as JSON lines, CSV or Parquet."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

from threadmill.cli.arguments import add_workspace
from threadmill.errors import MissingDependencyError, UsageError
from threadmill.workspace import open_workspace

EXAMPLES = """\
  threadmill posts --workspace work/forum > posts.jsonl
  threadmill posts --workspace work/forum --since 2025-05-01 --format csv -o may.csv
  threadmill posts --workspace work/forum --author "alan smithee" --pseudonyms "$KEY\""""

_PARQUET_BATCH = 10_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_workspace(parser, "the workspace of the posts")
    parser.add_argument(
        "--format", choices=["jsonl", "csv", "parquet"], default="jsonl", help="default: jsonl"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: standard output")
    parser.add_argument("--since", metavar="DATE", help="only posts of this day (YYYY-MM-DD) or later")
    parser.add_argument("--board", metavar="URL", help="only posts of this board")
    parser.add_argument("--thread", metavar="URL", help="only posts of this thread")
    parser.add_argument("--author", metavar="NAME", help="only posts of this author")
    parser.add_argument(
        "--pseudonyms", metavar="KEY", help="replace names of authors by hashes that need KEY"
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the posts."""
    from threadmill.store import open_store
    from threadmill.store.forum.export import PostFilter, Pseudonyms, export_posts

    wanted = PostFilter(arguments.since, arguments.board, arguments.thread, arguments.author)
    pseudonyms = Pseudonyms(arguments.pseudonyms) if arguments.pseudonyms else None
    store = open_store(open_workspace(arguments.workspace).store_url)
    try:
        with store.reading() as connection:
            posts = export_posts(connection, wanted, pseudonyms)
            if arguments.format == "parquet":
                _write_parquet(posts, arguments.output)
            else:
                _write_text(posts, arguments.format, arguments.output)
    finally:
        store.close()
    return 0


def _write_text(posts: Iterable[dict[str, Any]], form: str, output: Path | None) -> None:
    with ExitStack() as stack:
        out: IO[str] = sys.stdout
        if output is not None:
            out = stack.enter_context(output.open("w", encoding="utf-8", newline=""))
        if form == "jsonl":
            for post in posts:
                out.write(json.dumps(post, ensure_ascii=False) + "\n")
            return
        from threadmill.store.forum.export import FIELDS

        table = csv.DictWriter(out, FIELDS)
        table.writeheader()
        table.writerows({**post, "quotes": json.dumps(post["quotes"], ensure_ascii=False)} for post in posts)


def _write_parquet(posts: Iterable[dict[str, Any]], output: Path | None) -> None:
    if output is None:
        raise UsageError("Parquet cannot be written to a terminal or a pipe; name a file with -o FILE")
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingDependencyError("pyarrow", "parquet", "Export to Parquet") from None
    from threadmill.store.forum.export import FIELDS

    quote = pa.struct([("text", pa.string()), ("author", pa.string()), ("url", pa.string())])
    kinds = {"position": pa.int64(), "quotes": pa.list_(quote)}
    schema = pa.schema([(name, kinds.get(name, pa.string())) for name in FIELDS])
    with pq.ParquetWriter(output, schema) as writer:
        batch: list[dict[str, Any]] = []
        for post in posts:
            batch.append(post)
            if len(batch) == _PARQUET_BATCH:
                writer.write_table(pa.Table.from_pylist(batch, schema))
                batch.clear()
        writer.write_table(pa.Table.from_pylist(batch, schema))
