"""The walk is run against threads that are simple lists, cut into pages, so that every case can be made."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.crawl.forum.thread_walk import (
    KnownThread,
    ThreadWalk,
    WalkedPage,
    choose_next_page,
    find_first_unseen_page,
    first_position_on_page,
    page_of_position,
)


class Pages:
    """A thread as a list of post names, with a log of the pages asked for."""

    def __init__(
        self, posts: list[int], size: int, *, ascending: bool = True, computable: bool = True
    ) -> None:
        self.posts = posts if ascending else posts[::-1]
        self.size = size
        self.ascending = ascending
        self.computable = computable
        self.log: list[int] = []

    def url(self, page: int) -> str | None:
        return f"p{page}" if self.computable else None

    def walk(
        self,
        seen: set[int],
        *,
        total: int | None = None,
        last_page: str | None = None,
        size: int | None = None,
    ) -> set[int]:
        known = KnownThread(
            "p1", len(seen), last_page, size or (self.size if self.computable else None), self.ascending
        )
        fetched: set[int] = set()
        walk: ThreadWalk | None = find_first_unseen_page(known, total, self.url)
        while walk is not None:
            page = int(walk.url.removeprefix("p"))
            self.log.append(page)
            assert len(self.log) < 100
            shown = self.posts[(page - 1) * self.size : page * self.size]
            last = -(-len(self.posts) // self.size)
            fetched.update(shown)
            walk = choose_next_page(
                walk,
                WalkedPage(
                    len(shown),
                    len(seen.intersection(shown)),
                    f"p{page + 1}" if page < last else None,
                    f"p{min(page - 1, last)}" if page > 1 else None,
                ),
                oldest_first=self.ascending,
            )
        return fetched


def test_a_new_thread_is_read_whole() -> None:
    pages = Pages(list(range(35)), 10)
    assert pages.walk(set()) == set(range(35))
    assert pages.log == [1, 2, 3, 4]


def test_only_pages_with_new_posts_are_asked_for() -> None:
    pages = Pages(list(range(35)), 10)
    pages.walk(set(range(22)), total=35)
    assert pages.log == [3, 4]


def test_a_full_last_page_is_not_asked_for_again() -> None:
    pages = Pages(list(range(31)), 10)
    pages.walk(set(range(30)), total=31)
    assert pages.log == [4]


def test_without_counters_the_page_size_alone_tells_the_page() -> None:
    pages = Pages(list(range(31)), 10)
    pages.walk(set(range(30)))
    assert pages.log == [4]


def test_pages_that_cannot_be_computed_are_reached_from_the_last_one_read() -> None:
    pages = Pages(list(range(35)), 10, computable=False)
    pages.walk(set(range(22)), last_page="p3")
    assert pages.log == [3, 4]


def test_newest_first_is_read_until_a_known_post_appears() -> None:
    pages = Pages(list(range(35)), 10, ascending=False)
    assert pages.walk(set(range(22))) >= set(range(22, 35))
    assert pages.log == [1, 2]


def test_deleted_posts_do_not_hide_new_ones() -> None:
    """Of 25 seen 6 have gone, and 3 have come: they stand a page earlier than the count says."""
    left = [*range(19), 100, 101, 102]
    pages = Pages(left, 10)
    assert {100, 101, 102} <= pages.walk(set(range(25)), total=len(left))


@given(
    old=st.integers(1, 60),
    new=st.integers(1, 40),
    size=st.integers(2, 15),
    ascending=st.booleans(),
    counted=st.booleans(),
)
def test_whatever_was_added_is_seen_and_no_page_without_news_is_asked_for(
    old: int, new: int, size: int, ascending: bool, counted: bool
) -> None:
    pages = Pages(list(range(old + new)), size, ascending=ascending)
    fetched = pages.walk(set(range(old)), total=old + new if counted else None)
    assert fetched >= set(range(old, old + new))
    needed = -(-(old + new) // size) - old // size if ascending else -(-new // size)
    assert len(pages.log) - needed in ({0} if ascending else {0, 1})


@given(
    old=st.integers(2, 60),
    gone=st.sets(st.integers(0, 59), max_size=12),
    new=st.integers(1, 30),
    size=st.integers(2, 15),
)
def test_deletions_lose_nothing_as_long_as_the_seam_shows(
    old: int, gone: set[int], new: int, size: int
) -> None:
    left = [p for p in range(old) if p not in gone]
    pages = Pages([*left, *range(100, 100 + new)], size)
    fetched = pages.walk(set(range(old)), total=len(left) + new)
    lost = set(range(100, 100 + new)) - fetched
    if (min(old + 1, len(left) + new) - 1) % size:
        assert not lost


@pytest.mark.parametrize(
    ("place", "page", "before"), [(1, 1, 0), (11, 1, 10), (12, 2, 0), (21, 2, 9), (22, 3, 0), (42, 5, 0)]
)
def test_an_opening_post_above_the_others_makes_page_one_longer(place: int, page: int, before: int) -> None:
    assert page_of_position(place, 10, 11) == (page, before)
    assert first_position_on_page(page, 10, 11) + before == place
