"""Finds dates and times in forum text and markup of any language, and tells which moments they mean.

The way of a text: tokens.py splits it (lexicon.py knows the words), patterns.py matches its tokens,
number_dates.py and word_dates.py read the matches, false_dates.py rejects what only looks like a date,
scan.py pairs dates with times, written_dates.py decides which moment a date means, date_column.py settles a
whole column.
"""

from threadmill.dates.date_column import (
    ColumnReading,
    DateColumn,
    read_date_column,
    settle_date_order,
)
from threadmill.dates.scan import DATE, TIME, DateSpan, attribute_misleads, find_dates, parse_date
from threadmill.types import Moment, Precision

__all__ = [
    "DATE",
    "TIME",
    "ColumnReading",
    "DateColumn",
    "DateSpan",
    "Moment",
    "Precision",
    "attribute_misleads",
    "find_dates",
    "parse_date",
    "read_date_column",
    "settle_date_order",
]
