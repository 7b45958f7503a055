"""`threadmill dedup`: remove or mark near-duplicates in vertical or JSON-lines files."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from threadmill.archive.remote_files import as_file
from threadmill.cli.arguments import add_workers, is_same_file
from threadmill.cli.terminal import live_text, octets_per_second
from threadmill.errors import UsageError

if TYPE_CHECKING:
    from threadmill.corpus.near_duplicates.dedup import DedupCounts, DedupProgress

EXAMPLES = """\
  threadmill dedup corpus.vert -o clean
  threadmill dedup corpus.vert -o clean.vert
  threadmill dedup part1.jsonl part2.jsonl.gz -o clean --mark
  threadmill dedup *.vert -o clean --no-paragraphs --threshold 0.8
"""


_FILE_SUFFIXES = {".vert", ".jsonl", ".json", ".txt"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "files",
        nargs="+",
        type=as_file,
        help=".vert or .jsonl, also .gz and .xz, also URLs; of two duplicates the first is kept",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        help="directory for the results; of one input also a file: clean.vert, clean.jsonl",
    )
    add_workers(parser, 1)
    parser.add_argument(
        "--mark", action="store_true", help="mark duplicates (<dup/>) instead of removing them"
    )
    parser.add_argument("--no-documents", action="store_true", help="do not compare whole documents")
    parser.add_argument("--no-paragraphs", action="store_true", help="do not compare paragraphs")
    parser.add_argument(
        "--threshold",
        type=float,
        default=0.7,
        help="share of common 3-word sequences that makes a near-duplicate (0.7)",
    )
    parser.add_argument(
        "--memory", type=int, default=256, help="megabytes for the 7-word sequences of paragraphs (256)"
    )
    parser.add_argument(
        "--field", default="text", help="the field of a JSON object that holds its text (text)"
    )
    parser.add_argument("--json", action="store_true", help="print the counts as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Deduplicate, and print what was found."""
    from threadmill.corpus.near_duplicates.dedup import DedupRules, dedup_files
    from threadmill.parallel.workers import WorkPlace

    if not 0 < arguments.threshold <= 1:
        raise UsageError(f"--threshold is a share above 0, at most 1, not {arguments.threshold}")
    if arguments.memory < 1:
        raise UsageError(f"--memory is a number of megabytes, 1 or more, not {arguments.memory}")
    rules = DedupRules(
        mark=arguments.mark,
        documents=not arguments.no_documents,
        paragraphs=not arguments.no_paragraphs,
        threshold=arguments.threshold,
        megabytes=arguments.memory,
        field=arguments.field,
    )
    started = time.monotonic()
    with live_text("reading …") as show:
        report = (lambda now: show(_line(now, time.monotonic() - started))) if show else None
        with _folder_of(arguments) as folder:
            place = WorkPlace(arguments.on, arguments.processes)
            tally = dedup_files(arguments.files, folder, rules, report or (lambda _: None), place)
    seconds = max(time.monotonic() - started, 0.001)
    if arguments.json:
        print(json.dumps({**asdict(tally), "seconds": round(seconds, 3)}))
    else:
        print(_summary(tally, rules.field, seconds))
        if tally.documents:
            print(f"the results are in {arguments.output}", file=sys.stderr)
    if not tally.documents:
        wanted = f"lines from <doc …> to </doc>, or a .jsonl file of objects with a field {rules.field!r}"
        print(f"threadmill: the input has no document; expected {wanted}", file=sys.stderr)
    return 0 if tally.documents else 1


@contextmanager
def _folder_of(arguments: argparse.Namespace) -> Iterator[Path]:
    """The directory for the results. For one file it lies beside it, and goes when the file is complete."""
    output = arguments.output
    if output.is_dir() or output.suffix not in _FILE_SUFFIXES:
        if any(is_same_file(output, one.parent) for one in arguments.files if isinstance(one, Path)):
            raise UsageError(f"the inputs lie in {output} and would be overwritten; name another directory")
        yield output
        return
    if len(arguments.files) > 1:
        raise UsageError(
            f"{output} is one file, but there are {len(arguments.files)} inputs; name a directory"
        )
    folder = output.with_name(f".{output.name}.dedup")
    yield folder  # an interrupted run finds its state there
    [result] = (file for file in folder.iterdir() if file.is_file() and file.suffix in _FILE_SUFFIXES)
    result.replace(output)
    shutil.rmtree(folder)


def _summary(counts: DedupCounts, field: str, seconds: float) -> str:
    return (
        f"{counts.documents:,} documents, {counts.duplicate_documents:,} of them near-duplicates; "
        f"{counts.paragraphs:,} paragraphs, {counts.duplicate_paragraphs:,} of them seen before; "
        f"{_broken(counts.broken, field)}{timedelta(seconds=round(seconds))}"
    )


def _broken(lines: int, field: str) -> str:
    return f"{lines:,} lines are not JSON objects with a text field {field!r}; " if lines else ""


def _line(progress: DedupProgress, seconds: float) -> str:
    rate = 1 / max(seconds, 0.001)
    left = progress.seconds_left(seconds)
    share = progress.octets / max(progress.total, 1)
    return (
        f"{progress.files_done} of {progress.files} files, {progress.file.name}, "
        f"{progress.counts.documents:,} documents, {progress.counts.duplicate_documents:,} near-duplicates; "
        f"{octets_per_second(progress.octets * rate)}, {progress.counts.documents * rate:,.0f} documents/s; "
        f"{share:.0%}" + ("" if left is None else f", {timedelta(seconds=round(left))} left")
    )
