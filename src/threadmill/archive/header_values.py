"""Reads dates and numbers of HTTP and WARC headers. Whatever comes, the result is a value or None."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_WHOLE_NUMBER = re.compile(r"-?[0-9]+", re.ASCII).fullmatch
_MAX_DIGITS = 12  # seconds of 30,000 years; Python refuses to read more than 4,300 digits
_MAX_DATE = 100  # a date takes 29 characters; reading a long text takes time


def read_http_date(value: str | None) -> datetime | None:
    """Read a date as in the Date header. The result is in UTC. None if it is no date, or an impossible one.

    >>> read_http_date("Tue, 15 Nov 1994 08:12:31 GMT")
    datetime.datetime(1994, 11, 15, 8, 12, 31, tzinfo=datetime.timezone.utc)
    """
    if not value or len(value) > _MAX_DATE:
        return None
    try:
        return _in_utc(parsedate_to_datetime(value))
    # An absurd zone or year overflows; some malformed dates make the standard library stumble.
    except (ValueError, TypeError, IndexError, OverflowError, AttributeError):
        return None


def read_iso_date(value: str | None) -> datetime | None:
    """Read an ISO 8601 date as in WARC-Date. The result is in UTC. None if it is no date."""
    if not value or len(value) > _MAX_DATE:
        return None
    try:
        return _in_utc(datetime.fromisoformat(value))
    except (ValueError, OverflowError):
        return None


def read_whole_number(value: str | None) -> int | None:
    """Read a whole number, for instance of Max-Age. A huge one is cut to twelve digits."""
    text = (value or "").strip()
    return int(text[: _MAX_DIGITS + 1]) if _WHOLE_NUMBER(text) else None


def _in_utc(moment: datetime) -> datetime:
    if moment.tzinfo is UTC:
        return moment
    # "-0000" is UTC from a sender that does not state its zone
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
