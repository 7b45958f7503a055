"""Finds dates and times in forum text and markup of any language and says which moments they mean."""

from threadmill.dates.agreement import settle_order
from threadmill.dates.column import Column, Reading, read_column
from threadmill.dates.detection import DATE, TIME, Span, detect
from threadmill.dates.normalisation import normalise
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
