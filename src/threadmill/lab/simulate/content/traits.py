"""The traits of a simulated forum: engine, language, paging, dates and faults."""

from __future__ import annotations

from dataclasses import dataclass, field

from threadmill.lab.simulate.content.shown_dates import DateStyle, ForumZone

_PLAIN = DateStyle("{Y}-{mm}-{dd} {HH}:{MM}")


@dataclass(frozen=True, slots=True)
class ForumTraits:
    """The traits of one forum."""

    name: str
    title: str
    layout: str
    language: str
    about: str
    zone: ForumZone = field(default_factory=ForumZone)
    index_order: str = "activity"  # or creation
    post_order: str = "asc"  # or desc
    threads_per_page: int = 20
    posts_per_page: int = 10
    shape: str = "flat"  # flat, nested (replies under replies) or questions (comments under answers)
    lead: str = "none"  # the first post stands apart: none, first (on page one), every (on each page)
    stickies: int = 2  # per board
    sticky_pages: str = "first"  # or every
    index_dates: str = "active"  # active, created, both, none
    last_link: str = "permalink"  # page, permalink, redirect, none
    row_pages: bool = True
    counts_first: bool = False  # the counter of replies counts the first post too
    index_date: DateStyle = _PLAIN
    post_date: DateStyle = _PLAIN
    session_ids: bool = False
    guests: float = 0.0  # share of posts written by guests
    adverts: bool = False
    rel_next: bool = False
    validators: str = "none"  # ETag and Last-Modified: truthful, now, none
    feed: str = "none"  # truthful, lying (old threads as of today), stale (as it was months ago), none
    sitemap: str = "none"  # truthful, lying, stale, none
    missing_status: int = 404
    overrun: str = (
        "last"  # a page number beyond the end shows: last (page), missing, redirect (to the last page)
    )
    deleted: float = 0.005  # share of posts that vanish later; seen in recordings of real engines: 0.4 %
    edited: float = 0.03
    moves: int = 2  # threads moved to another board, in the whole forum
    merges: int = 1
    closed_board: bool = False  # one board is for members: guests get the login page, with status 200
    all_threads: bool = False  # the start page lists the threads of all boards
    board_pages: bool = True  # boards have pages of their own
    board_count: int = 0  # 0: five, or seven in a big forum
    sub_boards: bool = True
    longest: int = 0  # most posts in a thread; 0: a fifteenth of the forum, at most 420
    thread_length: float = 1.0  # above 1: fewer and longer threads
    robots: tuple[str, ...] = ()  # Disallow lines
    crawl_delay: float = 0
