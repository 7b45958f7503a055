"""`threadmill index`: make paragraphs and posts of corpora, archives and workspaces searchable."""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict
from typing import TYPE_CHECKING

from threadmill.cli.arguments import add_index_argument, add_workers
from threadmill.cli.terminal import live_text

if TYPE_CHECKING:
    from threadmill.api.corpora import IndexProgress

EXAMPLES = """\
  threadmill index corpus.vert
  threadmill index pages.jsonl posts.jsonl.gz --index my-index
  threadmill index work/forum --index my-index          # the posts of a workspace
  threadmill index crawl.warc.gz --index my-index       # its pages are cleaned first
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "inputs",
        nargs="+",
        help="vertical, JSON lines (of clean, posts or vert), WARC, HTML, directories and URLs, workspaces",
    )
    add_index_argument(parser)
    add_workers(parser, 1)
    parser.add_argument(
        "--no-posts", action="store_true", help="index thread pages by paragraph, not by post"
    )
    parser.add_argument("--json", action="store_true", help="print the counts as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Index new and changed inputs. The exit code is 1 when the index is empty at the end."""
    from threadmill.api.corpora import build_index

    started = time.monotonic()
    with live_text("opening …") as show:
        progress = build_index(
            arguments.inputs,
            arguments.index,
            posts=not arguments.no_posts,
            processes=arguments.processes,
            on=arguments.on,
            on_progress=(lambda now: show(_line(now, started))) if show else None,
        )
    if arguments.json:
        print(json.dumps(asdict(progress), ensure_ascii=False))
        return 0 if progress.total else 1
    print(_line(progress, started), file=sys.stderr)
    for reason, count in progress.reasons.most_common():
        print(f"  left out: {count:,} × {reason}", file=sys.stderr)
    return 0 if progress.total else 1


def _line(progress: IndexProgress, started: float) -> str:
    seconds = max(time.monotonic() - started, 0.001)
    return (
        f"{progress.done} of {progress.inputs} inputs ({progress.unchanged} unchanged since the last time), "
        f"{progress.entries:,} paragraphs and posts, {progress.characters:,} characters; "
        f"{progress.entries / seconds:,.0f} entries/s"
    )
