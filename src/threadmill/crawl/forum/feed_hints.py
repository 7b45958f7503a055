"""Uses feeds and sitemaps as hints. Once they were right several times, a feed without news ends a crawl.

A hint costs a request. So it is fetched only if runs have found nothing and cost more than that. What it says
about the past is compared with the stored posts, what it says about the present with what the run then finds.
New posts that it did not announce are a lie, and one lie is enough. A site that was right twice is believed
when it announces nothing. Every fourth run crawls nevertheless.

Where lists tell nothing about new posts of old threads, as those of blogs, feeds whose links name posts
("latest comments") are read before each run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, Connection

from threadmill.archive import ArchiveWriter
from threadmill.crawl.fetch.client import Fetcher, Request
from threadmill.crawl.forum.knowledge import ForumKnowledge
from threadmill.crawl.forum.page_requests import archive_result
from threadmill.crawl.forum.progress import ForumProgress
from threadmill.crawl.forum.resources import CrawlContext
from threadmill.crawl.forum.rows.latest_box import (
    NamedPost,
    find_posts_of_links,
    follow_named_posts,
    is_full_of_news,
)
from threadmill.crawl.frontier.feeds import read_feed
from threadmill.crawl.frontier.sitemaps import read_sitemap
from threadmill.crawl.frontier.url_listing import ListedURL
from threadmill.errors import FetchError
from threadmill.page.parse.tree import Tree
from threadmill.store import Store
from threadmill.store.crawl.captures import add_captures
from threadmill.store.forum.activity import as_days
from threadmill.store.forum.forums import board_urls, change_board, keep_forum
from threadmill.store.forum.page_visits import PageVisitRow, add_page_visit
from threadmill.store.forum.posts import newest_by_thread, post
from threadmill.types import Capture
from threadmill.urls import resolve

# Votes on hints: news that was not announced, announced news that was found, a past that agrees with the
# stored posts, announced news that was not found, and a hint that does not reach back to the last look.
LIE, PROOF, PAST, ALARM, SHORT = "lie", "proof", "past", "alarm", "short"
IDLE, BUSY = "idle", "busy"  # runs that found nothing and cost more than a page, and all others

_FEED_TYPES = {"application/rss+xml", "application/atom+xml", "application/feed+json"}
_MOST_LINKS = 20
_MOST_FEEDS = 3  # of the threads, of the posts, and one of them in another format
_MIN_PROOFS = 2
_MIN_PAST = 3  # threads that both the store and the hint know; one or two may agree by chance
_NEARLY_ALL, _HALF = 0.9, 0.5
_MIN_IDLE = 2  # runs in vain before a hint is worth its request
_CONTROL = 4  # every fourth run crawls, whatever the hint says
_MOST_NESTED = 2  # sitemaps of an index; more cost as much as the crawl that they should save
_MOST_SHORT = 3  # times that a feed did not reach back to the last look
_MOST_ALARMS = 3  # more alarms than proofs: it announces news every time
_LATE = timedelta(days=1)  # the zone of a post's date is not always known
_DAY = "2000-01-01"


@dataclass(frozen=True, slots=True)
class FeedHint:
    """What a feed or sitemap said before a run."""

    reaches: bool  # does it cover all the time since the last look
    changed: frozenset[str]  # keys of threads that it says have changed since
    unknown: int  # entries since then that are no threads: links to posts, perhaps
    listed: Mapping[str, datetime]  # all threads that it lists, and when they changed
    since: datetime  # how far back it goes

    @property
    def quiet(self) -> bool:
        """Does it say that nothing is new?"""
        return self.reaches and not self.changed and not self.unknown


def find_feeds(pages: Iterable[Tree]) -> tuple[str, ...]:
    """The feeds that most pages name: of the threads, and of the posts of all threads.

    A feed that only one page names belongs to its board or thread.
    """
    named: Counter[str] = Counter()
    for tree in pages:
        links = dict.fromkeys(
            url
            for element in tree.document.select("link[rel~=alternate i][type][href]")[:_MOST_LINKS]
            if (element.attr("type") or "").lower().partition(";")[0].strip() in _FEED_TYPES
            and (url := resolve(element.attr("href") or "", tree.url))
        )
        named.update(list(links))
    most = max(named.values(), default=0)
    return tuple(url for url, count in named.most_common(_MOST_FEEDS) if count > 1 and count > _HALF * most)


def is_worth_asking(knowledge: ForumKnowledge) -> bool:
    """Would a hint save more than it costs?"""
    site = knowledge.site
    votes, runs = site.hints.votes, site.runs.votes
    if votes[LIE] or votes[SHORT] >= _MOST_SHORT or votes[ALARM] > votes[PROOF] + _MOST_ALARMS:
        return False
    if site.last_look is None or site.skipped_runs >= _CONTROL - 1:
        return False
    return runs[IDLE] >= _MIN_IDLE and runs[IDLE] >= runs[BUSY]


def is_believed(knowledge: ForumKnowledge) -> bool:
    """Was the hint right often enough, and never wrong?"""
    votes = knowledge.site.hints.votes
    return votes[PROOF] + votes[PAST] >= _MIN_PROOFS and not votes[LIE]


def nested_sitemaps(capture: Capture, knowledge: ForumKnowledge) -> tuple[str, ...]:
    """The sitemaps of an index that may have changed since the last look. Empty if it is no index."""
    since = knowledge.site.last_look
    named = read_sitemap(capture.payload, capture.url).sitemaps
    return tuple(one.url for one in named if one.modified is None or since is None or one.modified >= since)


def read_hint(capture: Capture, knowledge: ForumKnowledge, nested: Sequence[Capture] = ()) -> FeedHint | None:
    """Read what a feed or sitemap says about the time since the last look. None if it has no dates.

    For an index, `nested` holds the sitemaps that have changed since. The others have nothing new.
    """
    since = knowledge.site.last_look
    listing = read_feed(capture.payload, capture.url)
    is_sitemap = not listing.entries  # a sitemap lists everything
    if is_sitemap:
        listing = read_sitemap(capture.payload, capture.url)
    is_index = bool(listing.sitemaps) and not listing.entries
    listings = [read_sitemap(one.payload, one.url) for one in nested] if is_index else [listing]
    entries = [entry for one in listings for entry in one.entries]
    undated = any(entry.modified is None for entry in entries)
    if since is None or undated or not all(one.entries for one in listings):
        return None
    dated = [(_thread_key(entry, knowledge), entry.modified) for entry in entries if entry.modified]
    recent = [key for key, at in dated if at >= since]
    listed: dict[str, datetime] = {}
    for key, at in dated:
        if key:
            listed[key] = max(at, listed.get(key, at))
    return FeedHint(
        reaches=not any(one.flaw for one in listings) and (is_sitemap or len(recent) < len(dated)),
        changed=frozenset(key for key in recent if key),
        unknown=recent.count(None),
        listed=listed,
        since=since if is_index else min(at for _, at in dated),
    )


def needs_posts_of_feeds(knowledge: ForumKnowledge) -> bool:
    """Do lists tell nothing about new posts of old threads? Where they do, a feed only costs requests."""
    rows = knowledge.rows
    told = rows.post_counter is not None or rows.shows_last_dates() or rows.shows_single_messages()
    by_creation = knowledge.layout.sorted_by_creation or not knowledge.layout.order.votes
    return by_creation and not told


def record_past(knowledge: ForumKnowledge, hint: FeedHint, newest: Mapping[str, datetime | None]) -> None:
    """Vote on the past: does the hint list the threads that got posts between its start and the last look?"""
    looked = knowledge.site.last_look
    known = {
        key: at for key, at in newest.items() if at and looked and hint.since + _LATE < at < looked - _LATE
    }
    if len(known) < _MIN_PAST or not hint.listed:
        return
    right = sum(key in hint.listed and hint.listed[key] >= at - _LATE for key, at in known.items())
    # A thread may have been deleted or merged in the meantime.
    if right >= _NEARLY_ALL * len(known):
        knowledge.site.hints.add(PAST)
    elif right < _HALF * len(known):
        knowledge.site.hints.add(LIE)


def record_present(knowledge: ForumKnowledge, hint: FeedHint, changed: Mapping[str, datetime | None]) -> None:
    """Vote after a run: compare threads that got posts, with the date of the newest, with the hint."""
    hints = knowledge.site.hints
    if not hint.reaches:
        hints.add(SHORT)
        return
    since = knowledge.site.last_look
    fresh = {key for key, at in changed.items() if at is None or since is None or at >= since - _LATE}
    if not fresh:
        if not hint.quiet:
            hints.add(ALARM)
    elif hint.quiet or (not hint.unknown and fresh - hint.changed):
        hints.add(LIE)
    else:
        hints.add(PROOF)


def record_run(knowledge: ForumKnowledge, pages: int, posts: int) -> None:
    """Vote after a run: did it find nothing although it cost several pages?"""
    knowledge.site.runs.add(IDLE if pages > 1 and not posts else BUSY, _CONTROL * 2)


def _thread_key(entry: ListedURL, knowledge: ForumKnowledge) -> str | None:
    layout = knowledge.layout
    url = resolve(entry.url)
    if not url or layout.link_kind(url) != "thread":
        return None
    first = layout.model.threads.split(url)  # a feed may link to a later page, which holds the post
    return layout.thread_key(first[0] if first else url)


class FeedCheck:
    """Fetches the hint before a run if that is worthwhile, and compares it with the run afterwards."""

    def __init__(
        self, store: Store, archive: ArchiveWriter | None, fetcher: Fetcher, start: str, started: datetime
    ) -> None:
        self._store = store
        self._archive = archive
        self._fetcher = fetcher
        self._start = start
        self._started = started
        self._hint: FeedHint | None = None
        self.skips_run = False
        self.fetched = 0
        self.quiet_since: float | None = None  # day since when a feed names every thread that got a post
        self.is_full = False  # does a feed of posts show news only, so that more may have come

    async def follow_posts(self, ids: tuple[int, int, int], knowledge: ForumKnowledge) -> None:
        """Make the threads due whose new posts feeds name. A feed that names no posts is not asked again."""
        if knowledge.just_learnt or not needs_posts_of_feeds(knowledge):
            return
        job, run, forum = ids
        for url in tuple(knowledge.site.post_feeds):
            try:
                capture = await self._fetch(job, run, url)
            except FetchError:
                capture = None
            with self._store.writing() as connection:
                if capture is None or not self._follow_feed(connection, forum, knowledge, url, capture):
                    knowledge.site.post_feeds.remove(url)
                keep_forum(connection, job, knowledge.layout.model.entry, knowledge.to_json(), self._started)

    def _follow_feed(
        self, connection: Connection, forum: int, knowledge: ForumKnowledge, url: str, capture: Capture
    ) -> bool:
        """Follow the links of a feed to posts that are not kept. False if it has no links to posts."""
        entries = read_feed(capture.payload, capture.url).entries
        named = find_posts_of_links(connection, forum, knowledge.layout, {one.url: url for one in entries})
        posts = named.get(url, [])
        dates = {one.url: one.modified for one in entries}
        quiet = _quiet_since(posts, [dates[one.link] for one in posts])
        if quiet is not None:
            self.quiet_since = quiet if self.quiet_since is None else min(quiet, self.quiet_since)
        self.is_full |= is_full_of_news(posts)
        follow_named_posts(connection, knowledge, posts, self._started.isoformat())
        return bool(posts)

    async def may_skip_run(
        self, ids: tuple[int, int, int], knowledge: ForumKnowledge, boards: frozenset[int] | None
    ) -> bool:
        """Does the site say that nothing is new, and is it believed? `ids` are of the job, run and forum."""
        if knowledge.just_learnt or not is_worth_asking(knowledge):
            return False
        job, run, forum = ids
        self._hint = await self._fetch_hint(job, run, knowledge)
        if self._hint is not None:
            past = self._newest_posts(forum, post.c.date >= str(self._hint.since.date()))
            record_past(knowledge, self._hint, past)
        if self._hint is None or not self._hint.quiet or not is_believed(knowledge):
            return False
        self.skips_run = True
        knowledge.site.skipped_runs += 1
        with self._store.writing() as connection:
            for number, _ in board_urls(connection, forum):
                if boards is None or number in boards:
                    change_board(connection, number, visited=self._started, visited_run=run)
            keep_forum(connection, job, knowledge.layout.model.entry, knowledge.to_json(), self._started)
        return True

    def record_run(self, context: CrawlContext, knowledge: ForumKnowledge, progress: ForumProgress) -> None:
        """After a complete run: store whether the hint was true, and whether the run found anything."""
        if self.skips_run:
            return
        if self._hint is not None:
            present = self._newest_posts(context.forum, post.c.first_seen >= self._started)
            record_present(knowledge, self._hint, present)
        record_run(knowledge, progress.pages, progress.new_posts)
        knowledge.site.skipped_runs = 0
        knowledge.site.last_look = self._started + timedelta(seconds=knowledge.site.clock_lead)
        with self._store.writing() as connection:
            entry = knowledge.layout.model.entry
            keep_forum(connection, context.job, entry, knowledge.to_json(), self._started)

    def _newest_posts(self, forum: int, wanted: ColumnElement[bool]) -> dict[str, datetime | None]:
        with self._store.reading() as connection:
            found = newest_by_thread(connection, forum, wanted)
        return {key: _day_of(newest) for key, newest in found.items()}

    async def _fetch_hint(self, job: int, run: int, knowledge: ForumKnowledge) -> FeedHint | None:
        """Fetch the feed, or the sitemap if no page names a feed, with those below it that have changed."""
        hint = None
        try:
            sitemaps = (await self._fetcher.robots_rules(self._start)).sitemaps
            url = knowledge.site.feed or next((resolve(named, self._start) for named in sitemaps), None)
            if url is None:
                return None
            first = await self._fetch(job, run, url)
            below = nested_sitemaps(first, knowledge)
            if 200 <= first.status < 300 and len(below) <= _MOST_NESTED:
                nested = [await self._fetch(job, run, named) for named in below]
                hint = read_hint(first, knowledge, nested)
        except FetchError:
            hint = None
        if hint is None:
            knowledge.site.hints.add(SHORT)
        return hint

    async def _fetch(self, job: int, run: int, url: str) -> Capture:
        result = await self._fetcher.fetch(Request(url))
        self.fetched += 1
        page = archive_result(self._store, self._archive, job, result)
        with self._store.writing() as connection:
            add_captures(connection, page.rows)
            size = len(page.capture.payload)
            add_page_visit(connection, PageVisitRow(run, page.asked, page.capture.at, "other", size, 0, 0))
        return page.capture


def _quiet_since(posts: Sequence[NamedPost], dates: Sequence[datetime | None]) -> float | None:
    """The day of the latest post of a feed that is kept: no other thread got a post since.

    None if the feed shows none, or is not in the order of its dates.
    """
    days = [as_days(at) for at in dates if at is not None]
    if len(days) < len(dates) or days != sorted(days, reverse=True):
        return None
    return next((day for one, day in zip(posts, days, strict=True) if one.kept), None)


def _day_of(date: str | None) -> datetime | None:
    """The day of a post. None if it has no complete date."""
    return datetime.fromisoformat(date[:10]).replace(tzinfo=UTC) if date and len(date) >= len(_DAY) else None
