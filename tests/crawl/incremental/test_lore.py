import json

import pytest

from threadmill.crawl.incremental.lore import FIT, MISFIT, NO_ZONE, Lore
from threadmill.forum.change import Change, Said, compare
from threadmill.forum.model import ForumModel


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
