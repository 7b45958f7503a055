"""The ground truth of a simulated forum: its posts, the items of each page, and what is new at a date."""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import IO, Any

from threadmill.lab.simulate.content.writing import Quotation, find_author, write_post, write_title
from threadmill.lab.simulate.forum import PageLocation, SimulatedForum, as_unix_time
from threadmill.lab.simulate.snapshot import ALL, ForumSnapshot
from threadmill.lab.simulate.url_keys import url_key
from threadmill.lab.simulate.view import ForumView


@dataclass(frozen=True, slots=True)
class TruePost:
    """A true post. Numbers are the public ones of the forum, times are ISO 8601 in UTC."""

    board: int
    thread: int
    thread_key: str
    title: str
    post: int
    author: str
    guest: bool
    date: str
    precision: (
        str  # how exactly a page shows the date at this moment: second, minute, hour, day, week, month, year
    )
    text: str
    quoted: tuple[str, ...]
    position: int  # in the thread, from 1
    parent: int  # number of the post it answers on nested layouts, else 0
    comment: bool
    sticky: bool
    edited: str  # when; empty if not (yet)
    deleted: str  # when it will be deleted; empty if never


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A page at a date. `items` are the numbers of the boards, threads or posts it shows."""

    kind: str  # home, index, thread
    key: str
    board: int  # 0: all boards
    thread: int
    order: int  # 0 for the first page
    items: tuple[int, ...]
    aliases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NewContent:
    """The new content between two dates, and the pages that show it."""

    posts: frozenset[int]
    threads: frozenset[int]  # with a new post
    boards: frozenset[int]
    pages: dict[str, str]  # key of every page → new, semi, duplicate
    least_thread_pages: tuple[str, ...]  # keys of the fewest pages that show all new posts
    least_index_pages: int

    @property
    def least_pages(self) -> int:
        """The number of pages that a perfect crawler fetches."""
        return len(self.least_thread_pages) + self.least_index_pages


def true_posts(forum: SimulatedForum, when: str | int, without: Container[int] = ()) -> list[TruePost]:
    """Return every post visible at a date, by thread, oldest first. Posts in `without` are left out."""
    view = ForumView(forum, as_unix_time(when))
    threads = view.world.threads
    return [
        post
        for index, thread in enumerate(threads)
        if view.snapshot.is_visible(thread)
        for post in _posts_of(view, index, without)
    ]


def all_pages(forum: SimulatedForum, when: str | int) -> tuple[ShownPage, ...]:
    """Return every index page and thread page of a date."""
    return _pages(forum, as_unix_time(when))


@lru_cache(maxsize=4)
def _pages(forum: SimulatedForum, now: int) -> tuple[ShownPage, ...]:
    view = ForumView(forum, now)
    found = [] if forum.traits.all_threads else [_home(view)]
    boards = [ALL] if forum.traits.all_threads else []
    boards += view.snapshot.boards if forum.traits.board_pages else []
    for board in boards:
        part = view.snapshot.listing_slice(board, 0)
        found += [describe_page(view, PageLocation("index", board, n * part.per)) for n in range(part.pages)]
    for index, thread in enumerate(view.world.threads):
        if view.snapshot.is_visible(thread):
            part = view.snapshot.thread_slice(index, 0)
            found += [
                describe_page(view, PageLocation("thread", index, n * part.per)) for n in range(part.pages)
            ]
    return tuple(found)


def describe_page(view: ForumView, place: PageLocation) -> ShownPage:
    """Describe one page. Stubs of moved threads do not count as threads."""
    world, snapshot, layout = view.world, view.snapshot, view.layout
    if place.kind == "home":
        return _home(view)
    aliases = [url_key(url) for url in layout.aliases(view, place)]
    if place.kind == "index":
        rows = snapshot.listing_page(place.index, place.offset)
        items = tuple(world.threads[row.thread].number for row in rows if not row.stub)
        board = 0 if place.index == ALL else world.boards[place.index].number
        order = place.offset // view.traits.threads_per_page
        return ShownPage("index", url_key(layout.key(view, place)), board, 0, order, items, tuple(aliases))
    units = snapshot.thread_page(place.index, place.offset)
    items = tuple(world.ids[rank] for unit in units for rank in unit.ranks)
    repeated = (
        bool(place.offset) and view.traits.lead == "every"
    )  # the permalink of a repeated first post leads to page one
    own = items[len(units[0].ranks) :] if repeated else items
    aliases += [url_key(layout.post_url(view, place.index, post, place.offset)) for post in own]
    thread = world.threads[place.index]
    key = url_key(layout.key(view, place))
    also = tuple(alias for alias in dict.fromkeys(aliases) if alias != key)
    order = place.offset // view.traits.posts_per_page
    return ShownPage(
        "thread", key, world.boards[thread.board_at(view.now)].number, thread.number, order, items, also
    )


def visible_posts(forum: SimulatedForum, when: str | int) -> frozenset[int]:
    """Return the numbers of all posts visible at a date."""
    return _visible(forum, as_unix_time(when))


def new_posts(forum: SimulatedForum, before: str | int | None, when: str | int) -> frozenset[int]:
    """Return the numbers of posts visible at `when` and written after `before` (None: all)."""
    shown = visible_posts(forum, when)
    if before is None:
        return shown
    since, world = as_unix_time(before), forum.world
    return frozenset(post for post in shown if world.times[_rank(forum, post)] > since)


def find_new_content(forum: SimulatedForum, before: str | int | None, when: str | int) -> NewContent:
    """Find what is new between two dates, and which pages show it."""
    fresh = new_posts(forum, before, when)
    snapshot, world = forum.at(as_unix_time(when)), forum.world
    homes = {snapshot.home_of(world.owners[_rank(forum, post)]) for post in fresh}
    threads = frozenset(world.threads[index].number for index in homes)
    boards = frozenset(world.boards[world.threads[index].board_at(snapshot.now)].number for index in homes)
    shown = all_pages(forum, when)
    wanted = {"home": boards, "index": threads, "thread": fresh}
    verdicts = {page.key: _verdict(page.items, wanted[page.kind]) for page in shown}
    return NewContent(
        fresh, threads, boards, verdicts, _cover(shown, fresh), _least_index(forum, shown, threads)
    )


def export_truth(forum: SimulatedForum, dates: Sequence[str], lines: IO[str]) -> int:
    """Write the truth of several dates as JSON lines. Return the number of lines."""
    count = 0
    for entry in _entries(forum, sorted(dates)):
        lines.write(json.dumps(entry, ensure_ascii=False) + "\n")
        count += 1
    return count


def _entries(forum: SimulatedForum, dates: list[str]) -> Iterator[dict[str, Any]]:
    traits = forum.traits
    yield {
        "type": "site", "site": traits.name, "start": forum.layout.home, "dates": dates,
        "now": {date: _iso(as_unix_time(date)) for date in dates}, "zone_minutes": traits.zone.minutes,
        "summer_time": traits.zone.summer, "index_order": traits.index_order, "post_order": traits.post_order,
        "boards": {board.number: board.title for board in forum.world.boards},
    }  # fmt: skip
    written: set[int] = set()
    before: str | None = None
    for date in dates:
        for post in true_posts(forum, date, without=written):
            written.add(post.post)
            yield {"type": "post", **asdict(post)}
        fresh = find_new_content(forum, before, date)
        for page in all_pages(forum, date):
            yield {"type": "page", "date": date, "verdict": fresh.pages[page.key], **asdict(page)}
        yield {
            "type": "news", "date": date, "since": before, "posts": len(fresh.posts),
            "threads": len(fresh.threads), "least_pages": fresh.least_pages,
        }  # fmt: skip
        before = date


def _posts_of(view: ForumView, index: int, without: Container[int]) -> Iterator[TruePost]:
    world, thread = view.world, view.world.threads[index]
    key = url_key(view.layout.thread_url(view, index))
    board = world.boards[thread.board_at(view.now)].number
    parents, title = parents_of(view.snapshot, index), write_title(world, index)
    for position, rank in enumerate(view.snapshot.ranks(index), 1):
        if world.ids[rank] in without:
            continue
        writing, author, edited = (
            write_post(world, rank, view.now),
            find_author(world, rank),
            world.edited_at(rank),
        )
        quotation = writing.quotation if view.traits.shape == "flat" else None
        yield TruePost(
            board=board,
            thread=thread.number,
            thread_key=key,
            title=title,
            post=world.ids[rank],
            author=author.name,
            guest=not author.number,
            date=_iso(world.times[rank]),
            precision=view.show_date(world.times[rank]).precision,
            text=writing.text,
            quoted=tuple(_quoted(quotation)),
            position=position,
            parent=world.ids[parents[rank]] if rank in parents else 0,
            comment=position > 1 and view.snapshot.is_comment(rank),
            sticky=thread.sticky,
            edited=_iso(edited) if 0 < edited <= view.now else "",
            deleted=_iso(world.deleted[rank]) if rank in world.deleted else "",
        )


def parents_of(snapshot: ForumSnapshot, index: int) -> dict[int, int]:
    """Return the rank of the post that each nested post answers; empty if nothing is nested."""
    if snapshot.world.traits.shape == "flat":
        return {}
    lead, units = snapshot.units(index)
    found = {unit.rank: lead.rank for unit in units} if lead else {}
    for unit in [*([lead] if lead else []), *units]:
        found.update({rank: parent for rank, _, parent in unit.under})
    return found


def _quoted(quotation: Quotation | None) -> Iterator[str]:
    while quotation:
        yield quotation.text
        quotation = quotation.inner


def _home(view: ForumView) -> ShownPage:
    boards = tuple(view.world.boards[i].number for i in view.snapshot.boards)
    aliases = tuple(url_key(url) for url in view.layout.aliases(view, PageLocation("home")))
    return ShownPage("home", url_key(view.layout.home), 0, 0, 0, boards, aliases)


@lru_cache(maxsize=32)
def _visible(forum: SimulatedForum, now: int) -> frozenset[int]:
    snapshot, world = forum.at(now), forum.world
    return frozenset(
        world.ids[rank]
        for index, thread in enumerate(world.threads)
        if snapshot.is_visible(thread)
        for rank in snapshot.ranks(index)
    )


def _rank(forum: SimulatedForum, post: int) -> int:
    rank = forum.world.rank_of(post)
    assert rank is not None
    return rank


def _verdict(items: tuple[int, ...], wanted: frozenset[int]) -> str:
    hits = sum(item in wanted for item in items)
    return "duplicate" if not hits else "new" if hits == len(items) else "semi"


def _cover(shown: Sequence[ShownPage], fresh: frozenset[int]) -> tuple[str, ...]:
    """Return the fewest thread pages that show all new posts.

    Pages overlap only in a repeated first post. So taking those with the most new posts first is optimal.
    """
    left, chosen = set(fresh), []
    ranked = [(sum(item in fresh for item in page.items), page) for page in shown if page.kind == "thread"]
    for hits, page in sorted(ranked, key=lambda pair: -pair[0]):
        if not hits:
            break
        if left.intersection(page.items):
            chosen.append(page.key)
            left.difference_update(page.items)
    return tuple(chosen)


def _least_index(forum: SimulatedForum, shown: Sequence[ShownPage], threads: frozenset[int]) -> int:
    """Count the fewest index pages that lead to all new posts.

    These are the start page and, for each board, the pages down to the last one with a changed thread (at
    least one). Or the pages of the listing of all threads, if there is one and it needs fewer.
    """
    depth: dict[int, int] = {}
    for page in shown:
        if page.kind == "index":
            hit = page.order + 1 if threads.intersection(page.items) else 1
            depth[page.board] = max(depth.get(page.board, 1), hit)
    by_boards = 1 + sum(deep for board, deep in depth.items() if board)
    if not forum.traits.board_pages:
        return depth[0]
    return min(by_boards, depth[0]) if forum.traits.all_threads else by_boards


def _iso(moment: int) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
