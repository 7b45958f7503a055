"""Which failures are retried, and how long to wait before a retry."""

from __future__ import annotations

from datetime import datetime

from threadmill.archive.header_values import read_http_date, read_whole_number

# The server, or one behind it, was overloaded. 500 is often a database that failed for a second.
RETRIED_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524})
# These speak of the whole server, not of one page: every request to it has to wait.
BUSY_STATUSES = frozenset({429, 503})

_LONGEST = 365 * 86400.0


def read_retry_after(value: str | None, now: datetime) -> float | None:
    """Seconds that a Retry-After header asks for, as a number or an HTTP date. None if it holds neither."""
    wait: float | None = read_whole_number(value)
    if wait is None:
        moment = read_http_date(value)
        wait = (moment - now).total_seconds() if moment is not None else None
    elif wait < 0:
        return None
    return min(max(0.0, wait), _LONGEST) if wait is not None else None


def backoff(attempt: int, first: float, longest: float, jitter: float) -> float:
    """Seconds before a retry. They double with each `attempt`; `jitter` spreads them over the upper half."""
    full = min(first * 2.0 ** min(attempt, 30), longest)
    return full * (0.5 + 0.5 * jitter)
