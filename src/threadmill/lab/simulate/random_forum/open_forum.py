"""Opens a random forum by its seed: draws its choices, makes them agree, and finds the traits they stand for.

A preset holds the choices that make it look like an engine. All other choices are drawn.
"""

from __future__ import annotations

from dataclasses import replace

from threadmill.errors import UsageError
from threadmill.lab.simulate.content.language import load_language
from threadmill.lab.simulate.content.seeded_random import pick_one, random_fraction
from threadmill.lab.simulate.content.shown_dates import DateStyle, ForumZone
from threadmill.lab.simulate.content.traits import ForumTraits
from threadmill.lab.simulate.forum import SimulatedForum
from threadmill.lab.simulate.random_forum.choices import ForumChoices, draw_choices
from threadmill.lab.simulate.random_forum.layout import RandomLayout

ZONES = {
    "utc": ForumZone(0),
    "europe": ForumZone(60, summer=True),
    "east": ForumZone(480),
    "west": ForumZone(-300),
}
_PAGE_SIZES = {"tiny": (4, 5), "small": (6, 8), "normal": (10, 10), "large": (25, 20)}
_WHOLE = 1000  # posts on a page that shows the whole thread
# Date formats of forum engines and mail archives. The first of a language is its usual one.
_NUMERIC = {
    "en": ("{mm}/{dd}/{Y}", "{d} {mon} {Y}"),
    "de": ("{dd}.{mm}.{Y}", "{d}. {month} {Y}"),
    "fr": ("{dd}/{mm}/{Y}", "{d} {month} {Y}"),
    "es": ("{dd}/{mm}/{Y}", "{d} de {month} de {Y}"),
    "it": ("{dd}/{mm}/{Y}", "{d} {month} {Y}"),
    "pl": ("{dd}.{mm}.{Y}", "{d} {month} {Y}"),
    "ru": ("{dd}.{mm}.{Y}", "{d} {month} {Y}"),
    "tr": ("{dd}.{mm}.{Y}", "{d} {month} {Y}"),
    "zh": ("{Y}-{m}-{d}", "{Y}年{m}月{d}日"),
    "ja": ("{Y}/{mm}/{dd}", "{Y}年{m}月{d}日"),
    "nl": ("{dd}-{mm}-{Y}", "{d} {month} {Y}"),
    "sr": ("{dd}.{mm}.{Y}.", "{d}. {month} {Y}."),
}
_FORBIDDEN = ("login", "register", "search", "members")
_CJK = {"zh", "ja"}
_SHORT_YEARS = {"de", "fr", "es", "it", "ru", "nl"}  # 24.05.16 is a date there, and no other
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


def random_choices(seed: int | str, **fixed: str) -> ForumChoices:
    """Draw the choices of a forum, made to agree with each other."""
    return resolve(draw_choices(seed, **fixed))


def open_random_forum(seed: int | str, scale: str | int = 0, **fixed: str) -> SimulatedForum:
    """Draw a forum by a seed. `scale` is its number of posts by 2017 (0: 240 to 360); `fixed` are choices."""
    choices = random_choices(seed, **fixed)
    name = f"random-{seed}"
    layout = RandomLayout(choices, seed)
    size = scale or int(240 + 120 * random_fraction(name, "size"))
    robots = tuple(layout.other_url(word) for word in _FORBIDDEN) if choices.robots == "some" else ()
    forum = SimulatedForum(make_traits(choices, name, robots), layout, size)
    layout.world = forum.world
    return forum


def date_pattern(choices: ForumChoices) -> tuple[str, str]:
    """Return the pattern of the day and of the time."""
    numeric, written = _NUMERIC[choices.language]
    worded = (
        written if choices.language in _CJK else "{mon} {d}, {Y}" if choices.language == "en" else written
    )
    day = {
        "f0": "{Y}-{mm}-{dd}", "f1": numeric, "f2": numeric, "f3": written, "f4": written, "f5": worded,
        "f6": "{wd}, " + written if choices.language not in _CJK else written, "f7": "{Y}-{mm}-{dd}",
        "f8": numeric, "f9": written, "f10": "{Y}/{mm}/{dd}", "f11": worded,
        "f12": "{dd}/{mon}/{Y}" if choices.language not in _CJK else written,
        "f13": "{wd} {mon} {dd}, {Y}" if choices.language == "en" else written,
        "f14": "{wd}, {dd} {mon} {Y}" if choices.language not in _CJK else numeric,
        "f15": numeric.replace("{Y}", "{yy}") if choices.language in _SHORT_YEARS else numeric,
    }[choices.date_format]  # fmt: skip
    twelve = choices.language == "en" and choices.date_format in {"f1", "f5", "f11"}
    time = "{h}:{MM} {ap}" if twelve else "{HH}:{MM}"
    if choices.date_format in {"f0", "f8", "f6", "f14"} and not twelve:
        time = "{HH}:{MM}:{SS}"
    if choices.date_format == "f14" and choices.zone == "utc":
        time += " +0000"  # as in mail
    if choices.date_format == "f9":
        time = ""  # days only
    return day, time


def date_style(choices: ForumChoices, *, row: bool) -> DateStyle:
    """Return how posts or rows write dates."""
    day, time = date_pattern(choices)
    joint = {"f2": ", ", "f5": ", ", "f7": "T"}.get(choices.date_format, " ") if time else ""
    if choices.date_format in {"f3", "f11"} and choices.language == "en" and time:
        joint = " at "
    absolute = f"{day}{joint}{time}"
    exact = "{Y}-{mm}-{dd} {HH}:{MM}:{SS}" if choices.date_markup in {"time", "title"} and not row else ""
    if choices.date_words in {"today", "weekdays"} and time:
        week = f"{{weekday}}, {time}" if choices.date_words == "weekdays" else ""
        return DateStyle(absolute, f"{{today}}, {time}", f"{{yesterday}}, {time}", 0, exact, week)
    days = {"recent": 14, "always": 100_000}.get(choices.date_words, 0)
    return DateStyle(absolute, relative_days=days, exact=exact)


def make_traits(choices: ForumChoices, name: str, robots: tuple[str, ...] = ()) -> ForumTraits:
    """Return the traits of a forum that was chosen."""
    language = load_language(choices.language)
    posts, threads = _PAGE_SIZES[choices.page_size]
    if choices.shape == "message":
        posts = 1
    elif choices.paging == "fragment" or choices.shape in {"tree", "imageboard"}:
        posts = _WHOLE
    all_threads = choices.boards in {"none", "all"}
    shape = {"nested": "nested", "tree": "nested", "questions": "questions"}.get(choices.shape, "flat")
    count = {"one": 1, "none": 1, "several": 3, "all": 3}.get(choices.boards, 5)
    return ForumTraits(
        name,
        f"{pick_one(language.places, name, 'title')} {language.words['forum']}",
        "random",
        choices.language,
        "drawn at random",
        zone=ZONES[choices.zone],
        index_order=choices.index_order,
        post_order=choices.order,
        threads_per_page=threads,
        posts_per_page=posts,
        shape=shape,
        lead="every" if choices.shape == "tree" else "first" if choices.lead == "stub" else choices.lead,
        stickies=0 if choices.stickies == "none" else 1,
        sticky_pages="every" if choices.stickies == "every" else "first",
        index_dates=choices.row_dates,
        last_link=choices.last_link,
        row_pages=choices.row_pages == "yes",
        counts_first=choices.counters == "posts",
        index_date=date_style(choices, row=True),
        post_date=date_style(choices, row=False),
        session_ids=choices.sessions == "yes",
        guests={"imageboard": 0.7}.get(choices.shape, 0.12 if choices.guests == "some" else 0.0),
        rel_next=choices.pager == "rel_only" or random_fraction(name, "rel next") < 0.2,
        feed=choices.feed,
        sitemap=choices.sitemap,
        validators=choices.validators,
        closed_board=choices.closed == "one",
        robots=robots,
        missing_status=200 if random_fraction(name, "missing") < 0.2 else 404,
        overrun=choices.overrun,
        edited=0.08 if choices.edits == "note" else 0.0,
        moves=2 if choices.moved == "yes" else 0,
        merges=0,
        all_threads=all_threads,
        board_pages=choices.boards != "none",
        board_count=count,
        sub_boards=choices.boards == "nested",
        longest=32,
        thread_length=1.7,
    )


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
