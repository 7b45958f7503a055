"""How far rows can be trusted."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from threadmill.crawl.forum.knowledge import ForumKnowledge, LayoutKnowledge
from threadmill.crawl.forum.rows.row_knowledge import RowKnowledge, Votes, possible_counts
from threadmill.crawl.forum.rows.row_state import SEEN_AT, Change, RowState, compare
from threadmill.forum.site_model.model import ForumModel


def _knowledge() -> ForumKnowledge:
    return ForumKnowledge(LayoutKnowledge(ForumModel("https://f.example/")))


def test_the_number_that_equals_the_posts_shown_is_the_counter() -> None:
    knowledge = _knowledge()
    for posts in (3, 7, 12):
        knowledge.rows.record_counters(RowState(count=2, other=posts - 1), posts)
    assert knowledge.rows.total_posts(RowState(count=2, other=30)) == 31
    assert knowledge.rows.with_trusted_count(RowState(count=2, other=30)).count == 30


def test_views_are_not_believed_to_count_posts() -> None:
    knowledge = _knowledge()
    for posts in (3, 7, 12):
        knowledge.rows.record_counters(RowState(count=posts * 100), posts)
    assert knowledge.rows.total_posts(RowState(count=500)) is None
    moved = compare(
        knowledge.rows.with_trusted_count(RowState(count=500)),
        knowledge.rows.with_trusted_count(RowState(count=400)),
    )
    assert moved is Change.UNSURE


def test_a_counter_that_stood_still_in_vain_often_enough_is_believed() -> None:
    knowledge = _knowledge()
    knowledge.rows.record_counters(RowState(count=100), 3)
    for _ in range(4):
        knowledge.rows.record_stillness(still=True, news=0)
    assert (
        compare(
            knowledge.rows.with_trusted_count(RowState(count=9)),
            knowledge.rows.with_trusted_count(RowState(count=9)),
        )
        is Change.SAME
    )
    knowledge.rows.record_stillness(still=True, news=2)
    assert (
        compare(
            knowledge.rows.with_trusted_count(RowState(count=9)),
            knowledge.rows.with_trusted_count(RowState(count=9)),
        )
        is Change.UNSURE
    )


def test_of_two_numbers_that_fit_short_threads_the_one_without_misses_counts_posts() -> None:
    knowledge = _knowledge()
    for posts, voices in ((1, 1), (2, 2), (2, 2), (9, 4), (30, 6)):
        knowledge.rows.record_counters(RowState(count=voices, other=posts), posts)
    assert knowledge.rows.post_counter == ("other", 0)


def test_two_columns_that_add_up_to_the_posts_count_them_together() -> None:
    knowledge = _knowledge()
    for answers, comments in ((3, 4), (0, 2), (8, 1), (2, 2), (5, 0), (1, 6)):
        columns = {"a": answers, "b": 3, "c": comments}
        # what the page's words tell for replies is now the one column, now the other
        knowledge.rows.record_counters(
            RowState(count=max(answers, comments), numbers=columns), 1 + answers + comments
        )
    assert knowledge.rows.post_counter == ("a + c", 1)
    assert knowledge.rows.total_posts(RowState(numbers={"a": 7, "b": 3, "c": 2})) == 10
    assert knowledge.rows.counts_exactly()


def test_shown_and_left_out_posts_count_together_and_none_are_left_out_where_no_row_says_so() -> None:
    rows = RowKnowledge()
    for hidden in (3, 9, 14, 25, 31, 40):
        rows.record_counters(RowState(numbers={"dates": 4, "em 1": hidden}), 4 + hidden)
    assert rows.total_posts(RowState(numbers={"dates": 4, "em 1": 7})) == 11
    assert rows.total_posts(RowState(numbers={"dates": 2})) == 2
    assert rows.total_posts(RowState(numbers={"em 1": 2})) is None


def test_pages_of_older_threads_are_read_no_more_when_they_never_brought_anything() -> None:
    knowledge = _knowledge()
    assert knowledge.rows.is_older_page_worthwhile()
    for _ in range(4):
        knowledge.rows.record_older_page(news=False)
    assert not knowledge.rows.is_older_page_worthwhile()
    knowledge.rows.record_older_page(news=True)
    assert knowledge.rows.is_older_page_worthwhile()


def test_threads_that_rose_in_a_box_since_the_last_run_are_told_and_those_above_them() -> None:
    knowledge = _knowledge()
    knowledge.site.last_look = datetime(2026, 4, 1, tzinfo=UTC)
    assert knowledge.rows.find_risen_threads(
        ["a", "b", "c"], datetime(2026, 4, 1, 1, tzinfo=UTC), knowledge.site.last_look
    ) == {"a", "b", "c"}
    knowledge.site.last_look = datetime(2026, 4, 1, tzinfo=UTC)
    assert knowledge.rows.find_risen_threads(
        ["b", "x", "a"], datetime(2026, 5, 1, 1, tzinfo=UTC), knowledge.site.last_look
    ) == {"b", "x"}
    knowledge.site.last_look = datetime(2026, 5, 1, tzinfo=UTC)
    assert (
        knowledge.rows.find_risen_threads(
            ["b", "x", "a"], datetime(2026, 6, 1, 1, tzinfo=UTC), knowledge.site.last_look
        )
        == set()
    )


def test_a_box_is_believed_once_the_threads_it_names_have_had_news() -> None:
    knowledge = _knowledge()
    for _ in range(4):
        assert not knowledge.rows.trusts_mentions()
        knowledge.rows.record_mention(news=True)
    assert ForumKnowledge.from_json(knowledge.to_json()).rows.trusts_mentions()
    knowledge.rows.record_mention(news=False)
    knowledge.rows.record_mention(news=False)
    assert not knowledge.rows.trusts_mentions()


def test_votes_are_halved_once_there_are_too_many_and_single_ones_are_dropped() -> None:
    votes = Votes()
    for answer in ("a", "a", "a", "b"):
        votes.add(answer, most=4)
    assert votes.votes == {"a": 3, "b": 1}
    votes.add("a", most=4)
    assert votes.votes == {"a": 2}
    assert votes.winner == "a"
    assert Votes().winner is None


@pytest.mark.parametrize(
    ("number", "answer"), [(5, "count 0"), (4, "count 1"), (3, "count none"), (6, "count none")]
)
def test_a_number_counts_posts_if_it_is_equal_or_one_less(number: int, answer: str) -> None:
    rows = RowKnowledge()
    rows.record_counters(RowState(count=number), 5)
    assert rows.counter.votes == {answer: 1}


def test_a_row_without_the_number_in_its_title_that_counts_replies_has_none() -> None:
    rows = RowKnowledge()
    for number in range(1, 7):
        rows.record_counters(
            RowState(count=90 - number, numbers={"title i.n 1": number, "td 1": 70}), number + 1
        )
    assert rows.total_posts(RowState(count=16, numbers={"td 1": 70})) == 1
    assert rows.total_posts(RowState(count=16)) is None, "a row that was read without its columns"


def test_all_numbers_of_a_row_and_sums_of_two_columns_may_count_posts() -> None:
    state = RowState(count=1, other=2, numbers={"b": 10, "a": 20, "id": 1_000_000_000})
    assert possible_counts(state) == {"count": 1, "other": 2, "a": 20, "b": 10, "a + b": 30}


def test_an_unnamed_column_needs_five_threads_and_a_named_one_needs_one() -> None:
    def counter(**votes: int) -> tuple[str, int] | None:
        rows = RowKnowledge()
        rows.counter.votes.update({name.replace("_", " "): count for name, count in votes.items()})
        return rows.post_counter

    assert counter(x_0=4) is None
    assert counter(x_0=5) == ("x", 0)
    assert counter(x_0=5, count_1=1) == ("count", 1)


def test_a_number_that_is_right_for_a_third_of_the_threads_counts_nothing() -> None:
    rows = RowKnowledge()
    for answer in ("count 0", "count none", "count none"):
        rows.counter.add(answer)
    assert rows.post_counter is None
    rows.counter.add("count 0")
    assert rows.post_counter == ("count", 0)


def test_an_unnamed_column_must_be_clearly_better_than_a_named_one() -> None:
    rows = RowKnowledge()
    for _ in range(96):
        rows.counter.add("count 0")
    for _ in range(4):
        rows.counter.add("count none")
    rows.counter.add("x none", most=400)
    for _ in range(99):
        rows.counter.add("x 0", most=400)
    assert rows.post_counter == ("count", 0)  # 0.96 against 0.99: not better by 0.05
    for _ in range(3):
        rows.counter.add("count none", most=400)
    assert rows.post_counter == ("x", 0)


@pytest.mark.parametrize(("threads", "best"), [(10, "count"), (60, "span 2")])
def test_a_column_that_was_right_about_many_threads_without_a_miss_beats_one_that_missed_few(
    threads: int, best: str
) -> None:
    """Where votes were fewer than comments, they were taken for replies: news of a thread was lost."""
    rows = RowKnowledge()
    rows.counter.votes.update({"count 1": threads - 2, "count none": threads // 30, "span 2 1": threads})
    assert rows.post_counter == (best, 1)


@pytest.mark.parametrize(
    ("hits", "misses", "exact"), [(9, 1, True), (8, 1, False), (5, 0, True), (4, 0, False)]
)
def test_a_counter_is_exact_if_nine_of_ten_threads_agree(hits: int, misses: int, exact: bool) -> None:
    rows = RowKnowledge()
    rows.counter.votes.update({"count 1": hits, "count none": misses})
    assert rows.counts_exactly() is exact
    assert not RowKnowledge().counts_exactly()


def test_a_row_without_the_column_that_counts_has_no_total() -> None:
    rows = RowKnowledge()
    rows.counter.votes["x 1"] = 9
    assert rows.total_posts(RowState(count=3, numbers={"x": 7})) == 8
    assert rows.total_posts(RowState(count=3)) is None
    assert rows.with_trusted_count(RowState(count=3, numbers={"x": 7})).count == 7
    assert rows.with_trusted_count(RowState(count=3)).count is None


def test_nothing_is_taken_from_a_row_before_the_first_vote() -> None:
    assert RowKnowledge().with_trusted_count(RowState(count=3)).count == 3


def test_stillness_of_threads_is_counted_by_counter_and_news() -> None:
    rows = RowKnowledge()
    rows.record_stillness(still=True, news=0)
    rows.record_stillness(still=True, news=3)
    rows.record_stillness(still=False, news=0)
    assert rows.stillness.votes == {"still, none": 1, "still, news": 1, "moved, none": 1}


def test_a_still_number_of_boards_is_trusted_after_two_visits_in_vain_until_one_has_news() -> None:
    rows = RowKnowledge()
    rows.record_still_board(news=0)
    assert not rows.trusts_still_boards()
    rows.record_still_board(news=0)
    assert rows.trusts_still_boards()
    rows.record_still_board(news=1)
    assert not rows.trusts_still_boards()


def test_dates_are_recorded_only_if_the_counter_grew() -> None:
    rows = RowKnowledge()
    early, late = RowState(count=1, active="2026-01-01"), RowState(count=2, active="2026-01-02")
    rows.record_dates("thread", late, early)
    rows.record_dates("thread", RowState(count=2, active="2026-01-01"), early)
    rows.record_dates("board", early, late)
    rows.record_dates("board", early, early)
    rows.record_dates("board", replace(late, count=None), early)
    rows.record_dates("board", replace(late, active=None), early)
    rows.record_dates("board", late, replace(early, count=None))
    rows.record_dates("board", late, replace(early, active=None))
    assert rows.dates.votes == {"thread follows": 1, "thread stays": 1}


@pytest.mark.parametrize(
    ("follows", "stays", "trusted"), [(4, 0, False), (5, 0, True), (9, 1, False), (10, 1, True)]
)
def test_dates_are_trusted_after_five_that_followed_and_few_that_did_not(
    follows: int, stays: int, trusted: bool
) -> None:
    rows = RowKnowledge()
    rows.dates.votes.update({"board follows": follows, "board stays": stays})
    assert rows.trusts_dates("board") is trusted
    assert not rows.trusts_dates("thread")


def test_dates_stand_still_if_they_stayed_more_often_than_they_followed() -> None:
    rows = RowKnowledge()
    rows.dates.votes.update({"board follows": 1, "board stays": 1})
    assert not rows.dates_stand_still("board")
    rows.dates.add("board stays")
    assert rows.dates_stand_still("board")


OLD = RowState(count=5, active="2026-01-01", precision="day")
STORED = {**OLD.as_dict(), SEEN_AT: "2026-03-01T00:00:00+00:00"}


@pytest.mark.parametrize(
    ("kind", "change", "state", "stored", "settled"),
    [
        ("thread", Change.UNSURE, OLD, STORED, Change.SAME),
        ("thread", Change.SAME, OLD, STORED, Change.SAME),
        ("thread", Change.CHANGED, replace(OLD, count=6), STORED, Change.CHANGED),
        ("board", Change.CHANGED, replace(OLD, count=6), STORED, Change.CHANGED),  # dates are not trusted yet
        ("thread", Change.UNSURE, OLD, {**STORED, SEEN_AT: "2026-01-02T00:00:00+00:00"}, Change.UNSURE),
        ("thread", Change.UNSURE, OLD, OLD.as_dict(), Change.UNSURE),
        ("thread", Change.UNSURE, replace(OLD, count=None), STORED, Change.UNSURE),
        ("thread", Change.UNSURE, replace(OLD, count=None, other=1), STORED, Change.SAME),
        ("thread", Change.UNSURE, OLD, {**STORED, "active": None}, Change.UNSURE),
        ("thread", Change.CHANGED, replace(OLD, active="2025-12-01"), STORED, Change.SAME),  # it went back
    ],
)
def test_a_date_before_the_last_look_settles_what_is_open(
    kind: str, change: Change, state: RowState, stored: dict[str, Any], settled: Change
) -> None:
    assert RowKnowledge().settle_by_date(kind, change, state, stored) is settled


def test_trusted_dates_settle_a_counter_of_a_board_and_not_of_a_thread() -> None:
    rows = RowKnowledge()
    rows.dates.votes.update({"board follows": 5, "thread follows": 5})
    grown = replace(OLD, count=6)
    assert rows.settle_by_date("board", Change.CHANGED, grown, STORED) is Change.SAME
    assert rows.settle_by_date("thread", Change.CHANGED, grown, STORED) is Change.CHANGED


def test_dates_that_stand_still_settle_nothing() -> None:
    rows = RowKnowledge()
    rows.dates.add("thread stays")
    assert rows.settle_by_date("thread", Change.UNSURE, OLD, STORED) is Change.UNSURE


@pytest.mark.parametrize(
    ("news", "none", "worth"), [(0, 3, True), (0, 4, False), (1, 7, True), (1, 8, False)]
)
def test_older_pages_and_searches_are_worthwhile_if_one_in_five_brings_news(
    news: int, none: int, worth: bool
) -> None:
    rows = RowKnowledge()
    for _ in range(news):
        rows.record_older_page(news=True)
        rows.record_search(news=2)
    for _ in range(none):
        rows.record_older_page(news=False)
        rows.record_search(news=0)
    assert rows.is_older_page_worthwhile() is worth
    assert not rows.is_search_worthwhile()  # while no counter is exact
    rows.counter.votes["count 1"] = 9
    assert rows.is_search_worthwhile() is worth


@pytest.mark.parametrize(
    ("news", "none", "trusted"), [(3, 0, False), (4, 0, True), (6, 2, False), (7, 2, True)]
)
def test_boxes_are_trusted_after_four_mentions_with_news_and_few_without(
    news: int, none: int, trusted: bool
) -> None:
    rows = RowKnowledge()
    for found in [True] * news + [False] * none:
        rows.record_mention(news=found)
    assert rows.trusts_mentions() is trusted


@pytest.mark.parametrize(
    ("exact", "off", "trusted"), [(0, 0, False), (1, 0, True), (3, 1, False), (4, 1, True)]
)
def test_growth_of_boards_is_trusted_if_it_was_mostly_exact(exact: int, off: int, trusted: bool) -> None:
    rows = RowKnowledge()
    for right in [True] * exact + [False] * off:
        rows.record_growth(exact=right)
    assert rows.trusts_growth() is trusted


def test_of_two_numbers_that_are_equally_right_the_replies_win() -> None:
    rows = RowKnowledge()
    rows.counter.votes.update({"other 0": 5, "count 1": 5})
    assert rows.post_counter == ("count", 1)
    rows.counter.votes.update({"other 0": 1, "count none": 1})
    assert rows.post_counter == ("other", 0)


@pytest.mark.parametrize(
    ("answers", "others", "threads", "single"),
    [(5, 0, 0, True), (4, 90, 0, False), (50, 49, 2, True), (50, 0, 3, False), (0, 200, 0, False)],
)
def test_pages_are_single_messages_if_answers_have_pages_of_their_own(
    answers: int, others: int, threads: int, single: bool
) -> None:
    rows = RowKnowledge()
    for count, posts, is_reply in ((answers, 1, True), (others, 1, False), (threads, 7, True)):
        for _ in range(count):
            rows.record_message(posts=posts, is_reply=is_reply)
    assert rows.shows_single_messages() is single


def _dated(active: str) -> RowState:
    return RowState(active=active, precision="minute")


def test_rows_show_last_dates_if_nearly_all_read_threads_say_so() -> None:
    rows = RowKnowledge()
    for _ in range(4):
        rows.record_shown_date(_dated("2026-04-09T10:00:00"), "2026-04-01T08:00", "2026-04-09T10:00:30")
    assert not rows.shows_last_dates()
    rows.record_shown_date(_dated("2026-04-09T10:00:00"), "2026-04-01T08:00", "2026-04-09T10:00:30")
    assert rows.shows_last_dates()
    rows.record_shown_date(_dated("2026-04-05T10:00:00"), "2026-04-01T08:00", "2026-04-09T10:00:30")
    assert not rows.shows_last_dates()


def test_threads_of_one_moment_do_not_tell_which_date_rows_show() -> None:
    rows = RowKnowledge()
    for _ in range(9):
        rows.record_shown_date(_dated("2026-04-09T10:00:00"), "2026-04-09T10:00", "2026-04-09T10:00")
    assert not rows.shown_dates.votes


def test_rows_that_show_when_threads_began_are_recognised() -> None:
    rows = RowKnowledge()
    for _ in range(3):
        assert not rows.shows_first_dates()
        rows.record_shown_date(_dated("2026-04-01T08:00:00"), "2026-04-01T08:00", "2026-04-09T10:00")
    assert rows.shows_first_dates()


@pytest.mark.parametrize(
    ("active", "precision", "first", "last"),
    [
        ("2015-02-15", "month", "2014", "2015-02"),
        ("2015-11-15", "month", "2015-06", "2015-11"),
        ("2016-08-31T17:00:00", "hour", "2016-08-30T09+00:00", "2016-08-31T17+00:00"),
    ],
)
def test_ages_of_posts_tell_which_date_rows_show(active: str, precision: str, first: str, last: str) -> None:
    """Where all dates are ages, posts name a month, a year or an hour. Every row was opened again."""
    rows = RowKnowledge()
    rows.record_shown_date(RowState(active=active, precision=precision), first, last)
    assert rows.shown_dates.votes == {"last": 1}


def test_links_name_last_posts_if_they_nearly_always_did() -> None:
    rows = RowKnowledge()
    for number in range(5):
        assert not rows.links_last_posts()
        rows.record_last_link(RowState(active_url=f"/t/1#p{number}"), str(number))
    assert rows.links_last_posts()
    rows.record_last_link(RowState(active_url="/t/1/last"), "7")
    assert not rows.links_last_posts()


def test_pages_of_one_post_that_were_read_again_in_vain_are_messages_unless_rows_count_replies() -> None:
    rows = RowKnowledge()
    for _ in range(9):
        rows.record_message(posts=1, is_reply=False, again=True)
    assert not rows.shows_single_messages()
    rows.record_message(posts=1, is_reply=False, again=True)
    assert rows.shows_single_messages()
    rows.record_counters(RowState(count=0), 1)
    assert not rows.shows_single_messages()  # threads that nobody has answered yet
