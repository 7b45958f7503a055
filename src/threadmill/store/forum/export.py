"""Exports posts as plain dictionaries, with filters and optional pseudonyms for authors."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select

from threadmill.store.forum.forums import board
from threadmill.store.forum.posts import post, read_posts
from threadmill.store.forum.threads import thread
from threadmill.types import StoredBoard, StoredThread

FIELDS = (
    "id", "post_id", "url", "thread_url", "thread_title", "board_url", "author", "author_url", "date",
    "position", "parent", "text", "html", "quotes", "first_seen",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PostFilter:
    """Which posts to export. None means no restriction."""

    since: str | None = None  # ISO date: posts of this day or later
    board: str | None = None
    thread: str | None = None
    author: str | None = None

    def conditions(self) -> Iterator[ColumnElement[bool]]:
        """Yield the filter as SQL conditions."""
        if self.since is not None:
            yield post.c.date >= self.since
        if self.board is not None:
            yield board.c.url == self.board
        if self.thread is not None:
            yield thread.c.url == self.thread
        if self.author is not None:
            yield post.c.author == self.author


class Pseudonyms:
    """Replaces names by keyed hashes. One name has one pseudonym. Only the key can link them."""

    def __init__(self, key: str) -> None:
        self._key = key.encode()

    def of(self, name: str | None) -> str | None:
        """Return the pseudonym of a name."""
        if name is None:
            return None
        return "author-" + hmac.new(self._key, name.encode(), hashlib.sha256).hexdigest()[:16]

    def hide(self, exported: dict[str, Any]) -> dict[str, Any]:
        """Return a post without the names of its author and of quoted authors."""
        names = {exported["author"], *(quote["author"] for quote in exported["quotes"])} - {None, ""}
        hidden = dict(exported)
        hidden["author"] = self.of(exported["author"])
        hidden["author_url"] = None  # the URL of a profile often has the name in it
        hidden["quotes"] = [
            {
                "text": self._replace_names(names, quote["text"]),
                "author": self.of(quote["author"]),
                "url": None,
            }
            for quote in exported["quotes"]
        ]
        for field in ("text", "html"):
            hidden[field] = self._replace_names(names, exported[field])
        return hidden

    def _replace_names(self, names: set[str], text: str) -> str:
        """Replace names in a text, only where they are whole words. Names escaped for HTML are found too."""
        written = {form: name for name in names for form in (name, escape(name), escape(name, quote=False))}
        if not written:
            return text
        wanted = "|".join(re.escape(form) for form in sorted(written, key=len, reverse=True))
        return re.sub(rf"(?<!\w)(?:{wanted})(?!\w)", lambda match: str(self.of(written[match[0]])), text)


def export_posts(
    connection: Connection, wanted: PostFilter | None = None, pseudonyms: Pseudonyms | None = None
) -> Iterator[dict[str, Any]]:
    """Yield posts as dictionaries, thread by thread, in the order of the thread."""
    for row in read_posts(connection, *(wanted or PostFilter()).conditions()):
        exported = {
            "id": row.identity,
            "post_id": row.post_id,
            "url": row.url,
            "thread_url": row.thread_url,
            "thread_title": row.thread_title,
            "board_url": row.board_url,
            "author": row.author,
            "author_url": row.author_url,
            "date": row.date,
            "position": row.position,
            "parent": row.parent,
            "text": row.text,
            "html": row.html,
            "quotes": row.apart["quotes"],
            "first_seen": row.first_seen.isoformat(timespec="seconds"),
        }
        yield pseudonyms.hide(exported) if pseudonyms else exported


def export_threads(connection: Connection, board_url: str | None = None) -> Iterator[StoredThread]:
    """Threads in the order in which crawls found them."""
    held = select(func.count()).where(post.c.thread == thread.c.id).scalar_subquery()
    wanted = (
        select(
            thread.c.url,
            thread.c.title,
            board.c.url.label("board_url"),
            held.label("posts"),
            thread.c.pages,
            thread.c.visited,
            thread.c.gone,
        )
        .outerjoin(board, board.c.id == thread.c.board)
        .order_by(thread.c.id)
    )
    if board_url is not None:
        wanted = wanted.where(board.c.url == board_url)
    for row in connection.execution_options(yield_per=1000).execute(wanted):
        yield StoredThread(**row._mapping)


def export_boards(connection: Connection) -> Iterator[StoredBoard]:
    """Boards in the order in which crawls found them."""
    above = board.alias()
    held = select(func.count()).where(thread.c.board == board.c.id).scalar_subquery()
    wanted = (
        select(
            board.c.url,
            board.c.title,
            above.c.url.label("parent_url"),
            held.label("threads"),
            board.c.visited,
        )
        .outerjoin(above, above.c.id == board.c.parent)
        .order_by(board.c.id)
    )
    for row in connection.execution_options(yield_per=1000).execute(wanted):
        yield StoredBoard(**row._mapping)
