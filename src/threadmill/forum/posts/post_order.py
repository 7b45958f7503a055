"""In which order the posts of a thread stand."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise

from threadmill.forum.records.date_columns import ordinal
from threadmill.types import Post


class PostOrder(StrEnum):
    """How posts of a thread follow each other."""

    ASCENDING = "ascending"
    DESCENDING = "descending"


def post_order(posts: Sequence[Post]) -> PostOrder | None:
    """Which neighbours prevail; replies under replies count only beside their own kind."""
    flat = [post.date for post in posts if post.date and post.parent is None]
    moments = flat if len(flat) >= 3 else [post.date for post in posts if post.date]
    up = sum(ordinal(one) < ordinal(other) for one, other in pairwise(moments))
    down = sum(ordinal(one) > ordinal(other) for one, other in pairwise(moments))
    if up == down:
        return _by_number(posts)
    return PostOrder.ASCENDING if up > down else PostOrder.DESCENDING


def _by_number(posts: Sequence[Post]) -> PostOrder | None:
    """Days without times may tie; the site's own numbers do not."""
    numbers = [
        int(post.post_id)
        for post in posts
        if post.post_id and post.post_id.isdecimal() and post.parent is None
    ]
    up = sum(one < other for one, other in pairwise(numbers))
    down = sum(one > other for one, other in pairwise(numbers))
    if up == down:
        return None
    return PostOrder.ASCENDING if up > down else PostOrder.DESCENDING
