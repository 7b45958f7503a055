"""The choices a random forum is drawn from. Each has a few values, with a weight and a phrase in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import cast

from threadmill.errors import UsageError
from threadmill.lab.simulate.content.seeded_random import random_fraction

Options = Mapping[str, tuple[int, str]]  # value → weight, what it means
# Not all that the simulator speaks: one more would change what every seed draws, and so the figures of old.
_LANGUAGES = ("en", "de", "fr", "es", "it", "pl", "ru", "tr", "zh", "ja", "nl", "sr")


def _one_of(**options: tuple[int, str] | str) -> str:
    """Declare the values of a choice. A phrase alone has the weight 4."""
    table = {name: (4, option) if isinstance(option, str) else option for name, option in options.items()}
    return cast("str", field(metadata={"options": table}))


@dataclass(frozen=True, slots=True)
class ForumChoices:
    """What was chosen for one forum. Every field is one independent choice."""

    # -- what kind of forum it is
    shape: str = _one_of(
        flat=(26, "threads are flat lists of posts"),
        nested=(4, "replies stand under replies"),
        questions=(4, "questions, answers and comments"),
        message=(5, "every message has a page of its own"),
        tree=(3, "the index shows a tree of subjects; whole threads have a page too"),
        imageboard=(3, "imageboard: the index shows first posts and the last replies"),
        news=(3, "articles with comments"),
    )
    boards: str = _one_of(
        nested=(6, "boards in boards"),
        several=(6, "several boards"),
        one=(3, "one board"),
        none=(4, "no boards: the start page is the list of threads"),
        all=(3, "the start page lists the threads of all boards"),
    )
    language: str = _one_of(**{code: f"language {code}" for code in _LANGUAGES})
    zone: str = _one_of(
        utc="clock in UTC",
        europe="clock in Europe",
        east="clock eight hours ahead",
        west="clock five hours behind",
    )
    charset: str = _one_of(utf8=(9, "UTF-8"), legacy=(1, "a legacy charset"))

    # -- URLs
    urls: str = _one_of(
        path="paths (/thread/12)",
        path_html="paths with html (/title-t12.html)",
        nested_path=(3, "threads under boards (/boards/1/topics/2)"),
        query=(5, "queries (viewtopic.php?t=12)"),
        one_script="one script for everything (index.php?t=msg&th=12)",
        bare_comma="query without = (read.php?1,1003,page=2)",
        bare_htm="query without = (?thread-143.htm)",
        query_path="path as query (index.php?threads/title.1/)",
        query_slash_path="path as query (index.php?/topic/1-x/)",
        comma=(2, "commas in paths (/topic,12,page,2.html)"),
        semicolon=(2, "semicolons (index.pl?topic=12;start=20)"),
        slash_query=(2, "slash in a query value (YaBB.pl?num=12/20)"),
    )
    ids: str = _one_of(
        number=(16, "numbers as ids"),
        hash=(2, "hashes as ids"),
        base64=(1, "base64 ids"),
        slug=(3, "slugs as ids"),
    )
    slugs: str = _one_of(no="no titles in URLs", yes="titles in URLs")
    mount: str = _one_of(root=(6, "at the root of the host"), folder=(3, "in a folder of the host"))
    link_style: str = _one_of(
        path=(6, "links as absolute paths"), full=(3, "links with host"), bare=(3, "relative links")
    )
    sessions: str = _one_of(no=(9, "no session ids"), yes=(1, "session ids in links"))
    profiles: str = _one_of(id=(6, "profiles by id"), name=(3, "profiles by name"))

    # -- paging
    paging: str = _one_of(
        page=(8, "pages by number"),
        offset=(4, "pages by offset"),
        cursor=(3, "pages by cursor"),
        fragment=(1, "whole threads on one page, fragments as pager"),
    )
    pager: str = _one_of(
        numbers_next=(6, "pager with numbers and next"),
        numbers="pager of numbers alone",
        prev_next="pager of previous and next",
        icons=(2, "pager of icons only"),
        page_of=(2, 'pager "page 1 of 3" with arrows'),
        load_more=(2, '"load more" links'),
        older=(2, '"older" and "newer" links'),
        rel_only=(1, "next page only as <link rel=next>"),
    )
    pager_place: str = _one_of(
        top=(2, "pager on top"),
        bottom=(4, "pager at the bottom"),
        both=(4, "pagers on top and at the bottom"),
    )
    row_pages: str = _one_of(no=(6, "no pages in rows"), yes=(4, "links to pages of a thread in its row"))
    page_size: str = _one_of(
        tiny=(2, "4 posts a page"),
        small=(4, "6 posts a page"),
        normal=(4, "10 posts a page"),
        large=(2, "25 posts a page"),
    )
    order: str = _one_of(asc=(9, "oldest posts first"), desc=(1, "newest posts first"))
    index_order: str = _one_of(activity=(7, "threads by last post"), creation=(2, "threads by creation"))
    lead: str = _one_of(
        none=(8, "first post like the others"),
        first=(2, "first post stands apart"),
        every=(1, "first post on every page"),
        stub=(1, "a stub of the first post on later pages"),
    )

    # -- markup
    classes: str = _one_of(
        words=(6, "classes named by words"),
        hashed=(3, "hashed class names"),
        utility=(2, "utility classes"),
        none=(2, "no classes at all"),
    )
    posts: str = _one_of(
        div=(5, "posts as div"),
        table_rows=(3, "posts as rows of a table"),
        tables=(3, "one table per post"),
        nested_tables=(3, "posts in nested tables"),
        ul=(3, "posts as list items"),
        dl=(2, "posts as dt and dd"),
        article=(3, "posts as article"),
        custom=(2, "posts as custom elements"),
        hr=(2, "posts divided by hr only"),
    )
    rows: str = _one_of(
        table=(6, "thread rows as table rows"),
        div=(4, "thread rows as div"),
        ul=(4, "thread rows as list items"),
        dl=(2, "thread rows as dl"),
        article=(2, "thread rows as article"),
        custom=(2, "thread rows as custom elements"),
        lines=(2, "thread rows as lines with br"),
    )
    board_rows: str = _one_of(
        table=(6, "boards as table rows"),
        div=(4, "boards as div"),
        ul=(3, "boards as list items"),
        dl=(2, "boards as dl"),
        lines=(1, "boards as lines"),
    )
    nesting: str = _one_of(
        inside="nested posts inside their parents",
        margin="nested posts by margin",
        depth="nested posts by a depth attribute",
    )

    # -- fields of a post
    author_place: str = _one_of(
        column=(4, "author in a column"),
        head=(6, "author above the body"),
        heading=(3, "author in a heading"),
        after=(2, "author after the body"),
    )
    author_link: str = _one_of(
        linked=(6, "authors linked"),
        plain=(2, "authors as plain text"),
        bold=(3, "authors in bold, not linked"),
    )
    author_word: str = _one_of(
        none=(6, "author without a word"),
        by=(3, 'author after "by"'),
        wrote=(2, 'author before "wrote"'),
        label=(1, "author after a label"),
    )
    author_attribute: str = _one_of(
        none=(9, "no author attribute"), data=(1, "the author's name in a data attribute")
    )
    date_place: str = _one_of(
        head=(6, "date above the body"),
        column=(1, "date in the author's column"),
        after=(2, "date after the body"),
    )
    date_first: str = _one_of(no=(6, "author before date"), yes=(3, "date before author"))
    date_markup: str = _one_of(
        text=(6, "dates as text"),
        time=(4, "dates as time elements"),
        title=(2, "exact date in a title"),
        data=(1, "exact date in a data attribute"),
    )
    date_label: str = _one_of(none=(7, "no word before the date"), posted=(3, "a label before the date"))
    date_words: str = _one_of(
        never=(5, "dates in full"),
        today=(3, "today and yesterday in words"),
        recent=(2, "recent dates relative"),
        weekdays=(1, "dates of the last week by weekday"),
        always=(1, "all dates relative"),
    )
    date_format: str = _one_of(**{f"f{n}": f"date format {n}" for n in range(16)})
    permalink: str = _one_of(
        none=(4, "no permalinks"),
        date=(4, "permalink around the date"),
        number=(3, "permalink around the post's number"),
        icon=(2, "permalink on an icon"),
        word=(1, "permalink on a word"),
    )
    permalink_url: str = _one_of(
        fragment=(6, "permalinks are fragments"),
        page=(3, "permalinks show the page"),
        redirect=(1, "permalinks redirect"),
    )
    post_ids: str = _one_of(
        id=(6, "ids on posts"),
        anchor=(2, "<a name> before posts"),
        data=(2, "data attributes with ids"),
        none=(2, "no ids on posts"),
    )
    number: str = _one_of(
        none=(5, "no post numbers"), hash=(4, "post numbers #3"), plain=(1, "post numbers 3.")
    )
    avatar: str = _one_of(
        none=(4, "no avatars"), image=(2, "avatars"), linked=(3, "avatars linked to profiles")
    )
    profile: str = _one_of(
        none=(4, "nothing about authors"),
        short=(3, "rank of authors"),
        long=(3, "rank, posts and joining date of authors"),
    )
    subject: str = _one_of(none=(7, "no subjects in posts"), each=(3, "a subject in every post"))
    quotes: str = _one_of(
        blockquote=(4, "quotes as blockquote"), div=(2, "quotes as div"), table=(1, "quotes as table")
    )
    signatures: str = _one_of(
        none=(4, "no signatures"), block=(3, "signatures in a block"), line=(2, "signatures under a line")
    )
    edits: str = _one_of(none=(3, "no edit notes"), note=(4, "edit notes"))
    reply_note: str = _one_of(none=(9, "no reply notes"), note=(1, "posts say which post they answer"))
    thanks: str = _one_of(none=(7, "no thanks"), list=(2, "lists of thanks"))
    buttons: str = _one_of(
        none=(2, "no buttons in posts"),
        few=(4, "reply and report in posts"),
        many=(3, "many buttons in posts"),
    )
    paragraphs: str = _one_of(
        p=(4, "paragraphs as p"), br=(3, "paragraphs by br"), div=(1, "paragraphs as div")
    )

    # -- fields of a row
    row_author: str = _one_of(
        linked=(5, "authors linked in rows"), plain=(4, "authors in rows"), none=(3, "no authors in rows")
    )
    row_dates: str = _one_of(
        active=(6, "last date in rows"),
        both=(3, "first and last date in rows"),
        created=(2, "first date in rows"),
        none=(2, "no dates in rows"),
    )
    row_last: str = _one_of(author=(5, "last author in rows"), none=(4, "no last author in rows"))
    last_link: str = _one_of(
        none=(4, "no link to the last post"),
        page=(2, "link to the last page"),
        permalink=(3, "permalink of the last post"),
        redirect=(2, "redirect to the last post"),
    )
    counters: str = _one_of(
        both=(5, "replies and views"),
        replies=(4, "replies"),
        views_first=(2, "views before replies"),
        posts=(2, "posts counted with the first"),
        none=(1, "no counters"),
    )
    counter_words: str = _one_of(
        none=(3, "counters without words"),
        after=(4, "word after counter"),
        before=(2, "word before counter"),
        header=(4, "words in a header row"),
    )
    board_counters: str = _one_of(
        topics_posts=(5, "topics and posts of boards"),
        posts_topics=(2, "posts before topics of boards"),
        topics=(2, "topics of boards"),
        none=(1, "no counters of boards"),
    )
    board_last: str = _one_of(
        thread=(4, "last thread of boards"),
        date=(3, "last date of boards"),
        none=(2, "no last post of boards"),
    )
    number_format: str = _one_of(
        plain=(6, "plain counters"), comma=(2, "counters as 1,234"), short=(1, "counters as 1.2k")
    )
    board_groups: str = _one_of(one=(6, "one list of boards"), headings=(3, "boards under headings"))
    sub_boards: str = _one_of(rows=(3, "sub-boards as rows"), links=(3, "sub-boards as links in rows"))
    excerpt: str = _one_of(none=(7, "no excerpts"), text=(2, "excerpts in rows"))

    # -- what stands around
    stickies: str = _one_of(
        none=(3, "no stickies"), first=(4, "stickies on first pages"), every=(1, "stickies on every page")
    )
    moved: str = _one_of(no=(6, "no moved threads"), yes=(3, "stubs of moved threads"))
    polls: str = _one_of(none=(7, "no polls"), some=(2, "polls above threads"))
    adverts: str = _one_of(none=(7, "no adverts"), post=(2, "adverts shaped like posts"))
    sidebar: str = _one_of(
        none=(4, "no sidebar"),
        right=(4, "recent threads beside the content"),
        left=(2, "recent threads before the content"),
    )
    similar: str = _one_of(none=(6, "no similar threads"), list=(2, "similar threads below"))
    login: str = _one_of(link=(5, "a login link"), hint=(3, "log-in hints"), form=(2, "a login form"))
    tools: str = _one_of(
        none=(3, "no thread tools"),
        some=(4, "print and rss of threads"),
        many=(3, "print, rss, next topic and mark read"),
    )
    neighbours: str = _one_of(
        none=(7, "no links to other threads"), links=(2, "links to the previous and the next thread")
    )
    crumbs: str = _one_of(none=(3, "no breadcrumbs"), top=(6, "breadcrumbs"))
    online: str = _one_of(none=(5, "no people online"), list=(3, "people online"))
    guests: str = _one_of(none=(6, "members only"), some=(2, "some guests"))
    closed: str = _one_of(none=(8, "all boards open"), one=(1, "a board for members only"))
    robots: str = _one_of(none=(5, "no rules for robots"), some=(3, "robots must not log in or search"))
    validators: str = _one_of(
        none=(6, "no validators"), now=(2, "pages always modified"), truthful=(1, "truthful ETags")
    )
    sitemap: str = _one_of(none=(8, "no sitemap"), truthful=(1, "a sitemap"))
    feed: str = _one_of(none=(7, "no feed"), truthful=(1, "a feed"))
    overrun: str = _one_of(
        last=(4, "pages beyond the end show the last"),
        missing=(3, "pages beyond the end are missing"),
        redirect=(1, "pages beyond the end redirect"),
    )


def options_of(name: str) -> Options:
    """Return the values of a choice, each with its weight and its phrase."""
    found = next((item for item in fields(ForumChoices) if item.name == name), None)
    if found is None:
        raise UsageError(f"there is no choice {name!r}; expected one of {', '.join(choice_names())}")
    return cast("Options", found.metadata["options"])


def choice_names() -> list[str]:
    """Return the names of all choices."""
    return [item.name for item in fields(ForumChoices)]


def draw_choices(seed: int | str, **fixed: str) -> ForumChoices:
    """Draw every choice by a seed, except the given ones. The values may contradict each other."""
    for name, value in fixed.items():
        if value not in options_of(name):
            raise UsageError(f"{name} has no value {value!r}; expected one of {', '.join(options_of(name))}")
    return ForumChoices(**{name: fixed.get(name) or _draw(seed, name) for name in choice_names()})


def describe(choices: ForumChoices) -> list[tuple[str, str, str]]:
    """Return each choice with its value and its phrase."""
    return [
        (name, value, options_of(name)[value][1])
        for name in choice_names()
        for value in [str(getattr(choices, name))]
    ]


def _draw(seed: int | str, name: str) -> str:
    options = options_of(name)
    point = random_fraction("random forum", seed, name) * sum(weight for weight, _ in options.values())
    for value, (weight, _) in options.items():
        point -= weight
        if point < 0:
            return value
    return next(iter(options))
