"""What was learnt about a forum, in words."""

import pytest

from threadmill.console.forums.routes import _describe_pager, _plain_pattern
from threadmill.forum.paging.page_urls import PageUrlStyle
from threadmill.forum.site_model.model import UrlFamily


@pytest.mark.parametrize(
    ("pattern", "shown"),
    [
        (r"https://a\.test/t/(\d+)", "https://a.test/t/N"),
        (r"https://a\.test/viewtopic\.php\?t=\d+", "https://a.test/viewtopic.php?t=N"),
        (r"https://a\.test/t/([^/]+)-(\d+)", "https://a.test/t/…-N"),
    ],
)
def test_a_pattern_is_shown_as_a_person_writes_it(pattern: str, shown: str) -> None:
    assert _plain_pattern(pattern) == shown


@pytest.mark.parametrize(
    ("family", "words"),
    [
        (UrlFamily(), "links are followed"),
        (UrlFamily(style=PageUrlStyle("after", step=0)), "a mark in “after” that cannot be computed"),
        (
            UrlFamily(style=PageUrlStyle("start", step=20, start=0), per_page=20),
            "the parameter “start”; it begins with 0 and grows by 20; 20 entries on a page",
        ),
        (UrlFamily(style=PageUrlStyle(insert="/page-{}")), "“/page-N” in the path"),
    ],
)
def test_a_pager_is_described_by_where_its_number_stands(family: UrlFamily, words: str) -> None:
    assert words in _describe_pager(family)
