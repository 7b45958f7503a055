"""What a row of an index page says about its thread or board, and whether that has changed since."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from threadmill.types import BoardRow, Moment, Precision, ThreadRow

# The store keeps the state of a row as a dictionary. These keys hold notes of the crawl beside it.
# Notes on threads:
SEEN_AT = "seen"  # the time at the site when the row was read (also of boards)
STOOD_STILL = "still"  # the counter had not moved when the thread was opened (also a number of a board's row)
SURELY_CHANGED = "sure"  # a counter or a date has moved beyond doubt (also of boards)
EXCESS = "excess"  # posts that the row counts but the thread did not show when it was read to its end
FALLEN = "fallen"  # by how much the counter has gone down since the last visit
TOLD_BY_BOX = "box"  # a box told its news, so that the stored row is older than the posts
NAMED_POST = "post"  # number of a post that a link names, for which the thread is due
EMPTY_THREAD = "empty"  # its page came without posts so often that it is no longer asked for

# Notes on boards:
EMPTY_VISITS = "misses"  # runs in which the page of the board came without rows
COMPARED_AT = "checked"  # start of the run in which the row was last compared; only the watch plans by it
COMPARED_IN = "run"  # number of that run. Runs are compared by number: the clock of a machine may go back
MOVED_ALONE = "alone"  # only the second number of its row had moved when the board was made due
GUESSED = "guessed"  # only a row led to it, and not its URL: its row claims nothing
REST = "rest"  # the page from which an interrupted run has not read the list, if the list is read anew
SHOWN_BY = "by"  # id of the board whose page shows the row
GROWN = "grown"  # posts that the row has gained since the board was last read
FOUND = "found"  # posts that the rows of its threads have gained in this visit
MOVED_IN = "arrived"  # posts of threads that were on another board before, or that left a stub there
PAGES_READ = "read"  # numbers of the pages read in this visit
AHEAD = "ahead"  # number of the page that is due, where threads are sorted by creation
PASSED = "passed"  # number and URL of the first page of such a list that was passed over
FULL_PAGE = "full"  # threads on the longest page read in this visit, where they are sorted by creation
LAST_PAGE = "bottom"  # number of the last page of such a list, once it was read
READ_OLDER = "deeper"  # a page was read below one whose last thread had not changed
SHOWN = "shown"  # keys of the threads of the page that was read last in this visit
LANDMARK = "landmark"  # the same of an earlier page of this visit
VISITED = "pages visited"  # how many pages of the list this visit has read
COMPLETE_AT = "settled"  # the time at the site when all posts that the row counts were found
SKIPS = "hollow"  # how often a board without threads of its own was skipped
EMPTY_LOOKS = "looks"  # how often such a board was read in vain
LISTED = "listed"  # threads that its list showed in the first crawl
IN_ORDER = "order"  # keys of its first threads in the order of the list, in the first crawl
LISTED_BY = "also"  # URL of a longer list that showed its threads too, in the first crawl
# How its list ended: "pager" or "links" if they told it, "cut" if not, or the rows of its last page.
LIST_END = "end"
UNSEEN_NEWS = "unseen"  # chance that threads of its list have news that the last visit did not look for
SURPLUS = (
    "surplus"  # posts that its row counts too many, as a crawl proved that saw the rows of all its threads
)
CLOSED = "closed"  # why its page could not be read: a status, robots.txt, a login page
SITE_CLOSED = "the site stopped showing pages"  # such a reason, if no other page was shown afterwards

DROPPED_AFTER_VISIT = {
    GROWN,
    FOUND,
    MOVED_IN,
    PAGES_READ,
    AHEAD,
    PASSED,
    FULL_PAGE,
    LAST_PAGE,
    STOOD_STILL,
    SURELY_CHANGED,
    READ_OLDER,
    SHOWN,
    LANDMARK,
    VISITED,
    MOVED_ALONE,
}
NOTES_ON_EMPTY_BOARDS = (EMPTY_VISITS, SKIPS, EMPTY_LOOKS)  # dropped once the board shows threads
KEPT_WITH_NEW_ROW = (
    *NOTES_ON_EMPTY_BOARDS,
    COMPLETE_AT,
    LIST_END,
    LISTED_BY,
    UNSEEN_NEWS,
    SURPLUS,
    CLOSED,
    REST,
    GUESSED,
)


MOST_SKIPS = 5  # runs in which an empty board is skipped; then it is read again
_TO_THE_MINUTE, _TO_THE_DAY = 16, 10  # characters of a date in ISO 8601
_TIMED = {Precision.MINUTE.value, Precision.SECOND.value}


class Change(StrEnum):
    """What a row says about the pages of its thread or board."""

    CHANGED = "changed"
    SAME = "same"
    UNSURE = "unsure"  # the row does not say enough


@dataclass(frozen=True, slots=True)
class RowState:
    """What a row says: its numbers and its last activity."""

    count: int | None = None  # replies of a thread, posts of a board
    other: int | None = None  # the other number of the row: views, or what was taken for them
    active: str | None = None  # last activity in ISO 8601, as precise as shown
    precision: str = ""
    active_url: str | None = None
    # All numbers of a thread's row, by column. What they count must be learnt, so they are not compared.
    numbers: Mapping[str, int] = field(default_factory=dict, compare=False)

    def as_dict(self) -> dict[str, Any]:
        """The state as plain data for the store."""
        return {
            "count": self.count,
            "other": self.other,
            "active": self.active,
            "precision": self.precision,
            "url": self.active_url,
            **({"numbers": dict(self.numbers)} if self.numbers else {}),
        }


def state_of_row(row: ThreadRow | BoardRow) -> RowState:
    """The state that a row shows now."""
    moment = row.active
    active, precision = (_start_of(moment), str(moment.precision)) if moment else (None, "")
    if isinstance(row, ThreadRow):
        return RowState(row.replies, row.views, active, precision, row.active_url, row.numbers)
    return RowState(row.posts, row.threads, active, precision)


def stored_state(stored: Mapping[str, Any]) -> RowState:
    """The state that was stored. Empty for a new row."""
    if not stored:
        return RowState()
    return RowState(
        stored.get("count"),
        stored.get("other"),
        stored.get("active"),
        stored.get("precision", ""),
        stored.get("url"),
        stored.get("numbers", {}),
    )


def with_count_of_same_column(before: RowState, now: RowState) -> RowState:
    """An earlier state with the count of the column that is taken for the counter now.

    Two lists of one forum may show their columns in another way: answers are counted here, votes there.
    """
    mine, theirs = _columns_of_count(now), _columns_of_count(before)
    shared = [name for name in mine if name in before.numbers]
    if not shared or not theirs or mine & theirs:
        return before
    return replace(before, count=before.numbers[min(shared)])


def _columns_of_count(state: RowState) -> set[str]:
    """The columns whose number equals the count of a row."""
    return {name for name, number in state.numbers.items() if number == state.count}


def compare(now: RowState, before: RowState) -> Change:
    """Has anything been added since?

    A counter that moved means a change. A counter that stands still means none, unless the last activity is
    later (a post was deleted and another added). Without counters the last activity decides: one that is
    exact to the minute surely, a coarser one only if it moved by more than its precision.
    """
    moved = _compare_activity(now, before)
    if now.count is not None and before.count is not None:
        # An activity that went back in time means a deleted post, or that another column was read.
        later = moved is Change.CHANGED and str(now.active) > str(before.active)
        if now.count < before.count and now.active and before.active and not later:
            # Posts were deleted. A new post would be younger than all that were there.
            return Change.UNSURE if moved is Change.UNSURE else Change.SAME
        if now.count != before.count:
            return Change.CHANGED
        return Change.CHANGED if later else Change.SAME
    return moved


def is_before(state: RowState, seen: datetime) -> bool:
    """Is the last activity of a row surely before `seen`, a moment at which everything was known?

    One day is added for the time zone: the clock of the site may be ahead of ours or behind.
    """
    if state.active is None:
        return False
    latest = datetime.fromisoformat(state.active) + tolerance_of(state.precision) + timedelta(days=1)
    return latest < seen.replace(tzinfo=None)


def compare_with_post(state: RowState, date: str) -> Change:
    """Is the date of a row later than that of a post (in ISO 8601)? SAME if not; UNSURE if it may be either.

    A day that equals the day of the post may be that of a later post.
    """
    if state.active is None or len(date) < _TO_THE_DAY:
        return Change.UNSURE
    if state.precision in _TIMED and date[13:14] == ":":
        return Change.CHANGED if state.active[:_TO_THE_MINUTE] > date[:_TO_THE_MINUTE] else Change.SAME
    shown, known = (datetime.fromisoformat(text[:_TO_THE_DAY]) for text in (state.active, date))
    whole_day = state.precision == Precision.DAY
    slack = timedelta(0) if whole_day else max(tolerance_of(state.precision), timedelta(days=1))
    if shown - slack > known:
        return Change.CHANGED
    return Change.SAME if shown + slack < known else Change.UNSURE


def has_gone_back(state: RowState, before: RowState) -> bool:
    """Is the date earlier and nothing else new? It was "2 weeks ago" before, or a post was deleted."""
    if state.active is None or before.active is None or state.active >= before.active:
        return False
    numbers = ((state.count, before.count), (state.other, before.other))
    return all(now is None or then is None or now <= then for now, then in numbers)


def _compare_activity(now: RowState, before: RowState) -> Change:
    if now.active is None or before.active is None:
        return Change.UNSURE
    then, today = datetime.fromisoformat(before.active), datetime.fromisoformat(now.active)
    if _is_day_month_swap(then, today):
        return Change.UNSURE
    apart = abs(today - then)
    tolerance = tolerance_of(now.precision) + tolerance_of(before.precision)
    if now.precision == before.precision == Precision.DAY and apart:
        return Change.CHANGED
    if apart > tolerance:
        return Change.CHANGED
    return Change.SAME if not tolerance else Change.UNSURE


def _is_day_month_swap(one: datetime, other: datetime) -> bool:
    """Are these the same digits with day and month swapped? 3/4 may be read as March once, as April once."""
    return (
        one.date() != other.date()
        and one.day <= 12
        and one.replace(month=one.day, day=one.month).date() == other.date()
        and one.time() == other.time()
    )


def tolerance_of(precision: str) -> timedelta:
    """How far a moment of this precision may be off. Relative dates are rounded up or down."""
    return {
        Precision.SECOND.value: timedelta(0),
        Precision.MINUTE.value: timedelta(0),
        Precision.HOUR.value: timedelta(hours=1),
        Precision.DAY.value: timedelta(days=1),
        Precision.MONTH.value: timedelta(days=31),
    }.get(str(precision), timedelta(days=366))


def _start_of(moment: Moment) -> str:
    """The start of what a moment covers. The zone is dropped: it is the same for all rows of a site."""
    if moment.time is None:
        return moment.date.isoformat()
    return (
        f"{moment.date.isoformat()}T{moment.time.replace(second=0, microsecond=0, tzinfo=None).isoformat()}"
    )
