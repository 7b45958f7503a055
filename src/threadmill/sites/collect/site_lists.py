"""Reads lists of sites as people have them: one a line, or a column of a CSV, TSV or Excel file."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from threadmill.errors import MissingDependencyError, URLError, UsageError
from threadmill.urls import canonicalise

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
# A domain or address without a scheme: at least one dot, an ending of letters.
_DOMAIN = re.compile(
    r"(?:[\w-]{1,63}\.)+(?:xn--[\w-]{2,59}|[^\W\d_]{2,63})\.?(?::\d{1,5})?(?:[/?#]\S*)?|\d+(?:\.\d+){3}(?::\d+)?\S*"
)
_SEPARATORS = "\t;,|"
_EXCEL = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_MOST_BYTES_OF_EXCEL = 200_000_000  # unpacked: a file that grows to more is an attack
_MOST_COLUMNS = 200
_HEAD = 4096  # bytes in which a file that is no text shows it
_MOST_NAMED = 20


@dataclass(frozen=True, slots=True)
class SkippedLine:
    """A line of a list that names no site."""

    number: int  # from 1, as an editor or a spreadsheet counts
    text: str


@dataclass(frozen=True, slots=True)
class SiteList:
    """The sites of a list, each once, and the lines that name none."""

    urls: tuple[str, ...]
    skipped: tuple[SkippedLine, ...] = ()

    def problems(self) -> Iterator[str]:
        """What was skipped, in sentences."""
        for line in self.skipped[:_MOST_NAMED]:
            yield f"line {line.number} names no site and is skipped: {line.text[:60]!r}"
        if len(self.skipped) > _MOST_NAMED:
            yield f"… and {len(self.skipped) - _MOST_NAMED:,} more lines"


def read_site_list(content: bytes, least: int = 2) -> SiteList:
    """The sites of a file. Raise UsageError if it names fewer than are needed."""
    rows = _rows_of_excel(content) if content.startswith(_EXCEL) else _rows_of_text(decode_list(content))
    found: dict[str, None] = {}
    skipped: list[SkippedLine] = []
    column = _column_of_sites(rows)
    for number, cells in rows:
        cell = cells[column].strip() if column < len(cells) else ""
        url = site_url(cell)
        if url is not None:
            found[url] = None
        elif cell and not _is_header(number, rows, column):
            skipped.append(SkippedLine(number, cell))
    require_sites(len(found), least)
    return SiteList(tuple(found), tuple(skipped))


def require_sites(count: int, least: int = 2) -> None:
    """Raise UsageError if a list names too few sites."""
    if count < least:
        needed = "two sites" if least == 2 else "one site"
        raise UsageError(
            f"expected at least {needed}, a URL or domain a line, or a column of them in a table, "
            f"but found {count}"
        )


def site_url(text: str) -> str | None:
    """The URL that a cell or a line names: a URL or a bare domain, maybe with a remark behind it."""
    words = text.split()
    word = words[0].strip("\"'<>,;") if words else ""
    if not _SCHEME.match(word):
        if not _DOMAIN.fullmatch(word):
            return None
        word = f"http://{word}"
    with suppress(URLError):
        canonicalise(word)
        return word if word.count("/") > 2 else f"{word}/"
    return None


def decode_list(content: bytes) -> str:
    """The text of a list: UTF-8, UTF-16 with its mark, or else Windows-1252, as old editors write it."""
    wide = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    if not wide and b"\0" in content[:_HEAD]:
        raise UsageError(
            "expected a list as text, CSV, TSV or Excel, but the file is none of them; save it as CSV"
        )
    for encoding in ("utf-16",) if wide else ("utf-8-sig", "cp1252"):
        with suppress(UnicodeDecodeError):
            return content.decode(encoding)
    return content.decode("latin-1")


Rows = Sequence[tuple[int, Sequence[str]]]


def _rows_of_text(text: str) -> Rows:
    """The lines of a text, cut into cells where most of them have the same separator."""
    lines = [
        (number, line)
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    separator = _separator_of([line for _, line in lines[:200]])
    if not separator:
        return [(number, (line,)) for number, line in lines]
    rows = []
    for number, line in lines:
        with suppress(csv.Error):
            rows.append((number, next(csv.reader(io.StringIO(line), delimiter=separator))[:_MOST_COLUMNS]))
    return rows


def _separator_of(lines: Sequence[str]) -> str:
    """The separator that stands in nearly every line; empty if there is none, as in a plain list."""
    for separator in _SEPARATORS:
        if sum(separator in line for line in lines) >= 0.9 * len(lines) > 0:
            return separator
    return ""


def _column_of_sites(rows: Rows) -> int:
    """The column with the most sites; the first of several."""
    counts: dict[int, int] = {}
    for _, cells in rows[:1000]:
        for place, cell in enumerate(cells):
            counts[place] = counts.get(place, 0) + (site_url(cell) is not None)
    return max(counts, key=lambda place: (counts[place], -place), default=0)


def _is_header(number: int, rows: Rows, column: int) -> bool:
    """Whether a line without a site is the first one of a table, with the names of its columns."""
    return bool(rows) and number == rows[0][0] and (len(rows[0][1]) > 1 or column == 0)


def _rows_of_excel(content: bytes) -> Rows:
    try:
        import openpyxl
    except ImportError:
        raise MissingDependencyError("openpyxl", "xlsx", "Reading Excel files") from None
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            if sum(part.file_size for part in parts.infolist()) > _MOST_BYTES_OF_EXCEL:
                raise UsageError("this Excel file is too large to unpack; save it as CSV")
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        try:
            return list(_cells_of(book.worksheets))
        finally:
            book.close()
    except UsageError:
        raise
    except Exception:  # a damaged file raises anything
        raise UsageError("this Excel file cannot be read; save it as CSV") from None


def _cells_of(sheets: Iterable[object]) -> Iterator[tuple[int, Sequence[str]]]:
    """The rows of the first sheet that has any."""
    for sheet in sheets:
        rows = [
            (number, tuple("" if cell is None else str(cell) for cell in cells[:_MOST_COLUMNS]))
            for number, cells in enumerate(sheet.iter_rows(values_only=True), 1)  # type: ignore[attr-defined]
        ]
        if any(any(cells) for _, cells in rows):
            yield from ((number, cells) for number, cells in rows if any(cells))
            return
