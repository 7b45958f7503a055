"""URLs are compared without session IDs, and one number may be taken out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.forum.link_urls import (
    NumberSlot,
    absolute_url,
    changed_parameter,
    comparable_url,
    differing_fields,
    is_back,
    is_next,
    is_step,
    kind_named_by_url,
    names_page,
    names_page_or_offset,
    names_service_page,
    number_slots,
    only_names,
    same_site,
    says_next,
    strip_session,
    url_fields,
)
from threadmill.forum.records.page_outline import PageOutline
from threadmill.page.parse.tree import parse


@pytest.mark.parametrize(
    ("url", "stripped"),
    [
        ("http://a/t?id=1#p5", "http://a/t?id=1"),
        (f"http://a/t?sid={'0f' * 16}&id=1", "http://a/t?id=1"),
        ("http://a/story?sid=17&id=1", "http://a/story?sid=17&id=1"),
        ("http://a/t?id=1&PHPSESSID=77aa", "http://a/t?id=1"),
        ("http://a/t;jsessionid=77AA", "http://a/t"),
        ("http://a/t;jsessionid=77AA?id=5", "http://a/t?id=5"),
        ("http://a/t;jsessionid=77AA/b?id=5&sid=1", "http://a/t/b?id=5&sid=1"),
        ("http://a/t?id=1&amp;page=2", "http://a/t?id=1&page=2"),
        (f"http://a/t?s={'ab1' * 8}", "http://a/t"),
        ("http://a/t?s=section", "http://a/t?s=section"),
        (f"http://a/t?id={'0f' * 16}", f"http://a/t?id={'0f' * 16}"),
        ("http://a/t?", "http://a/t?"),
        ("http://a/t?a=1&", "http://a/t?a=1"),
        ("http://a/t?books=1", "http://a/t?books=1"),
    ],
)
def test_fragment_and_session_id_are_left_out(url: str, stripped: str) -> None:
    assert strip_session(url) == stripped


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("/t/1#p2", "http://a/t/1"),
        (" ?page=2 ", "http://a/b/?page=2"),
        ("http://other/x", "http://other/x"),
        ("#top", None),
        ("javascript:void(0)", None),
        ("mailto:x@a", None),
        ("tel:1", None),
        ("data:x", None),
        ("http://[broken", None),
    ],
)
def test_links_become_absolute_urls_or_nothing(href: str, url: str | None) -> None:
    assert absolute_url("http://a/b/", href) == url


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("http://a.test/x", "https://www.A.test/y", True),
        ("http://www.a.test/x", "https://a.test/y", True),
        ("/x", "http://a.test/y", True),
        ("http://a.test/x", "/y", True),
        ("http://a.test/x", "http://b.test/x", False),
        ("http://a.test/x", "http://sub.a.test/x", False),
    ],
)
def test_one_host_with_or_without_www_is_one_site(one: str, other: str, same: bool) -> None:
    assert same_site(one, other) is same


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://a.example/forum/viewtopic.php?f=4&t=2", "thread"),
        ("https://a.example/index.php?board=3.0", "index"),
        ("https://a.example/forum/login", "other"),
        ("https://a.example/login/forum", "index"),
        ("https://a.example/categories/help", "index"),
        ("https://a.example/thread/5/members", "thread"),
        ("https://forum.example/x/45", ""),
        ("https://a.example/x/45", ""),
    ],
)
def test_a_word_of_the_url_names_a_kind(url: str, kind: str) -> None:
    assert kind_named_by_url(url) == kind


def test_each_number_behind_the_host_is_a_slot() -> None:
    assert list(number_slots("http://a1.test:80/t/12?p=3")) == [
        (NumberSlot("http://a1.test:80/t/", "?p=3"), 12),
        (NumberSlot("http://a1.test:80/t/12?p=", ""), 3),
    ]


@pytest.mark.parametrize(
    "url",
    [
        "http://a.test",
        "http://a.test/t/12345678",
        "http://a.test/%D0%B1x",
        "http://a.test/" + "x" * 600 + "/1",
    ],
)
def test_long_numbers_escapes_and_hosts_are_no_slots(url: str) -> None:
    assert list(number_slots(url)) == []


def test_a_url_of_600_characters_is_examined_and_a_longer_one_is_not() -> None:
    url = "http://a.test/"
    whole = url + "x" * (600 - len(url) - 2) + "/1"
    assert len(list(number_slots(whole))) == 1
    assert list(number_slots(whole + "2")) == []


def test_a_path_alone_has_slots_too() -> None:
    assert [number for _, number in number_slots("/t/12")] == [12]


@given(st.integers(0, 9_999_999), st.sampled_from(["", "/", ".html", "&x=1"]))
def test_a_slot_gives_back_the_number_it_was_filled_with(number: int, after: str) -> None:
    slot = NumberSlot("http://a/t?p=", after)
    assert slot.number_in(slot.fill(number)) == number


@pytest.mark.parametrize(
    "url", ["http://a/t?p=", "http://a/t?p=x", "http://a/t?p=12345678", "http://b/t?p=1", "http://a/t?p=1#x"]
)
def test_other_urls_have_no_number_in_the_slot(url: str) -> None:
    assert NumberSlot("http://a/t?p=", "").number_in(url) is None


@pytest.mark.parametrize(
    ("later", "number", "first", "is_first"),
    [
        ("http://a/t?id=1&start=10", 10, "http://a/t?id=1", True),
        ("http://a/t/page/2", 2, "http://a/t/", True),
        ("http://a/t/page/2", 2, "http://a/t", True),
        ("http://a/t-2.html", 2, "http://a/t.html", True),
        ("http://a/b/index2.html", 2, "http://a/b/index.html", True),
        ("http://a/b/index2.html", 2, "http://a/b/", True),
        ("http://a/t?id=1&start=10", 10, "http://a/t?id=1&start=20", False),
        ("http://a/t/page/2", 2, "http://a/u/", False),
        ("http://a/t/page/2", 2, "http://b/t/", False),
        ("http://a/t/5/page/2", 2, "http://a/t/6/", False),
        ("http://a/t?id=1&averyverylongname=10", 10, "http://a/t?id=1", False),
    ],
)
def test_page_one_lacks_the_number(later: str, number: int, first: str, is_first: bool) -> None:
    slot = next(slot for slot, found in reversed(list(number_slots(later))) if found == number)
    assert slot.is_first(first) is is_first


@pytest.mark.parametrize(
    ("url", "fields"),
    [
        ("http://a", {"/1": ""}),
        ("http://[broken/t?id=1", {"/1": "t", "id": "1"}),
        ("http://a/t/5/#x", {"/1": "t", "/2": "5", "/3": ""}),
        ("http://a/t?x=%41;print&PHPSESSID=7", {"/1": "t", "x": "A", "?1": "print"}),
        ("http://a/?thread-143.htm", {"/1": "", "?1": "thread-143.htm"}),
        ("http://a/read.php?1,1003,page=2", {"/1": "read.php", "?1": "1", "?2": "1003", "page": "2"}),
        ("http://a/i?threads/a.1/", {"/1": "i", "?1": "threads", "?2": "a.1", "?3": ""}),
        ("http://a/i?/topic/1-x/&p=2", {"/1": "i", "?1": "", "?2": "topic", "?3": "1-x", "?4": "", "p": "2"}),
        ("http://a/t?q=a,b/c", {"/1": "t", "q": "a,b/c"}),
        ("http://a/t;id=5;new/x", {"/1": "t", "id": "5", "?1": "new", "/2": "x"}),
        ("http://a/t?&&=5", {"/1": "t", "?1": "=5"}),
    ],
)
def test_a_url_is_read_as_fields_with_and_without_names(url: str, fields: dict[str, str]) -> None:
    assert url_fields(url) == fields


def test_urls_differ_in_fields() -> None:
    assert differing_fields("http://a/r?1,5", "http://a/r?1,6,p=2") == {"?2", "p"}
    assert differing_fields("http://a/t?a=1&b=2", "http://a/t?b=2&a=1") == set()
    assert changed_parameter("http://a/r?1,5", "http://a/r?1,5,p=2") == "p"
    assert changed_parameter("http://a/r?1,5", "http://a/s?1,5,p=2") == ""
    assert changed_parameter("http://a/r?1,5", "http://a/r?1,6,p=2") == ""


def test_the_only_field_of_a_query_names_the_page() -> None:
    assert only_names("http://a/t?id=5", "id")
    assert not only_names("http://a/t?id=5&x=1", "id")
    assert not only_names("http://a/t?id=5", "x")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://f.example/login", True),
        ("http://f.example/posting.php?mode=reply&t=5", True),
        ("http://f.example/index.php?action=register", True),
        ("http://f.example/members.html", True),
        ("http://f.example/reply,29.html", True),
        ("http://f.example/report12", True),
        ("http://f.example/index.php?topic=5&quote=12", True),
        ("http://f.example/cgi?ubb=get_ip;f=2;t=66;r=1", True),
        ("http://f.example/cgi?ubb=next_topic;go=older;t=66", True),
        ("http://f.example/t/next-topic-please/12", False),
        ("http://f.example/news/2016/02/28/", True),
        ("http://f.example/list/2016/2/", False),
        ("http://f.example/2016/02/28/pumps.html", False),
        ("http://f.example/t/login-problem-after-update/12", False),
        ("http://f.example/viewtopic.php?t=5", False),
        ("http://f.example/read.php?1,1003", False),
        ("http://f.example/?thread-143.htm", False),
    ],
)
def test_pages_for_writing_and_for_members_are_told_by_whole_words(url: str, expected: bool) -> None:
    assert names_service_page(url) is expected


def _link(attributes: str = "", text: str = "") -> tuple[PageOutline, int]:
    page = f'<html><body><a href="?p=2" {attributes}>{text}</a></body></html>'
    outline = PageOutline(parse(page, "http://a/"))
    return outline, outline.tags.index("a")


@pytest.mark.parametrize(
    "words", ["Next", "next »", "›", " > ", "Weiter", "下一页", "след.", "next two pages"]
)
def test_words_and_arrows_for_next(words: str) -> None:
    assert says_next(words)


@pytest.mark.parametrize(
    "words",
    [
        "Next thread of this rather long board title",
        "«",
        "12",
        "",
        "the next",
        "다음글",
        "下一篇",
        "次の記事",
    ],
)
def test_other_words_are_not_next(words: str) -> None:
    assert not says_next(words)


@pytest.mark.parametrize(
    ("attributes", "text", "found"),
    [
        ("", "Next", True),
        ('title="Next page"', "", True),
        ('aria-label="Next"', "", True),
        ('rel="next"', "", True),
        ('class="page-next"', "", True),
        ('class="Next"', "3", True),
        ('title="Next"', "3", False),
        ('class="nextdoor"', "3", False),
        ('class="prev"', "Back", False),
    ],
)
def test_a_link_says_next_by_text_or_attributes(attributes: str, text: str, found: bool) -> None:
    assert is_next(*_link(attributes, text)) is found


@pytest.mark.parametrize(
    ("attributes", "text", "found"),
    [
        ("", "«", True),
        ("", "Previous", True),
        ("", "First", True),
        ('title="Zurück"', "", True),
        ('rel="prev"', "", True),
        ('class="page-prev"', "x", True),
        ('class="first"', "x", True),
        ("", "»", False),
        ("", "Back", False),
        ('class="preview"', "x", False),
    ],
)
def test_a_link_leads_back_by_text_or_attributes(attributes: str, text: str, found: bool) -> None:
    assert is_back(*_link(attributes, text)) is found


@pytest.mark.parametrize(
    ("attributes", "text", "found"),
    [
        ("", "Older posts", True),
        ("", "Ältere Beiträge", True),
        ('title="Load more"', "", True),
        ('class="pager"', "x", True),
        ('rel="cursor"', "x", True),
        ("", "one two three four older", True),
        ("", "one two three four five older", False),
        ("", "Next", False),
        ('class="pagers"', "x", False),
    ],
)
def test_a_link_is_a_step_to_older_or_newer(attributes: str, text: str, found: bool) -> None:
    assert is_step(*_link(attributes, text)) is found


@pytest.mark.parametrize(
    ("before", "page", "offset"),
    [
        ("http://a/t?page=", True, False),
        ("http://a/t/p", True, False),
        ("http://a/t/seite-", True, False),
        ("http://a/t?start=", False, True),
        ("http://a/t?skip=", False, True),
        ("http://a/t?id=", False, False),
        ("http://a/t?homepage=", False, False),
    ],
)
def test_pages_and_offsets_are_called_so(before: str, page: bool, offset: bool) -> None:
    assert names_page(before) is page
    assert names_page_or_offset(before) is (page or offset)


def test_values_without_names_are_numbered_through_path_and_query() -> None:
    fields = url_fields("http://a.example/x;p;q=1?7,8,page=2")
    assert dict(fields) == {"/1": "x", "?1": "p", "q": "1", "?2": "7", "?3": "8", "page": "2"}


def test_a_value_too_long_for_a_word_names_no_service_page() -> None:
    assert names_service_page("http://a.example/reply-12.5.html")
    assert not names_service_page("http://a.example/reply" + "-1.5" * 100)


def test_parameters_are_compared_by_name_and_empty_ones_say_nothing() -> None:
    assert comparable_url("http://a/t?p=2&id=1&x=") == "http://a/t?id=1&p=2"


@pytest.mark.parametrize(
    ("url", "comparable"),
    [
        ("http://a/t?b=2&a=1", "http://a/t?a=1&b=2"),
        ("http://a/t?b=&a=1", "http://a/t?a=1"),
        ("http://a/t?from=page%3D1&a=1", "http://a/t?a=1"),
        ("http://a/t?print&a=1", "http://a/t?a=1&print"),
        ("http://a/t?b=", "http://a/t?b="),
        ("http://a/t?b=2;a=1&c=3", "http://a/t?b=2;a=1&c=3"),
        ("http://a/t", "http://a/t"),
    ],
)
def test_urls_are_compared_by_their_telling_parameters(url: str, comparable: str) -> None:
    assert comparable_url(url) == comparable
