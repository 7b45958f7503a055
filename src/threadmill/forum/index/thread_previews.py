"""Finds the threads of an index page that shows posts: an imageboard, a list of the latest posts.

Such a page looks like one long thread. Its links tell the difference: the posts of one thread lead to one
page, and the next posts lead to another.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby

from threadmill.forum.link_urls import (
    absolute_url,
    is_unnamed,
    names_service_page,
    same_site,
    url_fields,
)
from threadmill.forum.posts.authors import PERSON_WORDS, find_authors
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import RecordTable
from threadmill.types import ThreadRow

_DIGITS = re.compile(r"\d+")
_NEARLY_ALL = 0.9  # of the posts have a link of the kind
_MOSTLY = 0.7  # of the threads show several posts
_MIN_POSTS = 3  # two posts by two people may link two profiles
_MIN_BUTTONS = 3
_MAX_LABEL = 40  # characters of a link that is a button or a number
_MAX_TITLE = 120

_Links = list[tuple[int, str]]  # element and target
_Runs = list[tuple[int, int]]  # first and last element


def find_thread_previews(outline: PageOutline, table: RecordTable) -> tuple[ThreadRow, ...]:
    """One row for each thread whose posts the page shows. Empty on a page of a single thread."""
    if len(table.records) < _MIN_POSTS:
        return ()
    starts = sorted(record.start for record in table.records)
    groups = _group_links(outline)
    shared = [runs for links in groups if (runs := _find_shared_runs(links, table, starts))]
    found = [
        links
        for links in groups
        # A page for writing a reply names the thread too, but it does not show the thread.
        if not names_service_page(links[0][1]) and _name_threads(outline, links, starts, shared)
    ]
    rows: dict[str, ThreadRow] = {}
    for element, target in min(found, key=lambda links: links[0][0], default=[]):
        rows.setdefault(target, ThreadRow(url=target, title=_title_before(outline, element)))
    return tuple(rows.values())


def _group_links(outline: PageOutline) -> list[_Links]:
    """The links of the page with the same label and URLs that are built alike."""
    groups: dict[tuple[str, int, tuple[str, ...], bool], _Links] = defaultdict(list)
    here = absolute_url(outline.base, outline.base)
    for element, href in enumerate(outline.hrefs):
        if not href or outline.text_length(element) > _MAX_LABEL or PERSON_WORDS.search(href):
            continue
        target = absolute_url(outline.base, href)
        if target and target != here and same_site(target, outline.base):
            label = _DIGITS.sub("0", outline.text(element, _MAX_LABEL)).casefold()
            fields = tuple(name for name in url_fields(target) if not is_unnamed(name))
            # Titles in URLs differ, and a page for writing names the thread too.
            key = label, target.count("/"), fields, names_service_page(target)
            groups[key].append((element, target))
    return [links for links in groups.values() if len({target for _, target in links}) > 1]


def _name_threads(outline: PageOutline, links: _Links, starts: Sequence[int], shared: list[_Runs]) -> bool:
    """Whether links name the threads of the page: one stands before the posts of each thread, or in them."""
    mine = _find_runs(links)
    for runs in shared:
        ends = [-1, *(last for _, last in runs)]
        pairs = zip(mine, ends, ends[1:], strict=False)
        if len(mine) == len(runs) and all(before < run[0] <= last for run, before, last in pairs):
            return True
    # Without other links, some buttons must stand before posts: a file may be linked in any post, and a date
    # above the first post may be written like the dates of posts.
    if not _MIN_BUTTONS <= len(links) == len(mine) < len(starts):
        return False
    if _DIGITS.search(outline.text(links[0][0], _MAX_LABEL)):
        return False
    after = [bisect_right(starts, element) for element, _ in links]
    return after[0] == 0 and _MOSTLY * len(links) <= len(set(after)) and after[-1] < len(starts)


def _find_runs(links: _Links) -> _Runs:
    """The first and last element of each run of links to one target. Empty if a target comes back later."""
    runs = [[element for element, _ in run] for _, run in groupby(links, key=lambda link: link[1])]
    if len(runs) > len({target for _, target in links}):
        return []
    return [(run[0], run[-1]) for run in runs]


def _find_shared_runs(links: _Links, table: RecordTable, starts: Sequence[int]) -> _Runs:
    """The runs of links that nearly every post has and that neighbouring posts share. Else empty."""
    by_post: dict[int, str] = {}
    for element, target in links:
        by_post.setdefault(bisect_right(starts, element) - 1, target)
    by_post.pop(-1, None)
    runs = _find_runs(links)
    # A post may link itself twice. Only links of several posts to one target show a thread.
    if len(by_post) < _NEARLY_ALL * len(starts) or not 1 < len(runs) <= len(by_post):
        return []
    if len(set(by_post.values())) == len(by_post):
        return []
    return [] if _follows_authors(by_post, table) else runs


def _follows_authors(by_post: dict[int, str], table: RecordTable) -> bool:
    """Whether each author has one target: then the links lead to people."""
    pairs = {
        (author.name, by_post[number])
        for number, author in find_authors(table).authors.items()
        if number in by_post
    }
    names, targets = {name for name, _ in pairs}, {target for _, target in pairs}
    return bool(pairs) and len(names) == len(targets) == len(pairs)


def _title_before(outline: PageOutline, element: int) -> str:
    """The text directly before a link, in the same block: imageboards put the subject there."""
    segment = outline.text_from[element] - 1
    while segment >= 0 and not any(map(str.isalnum, outline.segments[segment])):
        segment -= 1
    before = outline.segments[segment].strip() if segment >= 0 else ""
    return before if 0 < len(before) <= _MAX_TITLE else outline.text(element, _MAX_TITLE)
