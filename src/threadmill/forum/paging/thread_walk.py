"""Chooses which pages of a thread are read: the page of the first unseen post, and the pages after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

GAP = "between the last page read before and a later one"
SEARCH = "its row counts more posts than were seen"
UrlOfPage = Callable[[int], str | None]


@dataclass(frozen=True, slots=True)
class KnownThread:
    """What is known about a thread before it is read again."""

    url: str  # of its first page
    posts: int = 0  # seen so far, without vanished ones
    last_page: str | None = None  # URL of the last page that was read
    page_size: int | None = None
    oldest_first: bool = True
    first_size: int | None = None  # posts on the first page, if the opening post is shown in addition
    overhang: int = 0  # posts that a last page may show in addition: so few get no page of their own


@dataclass(frozen=True, slots=True)
class ThreadWalk:
    """A visit of a thread under way: the page to read next, and why. Field names are those of the store."""

    url: str
    page: int | None = 1
    first: bool = True  # no page has been read yet
    back: bool = False  # going to older pages, to close a gap
    onward: str | None = None  # the page to go on with once the gap is closed
    overlap: bool = False  # is a known post expected on the first page
    why: str = "new thread"
    misses: int = 0  # runs in which the page came without posts
    below: str | None = None  # the page before all pages that were read
    shown: str = ""  # a hash of the posts of the page before
    stale: int = 0  # pages in a row without a new post
    read: Sequence[str] = ()  # URLs of the pages that this visit has read

    def as_dict(self) -> dict[str, Any]:
        """The walk as plain data for the store."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class WalkedPage:
    """What a page of the walk showed."""

    posts: int
    known: int  # posts that were known before this walk
    next: str | None
    previous: str | None
    missing: int = 0  # posts still unseen, if the row of the thread counts right
    complete: bool = False  # does the row of the thread count exactly the posts that were seen
    content: str = ""  # a hash of its posts
    most_stale: int = 0  # pages without a new post that may follow each other
    url: str = ""
    others: Sequence[str] = ()  # pages of the thread that the pager of this page need not lead to


def find_first_unseen_page(
    known: KnownThread, total: int | None, url_of: UrlOfPage, active_url: str | None = None
) -> ThreadWalk:
    """Choose the page on which the first unseen post must be.

    `total` is the number of posts that the row of the thread counts, if it does. If posts are sorted newest
    first, this is page 1. Otherwise the first unseen post follows the last seen one, so its page follows from
    the page size. If URLs of pages cannot be computed, the last page that was read is the nearest one.
    """
    if known.posts == 0:
        return ThreadWalk(known.url)
    if not known.oldest_first:
        return ThreadWalk(known.url, overlap=True, why="newest posts come first")
    if known.page_size:
        position = _first_unseen_position(known.posts, total, known.page_size)
        page, before = page_of_position(position, known.page_size, known.first_size)
        if page > 1 and total and total >= position and _hangs_over(known, page, total):
            page, before = page - 1, known.page_size
        url = known.url if page == 1 else url_of(page)
        if url:
            return ThreadWalk(url, page, overlap=before > 0, why=f"post {position} is on page {page}")
        if active_url and not before and active_url.partition("#")[0] not in {known.url, known.last_page}:
            why = "the last page read is full"
            return ThreadWalk(active_url, None, overlap=True, why=why, below=known.last_page)
    if known.last_page:
        return ThreadWalk(known.last_page, None, overlap=True, why="behind the last page read")
    return ThreadWalk(active_url or known.url, None, overlap=True, why="where the last post is")


def _hangs_over(known: KnownThread, page: int, total: int) -> bool:
    """Are the posts from a page on so few that the page before shows them too?"""
    return total - first_position_on_page(page, known.page_size or 0, known.first_size) < known.overhang


def page_of_position(position: int, size: int, first_size: int | None = None) -> tuple[int, int]:
    """The page of the post at a position (from 1), and the number of posts before it on that page.

    The first page is longer if the opening post is shown in addition. An opening post that is repeated on
    later pages takes no place there.
    """
    first = first_size or size
    if position <= first:
        return 1, position - 1
    pages, before = divmod(position - first - 1, size)
    return pages + 2, before


def first_position_on_page(page: int, size: int, first_size: int | None = None) -> int:
    """The position of the first post of a page. A repeated opening post does not count."""
    return 1 if page <= 1 else (first_size or size) + (page - 2) * size + 1


def _first_unseen_position(posts: int, total: int | None, page_size: int) -> int:
    """The position of the first unseen post.

    If the row counts fewer posts than were seen, some were deleted, and the new ones stand at its count. If
    it counts fewer by more than a page, the number counts something else and is ignored.
    """
    if total is None or total > posts:
        return posts + 1
    return max(total, 1) if total > posts - page_size else posts


def choose_next_page(walk: ThreadWalk, shown: WalkedPage, *, oldest_first: bool) -> ThreadWalk | None:
    """The next page of a walk. None if all unseen posts have been read."""
    if not oldest_first:
        return _towards_older(walk, shown)
    read = [*walk.read, shown.url]
    below = (shown.previous or walk.below) if walk.first or walk.back else walk.below
    onward = None if _repeats(walk, shown) else _towards_newer(walk, shown)
    if onward is not None and not (walk.why == SEARCH and onward.url in read):
        stale = walk.stale + 1 if 0 < shown.posts <= shown.known else 0
        why = SEARCH if walk.why == SEARCH else onward.why
        return replace(onward, below=below, shown=shown.content, stale=stale, read=read, why=why)
    return _search(below, shown, read)


def _search(below: str | None, shown: WalkedPage, read: Sequence[str]) -> ThreadWalk | None:
    """Another page of a thread whose row counts more posts than were seen. None if all were seen.

    A comment on an old answer, or a reply to an old reply, is shown below that post.
    """
    if shown.missing <= 0 or not shown.posts:
        return None
    unread = [url for url in (below, *shown.others) if url and url not in read]
    if not unread:
        return None
    return ThreadWalk(unread[0], None, first=False, back=unread[0] == below, why=SEARCH, read=read)


def _repeats(walk: ThreadWalk, shown: WalkedPage) -> bool:
    """Does a page behind the end repeat the last page, or another one? A page without news ends a thread.

    But pages that became shorter show known posts for a while, before the new ones.
    """
    if walk.first or walk.back or shown.posts > shown.known:
        return False
    # A page that repeats only the first post, or none, counts no posts. Twice the same has no end either.
    return shown.content == walk.shown or (shown.posts > 0 and walk.stale >= shown.most_stale)


def _towards_older(walk: ThreadWalk, shown: WalkedPage) -> ThreadWalk | None:
    """The page with older posts. A known post tells that those below it are known, unless the thread is new.

    In a new thread every page may repeat a post: the first one, a pinned one, or an advertisement.
    """
    reached = bool(shown.known) if walk.overlap else shown.known >= shown.posts
    if shown.complete or (reached and shown.missing <= 0) or not shown.next or not shown.posts:
        return None
    why = SEARCH if shown.known else "older posts, still unseen"
    return ThreadWalk(shown.next, None, first=False, overlap=walk.overlap, why=why)


def _towards_newer(walk: ThreadWalk, shown: WalkedPage) -> ThreadWalk | None:
    if walk.back:
        return _close_gap(walk, shown)
    unseen = shown.posts and not shown.known and not shown.complete
    if (
        walk.first and unseen and walk.overlap and shown.previous
    ):  # earlier posts are unseen too: posts were deleted, or pages are longer than before
        return replace(
            walk, url=str(shown.previous), first=False, back=True, onward=shown.next, why="closing a gap"
        )
    if walk.first and unseen and walk.overlap and walk.below and walk.below != shown.url:
        # The page has no link back. The pages between it and the last one that was read are found from there.
        return ThreadWalk(walk.below, None, first=False, why=GAP)
    if walk.first and shown.posts == 0 and shown.previous:
        return replace(walk, url=shown.previous, first=False, back=True, why="the page asked for is empty")
    if shown.next is None or (walk.why == GAP and shown.next in walk.read):
        return None
    return ThreadWalk(shown.next, None, first=False, why=GAP if walk.why == GAP else "newer posts")


def _close_gap(walk: ThreadWalk, shown: WalkedPage) -> ThreadWalk | None:
    if not shown.known and shown.posts and shown.previous and not shown.complete:
        return replace(walk, url=shown.previous)
    return ThreadWalk(walk.onward, None, first=False, why="newer posts") if walk.onward else None
