"""Finds dates and times in forum text and markup of any language and says which moments they mean."""

from threadmill.dates.columns.date_column import Column, Reading, read_column
from threadmill.dates.columns.day_month_order import settle_order
from threadmill.dates.detection import DATE, TIME, Span, detect
from threadmill.dates.meaning.normalisation import normalise
from threadmill.types import Moment, Precision

__all__ = [
    "DATE",
    "TIME",
    "Column",
    "Moment",
    "Precision",
    "Reading",
    "Span",
    "detect",
    "normalise",
    "read_column",
    "settle_order",
]
