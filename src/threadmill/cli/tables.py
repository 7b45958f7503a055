"""Tables that a command prints or writes: for people, as CSV, or as JSON lines."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

from threadmill.cli.terminal import complete_file, guard_cell, table_console

TableRow = Mapping[str, Any]


def add_table_options(parser: argparse.ArgumentParser) -> None:
    """Declare how a table is written."""
    parser.add_argument("--format", choices=["table", "csv", "jsonl"], help="default: table; with -o: csv")
    parser.add_argument("--json", action="store_true", help="the same as --format jsonl")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: standard output")


def write_rows(
    rows: Iterable[TableRow], columns: Sequence[str], arguments: argparse.Namespace, right: Iterable[str] = ()
) -> int:
    """Write rows as the options say, one at a time. `right` names columns of numbers. Return their count."""
    form = "jsonl" if arguments.json else arguments.format or ("csv" if arguments.output else "table")
    with ExitStack() as stack:
        out: IO[str] = sys.stdout
        if arguments.output is not None:
            file = stack.enter_context(complete_file(arguments.output))
            out = stack.enter_context(file.open("w", encoding="utf-8", newline=""))
        if form == "jsonl":
            return _write_json(rows, out)
        if form == "csv":
            return _write_csv(rows, columns, out)
        return _print_table(rows, columns, frozenset(right), out)


def _write_json(rows: Iterable[TableRow], out: IO[str]) -> int:
    count = 0
    for count, row in enumerate(rows, 1):  # noqa: B007 -- the last one is the result
        out.write(json.dumps(dict(row), ensure_ascii=False) + "\n")
    return count


def _write_csv(rows: Iterable[TableRow], columns: Sequence[str], out: IO[str]) -> int:
    table = csv.DictWriter(out, columns)
    table.writeheader()
    count = 0
    for count, row in enumerate(rows, 1):  # noqa: B007 -- the last one is the result
        table.writerow({name: guard_cell(row[name]) for name in columns})
    return count


def _print_table(
    rows: Iterable[TableRow], columns: Sequence[str], right: frozenset[str], out: IO[str]
) -> int:
    from rich.table import Table
    from rich.text import Text  # a title may hold brackets, which are markup in a plain string

    table = Table(box=None, pad_edge=False)
    for name in columns:
        table.add_column(
            name.replace("_", " "), justify="right" if name in right else "left", overflow="fold"
        )
    count = 0
    for count, row in enumerate(rows, 1):  # noqa: B007 -- the last one is the result
        table.add_row(*(Text(_as_text(row[name])) for name in columns))
    console = table_console()
    console.file = out
    console.print(table)
    return count


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
