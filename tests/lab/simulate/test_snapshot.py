from __future__ import annotations

import pytest

from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.snapshot import ALL, PageSlice

NOW = as_unix_time("2016-06-01")


@pytest.mark.parametrize(
    ("part", "page", "pages", "has_next"),
    [
        (PageSlice(0, 0, 10), 1, 1, False),
        (PageSlice(0, 10, 10), 1, 1, False),
        (PageSlice(0, 11, 10), 1, 2, True),
        (PageSlice(10, 11, 10), 2, 2, False),
        (PageSlice(20, 95, 10), 3, 10, True),
    ],
)
def test_a_page_knows_its_number_and_whether_another_follows(
    part: PageSlice, page: int, pages: int, has_next: bool
) -> None:
    assert (part.page, part.pages, part.has_next) == (page, pages, has_next)
    assert part.offset_of(part.page) == part.offset


def test_the_pager_shows_the_ends_the_neighbours_and_gaps() -> None:
    assert PageSlice(0, 30, 10).window() == [1, 2, 3]
    assert PageSlice(90, 200, 10).window() == [1, 0, 8, 9, 10, 11, 12, 0, 20]
    assert PageSlice(90, 200, 10).window(around=1, edge=2) == [1, 2, 0, 9, 10, 11, 0, 19, 20]


@pytest.mark.parametrize("name", ["harbour", "kiosk", "linden", "vopros", "plaza", "laguna"])
def test_the_pages_of_a_thread_show_each_visible_post_once(name: str) -> None:
    snapshot = open_forum(name, "small").at(NOW)
    traits = snapshot.world.traits
    for index, thread in enumerate(snapshot.world.threads):
        if not snapshot.is_visible(thread):
            continue
        shown: list[int] = []
        for page in range(snapshot.thread_slice(index, 0).pages):
            groups = snapshot.thread_page(index, page * traits.posts_per_page)
            repeated = 1 if page and traits.lead == "every" else 0
            shown += [rank for group in groups[repeated:] for rank in group.ranks]
        assert sorted(shown) == snapshot.ranks(index)
        assert all(snapshot.shows(rank) for rank in shown)


def test_a_post_is_on_the_page_that_its_offset_names() -> None:
    snapshot = open_forum("almazara", "small").at(NOW)
    index = max(range(len(snapshot.world.threads)), key=snapshot.count)
    for rank in snapshot.ranks(index):
        groups = snapshot.thread_page(index, snapshot.offset_of_post(index, rank))
        assert rank in {other for group in groups for other in group.ranks}


@pytest.mark.parametrize(("name", "by"), [("harbour", "activity"), ("kuznica", "creation")])
def test_boards_are_sorted_newest_first(name: str, by: str) -> None:
    snapshot = open_forum(name, "small").at(NOW)
    threads = snapshot.world.threads
    for board in (ALL, *snapshot.boards):
        rows = snapshot.listings[board]
        keys = [row.last if by == "activity" else threads[row.thread].ranks[0] for row in rows]
        assert keys == sorted(keys, reverse=True)


def test_the_counters_of_a_board_are_those_of_its_threads() -> None:
    snapshot = open_forum("studio", "small").at(NOW)
    for board in snapshot.boards:
        real = [row for row in snapshot.stickies[board] + snapshot.listings[board] if not row.stub]
        posts = sum(snapshot.count(row.thread) for row in real)
        assert snapshot.board_counts(board) == (len(real), posts)


def test_a_deleted_post_vanishes_and_its_replies_move_up() -> None:
    forum = open_forum("linden", "small", deleted=0.1)
    rank, gone = next(iter(forum.world.deleted.items()))
    before, after = forum.at(gone - 1), forum.at(gone)
    assert before.shows(rank)
    assert not after.shows(rank)
    index = forum.world.owners[rank]
    lead, groups = after.units(index)
    assert rank not in {r for group in [*([lead] if lead else []), *groups] for r in group.ranks}


def test_view_counters_grow_with_each_request() -> None:
    snapshot = open_forum("harbour", "small").at(NOW)
    assert snapshot.views(3, 5) == snapshot.views(3, 4) + 1
