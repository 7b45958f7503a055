"""Reads a thread page: stores its posts, each once, and chooses the next page of the thread."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile
from typing import Any

from sqlalchemy import Connection

from threadmill.crawl.forum.knowledge import FIT, ForumKnowledge
from threadmill.crawl.forum.rows.row_state import (
    EMPTY_THREAD,
    EXCESS,
    FALLEN,
    NAMED_POST,
    SEEN_AT,
    STOOD_STILL,
    TOLD_BY_BOX,
    stored_state,
)
from threadmill.forum.index.counters_and_boards import is_reply_title
from threadmill.forum.link_urls import absolute_url, number_slots
from threadmill.forum.page_class.classify import classify_page
from threadmill.forum.paging.thread_walk import (
    SEARCH,
    ThreadWalk,
    WalkedPage,
    choose_next_page,
    first_position_on_page,
)
from threadmill.forum.read_page import PageAnalysis, ThreadPage, extract_thread, is_list_of_links
from threadmill.page.redaction import is_removed
from threadmill.store.forum.posts import (
    KnownPost,
    add_post,
    count_shown,
    find_known,
    find_moved,
    first_stored,
    hash_of_posts,
    holds_post,
    mark_vanished,
    move_post,
    newest_post_id,
    number_posts,
    post_dates,
    renew_post,
    threads_with,
)
from threadmill.store.forum.threads import ThreadState, adopt_thread, change_thread, find_thread, namesakes
from threadmill.types import Moment, Post

_log = logging.getLogger("threadmill.crawl")
_SHORTER = 4  # pages in place of one, after a forum has changed its page size
_FAR_MORE = 3  # times the posts that the row claims
_MIN_TITLE = 4  # characters; a shorter title may stand on any page
_GUESS = 0.3  # confidence of a page with a single post that nothing confirms
_DROPPED = {FALLEN, EMPTY_THREAD, NAMED_POST}  # notes that a visit answers
MAX_EMPTY_VISITS = 3  # runs; a site is rarely down for so long, but a deleted thread stays deleted


@dataclass(frozen=True, slots=True)
class ThreadNews:
    """What a thread page brought."""

    items: int
    new: int
    edited: int = 0
    vanished: int = 0
    finished: bool = False


class ThreadVisit:
    """Reads thread pages of one forum, each in the transaction of the caller."""

    def __init__(self, connection: Connection, knowledge: ForumKnowledge) -> None:
        self._connection = connection
        self._knowledge = knowledge
        self._layout = knowledge.layout
        self._rows = knowledge.rows

    def take(self, state: ThreadState, page: ThreadPage, url: str, at: datetime) -> ThreadNews:
        """Store what is new, and choose the next page of the thread."""
        walk = ThreadWalk(**state.walk)
        if not page.posts and page.paging.previous is None:
            return self._keep_due(state, walk)
        page = self._without_false_number(page)
        posts = self._with_positions(state, page, walk)
        known = find_known(self._connection, state.id, posts)
        opening = first_stored(self._connection, state.id)
        repeated = _repeats_first_post(
            page, known, _count_repeated(posts), walk, opening, other_url=url != state.url
        ) or (not self._layout.oldest_first and _stands_above_new_posts(known))
        if repeated:
            posts = [replace(posts[0], position=1), *(_moved_up(post) for post in posts[1:])]
        self._record_page_size(page, len(posts) - repeated)
        vanished = self._mark_vanished(state, page, known[_count_repeated(posts) if repeated else 0 :], at)
        known = self._find_moved(state, posts, known, url)
        edited = self._store_posts(state, posts, known, url, at)
        paging = page.paging
        held = count_shown(self._connection, state.id)
        if walk.why == SEARCH:
            self._rows.record_search(news=known.count(None))
        shown = WalkedPage(
            len(posts) - repeated,
            len(posts) - repeated - known.count(None),
            paging.next,
            paging.previous,
            self._count_missing(state.said, held),
            self._has_all_counted(state.said, held),
            hash_of_posts(posts),
            self._most_stale_pages(state),
            str(state.due or url),
            _other_pages(state, url, self._size_of_full(page)),
        )
        _log.debug("thread page %s: %s; %s", url, walk.why, shown)
        onward = choose_next_page(walk, shown, oldest_first=self._layout.oldest_first)
        if self._has_far_more_than_claimed(state.said, held):
            onward = None
        if onward is None:
            number_posts(self._connection, state.id, oldest_first=self._layout.oldest_first)
        self._store_thread(state, page, onward, url, at, held)
        return ThreadNews(len(posts), known.count(None), edited, vanished, onward is None)

    def _without_false_number(self, page: ThreadPage) -> ThreadPage:
        """A page without its number, if the number in URLs does not grow by the posts of a page.

        It is that of a post then: it leads on, but does not tell how many pages or posts are before it.
        """
        sizes = {self._layout.posts_per_page, self._layout.posts_on_first_page} - {None}
        if page.paging.step == 1 or not sizes or page.paging.step in sizes:
            return page
        return replace(page, paging=replace(page.paging, number=None, count=None))

    def _find_moved(
        self, state: ThreadState, posts: Sequence[Post], known: list[KnownPost | None], url: str
    ) -> list[KnownPost | None]:
        """Find posts that are stored with another thread: that one was merged into this one, or split."""
        if self._knowledge.just_learnt or None not in known:
            return known
        unknown = [post for post, match in zip(posts, known, strict=True) if match is None]
        moved = iter(find_moved(self._connection, state.id, unknown))
        found = []
        for post, match in zip(posts, known, strict=True):
            one = match or next(moved)
            if match is None and one is not None:
                move_post(self._connection, one, state.id, post, url)
            found.append(one)
        return found

    def _count_missing(self, stored: Mapping[str, Any], held: int) -> int:
        """Posts that the row counts but that are not stored, without those it always counted too many."""
        total = self._rows.total_posts(stored_state(stored))
        if total is None or TOLD_BY_BOX in stored or not self._rows.is_search_worthwhile():
            return 0
        return total - held - int(stored.get(EXCESS, 0))

    def _has_all_counted(self, stored: Mapping[str, Any], held: int) -> bool:
        """Are as many posts stored as the row counts, where it counts exactly?"""
        total = self._rows.total_posts(stored_state(stored))
        if total is None or TOLD_BY_BOX in stored or not self._rows.counts_exactly():
            return False
        return total == held + int(stored.get(EXCESS, 0))

    def _most_stale_pages(self, state: ThreadState) -> int:
        """Pages without a new post that may follow each other. None in the first crawl of a forum."""
        if self._knowledge.just_learnt and not self._knowledge.relaunched:
            return 0
        return 2 + _SHORTER * state.pages

    def _has_far_more_than_claimed(self, stored: Mapping[str, Any], held: int) -> bool:
        """Does a thread go on and on? Some servers show a full page for any page number."""
        total = self._rows.total_posts(stored_state(stored))
        return total is not None and self._rows.counts_exactly() and held > _FAR_MORE * (total + 50)

    def is_double(self, forum: int, state: ThreadState, page: ThreadPage, *, is_known: bool = False) -> bool:
        """Is this new thread a known one under another URL, such as one with another session ID?

        Or is it one message of a known thread, to which only a row led? Its page may show it otherwise. Then
        only its lines tell that it was read before in this run (`is_known`).
        """
        if state.posts or not page.posts or not ThreadWalk(**state.walk).first:
            return False
        is_guess = is_known and self._layout.is_guess(state.url)
        if is_guess and len(page.posts) == 1 and is_reply_title(state.title):
            change_thread(self._connection, state.id, due=None, walk={}, gone=True)
            return True
        if self._may_repeat(page.posts):
            return False
        for number in threads_with(self._connection, forum, page.posts)[:1]:
            other = find_thread(self._connection, number)
            if number == state.id or other.gone:
                continue
            matches = find_known(self._connection, number, page.posts)
            if self._shows_other_thread(state, other, matches):
                change_thread(self._connection, state.id, due=None, walk={}, gone=True)
                return True
        return False

    def _may_repeat(self, posts: Sequence[Post]) -> bool:
        """May a person have written the same twice, in two messages with a page each?"""
        dated = posts[0].date is not None and posts[0].date.time is not None
        return len(posts) == 1 and not dated and self._rows.shows_single_messages()

    @staticmethod
    def _shows_other_thread(
        state: ThreadState, other: ThreadState, matches: Sequence[KnownPost | None]
    ) -> bool:
        """Are the posts of a page those of another thread, and is that no thread which was split or moved?

        Two URLs of one thread stand in one row: a permalink beside the title. A thread that was moved is not
        listed under its earlier URL any more.
        """
        beside = state.board == other.board and state.said.get(SEEN_AT) == other.said.get(SEEN_AT)
        if None not in matches:
            # The subject of an answer: a tree of subjects leads to each message of the thread.
            is_message = len(matches) == 1 and other.posts > 1 and is_reply_title(state.title)
            return beside or other.title == state.title or state.board is None or is_message
        known = [match for match in matches if match is not None]
        from_first = any(match.position == 1 for match in known)
        return beside and from_first and 2 * len(known) >= len(matches)

    def known_before(self, forum: int, state: ThreadState, page: ThreadPage) -> ThreadState:
        """Find the earlier URL of a thread by its posts.

        After the forum has changed its software, a thread has another URL, and perhaps another title. Some
        forums link a thread by its latest post: then it has another URL after each answer.
        """
        relaunched = self._knowledge.relaunched
        if state.posts or not page.posts or (self._knowledge.just_learnt and not relaunched):
            return state
        for old in self._candidates(forum, state, page.posts):
            matches = find_known(self._connection, old.id, page.posts)
            known = [match for match in matches if match is not None]
            if not relaunched and not _goes_on(old, state, known, oldest_first=self._layout.oldest_first):
                continue
            if len(known) * 2 >= min(len(page.posts), old.posts):
                adopt_thread(self._connection, old.id, state)
                return find_thread(self._connection, old.id)
        return state

    def _candidates(self, forum: int, state: ThreadState, posts: Sequence[Post]) -> Iterator[ThreadState]:
        yield from namesakes(self._connection, forum, state.title, state.id)
        if not self._knowledge.relaunched:
            return
        for number in threads_with(self._connection, forum, posts):
            if number != state.id:
                yield find_thread(self._connection, number)

    def fall_back(self, state: ThreadState) -> bool:
        """A computed page does not exist: go to the last page that was read, or to the first. True if so."""
        if state.due == state.url:
            return False
        url = state.last_page if state.last_page not in {None, state.due} else state.url
        walk = ThreadWalk(str(url), None, overlap=True, why="the predicted page does not exist")
        change_thread(self._connection, state.id, due=walk.url, walk=walk.as_dict())
        return True

    def _keep_due(self, state: ThreadState, walk: ThreadWalk) -> ThreadNews:
        """A page without posts may be a maintenance notice: it stays due until it has come several times.

        Or the page was computed and does not exist, which many sites report with status 200. Then the last
        page that was read is tried.
        """
        if walk.first and state.last_page not in {None, state.due} and self.fall_back(state):
            return ThreadNews(0, 0)
        missed = replace(walk, misses=walk.misses + 1)
        if not state.posts and self._layout.is_guess(state.url):
            # A row led here and not the URL: the page is no thread, and is not asked for again.
            change_thread(self._connection, state.id, due=None, walk={}, gone=True)
        elif missed.misses >= MAX_EMPTY_VISITS:
            said = {**state.said, EMPTY_THREAD: True}
            change_thread(self._connection, state.id, due=None, walk={}, gone=True, said=said)
        else:
            change_thread(self._connection, state.id, walk=missed.as_dict())
        return ThreadNews(0, 0)

    def _size_of_full(self, page: ThreadPage) -> int | None:
        """The usual number of posts on a page, if this page has so many. None if it may be the last one."""
        size = self._layout.posts_per_page
        return size if size and len(page.posts) >= size else None

    def _record_page_size(self, page: ThreadPage, posts: int) -> None:
        first = page.paging.previous is None
        if page.paging.next and page.posts:
            self._layout.record_page_size(posts, first=first)
        elif posts > 0:
            self._layout.record_last_page(posts, first=first)

    def _with_positions(self, state: ThreadState, page: ThreadPage, walk: ThreadWalk) -> list[Post]:
        """The posts of a page with their positions in the thread, computed from the page number if known."""
        size = self._layout.posts_per_page
        number = page.paging.number or walk.page
        if self._layout.oldest_first and size and number:
            first = first_position_on_page(number, size, self._layout.posts_on_first_page) - 1
        else:
            first = 0 if state.posts == 0 and walk.first else state.posts
        return [
            replace(
                post, position=first + place, date=self._with_zone(post.date), post_id=_post_id(state, post)
            )
            for place, post in enumerate(page.posts, 1)
        ]

    def _with_zone(self, date: Moment | None) -> Moment | None:
        """A date with the zone that the site states for all its times."""
        zone = self._layout.zone
        if date is None or date.time is None or date.zone is not None or zone is None:
            return date
        return replace(date, zone=zone)

    def _store_posts(
        self,
        state: ThreadState,
        posts: Sequence[Post],
        known: Sequence[KnownPost | None],
        url: str,
        at: datetime,
    ) -> int:
        edited = 0
        for post, match in zip(posts, known, strict=True):
            if match is None:
                add_post(self._connection, state.id, post, url, at)
            else:
                edited += renew_post(self._connection, match, post, url, at)
        return edited

    def _mark_vanished(
        self, state: ThreadState, page: ThreadPage, known: Sequence[KnownPost | None], at: datetime
    ) -> int:
        """Mark known posts that belong on this page and are not shown any more. Return their number."""
        seen = [match for match in known if match is not None]
        whole = page.paging.next is None and page.paging.previous is None
        if not whole and not _in_order(seen):
            return 0  # where replies are nested, each new one pushes others to the next page
        shown_last = self._layout.oldest_first and page.paging.next is None
        return mark_vanished(self._connection, state.id, seen, shown_last, at)

    def _store_thread(  # noqa: PLR0917 -- all that is stored after a page
        self,
        state: ThreadState,
        page: ThreadPage,
        onward: ThreadWalk | None,
        url: str,
        at: datetime,
        held: int,
    ) -> None:
        values: dict[str, Any] = {
            "due": onward.url if onward else None,
            "walk": onward.as_dict() if onward else {},
            "pages": max(state.pages, page.paging.count or 1),
            "posts": held,
        }
        if page.paging.next is None or page.paging.number == page.paging.count:
            values["last_page"] = url
        if onward is None:
            values["visited"] = at
            if TOLD_BY_BOX not in state.said:
                self._record_row(state, held)
            is_reply, again = is_reply_title(state.title), state.posts > 0
            self._rows.record_message(posts=held, is_reply=is_reply, again=again and not is_reply)
            if NAMED_POST in state.said:
                found = holds_post(self._connection, state.id, {state.said[NAMED_POST]})
                self._rows.record_named_post(news=found)
            noted = {name: value for name, value in state.said.items() if name not in _DROPPED}
            total = self._rows.total_posts(stored_state(state.said))
            if total is not None and TOLD_BY_BOX not in state.said:
                noted |= {EXCESS: total - held}
            values["said"] = noted
        change_thread(self._connection, state.id, **values)

    def _record_row(self, state: ThreadState, posts: int) -> None:
        """Compare what the row of the thread said with what the thread showed."""
        row = stored_state(state.said)
        self._rows.record_counters(row, posts)
        if state.said.get(STOOD_STILL) is not None:
            self._rows.record_stillness(still=state.said[STOOD_STILL], news=posts - state.posts)
        if dates := post_dates(self._connection, state.id):
            self._rows.record_shown_date(row, *dates)
        if row.active_url is not None:
            self._rows.record_last_link(row, newest_post_id(self._connection, state.id))


def _other_pages(state: ThreadState, here: str, size: int | None) -> tuple[str, ...]:
    """Pages of a thread that no pager names: that of its last post, its last one, the next one, its first."""
    active = stored_state(state.said).active_url
    last_post = active.partition("#")[0] if active else None
    following = _following(state.url, here, size) if size else None
    found = (last_post, state.last_page, following, state.url)
    return tuple(dict.fromkeys(url for url in found if url))


def _following(first: str, here: str, size: int) -> str | None:
    """The page after a later page, by the number that its URL has and that of the first page has not."""
    own = [(slot, number) for slot, number in number_slots(here) if slot.is_first(first)]
    if len(own) != 1:
        return None
    slot, number = own[0]
    if number in {1, 2}:
        return slot.fill(number + 1)
    return slot.fill(number + size) if number and number % size == 0 else None


def _goes_on(old: ThreadState, new: ThreadState, known: Sequence[KnownPost], *, oldest_first: bool) -> bool:
    """Is a new thread a known one of the same title and board whose earlier URL is not listed any more?"""
    listed = old.said.get(SEEN_AT) == new.said.get(SEEN_AT)
    ends = {1} if oldest_first else {1, old.posts}  # a page with the newest posts first begins with the last
    from_first = any(post.position in ends for post in known)
    return bool(old.title) and old.board == new.board and not listed and from_first


def _repeats_first_post(
    page: ThreadPage,
    known: Sequence[KnownPost | None],
    count: int,
    walk: ThreadWalk,
    opening: int | None,
    *,
    other_url: bool,
) -> bool:
    """Does a later page of a thread show its opening post again, as all pages of some forums do?

    Its comments, with it `count` posts, are shown with it. Where pagers do not lead back, it has been read
    before, and the next post does not follow these. Positions are guesses until all pages of a visit are
    read: the opening post was stored first, too.
    """
    first = known[0] if known else None
    if first is None or (first.position != 1 and first.id != opening):
        return False
    if page.paging.previous is not None or (page.paging.number or 1) > 1:
        return True
    second = known[count] if len(known) > count else None
    if second is not None:
        above = sum(one is not None and one.position < second.position for one in known[:count])
        return other_url and second.position > first.position + above
    return not (walk.first or walk.back)


def _count_repeated(posts: Sequence[Post]) -> int:
    """How many posts a page repeats with the opening post: that one and the comments on it."""
    if not posts:
        return 0
    opening = posts[0].post_id
    answers = (post.parent is not None and post.parent == opening for post in posts[1:])
    return 1 + sum(1 for _ in takewhile(bool, answers))


def _stands_above_new_posts(known: Sequence[KnownPost | None]) -> bool:
    """Does a page begin with the post that was read first, and go on with new ones?

    Where the newest posts come first, a known post stands below the new ones, unless all pages show it.
    """
    return len(known) > 1 and known[0] is not None and known[0].position == 1 and known[1] is None


def _moved_up(post: Post) -> Post:
    """A post below a repeated opening post, at its position in the thread."""
    return replace(post, position=(post.position or 1) - 1)


def _in_order(seen: Sequence[KnownPost]) -> bool:
    """Are the posts of a page in the order in which they were written, by their ids or dates?"""
    numbers = [int(known.post_id) for known in seen if known.post_id and known.post_id.isdecimal()]
    keys: list[Any] = numbers if len(numbers) == len(seen) else [known.date for known in seen if known.date]
    return keys in (sorted(keys), sorted(keys, reverse=True))


def _post_id(state: ThreadState, post: Post) -> str | None:
    """The id of a post, unless it was read from words in the URL of the thread: /13/noise-of-pump-295."""
    number = post.post_id
    if number is None or post.url is None or post.url.rstrip("/") != state.url.rstrip("/"):
        return number
    path = post.url.partition("?")[0].split("/")[3:]
    in_words = any(number in piece and piece != number and not piece.isdecimal() for piece in path)
    return None if in_words and number not in path else number


def read_thread_page(analysis: PageAnalysis, knowledge: ForumKnowledge, title: str) -> ThreadPage:
    """Read a thread page. If wrappers usually fit but not this page, it must clearly look like a thread.

    Otherwise a maintenance notice would be read as one post. A notice does not show the title of the thread.
    Lines of a list that lead to other pages are no posts: if they counted, the account would call a forum
    complete whose posts were never fetched. What `forget` has blanked in the archive is no post.
    """
    model = knowledge.layout.model
    page = extract_thread(analysis, model.wrapper)
    if page.wrapped and not page.posts:
        page = replace(extract_thread(analysis), misfit=True)
    page = replace(page, posts=tuple(post for post in page.posts if not _is_forgotten(post)))
    if is_list_of_links(page.posts, analysis.tree.url):
        page = replace(page, posts=())
    outline = analysis.outline
    links = [url for href in outline.hrefs if href and (url := absolute_url(outline.base, href))]
    paging = model.threads.own_paging(
        analysis.tree.url, page.paging, links, oldest_first=knowledge.layout.oldest_first
    )
    page = replace(page, paging=paging)
    doubtful = page.misfit and knowledge.layout.fits.winner == FIT and not _shows_title(analysis, title)
    if doubtful and (page.confidence <= _GUESS or classify_page(analysis).kind != "thread"):
        return replace(page, posts=())
    return page


def _is_forgotten(post: Post) -> bool:
    """Did `forget` blank a post on its archived page, with its author? Others may have said the same.

    Where names and words have one mark, a post may look as if it quoted its author.
    """
    words = " ".join((post.text, *(quote.text for quote in post.quotes)))
    return is_removed(words) and (not post.author or is_removed(post.author))


def _shows_title(analysis: PageAnalysis, title: str) -> bool:
    """Whether the title that a row gave to the thread stands on the page. A row may cut it short."""
    wanted = title.casefold().rstrip(" .…")
    outline = analysis.outline
    texts = (outline.title, *outline.segments)
    return len(wanted) >= _MIN_TITLE and any(text.casefold().startswith(wanted) for text in texts)
