"""Reads a column of dates as a whole: what one cell leaves open, the others settle."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import product

from threadmill.dates.columns.chronology import best_direction, inversions, settle_clock, settle_years
from threadmill.dates.forms.written_dates import DateForm, Stamp
from threadmill.dates.meaning.normalisation import rank
from threadmill.dates.meaning.resolve import AHEAD, Convention, is_real, orders_of, resolve, weekday_agrees
from threadmill.dates.scan import scan
from threadmill.dates.text.lexicon import find_lexicon
from threadmill.types import Moment

# Natural logarithms of odds. A future or impossible day or a wrong weekday all but rules a reading out; a
# step against the column's direction is four times likelier under a wrong reading (stickies make some).
_FAULT, _INVERSION = -8.0, -1.5
# Readings closer than this (odds of 20 to 1) are both handed on; of up to three different days, whose order
# may be chance, those closer than 400 to 1.
_SETTLED, _SETTLED_FEW, _FEW_DAYS = 3.0, 6.0, 3
# A column with more steps back than this is in no order at all (join dates): its order is no evidence then.
_UNORDERED = 0.3
# How sites write numbers, before anything is seen: with dots the day leads nearly always, with a 12-hour
# clock and slashes or dashes the month does (the defaults of vBulletin and MyBB), otherwise the day, as most
# countries have it.
_DAY_FIRST, _DAY_FIRST_DOTS, _MONTH_FIRST_CLOCK = 1.0, 4.0, 1.5
_RECENT = -0.3
_SHORT_YEAR_FIRST, _YEAR_DAY_MONTH = -1.0, -6.0


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read all cells: the order of their numbers and the moments that follow."""

    order: str  # dmy, mdy, ymd …; empty when no cell has its date in numbers
    moments: tuple[Moment | None, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class Column:
    """A column read: a moment for each cell, how sure, and every reading that fits when several do."""

    moments: tuple[Moment | None, ...]
    confidence: float
    readings: tuple[Reading, ...] = ()
    order: str = ""  # empty when the cells have no numbers to order, or read the same in several orders
    language: str = ""


@dataclass(frozen=True, slots=True)
class _Hypothesis:
    score: float
    faults: int
    order: str
    moments: list[Moment | None]


def read_column(
    cells: Sequence[str], now: datetime, language: str | None = None, order: str | None = None
) -> Column:
    """Read all cells in one way; `order` brings what other columns of the site have settled."""
    stamps = [_find_stamp(cell, language) for cell in cells]
    languages = _vote(stamps, language)
    hypotheses = _weigh(stamps, now, languages, order or "")
    best = hypotheses[0]
    weights = [math.exp(max(h.score - best.score, -50)) for h in hypotheses]
    readings = tuple(
        Reading(h.order, tuple(h.moments), weight / sum(weights))
        for h, weight in zip(hypotheses, weights, strict=True)
        if best.score - h.score < _tolerance(best)
    )
    return Column(
        tuple(best.moments),
        _confidence(best, weights, cells),
        readings if len(readings) > 1 else (),
        best.order,
        _name(languages, language),
    )


def _tolerance(best: _Hypothesis) -> float:
    days = {moment.date for moment in best.moments if moment is not None}
    return _SETTLED_FEW if len(days) <= _FEW_DAYS else _SETTLED


def _find_stamp(cell: str, language: str | None) -> Stamp | None:
    if not cell:
        return None
    found = rank(scan(cell, language, lenient=True))
    return found[0] if found else None


def _confidence(best: _Hypothesis, weights: list[float], cells: Sequence[str]) -> float:
    filled = sum(1 for cell in cells if cell and cell.strip())
    if not filled:
        return 0.0
    read = sum(1 for moment in best.moments if moment is not None)
    return round(weights[0] / sum(weights) * read / filled * (1 - min(best.faults, filled) / filled), 4)


def _vote(stamps: list[Stamp | None], language: str | None) -> int:
    """The languages in which most cells make sense."""
    lexicon = find_lexicon(language)
    if language and lexicon.bit(language):
        return lexicon.bit(language)
    masks = [s.date.languages for s in stamps if s and s.date and s.date.languages > 0]
    if not masks:
        return 0
    shared = masks[0]
    for mask in masks:
        shared &= mask
    if shared:
        return shared
    counts = {
        bit: sum(mask >> bit & 1 for mask in masks) for bit in range(max(mask.bit_length() for mask in masks))
    }
    most = max(counts.values())
    return sum(1 << bit for bit, count in counts.items() if count == most)


def _name(languages: int, language: str | None) -> str:
    if not languages:
        return ""
    return find_lexicon(language).languages[(languages & -languages).bit_length() - 1]


def _shape(form: DateForm) -> tuple[str, str, int]:
    """Numbers written alike are read alike: the same separator, the year at the same place."""
    year_at = form.widths.index(4) if 4 in form.widths else -1
    return form.kind, form.separator, year_at


def _weigh(stamps: list[Stamp | None], now: datetime, languages: int, order: str) -> list[_Hypothesis]:
    """All readings of the column, the likeliest first, those with the same moments once."""
    shapes: dict[tuple[str, str, int], set[str]] = {}
    for form in _numeric(stamps):
        shapes.setdefault(_shape(form), set()).update(orders_of(form))
    found: list[_Hypothesis] = []
    for choice in product(*(sorted(orders) for orders in shapes.values())):
        orders = dict(zip(shapes, choice, strict=True))
        if _is_consistent(orders, order):
            found.append(_try(stamps, now, languages, orders))
    if not found:  # the order brought from elsewhere fits nothing here
        return _weigh(stamps, now, languages, "")
    found.sort(key=lambda hypothesis: -hypothesis.score)
    return _drop_same(found)


def _drop_same(found: list[_Hypothesis]) -> list[_Hypothesis]:
    """Each outcome once; where two orders say the same (5/5/2018), the order is left open."""
    different: list[_Hypothesis] = []
    for hypothesis in found:
        same = next((i for i, other in enumerate(different) if hypothesis.moments == other.moments), None)
        if same is None:
            different.append(hypothesis)
        elif different[same].order != hypothesis.order:
            different[same] = replace(different[same], order="")
    return different


def _is_consistent(orders: dict[tuple[str, str, int], str], wanted: str) -> bool:
    """One site does not put the day before the month in one cell and after it in the next."""
    day_first = {o.index("d") < o.index("m") for shape, o in orders.items() if not o.startswith("y")}
    if len(day_first) > 1:
        return False
    if not wanted:
        return True
    wanted_day_first = wanted.index("d") < wanted.index("m")
    for shape, order in orders.items():
        if shape[2] == -1 and shape[0] == "numeric" and order != wanted and len(wanted) == 3:
            return False
        if not order.startswith("y") and (order.index("d") < order.index("m")) != wanted_day_first:
            return False
    return True


def _numeric(stamps: list[Stamp | None]) -> Iterator[DateForm]:
    for stamp in stamps:
        if stamp and stamp.date and stamp.date.kind in {"numeric", "partial"}:
            yield stamp.date


def _try(
    stamps: list[Stamp | None], now: datetime, languages: int, orders: dict[tuple[str, str, int], str]
) -> _Hypothesis:
    moments: list[Moment | None] = []
    faults = 0
    for stamp in stamps:
        order = _order_for(stamp, orders)
        moment = resolve(stamp, now, Convention(order, languages)) if stamp else None
        moments.append(moment)
        faults += _is_fault(stamp, moment, order, now)
    conventions = [Convention(_order_for(stamp, orders), languages) for stamp in stamps]
    moments = settle_clock(stamps, settle_years(stamps, moments, now, conventions))
    score = faults * _FAULT + _prior(stamps, orders) + _chronology(moments) + _compactness(moments)
    score += _recency(moments, now)
    label = next((order for shape, order in orders.items() if shape[0] == "numeric"), "")
    return _Hypothesis(score, faults, label or next(iter(orders.values()), ""), moments)


def _order_for(stamp: Stamp | None, orders: dict[tuple[str, str, int], str]) -> str:
    if stamp and stamp.date and stamp.date.kind in {"numeric", "partial"}:
        return orders.get(_shape(stamp.date), "")
    return ""


def _is_fault(stamp: Stamp | None, moment: Moment | None, order: str, now: datetime) -> int:
    """1 when the reading makes a cell impossible, future or of another weekday than it says."""
    if stamp is None or stamp.date is None:
        return 0
    form = stamp.date
    if moment is None:
        return 1
    if form.kind == "numeric" and (order not in orders_of(form) or not is_real(form, order)):
        return 1
    if form.kind == "partial" and order not in orders_of(form):
        return 1
    if form.exact and moment.date > now.date() + AHEAD:
        return 1
    return int(
        bool(form.weekdays) and form.kind != "weekday" and not weekday_agrees(form.weekdays, moment.date)
    )


def _prior(stamps: list[Stamp | None], orders: dict[tuple[str, str, int], str]) -> float:
    halves = any(s and s.time and s.time.english for s in stamps)
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


def _chronology(moments: list[Moment | None]) -> float:
    known = [moment for moment in moments if moment is not None]
    if len(known) < 3:
        return 0.0
    wrong = inversions(known, best_direction(known))
    if wrong / (len(known) - 1) > _UNORDERED:
        return _INVERSION * _UNORDERED * (len(known) - 1)
    return _INVERSION * wrong


def _recency(moments: list[Moment | None], now: datetime) -> float:
    """A slight leaning to the reading whose newest day is nearer: the crawled is more often new than old."""
    days = [(now.date() - moment.date).days for moment in moments if moment is not None]
    return _RECENT * math.log(max(min(days), 0) + 1) if days else 0.0


def _compactness(moments: list[Moment | None]) -> float:
    """Days drawn from a short span are likelier than the same number drawn from a long one.

    A wrong order turns 3, 5 and 7 April into 4 March, 4 May and 4 July: in order too, but thirty times as far
    apart.
    """
    days = sorted({moment.date for moment in moments if moment is not None})
    if len(days) < 2:
        return 0.0
    span = (days[-1] - days[0]) / timedelta(days=1)
    return -(len(days) - 1) * math.log(span + 1)
