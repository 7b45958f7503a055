"""What a crawl knows about a forum: layout, zone, thread keys, and how it is stored."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from threadmill.crawl.forum.knowledge import (
    FIT,
    LATER,
    MISFIT,
    NO_ZONE,
    ForumKnowledge,
    LayoutKnowledge,
    SiteSignals,
    as_timezone,
    find_stated_zone,
    has_no_summer_time,
)
from threadmill.crawl.forum.rows.row_state import RowState
from threadmill.errors import OldModelError
from threadmill.forum.index.rows import IndexOrder
from threadmill.forum.read_page import PostOrder
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.site_model.model import ForumModel, UrlFamily
from threadmill.page.parse.tree import parse
from threadmill.types import Moment, ThreadRow


def _knowledge() -> ForumKnowledge:
    return ForumKnowledge(LayoutKnowledge(ForumModel("https://f.example/")))


def test_a_page_size_that_is_never_the_same_is_none() -> None:
    knowledge = _knowledge()
    for posts in (21, 34, 17, 28, 21, 40):
        knowledge.layout.page_size.add(posts)
    assert knowledge.layout.posts_per_page is None
    for _ in range(6):
        knowledge.layout.page_size.add(20)
    assert knowledge.layout.posts_per_page == 20


def test_the_number_of_pages_counts_posts_where_nearly_all_pages_are_of_one_size() -> None:
    for sizes, fixed in (([*[20] * 18, 19], True), ([*[20] * 6, 21, 34, 17, 28], False), ([], False)):
        layout = _knowledge().layout
        for posts in sizes:
            layout.page_size.add(posts)
        assert layout.has_fixed_pages is fixed


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
    knowledge.layout.overhang = 4
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


def test_last_pages_longer_than_others_show_that_few_posts_get_no_page_of_their_own() -> None:
    layout = LayoutKnowledge(ForumModel("https://f.example/"))
    layout.record_last_page(14, first=False)
    assert layout.overhang == 0  # the usual size is not known yet
    layout.record_page_size(10, first=False)
    for posts, first, overhang in (
        (11, True, 0),  # the opening post may be shown in addition
        (14, True, 3),
        (14, False, 4),
        (20, False, 4),  # as long as two pages: it has another size
        (5, False, 4),
        (3, False, 2),  # so few posts do have a page
    ):
        layout.record_last_page(posts, first=first)
        assert layout.overhang == overhang


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("GMT+8, 2025-1-31 20:00", "+08:00"),
        ("All times are UTC + 5:30", "+05:30"),
        ("All times are UTC-05:00", "-05:00"),
        ("All times are local", None),
        ("The train leaves at 10:15", None),
    ],
)
def test_a_page_states_its_zone(text: str, zone: str | None) -> None:
    page = f"<html><body><p>Hello</p><p>{text}</p></body></html>"
    assert find_stated_zone(PageOutline(parse(page.encode(), "https://f.example/", "text/html"))) == zone


def test_two_zones_on_a_page_are_none() -> None:
    page = b"<html><body><p>GMT+8</p><p>I live in GMT+3</p></body></html>"
    assert find_stated_zone(PageOutline(parse(page, "https://f.example/", "text/html"))) is None


def test_offsets_of_places_that_change_their_clocks_are_not_steady() -> None:
    assert has_no_summer_time("+08:00")
    assert not has_no_summer_time("+01:00")
    assert not has_no_summer_time("-05:00")


def test_stored_knowledge_keeps_every_part_under_its_name() -> None:
    knowledge = _knowledge()
    knowledge.site = SiteSignals(
        feed="https://f.example/feed",
        last_look=datetime(2026, 5, 1, tzinfo=UTC),
        skipped_runs=2,
        clock_lead=3.5,
    )
    knowledge.site.hints.add("proof")
    knowledge.rows.growth.add("exact")
    knowledge.rows.box_threads = {"t": "2026-05-01"}
    knowledge.layout.fits.add(FIT)
    stored = knowledge.to_json()
    assert (stored["feed"], stored["looked"], stored["rested"]) == (
        "https://f.example/feed",
        "2026-05-01T00:00:00+00:00",
        2,
    )
    assert (stored["lead"], stored["named"], stored["relaunched"]) == (3.5, {"t": "2026-05-01"}, False)
    assert (stored["hints"], stored["growth"], stored["fits"]) == ({"proof": 1}, {"exact": 1}, {FIT: 1})
    assert ForumKnowledge.from_json(json.loads(json.dumps(stored))) == knowledge


def test_knowledge_of_an_earlier_version_may_lack_votes_but_not_its_model() -> None:
    stored = _knowledge().to_json()
    for name in ("feed", "looked", "rested", "lead", "named", "hints"):
        del stored[name]
    assert ForumKnowledge.from_json(stored) == _knowledge()
    with pytest.raises(OldModelError, match="model"):
        ForumKnowledge.from_json({"relaunched": False})


@pytest.mark.parametrize(
    ("created", "active", "order"),
    [
        ([9, 8, 7], [1, 2, 3], None),  # three rows may be in order by chance
        ([9, 8, 7, 6], [1, 2, 3, 4], "creation"),
        ([1, 2, 3, 4], [9, 8, 7, 6], "activity"),
        ([9, 8, 7, 8, 7], [1, 2, 3, 2, 3], None),  # one rise against three: not clearly more
        ([9, 8, 7, 8], [1, 2, 3, 4], "creation"),  # where both rise, the row is out of either order
        ([1, 9, 8, 7, 6], [1, 2, 3, 4, 5], "creation"),  # a sticky thread above the latest one
        ([9, 8, 7, 6], [9, 8, 7, 6], None),
        ([9, 9, 9, 9], [1, 2, 3, 4], "creation"),  # equal dates do not rise
    ],
)
def test_the_order_is_told_by_the_date_that_falls(
    created: list[int], active: list[int], order: str | None
) -> None:
    layout = LayoutKnowledge(ForumModel("https://f.example/"))
    pairs = zip(created, active, strict=True)
    rows = [
        ThreadRow(f"u{i}", "t", created=Moment(date(2026, 4, c)), active=Moment(date(2026, 4, a)))
        for i, (c, a) in enumerate(pairs)
    ]
    layout.record_index_order([*rows, replace(rows[0], sticky=True), replace(rows[0], moved=True)])
    assert layout.order.winner == order


def test_dates_that_rows_show_tell_the_order_where_the_stored_ones_are_too_old() -> None:
    layout = LayoutKnowledge(ForumModel("https://f.example/", index_order=IndexOrder.ACTIVITY))
    rows = [ThreadRow(f"u{n}", "t", active=Moment(date(2026, 4, day))) for n, day in enumerate((9, 3, 8, 5))]
    stored = {row.url: (f"2026-03-{9 - n:02d}", LATER) for n, row in enumerate(rows)}
    layout.record_index_order([replace(row, active=None) for row in rows], stored)
    assert not layout.sorted_by_creation, "all four got posts after the last look: no order is told"
    layout.record_index_order(rows, stored)
    assert layout.sorted_by_creation


def test_the_learnt_model_tells_the_order_until_pages_do() -> None:
    layout = LayoutKnowledge(ForumModel("https://f.example/", index_order=IndexOrder.CREATION))
    assert layout.sorted_by_creation
    layout.order.add(IndexOrder.ACTIVITY)
    assert not layout.sorted_by_creation


def test_posts_are_oldest_first_unless_the_model_says_otherwise() -> None:
    assert LayoutKnowledge(ForumModel("https://f.example/")).oldest_first
    newest_first = ForumModel("https://f.example/", post_order=PostOrder.DESCENDING)
    assert not LayoutKnowledge(newest_first).oldest_first


def test_page_sizes_are_those_of_the_model_then_of_first_pages_then_of_later_ones() -> None:
    layout = LayoutKnowledge(ForumModel("https://f.example/", threads=UrlFamily(per_page=7)))
    assert (layout.posts_per_page, layout.posts_on_first_page) == (7, 7)
    layout.record_page_size(11, first=True)
    assert (layout.posts_per_page, layout.posts_on_first_page) == (11, 11)
    layout.record_page_size(10, first=False)
    assert (layout.posts_per_page, layout.posts_on_first_page) == (10, 11)
    assert (layout.first_size.votes, layout.page_size.votes) == ({"11": 1}, {"10": 1})
    layout.record_page_size(9, first=False)  # a first page of 11 fits no later page of 9
    assert layout.first_size.votes == {"11": 1, "9": 1}
    layout.record_page_size(10, first=True)  # 10 fits a later page of 10 or 9
    assert layout.page_size.votes == {"10": 1, "9": 1}


def test_a_shape_of_rows_is_known_after_two_pages() -> None:
    layout = LayoutKnowledge(ForumModel("https://f.example/"))
    layout.shapes.add("thread tr")
    assert layout.row_shape("thread") is None
    layout.shapes.add("thread tr")
    layout.shapes.add("index div span")
    assert layout.row_shape("thread") == "tr"
    layout.shapes.add("index div span")
    assert layout.row_shape("index") == "div span"
    assert layout.row_shape("other") is None


def test_moments_are_shown_in_the_zone_of_the_site() -> None:
    layout = LayoutKnowledge(ForumModel("https://f.example/"))
    noon = datetime(2026, 5, 1, 12, tzinfo=UTC)
    assert layout.in_site_zone(noon) is noon
    layout.zones.add("+05:30")
    assert layout.in_site_zone(noon).isoformat() == "2026-05-01T17:30:00+05:30"


@pytest.mark.parametrize(("stated", "silent", "zone"), [(4, 1, "+08:00"), (3, 1, None)])
def test_four_of_five_pages_must_state_the_zone(stated: int, silent: int, zone: str | None) -> None:
    layout = LayoutKnowledge(ForumModel("https://f.example/"))
    layout.zones.votes.update({"+08:00": stated, NO_ZONE: silent})
    assert layout.zone == zone


@pytest.mark.parametrize(
    ("zone", "steady"),
    [("+03:59", False), ("+04:00", True), ("+09:00", True), ("+09:30", False), ("-04:00", False)],
)
def test_offsets_from_four_to_nine_hours_have_no_summer_time(zone: str, steady: bool) -> None:
    assert has_no_summer_time(zone) is steady
    assert as_timezone("-03:30").utcoffset(None) == -timedelta(hours=3, minutes=30)


@pytest.mark.parametrize(
    ("fits", "misfits", "usual"), [(2, 0, False), (3, 0, True), (5, 1, False), (6, 1, True)]
)
def test_a_wrapper_usually_fits_with_three_fits_for_each_misfit_and_one_more(
    fits: int, misfits: int, usual: bool
) -> None:
    layout = LayoutKnowledge(ForumModel("https://f.example/"))
    layout.fits.votes.update({FIT: fits, MISFIT: misfits})
    assert layout.usually_fits() is usual


def test_a_long_line_about_zones_is_somebodys_prose() -> None:
    def zone(text: str) -> str | None:
        page = f"<html><body><p>{text}</p></body></html>"
        return find_stated_zone(PageOutline(parse(page.encode(), "https://f.example/", "text/html")))

    assert zone(f"{'x' * 114} UTC+8") == "+08:00"
    assert zone(f"{'x' * 115} UTC+8") is None


def test_links_lead_to_threads_boards_or_nowhere_known() -> None:
    unlearnt = LayoutKnowledge(ForumModel("https://f.example/"))
    assert unlearnt.link_kind("https://f.example/x") == "unknown"
    assert unlearnt.link_kind("https://f.example/") == "index"
    assert unlearnt.board_url("https://f.example/b/1") == "https://f.example/b/1"


def test_stored_threads_in_the_order_of_their_list_tell_the_order() -> None:
    active = ("2026-09-02", "2026-12-01", "2026-07-02", "2026-11-01", "2026-06-01")
    by_creation = [(f"2026-0{9 - place}-01", last) for place, last in enumerate(active)]
    layout = _knowledge().layout
    layout.record_order_of(by_creation[:3])
    assert not layout.order.votes
    layout.record_order_of(by_creation)
    assert layout.sorted_by_creation
    layout.record_order_of([(last, first) for first, last in by_creation])
    layout.record_order_of([(last, first) for first, last in by_creation])
    assert not layout.sorted_by_creation
