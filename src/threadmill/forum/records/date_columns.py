"""Dates as this room needs them: whether a short text says one, and a column of cells read as a whole."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import pairwise

from threadmill.dates import read_column
from threadmill.forum.records.date_cells import DateCell
from threadmill.types import Moment, Precision

_ZONES = timedelta(hours=26)  # clocks on earth are at most that far apart
_SETTLED = 5.0  # votes of a page whose dates can be read in one way only
_EPOCH = re.compile(r"1\d{9}(?:\d{3})?")
_ISO = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?"
)


def read_cells(cells: Sequence[DateCell], now: datetime, order: str = "") -> list[Moment | None]:
    """The moments of cells that stand in one column, from their exact values where they have them.

    `order` of day, month and year is what other pages of the site have settled.
    """
    return list(_read(tuple(cell.exact or cell.text for cell in cells), now, order))


def settle_order(columns: Iterable[tuple[Sequence[DateCell], datetime]]) -> str:
    """The order of day, month and year that the columns of several pages agree on; empty when none tells."""
    weights: dict[str, float] = defaultdict(float)
    for cells, now in columns:
        texts = [text for cell in cells if _read_exact(text := cell.exact or cell.text) is None]
        read = read_column(texts, now) if texts else None
        if read is None or not read.order:
            continue
        # A page that leaves two ways open votes for both; a settled one outweighs many of those.
        for order, weight in [(r.order, r.confidence) for r in read.readings] or [(read.order, _SETTLED)]:
            weights[order] += weight
    return max(weights, key=lambda order: weights[order], default="")


@lru_cache(maxsize=512)
def _read(texts: tuple[str, ...], now: datetime, order: str) -> tuple[Moment | None, ...]:
    exact = [_read_exact(text) for text in texts]
    rest = [text for text, moment in zip(texts, exact, strict=True) if moment is None]
    if not rest:
        return tuple(exact)
    read = read_column(rest, now, order=order or None)
    moments = read.moments
    if any(_is_to_come(moment, now) for moment in moments):
        past = (r for r in read.readings if not any(_is_to_come(moment, now) for moment in r.moments))
        moments = next((r.moments for r in past), moments)
    others = iter(moments)
    return tuple(moment if moment is not None else next(others) for moment in exact)


def _is_to_come(moment: Moment | None, now: datetime) -> bool:
    """Whether a moment lies ahead of every clock on earth: nobody writes tomorrow."""
    if moment is None or moment.time is None:
        return False
    ahead = datetime.combine(moment.date, moment.time, UTC) - now
    return ahead > _ZONES


def _read_exact(text: str) -> Moment | None:
    """What machines write needs no guessing: ISO 8601 with a time, or seconds since 1970."""
    if _EPOCH.fullmatch(text):
        at = datetime.fromtimestamp(int(text[:10]), UTC)
        return Moment(at.date(), at.time(), "UTC", Precision.SECOND)
    match = _ISO.fullmatch(text.strip())
    if not match:
        return None
    year, month, day, hour, minute = (int(part) for part in match.groups()[:5])
    try:
        at = datetime(year, month, day, hour, minute, int(match[6] or 0), tzinfo=UTC)
    except ValueError:  # 31 February: the other reader may know better
        return None
    zone = match[7]
    if zone and zone != "Z" and ":" not in zone:
        zone = f"{zone[:3]}:{zone[3:]}"
    precision = Precision.SECOND if match[6] else Precision.MINUTE
    return Moment(at.date(), at.time(), "UTC" if zone == "Z" else zone, precision)


def monotony(moments: Sequence[Moment]) -> float:
    """The share of neighbours that agree with the more frequent direction."""
    up = down = 0
    for one, other in pairwise(moments):
        first, second = ordinal(one), ordinal(other)
        up += second > first
        down += second < first
    return max(up, down) / (up + down) if up + down else 0.6


def ordinal(moment: Moment) -> tuple[int, float]:
    """A moment as something that sorts; a day without a time sorts first."""
    at = moment.time
    return moment.date.toordinal(), (at.hour * 3600 + at.minute * 60 + at.second) if at else -1.0
