"""Totals in statistics boxes, in several languages and shapes."""

from datetime import UTC, datetime

import pytest

from threadmill.forum.index.stated_totals import find_stated_totals
from threadmill.forum.read_page import PageAnalysis
from threadmill.page.parse.tree import parse

NOW = datetime(2024, 1, 1, tzinfo=UTC)


def totals(html: str) -> dict[str, int]:
    page = f"<html><body><h1>Forum</h1>{html}</body></html>"
    return find_stated_totals(PageAnalysis(parse(page.encode(), "https://f.example/"), NOW))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>Total posts <b>1,620</b> • Total topics <b>143</b></p>", {"posts": 1620, "threads": 143}),
        ("<div>Beiträge: 12.345, Themen: 1.002</div>", {"posts": 12345, "threads": 1002}),
        ("<p>1620 posts in 143 topics by 25 members</p>", {"posts": 1620, "threads": 143}),
        ("<p>主题: 143</p><p>帖子: 1852</p>", {"posts": 1852, "threads": 143}),
        ("<p>Всего сообщений: 525</p>", {"posts": 525}),
        ("<p>Welcome to our forum. It opened in 2004.</p>", {}),
    ],
)
def test_totals_are_read_beside_their_words(html: str, expected: dict[str, int]) -> None:
    assert totals(html) == expected
