"""The table of accounts: after each run, the posts kept beside the posts that the forum claims to have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    ForeignKey,
    Table,
    Text,
    and_,
    cast,
    func,
    not_,
    select,
)

from threadmill.store.crawl.jobs import run
from threadmill.store.forum.posts import post
from threadmill.store.forum.threads import thread
from threadmill.store.schema import metadata
from threadmill.types import CrawlAccount

_SHOWN = ("img", "picture", "svg", "video", "audio", "iframe", "object", "embed")  # posts may be one of these

account = Table(
    "account",
    metadata,
    Column("run", BigInteger, ForeignKey("run.id"), primary_key=True, autoincrement=False),
    Column("verdict", Text, nullable=False),
    Column("kept", BigInteger, nullable=False),
    Column("claimed", BigInteger),  # NULL: the forum claims nothing
    Column("account", JSON, nullable=False),  # all of it: CrawlAccount.as_dict
)


@dataclass(frozen=True, slots=True)
class ThreadHolding:
    """What is stored of one thread, and what its row and its pager said."""

    id: int
    board: int | None
    url: str
    title: str
    said: Mapping[str, Any]
    pages: int
    gone: bool
    due: bool
    empty: bool  # its due page came without posts
    kept: int  # posts that have not vanished
    hollow: int = 0  # of them those with neither words nor pictures


def thread_holdings(connection: Connection, forum_id: int) -> Iterator[ThreadHolding]:
    """Yield every thread of a forum with the number of its posts."""
    held = (
        select(
            post.c.thread,
            func.count().label("kept"),
            func.count().filter(_is_hollow()).label("hollow"),
        )
        .join(thread, thread.c.id == post.c.thread)
        .where(thread.c.forum == forum_id, post.c.vanished.is_(None))
        .group_by(post.c.thread)
        .subquery()
    )
    names = ("id", "board", "url", "title", "said", "pages", "gone", "due", "walk")
    counts = (func.coalesce(held.c[name], 0).label(name) for name in ("kept", "hollow"))
    wanted = (
        select(*(thread.c[name] for name in names), *counts)
        .outerjoin(held, held.c.thread == thread.c.id)
        .where(thread.c.forum == forum_id)
        .order_by(thread.c.id)
    )
    for row in connection.execute(wanted):
        values = dict(row._mapping)
        empty = bool(values.pop("walk").get("misses"))
        yield ThreadHolding(**values | {"due": values["due"] is not None, "empty": empty})


def _is_hollow() -> ColumnElement[bool]:
    """Whether a post has neither words nor a quote nor a picture: it has none, or they were not found."""
    shown = [func.lower(post.c.html).contains(f"<{tag}") for tag in _SHOWN]
    unquoted = cast(post.c.apart, Text).contains('"quotes": []')
    return and_(post.c.text == "", unquoted, *map(not_, shown))


def keep_account(connection: Connection, run_id: int, found: CrawlAccount) -> None:
    """Store the account of a run, in place of an earlier one of the same run."""
    connection.execute(account.delete().where(account.c.run == run_id))
    values = {"run": run_id, "verdict": found.verdict, "kept": found.kept, "claimed": found.claimed}
    connection.execute(account.insert().values(account=found.as_dict(), **values))


def find_account(connection: Connection, run_id: int) -> CrawlAccount | None:
    """Return the account of a run, or None."""
    found = connection.execute(select(account.c.account).where(account.c.run == run_id)).scalar()
    return CrawlAccount.from_dict(found) if found else None


def latest_account(connection: Connection, job_id: int) -> CrawlAccount | None:
    """Return the newest account of a job, or None."""
    wanted = select(account.c.account).join(run, run.c.id == account.c.run).where(run.c.job == job_id)
    found = connection.execute(wanted.order_by(account.c.run.desc()).limit(1)).scalar()
    return CrawlAccount.from_dict(found) if found else None
