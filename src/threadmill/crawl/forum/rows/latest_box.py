"""Reads boxes of the latest threads beside a list: they tell since when no other thread got a post."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from threadmill.crawl.forum.knowledge import ForumKnowledge
from threadmill.crawl.forum.rows.row_state import Change, compare_with_post, state_of_row, tolerance_of
from threadmill.forum.read_page import PageAnalysis
from threadmill.forum.records.date_columns import sort_key
from threadmill.store.forum.activity import days_of
from threadmill.store.forum.posts import post_dates
from threadmill.store.forum.threads import find_threads
from threadmill.types import Moment, ThreadRow
from threadmill.urls import resolve

_ZONES = 1  # day: dates of rows and of posts may be of other zones
_MIN_ROWS = 3  # two dates may be in order by chance


@dataclass(frozen=True, slots=True)
class LatestBox:
    """What a box tells: no other thread got a post since a day, and some known threads have news."""

    quiet_since: int  # day
    answered: frozenset[int]  # ids of threads


def read_latest_box(
    connection: Connection,
    forum: int,
    knowledge: ForumKnowledge,
    analysis: PageAnalysis,
    listed: Mapping[str, ThreadRow],
) -> LatestBox | None:
    """The box of the latest threads of a page that tells most. None if no box can be trusted.

    A box is known by its place on the page. It is trusted where its dates fell while the threads had begun in
    another order, and where they were never out of order. A list of new threads shows other dates. Nor may
    the page list a thread with a later date that the box lacks. `listed` are the threads of the list itself,
    which is sorted by creation.
    """
    found: list[LatestBox] = []
    for place, rows in _find_lists(knowledge, analysis):
        known = find_threads(connection, forum, rows)
        stored = {key: dates for key in known if (dates := post_dates(connection, known[key].id))}
        active = [row.active for row in rows.values() if row.active]
        order = _judge_order(active, [stored[key][0] for key in rows if key in stored])
        if order == "either" and _differ_in_order(list(rows), list(listed)):
            order = "activity"
        quiet_since = _last_day(active[-1])
        others = (row.active for key, row in listed.items() if key not in rows and row.active)
        if any(_is_earlier(rows[key], last) for key, (_, last) in stored.items()) or any(
            moment.date.toordinal() > quiet_since + tolerance_of(moment.precision).days for moment in others
        ):
            order = "another"
        knowledge.rows.record_box(place, order)
        if order != "another" and knowledge.rows.trusts_box(place):
            answered = {known[key].id for key, (_, last) in stored.items() if _is_later(rows[key], last)}
            found.append(LatestBox(quiet_since, frozenset(answered)))
    return min(found, key=lambda box: box.quiet_since, default=None)


def _find_lists(
    knowledge: ForumKnowledge, analysis: PageAnalysis
) -> Iterator[tuple[str, dict[str, ThreadRow]]]:
    """The lists of dated threads on a page, by key, each with its place."""
    layout, outline = knowledge.layout, analysis.outline
    for found, parsed in zip(analysis.row_lists, analysis.parsed_row_lists, strict=True):
        rows = {
            layout.thread_key(url): row
            for row in parsed.rows
            if row.active and layout.link_kind(url := resolve(row.url) or row.url) in {"thread", "unknown"}
        }
        if len(rows) == len(parsed.rows) >= _MIN_ROWS:
            yield outline.chain(outline.parent[found.table.records[0].start], 3), rows


def _judge_order(active: Sequence[Moment], created: Sequence[str]) -> str:
    """By what threads are sorted: "activity", "another" order, or "either" where dates of both kinds fall."""
    days = [sort_key(moment) for moment in active]
    if days != sorted(days, reverse=True):
        return "another"
    return "either" if list(created) == sorted(created, reverse=True) else "activity"


def _differ_in_order(keys: Sequence[str], listed: Sequence[str]) -> bool:
    """Do threads stand in another order than in the list?"""
    places = {key: place for place, key in enumerate(listed)}
    shared = [places[key] for key in keys if key in places]
    return shared != sorted(shared)


def _last_day(moment: Moment) -> int:
    return moment.date.toordinal() + tolerance_of(moment.precision).days


def _is_later(row: ThreadRow, last: str) -> bool:
    return compare_with_post(state_of_row(row), last) is Change.CHANGED


def _is_earlier(row: ThreadRow, last: str) -> bool:
    """Does a row show a day well before that of the last post? Then it is that of another post."""
    day = days_of(last)
    return row.active is not None and day is not None and _last_day(row.active) + _ZONES < int(day)
