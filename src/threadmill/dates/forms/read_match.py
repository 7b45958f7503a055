"""Turns a match of the grammar into a date as it is written, or refuses it."""

from __future__ import annotations

from threadmill.dates.forms.named_dates import read_marked, read_month, read_named
from threadmill.dates.forms.numeric_dates import (
    read_compact,
    read_epoch,
    read_month_year,
    read_numeric,
    read_partial,
)
from threadmill.dates.forms.relative_dates import (
    read_count,
    read_counted,
    read_last_weekday,
    read_phrase,
    read_weekday,
)
from threadmill.dates.forms.written_dates import DateForm
from threadmill.dates.grammar.match import Match

_READERS = {
    "named": read_named,
    "marked": read_marked,
    "numeric": read_numeric,
    "spaced": read_numeric,
    "compact": read_compact,
    "epoch": read_epoch,
    "month": read_month,
    "partial": read_partial,
    "monthyear": read_month_year,
    "phrase": read_phrase,
    "counted": read_counted,
    "lastweekday": read_last_weekday,
    "now": read_phrase,
    "ago": read_count,
    "hence": read_count,
    "age": read_count,
    "weekday": read_weekday,
}


def read_date(match: Match) -> DateForm | None:
    """The date a match says, or None when the shape deceives."""
    reader = _READERS[match.name]
    return reader(match)
