"""The way through the pages of one thread to its unseen posts: where to start, and when to stop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

SEARCH = "its row counts more posts than were seen"
UrlOfPage = Callable[[int], str | None]


@dataclass(frozen=True, slots=True)
class Known:
    """What is remembered of a thread when a walk begins."""

    url: str  # of its first page
    posts: int = 0  # seen so far, vanished ones apart
    last_page: str | None = None  # the last page read of it
    page_size: int | None = None
    ascending: bool = True
    first_size: int | None = None  # posts on page one, where the opening post stands apart from the others


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk under way: the page asked for, why, and what is still to be looked at."""

    url: str
    page: int | None = 1
    first: bool = True  # no page has come yet
    back: bool = False  # going towards older pages, to close a gap
    onward: str | None = None  # where to go on once the gap is closed
    overlap: bool = False  # is a known post expected on the first page asked for
    why: str = "new thread"
    misses: int = 0  # runs in which the page came without posts
    below: str | None = None  # the page before all those that were read

    def as_dict(self) -> dict[str, Any]:
        """Plain data, to be stored."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page of the walk showed."""

    posts: int
    known: int  # of them known before this walk
    next: str | None
    previous: str | None
    missing: int = 0  # posts that are still unseen, if the thread's row counts right


def start(known: Known, total: int | None, url_of: UrlOfPage, active_url: str | None = None) -> Walk:
    """The page where the first unseen post must be.

    total is how many posts the thread has now, if its row tells. Posts newest first begin on page 1; in
    the other order the first unseen one stands right behind the last one seen, so its page follows from
    the page size alone. Where page URLs cannot be computed the last page read is the nearest known place.
    """
    if known.posts == 0:
        return Walk(known.url)
    if not known.ascending:
        return Walk(known.url, overlap=True, why="newest posts come first")
    if known.page_size:
        place = _first_unseen(known.posts, total, known.page_size)
        page, before = page_of(place, known.page_size, known.first_size)
        url = known.url if page == 1 else url_of(page)
        if url:
            return Walk(url, page, overlap=before > 0, why=f"post {place} is on page {page}")
    if known.last_page:
        return Walk(known.last_page, None, overlap=True, why="behind the last page read")
    return Walk(active_url or known.url, None, overlap=True, why="where the last post is")


def page_of(place: int, size: int, first_size: int | None = None) -> tuple[int, int]:
    """The page on which the post at a place stands, and how many stand before it on that page.

    An opening post that is shown above the others, on page one or on each, makes page one longer; shown
    again, it is none of the posts that the later pages have room for.
    """
    first = first_size or size
    if place <= first:
        return 1, place - 1
    pages, before = divmod(place - first - 1, size)
    return pages + 2, before


def first_place(page: int, size: int, first_size: int | None = None) -> int:
    """The place of the first post of a page, one repeated from page one not counted."""
    return 1 if page <= 1 else (first_size or size) + (page - 2) * size + 1


def _first_unseen(posts: int, total: int | None, page_size: int) -> int:
    """The place of the first unseen post; a total a page short of what was seen counts something else."""
    if total is None or total > posts:
        return posts + 1
    return max(total, 1) if total > posts - page_size else posts


def proceed(walk: Walk, shown: Shown, *, ascending: bool) -> Walk | None:
    """The next page of a walk; None when everything unseen has been seen."""
    if not ascending:
        return _proceed_down(shown)
    below = shown.previous if walk.first or walk.back else walk.below
    onward = _proceed_up(walk, shown)
    if onward is not None:
        return replace(onward, below=below)
    if shown.missing > 0 and shown.posts and below:
        # A comment under an old answer, or a reply to an old reply, stands where that one stands.
        return Walk(below, None, first=False, back=True, why=SEARCH)
    return None


def _proceed_down(shown: Shown) -> Walk | None:
    if (shown.known and shown.missing <= 0) or shown.next is None or shown.posts == 0:
        return None
    return Walk(shown.next, None, first=False, why=SEARCH if shown.known else "older posts, still unseen")


def _proceed_up(walk: Walk, shown: Shown) -> Walk | None:
    if walk.back:
        return _close_gap(walk, shown)
    gap = walk.first and not shown.known and shown.posts and walk.overlap and shown.previous
    if gap:  # something before this page is unseen too: posts were deleted, or pages hold more than they did
        return replace(
            walk, url=str(shown.previous), first=False, back=True, onward=shown.next, why="closing a gap"
        )
    if walk.first and shown.posts == 0 and shown.previous:
        return replace(walk, url=shown.previous, first=False, back=True, why="the page asked for is empty")
    if shown.next is None:
        return None
    return Walk(shown.next, None, first=False, why="newer posts")


def _close_gap(walk: Walk, shown: Shown) -> Walk | None:
    if not shown.known and shown.posts and shown.previous:
        return replace(walk, url=shown.previous)
    return Walk(walk.onward, None, first=False, why="newer posts") if walk.onward else None
