"""The forums together cover what real ones were seen to do."""

from threadmill.lab.simulate.catalogue import FORUMS
from threadmill.lab.simulate.layout import LAYOUTS

ALL = tuple(FORUMS.values())


def test_every_layout_has_a_forum_and_there_are_enough_forums() -> None:
    assert {traits.layout for traits in ALL} == set(LAYOUTS)
    assert len(ALL) >= 14


def test_every_habit_of_real_forums_is_somewhere() -> None:
    assert len({traits.language for traits in ALL}) >= 8
    habits: dict[str, set[object]] = {
        "index_order": {"activity", "creation"},
        "post_order": {"asc", "desc"},
        "index_dates": {"both", "active", "created", "none"},
        "last_link": {"page", "permalink", "redirect", "none"},
        "row_pages": {True, False},
        "sticky_pages": {"first", "every"},
        "shape": {"flat", "nested", "questions"},
        "lead": {"none", "first", "every"},
        "validators": {"truthful", "now", "none"},
        "feed": {"truthful", "lying", "none"},
        "sitemap": {"truthful", "lying", "none"},
        "missing_status": {200, 404},
        "overrun": {"last", "missing", "redirect"},
        "session_ids": {True, False},
        "counts_first": {True, False},
    }
    for habit, wanted in habits.items():
        assert {getattr(traits, habit) for traits in ALL} >= wanted, habit


def test_one_shows_creation_dates_while_sorted_by_activity() -> None:
    assert any(t.index_dates == "created" and t.index_order == "activity" for t in ALL)


def test_one_has_more_stickies_than_half_a_page() -> None:
    assert any(t.stickies * 2 > t.threads_per_page for t in ALL)


def test_dates_are_relative_with_and_without_an_exact_one() -> None:
    relative = [style for t in ALL for style in (t.index_date, t.post_date) if style.relative_days]
    assert {bool(style.exact) for style in relative} == {True, False}
    assert any("{ap}" in t.post_date.absolute for t in ALL)
    assert len({t.zone.minutes for t in ALL}) >= 5
