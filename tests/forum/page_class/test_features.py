"""Features of a page, by name."""

from __future__ import annotations

from datetime import UTC, datetime

from tests.forum import known_values
from threadmill.forum.page_analysis import PageAnalysis
from threadmill.forum.page_class.features import hint_features, page_features
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


def test_every_feature_has_the_value_that_the_weights_were_trained_for() -> None:
    assert known_values.differences("features") == []


def test_a_page_without_anything_has_no_posts_no_rows_and_no_text() -> None:
    found = page_features(PageAnalysis(parse(b"", "http://a.test/"), NOW))
    assert {name: value for name, value in found.items() if value} == {"elements": found["elements"]}


def test_a_form_with_a_password_is_seen() -> None:
    page = b'<form><input type="Password"></form>'
    assert page_features(PageAnalysis(parse(page, "http://a.test/"), NOW))["password"] == 1.0


def test_a_word_in_the_url_counts_before_the_canonical_url() -> None:
    page = b'<head><link rel="canonical" href="http://a.test/thread/5"></head><p>words</p>'
    saved = hint_features(PageAnalysis(parse(page, ""), NOW))
    fetched = hint_features(PageAnalysis(parse(page, "http://a.test/forum/2"), NOW))
    assert (saved["u_thread"], saved["u_index"]) == (1.0, 0.0)
    assert (fetched["u_thread"], fetched["u_index"]) == (0.0, 1.0)


def test_a_collection_is_an_index() -> None:
    page = b'<script type="application/ld+json">{"@type": "CollectionPage"}</script>'
    found = hint_features(PageAnalysis(parse(page, ""), NOW))
    assert (found["s_index"], found["s_thread"], found["s_other"]) == (1.0, 0.0, 0.0)
