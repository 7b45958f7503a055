"""Hints: schema.org's names tell what a page may be."""

from __future__ import annotations

from datetime import UTC, datetime

from threadmill.forum.page_analysis import PageAnalysis
from threadmill.forum.page_class.features import hint_features
from threadmill.page.parse.tree import parse

NOW = datetime(2020, 6, 17, 12, tzinfo=UTC)


def test_json_ld_and_microdata_are_both_heard() -> None:
    linked = '<script type="application/ld+json">{"@type":"DiscussionForumPosting"}</script><p>words</p>'
    marked = '<div itemscope itemtype="https://schema.org/QAPage">words</div>'

    for page in (linked, marked):
        assert hint_features(PageAnalysis(parse(page.encode(), ""), NOW))["s_thread"] == 1.0


def test_news_article_is_no_thread() -> None:
    page = b'<script type="application/ld+json">{"@type":"NewsArticle"}</script><p>words</p>'
    found = hint_features(PageAnalysis(parse(page, ""), NOW))

    assert (found["s_thread"], found["s_other"]) == (0.0, 1.0)
