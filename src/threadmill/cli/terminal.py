"""What a command shows on the terminal while it works, and how it writes files and cells of a table."""

from __future__ import annotations

import json
import logging
import os
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.console import Console

    from threadmill.archive.remote_files import AnyFile
    from threadmill.parallel.parts import PartOutcome

# Spreadsheets compute cells that begin with one of these.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_WIDTH = 140  # of tables in a file or a pipe, which have no edge


def table_console(width: int = _WIDTH) -> Console:
    """A console for tables on standard output. Into a file or a pipe they are wide, unless COLUMNS is set."""
    from rich.console import Console

    class TableConsole(Console):
        def on_broken_pipe(self) -> None:
            """Let `main` end: whoever read the table, such as head, has seen enough, and nothing is wrong."""
            raise BrokenPipeError

    console = TableConsole()
    if not console.is_terminal and not has_width():
        console.width = width
    return console


def has_width() -> bool:
    """Does the environment say how wide the output is?"""
    return os.environ.get("COLUMNS", "").isdigit()


def printable(text: str) -> str:
    """Replace characters that control a terminal: control characters, escapes, changes of direction."""
    if text.isprintable():
        return text
    return "".join(
        c if c in "\n\t" or c.isprintable() or c == "\u200d" else "\ufffd" for c in text.replace("\r\n", "\n")
    )


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: 1 page, 2 pages, 1,000 pages."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def octets_per_second(rate: float) -> str:
    """A rate in a unit in which it is no zero."""
    return f"{rate / 1e6:,.1f} MB/s" if rate >= 1e6 else f"{rate / 1e3:.1f} kB/s"


def guard_cell(cell: object) -> object:
    """A cell of a CSV file that no spreadsheet takes for a formula: an apostrophe goes before it."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


@contextmanager
def complete_file(path: Path) -> Iterator[Path]:
    """A file to write in the place of another. It takes that place when it is complete.

    A command that is killed or fails leaves the earlier file as it was. The new file may be read by those who
    could read the earlier one. Pipes are written directly.
    """
    if path.exists() and not path.is_file():
        yield path
        return
    target = path.resolve()
    part = target.with_name(f".{target.name}.part")
    try:
        if target.exists():  # before it is written: it must not be open to others even for a moment
            part.touch(mode=stat.S_IRUSR | stat.S_IWUSR)
            part.chmod(stat.S_IMODE(target.stat().st_mode) | stat.S_IWUSR)
        yield part
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


@contextmanager
def live_text(first: str, *, quiet: bool = False) -> Iterator[Callable[[str], None] | None]:
    """A text on standard error that the caller replaces while it works. None where there is no terminal."""
    if quiet or not sys.stderr.isatty() or logging.getLogger("threadmill").isEnabledFor(logging.INFO):
        yield None
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text  # a URL may hold brackets, which are markup in a plain string

    console = Console(stderr=True)
    with Live(Text(first), console=console, refresh_per_second=4, transient=True) as live:
        yield lambda text: live.update(Text(text))


_Item = TypeVar("_Item")


def show_count(items: Iterable[_Item], what: str, *, quiet: bool = False) -> Iterator[_Item]:
    """Hand items on. On a terminal, show meanwhile how many they are, and how many a second."""
    with live_text(f"{what} …", quiet=quiet) as show:
        started = time.monotonic()
        for number, item in enumerate(items, 1):
            yield item
            if show is not None:
                rate = number / max(0.001, time.monotonic() - started)
                show(f"{what}: {number:,} ({rate:,.0f} a second)")


def show_parts(outcomes: Iterable[PartOutcome], files: Sequence[AnyFile]) -> Iterator[PartOutcome]:
    """Hand parts of an output on. On a terminal, show meanwhile what is done, how fast, and the time left."""
    from threadmill.archive.remote_files import file_size

    with live_text("reading …") as show:
        if show is None:
            yield from outcomes
            return
        total, started = sum(map(file_size, files)), time.monotonic()
        done = pages = octets = 0
        for outcome in outcomes:
            yield outcome
            done += len(outcome.files)
            octets += sum(map(file_size, outcome.files))
            pages += sum(part.counts.get("pages", 0) for part in outcome.parts)
            seconds = max(0.001, time.monotonic() - started)
            left = timedelta(seconds=round(seconds * (total - octets) / max(1, octets)))
            show(
                f"{done} of {counted(len(files), 'file')}, {counted(pages, 'page')}; "
                f"{octets_per_second(octets / seconds)}, {pages / seconds:,.0f} pages/s; "
                f"{octets / max(1, total):.0%}, {left} left"
            )


_LEVELS = {"--verbose": logging.INFO, "--debug": logging.DEBUG}
_LOG_JSON = "--log-json"


def start_logging(words: Sequence[str]) -> list[str]:
    """Log to standard error as --verbose, --debug and --log-json say. Return the words without them."""
    end = list(words).index("--") if "--" in words else len(words)
    own = [word for word in words[:end] if word in _LEVELS or word == _LOG_JSON]
    handler = logging.StreamHandler()
    handler.setFormatter(_JsonLines() if _LOG_JSON in own else _PlainLines())
    log = logging.getLogger("threadmill")
    log.handlers = [handler]
    # Whoever wants JSON lines wants to know what happens.
    default = logging.INFO if _LOG_JSON in own else logging.WARNING
    log.setLevel(min((_LEVELS[word] for word in own if word in _LEVELS), default=default))
    return [word for number, word in enumerate(words) if number >= end or word not in own]


class _PlainLines(logging.Formatter):
    """The time, the level and the message on one line."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC)
        message = " ".join(record.getMessage().splitlines())
        return f"{at:%Y-%m-%dT%H:%M:%SZ} {record.levelname.lower():7} {message}"


class _JsonLines(logging.Formatter):
    """One JSON object a line, for programs that collect logs."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        told = {"at": at, "level": record.levelname.lower(), "from": record.name}
        return json.dumps({**told, "message": record.getMessage()}, ensure_ascii=False)
