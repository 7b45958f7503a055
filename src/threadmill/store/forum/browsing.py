"""Reads forums page by page, as a person browses them: counts, boards, threads and posts.

Counts of posts are kept in a table of their own, which `refresh_post_counts` brings up to date: counting a
million posts takes seconds, looking up a few thousand days takes a millisecond.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Column, Connection, ForeignKey, Table, Text, func, select

from threadmill.store.crawl.jobs import job
from threadmill.store.forum.forums import board, forum
from threadmill.store.forum.posts import post, wording
from threadmill.store.forum.threads import thread
from threadmill.store.schema import Identity, metadata

post_count = Table(
    "post_count",
    metadata,
    Column("forum", Identity, ForeignKey("forum.id"), primary_key=True),
    Column("day", Text, primary_key=True),  # "2024-05-31"; empty: posts without a day
    Column("posts", BigInteger, nullable=False),
)
post_count_mark = Table(  # one row: the last post that is counted
    "post_count_mark",
    metadata,
    Column("id", Identity, primary_key=True),
    Column("post", BigInteger, nullable=False),
)

_DAY, _MONTH = len("2024-05-31"), len("2024-05")
_A_DAY = re.compile(r"\d{4}-\d\d-\d\d")
THREAD_SORTS = {"newest": thread.c.id, "posts": thread.c.posts, "title": thread.c.title}


def uncounted_posts(connection: Connection) -> int:
    """At most this many posts came since the counts were last brought up to date."""
    last = connection.execute(select(func.max(post.c.id))).scalar() or 0
    return int(last) - _mark(connection)


def refresh_post_counts(connection: Connection) -> None:
    """Count the posts that came since the last time."""
    mark = _mark(connection)
    last = connection.execute(select(func.max(post.c.id))).scalar()
    if last is None or last <= mark:
        return
    day = func.substr(post.c.date, 1, _DAY)
    wanted = (
        select(thread.c.forum, day, func.count())
        .join(thread, thread.c.id == post.c.thread)
        .where(post.c.id > mark, post.c.id <= last)
        .group_by(thread.c.forum, day)
    )
    fresh: Counter[tuple[int, str]] = Counter()
    for number, when, count in connection.execute(wanted):
        fresh[number, when if when and _A_DAY.fullmatch(when) else ""] += count
    known = _known_counts(connection, {number for number, _ in fresh})
    for key, count in fresh.items():
        values = {"forum": key[0], "day": key[1], "posts": known.get(key, 0) + count}
        if key in known:
            same = (post_count.c.forum == key[0], post_count.c.day == key[1])
            connection.execute(post_count.update().where(*same).values(values))
        else:
            connection.execute(post_count.insert().values(values))
    connection.execute(post_count_mark.delete())
    connection.execute(post_count_mark.insert().values(post=last))


def _mark(connection: Connection) -> int:
    return int(connection.execute(select(post_count_mark.c.post)).scalar() or 0)


def _known_counts(connection: Connection, forums: Iterable[int]) -> dict[tuple[int, str], int]:
    rows = connection.execute(select(post_count).where(post_count.c.forum.in_(list(forums))))
    return {(row.forum, row.day): row.posts for row in rows}


def post_totals(connection: Connection) -> dict[int, tuple[int, str]]:
    """Return the counted posts of each forum, and the day of the last dated one (or an empty text)."""
    wanted = select(post_count.c.forum, func.sum(post_count.c.posts), func.max(post_count.c.day))
    rows = connection.execute(wanted.group_by(post_count.c.forum))
    return {number: (int(posts), day) for number, posts, day in rows}


def posts_per_day(connection: Connection, forum_id: int, since: str = "") -> dict[str, int]:
    """Return the counted posts of a forum by day, oldest first; posts without a day are those of ""."""
    wanted = select(post_count.c.day, post_count.c.posts).order_by(post_count.c.day)
    rows = connection.execute(wanted.where(post_count.c.forum == forum_id, post_count.c.day >= since))
    return {row.day: row.posts for row in rows}


def posts_per_month(connection: Connection, forum_id: int) -> dict[str, int]:
    """Return the counted posts of a forum by month ("2024-05"), oldest first; "" as in `posts_per_day`."""
    month = func.substr(post_count.c.day, 1, _MONTH)
    wanted = select(month, func.sum(post_count.c.posts)).where(post_count.c.forum == forum_id)
    return {name: int(posts) for name, posts in connection.execute(wanted.group_by(month).order_by(month))}


def forum_of_job(connection: Connection, job_id: int) -> tuple[int, str, datetime] | None:
    """Return id, entry URL and time of learning of the forum of a job; None if it is not learnt yet."""
    wanted = select(forum.c.id, forum.c.entry, forum.c.learnt).where(forum.c.job == job_id)
    row = connection.execute(wanted).first()
    return (row.id, row.entry, row.learnt) if row else None


def load_forum(connection: Connection, forum_id: int) -> tuple[int, str, dict[str, Any], datetime] | None:
    """Return job, entry URL, model and time of learning of a forum, or None."""
    wanted = select(forum.c.job, forum.c.entry, forum.c.model, forum.c.learnt).where(forum.c.id == forum_id)
    row = connection.execute(wanted).first()
    return (row.job, row.entry, row.model, row.learnt) if row else None


def forum_job_url(connection: Connection, forum_id: int) -> str | None:
    """Return the start URL that a user gave for a forum, or None."""
    wanted = select(job.c.url).join(forum, forum.c.job == job.c.id).where(forum.c.id == forum_id)
    found = connection.execute(wanted).scalar()
    return str(found) if found is not None else None


@dataclass(frozen=True, slots=True)
class BrowsedBoard:
    """A board with the number of its threads."""

    id: int
    url: str
    title: str
    parent: int | None
    visited: datetime | None
    threads: int


def browse_boards(connection: Connection, forum_id: int) -> list[BrowsedBoard]:
    """Return all boards of a forum, in the order they were found."""
    counts = (
        select(thread.c.board, func.count().label("threads"))
        .where(thread.c.board.in_(select(board.c.id).where(board.c.forum == forum_id)))
        .group_by(thread.c.board)
        .subquery()
    )
    wanted = (
        select(
            *(board.c[name] for name in ("id", "url", "title", "parent", "visited")),
            func.coalesce(counts.c.threads, 0).label("threads"),
        )
        .outerjoin(counts, counts.c.board == board.c.id)
        .where(board.c.forum == forum_id)
        .order_by(board.c.id)
    )
    return [BrowsedBoard(**row._mapping) for row in connection.execute(wanted)]


@dataclass(frozen=True, slots=True)
class BrowsedThread:
    """A thread of a list."""

    id: int
    board: int | None
    url: str
    title: str
    posts: int  # when it was last read to its end
    pages: int
    visited: datetime | None
    gone: bool


_THREAD = [thread.c[name] for name in ("id", "board", "url", "title", "posts", "pages", "visited", "gone")]


def find_browsed_board(connection: Connection, board_id: int) -> tuple[int, BrowsedBoard] | None:
    """Return the forum of a board and the board, or None."""
    names = ("id", "url", "title", "parent", "visited")
    wanted = select(board.c.forum, *(board.c[name] for name in names)).where(board.c.id == board_id)
    row = connection.execute(wanted).first()
    if row is None:
        return None
    values = dict(row._mapping)
    threads = connection.execute(select(func.count()).where(thread.c.board == board_id)).scalar_one()
    return int(values.pop("forum")), BrowsedBoard(**values, threads=int(threads))


def example_threads(connection: Connection, forum_id: int, most: int) -> list[str]:
    """Return the URLs of some threads of a forum."""
    wanted = select(thread.c.url).where(thread.c.forum == forum_id).order_by(thread.c.id).limit(most)
    return list(connection.execute(wanted).scalars())


def browse_threads(
    connection: Connection, board_id: int, sort: str, *, descending: bool, offset: int, most: int
) -> list[BrowsedThread]:
    """Return one page of the threads of a board. `sort` is one of THREAD_SORTS."""
    column = THREAD_SORTS[sort]
    order = (column.desc(), thread.c.id.desc()) if descending else (column, thread.c.id)
    wanted = select(*_THREAD).where(thread.c.board == board_id).order_by(*order)
    rows = connection.execute(wanted.offset(offset).limit(most))
    return [BrowsedThread(**row._mapping) for row in rows]


def browse_thread(connection: Connection, thread_id: int) -> tuple[int, BrowsedThread] | None:
    """Return the forum of a thread and the thread, or None."""
    row = connection.execute(select(thread.c.forum, *_THREAD).where(thread.c.id == thread_id)).first()
    if row is None:
        return None
    values = dict(row._mapping)
    return int(values.pop("forum")), BrowsedThread(**values)


@dataclass(frozen=True, slots=True)
class BrowsedPost:
    """A post as a reader sees it, with its earlier wordings."""

    id: int
    url: str
    author: str | None
    author_url: str | None
    date: str | None
    position: int
    text: str
    apart: dict[str, Any]  # quotes, signature, edit note, links
    first_seen: datetime
    vanished: datetime | None
    earlier: tuple[tuple[datetime, str], ...] = ()  # until when, and the text


def browse_posts(connection: Connection, thread_id: int, *, offset: int, most: int) -> list[BrowsedPost]:
    """Return one page of the posts of a thread, in its order."""
    names = (
        "id", "url", "author", "author_url", "date", "position", "text", "apart", "first_seen", "vanished",
    )  # fmt: skip
    wanted = (
        select(*(post.c[name] for name in names))
        .where(post.c.thread == thread_id)
        .order_by(post.c.position, post.c.id)
        .offset(offset)
        .limit(most)
    )
    rows = [dict(row._mapping) for row in connection.execute(wanted)]
    earlier: dict[int, list[tuple[datetime, str]]] = defaultdict(list)
    edits = select(wording.c.post, wording.c.until, wording.c.text).where(
        wording.c.post.in_([row["id"] for row in rows])
    )
    for number, until, text in connection.execute(edits.order_by(wording.c.id)):
        earlier[number].append((until, text))
    return [BrowsedPost(**row, earlier=tuple(earlier[row["id"]])) for row in rows]


def count_thread_posts(connection: Connection, thread_id: int) -> int:
    """Count the stored posts of a thread."""
    held = select(func.count()).where(post.c.thread == thread_id)
    return int(connection.execute(held).scalar_one())


def find_post(connection: Connection, url: str, date: str) -> tuple[int, int, int] | None:
    """Return thread and id of the post with this URL and date, and the number of posts before it; or None.

    The date finds it quickly: there is an index over dates, and none over URLs.
    """
    same = (post.c.date == date, post.c.url == url)
    row = connection.execute(select(post.c.thread, post.c.id, post.c.position).where(*same).limit(1)).first()
    if row is None or not date:
        return None
    earlier = (post.c.position < row.position) | ((post.c.position == row.position) & (post.c.id < row.id))
    before = select(func.count()).where(post.c.thread == row.thread, earlier)
    return int(row.thread), int(row.id), int(connection.execute(before).scalar_one())


def list_boards(connection: Connection, most: int) -> list[tuple[str, str]]:
    """Return URL and title of some boards of all forums, by title."""
    wanted = select(board.c.url, board.c.title).where(board.c.title != "").order_by(board.c.title).limit(most)
    return [(row.url, row.title) for row in connection.execute(wanted)]
