"""What is kept beside what a forum claims: the account is never better than what the counters prove."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from threadmill.crawl.forum.account import settle
from threadmill.crawl.forum.knowledge import ForumKnowledge, LayoutKnowledge
from threadmill.crawl.forum.progress import NO_POSTS, NOTHING_LEFT, PAGE_LIMIT, ForumProgress, exit_code
from threadmill.crawl.forum.rows.row_state import (
    CLOSED,
    COMPARED_IN,
    EMPTY_THREAD,
    LIST_END,
    SEEN_AT,
    SHOWN_BY,
    SITE_CLOSED,
    SKIPS,
    SURPLUS,
    UNSEEN_NEWS,
    RowState,
)
from threadmill.forum.site_model.model import ForumModel
from threadmill.store.forum.accounts import ThreadHolding
from threadmill.store.forum.forums import BoardState
from threadmill.types import CrawlAccount


def board(
    number: int, posts: int | None, threads: int | None = None, said: dict[str, Any] | None = None
) -> BoardState:
    row = {"count": posts, "other": threads, **(said or {})}
    parent = None if number == 1 else 1
    return BoardState(number, f"/b{number}", f"Board {number}", parent, row, None, None, 0)


def thread(number: int, kept: int, replies: int | None, place: int = 2, **values: Any) -> ThreadHolding:
    said = {"count": replies} | values.pop("said", {})
    usual = {"pages": 1, "gone": False, "due": False, "empty": False} | values
    return ThreadHolding(number, place, f"/t{number}", f"Thread {number}", said, kept=kept, **usual)


def knowledge(*right: tuple[int, int]) -> ForumKnowledge:
    """What a crawl knows that has compared these counters with the posts of threads."""
    known = ForumKnowledge(LayoutKnowledge(ForumModel("/"), longest_list=20))
    for count, posts in right:
        known.rows.record_counters(RowState(count), posts)
    return known


RIGHT = tuple((n, n + 1) for n in range(2, 12))


def account(boards: list[BoardState], threads: list[ThreadHolding], known: ForumKnowledge) -> CrawlAccount:
    return settle(boards, threads, known)


def test_all_posts_that_believed_counters_claim_make_a_complete_crawl() -> None:
    found = account([board(1, None), board(2, 12)], [thread(1, 5, 4), thread(2, 7, 6)], knowledge(*RIGHT))
    assert (found.verdict, found.kept, found.claimed) == ("complete", 12, 12)
    assert found.sentence == "kept 12 of about 12 posts (the forum's own counters)"


def test_a_forum_that_claims_nothing_is_never_complete() -> None:
    found = account([board(1, None), board(2, None)], [thread(1, 5, None)], knowledge())
    assert (found.verdict, found.claimed, found.share) == ("unknown", None, None)
    assert found.sentence == "kept 5 posts; whether that is all is unknown: the forum shows no counters"


def test_boards_whose_threads_were_never_listed_are_named() -> None:
    boards = [board(1, None), board(2, 642, 50), board(3, 978, 60)]
    found = account(boards, [thread(1, 7, None, 3)], knowledge())
    assert (found.verdict, found.kept, found.claimed) == ("incomplete", 7, 1620)
    assert found.notes == (
        "posts are missing in: Board 3 (kept 7 of 978); Board 2 (kept 0 of 642)",
        "about 1,613 posts in threads that no list page showed",
    )


def test_the_larger_number_of_a_row_counts_posts_while_none_was_right() -> None:
    found = account([board(1, None), board(2, 30, 400)], [thread(1, 7, None)], knowledge())
    assert found.claimed == 400


def test_a_row_may_count_replies_only_or_boards_below_it() -> None:
    threads = [thread(n, 10, 9) for n in range(1, 5)]
    replies = account([board(1, None), board(2, 36, 4)], threads, knowledge(*RIGHT))
    assert (replies.verdict, replies.claimed) == ("complete", 40)
    above = [
        board(1, None),
        board(2, 60),
        BoardState(3, "/b3", "Board 3", 2, {"count": 20}, None, None, 0),
    ]
    lower = [thread(9, 20, 19, 3)]
    found = account(above, [*threads, *lower], knowledge(*RIGHT))
    assert (found.verdict, found.claimed) == ("complete", 60)


def test_numbers_that_may_count_replies_are_claims_though_none_was_compared() -> None:
    boards, whole = [board(1, None), board(2, None)], thread(1, 5, 4)
    found = account(boards, [whole, thread(2, 5, 9)], knowledge())
    assert (found.verdict, found.kept, found.claimed) == ("incomplete", 10, 15)
    assert account(boards, [whole, thread(2, 7, 6)], knowledge()).claimed == 12


def test_a_counter_that_is_0_beside_threads_with_a_post_counts_replies() -> None:
    """Where each other thread lacks a post, it seems to count posts."""
    seeming = knowledge(*((n, n) for n in range(2, 12)))
    boards = [board(1, None), board(2, None, said={LIST_END: "pager"})]
    threads = [thread(1, 5, 5), thread(2, 7, 7), thread(3, 1, 1), thread(4, 1, 0)]
    assert account(boards, threads, seeming).verdict == "complete"
    found = account(boards, [*threads, thread(5, 1, 0)], seeming)
    assert (found.verdict, found.kept, found.claimed, found.short_threads) == ("incomplete", 15, 18, 3)


def test_threads_that_lack_posts_are_named_worst_first() -> None:
    threads = [thread(1, 5, 4), thread(2, 5, 9), thread(3, 0, 9)]
    found = account([board(1, None), board(2, None, said={LIST_END: 3})], threads, knowledge(*RIGHT))
    assert (found.verdict, found.kept, found.claimed, found.short_threads) == ("incomplete", 10, 25, 2)
    assert [line.url for line in found.threads] == ["/t3", "/t2"]
    assert "10 posts in listed threads: its page shows no posts" in found.notes


def test_a_thread_that_was_deleted_claims_nothing_but_one_without_posts_does() -> None:
    lost = thread(3, 0, 99, gone=True)
    empty = thread(4, 0, 99, gone=True, said={EMPTY_THREAD: True})
    boards = [board(1, None), board(2, None, said={LIST_END: 3})]
    assert account(boards, [thread(1, 5, 4), lost], knowledge(*RIGHT)).verdict == "complete"
    assert account(boards, [thread(1, 5, 4), empty], knowledge(*RIGHT)).claimed == 105


def test_a_lying_row_is_not_believed_when_list_and_threads_were_read_to_their_ends() -> None:
    lying = board(2, 5000, said={LIST_END: "pager"})
    found = account([board(1, None), lying], [thread(1, 5, 4), thread(2, 7, 6)], knowledge(*RIGHT))
    assert (found.verdict, found.claimed) == ("complete", 12)
    assert found.notes[0].startswith("boards whose rows claim more posts than there are: 1")
    unsure = account([board(1, None), board(2, 5000)], [thread(1, 5, 4)], knowledge(*RIGHT))
    assert (unsure.verdict, unsure.claimed) == ("incomplete", 5000)


def test_a_row_that_counts_more_threads_than_are_kept_is_no_lying_row() -> None:
    threads = [thread(1, 5, 4), thread(2, 7, 6)]
    for counted, verdict in ((2, "complete"), (4, "incomplete")):
        row = board(2, 30, counted, said={LIST_END: "pager"})
        assert account([board(1, None), row], threads, knowledge(*RIGHT)).verdict == verdict


def test_rows_of_boards_that_count_one_post_more_for_each_thread_do_not_lie() -> None:
    end = {LIST_END: "pager"}
    threads = [thread(n, 4, 4) for n in range(1, 5)] + [thread(n, 5, 5, 3) for n in range(5, 8)]
    seeming = knowledge(*((n, n) for n in range(2, 12)))
    for more, verdict in ((0, "complete"), (3, "unknown"), (9, "complete")):
        boards = [board(1, None), board(2, 16 + more, said=end), board(3, 15 + more, said=end)]
        assert account(boards, threads, seeming).verdict == verdict


def test_threads_that_boards_count_and_no_list_showed_leave_a_doubt() -> None:
    threads = [thread(1, 5, 4), thread(2, 7, 6), thread(3, 8, 7, 3)]
    end = {LIST_END: "links"}
    boards = [board(1, None), board(2, None, 2, end), board(3, None, 4, end)]
    found = account(boards, threads, knowledge(*RIGHT))
    assert found.verdict == "unknown"
    assert found.notes == ("rows of boards count more threads than are kept: Board 3 (1 of 4)",)
    elsewhere = [thread(number, 1, 0, place=99) for number in range(4, 7)]  # one board or another has them
    assert account(boards, [*threads, *elsewhere], knowledge(*RIGHT)).verdict == "complete"
    people = [boards[0], board(2, None, 1, end), boards[2]]  # fewer than the threads of Board 2
    assert account(people, threads, knowledge(*RIGHT)).verdict == "complete"
    right = [boards[0], board(2, 12, 2), board(3, 8, 4)]  # stubs of threads that were moved
    assert account(right, threads, knowledge(*RIGHT)).verdict == "complete"


def test_listed_threads_alone_prove_nothing_while_the_list_may_go_on() -> None:
    threads = [thread(1, 5, 4), thread(2, 7, 6)]
    full = account([board(1, None), board(2, None, said={LIST_END: 20})], threads, knowledge(*RIGHT))
    short = account([board(1, None), board(2, None, said={LIST_END: 2})], threads, knowledge(*RIGHT))
    assert (full.verdict, short.verdict) == ("unknown", "complete")
    assert full.notes == ("nothing tells whether these lists of threads have ended: Board 2",)
    cut = account([board(1, None), board(2, None, said={LIST_END: "cut"})], threads, knowledge(*RIGHT))
    assert (cut.verdict, cut.notes) == ("unknown", full.notes)


def test_a_number_below_the_posts_of_a_board_does_not_tell_that_its_list_has_ended() -> None:
    threads = [thread(1, 5, 4), thread(2, 7, 6)]
    said = {LIST_END: 20}
    people = account([board(1, None), board(2, 9, said=said)], threads, knowledge(*RIGHT))
    posts = account([board(1, None), board(2, 12, said=said)], threads, knowledge(*RIGHT))
    assert (people.verdict, posts.verdict) == ("unknown", "complete")


def test_lists_by_creation_that_were_not_read_whole_prove_nothing_unless_their_boards_count_posts() -> None:
    threads = [thread(1, 5, 4), thread(2, 7, 6)]
    for chance, posts, verdict in ((0.2, None, "unknown"), (0.02, None, "complete"), (0.2, 12, "complete")):
        boards = [board(1, None), board(2, posts, said={LIST_END: "pager", UNSEEN_NEWS: chance})]
        found = account(boards, threads, knowledge(*RIGHT))
        assert found.verdict == verdict
        told = "old threads of these lists were not looked at, and may have news: Board 2"
        assert (told in found.notes) is (verdict == "unknown")


def test_unseen_news_are_told_where_nothing_is_claimed() -> None:
    boards = [board(1, None, said={LIST_END: "pager", UNSEEN_NEWS: 0.2})]
    found = account(boards, [thread(1, 5, None)], knowledge())
    assert (found.verdict, found.claimed) == ("unknown", None)
    assert found.notes == ("old threads of these lists were not looked at, and may have news: Board 1",)


def test_a_board_closed_to_guests_may_have_threads_that_a_box_has_shown() -> None:
    threads = [thread(1, 5, 4), thread(2, 7, 6), thread(3, 3, 2, 3)]
    for said, verdict in (({SKIPS: 0}, "complete"), ({}, "incomplete")):
        closed = replace(board(3, 100, said={CLOSED: "message", **said}), visited_run=2)
        found = account([board(1, None), board(2, 12), closed], threads, knowledge(*RIGHT))
        assert found.verdict == verdict
    assert (
        account(
            [board(1, None), board(2, 12), board(3, 20, said={CLOSED: "message"})], threads, knowledge(*RIGHT)
        ).claimed
        == 32
    )


def test_a_thread_has_no_more_posts_than_its_board() -> None:
    """Where a row shows no replies, its views may be read for them."""
    threads = [thread(1, 5, 4), thread(2, 7, 6), thread(3, 1, 1184), thread(4, 8, 7, 3)]
    found = account([board(1, None), board(2, 13), board(3, 8)], threads, knowledge(*RIGHT))
    assert (found.verdict, found.claimed) == ("complete", 21)
    more = account(
        [board(1, None), board(2, 13), board(3, 8)],
        [*threads[:2], thread(3, 1, 20), threads[3]],
        knowledge(*RIGHT),
    )
    assert (more.verdict, more.short_threads) == ("incomplete", 1)


def test_pages_like_others_without_threads_and_numbers_are_profiles_and_claim_nothing() -> None:
    def profile(number: int, posts: int | None) -> BoardState:
        return replace(board(number, posts), url=f"/user.php?id={number}", visited_run=1)

    threads, boards = [thread(1, 5, 4), thread(2, 7, 6)], [board(1, None), board(2, 12)]
    profiles = [profile(3, 12), *(profile(number, None) for number in range(4, 7))]
    assert account([*boards, *profiles], threads, knowledge(*RIGHT)).verdict == "complete"
    all_with_numbers = [profile(number, 12) for number in range(3, 7)]
    assert account([*boards, *all_with_numbers], threads, knowledge(*RIGHT)).verdict == "incomplete"
    unread = [profiles[0], *(replace(one, visited_run=None) for one in profiles[1:])]
    assert account([*boards, *unread], threads, knowledge(*RIGHT)).verdict == "incomplete"


def test_a_number_beside_a_board_of_single_messages_is_not_right_because_it_is_small() -> None:
    """It may count conversations. Opening posts alone are as many as the messages."""
    threads = [thread(number, 1, None) for number in range(32)]
    threads += [thread(number, 1, None, 3) for number in range(32, 57)]
    boards = [board(1, None), board(2, None, 1), board(3, None, 9)]
    assert account(boards, threads, knowledge()).verdict == "unknown"


def test_answers_counted_in_the_row_of_a_single_message_are_no_posts_that_it_lacks() -> None:
    known = knowledge()
    for _ in range(10):
        known.rows.record_message(posts=1, is_reply=True)
    threads = [thread(1, 1, 2), thread(2, 1, 2), thread(3, 1, None), thread(4, 1, None)]
    found = account([board(1, None), board(2, None)], threads, known)
    assert (found.verdict, found.claimed) == ("unknown", None)
    assert account([board(1, None), board(2, None)], threads, knowledge()).verdict == "incomplete"


def test_boards_closed_to_guests_are_allowed_for_and_named() -> None:
    boards = [board(1, None), board(2, 12), board(3, 100, said={CLOSED: "login"})]
    threads = [thread(1, 5, 4), thread(2, 7, 6)]
    found = account(boards, threads, knowledge(*RIGHT))
    assert (found.verdict, found.claimed) == ("complete", 12)
    assert found.notes == ("about 100 posts are not open to guests: Board 3 (asks to log in)",)


def test_a_site_that_closed_midway_is_not_allowed_for() -> None:
    boards = [board(1, None), board(2, 12), board(3, 100, said={CLOSED: SITE_CLOSED})]
    found = account(boards, [thread(1, 5, 4), thread(2, 7, 6)], knowledge(*RIGHT))
    assert (found.verdict, found.claimed) == ("incomplete", 112)


def test_the_statistics_box_counts_where_no_row_does() -> None:
    known = knowledge()
    known.site.stated_posts = 300
    found = account([board(1, None), board(2, None)], [thread(1, 5, None)], known)
    assert (found.verdict, found.claimed, found.sources) == ("incomplete", 300, ("statistics box",))


def test_the_pager_tells_the_least_number_of_posts_of_a_thread() -> None:
    known = knowledge()
    for _ in range(3):
        known.layout.record_page_size(10, first=True)
    found = account([board(1, None), board(2, None)], [thread(1, 10, None, pages=4)], known)
    assert (found.verdict, found.claimed) == ("incomplete", 31)


def test_an_account_survives_its_store() -> None:
    found = account([board(1, None), board(2, 30)], [thread(1, 5, 9)], knowledge(*RIGHT))
    assert CrawlAccount.from_dict(found.as_dict()) == found


def test_a_board_whose_row_is_gone_is_told_apart_from_what_the_forum_shows() -> None:
    boards = [
        board(1, None),
        board(2, 12, said={SHOWN_BY: 1, COMPARED_IN: 5}),
        board(3, 40, said={SHOWN_BY: 1, COMPARED_IN: 4}),
    ]
    threads = [thread(1, 5, 4), thread(2, 7, 6), thread(3, 40, 39, 3)]
    found = account(boards, threads, knowledge(*RIGHT))
    assert (found.verdict, found.kept, found.claimed) == ("complete", 12, 12)
    assert found.notes == ("the forum no longer shows Board 3: 40 posts of it are kept",)


def test_a_board_that_was_read_after_its_row_was_seen_last_is_not_gone() -> None:
    boards = [board(1, None)]
    boards += [
        board(2, 5, said={SHOWN_BY: 1, COMPARED_IN: 2}),
        board(3, 7, said={SHOWN_BY: 1, COMPARED_IN: 3}),
    ]
    boards[1] = replace(boards[1], visited_run=3)
    found = account(boards, [thread(1, 5, 4), thread(2, 7, 6, 3)], knowledge(*RIGHT))
    assert (found.verdict, found.kept, found.notes) == ("complete", 12, ())


def test_a_crawl_that_ends_without_a_single_post_fails() -> None:
    unread = CrawlAccount(verdict="unknown", kept=0, claimed=None)
    assert exit_code(ForumProgress(index_pages=3, ended=NOTHING_LEFT, account=unread)) == 1
    assert exit_code(ForumProgress(index_pages=3, ended=PAGE_LIMIT, account=unread)) == 0
    assert exit_code(ForumProgress(index_pages=3, ended=NOTHING_LEFT, account=replace(unread, kept=7))) == 0


def test_a_crawl_whose_pages_brought_hardly_a_post_has_an_exit_code_of_its_own() -> None:
    unread = CrawlAccount(verdict="unknown", kept=0, claimed=None)
    hardly = ForumProgress(pages=40, thread_pages=38, ended=NOTHING_LEFT, account=replace(unread, kept=19))
    assert exit_code(hardly) == 3
    assert exit_code(replace(hardly, account=replace(unread, kept=20))) == 0
    assert exit_code(replace(hardly, pages=19)) == 0


def test_so_has_a_crawl_with_most_pages_of_threads_unread() -> None:
    few = CrawlAccount(verdict="unknown", kept=300, claimed=None)
    half = ForumProgress(pages=40, thread_pages=30, ended=NOTHING_LEFT, account=few)
    for unread, code in ((15, 0), (16, 3)):
        assert exit_code(replace(half, troubles=Counter({NO_POSTS: unread}))) == code
    known = replace(few, verdict="complete", claimed=300)
    assert exit_code(replace(half, troubles=Counter({NO_POSTS: 30}), account=known)) == 0


def test_links_may_tell_that_a_list_has_ended() -> None:
    threads = [thread(1, 5, 4), thread(2, 7, 6)]
    found = account([board(1, None), board(2, None, said={LIST_END: "links"})], threads, knowledge(*RIGHT))
    assert found.verdict == "complete"


def test_two_posts_of_a_hundred_are_missed_where_counters_are_exact() -> None:
    boards = [board(1, None), board(2, None, said={LIST_END: "pager"})]
    threads = [thread(1, 98, 97), thread(2, 18, 19)]
    exact = knowledge(*((n, n + 1) for n in range(2, 60)))
    found = account(boards, threads, exact)
    assert (found.verdict, found.kept, found.claimed) == ("incomplete", 116, 118)
    elsewhere = thread(3, 2, None, place=99)  # found under another URL, outside all boards
    assert account(boards, [*threads, elsewhere], exact).verdict == "complete"


def test_a_row_may_count_another_board_that_is_linked_from_the_start_page() -> None:
    boards = [board(1, None), board(2, 43), board(3, 31), board(4, 12)]
    threads = [thread(1, 12, 11, 2), thread(2, 31, 30, 3), thread(3, 12, 11, 4)]
    found = account(boards, threads, knowledge(*RIGHT))
    assert (found.verdict, found.kept, found.claimed) == ("complete", 55, 55)


def test_a_board_of_which_just_half_is_kept_does_not_count_itself_as_another() -> None:
    boards = [board(1, None), board(2, 24), board(3, 31)]
    found = account(boards, [thread(1, 12, 11, 2), thread(2, 31, 30, 3)], knowledge(*RIGHT))
    assert (found.verdict, found.kept, found.claimed) == ("incomplete", 43, 55)


@pytest.mark.parametrize(
    ("kept", "below", "claimed"),
    [(5, 5, 10), (4, 5, 14), (5, 4, 13)],  # fewer than five posts may agree by chance
)
def test_a_row_counts_another_board_if_that_is_no_chance(kept: int, below: int, claimed: int) -> None:
    boards = [board(1, None), board(2, kept + below), board(3, below), board(4, None)]
    threads = [thread(1, kept, kept - 1, 2), thread(2, below, below - 1, 3)]
    assert account(boards, threads, knowledge(*RIGHT)).claimed == claimed


def test_a_board_of_which_nothing_is_kept_is_not_taken_for_one_that_counts_another() -> None:
    boards = [board(1, None), board(2, 31), board(3, 31)]
    found = account(boards, [thread(1, 31, 30, 2)], knowledge(*RIGHT))
    assert (found.verdict, found.kept, found.claimed) == ("incomplete", 31, 62)


def test_a_thread_that_is_kept_with_another_board_is_not_missing() -> None:
    boards = [board(1, None), board(2, 30), board(3, 20)]
    threads = [thread(1, 30, None, 2), thread(2, 12, None, 2), thread(3, 8, None, 3)]
    found = account(boards, threads, knowledge())
    assert (found.verdict, found.kept, found.claimed) == ("unknown", 50, 50)
    assert account(boards, threads[:2], knowledge()).claimed == 50


def test_text_that_no_post_has_makes_a_crawl_incomplete_whatever_the_counters_say() -> None:
    known = knowledge(*((n, n) for n in range(2, 12)))
    threads = [thread(number, 5, 5) for number in range(1, 5)]
    boards = [board(1, None), board(2, 20)]
    assert account(boards, threads, known).verdict == "complete"
    for one in threads:
        known.site.unread.record(one.url, [f"What thread {one.id} is about."], ["Thanks."])
    found = account(boards, threads, known)
    assert (found.verdict, found.kept, found.claimed) == ("incomplete", 20, 24)
    assert found.sentence == "kept 20 of about 24 posts (text of its pages that no post has)"
    assert {line.url for line in found.threads} == {one.url for one in threads}
    assert "its page shows text of its own that no post has" in found.notes[-1]


@pytest.mark.parametrize(("claimed", "verdict"), [(60, "complete"), (61, "incomplete"), (None, "incomplete")])
def test_a_counter_right_to_the_post_proves_that_text_of_few_threads_is_no_post(
    claimed: int | None, verdict: str
) -> None:
    known = knowledge(*((n, n) for n in range(2, 12)))
    threads = [thread(number, 5, 5) for number in range(1, 13)]
    for one in threads:
        texts = [f"A poll of thread {one.id}."] if one.id < 5 else []
        known.site.unread.record(one.url, texts, ["Thanks."])
    assert account([board(1, None), board(2, claimed)], threads, known).verdict == verdict


def test_a_counter_of_replies_one_below_the_posts_proves_that_text_of_most_threads_is_no_post() -> None:
    known = knowledge(*RIGHT)
    threads = [thread(number, 5, 4 + (number == 12)) for number in range(1, 13)]
    for one in threads:
        known.site.unread.record(one.url, [f"An advert of the day of thread {one.id}."], ["Thanks."])
    found = account([board(1, None), board(2, 60)], threads, known)
    assert [line.url for line in found.threads] == ["/t12"]  # its row counts one reply more


def test_links_that_were_not_followed_make_a_crawl_incomplete_whatever_the_counters_say() -> None:
    known = knowledge(*RIGHT)
    known.site.unfollowed = 3
    found = account([board(1, None), board(2, 12)], [thread(1, 5, 4), thread(2, 7, 6)], known)
    assert (found.verdict, found.claimed) == ("incomplete", 15)
    assert "3 links of lists were not followed" in found.notes[0]
    assert ForumKnowledge.from_json(known.to_json()).site.unfollowed == 3


def test_a_right_statistics_box_outweighs_rows_that_were_never_right() -> None:
    known = knowledge()
    known.site.stated_posts = 40
    threads = [thread(1, 20, 30), thread(2, 20, 25)]
    found = account([board(1, None), board(2, None)], threads, known)
    assert (found.verdict, found.claimed) == ("complete", 40)


def test_what_pages_show_outside_posts_is_kept_with_the_forum() -> None:
    known = knowledge()
    known.site.unread.record("/t1", ["A text."], [])
    assert ForumKnowledge.from_json(known.to_json()).site.unread.texts == {"A text.": "/t1"}


def test_pages_of_threads_without_posts_make_nothing_complete_while_no_board_counts_posts() -> None:
    boards = [board(1, None), board(2, None, said={LIST_END: "pager"})]
    threads = [thread(number, 5, 4) for number in range(20)]
    empty = thread(20, 0, None, empty=True)
    gone = thread(21, 0, None, gone=True, said={EMPTY_THREAD: True})
    found = account(boards, [*threads, empty, gone], knowledge(*RIGHT))
    assert (found.verdict, found.kept, found.claimed) == ("unknown", 100, 100)
    assert found.notes == ("2 pages that lists show as threads show no posts",)
    assert account(boards, threads, knowledge(*RIGHT)).verdict == "complete"
    many = [thread(number, 5, 4) for number in range(30, 130)]
    assert account(boards, [*threads, *many, empty, gone], knowledge(*RIGHT)).verdict == "complete"
    counted = [board(1, None), board(2, 100, said={LIST_END: "pager"})]
    assert account(counted, [*threads, empty, gone], knowledge(*RIGHT)).verdict == "complete"
    double = thread(20, 0, None, gone=True)  # another URL of a known thread
    assert account(boards, [*threads, double], knowledge(*RIGHT)).verdict == "complete"


def test_a_statistics_box_with_fewer_posts_than_are_kept_counts_something_else() -> None:
    known = knowledge()
    known.site.stated_posts = 16
    found = account([board(1, None), board(2, None)], [thread(1, 54, None)], known)
    assert (found.verdict, found.kept, found.claimed) == ("unknown", 54, None)
    known.site.stated_posts = 54
    found = account([board(1, None), board(2, None)], [thread(1, 54, None)], known)
    assert (found.verdict, found.claimed) == ("complete", 54)


EARLIER, NOW = "2026-03-01T12:00:00+00:00", "2026-06-01T12:00:00+02:00"


@pytest.mark.parametrize(
    ("seen", "surplus", "verdict"),
    [(NOW, 0, "complete"), (EARLIER, 0, "incomplete"), (EARLIER, 7, "incomplete"), (EARLIER, 8, "complete")],
)
def test_rows_of_threads_overrule_an_older_row_of_their_board_or_what_an_earlier_crawl_proved(
    seen: str, surplus: int, verdict: str
) -> None:
    said = {LIST_END: "pager", SEEN_AT: NOW, SURPLUS: surplus}
    boards = [board(1, None), board(2, 20, said=said), board(3, 9)]
    threads = [
        thread(1, 5, 4, said={SEEN_AT: NOW}),
        thread(2, 7, 6, said={SEEN_AT: seen}),
        thread(3, 9, 8, 3),
    ]
    assert account(boards, threads, knowledge(*RIGHT)).verdict == verdict


def test_a_post_without_a_word_or_a_picture_is_not_kept() -> None:
    threads = [thread(number, 5, 4, hollow=0) for number in range(20)]
    boards = [board(1, None), board(2, 105)]
    few = account(boards, [*threads, thread(20, 5, 4, hollow=2)], knowledge(*RIGHT))
    assert (few.verdict, few.kept, few.claimed) == ("complete", 105, 105)
    found = account(boards, [*threads, thread(20, 5, 4, hollow=3)], knowledge(*RIGHT))
    assert (found.verdict, found.kept, found.claimed) == ("incomplete", 102, 105)
    assert "3 of the posts that are kept have neither words nor pictures" in found.notes


def test_a_number_beside_a_page_without_threads_is_no_loss_and_no_proof_while_none_was_right() -> None:
    threads = [thread(1, 5, 4), thread(2, 7, 6)]
    listed = board(2, None, said={LIST_END: "pager"})
    contact = replace(board(3, 2016), visited_run=1)
    found = account([board(1, None), listed, contact], threads, knowledge(*RIGHT))
    assert (found.verdict, found.kept, found.claimed) == ("unknown", 12, 12)
    assert found.notes == ("pages without threads whose links have numbers beside them: Board 3",)
    unread = account([board(1, None), listed, board(3, 2016)], threads, knowledge(*RIGHT))
    assert (unread.verdict, unread.claimed) == ("incomplete", 2028)
    counted = account([board(1, None), board(2, 12), contact], threads, knowledge(*RIGHT))
    assert (counted.verdict, counted.claimed) == ("incomplete", 2028)


@pytest.mark.parametrize(("row", "verdict"), [(4, "unknown"), (0, "complete"), (None, "complete")])
def test_an_empty_board_that_was_not_looked_at_again_leaves_a_doubt_unless_its_row_would_tell(
    row: int | None, verdict: str
) -> None:
    """A link without numbers may lead to a page of rules. A counter of 0 moves with the first post."""
    listed = replace(board(2, None, said={LIST_END: "pager"}), visited_run=3)
    empty = replace(board(3, None, row, said={SKIPS: 1, LIST_END: "links"}), visited_run=2)
    found = account([board(1, None), listed, empty], [thread(1, 5, 4), thread(2, 7, 6)], knowledge(*RIGHT))
    assert found.verdict == verdict


def test_of_readings_that_are_right_as_often_the_one_whose_sum_is_right_is_taken() -> None:
    """A thread of board 2 is kept with board 3, whose row counts board 4 below it too."""
    boards = [board(1, None), board(2, 64), board(4, 94)]
    boards.append(board(3, 192, said={LIST_END: "pager"}))
    boards.append(replace(board(5, 48), parent=3))
    kept = {2: 45, 3: 163, 4: 94, 5: 48}
    threads = [thread(place, posts, posts - 1, place) for place, posts in kept.items()]
    found = account(boards, threads, knowledge(*RIGHT))
    assert (found.verdict, found.kept, found.claimed) == ("complete", 350, 350)


def test_rows_of_threads_that_are_often_wrong_are_no_match_for_a_board_that_is_right_to_the_post() -> None:
    wrong = knowledge(*RIGHT, *((n, n + 9) for n in range(2, 6)))
    threads = [thread(1, 5, 5), thread(2, 7, 7)]
    found = account([board(1, None), board(2, 12)], threads, wrong)
    assert (found.verdict, found.claimed, found.threads) == ("complete", 12, ())
    assert account([board(1, None), board(2, 13)], threads, wrong).claimed == 14


def test_pagers_that_were_wrong_about_the_threads_that_were_read_claim_nothing() -> None:
    known = knowledge()
    for _ in range(3):
        known.layout.record_page_size(10, first=True)
    boards = [board(1, None), board(2, None)]
    by_number = [thread(1, 25, None, pages=125), thread(2, 14, None, pages=53)]
    assert account(boards, by_number, known).claimed is None
    cut_off = [thread(1, 10, None, pages=4), thread(2, 10, None, pages=3)]
    assert account(boards, cut_off, known).claimed == 31 + 21
    lacks_one = [thread(1, 25, None, pages=3), thread(2, 25, None, pages=9)]
    assert account(boards, lacks_one, known).claimed == 25 + 81


def test_posts_without_words_that_no_row_counts_are_no_loss() -> None:
    boards = [board(1, None), board(2, 100, said={LIST_END: "pager"})]
    found = account(boards, [thread(number, 6, 4, hollow=1) for number in range(20)], knowledge(*RIGHT))
    assert (found.verdict, found.kept, found.claimed) == ("complete", 100, 100)
    lacking = account(boards, [thread(number, 5, 4, hollow=1) for number in range(20)], knowledge(*RIGHT))
    assert (lacking.verdict, lacking.kept, lacking.claimed) == ("incomplete", 80, 100)
