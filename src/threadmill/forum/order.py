"""In which order things stand: posts of a thread, threads of an index, from as few pages as possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from threadmill.forum.addresses import slots
from threadmill.forum.moments import ordinal
from threadmill.types import Moment, Post, ThreadRow


class PostOrder(StrEnum):
    """How posts of a thread follow each other."""

    ASCENDING = "ascending"
    DESCENDING = "descending"


class IndexOrder(StrEnum):
    """By what an index is sorted, newest first."""

    ACTIVITY = "activity"
    CREATION = "creation"


@dataclass(frozen=True, slots=True)
class Visit:
    """What opening a thread told about it."""

    created: Moment | None  # its first post
    active: Moment | None  # its last post, where that page was seen


def post_order(posts: Sequence[Post]) -> PostOrder | None:
    """Which neighbours prevail; replies under replies count only beside their own kind."""
    flat = [post.date for post in posts if post.date and post.parent is None]
    moments = flat if len(flat) >= 3 else [post.date for post in posts if post.date]
    up = sum(ordinal(one) < ordinal(other) for one, other in pairwise(moments))
    down = sum(ordinal(one) > ordinal(other) for one, other in pairwise(moments))
    if up == down:
        return _by_number(posts)
    return PostOrder.ASCENDING if up > down else PostOrder.DESCENDING


def _by_number(posts: Sequence[Post]) -> PostOrder | None:
    """Days without times may tie; the site's own numbers do not."""
    numbers = [
        int(post.post_id)
        for post in posts
        if post.post_id and post.post_id.isdecimal() and post.parent is None
    ]
    up = sum(one < other for one, other in pairwise(numbers))
    down = sum(one > other for one, other in pairwise(numbers))
    if up == down:
        return None
    return PostOrder.ASCENDING if up > down else PostOrder.DESCENDING


def falling(values: Sequence[tuple[int, float]]) -> float:
    """How well values fall, a leading run of stickies left out: share of neighbours, 0 for too few."""
    best = 0.0
    for start in range(min(len(values) - 2, (2 * len(values)) // 3 + 1)):
        tail = values[start:]
        fitting = sum(one >= other for one, other in pairwise(tail)) / (len(tail) - 1)
        if start == 0 or tail[0] > values[start - 1]:  # a run ends where the dates jump up
            best = max(best, fitting - 0.002 * start)
    return best


def index_order(rows: Sequence[ThreadRow], visits: Mapping[str, Visit] | None = None) -> IndexOrder | None:
    """By what the rows of one page are sorted; None when this page cannot tell."""
    plain = [row for row in rows if not row.sticky and not row.moved] or list(rows)
    both = [row for row in plain if row.created and row.active]
    if len(both) >= max(3, 0.6 * len(plain)):
        return _by_two_dates(both)
    shown = [row for row in plain if row.active]
    if len(shown) >= max(3, 0.6 * len(plain)):
        return _by_one_date(shown, visits or {})
    return _by_visits(plain, visits or {}) or _by_ids(plain)


def _by_two_dates(rows: Sequence[ThreadRow]) -> IndexOrder | None:
    created = falling([ordinal(row.created) for row in rows if row.created])
    active = falling([ordinal(row.active) for row in rows if row.active])
    if created == active:
        return _by_ids(rows) if _ids_tell(rows) else IndexOrder.ACTIVITY
    return IndexOrder.CREATION if created > active else IndexOrder.ACTIVITY


def _by_one_date(rows: Sequence[ThreadRow], visits: Mapping[str, Visit]) -> IndexOrder | None:
    """The column is what visited threads say it is; when it does not fall, the order is by the other date."""
    is_falling = falling([ordinal(row.active) for row in rows if row.active]) >= 0.9
    begins = ends = 0
    for row in rows:
        visit = visits.get(row.url)
        if not visit or not visit.created or not row.active:
            continue
        if _same(row.active, visit.created) and not (visit.active and _same(visit.active, visit.created)):
            begins += 1
        elif not _same(row.active, visit.created):
            ends += 1
    if begins > ends:
        return IndexOrder.CREATION if is_falling else IndexOrder.ACTIVITY
    if ends:
        return IndexOrder.ACTIVITY if is_falling else IndexOrder.CREATION
    if is_falling:
        return IndexOrder.ACTIVITY if not _ids_tell(rows) else None
    return _by_ids(rows)


def _same(one: Moment, other: Moment) -> bool:
    """Whether two dates of different precision can be one moment."""
    if one.date != other.date:
        return False
    if one.time is None or other.time is None:
        return True
    return (one.time.hour, one.time.minute) == (other.time.hour, other.time.minute)


def _by_visits(rows: Sequence[ThreadRow], visits: Mapping[str, Visit]) -> IndexOrder | None:
    created = [ordinal(v.created) for row in rows if (v := visits.get(row.url)) and v.created]
    active = [ordinal(v.active) for row in rows if (v := visits.get(row.url)) and v.active]
    if len(created) < 3 or len(active) < 3:
        return None
    first, second = falling(created), falling(active)
    if first == second:
        return None
    return IndexOrder.CREATION if first > second else IndexOrder.ACTIVITY


def _ids(rows: Sequence[ThreadRow]) -> list[int]:
    """The numbers that name the threads: the place in the addresses whose number differs most."""
    by_place: dict[int, list[int]] = {}
    for row in rows:
        for place, (_, number) in enumerate(slots(row.url)):
            by_place.setdefault(place, []).append(number)
    lists = [numbers for numbers in by_place.values() if len(numbers) == len(rows)]
    return max(lists, key=lambda numbers: len(set(numbers)), default=[])


def _ids_tell(rows: Sequence[ThreadRow]) -> bool:
    ids = _ids(rows)
    return len(ids) >= 10 and falling([(number, 0.0) for number in ids]) >= 0.97


def _by_ids(rows: Sequence[ThreadRow]) -> IndexOrder | None:
    """Numbers grow with creation: falling ones mean creation order, wild ones activity."""
    ids = _ids(rows)
    if len(ids) < 6 or len(set(ids)) < len(ids):
        return None
    return IndexOrder.CREATION if falling([(number, 0.0) for number in ids]) >= 0.95 else IndexOrder.ACTIVITY
