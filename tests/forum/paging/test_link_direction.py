"""Which way a link leads: words, arrows and marks."""

import pytest

from threadmill.forum.paging.link_direction import is_back, is_next, says_next
from threadmill.forum.records.page_outline import PageOutline
from threadmill.page.parse.tree import parse


def _outline(link: str) -> tuple[PageOutline, int]:
    outline = PageOutline(parse(f"<html><body>{link}</body></html>", "http://a/"))
    return outline, outline.tags.index("a")


@pytest.mark.parametrize("words", ["Next", "next »", "›", "Weiter", "下一页", "след."])
def test_words_and_arrows_for_next(words: str) -> None:
    assert says_next(words)


@pytest.mark.parametrize("words", ["Next thread of this rather long board title", "«", "12"])
def test_other_words_are_not_next(words: str) -> None:
    assert not says_next(words)


def test_marks_count_where_a_link_shows_nothing() -> None:
    assert is_next(*_outline('<a class="page-next" href="?p=2"></a>'))
    assert is_back(*_outline('<a class="page-prev" href="?p=1"></a>'))
