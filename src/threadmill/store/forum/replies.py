"""Who answered whom: by the parents of posts, and by whom they quote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from sqlalchemy import Connection

from threadmill.store.forum.export import PostFilter
from threadmill.store.forum.posts import read_posts


def count_replies(connection: Connection, wanted: PostFilter | None = None) -> Counter[tuple[str, str]]:
    """How often each author answered each other one: (who, whom) → posts.

    A post answers the author of the post above it in a tree, and the authors it quotes; each once. Who
    answers himself is not counted. Posts without a parent or a quote answer nobody in particular.
    """
    counts: Counter[tuple[str, str]] = Counter()
    rows = read_posts(connection, *(wanted or PostFilter()).conditions())
    for _, posts in groupby(rows, key=lambda row: row.thread):
        counts.update(_replies_of(posts))
    return counts


def _replies_of(posts: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """The pairs of one thread. A parent stands before its answers in most threads, but not in all."""
    held = [(row.post_id, row.author, row.parent, row.apart["quotes"]) for row in posts]
    writers = {number: author for number, author, _, _ in held if number and author}
    for _, author, parent, quotes in held:
        if not author:
            continue
        answered = {writers.get(parent), *(quote["author"] for quote in quotes)} - {None, "", author}
        yield from ((author, other) for other in answered)
