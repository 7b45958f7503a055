"""Queries about the activity of forums: posts per board and day, times of posts, requests made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, func, or_, select

from threadmill.store.crawl.jobs import job, run
from threadmill.store.forum.forums import STATE_COLUMNS, BoardState, board, forum
from threadmill.store.forum.page_visits import page_visit
from threadmill.store.forum.posts import post
from threadmill.store.forum.threads import thread

_MINUTES_PER_DAY = 24 * 60
_RUNS = 5  # the last runs that show what a new post costs


@dataclass(frozen=True, slots=True)
class KnownForum:
    """A forum that has been crawled."""

    job: int
    url: str  # the start URL given by the user
    id: int
    entry: str
    model: dict[str, Any]
    last_run: datetime | None


def known_forums(connection: Connection, urls: Collection[str] = ()) -> list[KnownForum]:
    """Return all known forums, or those with these URLs, in the order of their first crawl."""
    last = select(func.max(run.c.started)).where(run.c.job == job.c.id).scalar_subquery()
    wanted = (
        select(job.c.id, job.c.url, forum.c.id, forum.c.entry, forum.c.model, last)
        .join(forum, forum.c.job == job.c.id)
        .order_by(job.c.id)
    )
    if urls:
        wanted = wanted.where(job.c.url.in_(urls))
    return [KnownForum(*row[:5], _moment(row[5])) for row in connection.execute(wanted)]


def all_boards(connection: Connection, forum_id: int) -> list[BoardState]:
    """Return all boards of a forum, in the order they were found."""
    columns = (board.c[name] for name in STATE_COLUMNS)
    wanted = select(*columns).where(board.c.forum == forum_id).order_by(board.c.id)
    return [BoardState(**row._mapping) for row in connection.execute(wanted)]


def posts_by_day(connection: Connection, forum_id: int, since: date) -> dict[int, dict[date, int]]:
    """Count the posts of each board per day, starting with `since`. Posts without a date are left out."""
    day = func.substr(post.c.date, 1, 10).label("day")
    wanted = (
        select(thread.c.board, day, func.count())
        .join(thread, thread.c.id == post.c.thread)
        .where(thread.c.forum == forum_id, post.c.date >= since.isoformat())
        .group_by(thread.c.board, day)
    )
    found: dict[int, dict[date, int]] = defaultdict(dict)
    for where, when, count in connection.execute(wanted):
        if where is not None and len(when) == len("2000-01-01"):  # some forums show only the month
            found[where][date.fromisoformat(when)] = count
    return found


def days_by_thread(connection: Connection, forum_id: int, most: int) -> Iterator[list[float]]:
    """Yield the sorted days of the posts of each thread, for an even sample of at most `most` threads."""
    threads = select(func.count()).where(thread.c.forum == forum_id)
    step = connection.execute(threads).scalar_one() // most + 1
    wanted = (
        select(post.c.thread, post.c.date)
        .join(thread, thread.c.id == post.c.thread)
        .where(thread.c.forum == forum_id, thread.c.id % step == 0, post.c.vanished.is_(None))
        .order_by(post.c.thread)
    )
    for _, rows in groupby(connection.execute(wanted), key=lambda row: row.thread):
        days = sorted(day for row in rows if (day := days_of(row.date)) is not None)
        if days:
            yield days


def titles_of_threads(connection: Connection, forum_id: int) -> dict[int, str]:
    """Return the titles of all threads of a forum by their ids."""
    wanted = select(thread.c.id, thread.c.title).where(thread.c.forum == forum_id)
    return {row.id: row.title or "" for row in connection.execute(wanted)}


def lives_of_threads(
    connection: Connection, board_id: int | None, forum_id: int | None = None
) -> list[tuple[float, int, float]]:
    """Return the day of the first post, the id and the day of the last post of each thread.

    The threads are those of a board, or without one those of a forum. Oldest threads come first.
    """
    where = thread.c.forum == forum_id if board_id is None else thread.c.board == board_id
    wanted = (
        select(thread.c.id, func.min(post.c.date), func.max(post.c.date))
        .join(thread, thread.c.id == post.c.thread)
        .where(where, thread.c.gone.is_(False), post.c.vanished.is_(None))
        .group_by(thread.c.id)
    )
    found = []
    for number, first, last in connection.execute(wanted):
        begun, ended = days_of(first), days_of(last)
        if begun is not None and ended is not None:
            found.append((begun, number, ended))
    return sorted(found)


def request_moments(connection: Connection, jobs: Collection[int], since: datetime) -> list[datetime]:
    """Return the times of all requests of some jobs since a time, in order."""
    wanted = (
        select(page_visit.c.at)
        .join(run, run.c.id == page_visit.c.run)
        .where(
            run.c.job.in_(jobs), or_(run.c.ended.is_(None), run.c.ended >= since), page_visit.c.at >= since
        )
        .order_by(page_visit.c.at)
    )
    return [row.at for row in connection.execute(wanted)]


def pages_a_post(connection: Connection, job_id: int) -> float | None:
    """Return the thread pages fetched per new post in the last runs; None while it is unknown.

    The first run is left out: it fetches everything.
    """
    first = select(func.min(run.c.id)).where(run.c.job == job_id).scalar_subquery()
    last = select(run.c.id).where(run.c.job == job_id, run.c.id > first).order_by(run.c.id.desc())
    wanted = select(func.count(), func.coalesce(func.sum(page_visit.c.news), 0)).where(
        page_visit.c.run.in_(last.limit(_RUNS)), page_visit.c.kind == "thread"
    )
    pages, posts = connection.execute(wanted).one()
    return pages / posts if posts else None


def days_of(date: str | None) -> float | None:
    """Return the date of a post as a number of days; None if it has no day."""
    if not date or len(date) < len("2000-01-01"):
        return None
    return as_days(datetime.fromisoformat(date))


def as_days(moment: datetime) -> float:
    """Return a time as days since the year 1, in its own zone."""
    return moment.toordinal() + (moment.hour * 60 + moment.minute) / _MINUTES_PER_DAY


def _moment(value: Any) -> datetime | None:
    """Read a time from an aggregate. SQLite returns it as text."""
    return datetime.fromisoformat(value) if isinstance(value, str) else value
