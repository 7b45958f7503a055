"""The verb `dedup`: leave near-duplicate documents and paragraphs out of vertical or JSON-lines files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from threadmill.errors import UsageError

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
    from threadmill.corpus.dedup import Rules, dedup_files

    if not 0 < arguments.threshold <= 1:
        raise UsageError(f"--threshold is a share above 0 and up to 1, not {arguments.threshold}")
    if arguments.memory < 1:
        raise UsageError(f"--memory is a number of megabytes from 1 on, not {arguments.memory}")
    rules = Rules(
        mark=arguments.mark,
        documents=not arguments.no_documents,
        paragraphs=not arguments.no_paragraphs,
        threshold=arguments.threshold,
        megabytes=arguments.memory,
        field=arguments.field,
    )
    tally = dedup_files(arguments.files, arguments.output, rules, _say)
    print(
        f"{tally.documents} documents, {tally.duplicate_documents} of them near-duplicates; "
        f"{tally.paragraphs} paragraphs, {tally.duplicate_paragraphs} of them seen before; "
        f"{tally.broken} lines were no JSON objects"
    )
    return 0


def _say(file: Path) -> None:
    if sys.stderr.isatty():
        print(f"{file} …", file=sys.stderr)
