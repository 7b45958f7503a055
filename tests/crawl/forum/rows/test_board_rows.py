"""Rows of boards compared with what they said before, without a network."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from tests.crawl.forum.stored_boards import BELOW, ENTRY, PARENT, StoredBoards, on
from threadmill.crawl.forum.rows.board_rows import make_overlooked_due, note_list_of_all
from threadmill.crawl.forum.rows.row_state import (
    COMPARED_IN,
    COMPLETE_AT,
    EMPTY_LOOKS,
    GROWN,
    IN_ORDER,
    LISTED,
    LISTED_BY,
    REST,
    SEEN_AT,
    SHOWN_BY,
    SKIPS,
    STOOD_STILL,
    SURELY_CHANGED,
)
from threadmill.store.forum.forums import add_board, change_board
from threadmill.store.forum.posts import add_post
from threadmill.store.forum.threads import add_thread
from threadmill.types import BoardRow, Moment, Post


def test_a_new_board_is_read(boards: StoredBoards) -> None:
    assert boards.row(ENTRY, posts=5)


def test_a_new_board_that_counts_nothing_is_read_when_its_row_has_changed(boards: StoredBoards) -> None:
    assert not boards.row(ENTRY, posts=0, threads=0)
    boards.next_run()
    assert not boards.row(ENTRY, posts=0, threads=0)
    boards.next_run()
    assert boards.row(ENTRY, posts=1, threads=1)


def test_in_the_first_crawl_a_board_is_read_although_it_counts_nothing(boards: StoredBoards) -> None:
    boards.knowledge.just_learnt = True
    assert boards.row(ENTRY, posts=0, threads=0)


def test_a_board_that_no_run_has_read_is_due_in_the_first_one(boards: StoredBoards) -> None:
    assert boards.run == 1
    boards.row(ENTRY, posts=5, active=on(4, 1, 12))
    change_board(boards.connection, boards.board(BELOW).id, due=None)
    assert boards.row(ENTRY, posts=6, active=on(4, 2, 12))


def test_a_board_whose_row_says_the_same_is_not_read_again(boards: StoredBoards) -> None:
    boards.row(ENTRY, posts=5, active=on(4, 1, 12))
    boards.next_run()
    assert not boards.row(ENTRY, posts=5, active=on(4, 1, 12))
    assert boards.row(ENTRY, posts=6, active=on(4, 2, 12))


def test_rows_of_two_pages_with_other_columns_are_not_compared(boards: StoredBoards) -> None:
    boards.row(ENTRY, posts=5, threads=2, active=on(4, 1, 12))
    boards.next_run()
    boards.row(ENTRY, posts=5, threads=2, active=on(4, 1, 12))
    assert not boards.row(PARENT, threads=9, active=on(3, 1, 12))
    assert boards.board(BELOW).said[SHOWN_BY] == boards.board(ENTRY).id


@pytest.mark.parametrize(("posts", "grows"), [(3, True), (1, False)], ids=["posts", "posts or threads"])
def test_the_only_number_of_a_row_counts_posts_if_it_did_so_before(
    boards: StoredBoards, posts: int, grows: bool
) -> None:
    boards.row(ENTRY, threads=posts)
    below = boards.board(BELOW).id
    of_board = add_thread(boards.connection, forum=boards.forum, board=below, key="t", url=BELOW, title="")
    for number in range(posts):
        post = Post(f"text {number}", "", post_id=str(number), position=number + 1)
        add_post(boards.connection, of_board, post, BELOW, datetime(2020, 1, 1, tzinfo=UTC))
    boards.next_run()
    boards.row(ENTRY, threads=posts + 2)
    assert (boards.board(BELOW).said.get(GROWN) == 2) is grows
    boards.next_run()
    assert boards.row(ENTRY, threads=posts + 3)
    boards.next_run()
    assert boards.row(ENTRY, threads=posts + 3) is not grows


def test_a_board_that_the_start_page_only_links_is_below_the_page_with_its_row(boards: StoredBoards) -> None:
    boards.row(ENTRY)
    assert boards.board(BELOW).parent == boards.board(ENTRY).id
    boards.row(PARENT, posts=5, threads=2)
    assert boards.board(BELOW).parent == boards.board(PARENT).id


def test_a_board_with_a_row_on_the_start_page_stays_below_it(boards: StoredBoards) -> None:
    boards.row(ENTRY, posts=5)
    boards.row(PARENT, posts=5, threads=2)
    assert boards.board(BELOW).parent == boards.board(ENTRY).id


def test_a_page_that_tells_of_a_board_no_more_loses_its_say(boards: StoredBoards) -> None:
    boards.row(ENTRY, posts=5, threads=2, active=on(4, 1, 12))
    boards.next_run()
    change_board(boards.connection, boards.board(ENTRY).id, visited_run=boards.run)  # without that row
    assert boards.row(PARENT, posts=7, active=on(4, 20, 12))


def test_a_coarse_date_older_than_the_last_look_settles_what_is_open(boards: StoredBoards) -> None:
    boards.seen = "2026-04-15T12:00:00+00:00"
    boards.row(ENTRY, threads=3, active=on(3, 1))
    boards.next_run()
    boards.seen = "2026-05-15T12:00:00+00:00"
    assert not boards.row(ENTRY, threads=3, active=on(3, 1))
    assert boards.board(BELOW).said[SEEN_AT] == "2026-05-15T12:00:00+00:00"


def test_a_coarse_date_alone_may_be_that_of_the_first_post(boards: StoredBoards) -> None:
    boards.seen = "2026-04-15T12:00:00+00:00"
    boards.row(ENTRY, active=on(3, 1))
    boards.next_run()
    assert boards.row(ENTRY, active=on(3, 1))


def test_a_date_that_went_back_is_no_news(boards: StoredBoards) -> None:
    """ "2 weeks ago" was said of a post of 17 days ago; a month later its day is shown."""
    boards.seen = "2026-05-01T12:00:00+00:00"
    boards.row(ENTRY, threads=6, active=on(4, 17))
    boards.next_run()
    boards.seen = "2026-06-01T12:00:00+00:00"
    assert not boards.row(ENTRY, threads=6, active=on(4, 14))
    boards.next_run()
    assert boards.row(ENTRY, threads=7, active=on(4, 13))


def test_a_coarse_date_of_the_day_of_the_last_look_leaves_it_open(boards: StoredBoards) -> None:
    boards.seen = "2026-04-15T12:00:00+00:00"
    boards.row(ENTRY, active=on(4, 15))
    boards.next_run()
    assert boards.row(ENTRY, active=on(4, 15))


def test_a_counter_that_grew_without_the_date_is_believed_until_dates_have_proved_to_follow(
    boards: StoredBoards,
) -> None:
    boards.seen = "2026-04-15T12:00:00+00:00"
    boards.row(ENTRY, posts=5, active=on(3, 1, 12))
    for _ in range(5):
        boards.knowledge.rows.dates.add("board follows")
    boards.next_run()
    boards.seen = "2026-05-15T12:00:00+00:00"
    assert not boards.row(ENTRY, posts=9, active=on(3, 1, 12))  # threads were moved there
    for _ in range(5):
        boards.knowledge.rows.dates.add("board stays")  # what it shows is no date of last posts
    boards.next_run()
    assert boards.row(ENTRY, posts=12, active=on(3, 1, 12))


def test_a_board_that_was_empty_is_read_when_its_row_says_otherwise_and_now_and_then(
    boards: StoredBoards,
) -> None:
    boards.row(ENTRY)
    state = boards.board(BELOW)
    empty = {**state.said, SKIPS: 0, EMPTY_LOOKS: 1}
    change_board(boards.connection, state.id, said=empty)
    boards.next_run()
    assert [boards.row(ENTRY) for _ in range(6)] == [False] * 5 + [True]
    change_board(boards.connection, state.id, said=empty)
    boards.next_run()
    assert boards.row(ENTRY, posts=3, active=on(4, 20, 12))


def test_a_board_that_stays_empty_though_its_row_moves_is_looked_at_less_and_less(
    boards: StoredBoards,
) -> None:
    boards.row(ENTRY, posts=1)
    state = boards.board(BELOW)
    change_board(boards.connection, state.id, said={**state.said, SKIPS: 0, EMPTY_LOOKS: 3}, due=None)
    boards.next_run()
    assert [boards.row(ENTRY, posts=count) for count in range(2, 9)] == [False] * 6 + [True]


def test_a_board_that_was_looked_at_in_vain_is_read_once_its_row_counts_something(
    boards: StoredBoards,
) -> None:
    boards.row(ENTRY, posts=0)
    state = boards.board(BELOW)
    change_board(boards.connection, state.id, said={**state.said, SKIPS: 0, EMPTY_LOOKS: 3}, due=None)
    boards.next_run()
    assert not boards.row(ENTRY, posts=0)
    assert boards.row(ENTRY, posts=3)


def test_a_board_that_was_looked_at_in_vain_is_read_once_its_row_shows_a_last_post(
    boards: StoredBoards,
) -> None:
    """Beside the numbers of threads and posts stood how many people were there, empty or not."""
    boards.row(ENTRY, posts=0, threads=4)
    state = boards.board(BELOW)
    change_board(boards.connection, state.id, said={**state.said, SKIPS: 0, EMPTY_LOOKS: 3}, due=None)
    boards.next_run()
    assert not boards.row(ENTRY, posts=2, threads=4)
    assert boards.row(ENTRY, posts=6, threads=4, active=on(4, 20, 12))


def test_a_run_for_some_boards_leaves_the_others_for_later(boards: StoredBoards) -> None:
    boards.row(ENTRY, posts=5)
    boards.next_run(frozenset({boards.board(PARENT).id}))
    assert not boards.row(ENTRY, posts=9)
    boards.next_run()
    assert boards.row(ENTRY, posts=9)


STARTED = datetime(2026, 5, 1, tzinfo=UTC)
LONG_AGO = "2026-03-01T00:00:00+00:00"  # 61 days before


def _overlooked(boards: StoredBoards, posts: int, **said: Any) -> bool:
    """Is the board below made due, if its row was on the page of its parent and it had so many posts?"""
    boards.row(PARENT, posts=5)
    state = boards.board(BELOW)
    thread = add_thread(
        boards.connection, forum=boards.forum, board=state.id, key="t", url=f"{BELOW}/t", title="T"
    )
    for number in range(posts):
        post = Post(
            f"text {number}", "", date=Moment(date(2026, 2, 1)), post_id=str(number), position=number + 1
        )
        add_post(boards.connection, thread, post, f"{BELOW}/t", STARTED)
    noted = {SHOWN_BY: boards.board(PARENT).id, SEEN_AT: LONG_AGO, **said}
    change_board(
        boards.connection,
        state.id,
        due=None,
        visited=datetime(2026, 2, 1, tzinfo=UTC),
        said={name: value for name, value in noted.items() if value is not None},
    )
    count = make_overlooked_due(boards.connection, boards.forum, ENTRY, 7, STARTED)
    assert count == (boards.board(BELOW).due is not None)
    return bool(count)


@pytest.mark.parametrize(("posts", "due"), [(5, True), (4, False)])  # 5 posts in 90 days are 3.4 in 61 days
def test_a_board_that_no_row_showed_is_read_if_three_posts_are_expected(
    boards: StoredBoards, posts: int, due: bool
) -> None:
    assert _overlooked(boards, posts) is due


def test_a_board_whose_row_was_compared_in_this_run_is_not_overlooked(boards: StoredBoards) -> None:
    assert not _overlooked(boards, 50, **{COMPARED_IN: 7})


def test_a_board_without_threads_of_its_own_is_not_overlooked(boards: StoredBoards) -> None:
    assert not _overlooked(boards, 50, **{SKIPS: 0})


@pytest.mark.parametrize("missing", [SEEN_AT, SHOWN_BY])
def test_a_board_that_never_had_a_row_is_not_overlooked(boards: StoredBoards, missing: str) -> None:
    assert not _overlooked(boards, 50, **{missing: None})


def test_boards_of_a_start_page_that_was_not_read_are_not_overlooked(boards: StoredBoards) -> None:
    assert not _overlooked(boards, 50, **{SHOWN_BY: boards.board(ENTRY).id})


def test_a_number_without_a_name_that_equals_the_stored_posts_settles_an_open_row(
    boards: StoredBoards,
) -> None:
    boards.row(ENTRY, threads=0)
    boards.next_run()
    assert not boards.row(ENTRY, threads=0)  # no posts are stored, and none are counted
    boards.row(ENTRY, threads=3)
    boards.next_run()
    assert boards.row(ENTRY, threads=3)
    assert boards.board(BELOW).said[STOOD_STILL]


def test_a_zero_says_nothing_about_a_board_whose_threads_stand_in_lists_below_it(
    boards: StoredBoards,
) -> None:
    boards.row(ENTRY, threads=0)
    add_board(boards.connection, boards.forum, f"{BELOW}2026/4/", "April", boards.board(BELOW).id)
    boards.next_run()
    assert boards.row(ENTRY, threads=0)


def test_still_numbers_that_never_had_news_are_believed(boards: StoredBoards) -> None:
    boards.row(ENTRY, threads=3)
    boards.knowledge.rows.still_boards.votes["none"] = 2
    boards.next_run()
    assert not boards.row(ENTRY, threads=3)


def test_growth_of_a_row_adds_up_until_the_board_is_read(boards: StoredBoards) -> None:
    boards.row(ENTRY, posts=5)
    boards.next_run()
    boards.row(ENTRY, posts=7)
    assert boards.board(BELOW).said[GROWN] == 2
    assert boards.board(BELOW).said[SURELY_CHANGED]
    boards.row(ENTRY, posts=10)
    assert boards.board(BELOW).said[GROWN] == 5


def test_the_only_number_of_a_row_grows_like_the_posts_it_was_found_to_count(boards: StoredBoards) -> None:
    boards.row(ENTRY, posts=5)
    assert boards.rows.growth_of([BoardRow(BELOW, "Below", threads=8)]) == 3


def test_the_first_growth_is_judged_by_the_stored_posts(boards: StoredBoards) -> None:
    boards.row(ENTRY, posts=0)
    boards.next_run()
    boards.row(ENTRY, posts=2)
    assert boards.knowledge.rows.growth.votes == {"exact": 1}
    boards.row(ENTRY, posts=3)
    assert boards.knowledge.rows.growth.votes == {"exact": 1}


def test_a_row_that_says_the_same_is_complete_if_growth_is_trusted(boards: StoredBoards) -> None:
    boards.seen = "2026-05-15T12:00:00+00:00"
    boards.row(ENTRY, posts=5)
    boards.row(ENTRY, posts=5)
    assert COMPLETE_AT not in boards.board(BELOW).said
    boards.knowledge.rows.growth.votes["exact"] = 5
    boards.row(ENTRY, posts=5)
    assert boards.board(BELOW).said[COMPLETE_AT] == boards.seen


def test_a_board_that_was_read_in_this_run_is_not_read_again(boards: StoredBoards) -> None:
    boards.row(ENTRY, posts=5)
    boards.next_run()
    change_board(boards.connection, boards.board(BELOW).id, visited_run=boards.run)
    assert not boards.row(ENTRY, posts=9)


def test_the_entry_and_the_page_itself_are_no_boards_below(boards: StoredBoards) -> None:
    parent = boards.board(PARENT)
    assert not boards.rows.compare_row(parent, BoardRow(PARENT, "Parent", posts=9), "")
    assert not boards.rows.compare_row(parent, BoardRow(ENTRY, "Start", posts=9), "")


def test_a_mere_link_does_not_overwrite_a_row(boards: StoredBoards) -> None:
    boards.row(ENTRY, posts=5)
    boards.next_run()
    assert not boards.row(PARENT)
    assert boards.board(BELOW).said["count"] == 5


def test_a_board_whose_row_could_not_be_read_on_its_usual_page_is_read(boards: StoredBoards) -> None:
    """A start page with one more board was read otherwise, and eight new posts were missed."""
    boards.row(ENTRY, posts=5)
    boards.next_run()
    assert boards.row(ENTRY)
    assert boards.board(BELOW).said["count"] == 5


def test_a_board_named_by_a_mere_link_is_read_if_the_row_above_tells_of_more_posts(
    boards: StoredBoards,
) -> None:
    """An empty board got its first thread. Its only sign is the row of the board above it."""
    boards.row(ENTRY)
    boards.next_run()
    below = boards.board(BELOW)
    change_board(boards.connection, below.id, said={**below.said, SKIPS: 0})
    boards.rows.look_below(boards.board(PARENT), [BoardRow(BELOW, "Below"), BoardRow(ENTRY, "")])
    assert boards.board(BELOW).due == BELOW
    assert boards.board(ENTRY).due is None


def test_a_board_with_a_row_of_its_own_is_not_read_for_the_row_above(boards: StoredBoards) -> None:
    boards.row(ENTRY, posts=5)
    boards.next_run()
    boards.rows.look_below(boards.board(PARENT), [BoardRow(BELOW, "Below")])
    assert boards.board(BELOW).due is None


def test_runs_are_compared_by_number_and_not_by_a_clock_that_went_back(boards: StoredBoards) -> None:
    boards.row(ENTRY, posts=5)
    boards.next_run()
    future = datetime.now(UTC) + timedelta(days=30)
    change_board(boards.connection, boards.board(BELOW).id, visited=future, visited_run=boards.run - 1)
    assert boards.row(ENTRY, posts=9)


def test_a_list_left_off_in_the_middle_is_read_anew_and_then_on_from_there(boards: StoredBoards) -> None:
    boards.row(ENTRY, posts=5)
    boards.next_run()
    later = f"{BELOW}?page=3"
    change_board(boards.connection, boards.board(BELOW).id, due=later, page=2)
    assert boards.row(ENTRY, posts=9)
    below = boards.board(BELOW)
    assert (below.due, below.page, below.said[REST]) == (BELOW, 0, later)


def test_any_number_of_a_row_that_grew_is_news_until_boards_were_read_for_it_in_vain(
    boards: StoredBoards,
) -> None:
    boards.row(ENTRY, posts=12, threads=154)
    boards.next_run()
    assert boards.row(ENTRY, posts=12, threads=186)
    boards.next_run()
    for _ in range(9):
        boards.knowledge.rows.record_moved_alone(news=0)
    assert not boards.row(ENTRY, posts=12, threads=190)


def test_a_mere_link_to_a_board_is_not_followed_where_the_start_page_lists_all_threads(
    boards: StoredBoards,
) -> None:
    boards.row(ENTRY)
    change_board(boards.connection, boards.board(BELOW).id, visited_run=1)
    boards.next_run()
    assert boards.row(ENTRY)
    boards.next_run()
    boards.knowledge.layout.start_lists_all = True
    assert not boards.row(ENTRY)
    assert boards.row(ENTRY, posts=7)


@pytest.mark.parametrize(
    ("below", "listed", "is_listed"),
    [("abc", 20, True), ("xyz", 20, False), ("abx", 20, False), ("abx", 21, True), ("abc", 12, False)],
    ids=["all", "none", "most of a short list", "some of a long list", "the longer list lacks threads"],
)
def test_a_board_whose_threads_stand_in_a_list_of_all_is_known(
    boards: StoredBoards, below: str, listed: int, is_listed: bool
) -> None:
    boards.row(ENTRY)
    for number in range(20):
        url = f"{ENTRY}{number}"
        add_thread(boards.connection, forum=boards.forum, board=None, key=url, url=url, title="")
    long, short = boards.board(PARENT), boards.board(BELOW)
    first = list("abcdefghijklmnopqrst")
    change_board(boards.connection, long.id, said={LISTED: listed, IN_ORDER: first})
    change_board(boards.connection, short.id, said={LISTED: 3, IN_ORDER: list(below)})
    note_list_of_all(boards.connection, boards.forum)
    assert (boards.board(BELOW).said.get(LISTED_BY) == PARENT) is is_listed


def test_a_mere_link_to_a_board_is_not_followed_beside_a_list_of_all_threads(boards: StoredBoards) -> None:
    boards.row(ENTRY)
    below = boards.board(BELOW)
    change_board(boards.connection, below.id, visited_run=1, said={**below.said, LISTED_BY: PARENT})
    boards.next_run()
    entry, row = boards.board(ENTRY), BoardRow(BELOW, "Below")
    assert not boards.rows.compare_row(entry, row, "", beside=[PARENT, BELOW])
    assert boards.rows.compare_row(entry, row, "", beside=[BELOW])  # the list of all is gone


def test_a_board_that_no_row_shows_is_not_overlooked_if_a_list_of_all_is_read(boards: StoredBoards) -> None:
    boards.row(PARENT)
    below = boards.board(BELOW)
    said = {**below.said, SEEN_AT: "2020-01-01T00:00:00+00:00", LISTED_BY: PARENT}
    thread = add_thread(boards.connection, forum=boards.forum, board=below.id, key="t", url=BELOW, title="")
    for day in range(1, 29):
        post = Post(f"{day}", "", date=Moment(date(2019, 12, day)))
        add_post(boards.connection, thread, post, BELOW, datetime(2020, 1, 1, tzinfo=UTC))
    boards.next_run()
    change_board(boards.connection, below.id, said=said)
    now = datetime(2020, 3, 1, tzinfo=UTC)
    change_board(boards.connection, boards.board(PARENT).id, visited_run=boards.run)
    assert make_overlooked_due(boards.connection, boards.forum, ENTRY, boards.run, now) == 0
    change_board(boards.connection, boards.board(PARENT).id, visited_run=boards.run - 1)
    assert make_overlooked_due(boards.connection, boards.forum, ENTRY, boards.run, now) == 1
