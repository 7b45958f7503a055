"""The model of a forum: what its URLs are, and how it is stored."""

import json
from dataclasses import replace

import pytest

from threadmill.forum.index.rows import IndexOrder
from threadmill.forum.link_urls import NumberSlot
from threadmill.forum.paging.page_urls import LATER, PageUrlStyle
from threadmill.forum.paging.pager import Paging
from threadmill.forum.read_page import PostOrder
from threadmill.forum.site_model.model import ForumModel, UrlFamily
from threadmill.forum.site_model.url_patterns import UrlPattern
from threadmill.forum.site_model.wrapper import RecordShape, Wrapper

THREADS = UrlFamily((UrlPattern((("/1", "t"), ("id", r"\d+"))),), PageUrlStyle("start", step=20, start=0), 20)
BOARDS = UrlFamily((UrlPattern((("/1", "b"), ("/2", r"\d+"))),), PageUrlStyle("after", step=0, start=0))
MODEL = ForumModel("http://a.test/", BOARDS, THREADS)


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("http://a.test/", "entry"),
        ("http://www.a.test", "other"),
        ("http://a.test/?phpsessid=77", "entry"),
        ("http://a.test/t?id=5", "thread"),
        ("http://a.test/t?id=5&start=0", "thread"),
        ("http://a.test/t?id=5&start=40", "thread page"),
        ("http://a.test/t?id=5&start=41", "other"),
        ("http://a.test/b/3", "index"),
        ("http://a.test/b/3?after=x9", "index page"),
        ("http://a.test/u/3", "other"),
        ("http://b.test/t?id=5", "other"),
    ],
)
def test_a_url_tells_the_kind_of_its_page(url: str, kind: str) -> None:
    assert MODEL.kind_of_url(url) == kind


def test_page_one_and_page_number_are_told() -> None:
    assert MODEL.base_of("http://a.test/t?id=5&start=40#p9") == ("http://a.test/t?id=5", 3)
    assert MODEL.base_of("http://a.test/b/3?after=x9") == ("http://a.test/b/3", LATER)
    assert MODEL.base_of("http://a.test/u?phpsessid=7") == ("http://a.test/u", 1)


def test_a_path_number_of_page_one_is_no_page() -> None:
    family = UrlFamily((UrlPattern((("/1", "t"), ("/2", r"\d+"), ("/3", ""))),), PageUrlStyle("", "/page-{}"))
    assert family.split("http://a.test/t/5/page-1") is None
    assert family.split("http://a.test/t/5/page-2") == ("http://a.test/t/5/", 2)


def test_all_pages_of_a_thread_have_its_key() -> None:
    assert THREADS.key("http://www.a.test/t?id=5&start=40#p9") == THREADS.key("http://a.test/t?id=5&start=0")
    assert THREADS.key("http://a.test/t?id=5") != THREADS.key("http://a.test/t?id=6")
    assert BOARDS.key("http://a.test/b/3?after=x9") == BOARDS.key("http://a.test/b/3")
    assert THREADS.key("http://a.test/u?x=1") == "a.test/u?x=1"


def test_the_next_thread_is_no_page_of_a_thread() -> None:
    here = "http://a.test/t?id=5"
    own = Paging(next=f"{here}&start=20", number=1)
    assert THREADS.own_paging(here, own) == own
    assert THREADS.own_paging(f"{here}&start=20", Paging(previous=here)) == Paging(previous=here)
    assert THREADS.own_paging(here, Paging(next="http://a.test/t?id=6")) == Paging()
    elsewhere = Paging(next="http://a.test/t?id=6")
    assert THREADS.own_paging("http://a.test/last?p=9", elsewhere) == elsewhere


def test_parameters_that_only_pagers_add_are_dropped_where_rows_link_pages_without_them() -> None:
    here = "http://a.test/t?id=5"
    long = f"{here}&loaded=1&&start=20"
    pager = Paging(next=long, number=1, slot=NumberSlot(f"{here}&loaded=1&&start=", ""))
    plain = replace(THREADS, plain=True).own_paging(here, pager)
    assert (plain.next, plain.number) == (f"{here}&start=20", 1)
    assert plain.slot == NumberSlot(f"{here}&start=", "")
    assert THREADS.own_paging(here, pager) == pager  # no row has shown that the short form exists
    other = Paging(next="http://a.test/t?id=6&loaded=1&start=20")
    assert replace(THREADS, plain=True).own_paging(here, other) == other


def test_page_urls_are_computed_where_a_style_is_known() -> None:
    assert THREADS.url_of("http://a.test/t?id=5", 3) == "http://a.test/t?id=5&start=40"
    assert THREADS.url_of("http://a.test/t?id=5", 1) == "http://a.test/t?id=5"
    assert BOARDS.url_of("http://a.test/b/3", 2) is None
    assert BOARDS.url_of("http://a.test/b/3", 1) == "http://a.test/b/3"


def test_a_model_survives_json_with_all_its_parts() -> None:
    shape = RecordShape("a/b", ("x/y/z",), ("dt",), ("dd",), (("d/e/f", 2),))
    wrapper = Wrapper((shape,), (("p/q", 1),), (), (("r", 3),), ("post_#",), 4, 7, {"dates": 0.5}, "dmy")
    whole = ForumModel(
        "http://a.test/",
        BOARDS,
        THREADS,
        wrapper,
        IndexOrder.CREATION,
        PostOrder.ASCENDING,
        two_dates=True,
        samples=9,
    )
    for model in (whole, ForumModel("http://a.test/")):
        assert ForumModel.from_json(json.loads(json.dumps(model.to_json()))) == model


def test_a_link_to_a_later_page_tells_of_the_next_where_the_pager_was_not_understood() -> None:
    here = "http://a.test/t?id=5&start=20"
    links = ("http://a.test/t?id=6&start=60", "http://a.test/t?id=5", "http://a.test/t?id=5&start=80")
    assert THREADS.own_paging(here, Paging(), links).next == "http://a.test/t?id=5&start=40"
    assert THREADS.own_paging(here, Paging(), links[:2]).next is None
    board, cursors = "http://a.test/b/3", [f"http://a.test/b/3?after={n}" for n in (5, 20, 30)]
    assert BOARDS.own_paging(board, Paging(), [f"{board}?after=x9"]).next is None
    assert BOARDS.own_paging(f"{board}?after=10", Paging(), cursors).next == cursors[1]
    absurd = f"{board}?after={'9' * 5000}"
    assert BOARDS.own_paging(f"{board}?after=10", Paging(), [absurd, *cursors]).next == cursors[1]
    assert BOARDS.own_paging(f"{board}?after=10", Paging(), cursors, oldest_first=False).next is None
