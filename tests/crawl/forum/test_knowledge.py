import json
from datetime import UTC, date, datetime

import pytest

from threadmill.crawl.forum.knowledge import FIT, MISFIT, NO_ZONE, Lore
from threadmill.crawl.forum.row_state import Change, Said, compare
from threadmill.forum.site_model.model import ForumModel
from threadmill.types import Moment, ThreadRow


def _lore() -> Lore:
    return Lore(ForumModel("https://f.example/"))


def test_the_number_that_equals_the_posts_shown_is_the_counter() -> None:
    lore = _lore()
    for posts in (3, 7, 12):
        lore.judge_counters(Said(count=2, other=posts - 1), posts)
    assert lore.total(Said(count=2, other=30)) == 31
    assert lore.believed(Said(count=2, other=30)).count == 30


def test_views_are_not_believed_to_count_posts() -> None:
    lore = _lore()
    for posts in (3, 7, 12):
        lore.judge_counters(Said(count=posts * 100), posts)
    assert lore.total(Said(count=500)) is None
    moved = compare(lore.believed(Said(count=500)), lore.believed(Said(count=400)))
    assert moved is Change.UNSURE


def test_a_counter_that_stood_still_in_vain_often_enough_is_believed() -> None:
    lore = _lore()
    lore.judge_counters(Said(count=100), 3)
    for _ in range(4):
        lore.judge_stillness(still=True, news=0)
    assert compare(lore.believed(Said(count=9)), lore.believed(Said(count=9))) is Change.SAME
    lore.judge_stillness(still=True, news=2)
    assert compare(lore.believed(Said(count=9)), lore.believed(Said(count=9))) is Change.UNSURE


def test_of_two_numbers_that_fit_short_threads_the_one_without_misses_counts_posts() -> None:
    lore = _lore()
    for posts, voices in ((1, 1), (2, 2), (2, 2), (9, 4), (30, 6)):
        lore.judge_counters(Said(count=voices, other=posts), posts)
    assert lore.posts_counter == ("other", 0)


def test_two_columns_that_add_up_to_the_posts_count_them_together() -> None:
    lore = _lore()
    for answers, comments in ((3, 4), (0, 2), (8, 1), (2, 2), (5, 0), (1, 6)):
        columns = {"a": answers, "b": 3, "c": comments}
        # what the page's words tell for replies is now the one column, now the other
        lore.judge_counters(Said(count=max(answers, comments), numbers=columns), 1 + answers + comments)
    assert lore.posts_counter == ("a + c", 1)
    assert lore.total(Said(numbers={"a": 7, "b": 3, "c": 2})) == 10
    assert lore.counts_exactly()


def test_a_page_size_that_is_never_the_same_is_none() -> None:
    lore = _lore()
    for posts in (21, 34, 17, 28, 21, 40):
        lore.page_size.add(posts)
    assert lore.posts_a_page is None
    for _ in range(6):
        lore.page_size.add(20)
    assert lore.posts_a_page == 20


@pytest.mark.parametrize(("begun", "active", "by_creation"), [(9, 1, False), (1, 9, True)])
def test_pages_with_both_dates_tell_the_order(begun: int, active: int, by_creation: bool) -> None:
    def column(disorder: int) -> list[Moment]:
        days = [20, 18, 16, 14, 12, 10] if disorder == 1 else [12, 20, 10, 18, 14, 16]
        return [Moment(date(2026, 4, day)) for day in days]

    lore = _lore()
    pairs = zip(column(begun), column(active), strict=True)
    lore.judge_order([ThreadRow(f"u{i}", "t", created=b, active=a) for i, (b, a) in enumerate(pairs)])
    assert lore.by_creation is by_creation


def test_pages_of_older_threads_are_read_no_more_when_they_never_brought_anything() -> None:
    lore = _lore()
    assert lore.looks_deeper()
    for _ in range(4):
        lore.judge_deeper(news=False)
    assert not lore.looks_deeper()
    lore.judge_deeper(news=True)
    assert lore.looks_deeper()


@pytest.mark.parametrize(
    ("stated", "zone"),
    [
        (["+08:00"] * 5, "+08:00"),
        (["+08:00", *[NO_ZONE] * 4], None),
        (["+01:00"] * 5, None),
    ],
)
def test_the_zone_is_what_nearly_all_pages_state_if_it_is_steady(stated: list[str], zone: str | None) -> None:
    lore = _lore()
    for one in stated:
        lore.zones.add(one)
    assert lore.zone == zone


def test_misfits_are_news_only_where_wrappers_fit() -> None:
    lore = _lore()
    assert not lore.usually_fits()
    for _ in range(6):
        lore.fits.add(FIT)
    assert lore.usually_fits()
    for _ in range(3):
        lore.fits.add(MISFIT)
    assert not lore.usually_fits()


def test_lore_survives_json() -> None:
    lore = _lore()
    lore.judge_counters(Said(count=2), 3)
    lore.zones.add("+08:00")
    lore.relaunched = True
    assert Lore.from_json(json.loads(json.dumps(lore.to_json()))) == lore


def test_a_new_size_of_pages_is_learnt_from_first_and_later_ones_alike() -> None:
    lore = Lore(ForumModel("https://f.example/"))
    for first in [True, False] * 10:
        lore.judge_page_size(10 + first, first=first)
    assert (lore.posts_on_page_one, lore.posts_a_page) == (11, 10)
    for _ in range(12):
        lore.judge_page_size(21, first=True)
    assert (lore.posts_on_page_one, lore.posts_a_page) == (21, 21)


def test_threads_that_rose_in_a_box_since_the_last_run_are_told_and_those_above_them() -> None:
    lore = _lore()
    lore.looked = datetime(2026, 4, 1, tzinfo=UTC)
    assert lore.name_apart(["a", "b", "c"], datetime(2026, 4, 1, 1, tzinfo=UTC)) == {"a", "b", "c"}
    lore.looked = datetime(2026, 4, 1, tzinfo=UTC)
    assert lore.name_apart(["b", "x", "a"], datetime(2026, 5, 1, 1, tzinfo=UTC)) == {"b", "x"}
    lore.looked = datetime(2026, 5, 1, tzinfo=UTC)
    assert lore.name_apart(["b", "x", "a"], datetime(2026, 6, 1, 1, tzinfo=UTC)) == set()


def test_a_box_is_believed_once_the_threads_it_names_have_had_news() -> None:
    lore = _lore()
    for _ in range(4):
        assert not lore.trusts_mentions()
        lore.judge_mention(news=True)
    assert Lore.from_json(lore.to_json()).trusts_mentions()
    lore.judge_mention(news=False)
    lore.judge_mention(news=False)
    assert not lore.trusts_mentions()
