"""A page of a forum whose content is known: what a reader of it should find."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class TruePost:
    """One post as the page shows it."""

    number: str
    author: str
    dates: tuple[datetime, ...]  # by the clocks a reader may mean, without a zone
    slack: float  # seconds by which the page leaves the date open
    texts: tuple[str, ...]  # an edited post has two wordings


@dataclass(frozen=True, slots=True)
class TruePage:
    """One index or thread page; neighbours and rows are named as the site's `name_of` names addresses."""

    kind: str  # index, thread, other
    name: str
    url: str
    body: bytes
    now: datetime
    posts: tuple[TruePost, ...] = ()
    rows: tuple[str, ...] = ()  # names of the threads an index lists
    number: int = 1
    count: int = 1
    next: str | None = None
    previous: str | None = None
