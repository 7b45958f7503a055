"""Types and options of the command line that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from threadmill.errors import UsageError


def whole_number(least: int) -> Callable[[str], int]:
    """An argument type: a whole number, `least` or more."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least:
            raise argparse.ArgumentTypeError(f"expected a whole number, {least} or more, not {text!r}")
        return number

    return read


def port(text: str) -> int:
    """An argument type: the number of a TCP port; 0: any free one."""
    number = whole_number(0)(text)
    if number > 65535:
        raise argparse.ArgumentTypeError(f"expected a port, 0 to 65535, not {text!r}")
    return number


def seconds(text: str) -> float:
    """An argument type: a number of seconds, 0 or more."""
    return _number(text, "a number of seconds, 0 or more", least=0.0)


def positive_number(text: str) -> float:
    """An argument type: a number above 0."""
    return _number(text, "a number above 0", least=1e-9)


def _number(text: str, expected: str, least: float) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not least <= number < float("inf"):
        raise argparse.ArgumentTypeError(f"expected {expected}, not {text!r}")
    return number


def score(text: str) -> float:
    """An argument type: a score from 0 to 1."""
    number = _number(text, "a score from 0 to 1", least=0.0)
    if number > 1:
        raise argparse.ArgumentTypeError(f"expected a score from 0 to 1, not {text!r}")
    return number


def read_now(text: str | None) -> datetime | None:
    """The value of --now."""
    try:
        return datetime.fromisoformat(text) if text else None
    except ValueError as error:
        raise UsageError(f"--now is a date and time such as 2020-06-01T12:00, not {text!r}") from error


def add_workspace(parser: argparse.ArgumentParser, help_text: str, default: str = "threadmill-work") -> None:
    """Add the option --workspace."""
    parser.add_argument(
        "--workspace",
        type=Path,
        default=Path(default),
        metavar="DIR",
        help=f"{help_text} (default: {default})",
    )


def add_index_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option --index of `threadmill index` and `threadmill search`."""
    parser.add_argument(
        "--index",
        type=Path,
        default=Path("threadmill-index"),
        metavar="DIR",
        help="the directory of the index (default: threadmill-index)",
    )
