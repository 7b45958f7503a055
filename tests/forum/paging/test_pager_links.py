"""Links of a pager: where they lead, and the numbering of their pages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.forum.link_urls import NumberSlot
from threadmill.forum.paging.pager_links import (
    PageNumbering,
    PagerEntry,
    is_back,
    is_next,
    is_step,
    names_page,
    names_page_or_offset,
    numbering_from_labels,
    numbering_from_next_link,
    numbering_from_url_name,
    says_next,
)
from threadmill.forum.records.page_outline import PageOutline
from threadmill.page.parse.tree import parse


def _link(attributes: str = "", text: str = "") -> tuple[PageOutline, int]:
    page = f'<html><body><a href="?p=2" {attributes}>{text}</a></body></html>'
    outline = PageOutline(parse(page, "http://a/"))
    return outline, outline.tags.index("a")


@pytest.mark.parametrize(
    "words", ["Next", "next »", "›", " > ", "Weiter", "下一页", "след.", "next two pages"]
)
def test_words_and_arrows_for_next(words: str) -> None:
    assert says_next(words)


@pytest.mark.parametrize("words", ["Next thread of this rather long board title", "«", "12", "", "the next"])
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


def _entries(*pairs: tuple[int, int]) -> list[PagerEntry]:
    return [PagerEntry(0, number, label, "") for label, number in pairs]


@given(st.integers(1, 60), st.sampled_from([0, 1]), st.integers(1, 99))
def test_the_page_of_a_number_is_the_page_it_was_made_for(step: int, start: int, page: int) -> None:
    assert PageNumbering(step, start).page(start + step * (page - 1)) == page


def test_a_number_between_or_before_the_pages_is_no_page() -> None:
    assert PageNumbering(25, 0).page(30) is None
    assert PageNumbering(25, 0).page(-25) is None
    assert PageNumbering(25, 0).page(50) == 3
    assert PageNumbering(1, 1).page(0) is None


@pytest.mark.parametrize(
    ("pairs", "here", "numbering"),
    [
        ([(2, 25), (3, 50), (9, 200)], None, PageNumbering(25, 0)),
        ([(2, 2), (3, 3)], None, PageNumbering(1, 1)),
        ([(1, 0), (2, 1)], None, PageNumbering(1, 0)),
        ([(2, 2)], None, PageNumbering(1, 1)),
        ([(2, 1)], None, PageNumbering(1, 0)),
        ([(3, 40)], None, PageNumbering(20, 0)),
        ([(3, 50)], None, PageNumbering(25, 0)),
        ([(3, 4)], None, PageNumbering(2, 0)),
        ([(5, 3)], None, None),
        ([(3, 41)], None, None),
        ([(2, 7), (3, 5), (4, 900)], None, None),
        ([(2, 4), (3, 3)], None, None),  # falls
        ([(2, 30), (3, 40)], None, None),  # page one would be 20
        ([(2, 2), (2, 3)], None, None),  # one label for two numbers
        ([(3, 60)], (2, 30), PageNumbering(30, 0)),
        ([(2, 2), (3, 3)], (9, 900), PageNumbering(1, 1)),  # two labels are enough
        ([], (2, 30), PageNumbering(30, 0)),
        ([], None, None),
        ([(1, 5)], None, None),
        ([(2, 2), (3, 3), (4, 4), (5, 5), (6, 7), (7, 7)], None, PageNumbering(1, 1)),
        ([(2, 2), (3, 9), (4, 9), (5, 5)], None, None),  # half of them fit
    ],
)
def test_labels_give_the_numbering(
    pairs: list[tuple[int, int]], here: tuple[int, int] | None, numbering: PageNumbering | None
) -> None:
    assert numbering_from_labels(_entries(*pairs), here) == numbering


def _links(*links: tuple[str, int]) -> tuple[PageOutline, list[PagerEntry]]:
    body = "".join(f'<a href="?n={number}">{text}</a>' for text, number in links)
    outline = PageOutline(parse(f"<html><body><p>{body}</p></body></html>", "http://a/"))
    places = [index for index, tag in enumerate(outline.tags) if tag == "a"]
    return outline, [PagerEntry(index, n, None, "") for index, (_, n) in zip(places, links, strict=True)]


@pytest.mark.parametrize(
    ("url", "before", "links", "numbering"),
    [
        ("http://a/t/8", "http://a/t/8?page=", [("Next", 1)], PageNumbering(1, 0)),
        ("http://a/t/8", "http://a/t/8?page=", [("Next", 2)], PageNumbering(1, 1)),
        ("http://a/t/8", "http://a/t/8?start=", [("Next", 3)], PageNumbering(3, 0)),
        ("http://a/t/8", "http://a/t/8?start=", [("Next", 500)], PageNumbering(500, 0)),
        ("http://a/t/8", "http://a/t/8?start=", [("Next", 501)], None),
        ("http://a/t/8", "http://a/t/8?page=", [("Next", 0)], None),
        ("http://a/t/8", "http://a/u/8?page=", [("Next", 2)], None),
        ("http://a/t/8", "http://a/t/8?page=", [("Other", 2)], None),
        ("http://a/t/8?page=3", "http://a/t/8?page=", [("Next", 4), ("Next", 9)], PageNumbering(1, 1)),
        ("http://a/t/8?start=45", "http://a/t/8?start=", [("Next", 60)], PageNumbering(15, 0)),
        ("http://a/t/8?start=46", "http://a/t/8?start=", [("Next", 61)], PageNumbering(15, 1)),
        ("http://a/t/8?page=3", "http://a/t/8?page=", [("Next", 2)], None),
        ("http://a/t/8", "http://a/t/", [("Next", 9)], None),  # the next thread
        ("http://a/list/mail2", "http://a/list/mail", [("Next Page", 3)], PageNumbering(1, 1)),
        ("http://a/list/mail2", "http://a/list/mail", [("Nächste Seite", 3)], PageNumbering(1, 1)),
        ("http://a/?page=8", "http://a/?page=", [("Next", 9)], PageNumbering(1, 1)),
    ],
)
def test_the_link_that_says_next_gives_the_numbering(
    url: str, before: str, links: list[tuple[str, int]], numbering: PageNumbering | None
) -> None:
    outline, entries = _links(*links)
    assert numbering_from_next_link(outline, url, NumberSlot(before, ""), entries) == numbering


def test_where_links_show_numbers_the_words_are_not_asked() -> None:
    outline, entries = _links(("Next", 2))
    labelled = [*entries, PagerEntry(entries[0].element, 3, 3, "")]
    slot = NumberSlot("http://a/t/8?page=", "")
    assert numbering_from_next_link(outline, "http://a/t/8", slot, labelled) is None
    assert numbering_from_url_name(outline, "http://a/t/8", slot, labelled, leads_back=False) is None


@pytest.mark.parametrize(
    ("url", "before", "links", "back", "numbering"),
    [
        ("http://a/t/8", "http://a/t/8?page=", [("", 2), ("", 4)], False, PageNumbering(1, 1)),
        ("http://a/t/8", "http://a/t/8?page=", [("", 1), ("", 4)], False, PageNumbering(1, 0)),
        ("http://a/t/8", "http://a/t/8?page=", [("", 1)], False, None),
        ("http://a/t/8?page=0", "http://a/t/8?page=", [("", 1)], False, PageNumbering(1, 0)),
        ("http://a/t/8?page=2", "http://a/t/8?page=", [("", 0), ("", 3)], False, PageNumbering(1, 0)),
        ("http://a/t/8?page=2", "http://a/t/8?page=", [("", 2)], True, PageNumbering(1, 1)),
        ("http://a/t/8?page=1", "http://a/t/8?page=", [], True, PageNumbering(1, 0)),
        ("http://a/t/8?page=2", "http://a/t/8?page=", [], False, None),
        ("http://a/t/8?start=20", "http://a/t/8?start=", [], True, PageNumbering(20, 0)),
        ("http://a/t/8?start=1", "http://a/t/8?start=", [], True, None),
        ("http://a/t/8?start=501", "http://a/t/8?start=", [], True, None),
        ("http://a/t/8?year=20", "http://a/t/8?year=", [], True, None),
        ("http://a/t/8?start=40", "http://a/t/8?start=", [("", 20), ("", 60)], False, PageNumbering(20, 0)),
        ("http://a/t/8?start=40", "http://a/t/8?start=", [("Older", 20)], False, None),
        ("http://a/t/8?start=40", "http://a/t/8?start=", [("", 21)], False, None),
        ("http://a/t/8", "http://a/t/8?start=", [("", 1000)], False, None),
        ("http://a/t/8", "http://a/t/8?id=", [("", 2)], False, None),
        ("http://a/u/9", "http://a/t/8?page=", [("", 2)], False, None),
    ],
)
def test_the_name_in_the_url_gives_the_numbering(
    url: str, before: str, links: list[tuple[str, int]], back: bool, numbering: PageNumbering | None
) -> None:
    outline, entries = _links(*links)
    found = numbering_from_url_name(outline, url, NumberSlot(before, ""), entries, leads_back=back)
    assert found == numbering


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
