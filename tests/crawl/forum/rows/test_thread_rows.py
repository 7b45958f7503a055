"""Rows of threads compared with what they said before, without a network."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from tests.crawl.forum.stored_boards import BELOW, ENTRY, NOW, PARENT, StoredBoards, compare_rows, on
from threadmill.crawl.forum.rows.linked_rows import LinkedRows
from threadmill.crawl.forum.rows.row_state import (
    FALLEN,
    GROWN,
    SEEN_AT,
    STOOD_STILL,
    SURELY_CHANGED,
    TOLD_BY_BOX,
    Change,
    RowState,
)
from threadmill.crawl.forum.rows.thread_reactivation import OldThreads
from threadmill.crawl.forum.rows.thread_rows import ComparedRows, ThreadRows
from threadmill.forum.paging.page_urls import PageUrlStyle
from threadmill.forum.site_model.model import UrlFamily
from threadmill.store.forum.posts import add_post
from threadmill.store.forum.threads import ThreadState, change_thread, find_threads
from threadmill.types import Moment, Post, Precision, ThreadRow


def test_a_thread_whose_counter_fell_is_opened_later_where_its_posts_have_moved_to(
    boards: StoredBoards,
) -> None:
    """Of 20 posts on two full pages one was deleted; the next one stands at the end of the second page."""
    boards.knowledge.layout.model = replace(
        boards.knowledge.layout.model,
        threads=UrlFamily(style=PageUrlStyle("page", "", "", "", 1, 1), per_page=10),
    )
    for _ in range(5):
        boards.knowledge.rows.record_counters(RowState(19), 20)
    entry, url = boards.board(ENTRY), "https://f.example/t?id=1"
    for replies, day, due in ((19, 20, url), (18, 19, None), (20, 25, f"{url}&page=2")):
        compare_rows(
            boards,
            entry,
            LinkedRows({"t": ThreadRow(url, "T", replies=replies, active=on(4, day, 12))}, {}, {}),
        )
        state = find_threads(boards.connection, boards.forum, ["t"])["t"]
        assert state.due == due
        change_thread(boards.connection, state.id, due=None, posts=20)


def _row(boards: StoredBoards, board: str, replies: int | None, **said: Any) -> bool:
    """A thread's row on a board in the next run; says whether the thread is to be opened."""
    boards.next_run()
    row = ThreadRow("https://f.example/t?id=1", "T", replies=replies, **said)
    compare_rows(boards, boards.board(board), LinkedRows({"t": row}, {}, {}))
    state = find_threads(boards.connection, boards.forum, ["t"])["t"]
    change_thread(boards.connection, state.id, due=None, posts=20)
    return state.due is not None


@pytest.mark.parametrize("told", [True, False])
def test_the_stub_of_a_moved_thread_is_not_compared_with_its_row(boards: StoredBoards, told: bool) -> None:
    link = "https://f.example/t?id=1&last"
    _row(boards, PARENT, 19, active=on(4, 20, 12), active_url=link)
    assert not _row(boards, PARENT, 19, active=on(4, 10, 12), moved=told)
    assert not _row(boards, ENTRY, 19, active=on(4, 20, 12), active_url=link)
    assert _row(boards, ENTRY, 19, active=on(4, 21, 12), active_url=link)


def test_a_stub_counts_as_a_row_without_news(boards: StoredBoards) -> None:
    row = ThreadRow("https://f.example/t?id=1", "T", replies=19, active=on(4, 20, 12))
    compare_rows(boards, boards.board(ENTRY), LinkedRows({"t": row}, {}, {}))
    boards.next_run()
    stub = LinkedRows({"t": replace(row, active=on(4, 10, 12), moved=True)}, {}, {})
    assert compare_rows(boards, boards.board(ENTRY), stub).changes == {"t": Change.SAME}


def test_a_counter_that_fell_by_a_post_is_no_news_where_counters_have_been_right(
    boards: StoredBoards,
) -> None:
    _row(boards, ENTRY, 19)
    assert _row(boards, ENTRY, 18)
    for _ in range(9):
        boards.knowledge.rows.record_counters(RowState(19), 20)
    assert not _row(boards, ENTRY, 17)
    assert _row(boards, ENTRY, 18)
    assert _row(boards, ENTRY, 11)


def test_a_box_that_names_a_thread_without_its_counter_does_not_overrule_its_row(
    boards: StoredBoards,
) -> None:
    boards.row(ENTRY)

    def page(**rows: ThreadRow) -> None:
        compare_rows(boards, boards.board(BELOW), LinkedRows(rows, {}, {}))

    page(a=ThreadRow("https://f.example/t/1", "One", replies=3, active=on(4, 1)))
    page(
        b=ThreadRow("https://f.example/t/2", "Two", replies=5, active=on(4, 2)),
        a=ThreadRow("https://f.example/t/1", "One", active=on(4, 20)),
    )
    said = find_threads(boards.connection, boards.forum, ["a"])["a"].said
    assert (said["count"], said["active"]) == (3, "2026-04-01")


URL = "https://f.example/t?id=1"


def _state(boards: StoredBoards) -> ThreadState:
    return find_threads(boards.connection, boards.forum, ["t"])["t"]


def test_a_new_thread_is_due_and_counts_all_its_posts(boards: StoredBoards) -> None:
    row = ThreadRow(URL, "T", replies=4)
    read = compare_rows(boards, boards.board(PARENT), LinkedRows({"t": row}, {}, {}))
    assert (read.new, read.gained, read.moved_in, read.changes) == (1, 5, 0, {"t": Change.CHANGED})
    state = _state(boards)
    assert (state.due, state.title, state.said["count"], state.said[SEEN_AT]) == (
        URL,
        "T",
        4,
        "2026-05-01T12:00:00+00:00",
    )
    assert state.walk["why"] == "new thread"


def test_a_new_thread_without_a_counter_counts_as_one_post_and_a_link_as_none(boards: StoredBoards) -> None:
    linked = LinkedRows({"t": ThreadRow(URL, "T")}, {}, {"u": ThreadRow(f"{URL}2", "")})
    read = compare_rows(boards, boards.board(PARENT), linked)
    assert (read.new, read.gained) == (2, 1)


def test_gains_are_counted_by_the_counter_that_counts_posts(boards: StoredBoards) -> None:
    def read(**numbers: int) -> ComparedRows:
        row = ThreadRow(URL, "T", replies=numbers["replies"], numbers=numbers)
        return compare_rows(boards, boards.board(PARENT), LinkedRows({"t": row}, {}, {}))

    read(replies=4, posts=10)
    assert read(replies=7, posts=10).gained == 3
    for _ in range(9):
        boards.knowledge.rows.record_counters(RowState(numbers={"posts": 3}), 3)
    assert read(replies=9, posts=16).gained == 6


def test_a_thread_from_another_board_brings_its_posts_along(boards: StoredBoards) -> None:
    row = ThreadRow(URL, "T", replies=4)
    compare_rows(boards, boards.board(PARENT), LinkedRows({"t": row}, {}, {}))
    read = compare_rows(boards, boards.board(ENTRY), LinkedRows({"t": row}, {}, {}))
    assert (read.gained, read.moved_in) == (0, 5)
    assert _state(boards).board == boards.board(ENTRY).id
    moved = replace(row, moved=True)
    compare_rows(boards, boards.board(PARENT), LinkedRows({"t": moved}, {}, {}))
    assert _state(boards).board == boards.board(ENTRY).id


def test_a_counter_that_moved_makes_a_thread_surely_changed(boards: StoredBoards) -> None:
    assert _row(boards, PARENT, 4)
    assert not _row(boards, PARENT, 4)
    assert _row(boards, PARENT, 5)
    said = _state(boards).said
    assert (said[SURELY_CHANGED], said[STOOD_STILL]) == (True, False)


def test_a_fall_of_the_counter_is_added_up(boards: StoredBoards) -> None:
    for replies in (9, 7, 4, 8):
        _row(boards, PARENT, replies, active=on(4, 1, 12))
    assert _state(boards).said[FALLEN] == 5


@pytest.mark.parametrize(("replies", "opened"), [(1200, True), (1000, True), (1210, False), (900, False)])
def test_a_rounded_counter_without_a_date_says_nothing(
    boards: StoredBoards, replies: int, opened: bool
) -> None:
    _row(boards, PARENT, replies)
    assert _row(boards, PARENT, replies) is opened
    assert not _row(boards, PARENT, replies, active=on(4, 1, 12))


def test_a_row_that_counts_the_stored_posts_is_no_news(boards: StoredBoards) -> None:
    _row(boards, PARENT, None, active=on(4, 30))
    assert _row(boards, PARENT, None, active=on(4, 30), views=19)
    for _ in range(9):
        boards.knowledge.rows.record_counters(RowState(19), 20)
    assert not _row(boards, PARENT, 19, active=on(4, 30))
    assert _row(boards, PARENT, 21, active=on(4, 30))


@pytest.mark.parametrize(("number", "opened"), [("77", False), ("78", True)])
def test_a_link_to_the_newest_stored_post_is_no_news(boards: StoredBoards, number: str, opened: bool) -> None:
    link = f"https://f.example/t?id=1#post{number}"
    _row(boards, PARENT, None, active=on(4, 1), active_url=link)
    post = Post("text", "", post_id="77", position=1)
    add_post(boards.connection, _state(boards).id, post, URL, NOW)
    assert _row(boards, PARENT, None, active=on(4, 1), active_url=link) is opened


def test_a_thread_named_in_a_trusted_box_is_found_by_its_id(boards: StoredBoards) -> None:
    linked = LinkedRows({"t": ThreadRow(URL, "T", replies=4)}, {}, {}, ("t",))
    boards.knowledge.site.last_look = NOW
    rows = ThreadRows(boards.connection, boards.forum, boards.knowledge, boards.board(PARENT), "")
    read = rows.compare_all(linked)
    assert rows.find_answered_in_boxes(linked, read, NOW) == set()
    assert boards.knowledge.rows.mentions.votes == {"news": 1}
    boards.knowledge.rows.mentions.votes["news"] = 4
    boards.knowledge.rows.box_threads = {}
    assert rows.find_answered_in_boxes(linked, read, NOW) == {_state(boards).id}


def test_sticky_and_moved_threads_are_not_in_the_order_of_the_page() -> None:
    plain, sticky = ThreadRow("a", "A"), ThreadRow("b", "B", sticky=True)
    read = ComparedRows({"a": plain, "b": sticky, "c": ThreadRow("c", "C", moved=True)}, {}, {}, 0)
    assert (read.in_order, read.last) == (["a"], "a")
    assert ComparedRows({"b": sticky, "d": sticky}, {}, {}, 0).last == "d"


def test_a_row_without_a_date_below_rows_with_dates_is_not_the_last_of_the_list() -> None:
    dated = {name: ThreadRow(name, name, active=_moment()) for name in "abcd"}
    box = ThreadRow("e", "E")
    assert ComparedRows({**dated, "e": box}, {}, {}, 0).last == "d"
    assert ComparedRows({"a": dated["a"], "e": box}, {}, {}, 0).last == "e"  # rows without dates are usual


def _moment() -> Moment:
    return Moment(date(2020, 6, 1), None, None, Precision.DAY)


def test_a_counter_that_stands_still_has_not_fallen(boards: StoredBoards) -> None:
    _row(boards, PARENT, 9)
    _row(boards, PARENT, 9)
    assert FALLEN not in _state(boards).said


def test_a_new_link_is_news_even_if_it_names_the_newest_stored_post(boards: StoredBoards) -> None:
    _row(boards, PARENT, None, active=on(4, 30), active_url="https://f.example/t?id=1#post70")
    post = Post("text", "", post_id="77", position=1)
    add_post(boards.connection, _state(boards).id, post, URL, NOW)
    assert _row(boards, PARENT, None, active=on(4, 30), active_url="https://f.example/t?id=1#post77")
    assert not _row(boards, PARENT, None, active=on(4, 30), active_url="https://f.example/t?id=1#post77")


def _with_posts(boards: StoredBoards, *days: int) -> None:
    """A thread with a post on each of some days of April, the last one with the number 77."""
    _row(boards, PARENT, len(days) - 1, active=on(4, days[-1], 12))
    for place, day in enumerate(days, 1):
        number = "77" if day == days[-1] else str(place)
        post = Post(f"text {day}", "", post_id=number, position=place, date=on(4, day, 12))
        add_post(boards.connection, _state(boards).id, post, URL, NOW)
    change_thread(boards.connection, _state(boards).id, due=None, posts=len(days))


def _look(boards: StoredBoards, **said: Any) -> bool:
    """Whether a thread is opened after its row was compared."""
    compare_rows(boards, boards.board(PARENT), LinkedRows({"t": ThreadRow(URL, "T", **said)}, {}, {}))
    return _state(boards).due is not None


def test_a_date_that_is_not_later_than_the_last_stored_post_is_no_news(boards: StoredBoards) -> None:
    _with_posts(boards, 3, 9)
    for _ in range(5):
        boards.knowledge.rows.shown_dates.add("last")
    assert not _look(boards, active=on(4, 3, 12))
    assert not _look(boards, active=on(4, 9, 12))
    assert _look(boards, active=on(4, 9, 13))


def test_an_exact_counter_is_compared_with_the_stored_posts(boards: StoredBoards) -> None:
    """Another page had shown the thread without its counter."""
    _with_posts(boards, 3, 9)
    change_thread(boards.connection, _state(boards).id, said={"active": "2026-04-09T12:00:00"})
    for _ in range(5):
        boards.knowledge.rows.record_counters(RowState(1), 2)
    assert not _look(boards, replies=1, active=on(4, 9, 12))
    assert _look(boards, replies=2, active=on(4, 9, 12))


def test_a_link_to_another_post_than_the_last_stored_one_is_news(boards: StoredBoards) -> None:
    _with_posts(boards, 3, 9)
    for _ in range(5):
        boards.knowledge.rows.last_links.add("last")
    assert not _look(boards, active_url=f"{URL}#p77")
    assert _look(boards, active_url=f"{URL}#p78")


def test_a_link_to_an_older_stored_post_tells_of_deleted_posts_alone(boards: StoredBoards) -> None:
    _with_posts(boards, 3, 9)
    for _ in range(5):
        boards.knowledge.rows.last_links.add("last")
    older = Post("earlier", "", post_id="61", position=2, date=on(4, 6, 12))
    add_post(boards.connection, _state(boards).id, older, URL, NOW)
    assert not _look(boards, active=on(4, 6, 12), active_url=f"{URL}#p61")
    assert _look(boards, active=on(4, 6, 12), active_url=f"{URL}#p62")


def test_a_later_date_beside_a_link_to_the_newest_stored_post_is_that_of_an_edit(
    boards: StoredBoards,
) -> None:
    _with_posts(boards, 3, 9)
    for _ in range(5):
        boards.knowledge.rows.last_links.add("last")
        boards.knowledge.rows.shown_dates.add("last")
    assert not _look(boards, active=on(4, 10, 12), active_url=f"{URL}#p77")
    assert _look(boards, active=on(4, 11, 12), active_url=f"{URL}?show=77#p78")


def test_dates_of_first_posts_say_nothing_about_news(boards: StoredBoards) -> None:
    _with_posts(boards, 3, 9)
    change_thread(
        boards.connection, _state(boards).id, said={"active": "2026-04-03T12:00:00", "precision": "minute"}
    )
    assert not _look(boards, active=on(4, 3, 12))
    for _ in range(3):
        boards.knowledge.rows.shown_dates.add("first")
    assert _look(boards, active=on(4, 3, 12))


def test_a_number_that_was_that_of_the_stored_replies_is_news_when_it_grows(boards: StoredBoards) -> None:
    """A short list was read with its columns swapped."""
    _with_posts(boards, 3, 6, 9)
    change_thread(boards.connection, _state(boards).id, said={"count": 1, "other": 2})
    assert not _look(boards, replies=1, views=2)
    assert _look(boards, replies=1, views=4)


def test_threads_above_a_new_one_are_opened_where_rows_say_nothing(boards: StoredBoards) -> None:
    """In a list by activity they were answered after the new thread began."""
    _with_posts(boards, 3, 9)
    old = OldThreads(boards.forum, NOW)
    old.chance_of = lambda *_: 0.0  # type: ignore[method-assign]
    boards.knowledge.rows.counter.add("count none")

    def opened(*keys: str) -> bool:
        seen = "2026-06-01T12:00:00+00:00"
        rows = ThreadRows(boards.connection, boards.forum, boards.knowledge, boards.board(PARENT), seen, old)
        linked = {key: ThreadRow(URL if key == "t" else f"{URL}{key}", key) for key in keys}
        change_thread(boards.connection, _state(boards).id, due=None, said={SEEN_AT: NOW.isoformat()})
        rows.compare_all(LinkedRows(linked, {}, {}))
        return _state(boards).due is not None

    assert not opened("t")
    assert not opened("new", "t")
    assert opened("t", "newer")


def test_a_thread_alone_in_its_list_is_opened_when_its_board_has_news_and_its_columns_were_not_read(
    boards: StoredBoards,
) -> None:
    """A list of one row was read as a mere link with the date of the first post."""
    _with_posts(boards, 3, 9)
    for _ in range(5):
        boards.knowledge.rows.record_counters(RowState(19), 20)

    def opened(grown: int, **said: Any) -> bool:
        change_thread(boards.connection, _state(boards).id, due=None, board=boards.board(PARENT).id)
        board = replace(boards.board(PARENT), said={GROWN: grown})
        compare_rows(boards, board, LinkedRows({"t": ThreadRow(URL, "T", **said)}, {}, {}))
        return _state(boards).due is not None

    assert opened(10)
    assert not opened(0)
    assert not opened(10, replies=1)
    boards.knowledge.rows.counter.votes.clear()  # the rows of this forum have no counters
    assert opened(10)
    assert not opened(0)


def test_an_age_that_grew_is_no_news_of_a_message_with_a_page_of_its_own(boards: StoredBoards) -> None:
    _with_posts(boards, 3)
    change_thread(boards.connection, _state(boards).id, said={"active": "2026-02-24", "precision": "day"})
    for _ in range(10):
        boards.knowledge.rows.record_message(posts=1, is_reply=False, again=True)
    assert not _look(boards, active=on(4, 1))


def test_a_thread_that_is_gone_is_asked_for_again_only_when_its_row_changes(boards: StoredBoards) -> None:
    """A second URL of a known thread has a row that says nothing. It was asked for in each crawl."""
    _row(boards, ENTRY, None)
    state = find_threads(boards.connection, boards.forum, ["t"])["t"]
    change_thread(boards.connection, state.id, gone=True, posts=0)
    assert not _row(boards, ENTRY, None)
    assert not _row(boards, ENTRY, None, views=7)
    assert _row(boards, ENTRY, 3, active=on(4, 20, 12))


def test_a_link_that_names_another_post_than_the_last_is_no_news_if_it_is_the_same_as_before(
    boards: StoredBoards,
) -> None:
    rows = boards.knowledge.rows
    link = "https://f.example/t?id=1&last"
    _row(boards, ENTRY, 19, active=on(4, 20, 12), active_url=link)
    state = find_threads(boards.connection, boards.forum, ["t"])["t"]
    add_post(boards.connection, state.id, Post("text", "", post_id="88", position=1), link, NOW)
    for _ in range(9):
        rows.record_last_link(RowState(active_url="https://f.example/t?id=2#p77"), "77")
    assert not _row(boards, ENTRY, 19, active=on(4, 20, 12), active_url=link)
    assert _row(boards, ENTRY, 19, active=on(4, 20, 12), active_url=f"{link}#p99")


def _in_box(boards: StoredBoards, day: int | None) -> ComparedRows:
    """A row of the thread in a box of latest posts on the start page."""
    boards.next_run()
    active = on(4, day, 12) if day else None
    row = ThreadRow("https://f.example/t?id=1", "T", active=active)
    return compare_rows(boards, boards.board(ENTRY), LinkedRows({"t": row}, {}, {}))


def test_a_date_in_a_box_later_than_all_known_posts_is_news(boards: StoredBoards) -> None:
    """A start page with a box of the latest posts was believed to show no news, and all were missed."""
    _row(boards, PARENT, 19, active=on(4, 20, 12))
    state = find_threads(boards.connection, boards.forum, ["t"])["t"]
    post = Post("text", "", post_id="77", position=1, date=on(4, 20, 12))
    add_post(boards.connection, state.id, post, state.url, NOW)
    assert _in_box(boards, 20).changes == {"t": Change.SAME}
    silent = _in_box(boards, None)
    assert (silent.changes, set(silent.silent)) == ({"t": Change.SAME}, {"t"})
    assert _in_box(boards, 21).changes == {"t": Change.CHANGED}
    told = find_threads(boards.connection, boards.forum, ["t"])["t"]
    assert told.due
    assert told.said["count"] == 19


def test_a_row_that_counts_what_a_box_has_led_to_is_no_news(boards: StoredBoards) -> None:
    for _ in range(9):
        boards.knowledge.rows.record_counters(RowState(19), 20)
    _row(boards, PARENT, 18)
    state = find_threads(boards.connection, boards.forum, ["t"])["t"]
    change_thread(boards.connection, state.id, due=None, posts=20, said={**state.said, TOLD_BY_BOX: True})
    assert not _row(boards, PARENT, 19)
    assert _row(boards, PARENT, 20)


def test_views_that_equal_the_posts_by_chance_are_no_posts(boards: StoredBoards) -> None:
    for _ in range(9):
        boards.knowledge.rows.record_counters(RowState(19), 20)
    _row(boards, ENTRY, 19, views=20)
    assert not _row(boards, ENTRY, 19, views=44)


def test_a_counter_that_fell_beside_a_link_to_the_same_last_post_is_no_news(boards: StoredBoards) -> None:
    """A number of the pager was read as the counter, and six pages were read in vain."""
    link = "https://f.example/t?id=1&page=2#p77"
    _row(boards, ENTRY, 19, active_url=link)
    assert not _row(boards, ENTRY, 1, active_url=link)
    assert _row(boards, ENTRY, 19, active_url=link)
    assert _row(boards, ENTRY, 1, active_url=f"{link}8")


def test_a_thread_known_by_a_link_to_its_last_page_begins_where_its_row_leads(boards: StoredBoards) -> None:
    """The row of a board links the last post of a thread, on page two. The list below has its own row."""
    link = ThreadRow(f"{URL}&page=2", "T")
    compare_rows(boards, boards.board(ENTRY), LinkedRows({}, {}, {"t": link}))
    assert _state(boards).due == f"{URL}&page=2"
    row = ThreadRow(URL, "T", replies=19, active=on(4, 20, 12))
    compare_rows(boards, boards.board(PARENT), LinkedRows({"t": row}, {}, {}))
    assert (_state(boards).due, _state(boards).walk["url"]) == (URL, URL)


@pytest.mark.parametrize(("lost", "opened"), [(4, True), (1, False)])
def test_threads_are_opened_where_most_rows_of_their_list_lost_what_they_told(
    boards: StoredBoards, lost: int, opened: bool
) -> None:
    """The page was read in another way: dates of first posts stand where those of the last posts stood."""
    urls = [f"https://f.example/t?id={number}" for number in range(4)]
    rows = {url: ThreadRow(url, "T", replies=5, active=on(4, 20, 12)) for url in urls}
    compare_rows(boards, boards.board(PARENT), LinkedRows(rows, {}, {}))
    for state in find_threads(boards.connection, boards.forum, urls).values():
        change_thread(boards.connection, state.id, due=None, posts=6)
    misread = {url: ThreadRow(url, "T", active=on(3, 1, 12)) for url in urls[:lost]}
    read = compare_rows(boards, boards.board(PARENT), LinkedRows({**rows, **misread}, {}, {}))
    assert (read.changes[urls[0]] is not Change.SAME) is opened


def test_ages_that_are_told_less_exactly_open_no_threads(boards: StoredBoards) -> None:
    """Three days ago, and a month ago later on: the day that is meant may lie before the one meant before."""
    urls = [f"https://f.example/t?id={number}" for number in range(4)]
    rows = {url: ThreadRow(url, "T", active=on(4, 20)) for url in urls}
    compare_rows(boards, boards.board(PARENT), LinkedRows(rows, {}, {}))
    for state in find_threads(boards.connection, boards.forum, urls).values():
        change_thread(boards.connection, state.id, due=None, posts=6)
    coarse = Moment(date(2026, 4, 1), precision=Precision.MONTH)
    rows = {url: replace(row, active=coarse) for url, row in rows.items()}
    rows[urls[0]] = replace(rows[urls[0]], replies=5)
    threads = ThreadRows(boards.connection, boards.forum, boards.knowledge, boards.board(PARENT), "")
    known = find_threads(boards.connection, boards.forum, urls)
    assert not threads._find_lost_columns(LinkedRows(rows, {}, {}), known)
