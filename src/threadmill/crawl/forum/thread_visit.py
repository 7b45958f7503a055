"""A page of a thread read: its posts kept, each once, and the next page chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from threadmill.crawl.forum.knowledge import Lore
from threadmill.crawl.forum.notes import EXCESS, FALLEN, STILL
from threadmill.crawl.forum.row_state import said_before
from threadmill.crawl.forum.thread_walk import SEARCH, Shown, Walk, first_place, proceed
from threadmill.forum.read_page import ThreadPage
from threadmill.store.forum.posts import (
    KnownPost,
    add_post,
    count_shown,
    find_known,
    find_moved,
    mark_vanished,
    move_post,
    renew_post,
    threads_with,
)
from threadmill.store.forum.threads import ThreadState, adopt_thread, change_thread, find_thread, namesakes
from threadmill.types import Moment, Post

MOST_MISSES = 3  # runs: a site is rarely down that long, a thread that is gone stays gone


@dataclass(frozen=True, slots=True)
class ThreadNews:
    """What a thread page brought."""

    items: int
    new: int
    edited: int = 0
    vanished: int = 0
    finished: bool = False


class ThreadVisit:
    """Reads thread pages of one forum, each in the caller's transaction."""

    def __init__(self, connection: Connection, lore: Lore) -> None:
        self._connection = connection
        self._lore = lore

    def take(self, state: ThreadState, page: ThreadPage, url: str, at: datetime) -> ThreadNews:
        """Keep what is new; choose the next page of the thread."""
        walk = Walk(**state.walk)
        if not page.posts and page.paging.previous is None:
            return self._hold(state, walk)
        posts = self._placed(state, page, walk)
        known = find_known(self._connection, state.id, posts)
        lead = page.paging.previous is not None and known[0] is not None and known[0].position == 1
        if lead:  # the opening post, repeated on each page
            posts = [replace(posts[0], position=1), *(_moved_up(post) for post in posts[1:])]
        self._learn(page, len(posts) - lead)
        vanished = self._miss(state, page, known[lead:], at)
        known = self._with_moved(state, posts, known, url)
        edited = self._keep(state, posts, known, url, at)
        paging = page.paging
        held = count_shown(self._connection, state.id)
        if walk.why == SEARCH:
            self._lore.judge_search(news=known.count(None))
        shown = Shown(
            len(posts) - lead,
            len(posts) - lead - known.count(None),
            paging.next,
            paging.previous,
            self._missing(state.said, held),
        )
        onward = proceed(walk, shown, ascending=self._lore.ascending)
        self._leave(state, page, onward, url, at, held)
        return ThreadNews(len(posts), known.count(None), edited, vanished, onward is None)

    def _with_moved(
        self, state: ThreadState, posts: Sequence[Post], known: list[KnownPost | None], url: str
    ) -> list[KnownPost | None]:
        """Posts that we hold in another thread: that one was merged into this, or they were split off it."""
        if self._lore.fresh or None not in known:
            return known
        unknown = [post for post, match in zip(posts, known, strict=True) if match is None]
        moved = iter(find_moved(self._connection, state.id, unknown))
        found = []
        for post, match in zip(posts, known, strict=True):
            one = match or next(moved)
            if match is None and one is not None:
                move_post(self._connection, one, state.id, post, url)
            found.append(one)
        return found

    def _missing(self, said: Mapping[str, Any], held: int) -> int:
        """How many posts the row counts beyond those we hold and those it always counted too many."""
        total = self._lore.total(said_before(dict(said)))
        if total is None or not self._lore.searches_threads():
            return 0
        return total - held - int(said.get(EXCESS, 0))

    def known_before(self, forum: int, state: ThreadState, page: ThreadPage) -> ThreadState:
        """After a relaunch a thread comes back under another address, perhaps another title: by its posts."""
        if not self._lore.relaunched or state.posts or not page.posts:
            return state
        for old in self._candidates(forum, state, page.posts):
            matches = find_known(self._connection, old.id, page.posts)
            if sum(match is not None for match in matches) * 2 >= min(len(page.posts), old.posts):
                adopt_thread(self._connection, old.id, state)
                return find_thread(self._connection, old.id)
        return state

    def _candidates(self, forum: int, state: ThreadState, posts: Sequence[Post]) -> Iterator[ThreadState]:
        yield from namesakes(self._connection, forum, state.title, state.id)
        for number in threads_with(self._connection, forum, posts):
            if number != state.id:
                yield find_thread(self._connection, number)

    def fall_back(self, state: ThreadState) -> bool:
        """A page that was predicted is not there: go to the last one that was, then to the first; says if."""
        if state.due == state.url:
            return False
        url = state.last_page if state.last_page not in {None, state.due} else state.url
        walk = Walk(str(url), None, overlap=True, why="the page predicted is not there")
        change_thread(self._connection, state.id, due=walk.url, walk=walk.as_dict())
        return True

    def _hold(self, state: ThreadState, walk: Walk) -> ThreadNews:
        """A page without posts may be a notice of maintenance: it stays due, until it has come too often.

        Or it was predicted and does not exist, which many sites say with status 200: then the last known page
        is worth a try, and no worse a place to wait.
        """
        if walk.first and state.last_page not in {None, state.due} and self.fall_back(state):
            return ThreadNews(0, 0)
        missed = replace(walk, misses=walk.misses + 1)
        if missed.misses >= MOST_MISSES:
            change_thread(self._connection, state.id, due=None, walk={}, gone=True)
        else:
            change_thread(self._connection, state.id, walk=missed.as_dict())
        return ThreadNews(0, 0)

    def _learn(self, page: ThreadPage, own: int) -> None:
        if page.paging.next and page.posts:
            self._lore.judge_page_size(own, first=page.paging.previous is None)

    def _placed(self, state: ThreadState, page: ThreadPage, walk: Walk) -> list[Post]:
        """The page's posts with their places in the thread, as far as the page number tells them."""
        size = self._lore.posts_a_page
        number = page.paging.number or walk.page
        if self._lore.ascending and size and number:
            first = first_place(number, size, self._lore.posts_on_page_one) - 1
        else:
            first = 0 if state.posts == 0 and walk.first else state.posts
        return [
            replace(
                post, position=first + place, date=self._zoned(post.date), post_id=_own_number(state, post)
            )
            for place, post in enumerate(page.posts, 1)
        ]

    def _zoned(self, date: Moment | None) -> Moment | None:
        """A date with the zone the site states for all its times."""
        zone = self._lore.zone
        if date is None or date.time is None or date.zone is not None or zone is None:
            return date
        return replace(date, zone=zone)

    def _keep(
        self,
        state: ThreadState,
        posts: Sequence[Post],
        known: Sequence[KnownPost | None],
        url: str,
        at: datetime,
    ) -> int:
        edited = 0
        for post, match in zip(posts, known, strict=True):
            if match is None:
                add_post(self._connection, state.id, post, url, at)
            else:
                edited += renew_post(self._connection, match, post, url, at)
        return edited

    def _miss(
        self, state: ThreadState, page: ThreadPage, known: Sequence[KnownPost | None], at: datetime
    ) -> int:
        """Known posts that belong on this page and are not shown any more."""
        seen = [match for match in known if match is not None]
        whole = page.paging.next is None and page.paging.previous is None
        if not whole and not _in_order(seen):
            return 0  # where replies hang under others, each new one pushes some to the next page
        shown_last = self._lore.ascending and page.paging.next is None
        return mark_vanished(self._connection, state.id, seen, shown_last, at)

    def _leave(  # noqa: PLR0917 -- what is written down at the end of a page
        self, state: ThreadState, page: ThreadPage, onward: Walk | None, url: str, at: datetime, held: int
    ) -> None:
        values: dict[str, Any] = {
            "due": onward.url if onward else None,
            "walk": onward.as_dict() if onward else {},
            "pages": max(state.pages, page.paging.count or 1),
            "posts": held,
        }
        if page.paging.next is None or page.paging.number == page.paging.count:
            values["last_page"] = url
        if onward is None:
            values["visited"] = at
            self._judge_row(state.said, held, held - state.posts)
            noted = {name: value for name, value in state.said.items() if name != FALLEN}
            total = self._lore.total(said_before(dict(state.said)))
            values["said"] = noted if total is None else noted | {EXCESS: total - held}
        change_thread(self._connection, state.id, **values)

    def _judge_row(self, said: Mapping[str, Any], posts: int, news: int) -> None:
        """What the thread's row said, held against what the thread showed."""
        self._lore.judge_counters(said_before(dict(said)), posts)
        if said.get(STILL) is not None:
            self._lore.judge_stillness(still=said[STILL], news=news)


def _moved_up(post: Post) -> Post:
    """A post below one that is repeated from page one, at its place in the thread."""
    return replace(post, position=(post.position or 1) - 1)


def _in_order(seen: Sequence[KnownPost]) -> bool:
    """Do the posts of a page stand in the order in which they were written, as far as is known?"""
    numbers = [int(known.post_id) for known in seen if known.post_id and known.post_id.isdecimal()]
    told: list[Any] = numbers if len(numbers) == len(seen) else [known.date for known in seen if known.date]
    return told in (sorted(told), sorted(told, reverse=True))


def _own_number(state: ThreadState, post: Post) -> str | None:
    """A post's number, unless it was read from the words of the thread's address: /13/noise-of-pump-295."""
    number = post.post_id
    if number is None or post.url is None or post.url.rstrip("/") != state.url.rstrip("/"):
        return number
    path = post.url.partition("?")[0].split("/")[3:]
    in_words = any(number in piece and piece != number and not piece.isdecimal() for piece in path)
    return None if in_words and number not in path else number
