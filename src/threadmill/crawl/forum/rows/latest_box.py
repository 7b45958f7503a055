"""Reads boxes of the latest threads or posts beside a list: they tell which threads were answered.

A box of the latest threads shows dates. A box of the latest posts has links with the number of a post.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from sqlalchemy import Connection

from threadmill.crawl.forum.knowledge import ForumKnowledge, LayoutKnowledge
from threadmill.crawl.forum.rows.row_state import (
    NAMED_POST,
    SEEN_AT,
    SURELY_CHANGED,
    TOLD_BY_BOX,
    Change,
    compare_with_post,
    state_of_row,
    tolerance_of,
)
from threadmill.forum.link_urls import absolute_url, strip_session
from threadmill.forum.paging.thread_walk import ThreadWalk
from threadmill.forum.read_page import PageAnalysis
from threadmill.forum.records.date_columns import sort_key
from threadmill.store.forum.activity import days_of
from threadmill.store.forum.posts import date_of_post, post_dates
from threadmill.store.forum.threads import ThreadState, change_thread, find_threads
from threadmill.types import Moment, ThreadRow
from threadmill.urls import resolve

_ZONES = 1  # day: dates of rows and of posts may be of other zones
_MIN_ROWS = 3  # two dates may be in order by chance
_NEAR_TAGS = 3
_NUMBER_ONE = re.compile(r"(?<!\d)0*1/?$")  # at the end of a URL: the first page
_NAMED_POST = re.compile(r"(?:.*\D)?(\d+)")  # a fragment with the number of a post: "comment-1148"


@dataclass(frozen=True, slots=True)
class LatestBox:
    """What a box tells: no other thread got a post since a day, and some known threads have news."""

    quiet_since: int  # day
    answered: frozenset[int]  # ids of threads
    place: str = field(default="", compare=False)  # on the page


def read_latest_box(
    connection: Connection,
    forum: int,
    knowledge: ForumKnowledge,
    analysis: PageAnalysis,
    listed: Mapping[str, ThreadRow],
) -> LatestBox | None:
    """The box of the latest threads of a page that tells most. None if no box can be trusted.

    A box is known by its place on the page. It is trusted where its dates fell while the threads had begun in
    another order, and where they were never out of order. A list of new threads shows other dates. Nor may
    the page list a thread with a later date that the box lacks. `listed` are the threads of the list itself,
    which is sorted by creation.
    """
    found: list[LatestBox] = []
    for place, rows in _find_lists(knowledge, analysis):
        known = find_threads(connection, forum, rows)
        stored = {key: dates for key in known if (dates := post_dates(connection, known[key].id))}
        active = [row.active for row in rows.values() if row.active]
        order = _judge_order(active, [stored[key][0] for key in rows if key in stored])
        if order == "either" and _differ_in_order(list(rows), list(listed)):
            order = "activity"
        quiet_since = _last_day(active[-1])
        others = (row.active for key, row in listed.items() if key not in rows and row.active)
        if any(_is_earlier(rows[key], last) for key, (_, last) in stored.items()) or any(
            moment.date.toordinal() > quiet_since + tolerance_of(moment.precision).days for moment in others
        ):
            order = "another"
        knowledge.rows.record_box(place, order)
        if order != "another" and knowledge.rows.trusts_box(place):
            answered = {known[key].id for key, (_, last) in stored.items() if _is_later(rows[key], last)}
            found.append(LatestBox(quiet_since, frozenset(answered), place))
    return min(found, key=lambda box: box.quiet_since, default=None)


@dataclass(frozen=True, slots=True)
class NamedPost:
    """A link of a page that leads to a post of a known thread."""

    link: str
    page: str  # URL of the page that shows the post
    number: str
    thread: ThreadState
    date: str | None  # of the post, in ISO 8601. None if it has none, or is not kept
    kept: bool


def find_named_posts(
    connection: Connection, forum: int, knowledge: ForumKnowledge, analysis: PageAnalysis
) -> dict[str, list[NamedPost]]:
    """The posts of known threads that the links of a page name by their fragments, by the place of the links.

    The URL of such a link may have a part that names a page of the thread.
    """
    outline = analysis.outline
    own, places = strip_session(analysis.tree.url), dict[str, str]()
    for index, href in enumerate(outline.hrefs):
        page = absolute_url(outline.base, href) if href and "#" in href else None
        if href and page and page != own:
            places.setdefault(f"{page}#{href.partition('#')[2]}", outline.chain(index, _NEAR_TAGS))
    return find_posts_of_links(connection, forum, knowledge.layout, places)


def find_posts_of_links(
    connection: Connection, forum: int, layout: LayoutKnowledge, places: Mapping[str, str]
) -> dict[str, list[NamedPost]]:
    """The posts of known threads that links name by their fragments, by the place of each link."""
    links: dict[str, tuple[str, tuple[str, ...]]] = {}  # number, keys of threads
    for link in places:
        page, _, fragment = link.partition("#")
        if match := _NAMED_POST.fullmatch(fragment):
            links[link] = (
                match[1],
                tuple(dict.fromkeys(layout.thread_key(url) for url in _shorter_urls(page))),
            )
    known = find_threads(connection, forum, {key for _, keys in links.values() for key in keys})
    found: dict[str, list[NamedPost]] = {}
    for link, (number, keys) in links.items():
        thread = next((known[key] for key in keys if key in known), None)
        if thread is not None and thread.posts:
            page = link.partition("#")[0]
            url = thread.url if _is_first_page(layout, page) else page
            date = date_of_post(connection, thread.id, number)
            one = NamedPost(link, url, number, thread, date or None, date is not None)
            found.setdefault(places[link], []).append(one)
    return found


def _is_first_page(layout: LayoutKnowledge, url: str) -> bool:
    """Does a URL lead to the first page of a thread? It may say so by a number that the usual URL has not."""
    split = layout.model.threads.split(url)
    return split[1] == 1 if split else _NUMBER_ONE.search(url) is not None


def _shorter_urls(url: str) -> Iterator[str]:
    """A URL, and the same without what may name a page: its last part, if it has a number, or its query."""
    yield url
    plain = url.partition("?")[0]
    if plain != url:
        yield plain
    head, _, last = plain.rstrip("/").rpartition("/")
    if any(letter.isdigit() for letter in last):
        yield f"{head}/"
        yield head


def note_latest_posts(knowledge: ForumKnowledge, named: Mapping[str, Sequence[NamedPost]]) -> dict[str, int]:
    """The day since when no thread outside a box of the latest posts got one, by the place of the box.

    A box of the latest posts is known by numbers that fall while its threads are of any age. Below its first
    post that is kept, it shows what an earlier visit could see.
    """
    found: dict[str, int] = {}
    for place, posts in named.items():
        numbers = [int(one.number) for one in posts]
        threads = [one.thread.id for one in posts]
        if len(numbers) < _MIN_ROWS:
            continue
        falls = all(one > other for one, other in pairwise(numbers))
        either = threads in (sorted(threads), sorted(threads, reverse=True))
        order = "another" if not falls else "either" if either else "activity"
        knowledge.rows.record_box(place, order)
        kept = next((day for one in posts if one.kept and (day := days_of(one.date))), None)
        if falls and kept is not None and knowledge.rows.trusts_box(place):
            found[place] = int(kept)
    return found


def is_full_of_news(posts: Sequence[NamedPost]) -> bool:
    """Does a box of the latest posts show news only? Then more may have come, in threads that it left out."""
    threads = {one.thread.id for one in posts}
    return len(posts) >= _MIN_ROWS and len(threads) > 1 and not any(one.kept for one in posts)


def follow_named_posts(
    connection: Connection, knowledge: ForumKnowledge, named: Iterable[NamedPost], seen: str
) -> None:
    """Make the threads of named posts due that are not kept: only the page that shows the post.

    Each link is followed once. A post that was hidden or is an advertisement will never be kept.
    """
    rows, due = knowledge.rows, set[int]()
    for one in named:
        if one.kept or one.thread.id in due or one.thread.due is not None or one.thread.gone:
            continue
        if not rows.follows_named_posts() or not rows.follow_once(one.link, seen):
            continue
        due.add(one.thread.id)
        walk = ThreadWalk(one.page, None, overlap=True, why="a link names a post that is not kept")
        said = {
            **one.thread.said,
            TOLD_BY_BOX: True,
            SURELY_CHANGED: True,
            SEEN_AT: seen,
            NAMED_POST: one.number,
        }
        change_thread(connection, one.thread.id, due=walk.url, walk=walk.as_dict(), said=said)


def _find_lists(
    knowledge: ForumKnowledge, analysis: PageAnalysis
) -> Iterator[tuple[str, dict[str, ThreadRow]]]:
    """The lists of dated threads on a page, by key, each with its place."""
    layout, outline = knowledge.layout, analysis.outline
    for found, parsed in zip(analysis.row_lists, analysis.parsed_row_lists, strict=True):
        rows = {
            layout.thread_key(url): row
            for row in parsed.rows
            if row.active and layout.link_kind(url := resolve(row.url) or row.url) in {"thread", "unknown"}
        }
        if len(rows) == len(parsed.rows) >= _MIN_ROWS:
            yield outline.chain(outline.parent[found.table.records[0].start], 3), rows


def _judge_order(active: Sequence[Moment], created: Sequence[str]) -> str:
    """By what threads are sorted: "activity", "another" order, or "either" where dates of both kinds fall."""
    days = [sort_key(moment) for moment in active]
    if days != sorted(days, reverse=True):
        return "another"
    return "either" if list(created) == sorted(created, reverse=True) else "activity"


def _differ_in_order(keys: Sequence[str], listed: Sequence[str]) -> bool:
    """Do threads stand in another order than in the list?"""
    places = {key: place for place, key in enumerate(listed)}
    shared = [places[key] for key in keys if key in places]
    return shared != sorted(shared)


def _last_day(moment: Moment) -> int:
    return moment.date.toordinal() + tolerance_of(moment.precision).days


def _is_later(row: ThreadRow, last: str) -> bool:
    return compare_with_post(state_of_row(row), last) is Change.CHANGED


def _is_earlier(row: ThreadRow, last: str) -> bool:
    """Does a row show a day well before that of the last post? Then it is that of another post."""
    day = days_of(last)
    return row.active is not None and day is not None and _last_day(row.active) + _ZONES < int(day)
