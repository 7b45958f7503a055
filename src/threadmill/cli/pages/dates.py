"""The verb `dates`: show the dates and times of a text, a file or a page, or read lines as one column."""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from threadmill.dates import find_dates, parse_date, read_date_column
from threadmill.dates.text.lexicon import load_lexicon
from threadmill.errors import UsageError

EXAMPLES = """\
  threadmill dates "Post » alan # 05 Sep 2005, 10:48"
  threadmill dates page.html
  threadmill dates --column --now 2020-06-01 < cells.txt
  threadmill dates --json "昨天 12:00"
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `threadmill dates`."""
    parser.add_argument(
        "text", nargs="*", help="texts or files to read; standard input, line by line, for - or without any"
    )
    parser.add_argument("--file", type=Path, help="read this text or HTML file, with --column its lines")
    parser.add_argument("--column", action="store_true", help="read all texts as the cells of one column")
    parser.add_argument(
        "--now", help="the moment relative dates count from, ISO 8601 (default: the clock, UTC)"
    )
    parser.add_argument("--language", help="language of the texts, as a code such as de; any without it")
    parser.add_argument("--json", action="store_true", help="print JSON lines")


def run(arguments: argparse.Namespace) -> int:
    """Print what the texts say; 1 when there is no date at all."""
    _check_language(arguments.language)
    texts = _read_texts(arguments)
    now = _read_now(arguments.now)
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
            content = Path(text).read_text(encoding="utf-8", errors="replace")
            found += content.splitlines() if arguments.column else [content]
        else:
            found.append(text)
    return found


def _is_file(text: str) -> bool:
    """Whether a text is the path of a file; one with a NUL, or too long for a path, is none."""
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False


def _check_language(language: str | None) -> None:
    if language and not load_lexicon(language).bit(language):
        raise UsageError(f"--language wants a code that CLDR knows, such as de or pt-BR, not {language!r}")


def _read_now(text: str | None) -> datetime:
    if text is None:
        return datetime.now(UTC)
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"--now wants ISO 8601 such as 2020-06-01T12:00, not {text!r}") from error


def _show_text(text: str, now: datetime, arguments: argparse.Namespace) -> int:
    spans = find_dates(text, arguments.language)
    moment = parse_date(text, now, arguments.language)
    if arguments.json:
        found = [
            {"start": s.start, "end": s.end, "label": s.label, "text": text[s.start : s.end]} for s in spans
        ]
        print(json.dumps({"spans": found, "moment": moment and moment.isoformat()}, ensure_ascii=False))
    else:
        for span in spans:
            print(f"{span.start}–{span.end}\t{span.label}\t{text[span.start : span.end]}")
        print(f"moment\t{moment.isoformat() if moment else 'none'}")
    return 0 if moment else 1


def _show_column(cells: list[str], now: datetime, arguments: argparse.Namespace) -> int:
    column = read_date_column(cells, now, arguments.language)
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
