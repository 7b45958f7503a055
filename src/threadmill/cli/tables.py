"""Tables that a command prints or writes: for people, as CSV, or as JSON lines.

A table fits the width of the terminal. Addresses go below their rows, and long texts are wrapped. If that is
not enough, the last columns go below as well; without addresses, the columns are printed in groups that each
begin with the first column. Nothing is left out, but a "no" below a row.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from threadmill.cli.terminal import complete_file, counted, guard_cell, has_width, printable, table_console
from threadmill.errors import UsageError

if TYPE_CHECKING:
    from rich.text import Text

TableRow = Mapping[str, Any]

_GAP = 2  # spaces between columns
_LEAST_TEXT = 16  # a column of text is not made narrower: about two words a line
_MEASURED_ROWS = 1000  # the widths follow these rows; a longer cell further down is wrapped
_LONG_WORD = 40  # longer words without a space, such as addresses and paths, cannot be read in pieces
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:[\d.]+)?(Z|[+-]\d\d:\d\d)?").fullmatch
_ENDINGS = {".jsonl": "jsonl", ".json": "jsonl", ".ndjson": "jsonl", ".txt": "table"}
_OTHER_FORMS = (".xlsx", ".xls", ".ods", ".parquet", ".html", ".pdf", ".xml", ".gexf")
_ONE_LINE = str.maketrans("\n\t", "  ")


@dataclass(frozen=True, slots=True)
class TableColumns:
    """The columns of a table. `right`: aligned to the right. `cut`: shortened, not wrapped."""

    names: Sequence[str]
    right: Collection[str] = ()
    cut: Collection[str] = ()


def add_table_options(parser: argparse.ArgumentParser) -> None:
    """Declare how a table is written."""
    parser.add_argument(
        "--format",
        choices=["table", "csv", "jsonl"],
        help="default: table; with -o: by its ending (.csv, .jsonl, .txt), or csv",
    )
    parser.add_argument("--json", action="store_true", help="the same as --format jsonl")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: standard output")


def write_rows(rows: Iterable[TableRow], columns: TableColumns, arguments: argparse.Namespace) -> int:
    """Write rows as the options say, one at a time. Return their count."""
    if arguments.json and arguments.format not in {None, "jsonl"}:
        raise UsageError(f"--json and --format {arguments.format} contradict each other; leave one out")
    form = "jsonl" if arguments.json else arguments.format or _form_of(arguments.output)
    with ExitStack() as stack:
        out: IO[str] = sys.stdout
        if arguments.output is not None:
            file = stack.enter_context(complete_file(arguments.output))
            out = stack.enter_context(file.open("w", encoding="utf-8", newline=""))
        if form == "jsonl":
            count = _write_json(rows, out)
        elif form == "csv":
            count = _write_csv(rows, columns.names, out)
        else:
            count = print_table(rows, columns, out=out)
    if arguments.output is not None:
        verb = "is" if count == 1 else "are"
        print(f"{counted(count, 'row')} {verb} in {arguments.output}", file=sys.stderr)
    return count


def _form_of(output: Path | None) -> str:
    """The form that the name of the output tells."""
    if output is None:
        return "table"
    ending = output.suffix.lower()
    if ending in _OTHER_FORMS:
        raise UsageError(
            f"a table is written as CSV or JSON lines, not as {ending}; name the file .csv or .jsonl, or say "
            "which with --format"
        )
    return _ENDINGS.get(ending, "csv")


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


def print_table(
    rows: Iterable[TableRow], columns: TableColumns, *, title: str = "", out: IO[str] | None = None
) -> int:
    """Print rows for people, in the width of the terminal. Return their count."""
    console = table_console()
    if out is not None:
        console.file = out
    counted = _CountedRows(rows)
    # A pipe or a file has no edge: a row stays on one line there, for grep and the like.
    width = console.width if console.is_terminal or has_width() else sys.maxsize
    for line in table_lines(counted, columns, width, title=title):
        console.print(line, soft_wrap=True, highlight=False)
    return counted.count


class _CountedRows:
    """Counts rows while they are printed."""

    def __init__(self, rows: Iterable[TableRow]) -> None:
        self._rows = rows
        self.count = 0

    def __iter__(self) -> Iterator[TableRow]:
        for row in self._rows:
            self.count += 1
            yield row


def table_lines(
    rows: Iterable[TableRow], columns: TableColumns, width: int, *, title: str = ""
) -> Iterator[Text]:
    """The lines of a table that is at most `width` wide. Addresses below a row are never broken."""
    from rich.text import Text

    if title:
        yield Text(printable(title), style="italic")
    cells = ({name: _as_text(row[name]) for name in columns.names} for row in rows)
    first = list(islice(cells, _MEASURED_ROWS))
    if not first:
        return  # headings without a row tell nothing
    layout = _layout(first, columns, width)
    if len(layout.groups) == 1:
        yield from _block(chain(first, cells), columns, layout, layout.groups[0])
        return
    while first:
        for group in layout.groups:
            yield from _block(first, columns, layout, group)
            yield Text("")
        first = list(islice(cells, _MEASURED_ROWS))


@dataclass(frozen=True, slots=True)
class _TableLayout:
    """Which columns stand beside each other, how wide each is, and which go below a row.

    Of those below, `addresses` have a line each, and the `others` share one.
    """

    groups: Sequence[Sequence[str]]
    widths: Mapping[str, int]
    addresses: Sequence[str] = ()
    others: Sequence[str] = ()


def _layout(rows: Sequence[Mapping[str, str]], columns: TableColumns, width: int) -> _TableLayout:
    from rich.cells import cell_len

    names = list(columns.names)
    widths = {
        name: max(
            max((cell_len(word) for word in _heading(name).split()), default=1),
            max((cell_len(row[name]) for row in rows), default=0),
        )
        for name in names
    }
    if _total(widths, names) <= width:
        return _TableLayout([names], widths)
    addresses = [
        name for name in names[1:] if name not in columns.cut and any(_is_address(row[name]) for row in rows)
    ]
    beside = [name for name in names if name not in addresses]
    narrowest = {
        name: min(widths[name], _LEAST_TEXT)
        if name in columns.cut or name not in columns.right
        else widths[name]
        for name in beside
    }
    others: list[str] = []
    while addresses and len(beside) > 1 and _total(narrowest, beside) > width:
        others.insert(0, beside.pop())
    # The widest text gives way first, one cell at a time, so that all texts end equally wide.
    while _total(widths, beside) > width:
        widest = max(beside, key=lambda name: (widths[name] > narrowest[name], widths[name]))
        if widths[widest] <= narrowest[widest]:
            break
        widths[widest] -= 1
    return _TableLayout(_groups(beside, widths, width), widths, addresses, others)


def _is_address(text: str) -> bool:
    return " " not in text and ("://" in text or (len(text) > _LONG_WORD and text.isascii()))


def _total(widths: Mapping[str, int], names: Sequence[str]) -> int:
    return sum(widths[name] for name in names) + _GAP * (len(names) - 1)


def _groups(names: Sequence[str], widths: Mapping[str, int], width: int) -> list[list[str]]:
    """Columns that fit beside each other. Each group begins with the first column."""
    groups: list[list[str]] = [[names[0]]]
    for name in names[1:]:
        if len(groups[-1]) > 1 and _total(widths, [*groups[-1], name]) > width:
            groups.append([names[0]])
        groups[-1].append(name)
    return groups


def _block(
    rows: Iterable[Mapping[str, str]], columns: TableColumns, layout: _TableLayout, group: Sequence[str]
) -> Iterator[Text]:
    """The lines of one group of columns. What goes below a row is printed with the first group."""
    from rich.text import Text

    headings = {name: _heading(name) for name in group}
    for line in _beside(headings, columns, layout.widths, group, wrap_all=True):
        yield Text(line, style="bold")
    for row in rows:
        for line in _beside(row, columns, layout.widths, group):
            yield Text(line)
        if group is layout.groups[0]:
            yield from (Text(line, style="dim") for line in _below(row, layout))


def _below(row: Mapping[str, str], layout: _TableLayout) -> Iterator[str]:
    for name in layout.addresses:
        if row[name]:
            label = f"{_heading(name)}: " if len(layout.addresses) > 1 else ""
            yield f"  {label}{row[name]}"
    told = (name for name in layout.others if row[name] not in {"", _as_text(False)})
    others = "; ".join(f"{_heading(name)}: {row[name]}" for name in told)
    if others:
        yield f"  {others}"


def _beside(
    row: Mapping[str, str],
    columns: TableColumns,
    widths: Mapping[str, int],
    group: Sequence[str],
    *,
    wrap_all: bool = False,
) -> Iterator[str]:
    """The lines of one row: its cells beside each other, wrapped or shortened to their widths."""
    cells = [
        _wrapped(row[name], widths[name])
        if wrap_all or name not in columns.cut
        else [_shortened(row[name], widths[name], from_start=name in columns.right)]
        for name in group
    ]
    for number in range(max(map(len, cells))):
        parts = [
            _padded(cell[number] if number < len(cell) else "", widths[name], right=name in columns.right)
            for name, cell in zip(group, cells, strict=True)
        ]
        yield (" " * _GAP).join(parts).rstrip()


def _wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` cells, parted at spaces. A wide letter takes two cells."""
    from rich.cells import cell_len, chop_cells

    if cell_len(text) <= width:
        return [text]
    lines: list[str] = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if cell_len(joined) <= width:
            lines[-1] = joined
            continue
        pieces = chop_cells(word, width)
        lines[-1:] = [lines[-1], *pieces] if lines[-1] else pieces
    return lines


def _shortened(text: str, width: int, *, from_start: bool) -> str:
    """The text with an ellipsis at the side where it was cut."""
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) <= width:
        return text
    if not from_start:
        return set_cell_size(text, width - 1).rstrip() + "…"
    return "…" + set_cell_size(text[::-1], width - 1).rstrip()[::-1].lstrip()


def _padded(text: str, width: int, *, right: bool) -> str:
    from rich.cells import cell_len

    space = " " * max(0, width - cell_len(text))
    return space + text if right else text + space


def _heading(name: str) -> str:
    return name.replace("_", " ")


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, str) and (time := _TIME(value)):  # people need neither seconds nor the zone
        return f"{time[1]} {time[2]}"
    return printable(str(value)).translate(_ONE_LINE)
