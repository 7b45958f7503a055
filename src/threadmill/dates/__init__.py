"""Finds dates and times in forum text and markup of any language, and tells which moments they mean.

The way of a text: text/ splits it into tokens, grammar/ matches and reads patterns, context/ rejects false
dates and pairs dates with times, meaning/ decides which moment a written date means, columns/ settles a date
column.
"""

from threadmill.dates.columns.date_column import (
    ColumnReading,
    DateColumn,
    read_date_column,
    settle_date_order,
)
from threadmill.dates.scan import DATE, TIME, DateSpan, find_dates, parse_date
from threadmill.types import Moment, Precision

__all__ = [
    "DATE",
    "TIME",
    "ColumnReading",
    "DateColumn",
    "DateSpan",
    "Moment",
    "Precision",
    "find_dates",
    "parse_date",
    "read_date_column",
    "settle_date_order",
]
