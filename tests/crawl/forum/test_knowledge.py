import json
from datetime import UTC, date, datetime

import pytest

from threadmill.crawl.forum.knowledge import FIT, MISFIT, NO_ZONE, ForumKnowledge, LayoutKnowledge
from threadmill.crawl.forum.row_state import Change, RowState, compare
from threadmill.forum.site_model.model import ForumModel
from threadmill.types import Moment, ThreadRow


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


def test_a_page_size_that_is_never_the_same_is_none() -> None:
    knowledge = _knowledge()
    for posts in (21, 34, 17, 28, 21, 40):
        knowledge.layout.page_size.add(posts)
    assert knowledge.layout.posts_per_page is None
    for _ in range(6):
        knowledge.layout.page_size.add(20)
    assert knowledge.layout.posts_per_page == 20


@pytest.mark.parametrize(("begun", "active", "by_creation"), [(9, 1, False), (1, 9, True)])
def test_pages_with_both_dates_tell_the_order(begun: int, active: int, by_creation: bool) -> None:
    def column(disorder: int) -> list[Moment]:
        days = [20, 18, 16, 14, 12, 10] if disorder == 1 else [12, 20, 10, 18, 14, 16]
        return [Moment(date(2026, 4, day)) for day in days]

    knowledge = _knowledge()
    pairs = zip(column(begun), column(active), strict=True)
    knowledge.layout.record_index_order(
        [ThreadRow(f"u{i}", "t", created=b, active=a) for i, (b, a) in enumerate(pairs)]
    )
    assert knowledge.layout.sorted_by_creation is by_creation


def test_pages_of_older_threads_are_read_no_more_when_they_never_brought_anything() -> None:
    knowledge = _knowledge()
    assert knowledge.rows.is_older_page_worthwhile()
    for _ in range(4):
        knowledge.rows.record_older_page(news=False)
    assert not knowledge.rows.is_older_page_worthwhile()
    knowledge.rows.record_older_page(news=True)
    assert knowledge.rows.is_older_page_worthwhile()


@pytest.mark.parametrize(
    ("stated", "zone"),
    [
        (["+08:00"] * 5, "+08:00"),
        (["+08:00", *[NO_ZONE] * 4], None),
        (["+01:00"] * 5, None),
    ],
)
def test_the_zone_is_what_nearly_all_pages_state_if_it_is_steady(stated: list[str], zone: str | None) -> None:
    knowledge = _knowledge()
    for one in stated:
        knowledge.layout.zones.add(one)
    assert knowledge.layout.zone == zone


def test_misfits_are_news_only_where_wrappers_fit() -> None:
    knowledge = _knowledge()
    assert not knowledge.layout.usually_fits()
    for _ in range(6):
        knowledge.layout.fits.add(FIT)
    assert knowledge.layout.usually_fits()
    for _ in range(3):
        knowledge.layout.fits.add(MISFIT)
    assert not knowledge.layout.usually_fits()


def test_knowledge_survives_json() -> None:
    knowledge = _knowledge()
    knowledge.rows.record_counters(RowState(count=2), 3)
    knowledge.layout.zones.add("+08:00")
    knowledge.relaunched = True
    assert ForumKnowledge.from_json(json.loads(json.dumps(knowledge.to_json()))) == knowledge


def test_a_new_size_of_pages_is_learnt_from_first_and_later_ones_alike() -> None:
    knowledge = ForumKnowledge(LayoutKnowledge(ForumModel("https://f.example/")))
    for first in [True, False] * 10:
        knowledge.layout.record_page_size(10 + first, first=first)
    assert (knowledge.layout.posts_on_first_page, knowledge.layout.posts_per_page) == (11, 10)
    for _ in range(12):
        knowledge.layout.record_page_size(21, first=True)
    assert (knowledge.layout.posts_on_first_page, knowledge.layout.posts_per_page) == (21, 21)


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
