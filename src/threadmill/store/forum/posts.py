"""The table of posts. Each post is stored once. Earlier wordings and vanished posts are kept."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from itertools import accumulate, pairwise
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    bindparam,
    func,
    or_,
    select,
)

from threadmill.store.schema import Identity, Instant, metadata
from threadmill.types import Moment, Post

post = Table(
    "post",
    metadata,
    Column("id", Identity, primary_key=True),
    Column("thread", Identity, ForeignKey("thread.id"), nullable=False),
    Column("identity", Text, nullable=False),  # hash of date, author and text
    Column(
        "wording", Text, nullable=False
    ),  # hash of author and text: stays when the date is shown differently
    Column("post_id", Text),
    Column("url", Text, nullable=False),
    Column("author", Text),
    Column("author_url", Text),
    Column("date", Text),  # ISO 8601, as precise as the page shows it
    Column("position", Integer, nullable=False),
    Column("parent", Text),
    Column("text", Text, nullable=False),
    Column("html", Text, nullable=False),
    Column("apart", JSON, nullable=False),  # quotes, signature, edit note, links
    Column("first_seen", Instant, nullable=False),
    Column("vanished", Instant),
    Index("ix_post_thread_identity", "thread", "identity"),
    Index("ix_post_thread_post_id", "thread", "post_id"),
    Index("ix_post_thread_position", "thread", "position"),
    Index("ix_post_date", "date"),
    Index("ix_post_wording", "wording"),
)

wording = Table(
    "wording",
    metadata,
    Column("id", Identity, primary_key=True),
    Column("post", Identity, ForeignKey("post.id"), nullable=False, index=True),
    Column("until", Instant, nullable=False),  # when the next wording was first seen
    Column("text", Text, nullable=False),
    Column("html", Text, nullable=False),
)

_MOST_FALLS = 0.25  # of the posts of a list are older than the one before; more, and it is sorted otherwise
_MOST_CANDIDATES = 5  # threads that may be the same; more than this only share a phrase


@dataclass(frozen=True, slots=True)
class KnownPost:
    """The columns of a stored post that are needed to recognise it."""

    id: int
    identity: str
    wording: str
    post_id: str | None
    author: str | None
    date: str | None
    position: int
    url: str = ""


_COLUMNS = ("id", "identity", "wording", "post_id", "author", "date", "position", "url")
_KNOWN = [post.c[name] for name in _COLUMNS]
_DIGITS = re.compile(r"\d+")


def wording_of(shown: Post) -> str:
    """Return a hash of author and text."""
    return _hash(shown.author or "", shown.text)


def identity_of(shown: Post) -> str:
    """Return a hash of date, author and text. It identifies a post that has no number of the site."""
    return _hash(shown.date.isoformat() if shown.date else "", shown.author or "", shown.text)


def hash_of_posts(shown: Sequence[Post]) -> str:
    """Return a hash of all posts of a page."""
    return _hash(*(identity_of(one) for one in shown))


def find_known(connection: Connection, thread_id: int, shown: Sequence[Post]) -> list[KnownPost | None]:
    """Return the stored post of each post of a page, or None.

    The number given by the site decides first. Then the identity. Then author and text, if both dates can
    mean the same time ("3 days ago", later "12 May"). Then author and exact date: its text was edited.
    """
    ids = {p.post_id for p in shown if p.post_id}
    names = {wording_of(p) for p in shown}
    dates = {p.date.isoformat() for p in shown if p.date and p.date.time is not None}
    near = or_(post.c.post_id.in_(ids), post.c.wording.in_(names), post.c.date.in_(dates))
    rows = connection.execute(select(*_KNOWN).where(post.c.thread == thread_id, near).order_by(post.c.id))
    return _match(shown, [KnownPost(**row._mapping) for row in rows])


def _match(shown: Sequence[Post], known: Sequence[KnownPost]) -> list[KnownPost | None]:
    found: list[KnownPost | None] = [None] * len(shown)
    if _are_numbers_positions(shown, known):
        known = [replace(one, post_id=None) for one in known]
    free = {k.id: k for k in known}
    for same in (_same_number, _same_identity, _same_wording, _same_moment):
        for index, one in enumerate(shown):
            if found[index] is None:
                match = next((k for k in free.values() if same(one, k)), None)
                if match is not None:
                    found[index] = free.pop(match.id)
    return found


def _are_numbers_positions(shown: Sequence[Post], known: Sequence[KnownPost]) -> bool:
    """Whether post numbers are only positions, so that they shift when an earlier post is deleted.

    Then a stored post (same minute, author and text) appears with the number of another stored post.
    """
    numbers = {one.post_id: one for one in known if one.post_id}
    identities = {one.identity: one for one in known if one.date and len(one.date) > len("2000-01-01")}
    for one in shown:
        holder, same = numbers.get(one.post_id or ""), identities.get(identity_of(one))
        if holder and same and holder.identity != same.identity and same.post_id not in {None, one.post_id}:
            return True
    return False


def _same_number(one: Post, known: KnownPost) -> bool:
    return one.post_id is not None and one.post_id == known.post_id and not _is_other_post(one, known)


def _is_other_post(one: Post, known: KnownPost) -> bool:
    """Whether two posts with one number differ. The number of a first post may be that of its thread.

    One change is possible for the same post: the day (some engines show the day of the last edit), the author
    (renamed) or the form of its URL (relaunch). Two changes at once mean another post.
    """
    shown = one.date.isoformat() if one.date and one.date.time else ""
    if not shown or not known.date or shown[:10] == known.date[:10] or len(known.date) <= len("2000-01-01"):
        return False
    if one.author != known.author:
        return True
    return bool(one.url) and _DIGITS.sub("#", one.url or "") != _DIGITS.sub("#", known.url)


def _has_other_number(one: Post, known: KnownPost) -> bool:
    return one.post_id is not None and known.post_id is not None and one.post_id != known.post_id


def _same_identity(one: Post, known: KnownPost) -> bool:
    """Whether two posts are the same by author, date and words. Numbers change when a site is restored."""
    is_other = _has_other_number(one, known) and (not one.url or one.url != known.url)
    return not is_other and identity_of(one) == known.identity


def _same_wording(one: Post, known: KnownPost) -> bool:
    if _has_other_number(one, known) or wording_of(one) != known.wording:
        return False
    return one.date is None or known.date is None or _dates_agree(one.date, known.date)


def _dates_agree(moment: Moment, iso: str) -> bool:
    """Whether two dates agree as far as both are given. Dates with times must agree to the minute."""
    shown, kept = moment.isoformat(), iso
    length = min(len(shown), len(kept), 10)
    if len(shown) > 10 and len(kept) > 10:
        return shown[:16] == kept[:16]
    return shown[:length] == kept[:length]


def _same_moment(one: Post, known: KnownPost) -> bool:
    if _has_other_number(one, known) or one.date is None or one.date.time is None:
        return False
    return one.author == known.author and one.date.isoformat() == known.date


def add_post(connection: Connection, thread_id: int, shown: Post, page_url: str, at: datetime) -> int:
    """Store a new post. Return its id."""
    values = {"thread": thread_id, "first_seen": at, **new_values(shown, page_url)}
    return int(connection.execute(post.insert().values(values).returning(post.c.id)).scalar_one())


def renew_post(connection: Connection, known: KnownPost, shown: Post, page_url: str, at: datetime) -> bool:
    """Update a known post that was seen again. Return whether its text was edited. The old text is kept."""
    values = new_values(shown, page_url)
    edited = bool(values["wording"] != known.wording)
    if edited:
        old = select(post.c.id, post.c.text, post.c.html).where(post.c.id == known.id)
        row = connection.execute(old).one()
        connection.execute(wording.insert().values(post=row.id, until=at, text=row.text, html=row.html))
    if known.date and (shown.date is None or len(shown.date.isoformat()) < len(known.date)):
        values.pop("date")  # less precise than the stored date, or missing
        values.pop("identity")
    if edited or values["position"] != known.position or "date" in values:
        connection.execute(post.update().where(post.c.id == known.id).values(vanished=None, **values))
    return edited


def find_moved(connection: Connection, thread_id: int, shown: Sequence[Post]) -> list[KnownPost | None]:
    """Return, for each post, the same post stored in another thread: equal number, date, author and text."""
    from threadmill.store.forum.threads import thread

    numbered = [one for one in shown if one.post_id and one.date]
    if not numbered:
        return [None] * len(shown)
    wanted = (
        select(*_KNOWN)
        .join(thread, thread.c.id == post.c.thread)
        .where(thread.c.forum == select(thread.c.forum).where(thread.c.id == thread_id).scalar_subquery())
        .where(post.c.wording.in_({wording_of(one) for one in numbered}), thread.c.id != thread_id)
    )
    known = {
        (row.post_id, row.identity): KnownPost(**row._mapping)
        for row in connection.execute(wanted)
        if row.post_id
    }
    return [known.get((one.post_id, identity_of(one))) if one.post_id else None for one in shown]


def move_post(connection: Connection, known: KnownPost, thread_id: int, shown: Post, page_url: str) -> None:
    """Move a stored post to another thread."""
    values = {"thread": thread_id, "position": shown.position or 0, "url": shown.url or page_url}
    connection.execute(post.update().where(post.c.id == known.id).values(vanished=None, **values))


def mark_vanished(
    connection: Connection, thread_id: int, seen: Sequence[KnownPost], shown_last: bool, at: datetime
) -> int:
    """Mark stored posts as vanished that are missing between the posts of a page. Return their number.

    On the last page, posts missing after the shown ones count too. Positions shift when a post is deleted.
    They are only correct on pages that were read again. So numbers or dates must confirm that a missing post
    belongs between the shown ones. What this visit has stored itself cannot have vanished: another page of
    the thread shows it, and each of some trees shows other comments.
    """
    from threadmill.store.forum.threads import thread

    if len(seen) < 2:
        return 0
    visited = select(thread.c.visited).where(thread.c.id == thread_id).scalar_subquery()
    places = [known.position for known in seen]
    missing = [post.c.thread == thread_id, post.c.position > min(places), post.c.vanished.is_(None)]
    missing.append(post.c.first_seen <= visited)
    if not shown_last:
        missing.append(post.c.position < max(places))
    rows = connection.execute(select(*_KNOWN).where(*missing, post.c.id.not_in([k.id for k in seen])))
    gone = [row.id for row in rows if _belongs_between(KnownPost(**row._mapping), seen, shown_last)]
    if gone:
        connection.execute(post.update().where(post.c.id.in_(gone)).values(vanished=at))
    return len(gone)


def number_posts(connection: Connection, thread_id: int, *, oldest_first: bool) -> None:
    """Give the posts of a thread the positions 1, 2, 3 …, the oldest first.

    Until a visit has read all its pages, positions are guesses: posts are deleted, answers are inserted, and
    where the newest posts come first every new post moves all others.
    """
    from threadmill.store.forum.threads import thread

    visited = connection.execute(select(thread.c.visited).where(thread.c.id == thread_id)).scalar_one()
    columns = (post.c.id, post.c.position, post.c.date, post.c.post_id, post.c.parent, post.c.first_seen)
    wanted = select(*columns).where(post.c.thread == thread_id).order_by(post.c.position, post.c.id)
    rows = list(connection.execute(wanted))
    if not oldest_first:
        fresh = [row for row in rows if visited is None or row.first_seen > visited]
        rows = [row for row in rows if visited is not None and row.first_seen <= visited] + fresh[::-1]
    changed = [
        {"row": row.id, "place": place}
        for place, row in enumerate(_in_order_of_time(rows, is_list=oldest_first), 1)
        if row.position != place
    ]
    if changed:
        moved = post.update().where(post.c.id == bindparam("row")).values(position=bindparam("place"))
        connection.execute(moved, changed)


def _in_order_of_time(rows: Sequence[Any], *, is_list: bool) -> Sequence[Any]:
    """Sort the posts of a thread by time, as far as their dates tell. Before, they are as pages show them.

    The pages are believed more than single dates where they are a plain list whose positions have no gap: a
    post may show the date of its last edit.
    """
    dates = [row.date for row in rows]
    known = [date for date in dates if date]
    length = min((len(date) for date in known), default=0)  # as precise as the least precise one
    falls = sum(later[:length] < earlier[:length] for earlier, later in pairwise(known))
    whole = all(row.position == place for place, row in enumerate(rows, 1))
    if is_list and whole and falls <= _MOST_FALLS * len(rows) and not any(row.parent for row in rows):
        return rows
    if not known:
        numbered = all(row.post_id and row.post_id.isdecimal() for row in rows)
        return sorted(rows, key=lambda row: int(row.post_id)) if numbered and not is_list else rows
    times = list(accumulate(dates, lambda before, date: (date or before or "")[:length], initial=""))[1:]
    return [rows[place] for place in sorted(range(len(rows)), key=times.__getitem__)]


def _belongs_between(missing: KnownPost, seen: Sequence[KnownPost], shown_last: bool) -> bool:
    numbers = [int(k.post_id) for k in (missing, *seen) if k.post_id and k.post_id.isdecimal()]
    if len(numbers) == len(seen) + 1:
        return min(numbers[1:]) < numbers[0] and (shown_last or numbers[0] < max(numbers[1:]))
    dates = [k.date for k in (missing, *seen) if k.date and len(k.date) > len("2000-01-01")]
    if len(dates) == len(seen) + 1:
        return min(dates[1:]) < dates[0] and (shown_last or dates[0] < max(dates[1:]))
    return False


def count_shown(connection: Connection, thread_id: int) -> int:
    """Count the stored posts of a thread that have not vanished."""
    wanted = select(func.count()).where(post.c.thread == thread_id, post.c.vanished.is_(None))
    return int(connection.execute(wanted).scalar_one())


def first_stored(connection: Connection, thread_id: int) -> int | None:
    """The post of a thread that was stored first: its opening post, unless a crawl began in its middle."""
    wanted = select(func.min(post.c.id)).where(post.c.thread == thread_id)
    found: int | None = connection.execute(wanted).scalar_one()
    return found


def threads_with(connection: Connection, forum_id: int, shown: Sequence[Post]) -> list[int]:
    """Return threads of a forum with posts of the same author and text, those with the most first."""
    from threadmill.store.forum.threads import thread

    number = func.count(post.c.wording.distinct())
    wanted = (
        select(post.c.thread)
        .join(thread, thread.c.id == post.c.thread)
        .where(thread.c.forum == forum_id, post.c.wording.in_({wording_of(one) for one in shown}))
        .group_by(post.c.thread)
        .order_by(number.desc(), post.c.thread)
        .limit(_MOST_CANDIDATES)
    )
    return list(connection.execute(wanted).scalars())


def first_texts(connection: Connection, forum_id: int, most: int) -> list[str]:
    """Return the texts of the posts of a forum that were stored first."""
    from threadmill.store.forum.threads import thread

    wanted = select(post.c.text).join(thread, thread.c.id == post.c.thread).where(thread.c.forum == forum_id)
    return list(connection.execute(wanted.order_by(post.c.id).limit(most)).scalars())


def newest_by_thread(connection: Connection, forum_id: int, *conditions: Any) -> dict[str, str | None]:
    """Return the date of the newest post of each thread that meets the conditions, by the thread's key."""
    from threadmill.store.forum.threads import thread

    wanted = (
        select(thread.c.key, func.max(post.c.date))
        .join(thread, thread.c.id == post.c.thread)
        .where(thread.c.forum == forum_id, post.c.vanished.is_(None), *conditions)
        .group_by(thread.c.key)
    )
    return {row[0]: row[1] for row in connection.execute(wanted)}


def count_posts(connection: Connection, board_id: int) -> int:
    """Count the stored posts of a board that have not vanished."""
    from threadmill.store.forum.threads import thread

    wanted = select(func.count()).join_from(post, thread, thread.c.id == post.c.thread)
    return int(
        connection.execute(wanted.where(thread.c.board == board_id, post.c.vanished.is_(None))).scalar_one()
    )


def newest_post_id(connection: Connection, thread_id: int) -> str | None:
    """Return the number that the site gives to the last post of a thread, if any.

    A post without a number among others that have one may be an advertisement.
    """
    numbered = post.c.vanished.is_(None), post.c.post_id.is_not(None)
    newest = select(post.c.post_id).where(post.c.thread == thread_id, *numbered)
    found = connection.execute(newest.order_by(post.c.date.desc(), post.c.position.desc()).limit(1)).scalar()
    return str(found) if found is not None else None


def holds_post(connection: Connection, thread_id: int, numbers: Collection[str]) -> bool:
    """Is a post with one of these numbers stored in a thread?"""
    wanted = select(post.c.post_id).where(post.c.thread == thread_id, post.c.post_id.in_(numbers))
    return connection.execute(wanted.limit(1)).scalar() is not None


def date_of_post(connection: Connection, thread_id: int, number: str) -> str | None:
    """Return the date of a post by its number. Empty if it has none, None if the post is not stored."""
    wanted = select(post.c.date).where(post.c.thread == thread_id, post.c.post_id == number)
    row = connection.execute(wanted.limit(1)).first()
    return None if row is None else str(row.date or "")


def newest_post_date(connection: Connection, thread_id: int) -> str | None:
    """Return the date of the last post of a thread in ISO 8601, if any."""
    newest = select(func.max(post.c.date)).where(post.c.thread == thread_id)
    found = connection.execute(newest).scalar()
    return str(found) if found is not None else None


def post_dates(connection: Connection, thread_id: int) -> tuple[str, str] | None:
    """Return the dates of the first and the last post of a thread in ISO 8601, if any has a date."""
    wanted = select(func.min(post.c.date), func.max(post.c.date)).where(post.c.thread == thread_id)
    first, last = connection.execute(wanted.where(post.c.vanished.is_(None))).one()
    return (str(first), str(last)) if first is not None else None


def read_posts(connection: Connection, *conditions: Any) -> Iterator[Any]:
    """Yield rows of posts with their threads and boards, in a stable order."""
    from threadmill.store.forum.forums import board
    from threadmill.store.forum.threads import thread

    wanted = (
        select(
            post,
            thread.c.url.label("thread_url"),
            thread.c.title.label("thread_title"),
            board.c.url.label("board_url"),
        )
        .join(thread, thread.c.id == post.c.thread)
        .outerjoin(board, board.c.id == thread.c.board)
        .where(*conditions)
        .order_by(post.c.thread, post.c.position, post.c.id)
    )
    yield from connection.execution_options(yield_per=1000).execute(wanted)


def new_values(shown: Post, page_url: str) -> dict[str, Any]:
    """Return the columns of a post as a page shows it."""
    return {
        "identity": identity_of(shown),
        "wording": wording_of(shown),
        "post_id": shown.post_id,
        "url": shown.url or page_url,
        "author": shown.author,
        "author_url": shown.author_url,
        "date": shown.date.isoformat() if shown.date else None,
        "position": shown.position or 0,
        "parent": shown.parent,
        "text": shown.text,
        "html": shown.html,
        "apart": {
            "quotes": [{"text": q.text, "author": q.author, "url": q.url} for q in shown.quotes],
            "signature": shown.signature,
            "edit_note": shown.edit_note,
            "links": [{"url": link.url, "text": link.text, "kind": link.kind} for link in shown.links],
        },
    }


def _hash(*parts: str) -> str:
    return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
