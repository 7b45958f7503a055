"""The walk is run against threads that are simple lists, cut into pages, so that every case can be made."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.forum.paging.thread_walk import (
    SEARCH,
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


def test_a_new_thread_with_the_newest_posts_first_goes_on_below_a_post_that_every_page_repeats() -> None:
    walk = ThreadWalk("p2", None, first=False)
    page = WalkedPage(posts=7, known=1, next="p3", previous=None)
    onward = choose_next_page(walk, page, oldest_first=False)
    assert onward is not None
    assert choose_next_page(onward, WalkedPage(7, 7, "p4", None), oldest_first=False) is None
    known = find_first_unseen_page(KnownThread("p1", 9, oldest_first=False), None, lambda _: None)
    assert choose_next_page(known, page, oldest_first=False) is None, "below it all posts were seen before"


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


def _url(page: int) -> str | None:
    return f"p{page}"


@pytest.mark.parametrize(
    ("known", "total", "walk"),
    [
        (KnownThread("p1"), 5, ThreadWalk("p1")),
        (
            KnownThread("p1", 5, oldest_first=False),
            9,
            ThreadWalk("p1", overlap=True, why="newest posts come first"),
        ),
        (KnownThread("p1", 5, page_size=10), 9, ThreadWalk("p1", 1, overlap=True, why="post 6 is on page 1")),
        (KnownThread("p1", 10, page_size=10), 11, ThreadWalk("p2", 2, why="post 11 is on page 2")),
        (
            KnownThread("p1", 20, page_size=10),
            20,
            ThreadWalk("p2", 2, overlap=True, why="post 20 is on page 2"),
        ),
        (KnownThread("p1", 20, page_size=10), 11, ThreadWalk("p2", 2, why="post 11 is on page 2")),
        # a count that is a whole page short counts something else
        (
            KnownThread("p1", 20, page_size=10),
            10,
            ThreadWalk("p2", 2, overlap=True, why="post 20 is on page 2"),
        ),
        (KnownThread("p1", 1, page_size=10), 0, ThreadWalk("p1", 1, why="post 1 is on page 1")),
        (
            KnownThread("p1", 11, page_size=10, first_size=11),
            12,
            ThreadWalk("p2", 2, why="post 12 is on page 2"),
        ),
        # few posts get no page of their own: the page before is longer
        (
            KnownThread("p1", 20, page_size=10, overhang=3),
            23,
            ThreadWalk("p2", 2, overlap=True, why="post 21 is on page 2"),
        ),
        (
            KnownThread("p1", 20, page_size=10, overhang=3),
            24,
            ThreadWalk("p3", 3, why="post 21 is on page 3"),
        ),
        (
            KnownThread("p1", 5, "p3"),
            None,
            ThreadWalk("p3", None, overlap=True, why="behind the last page read"),
        ),
        (KnownThread("p1", 5), None, ThreadWalk("last", None, overlap=True, why="where the last post is")),
    ],
)
def test_a_walk_starts_where_the_first_unseen_post_must_be(
    known: KnownThread, total: int | None, walk: ThreadWalk
) -> None:
    assert find_first_unseen_page(known, total, _url, "last") == walk


def test_without_a_link_to_the_last_post_the_first_page_is_read() -> None:
    assert find_first_unseen_page(KnownThread("p1", 5), None, _url).url == "p1"


def test_a_page_whose_url_cannot_be_computed_is_reached_from_the_last_one() -> None:
    known = KnownThread("p1", 25, "p2", page_size=10)
    assert find_first_unseen_page(known, 31, lambda page: None).url == "p2"  # noqa: ARG005


WALK = ThreadWalk("p3", 3, overlap=True)


@pytest.mark.parametrize(
    ("walk", "shown", "onward"),
    [
        (WALK, WalkedPage(10, 4, "p4", "p2"), ("p4", False, "newer posts")),
        (WALK, WalkedPage(10, 4, None, "p2"), None),
        (WALK, WalkedPage(10, 0, "p4", "p2"), ("p2", True, "closing a gap")),
        (WALK, WalkedPage(10, 0, "p4", None), ("p4", False, "newer posts")),
        (WALK, WalkedPage(0, 0, "p4", "p2"), ("p2", True, "the page asked for is empty")),
        (ThreadWalk("p3", 3), WalkedPage(10, 0, "p4", "p2"), ("p4", False, "newer posts")),
        (
            ThreadWalk("p2", first=False, back=True, onward="p4"),
            WalkedPage(9, 0, "p3", "p1"),
            ("p1", True, "new thread"),
        ),
        (
            ThreadWalk("p2", first=False, back=True, onward="p4"),
            WalkedPage(9, 1, "p3", "p1"),
            ("p4", False, "newer posts"),
        ),
        (
            ThreadWalk("p2", first=False, back=True, onward="p4"),
            WalkedPage(0, 0, "p3", "p1"),
            ("p4", False, "newer posts"),
        ),
        (ThreadWalk("p2", first=False, back=True), WalkedPage(9, 1, "p3", "p1"), None),
        (WALK, WalkedPage(10, 4, None, "p2", missing=1), ("p2", True, SEARCH)),
        (WALK, WalkedPage(10, 4, None, None, missing=1), None),
        (WALK, WalkedPage(10, 4, None, "p2", missing=-1), None),
    ],
)
def test_the_next_page_follows_from_what_the_last_one_showed(
    walk: ThreadWalk, shown: WalkedPage, onward: tuple[str, bool, str] | None
) -> None:
    found = choose_next_page(walk, shown, oldest_first=True)
    assert (found and (found.url, found.back, found.why)) == onward
    assert found is None or not found.first


@pytest.mark.parametrize(
    ("shown", "onward"),
    [
        (WalkedPage(10, 0, "p2", None), ("p2", "older posts, still unseen")),
        (WalkedPage(10, 1, "p2", None), None),
        (WalkedPage(10, 1, "p2", None, missing=1), ("p2", SEARCH)),
        (WalkedPage(10, 0, None, None), None),
        (WalkedPage(0, 0, "p2", None), None),
    ],
)
def test_newest_first_older_pages_are_read_until_a_known_post(
    shown: WalkedPage, onward: tuple[str, str] | None
) -> None:
    found = choose_next_page(ThreadWalk("p1", overlap=True), shown, oldest_first=False)
    assert (found and (found.url, found.why)) == onward
    assert found is None or not found.first


def test_the_page_before_all_read_ones_is_remembered_for_a_search() -> None:
    second = choose_next_page(WALK, WalkedPage(10, 4, "p4", "p2"), oldest_first=True)
    assert second is not None
    assert second.below == "p2"
    third = choose_next_page(second, WalkedPage(10, 0, None, "p3", missing=2), oldest_first=True)
    assert third is not None
    assert (third.url, third.why) == ("p2", SEARCH)


def test_where_the_pager_does_not_lead_to_a_missing_post_other_known_pages_are_read_once() -> None:
    """Replies to old replies stand on a page before the one that was read first."""
    shown = WalkedPage(3, 1, None, None, missing=7, url="p3", others=("p3", "p1"))
    search = choose_next_page(WALK, shown, oldest_first=True)
    assert search is not None
    assert (search.url, search.why, search.back) == ("p1", SEARCH, False)
    second = choose_next_page(
        search,
        WalkedPage(9, 9, "p2", None, missing=7, content="a", most_stale=2, url="p1", others=("p3", "p1")),
        oldest_first=True,
    )
    assert second is not None
    assert (second.url, second.why) == ("p2", SEARCH)
    last = WalkedPage(9, 2, "p3", "p1", missing=1, url="p2", others=("p3", "p1"))
    assert choose_next_page(second, last, oldest_first=True) is None


def test_a_thread_ends_when_all_posts_are_seen_that_its_row_counts() -> None:
    shown = WalkedPage(10, 0, "p2", None, complete=True)
    assert choose_next_page(ThreadWalk("p1", overlap=True), shown, oldest_first=False) is None
    gap = WalkedPage(10, 0, None, "p2", complete=True)
    assert choose_next_page(ThreadWalk("p3", 3, overlap=True), gap, oldest_first=True) is None


def test_behind_a_full_page_that_names_no_next_one_the_last_post_is_looked_up() -> None:
    known = KnownThread("t", 10, "t", page_size=5)
    walk = find_first_unseen_page(known, 14, lambda _: None, "t?from=12#p14")
    assert (walk.url, walk.why) == ("t?from=12#p14", "the last page read is full")
    half = KnownThread("t", 9, "t?from=5", page_size=5)
    assert find_first_unseen_page(half, 14, lambda _: None, "t?from=12#p14").url == "t?from=5"


def test_pages_before_a_last_page_without_a_link_back_are_found_from_the_last_page_read() -> None:
    known = KnownThread("t", posts=12, last_page="t?from=7", page_size=6)
    walk = find_first_unseen_page(known, None, lambda _: None, "t?from=31")
    assert walk.url == "t?from=31"
    back = choose_next_page(walk, WalkedPage(2, 0, None, None, url="t?from=31"), oldest_first=True)
    assert back is not None
    assert back.url == "t?from=7"
    shown = WalkedPage(6, 6, "t?from=13", None, url="t?from=7", most_stale=3, content="a")
    between = choose_next_page(back, shown, oldest_first=True)
    assert between is not None
    assert between.url == "t?from=13"
    shown = WalkedPage(6, 0, "t?from=31", None, url="t?from=13", most_stale=3, content="b")
    assert choose_next_page(between, shown, oldest_first=True) is None


def test_pages_that_repeat_the_only_post_of_a_thread_end_it() -> None:
    """The repeated first post of a thread is not counted, so such a page has no posts at all."""
    first = ThreadWalk("p1", None, first=True, why="new thread")
    onward = choose_next_page(first, WalkedPage(1, 0, "p2", None, url="p1", content="a"), oldest_first=True)
    assert onward is not None
    assert onward.url == "p2"
    again = WalkedPage(0, 0, "p3", None, url="p2", content="a")
    assert choose_next_page(onward, again, oldest_first=True) is None


def test_one_page_without_posts_does_not_end_a_thread_but_two_alike_do() -> None:
    walk = ThreadWalk("p2", None, first=False, shown="a")
    empty = WalkedPage(0, 0, "p3", "p1", url="p2", content="none")
    onward = choose_next_page(walk, empty, oldest_first=True)
    assert onward is not None
    assert onward.url == "p3"
    assert (
        choose_next_page(onward, WalkedPage(0, 0, "p4", "p2", url="p3", content="none"), oldest_first=True)
        is None
    )
