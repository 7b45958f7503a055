"""The URL of page k is made from that of page one, and taken apart again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.forum.link_urls import NumberSlot
from threadmill.forum.paging.page_urls import (
    LATER,
    PageUrlStyle,
    find_url_style,
    most_common_style,
    without_parameter,
)
from threadmill.forum.paging.pager import Paging


def test_a_number_of_thousands_of_digits_names_no_page() -> None:
    assert PageUrlStyle("start", step=20, start=0).page_of("9" * 5000) is None


# Page one, what stands before and after the number of later pages, and the style.
CASES = [
    ("http://a/t?id=1", ("http://a/t?id=1&p=", ""), PageUrlStyle("p")),
    ("http://a/t", ("http://a/t?start=", ""), PageUrlStyle("start", step=20, start=0)),
    ("http://a/x.9/", ("http://a/x.9/page-", ""), PageUrlStyle("", "/page-{}")),
    ("http://a/x.9", ("http://a/x.9/page-", ""), PageUrlStyle("", "/page-{}", slash=False)),
    ("http://a/x.9/", ("http://a/x.9/page/", "/"), PageUrlStyle("", "/page/{}", tail="/")),
    ("http://a/x.9", ("http://a/x.9/page/", "/"), PageUrlStyle("", "/page/{}/", slash=False)),
    (
        "http://a/a-title-6/",
        ("http://a/a-title-6/comment-page-", "/"),
        PageUrlStyle("", "/comment-page-{}", tail="/"),
    ),
    (
        "http://a/t5.html",
        ("http://a/t5-s", ".html"),
        PageUrlStyle("", "-s{}", "", ".html", 10, 0, slash=False),
    ),
    (
        "http://a/thread-5-1-1.html",
        ("http://a/thread-5-", "-1.html"),
        PageUrlStyle("", "-{}", "-1", "-1.html"),
    ),
    (
        "http://a/read.php?1,423",
        ("http://a/read.php?1,423,page=", ""),
        PageUrlStyle("", ",page={}", slash=False),
    ),
    ("http://a/?board=1.0", ("http://a/?board=1.", ""), PageUrlStyle("", ".{}", ".0", "", 20, 0)),
]


@pytest.mark.parametrize(("base", "slot", "style"), CASES)
def test_a_pager_shows_the_style_of_a_site(base: str, slot: tuple[str, str], style: PageUrlStyle) -> None:
    paging = Paging(slot=NumberSlot(*slot), step=style.step, start=style.start)
    third = paging.url_of(3)
    assert third == f"{slot[0]}{style.start + 2 * style.step}{slot[1]}"
    assert find_url_style(base, paging) == style
    assert style.url_of(base, 3) == third
    assert style.split(third) == (base, 3)
    assert style.url_of(base, 1) == style.url_of(base, 0) == base


def test_a_number_that_is_called_a_page_keeps_this_name_where_page_one_has_it_too() -> None:
    slot = NumberSlot("http://a/a-title/comments-page-", "/")
    style = find_url_style("http://a/a-title/comments-page-1/", Paging(slot=slot))
    assert style is not None
    assert style.split("http://a/a-title/comments-page-3/") == ("http://a/a-title/comments-page-1/", 3)
    assert style.split("http://a/a-title-3/") == ("http://a/a-title-3/", 1), "the number of a title"


def test_a_parameter_that_page_one_has_too_is_no_part_of_its_url() -> None:
    paging = Paging(slot=NumberSlot("http://a/t?page=", ""))
    style = find_url_style("http://a/t?page=1", paging)
    assert style == PageUrlStyle("page")
    assert style.split("http://a/t?page=3") == ("http://a/t", 3)


@pytest.mark.parametrize(
    ("url", "split"),
    [
        ("http://a/t?id=1&p=7#p9", ("http://a/t?id=1", 7)),
        ("http://a/t?p=7&id=1", ("http://a/t?id=1", 7)),
        ("http://a/t?id=1&PHPSESSID=aa&p=7", ("http://a/t?id=1", 7)),
        ("http://a/t?p=0", ("http://a/t?p=0", 1)),
        ("http://a/t?p=x", ("http://a/t?p=x", 1)),
        ("http://a/t?pp=7", ("http://a/t?pp=7", 1)),
        ("http://a/t?p=12345678", ("http://a/t?p=12345678", 1)),
    ],
)
def test_a_parameter_is_taken_out_where_it_is_a_page(url: str, split: tuple[str, int]) -> None:
    assert PageUrlStyle("p").split(url) == split


def test_the_number_of_a_page_is_written_once() -> None:
    assert PageUrlStyle("page").url_of("http://a/t?page=1&id=5", 3) == "http://a/t?id=5&page=3"
    assert PageUrlStyle("page").url_of("http://a/t?id=5&page=1", 3) == "http://a/t?id=5&page=3"
    assert PageUrlStyle("page").url_of("http://a/t?page=1", 3) == "http://a/t?page=3"


def test_numbers_between_pages_are_no_pages() -> None:
    style = PageUrlStyle("", "-s{}", "", ".html", 10, 0)
    assert style.split("http://a/t5-s15.html") == ("http://a/t5-s15.html", 1)
    assert style.split("http://a/t5-s20.html") == ("http://a/t5.html", 3)
    assert style.split("http://a/t5-s20.html/x") == ("http://a/t5-s20.html/x", 1)
    assert PageUrlStyle("start", step=10, start=0).split("http://a/t?start=15") == ("http://a/t?start=15", 1)


@given(st.sampled_from(CASES), st.integers(2, 999))
def test_page_urls_are_taken_apart_as_they_were_made(
    case: tuple[str, tuple[str, str], PageUrlStyle], page: int
) -> None:
    base, _, style = case
    assert style.split(style.url_of(base, page) or "") == (base, page)


def test_a_page_without_a_pager_has_no_style() -> None:
    assert find_url_style("http://a/t", Paging()) is None
    assert find_url_style("http://a/t", Paging(slot=NumberSlot("http://a/u/page-", ""))) is None


def test_the_style_of_most_pages_wins() -> None:
    one, other = PageUrlStyle("p"), PageUrlStyle("start", step=10, start=0)
    assert most_common_style([one, other, None, one]) == one
    assert most_common_style([one]) == one
    assert most_common_style([one, other]) is None
    steps = [PageUrlStyle("from", step=step, start=0) for step in (19, 201)]
    assert most_common_style(steps) == PageUrlStyle("from", step=0, start=0)
    assert most_common_style([None]) is None


@pytest.mark.parametrize(
    ("url", "following", "name"),
    [
        ("http://a.test/t/1?b=2", "http://a.test/t/1?b=2&before=9", "before"),
        ("http://a.test/t/1?before=12", "http://a.test/t/1?before=9", "before"),
        ("http://a.test/t/1", None, ""),
        ("http://a.test/t/1", "http://a.test/t/2?before=9", ""),
        ("http://a.test/t/1", "http://a.test/t/1?a=1&b=2", ""),
        ("http://a.test/t/1?x=1", "http://a.test/t/1?before=9", ""),
    ],
)
def test_the_cursor_is_the_one_parameter_that_differs(url: str, following: str | None, name: str) -> None:
    style = find_url_style(url, Paging(next=following))
    assert style == (PageUrlStyle(name, step=0, start=0) if name else None)


def test_a_cursor_may_have_no_name() -> None:
    style = find_url_style("http://a/?forum-2.htm", Paging(next="http://a/?forum-2-c19.htm"))
    assert style is not None
    assert style.split("http://a/?forum-7-c33.htm") == ("http://a/?forum-7.htm", LATER)
    assert style.split("http://a/?forum-7.htm") == ("http://a/?forum-7.htm", 1)
    assert style.url_of("http://a/?forum-7.htm", 2) is None


def test_a_cursor_is_taken_out_whatever_it_is() -> None:
    style = PageUrlStyle("after", step=0, start=0)
    assert style.split("http://a/t?after=t3_x9&b=1") == ("http://a/t?b=1", LATER)
    assert style.split("http://a/t?b=1") == ("http://a/t?b=1", 1)


@pytest.mark.parametrize(
    ("url", "name", "without"),
    [
        ("http://a.test/t/1?b=2&before=9", "before", "http://a.test/t/1?b=2"),
        ("http://a.test/t/1?before=9", "before", "http://a.test/t/1"),
        ("http://a.test/t/1?before2=9", "before", "http://a.test/t/1?before2=9"),
        ("http://a.test/t/1", "before", "http://a.test/t/1"),
        ("http://a.test/t?before=9&b=2", "before", "http://a.test/t?b=2"),
        ("http://a.test/t?1,5,before=9", "before", "http://a.test/t?1,5"),
    ],
)
def test_a_parameter_is_left_out(url: str, name: str, without: str) -> None:
    assert without_parameter(url, name) == without


def test_each_thread_may_have_its_title_behind_the_number_of_the_page() -> None:
    styles = []
    for number, title in ((20, "some-words"), (21, "others"), (22, "c-5")):
        slot = NumberSlot(f"http://a/topics/{number}/", f"/{title}")
        styles.append(find_url_style(slot.fill(1), Paging(slot=slot)))
    style = most_common_style(styles)
    assert style is not None
    assert style.split("http://a/topics/33/4/other-words-7") == ("http://a/topics/33/1/other-words-7", 4)
    assert style.url_of("http://a/topics/33/1/other-words-7", 2) == "http://a/topics/33/2/other-words-7"


def test_a_title_may_follow_the_number_at_once() -> None:
    styles = [PageUrlStyle("", "p{}", tail=f"-{title}", slash=False) for title in ("old-pump", "new-pump")]
    style = most_common_style(styles)
    assert style is not None
    assert style.split("http://a/posts/t22p2-my-car-p5") == ("http://a/posts/t22-my-car-p5", 2)
    assert style.split("http://a/posts/t22-my-car-p5") == ("http://a/posts/t22-my-car-p5", 1)
    assert style.url_of("http://a/posts/t22-my-car", 3) == "http://a/posts/t22p3-my-car"
    numbers = [PageUrlStyle("", "-{}", "-1", "-1.html"), PageUrlStyle("", "-{}", "-1", "-2.html")]
    assert most_common_style([numbers[0], *numbers]) == numbers[0]


def test_a_value_that_only_grows_longer_still_names_the_board() -> None:
    style = find_url_style("http://a/f.pl?f=2", Paging(next="http://a/f.pl?f=2/2"))
    assert style is not None
    assert style.split("http://a/f.pl?f=7/3") == ("http://a/f.pl?f=7", LATER)
    assert style.split("http://a/f.pl?f=7") == ("http://a/f.pl?f=7", 1)


def test_a_cursor_behind_a_word_may_be_a_code() -> None:
    style = find_url_style("http://a/t,dGhy.html", Paging(next="http://a/t,dGhy,from,cG9zdDox.html"))
    assert style is not None
    assert style.split("http://a/t,bbb,from,cG9z.html") == ("http://a/t,bbb.html", LATER)
    assert style.split("http://a/t,bbb.html") == ("http://a/t,bbb.html", 1)


def test_a_number_that_nothing_parts_from_an_id_is_no_page() -> None:
    assert (
        find_url_style("http://a/?t-6a99b.htm", Paging(slot=NumberSlot("http://a/?t-6a99b", ".htm"))) is None
    )


def test_a_word_before_a_cursor_may_stand_in_the_title_too() -> None:
    style = PageUrlStyle("", "-from-{}", "", ".html", 0, 0, slash=False)
    url = "http://f.example/noise-from-the-cellar-t12-from-38c2ff8d.html"
    assert style.split(url)[0] == "http://f.example/noise-from-the-cellar-t12.html"


def test_numbers_before_the_title_are_no_part_of_the_title() -> None:
    threads = {7: "noise-again", 8: "a-trip", 9: "3-ways-to-clean"}
    pagers = {n: f"http://a/42-{n}-{{}}-0-1-0-{words}.htm" for n, words in threads.items()}
    styles = []
    for pager in pagers.values():
        before, after = pager.split("{}")
        styles.append(find_url_style(pager.format(1), Paging(slot=NumberSlot(before, after))))
    style = most_common_style(styles)
    assert style is not None
    for pager in pagers.values():
        assert style.split(pager.format(3)) == (pager.format(1), 3)
        assert style.url_of(pager.format(1), 3) == pager.format(3)


def test_the_number_may_stand_behind_a_parameter_that_is_sorted_behind_it() -> None:
    paging = Paging(
        1, 2, "http://a/t?web=X&msg=34.11", slot=NumberSlot("http://a/t?msg=34.", "&web=X"), step=10, start=1
    )
    style = find_url_style("http://a/t?web=X&msg=34.1", paging)
    assert style == PageUrlStyle("", ".{}", ".1", "", 10, 1)
    assert style.split("http://a/t?web=X&msg=34.21") == ("http://a/t?web=X&msg=34.1", 3)
