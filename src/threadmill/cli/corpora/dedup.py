"""The verb `dedup`: leave near-duplicate documents and paragraphs out of vertical or JSON-lines files."""

from __future__ import annotations

import argparse
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from threadmill.errors import UsageError

if TYPE_CHECKING:
    from threadmill.corpus.near_duplicates.dedup import DedupProgress

EXAMPLES = """\
  threadmill dedup corpus.vert -o clean
  threadmill dedup part1.jsonl part2.jsonl.gz -o clean --mark
  threadmill dedup *.vert -o clean --no-paragraphs --threshold 0.8
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `threadmill dedup`."""
    parser.add_argument(
        "files", nargs="+", type=Path, help=".vert or .jsonl, also .gz and .xz; taken in this order"
    )
    parser.add_argument("-o", "--output", type=Path, required=True, help="directory for the results")
    parser.add_argument(
        "--mark", action="store_true", help="mark duplicates (<dup/>) instead of leaving them out"
    )
    parser.add_argument("--no-documents", action="store_true", help="do not compare whole documents")
    parser.add_argument("--no-paragraphs", action="store_true", help="do not compare paragraphs")
    parser.add_argument(
        "--threshold", type=float, default=0.7, help="least share of common 3-word runs (0.7)"
    )
    parser.add_argument(
        "--memory", type=int, default=256, help="megabytes for the paragraphs' 7-word runs (256)"
    )
    parser.add_argument("--field", default="text", help="the text of a JSON object (text)")


def run(arguments: argparse.Namespace) -> int:
    """Run it and print what was found."""
    from threadmill.corpus.near_duplicates.dedup import DedupRules, dedup_files

    if not 0 < arguments.threshold <= 1:
        raise UsageError(f"--threshold is a share above 0 and up to 1, not {arguments.threshold}")
    if arguments.memory < 1:
        raise UsageError(f"--memory is a number of megabytes from 1 on, not {arguments.memory}")
    rules = DedupRules(
        mark=arguments.mark,
        documents=not arguments.no_documents,
        paragraphs=not arguments.no_paragraphs,
        threshold=arguments.threshold,
        megabytes=arguments.memory,
        field=arguments.field,
    )
    started = time.monotonic()
    if sys.stderr.isatty():
        from rich.console import Console

        with Console(stderr=True).status("reading …") as status:
            tally = dedup_files(
                arguments.files,
                arguments.output,
                rules,
                lambda now: status.update(_line(now, time.monotonic() - started)),
            )
    else:
        tally = dedup_files(arguments.files, arguments.output, rules)
    seconds = max(time.monotonic() - started, 0.001)
    print(
        f"{tally.documents:,} documents, {tally.duplicate_documents:,} of them near-duplicates; "
        f"{tally.paragraphs:,} paragraphs, {tally.duplicate_paragraphs:,} of them seen before; "
        f"{_broken(tally.broken, rules.field)}{timedelta(seconds=round(seconds))}"
    )
    if not tally.documents:
        wanted = f"lines from <doc …> to </doc>, or a .jsonl file of objects with a field {rules.field!r}"
        print(f"threadmill: there is no document in what was given; expected are {wanted}", file=sys.stderr)
    return 0 if tally.documents else 1


def _broken(lines: int, field: str) -> str:
    return f"{lines:,} lines were no JSON objects with a text {field!r}; " if lines else ""


def _line(progress: DedupProgress, seconds: float) -> str:
    rate = 1 / max(seconds, 0.001)
    left = progress.seconds_left(seconds)
    share = progress.octets / max(progress.total, 1)
    return (
        f"{progress.files_done} of {progress.files} files, {progress.file.name}, "
        f"{progress.counts.documents:,} documents, {progress.counts.duplicate_documents:,} near-duplicates; "
        f"{progress.octets * rate / 1e6:.1f} MB/s, {progress.counts.documents * rate:,.0f} documents/s; "
        f"{share:.0%}" + ("" if left is None else f", {timedelta(seconds=round(left))} left")
    )
