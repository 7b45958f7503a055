"""Where a link of a pager leads: words, arrows and marks."""

import pytest

from threadmill.forum.paging.link_direction import is_back, is_next, is_step, says_next
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
