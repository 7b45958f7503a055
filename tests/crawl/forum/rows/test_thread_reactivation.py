"""How likely a silent thread was answered, by the past of a forum."""

import math
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.crawl.forum.stored_boards import ENTRY, NOW, PARENT, StoredBoards
from threadmill.crawl.forum.rows import thread_reactivation as module
from threadmill.crawl.forum.rows.row_state import SEEN_AT
from threadmill.crawl.forum.rows.thread_reactivation import (
    IndexPlace,
    OldThreads,
    ReactivationRates,
    learn_rates,
)
from threadmill.store.forum.activity import as_days
from threadmill.store.forum.posts import add_post
from threadmill.store.forum.threads import add_thread, change_thread
from threadmill.types import Moment, Post, Precision

LIVELY = [[float(day) for day in range(begun, 360, 15)] for begun in range(0, 100, 5)]  # twice a month
DEAD = [[float(begun), begun + 1.0] for begun in range(0, 300, 5)]  # one answer on the next day


def test_threads_that_were_never_silent_long_are_likely_answered_and_dead_ones_are_not() -> None:
    rates = learn_rates(LIVELY + DEAD, until=360, span=30)
    assert rates is not None
    assert rates.probability(silence=3, days=30) > 0.6
    assert rates.probability(silence=120, days=30) < 0.05


def test_the_longer_nobody_looked_the_likelier_there_is_something() -> None:
    waking = [[float(begun), begun + 100.0] for begun in range(0, 250, 2)]
    rates = learn_rates(waking, until=360, span=30)
    assert rates is not None
    chances = [rates.probability(silence=60, days=days) for days in (0, 10, 30, 90)]
    assert chances[0] == 0
    assert chances == sorted(chances)
    assert chances[-1] > 2 * chances[1]


def test_what_never_happened_may_happen() -> None:
    """No thread was ever answered late: the chance was zero, and the first such answer was missed."""
    rates = learn_rates(DEAD, until=360, span=30)
    assert rates is not None
    assert 0 < rates.probability(silence=120, days=30) < 0.01


def test_the_less_is_known_of_the_past_the_likelier_is_an_answer() -> None:
    """A forum of a year with 24 threads had no rates, and old threads of it were never looked at."""
    found = [learn_rates(DEAD[:size], until=360, span=30) for size in (0, 1, 24)]
    chances = [rates.probability(silence=120, days=30) for rates in found if rates]
    assert len(chances) == 3
    assert chances == sorted(chances, reverse=True)
    assert chances[0] > 0.4
    assert learn_rates(DEAD, until=360, span=0.0) is None


RATES = ReactivationRates(30.0, (0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02))


@pytest.mark.parametrize(
    ("silence", "days", "probability"),
    [
        (0, 30, 0.5),
        (0, 0, 0.0),
        (0, 15, 1 - 0.5**0.5),
        (7.49, 30, 0.5),
        (7.5, 30, 0.4),  # the first bin ends after a quarter of the span
        (22.5, 30, 0.3),
        (5000, 30, 0.02),
        (-3, 30, 0.5),
        (0, 60, 1 - 0.5 * (1 - 0.3)),  # after 30 days the silence has grown to 30 days
        (0, 45, 1 - 0.5 * (1 - 0.3) ** 0.5),
    ],
)
def test_the_probability_of_a_post_grows_with_the_days_and_falls_with_the_silence(
    silence: float, days: float, probability: float
) -> None:
    assert RATES.probability(silence, days) == pytest.approx(probability)


def test_rates_are_shares_of_answered_threads_drawn_to_the_mean_of_the_forum() -> None:
    """One post every other day, looks every day: half of the looks see a new post."""
    threads = [[float(day) for day in range(0, 41, 2)], [float(day) for day in range(1, 41, 2)]]
    rates = learn_rates(threads, until=40.0, span=1.0)
    assert rates is not None
    assert rates.span == 1.0
    # Silent for 0 days: 24 threads, none answered on the next day; for 1 day: 24 threads, all answered.
    assert rates.shares[0] == pytest.approx((0 + 2 * 0.5) / (24 + 2))
    assert rates.shares[2] == pytest.approx((24 + 2 * 0.5) / (24 + 2))
    assert rates.shares[6] == pytest.approx(0.5)


def test_only_the_last_24_looks_count() -> None:
    for until in (24.0, 100.0):
        rates = learn_rates([[-1.0]], until=until, span=1.0)
        assert rates is not None
        mean = 0.5 / (24 + 1)
        assert sum(rates.shares) == pytest.approx(sum(2 * mean / (n + 2) for n in _silences(until)))


def _silences(until: float) -> list[int]:
    """How many of the last 24 looks at a thread with one post fall in each bin of silence."""
    bins = [0] * 7
    for look in range(1, 25):
        bins[min(6, int(math.log2(1 + 4 * (until - look + 1.0))))] += 1
    return bins


# ---- old threads of a list that is sorted by creation ----


@pytest.fixture
def known_rates(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[list[float]], float, float]]:
    """The forum's past gives RATES, whatever it is; the list has what was asked."""
    asked: list[tuple[list[list[float]], float, float]] = []

    def learn(past: Iterable[Sequence[float]], until: float, span: float) -> ReactivationRates:
        asked.append(([list(days) for days in past], until, span))
        return RATES

    monkeypatch.setattr(module, "learn_rates", learn)
    return asked


def ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def add(boards: StoredBoards, key: str, *posted: float, seen: float | None = 30.0, title: str = "") -> int:
    """A thread with posts so many days ago, whose row was seen so many days ago."""
    said = {} if seen is None else {SEEN_AT: ago(seen).isoformat()}
    board = boards.board(PARENT).id
    row = {"forum": boards.forum, "board": board, "key": key, "url": f"{ENTRY}{key}", "said": said}
    number = add_thread(boards.connection, title=title or key, **row)
    for days in posted:
        at = ago(days)
        moment = Moment(at.date(), at.time(), "UTC", Precision.MINUTE)
        add_post(boards.connection, number, Post(f"{key} {days}", "", date=moment), ENTRY, NOW)
    return number


def chances(
    old: OldThreads, boards: StoredBoards, place: IndexPlace, **others: Any
) -> dict[int, float] | None:
    return old.chances_by_page(boards.connection, boards.board(PARENT).id, place, NOW, others.get("since"))


def test_each_page_has_the_chance_that_one_of_its_threads_was_answered(
    boards: StoredBoards, known_rates: list[Any]
) -> None:
    numbers = [add(boards, f"t{place}", 100.0 - place, 60.0) for place in range(6)]
    place = IndexPlace(thread=numbers[5], page=1, rows=2, shown=(numbers[5],))
    one = RATES.probability(silence=30.0, days=30.0)
    found = chances(OldThreads(boards.forum, ago(30.0)), boards, place)
    assert found == pytest.approx({1: one, 2: 1 - (1 - one) ** 2, 3: 1 - (1 - one) ** 2, 4: one})
    assert [(until, span) for _, until, span in known_rates] == [(as_days(ago(30.0)), 30.0)]


def test_threads_above_the_page_belong_to_the_pages_before_it_and_never_to_a_page_before_the_first(
    boards: StoredBoards, known_rates: list[Any]
) -> None:
    numbers = [add(boards, f"t{place}", 100.0 - place, 60.0) for place in range(4)]
    found = chances(OldThreads(boards.forum, ago(30.0)), boards, IndexPlace(numbers[0], 2, 1, (numbers[0],)))
    assert found is not None
    assert sorted(found) == [1, 2]
    one = RATES.probability(30.0, 30.0)
    assert found[2] == pytest.approx(one)
    assert found[1] == pytest.approx(1 - (1 - one) ** 3)


def test_a_list_of_all_threads_has_those_that_belong_to_other_boards_too(
    boards: StoredBoards, known_rates: list[Any]
) -> None:
    own, other = add(boards, "new", 40.0, seen=0.0), add(boards, "old", 90.0, 60.0)
    change_thread(boards.connection, other, board=boards.board(ENTRY).id)
    place = IndexPlace(own, 1, 1, (own,))
    old = OldThreads(boards.forum, ago(30.0))
    old.lists_of_all.add(boards.board(PARENT).id)
    assert chances(old, boards, place) == pytest.approx({1: 0.0, 2: RATES.probability(30.0, 30.0)})
    assert chances(OldThreads(boards.forum, ago(30.0)), boards, place) == pytest.approx({1: 0.0})


def test_rows_that_this_run_has_seen_or_that_were_never_seen_have_no_unknown_news(
    boards: StoredBoards, known_rates: list[Any]
) -> None:
    unseen = add(boards, "a", 90.0, seen=None)
    fresh = add(boards, "b", 80.0, seen=0.0)
    due = add(boards, "c", 70.0)
    change_thread(boards.connection, due, due=f"{ENTRY}c")
    found = chances(
        OldThreads(boards.forum, ago(30.0)), boards, IndexPlace(fresh, 1, 3, (due, fresh, unseen))
    )
    assert found == pytest.approx({1: 0.0})


def test_nothing_was_unknown_before_the_last_look_at_the_whole_board(
    boards: StoredBoards, known_rates: list[Any]
) -> None:
    number = add(boards, "a", 60.0)
    place = IndexPlace(number, 1, 1, (number,))
    old = OldThreads(boards.forum, ago(30.0))
    assert chances(old, boards, place, since=ago(10.0)) == pytest.approx({1: RATES.probability(50.0, 10.0)})
    assert chances(old, boards, place, since=ago(50.0)) == pytest.approx({1: RATES.probability(30.0, 30.0)})


def test_days_on_which_another_list_shows_every_answer_are_not_unknown(
    boards: StoredBoards, known_rates: list[Any]
) -> None:
    number = add(boards, "a", 60.0)
    old = OldThreads(boards.forum, ago(30.0))
    old.quiet_since = as_days(ago(20.0))
    found = chances(old, boards, IndexPlace(number, 1, 1, (number,)))
    assert found == pytest.approx({1: RATES.probability(30.0, 30.0 - 20.0 + 1.0)})


def test_a_thread_that_a_box_began_to_list_was_surely_answered(
    boards: StoredBoards, known_rates: list[Any]
) -> None:
    number = add(boards, "a", 60.0)
    old = OldThreads(boards.forum, ago(30.0))
    old.in_boxes = {number}
    assert chances(old, boards, IndexPlace(number, 1, 1, (number,))) == pytest.approx({1: 0.9})


def test_threads_that_are_missing_between_neighbouring_rows_are_gone(
    boards: StoredBoards, known_rates: list[Any]
) -> None:
    numbers = [add(boards, f"t{place}", 100.0 - place, 60.0) for place in range(4)]
    place = IndexPlace(numbers[0], 1, 4, (numbers[3], numbers[0]))
    found = chances(OldThreads(boards.forum, ago(30.0)), boards, place)
    one = RATES.probability(30.0, 30.0)
    assert found == pytest.approx({1: 1 - (1 - one) ** 2})  # of four threads, two are left


@pytest.mark.parametrize(("upper", "left"), [(4, 4), (5, 7)])
def test_a_wide_gap_is_no_proof_that_threads_are_gone(
    boards: StoredBoards, known_rates: list[Any], upper: int, left: int
) -> None:
    numbers = [add(boards, f"t{place}", 100.0 - place, 60.0) for place in range(7)]
    place = IndexPlace(numbers[0], 1, 100, (numbers[upper], numbers[0]))
    found = chances(OldThreads(boards.forum, ago(30.0)), boards, place)
    assert found == pytest.approx({1: 1 - (1 - RATES.probability(30.0, 30.0)) ** left})


def test_a_page_of_which_no_thread_is_known_says_nothing(
    boards: StoredBoards, known_rates: list[Any]
) -> None:
    add(boards, "a", 60.0)
    assert chances(OldThreads(boards.forum, ago(30.0)), boards, IndexPlace(999, 1, 1, (999,))) is None


def test_a_list_that_shows_threads_of_other_boards_is_one_of_the_whole_forum(
    boards: StoredBoards, known_rates: list[Any]
) -> None:
    number = add(boards, "a", 60.0)
    change_thread(boards.connection, number, board=boards.board(ENTRY).id)
    found = chances(OldThreads(boards.forum, ago(30.0)), boards, IndexPlace(number, 1, 1, (number,)))
    assert found == pytest.approx({1: RATES.probability(30.0, 30.0)})


def test_the_chance_of_a_single_thread_counts_from_its_newest_post(
    boards: StoredBoards, known_rates: list[Any]
) -> None:
    number, empty = add(boards, "a", 80.0, 60.0), add(boards, "b")
    old = OldThreads(boards.forum, ago(30.0))
    found = old.chance_of(boards.connection, number, ago(10.0), NOW)
    assert found == pytest.approx(RATES.probability(silence=50.0, days=10.0))
    assert old.chance_of(boards.connection, empty, ago(10.0), NOW) is None
    assert len(known_rates) == 1  # the past is read once in a run


def test_a_thread_that_a_feed_of_posts_does_not_name_had_none_since_the_latest_known_one(
    boards: StoredBoards, known_rates: list[Any]
) -> None:
    number = add(boards, "a", 80.0, 60.0)
    old = OldThreads(boards.forum, ago(30.0))
    old.feed_quiet_since = as_days(ago(4.0))
    found = old.chance_of(boards.connection, number, ago(10.0), NOW)
    assert found == pytest.approx(RATES.probability(silence=50.0, days=10.0 - 4.0 + 1.0))
    old.feed_quiet_since = as_days(ago(20.0))
    assert old.chance_of(boards.connection, number, ago(10.0), NOW) == 0.0


def test_without_a_last_look_the_past_is_judged_by_months(
    boards: StoredBoards, known_rates: list[Any]
) -> None:
    number = add(boards, "a", 80.0, 60.0)
    OldThreads(boards.forum, None).chance_of(boards.connection, number, ago(10.0), NOW)
    [(past, until, span)] = known_rates
    assert past == [[as_days(ago(80.0)), as_days(ago(60.0))]]
    assert (until, span) == (as_days(ago(30.0)), 30.0)


def test_messages_with_one_subject_are_one_conversation(boards: StoredBoards, known_rates: list[Any]) -> None:
    first = add(boards, "a", 90.0, title="Pumps")
    other = add(boards, "b", 85.0, title="Valves")
    add(boards, "c", 60.0, title="Re: Pumps")
    again = add(boards, "d", 50.0, title="Pumps")
    old = OldThreads(boards.forum, ago(30.0), single_messages=True)
    found = chances(old, boards, IndexPlace(first, 1, 4, (again, other, first)))
    [(past, _, _)] = known_rates
    days = [[as_days(ago(day)) for day in conversation] for conversation in ((90.0, 60.0), (85.0,), (50.0,))]
    assert sorted(past) == sorted(days)
    silent = [(RATES.probability(silence, 30.0)) for silence in (30.0, 55.0, 20.0)]
    assert found == pytest.approx({1: 1 - math.prod(1 - chance for chance in silent)})


def test_a_row_that_a_box_adds_at_the_end_of_a_page_moves_no_thread_to_pages_that_do_not_exist(
    boards: StoredBoards, known_rates: list[Any]
) -> None:
    numbers = [add(boards, f"t{place}", 100.0 - place, 60.0) for place in range(6)]
    last_page = IndexPlace(numbers[5], 3, 2, (numbers[1], numbers[0], numbers[5]))
    found = chances(OldThreads(boards.forum, ago(30.0)), boards, last_page)
    assert found is not None
    assert sorted(found) == [1, 2, 3]
