"""Dates in text: find them in one text, or read a column of dates together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from threadmill import dates
from threadmill.dates import DateColumn, DateSpan
from threadmill.dates.lexicon import load_lexicon
from threadmill.errors import UsageError
from threadmill.types import Moment


@dataclass(frozen=True, slots=True)
class FoundDates:
    """The dates and times of a text, and one moment.

    `spans` has the place of each date and of each time, in the order of the text. `moment` is the first full
    date with its time, as the date of a post stands in its header. None means that there is no date.
    """

    spans: tuple[DateSpan, ...]
    moment: Moment | None


def find_dates(text: str, *, now: datetime | None = None, language: str | None = None) -> FoundDates:
    """Find dates and times in a text or in HTML, in any of 300 languages.

    Relative dates such as "yesterday" count from `now`; the default is the clock. `language` is a code such
    as "de". Without it, every language is tried. It says which words are read, not whether 3/4 is in March or
    April: for that, give a whole column to `read_date_column`.

    >>> import threadmill
    >>> from datetime import datetime
    >>> text = "Post by alan, 5 Sep 2005, 10:48"
    >>> found = threadmill.find_dates(text)
    >>> [text[span.start : span.end] for span in found.spans]
    ['5 Sep 2005', '10:48']
    >>> found.moment.isoformat()
    '2005-09-05T10:48'
    >>> threadmill.find_dates("昨天 12:00", now=datetime(2024, 5, 31)).moment.isoformat()
    '2024-05-30T12:00'
    """
    if not isinstance(text, str):
        raise UsageError(f"expected a text as str, not {type(text).__name__}")
    _check_language(language)
    moment = dates.parse_date(text, now or datetime.now(UTC), language)
    return FoundDates(tuple(dates.find_dates(text, language)), moment)


def read_date_column(
    cells: Iterable[str | None], *, now: datetime | None = None, language: str | None = None
) -> DateColumn:
    """Read the cells of one column together. What one cell leaves open, the others decide.

    The result has a moment or None for each cell. A cell may be None: it is empty. Where several
    readings fit, it has all of them.

    >>> import threadmill
    >>> column = threadmill.read_date_column(["03/04/2005", "04/04/2005", "27/04/2005"])
    >>> [moment.isoformat() for moment in column.moments]
    ['2005-04-03', '2005-04-04', '2005-04-27']
    >>> column.order
    'dmy'
    """
    if isinstance(cells, str | bytes) or not isinstance(cells, Iterable):
        raise UsageError(
            f"expected the cells of a column, such as a list of texts, not {type(cells).__name__}; "
            "for one text there is find_dates"
        )
    texts = [cell or "" for cell in cells]
    for cell in texts:
        if not isinstance(cell, str):
            raise UsageError(f"expected each cell as str or None, not {type(cell).__name__}")
    _check_language(language)
    return dates.read_date_column(texts, now or datetime.now(UTC), language)


def _check_language(language: str | None) -> None:
    if language and not load_lexicon(language).bit(language):
        raise UsageError(f"expected a language code of CLDR, such as de or pt-BR, not {language!r}")
