"""A post as a corpus takes it, from a page just read or from the store: plain strings."""

from __future__ import annotations

from dataclasses import dataclass

from threadmill.types import Post, Quote


@dataclass(frozen=True, slots=True)
class Message:
    """One post; what nobody knows is empty."""

    text: str  # the author's own words
    author: str = ""
    date: str = ""  # ISO 8601, as precise as it was shown
    url: str = ""
    identifier: str = ""  # the site's own
    quotes: tuple[Quote, ...] = ()


def message_of(post: Post) -> Message:
    """A post of a page."""
    date = post.date.isoformat() if post.date else ""
    return Message(post.text, post.author or "", date, post.url or "", post.post_id or "", post.quotes)
