"""The table of threads: what their rows last showed, and which page is due."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
    func,
    select,
)

from threadmill.store.forum.forums import change_board, due_boards
from threadmill.store.schema import Identity, Instant, metadata

_ALL = 1 << 40

thread = Table(
    "thread",
    metadata,
    Column("id", Identity, primary_key=True),
    Column("forum", Identity, ForeignKey("forum.id"), nullable=False),
    Column("board", Identity, ForeignKey("board.id")),
    Column("key", Text, nullable=False),  # what identifies it in its URLs
    Column("url", Text, nullable=False),  # its first page, as last linked by an index page
    Column("title", Text, nullable=False),
    Column("said", JSON, nullable=False),  # its row on the index page: counters and last activity
    Column("posts", Integer, nullable=False),  # number of posts when it was last read to its end
    Column("pages", Integer, nullable=False),
    Column("last_page", Text),  # the URL of the last page read
    Column("visited", Instant),
    Column("due", Text),  # the URL of the page to read next; NULL: nothing is due
    Column("walk", JSON, nullable=False),  # why this page was chosen; checked when it arrives
    Column("gone", Boolean, nullable=False),
    UniqueConstraint("forum", "key"),
    Index("ix_thread_forum_due", "forum", "due"),
    Index("ix_thread_board_id", "board", "id"),
    Index("ix_thread_board_posts", "board", "posts"),
    Index("ix_thread_board_title", "board", "title"),
)


@dataclass(frozen=True, slots=True)
class ThreadState:
    """The stored state of a thread."""

    id: int
    board: int | None
    key: str
    url: str
    title: str
    said: Mapping[str, Any]
    posts: int
    pages: int
    last_page: str | None
    due: str | None
    walk: Mapping[str, Any]
    gone: bool = False


_STATE = [
    thread.c[name]
    for name in (
        "id",
        "board",
        "key",
        "url",
        "title",
        "said",
        "posts",
        "pages",
        "last_page",
        "due",
        "walk",
        "gone",
    )
]


def find_threads(connection: Connection, forum_id: int, keys: Iterable[str]) -> dict[str, ThreadState]:
    """Return the known threads among these keys."""
    wanted = select(*_STATE).where(thread.c.forum == forum_id, thread.c.key.in_(list(keys)))
    return {row.key: ThreadState(**row._mapping) for row in connection.execute(wanted)}


def find_thread(connection: Connection, thread_id: int) -> ThreadState:
    """Return a thread by its id."""
    row = connection.execute(select(*_STATE).where(thread.c.id == thread_id)).one()
    return ThreadState(**row._mapping)


def add_thread(connection: Connection, **values: Any) -> int:
    """Add a thread. Return its id."""
    fresh = {"said": {}, "posts": 0, "pages": 0, "walk": {}, "gone": False, **values}
    return int(connection.execute(thread.insert().values(fresh).returning(thread.c.id)).scalar_one())


def change_thread(connection: Connection, thread_id: int, **values: Any) -> None:
    """Store new column values of a thread."""
    connection.execute(thread.update().where(thread.c.id == thread_id).values(values))


def due_threads(connection: Connection, forum_id: int, limit: int, *, after: int = -1) -> list[ThreadState]:
    """Return at most `limit` threads with a due page, in the order they were found, behind that number."""
    wanted = (
        select(*_STATE)
        .where(thread.c.forum == forum_id, thread.c.due.is_not(None), thread.c.id > after)
        .order_by(thread.c.id)
        .limit(limit)
    )
    return [ThreadState(**row._mapping) for row in connection.execute(wanted)]


def count_due(connection: Connection, forum_id: int) -> int:
    """Count the threads with a due page."""
    due = (thread.c.forum == forum_id, thread.c.due.is_not(None))
    return int(connection.execute(select(func.count()).where(*due)).scalar_one())


def count_pages(connection: Connection, forum_id: int) -> int:
    """Count the known pages of a forum: all pages of its threads, and one page per board."""
    from threadmill.store.forum.forums import board

    pages = select(func.coalesce(func.sum(thread.c.pages), 0)).where(thread.c.forum == forum_id)
    boards = select(func.count()).select_from(board).where(board.c.forum == forum_id)
    return int(connection.execute(pages).scalar_one()) + int(connection.execute(boards).scalar_one())


def count_threads(connection: Connection, forum_id: int) -> int:
    """Count the threads of a forum that can be read."""
    wanted = select(func.count()).where(thread.c.forum == forum_id, thread.c.gone.is_(False))
    return int(connection.execute(wanted).scalar_one())


def holds_threads(connection: Connection, board_id: int) -> bool:
    """Whether a board has ever shown a thread."""
    return (
        connection.execute(select(thread.c.id).where(thread.c.board == board_id).limit(1)).first() is not None
    )


def idle_threads_at(
    connection: Connection, forum_id: int, urls: Collection[str]
) -> Iterator[tuple[int, str]]:
    """Yield id and URL of threads without a due page, whose last read page or first page is one of `urls`."""
    idle = (thread.c.forum == forum_id, thread.c.due.is_(None))
    for row in connection.execute(select(thread.c.id, thread.c.url, thread.c.last_page).where(*idle)).all():
        found = next((url for url in (row.last_page, row.url) if url in urls), None)
        if found is not None:
            yield row.id, found


def namesakes(connection: Connection, forum_id: int, title: str, but: int) -> list[ThreadState]:
    """Return other threads of a forum with the same title that have posts."""
    same = (thread.c.forum == forum_id, thread.c.title == title, thread.c.id != but, thread.c.posts > 0)
    return [ThreadState(**row._mapping) for row in connection.execute(select(*_STATE).where(*same))]


def adopt_thread(connection: Connection, old: int, new: ThreadState) -> None:
    """Continue a known thread under a new URL. The entry made for the new URL is merged into it."""
    connection.execute(thread.delete().where(thread.c.id == new.id))
    change_thread(
        connection, old, key=new.key, url=new.url, board=new.board, said=dict(new.said), gone=False,
        due=new.due, walk=dict(new.walk), last_page=None,
    )  # fmt: skip


def forget_due(connection: Connection, forum_id: int, is_kept: Callable[[str], bool]) -> None:
    """Forget due pages whose URL `is_kept` refuses: they belong to a layout that the site no longer has."""
    wanted = select(thread.c.id, thread.c.due).where(thread.c.forum == forum_id, thread.c.due.is_not(None))
    for row in connection.execute(wanted).all():
        if not is_kept(row.due):
            change_thread(connection, row.id, due=None, walk={}, said={})


@dataclass(frozen=True, slots=True)
class DueAside:
    """Which pages of boards and threads were due, by the ids of these."""

    boards: dict[int, dict[str, Any]]
    threads: dict[int, dict[str, Any]]


def set_due_aside(connection: Connection, forum_id: int) -> DueAside:
    """Make no page of a forum due. Return what was."""
    boards = {found.id: {"due": found.due, "page": found.page} for found in due_boards(connection, forum_id)}
    found_threads = due_threads(connection, forum_id, _ALL)
    threads = {found.id: {"due": found.due, "walk": dict(found.walk)} for found in found_threads}
    for number in boards:
        change_board(connection, number, due=None)
    for number in threads:
        change_thread(connection, number, due=None)
    return DueAside(boards, threads)


def bring_back_due(connection: Connection, forum_id: int, aside: DueAside) -> None:
    """Make due again what was set aside, unless another page is due there now."""
    busy = {found.id for found in due_boards(connection, forum_id)}
    for number, values in aside.boards.items():
        if number not in busy:
            change_board(connection, number, **values)
    for number, values in aside.threads.items():
        if find_thread(connection, number).due is None:
            change_thread(connection, number, **values)
