"""What the store knows of a forum's life: posts by board and day, requests made, runs cut off."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, func, or_, select

from threadmill.store.crawl.jobs import job, run
from threadmill.store.forum.forums import BoardState, board, forum
from threadmill.store.forum.page_visits import reading
from threadmill.store.forum.posts import post
from threadmill.store.forum.threads import thread

_MINUTES = 24 * 60
_RUNS = 5  # of the last ones, enough to know what a post costs


@dataclass(frozen=True, slots=True)
class KnownForum:
    """A forum that was crawled into the store."""

    job: int
    url: str  # where the user started it
    id: int
    entry: str
    model: dict[str, Any]
    last_run: datetime | None


def known_forums(connection: Connection) -> list[KnownForum]:
    """All forums that have been learnt, in the order they were first crawled."""
    last = select(func.max(run.c.started)).where(run.c.job == job.c.id).scalar_subquery()
    wanted = (
        select(job.c.id, job.c.url, forum.c.id, forum.c.entry, forum.c.model, last)
        .join(forum, forum.c.job == job.c.id)
        .order_by(job.c.id)
    )
    return [KnownForum(*row[:5], _moment(row[5])) for row in connection.execute(wanted)]


def all_boards(connection: Connection, forum_id: int) -> list[BoardState]:
    """All boards of a forum, in the order they were found."""
    names = ("id", "url", "title", "parent", "said", "visited", "due", "page")
    wanted = select(*(board.c[name] for name in names)).where(board.c.forum == forum_id).order_by(board.c.id)
    return [BoardState(**row._mapping) for row in connection.execute(wanted)]


def posts_by_day(connection: Connection, forum_id: int, since: date) -> dict[int, dict[date, int]]:
    """How many posts each board got on each day from a day on, as far as dates were read."""
    day = func.substr(post.c.date, 1, 10).label("day")
    wanted = (
        select(thread.c.board, day, func.count())
        .join(thread, thread.c.id == post.c.thread)
        .where(thread.c.forum == forum_id, post.c.date >= since.isoformat())
        .group_by(thread.c.board, day)
    )
    found: dict[int, dict[date, int]] = defaultdict(dict)
    for where, when, count in connection.execute(wanted):
        if where is not None and len(when) == len("2000-01-01"):  # some pages tell no more than the month
            found[where][date.fromisoformat(when)] = count
    return found


def days_by_thread(connection: Connection, forum_id: int, most: int) -> Iterator[list[float]]:
    """The days of each thread's posts in order, of as many threads as asked for, evenly taken from all."""
    threads = select(func.count()).where(thread.c.forum == forum_id)
    step = connection.execute(threads).scalar_one() // most + 1
    wanted = (
        select(post.c.thread, post.c.date)
        .join(thread, thread.c.id == post.c.thread)
        .where(thread.c.forum == forum_id, thread.c.id % step == 0, post.c.vanished.is_(None))
        .order_by(post.c.thread)
    )
    for _, rows in groupby(connection.execute(wanted), key=lambda row: row.thread):
        days = sorted(day for row in rows if (day := _day(row.date)) is not None)
        if days:
            yield days


def lives_of_threads(connection: Connection, board_id: int) -> list[tuple[float, int, float]]:
    """Of each thread of a board: the day it began, its id and the day of its last post; oldest first."""
    wanted = (
        select(thread.c.id, func.min(post.c.date), func.max(post.c.date))
        .join(thread, thread.c.id == post.c.thread)
        .where(thread.c.board == board_id, thread.c.gone.is_(False), post.c.vanished.is_(None))
        .group_by(thread.c.id)
    )
    found = []
    for number, first, last in connection.execute(wanted):
        begun, ended = _day(first), _day(last)
        if begun is not None and ended is not None:
            found.append((begun, number, ended))
    return sorted(found)


def request_moments(connection: Connection, jobs: Collection[int], since: datetime) -> list[datetime]:
    """When pages were fetched for some jobs, from a moment on, in order."""
    wanted = (
        select(reading.c.at)
        .join(run, run.c.id == reading.c.run)
        .where(run.c.job.in_(jobs), or_(run.c.ended.is_(None), run.c.ended >= since), reading.c.at >= since)
        .order_by(reading.c.at)
    )
    return [row.at for row in connection.execute(wanted)]


def pages_a_post(connection: Connection, job_id: int) -> float | None:
    """Thread pages fetched for each new post in the last runs after the first one; None: not known yet."""
    first = select(func.min(run.c.id)).where(run.c.job == job_id).scalar_subquery()
    last = select(run.c.id).where(run.c.job == job_id, run.c.id > first).order_by(run.c.id.desc())
    wanted = select(func.count(), func.coalesce(func.sum(reading.c.news), 0)).where(
        reading.c.run.in_(last.limit(_RUNS)), reading.c.kind == "thread"
    )
    pages, posts = connection.execute(wanted).one()
    return pages / posts if posts else None


def _day(date: str | None) -> float | None:
    """A post's date as a number of days; None where no day is told."""
    if not date or len(date) < len("2000-01-01"):
        return None
    return as_days(datetime.fromisoformat(date))


def as_days(moment: datetime) -> float:
    """A moment as days since a day of old, by its own clock."""
    return moment.toordinal() + (moment.hour * 60 + moment.minute) / _MINUTES


def _moment(value: Any) -> datetime | None:
    """A moment from an aggregate, which SQLite gives back as the text it is stored as."""
    return datetime.fromisoformat(value) if isinstance(value, str) else value
