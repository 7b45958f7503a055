"""Presets: the choices that make a random forum look like an engine. All other choices are drawn."""

from __future__ import annotations

from threadmill.errors import UsageError

PRESETS: dict[str, dict[str, str]] = {
    "phorum": {
        "shape": "flat", "urls": "bare_comma", "ids": "number", "paging": "page", "boards": "several", "rows": "table",
        "posts": "div", "author_place": "head", "counters": "both", "pager": "numbers_next",
    },
    "fudforum": {
        "shape": "flat", "urls": "one_script", "ids": "number", "paging": "offset", "boards": "nested", "rows": "table",
        "posts": "nested_tables", "author_place": "column", "profile": "long", "permalink": "number", "counter_words": "header",
    },
    "misago": {
        "shape": "flat", "urls": "path", "ids": "number", "slugs": "yes", "paging": "cursor", "pager": "load_more", "boards": "all",
        "rows": "ul", "posts": "ul", "author_place": "column", "date_markup": "time", "permalink_url": "redirect",
    },
    "xiuno": {
        "shape": "flat", "urls": "bare_htm", "ids": "number", "paging": "page", "boards": "all", "language": "zh", "rows": "ul",
        "posts": "ul", "author_place": "head", "date_words": "always", "avatar": "linked",
    },
    "rewritten": {
        "shape": "flat", "urls": "path_html", "slugs": "no", "ids": "number", "paging": "page", "boards": "all", "language": "zh",
        "rows": "ul", "posts": "ul", "author_place": "head", "date_words": "recent", "avatar": "linked",
    },
    "tree": {
        "shape": "tree", "urls": "query", "ids": "number", "boards": "none", "author_link": "bold", "posts": "div",
    },
    "mylittleforum": {
        "shape": "message", "urls": "one_script", "ids": "number", "boards": "none", "author_link": "plain",
    },
    "mhonarc": {
        "shape": "message", "urls": "path_html", "slugs": "no", "ids": "number", "boards": "none", "author_link": "plain",
        "classes": "none", "language": "en", "date_words": "never",
    },
    "question2answer": {
        "shape": "questions", "urls": "path", "ids": "number", "slugs": "yes", "boards": "all", "date_words": "recent",
        "author_place": "after", "author_word": "by", "posts": "div", "paging": "offset",
    },
    "redmine": {
        "shape": "flat", "urls": "nested_path", "ids": "number", "slugs": "no", "boards": "several", "rows": "table", "posts": "div",
        "lead": "every", "author_place": "heading", "subject": "each", "paging": "page", "date_markup": "title",
    },
    "bbpress": {
        "shape": "flat", "urls": "path", "ids": "slug", "paging": "page", "boards": "several", "rows": "ul", "posts": "div",
        "author_place": "column", "permalink": "number", "date_place": "head", "row_dates": "active", "date_words": "recent",
    },
    "nodebb": {
        "shape": "flat", "urls": "path", "ids": "number", "slugs": "yes", "paging": "page", "boards": "nested", "rows": "ul",
        "posts": "ul", "post_ids": "data", "date_markup": "time", "classes": "utility",
    },
    "discuz": {
        "shape": "flat", "urls": "path_html", "slugs": "no", "ids": "number", "paging": "page", "boards": "several", "rows": "table",
        "posts": "tables", "author_place": "column", "language": "zh", "last_link": "redirect", "date_words": "recent", "number": "hash",
    },
    "mybb": {
        "shape": "flat", "urls": "query", "ids": "number", "paging": "page", "boards": "nested", "rows": "table", "posts": "div",
        "author_place": "column", "profile": "long", "permalink": "number", "date_words": "today", "signatures": "block",
    },
    "phpbb": {
        "shape": "flat", "urls": "query", "ids": "number", "paging": "offset", "boards": "nested", "rows": "dl", "posts": "div",
        "author_word": "by", "date_label": "none", "permalink": "icon", "profile": "long", "last_link": "permalink",
    },
    "yabb": {
        "shape": "flat", "urls": "slash_query", "ids": "number", "paging": "offset", "boards": "several", "rows": "table",
        "posts": "table_rows", "author_place": "column", "profile": "long",
    },
    "smf": {
        "shape": "flat", "urls": "semicolon", "ids": "number", "paging": "offset", "boards": "nested", "rows": "table", "posts": "div",
        "author_place": "column", "subject": "each", "date_words": "today",
    },
    "spirit": {
        "shape": "flat", "urls": "path", "ids": "number", "slugs": "yes", "paging": "page", "boards": "all", "rows": "div",
        "posts": "div", "author_place": "head", "date_markup": "title", "date_words": "always", "permalink": "date",
    },
    "hacker_news": {
        "shape": "nested", "urls": "one_script", "ids": "number", "boards": "none", "posts": "nested_tables", "nesting": "margin",
        "rows": "table", "pager": "load_more", "date_words": "always", "permalink": "date",
    },
    "imageboard": {"shape": "imageboard", "urls": "path_html", "ids": "number", "boards": "several", "author_link": "plain"},
    "newspaper": {"shape": "news", "urls": "path_html", "slugs": "yes", "boards": "all", "posts": "ul", "classes": "hashed"},
    "usenet": {"shape": "message", "urls": "nested_path", "ids": "hash", "boards": "several", "classes": "none"},
}  # fmt: skip


def preset(name: str) -> dict[str, str]:
    """Return the choices of a preset."""
    if name not in PRESETS:
        raise UsageError(f"there is no preset {name!r}; expected one of {', '.join(PRESETS)}")
    return PRESETS[name]
