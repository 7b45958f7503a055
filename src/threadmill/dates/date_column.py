"""Settles a date column: finds the one order of day, month and year in which all its cells are read.

`read_date_column` tries every possible order for the whole column and scores each: impossible and future
days, wrong weekdays, the chronology of the rows and the usual way of writing count. `settle_date_order`
combines several columns of one site.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from itertools import pairwise, product

from threadmill.dates.lexicon import load_lexicon, most_common_languages
from threadmill.dates.scan import rank_by_trust, scan
from threadmill.dates.written_dates import (
    MAX_AHEAD,
    DateConvention,
    WrittenDate,
    WrittenTimestamp,
    candidate_years,
    choose_value,
    clamp_day,
    date_orders,
    is_real_day,
    resolve,
    weekday_agrees,
)
from threadmill.types import Moment

# The cost of moving cells a year back. It is lower than the cost of a backward step (1.0) in the middle of a
# column, and higher than that of a backward step near the top, where sticky threads stand.
_YEAR_BACK, _STICKY_STEP = 0.4, 0.3


def compare_moments(a: Moment, b: Moment) -> int:
    """Return -1 when a is earlier than b, 1 when it is later, 0 when that is unknown."""
    if a.date != b.date:
        return -1 if a.date < b.date else 1
    if a.time is None or b.time is None or a.time == b.time:
        return 0
    return -1 if a.time < b.time else 1


def count_inversions(moments: Sequence[Moment], direction: int) -> int:
    """Count neighbours that run against a direction (1 ascending, -1 descending)."""
    return sum(compare_moments(a, b) == direction for a, b in pairwise(moments))


def main_direction(moments: Sequence[Moment]) -> int:
    """Return the direction with fewer steps against it."""
    return 1 if count_inversions(moments, 1) <= count_inversions(moments, -1) else -1


def fill_missing_years(
    stamps: Sequence[WrittenTimestamp | None],
    moments: list[Moment | None],
    now: datetime,
    conventions: Sequence[DateConvention],
) -> list[Moment | None]:
    """Move cells without a year back by years where that brings the column into order."""
    open_cells = [i for i, stamp in enumerate(stamps) if _has_no_year(stamp) and moments[i] is not None]
    known = [moment for moment in moments if moment is not None]
    if not open_cells or len(known) < 2:
        return moments
    cost = min(_disorder(known, 1), _disorder(known, -1))
    if not cost:
        return moments
    best = moments
    for direction in (1, -1):
        moved = _place_open_cells(stamps, moments, now, conventions, direction)
        changed = [m for m in moved if m is not None]
        total = _disorder(changed, direction) + _YEAR_BACK * _year_changes(moments, moved)
        if total < cost:
            best, cost = moved, total
    return best


def _year_changes(before: Sequence[Moment | None], after: Sequence[Moment | None]) -> int:
    """Sum up how much the number of moved years changes along the column."""
    shifts = [a.date.year - b.date.year for a, b in zip(before, after, strict=True) if a and b]
    ends = (abs(shifts[0]), abs(shifts[-1])) if shifts else (0, 0)
    return sum(abs(x - y) for x, y in pairwise(shifts)) + min(ends)


def _disorder(moments: Sequence[Moment], direction: int) -> float:
    """Sum up the steps against a direction; steps near the top count less."""
    head = max(1, len(moments) // 3)
    return sum(
        _STICKY_STEP if index < head else 1.0
        for index, (a, b) in enumerate(pairwise(moments))
        if compare_moments(a, b) == direction
    )


def _has_no_year(stamp: WrittenTimestamp | None) -> bool:
    """Whether a cell shows day and month but no year."""
    if stamp is None or stamp.date is None or stamp.year is not None:
        return False
    form = stamp.date
    return form.kind == "partial" or (form.kind == "named" and form.year is None)


def _place_open_cells(
    stamps: Sequence[WrittenTimestamp | None],
    moments: Sequence[Moment | None],
    now: datetime,
    conventions: Sequence[DateConvention],
    direction: int,
) -> list[Moment | None]:
    """Walk from the newest cell on.

    A cell without year takes its latest year that is not after its neighbour.
    """
    placed = list(moments)
    indexes = range(len(moments)) if direction < 0 else range(len(moments) - 1, -1, -1)
    newer: Moment | None = None
    for index in indexes:
        moment, stamp = moments[index], stamps[index]
        if moment is None or stamp is None:
            continue
        if newer is not None and _has_no_year(stamp) and compare_moments(moment, newer) > 0:
            moment = _latest_not_after(stamp, moment, newer, now, conventions[index]) or moment
            placed[index] = moment
        newer = moment
    return placed


def _latest_not_after(
    stamp: WrittenTimestamp, moment: Moment, newer: Moment, now: datetime, convention: DateConvention
) -> Moment | None:
    """Return the moment in its latest year that is not after the newer neighbour."""
    form = stamp.date
    assert form is not None
    month, day = _month_and_day(stamp, convention)
    for year in candidate_years(month, day, form, now):
        when = clamp_day(year, month, day)
        if when is not None and compare_moments(replace(moment, date=when), newer) <= 0:
            return replace(moment, date=when)
    return None


def _month_and_day(stamp: WrittenTimestamp, convention: DateConvention) -> tuple[int, int]:
    form = stamp.date
    assert form is not None
    if form.kind == "partial":
        a, b = form.numbers
        order = convention.order or date_orders(form)[0]
        return (b, a) if order == "dmy" else (a, b)
    return choose_value(form.months, convention.languages), form.day or 1


def fix_afternoons(
    stamps: Sequence[WrittenTimestamp | None], moments: list[Moment | None]
) -> list[Moment | None]:
    """Correct afternoons of a 12-hour clock without AM and PM, where the order of the column shows them."""
    clocks = [stamp.time for stamp in stamps if stamp and stamp.time]
    hours = [clock.hour for clock in clocks]
    if (
        len(clocks) < 4
        or any(clock.day_period for clock in clocks)
        or not all(1 <= hour <= 12 for hour in hours)
    ):
        return moments
    known = [moment for moment in moments if moment is not None]
    direction = main_direction(known)
    wrong = count_inversions(known, direction)
    if not wrong:
        return moments
    moved = _move_to_afternoon(moments, direction)
    left = count_inversions([m for m in moved if m is not None], direction)
    return moved if left == 0 else moments


def _move_to_afternoon(moments: Sequence[Moment | None], direction: int) -> list[Moment | None]:
    """Walk forward in time. When the clock runs backwards within a day, noon has passed."""
    moved = list(moments)
    indexes = range(len(moments)) if direction > 0 else range(len(moments) - 1, -1, -1)
    day: date | None = None
    before: time | None = None
    for index in indexes:
        moment = moved[index]
        if moment is None or moment.time is None:
            continue
        at = moment.time.replace(hour=moment.time.hour % 12)
        if day == moment.date and before is not None and at < before:
            at = moment.time.replace(hour=at.hour + 12)
        moved[index] = replace(moment, time=at)
        day, before = moment.date, at
    return moved


# Scores are natural logarithms of odds. An impossible or future day or a wrong weekday almost rules a reading
# out. A step against the direction of the column is four times likelier under a wrong reading; sticky threads
# cause some under the right one.
_IMPOSSIBLE_CELL, _BACKWARD_STEP = -8.0, -1.5
# Readings within this score of the best one (odds of 20 to 1) are all returned. With at most three different
# days, whose order may be chance, those within odds of 400 to 1 are.
_SETTLED, _SETTLED_FEW, _FEW_DAYS = 3.0, 6.0, 3
# A column with a larger share of backward steps has no order (join dates, for example). Its order is no
# evidence.
_UNORDERED = 0.3
# How sites usually write numbers. With dots, the day comes first nearly always. With a 12-hour clock and
# slashes or dashes, the month does (the defaults of vBulletin and MyBB). Otherwise the day does, as in
# most countries.
_DAY_FIRST, _DAY_FIRST_DOTS, _MONTH_FIRST_CLOCK = 1.0, 4.0, 1.5
_RECENCY_WEIGHT = -0.3
_SHORT_YEAR_FIRST, _YEAR_DAY_MONTH = -1.0, -6.0
# The likelihood of an order that a column does not offer. A page may be wrong, so no column has a veto.
_MIN_LIKELIHOOD = 0.001
# An order is settled when it is this many times likelier than the next one, as in a single column (_SETTLED).
_SETTLED_ODDS = 20.0


@dataclass(frozen=True, slots=True)
class ColumnReading:
    """One way to read all cells: the order of their numbers and the resulting moments."""

    order: str  # dmy, mdy, ymd …; empty when no cell has a numeric date
    moments: tuple[Moment | None, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class DateColumn:
    """A date column as it was read: a moment for each cell, and all readings when several are likely."""

    moments: tuple[Moment | None, ...]
    confidence: float
    readings: tuple[ColumnReading, ...] = ()
    order: str = ""  # empty without numeric dates, and when several orders give the same moments
    language: str = ""


@dataclass(frozen=True, slots=True)
class _ColumnHypothesis:
    score: float
    impossible: int
    order: str
    moments: list[Moment | None]


def read_date_column(
    cells: Sequence[str], now: datetime, language: str | None = None, order: str | None = None
) -> DateColumn:
    """Read all cells of a date column in one order of day, month and year.

    `order` is the order that other columns of the site have settled.
    """
    stamps = [_find_timestamp(cell, language) for cell in cells]
    languages = _vote_languages(stamps, language)
    hypotheses = _rank_hypotheses(stamps, now, languages, order or "")
    best = hypotheses[0]
    weights = [math.exp(max(h.score - best.score, -50)) for h in hypotheses]
    readings = tuple(
        ColumnReading(h.order, tuple(h.moments), weight / sum(weights))
        for h, weight in zip(hypotheses, weights, strict=True)
        if best.score - h.score < _odds_tolerance(best)
    )
    return DateColumn(
        tuple(best.moments),
        _column_confidence(best, weights, cells),
        readings if len(readings) > 1 else (),
        best.order,
        load_lexicon(language).first_language(languages),
    )


def _odds_tolerance(best: _ColumnHypothesis) -> float:
    """Return how far below the best score a reading may lie to be returned."""
    days = {moment.date for moment in best.moments if moment is not None}
    return _SETTLED_FEW if len(days) <= _FEW_DAYS else _SETTLED


def _find_timestamp(cell: str, language: str | None) -> WrittenTimestamp | None:
    """Return the most trustworthy timestamp of a cell."""
    if not cell:
        return None
    found = rank_by_trust(scan(cell, language, lenient=True))
    return found[0] if found else None


def _column_confidence(best: _ColumnHypothesis, weights: list[float], cells: Sequence[str]) -> float:
    """Return the share of cells that were read, reduced by competing readings and by impossible cells."""
    filled = sum(1 for cell in cells if cell and cell.strip())
    if not filled:
        return 0.0
    read = sum(1 for moment in best.moments if moment is not None)
    return round(weights[0] / sum(weights) * read / filled * (1 - min(best.impossible, filled) / filled), 4)


def _vote_languages(stamps: list[WrittenTimestamp | None], language: str | None) -> int:
    """Return the languages in which most cells make sense."""
    lexicon = load_lexicon(language)
    if language and lexicon.bit(language):
        return lexicon.bit(language)
    return most_common_languages([s.date.languages for s in stamps if s and s.date and s.date.languages > 0])


def _number_layout(form: WrittenDate) -> tuple[str, str, int]:
    """Return what decides how numbers are read: kind, separator, place of the year.

    Same layout, same order.
    """
    year_at = form.widths.index(4) if 4 in form.widths else -1
    return form.kind, form.separator, year_at


def _rank_hypotheses(
    stamps: list[WrittenTimestamp | None], now: datetime, languages: int, order: str
) -> list[_ColumnHypothesis]:
    """Return all readings of the column, the most likely first; readings with equal moments appear once."""
    layouts: dict[tuple[str, str, int], set[str]] = {}
    for form in _numeric_dates(stamps):
        layouts.setdefault(_number_layout(form), set()).update(date_orders(form))
    choices = product(*(sorted(orders) for orders in layouts.values()))
    possible = [dict(zip(layouts, choice, strict=True)) for choice in choices]
    # The order of the other columns may fit nothing here, and the layouts of one column may contradict.
    agreeing = (
        [orders for orders in possible if _orders_agree(orders, order)]
        or [orders for orders in possible if _orders_agree(orders, "")]
        or possible
    )
    found = [_test_orders(stamps, now, languages, orders) for orders in agreeing]
    found.sort(key=lambda hypothesis: -hypothesis.score)
    return _merge_equal_outcomes(found)


def _merge_equal_outcomes(found: list[_ColumnHypothesis]) -> list[_ColumnHypothesis]:
    """Keep each outcome once. Where two orders give the same moments (5/5/2018), the order stays open."""
    different: list[_ColumnHypothesis] = []
    for hypothesis in found:
        same = next((i for i, other in enumerate(different) if hypothesis.moments == other.moments), None)
        if same is None:
            different.append(hypothesis)
        elif different[same].order != hypothesis.order:
            different[same] = replace(different[same], order="")
    return different


def _orders_agree(orders: dict[tuple[str, str, int], str], wanted: str) -> bool:
    """Whether the orders of all layouts agree with each other and with the wanted order.

    One site does not put the day before the month in one cell and after it in the next.
    """
    day_first = {o.index("d") < o.index("m") for o in orders.values() if not o.startswith("y")}
    if len(day_first) > 1:
        return False
    if not wanted:
        return True
    wanted_day_first = wanted.index("d") < wanted.index("m")
    for layout, order in orders.items():
        if layout[2] == -1 and layout[0] == "numeric" and order != wanted and len(wanted) == 3:
            return False
        if not order.startswith("y") and (order.index("d") < order.index("m")) != wanted_day_first:
            return False
    return True


def _numeric_dates(stamps: list[WrittenTimestamp | None]) -> Iterator[WrittenDate]:
    """Yield the dates of the column that are written in numbers."""
    for stamp in stamps:
        if stamp and stamp.date and stamp.date.kind in {"numeric", "partial"}:
            yield stamp.date


def _test_orders(
    stamps: list[WrittenTimestamp | None],
    now: datetime,
    languages: int,
    orders: dict[tuple[str, str, int], str],
) -> _ColumnHypothesis:
    """Read the column in these orders and score the result."""
    moments: list[Moment | None] = []
    impossible = 0
    for stamp in stamps:
        order = _order_for(stamp, orders)
        moment = resolve(stamp, now, DateConvention(order, languages)) if stamp else None
        moments.append(moment)
        impossible += _is_impossible(stamp, moment, order, now)
    conventions = [DateConvention(_order_for(stamp, orders), languages) for stamp in stamps]
    moments = fix_afternoons(stamps, fill_missing_years(stamps, moments, now, conventions))
    score = (
        impossible * _IMPOSSIBLE_CELL
        + _prior_score(stamps, orders)
        + _chronology_score(moments)
        + _compactness_score(moments)
    )
    score += _recency_score(moments, now)
    label = next((order for layout, order in orders.items() if layout[0] == "numeric"), "")
    return _ColumnHypothesis(score, impossible, label or next(iter(orders.values()), ""), moments)


def _order_for(stamp: WrittenTimestamp | None, orders: dict[tuple[str, str, int], str]) -> str:
    """Return the order for a cell; empty for a date that is not numeric."""
    if stamp and stamp.date and stamp.date.kind in {"numeric", "partial"}:
        return orders.get(_number_layout(stamp.date), "")
    return ""


def _is_impossible(stamp: WrittenTimestamp | None, moment: Moment | None, order: str, now: datetime) -> int:
    """Return 1 when the reading makes a cell impossible, future or of a wrong weekday; else 0."""
    if stamp is None or stamp.date is None:
        return 0
    form = stamp.date
    if moment is None:
        return 1
    if form.kind == "numeric" and (order not in date_orders(form) or not is_real_day(form, order)):
        return 1
    if form.kind == "partial" and order not in date_orders(form):
        return 1
    if form.exact and moment.date > now.date() + MAX_AHEAD:
        return 1
    return int(
        bool(form.weekdays) and form.kind != "weekday" and not weekday_agrees(form.weekdays, moment.date)
    )


def _prior_score(stamps: list[WrittenTimestamp | None], orders: dict[tuple[str, str, int], str]) -> float:
    """Score the orders by how sites usually write dates."""
    halves = any(s and s.time and s.time.english_period for s in stamps)
    score = 0.0
    for (_, separator, year_at), order in orders.items():
        if order == "ydm":
            score += _YEAR_DAY_MONTH
        elif order == "ymd" and year_at == -1:
            score += _SHORT_YEAR_FIRST
        elif order == "dmy":
            score += _DAY_FIRST_DOTS if separator == "." else _DAY_FIRST
        elif order == "mdy" and halves and separator in "/-":
            score += _DAY_FIRST + _MONTH_FIRST_CLOCK
    return score


def _chronology_score(moments: list[Moment | None]) -> float:
    """Score how well the rows are in order."""
    known = [moment for moment in moments if moment is not None]
    wrong = count_inversions(known, main_direction(known))
    return _BACKWARD_STEP * min(wrong, _UNORDERED * len(known[1:]))


def _recency_score(moments: list[Moment | None], now: datetime) -> float:
    """Prefer slightly the reading whose newest day is nearer: crawled pages are more often new than old."""
    days = [(now.date() - moment.date).days for moment in moments if moment is not None]
    return _RECENCY_WEIGHT * math.log(max(min(days), 0) + 1) if days else 0.0


def _compactness_score(moments: list[Moment | None]) -> float:
    """Prefer days within a short span: they are likelier than as many days within a long one.

    A wrong order turns 3, 5 and 7 April into 4 March, 4 May and 4 July. These are in order too, but thirty
    times as far apart.
    """
    days = sorted({moment.date for moment in moments if moment is not None})
    if len(days) < 2:
        return 0.0
    span = (days[-1] - days[0]) / timedelta(days=1)
    return -(len(days) - 1) * math.log(span + 1)


def settle_date_order(columns: Iterable[DateColumn]) -> str:
    """Return the order of day, month and year that the columns of one site agree on; empty when it is open.

    Pass it to `read_date_column(cells, now, order=...)` for the columns that could not settle it themselves.
    """
    votes = [_order_likelihoods(column) for column in columns]
    votes = [vote for vote in votes if vote]
    scores: dict[str, float] = defaultdict(float)
    for order in {order for vote in votes for order in vote}:
        scores[order] = sum(math.log(max(vote.get(order, 0.0), _MIN_LIKELIHOOD)) for vote in votes)
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    if not ranked:
        return ""
    if len(ranked) > 1 and ranked[0][1] - ranked[1][1] < math.log(_SETTLED_ODDS):
        return ""
    return ranked[0][0]


def _order_likelihoods(column: DateColumn) -> dict[str, float]:
    """Return how likely each order is by one column; a column without numeric dates says nothing."""
    if column.readings:
        return {reading.order: reading.confidence for reading in column.readings if reading.order}
    return {column.order: column.confidence} if column.order and column.confidence else {}
