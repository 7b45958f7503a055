"""Makes drawn choices agree with each other, so that a real engine could have made them."""

from __future__ import annotations

from dataclasses import replace

from threadmill.lab.simulate.random_forum.choices import ForumChoices

_SLUG_IDS = {"path", "nested_path", "query", "one_script", "query_path", "query_slash_path"}
_TITLED = {"path", "path_html", "nested_path", "query_path", "query_slash_path"}
_DASHED = {"bare_htm", "path_html"}  # base64 may contain a dash
_WITH_SESSIONS = {"query", "one_script", "semicolon"}
_FLOWING = {"hr", "dl"}  # markup without room for a column
_FLAT_MARKUP = {"table_rows", "tables", "hr", "dl"}  # cannot contain other posts
_LEGACY = {"ru", "de", "fr", "es", "it", "nl", "en", "pl", "tr", "zh", "ja"}


def resolve(choices: ForumChoices) -> ForumChoices:
    """Change what contradicts: shape rules, then URLs, paging, posts and rows."""
    for step in (_shape, _boards, _urls, _paging, _posts, _bylines, _rows):
        choices = step(choices)
    return choices


def _shape(c: ForumChoices) -> ForumChoices:
    if c.shape in {"message", "tree"}:
        c = replace(
            c, lead="none", order="asc", reply_note="none", neighbours="none", row_pages="no", stickies="none", moved="no", number="none",
            similar="none", adverts="none", polls="none", last_link="none", counters="none", row_dates="active",
        )  # fmt: skip
        if c.paging == "fragment":
            c = replace(c, paging="page")
    if c.shape == "message":
        c = replace(c, permalink="none", post_ids="none", excerpt="none")
    if c.shape == "imageboard":
        c = replace(
            c, avatar="none", profile="none", signatures="none", thanks="none", lead="none", order="asc",
            author_place="head" if c.author_place in {"column", "after"} else c.author_place, excerpt="none",
            guests="some", moved="no", ids="number",
        )  # fmt: skip
    if c.shape == "news":
        c = replace(c, lead="first", order="asc", subject="none", moved="no")
    if c.shape in {"nested", "questions"}:
        c = replace(c, order="asc", lead="none")
    if c.shape in {"nested", "tree"} and c.posts in _FLAT_MARKUP and c.nesting == "inside":
        c = replace(c, nesting="margin")
    return c


def _boards(c: ForumChoices) -> ForumChoices:
    if c.boards in {"one", "none"}:
        c = replace(c, moved="no")
    if c.boards in {"none", "all"} and c.urls == "nested_path":
        c = replace(c, urls="path")
    if c.board_counters in {"none", "topics"} and c.board_last == "none":  # no sign of a new post
        c = replace(c, board_counters="topics_posts")
    if c.closed == "one" and c.boards not in {"several", "nested"}:
        c = replace(c, closed="none")
    if c.charset == "legacy" and c.language not in _LEGACY:
        c = replace(c, charset="utf8")
    return c


def _urls(c: ForumChoices) -> ForumChoices:
    if c.ids == "slug" and (c.urls not in _SLUG_IDS or c.shape == "message"):
        c = replace(c, ids="number")
    if c.ids == "base64" and c.urls in _DASHED:
        c = replace(c, ids="hash")
    if c.slugs == "yes" and (c.urls not in _TITLED or c.ids == "slug"):
        c = replace(c, slugs="no")
    if c.sessions == "yes" and c.urls not in _WITH_SESSIONS:
        c = replace(c, sessions="no")
    if c.link_style == "bare" and c.mount == "folder":
        c = replace(c, link_style="path")
    return c


def _paging(c: ForumChoices) -> ForumChoices:
    if c.paging == "cursor":
        pager = {"numbers_next": "prev_next", "numbers": "older", "page_of": "prev_next"}.get(
            c.pager, c.pager
        )
        last = "permalink" if c.last_link == "page" else c.last_link
        c = replace(c, pager=pager, row_pages="no", last_link=last, overrun="last")
        if c.stickies == "every":  # a cursor names the first row of a page, stickies are on all of them
            c = replace(c, stickies="first")
    if c.paging == "fragment":
        c = replace(c, row_pages="no")
    if c.pager in {"load_more", "older", "rel_only"}:
        c = replace(c, pager_place="bottom")
    return c


def _posts(c: ForumChoices) -> ForumChoices:
    if c.permalink == "number" and c.number == "none":
        c = replace(c, number="hash")
    if c.permalink != "none" and c.permalink_url == "fragment" and c.post_ids in {"none", "data"}:
        c = replace(c, post_ids="id")
    if c.permalink == "none":
        c = replace(c, permalink_url="fragment")
    if c.quotes == "div" and c.classes != "words":  # nothing would tell the quote from the answer
        c = replace(c, quotes="blockquote")
    if c.lead == "stub" and c.order == "desc":
        c = replace(c, lead="none")
    if c.last_link == "permalink" and c.post_ids == "none":
        c = replace(c, last_link="redirect")
    return c


def _bylines(c: ForumChoices) -> ForumChoices:
    if c.author_place == "column" and (c.posts in _FLOWING or c.shape in {"message", "questions", "tree"}):
        c = replace(c, author_place="head")
    if c.author_place != "column":
        c = replace(c, profile="short" if c.profile == "long" and c.posts in _FLOWING else c.profile)
        if c.date_place == "column":
            c = replace(c, date_place="head")
    if c.author_place == "after" and c.date_place == "head" and c.author_word == "wrote":
        c = replace(c, author_word="by")
    if c.author_place in {"column", "heading"} and c.author_word in {"wrote", "label"}:
        c = replace(c, author_word="none")
    return c


def _rows(c: ForumChoices) -> ForumChoices:
    if c.counters == "none" and c.row_dates in {"none", "created"}:  # no sign of a new post
        c = replace(c, row_dates="active")
    if c.row_dates in {"none", "created"} and c.date_words == "always" and c.counters == "none":
        c = replace(c, counters="replies")
    if c.counter_words == "header" and c.rows != "table":
        c = replace(c, counter_words="after")
    if c.shape in {"news", "questions"} and c.counters == "none":
        c = replace(c, counters="replies")
    return c
