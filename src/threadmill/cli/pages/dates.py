"""`threadmill dates`: show the dates of a text, a file or a page, or read lines as one column of dates."""

from __future__ import annotations

import argparse
import json
import sys
from datetime import datetime
from pathlib import Path

from threadmill.api.dates import find_dates, read_date_column
from threadmill.cli.arguments import read_now
from threadmill.errors import UsageError

EXAMPLES = """\
  threadmill dates "Post » alan # 05 Sep 2005, 10:48"
  threadmill dates page.html
  threadmill dates --column --now 2020-06-01 < cells.txt
  threadmill dates --json "昨天 12:00"
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("text", nargs="*", help="texts or files; - or nothing: the lines of standard input")
    parser.add_argument(
        "--file", type=Path, help="a text or HTML file; with --column, its lines are the cells"
    )
    parser.add_argument("--column", action="store_true", help="read all texts as the cells of one column")
    parser.add_argument(
        "--now", help="relative dates count from this date and time, ISO 8601 (default: the clock, UTC)"
    )
    parser.add_argument("--language", help="language of the texts, such as de (default: any)")
    parser.add_argument("--json", action="store_true", help="print JSON lines")


def run(arguments: argparse.Namespace) -> int:
    """Print the dates. The exit code is 1 when there is none."""
    if arguments.file and arguments.text:
        raise UsageError("give texts or --file FILE, not both")
    texts = _read_texts(arguments)
    now = read_now(arguments.now)
    if arguments.column:
        return _show_column(texts, now, arguments)
    return max((_show_text(text, now, arguments) for text in texts), default=1)


def _read_texts(arguments: argparse.Namespace) -> list[str]:
    paths = [arguments.file] if arguments.file else []
    texts = [] if paths else arguments.text or ["-"]
    found: list[str] = []
    for text in [*paths, *texts]:
        if text == "-":
            found += [line.rstrip("\n") for line in sys.stdin]
        elif isinstance(text, Path) or _is_file(text):
            content = _read_file(Path(text))
            found += content.splitlines() if arguments.column else [content]
        else:
            found.append(text)
    return found


def _read_file(file: Path) -> str:
    from threadmill.page.obstacles import name_of_binary

    content = file.read_bytes()
    thing = name_of_binary(content)
    if thing:
        raise UsageError(f"expected a text or a page, but {file} is {thing}")
    return content.decode("utf-8", "replace")


def _is_file(text: str) -> bool:
    """Is the text the path of a file? A text with a NUL, or longer than a path may be, is not."""
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False


def _show_text(text: str, now: datetime | None, arguments: argparse.Namespace) -> int:
    found = find_dates(text, now=now, language=arguments.language)
    moment = found.moment.isoformat() if found.moment else None
    if arguments.json:
        spans = [
            {"start": s.start, "end": s.end, "label": s.label, "text": text[s.start : s.end]}
            for s in found.spans
        ]
        print(json.dumps({"spans": spans, "moment": moment}, ensure_ascii=False))
    else:
        for span in found.spans:
            print(f"{span.start}–{span.end}\t{span.label}\t{text[span.start : span.end]}")
        print(f"moment\t{moment or 'none'}")
    return 0 if moment else 1


def _show_column(cells: list[str], now: datetime | None, arguments: argparse.Namespace) -> int:
    column = read_date_column(cells, now=now, language=arguments.language)
    for cell, moment in zip(cells, column.moments, strict=True):
        value = moment.isoformat() if moment else None
        if arguments.json:
            print(json.dumps({"cell": cell, "moment": value}, ensure_ascii=False))
        else:
            print(f"{value or 'none'}\t{cell}")
    print(f"confidence {column.confidence}, order {column.order or '-'}", file=sys.stderr)
    for reading in column.readings:
        values = ", ".join(m.isoformat() if m else "none" for m in reading.moments)
        print(f"{reading.order} ({reading.confidence:.2f}): {values}", file=sys.stderr)
    return 0 if any(column.moments) else 1
