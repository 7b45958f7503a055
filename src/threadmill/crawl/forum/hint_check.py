"""Asks a site's feed or sitemap before a run, where that is worth it, and holds the run against it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement

from threadmill.archive import ArchiveWriter
from threadmill.crawl.fetch.client import Fetcher, Request
from threadmill.crawl.forum.answers import archive_answer
from threadmill.crawl.forum.feed_hints import (
    MOST_NESTED,
    SHORT,
    Hint,
    is_believed,
    is_worth_asking,
    judge,
    judge_past,
    judge_run,
    nested_sitemaps,
    read_hint,
)
from threadmill.crawl.forum.forum_loop import Ground
from threadmill.crawl.forum.knowledge import Lore
from threadmill.crawl.forum.progress import ForumProgress
from threadmill.errors import FetchError
from threadmill.store import Store
from threadmill.store.crawl.captures import add_captures
from threadmill.store.forum.forums import board_urls, change_board, keep_forum
from threadmill.store.forum.page_visits import PageVisitRow, add_page_visit
from threadmill.store.forum.posts import newest_by_thread, post
from threadmill.types import Capture
from threadmill.urls import resolve

_DAY = "2000-01-01"


class Consultation:
    """What the site itself says of one run."""

    def __init__(
        self, store: Store, archive: ArchiveWriter | None, fetcher: Fetcher, start: str, started: datetime
    ) -> None:
        self._store = store
        self._archive = archive
        self._fetcher = fetcher
        self._start = start
        self._started = started
        self._hint: Hint | None = None
        self.rested = False
        self.fetched = 0

    async def rests(self, ids: tuple[int, int, int], lore: Lore, boards: frozenset[int] | None) -> bool:
        """Does the site say that nothing is new, and is it believed? Ids are of the job, run and forum."""
        if lore.fresh or not is_worth_asking(lore):
            return False
        job, run, forum = ids
        self._hint = await self._ask(job, run, lore)
        if self._hint is not None:
            judge_past(lore, self._hint, self._newest(forum, post.c.date >= str(self._hint.since.date())))
        if self._hint is None or not self._hint.quiet or not is_believed(lore):
            return False
        self.rested = True
        lore.rested += 1
        with self._store.writing() as connection:
            for number, _ in board_urls(connection, forum):
                if boards is None or number in boards:
                    change_board(connection, number, visited=self._started)
            keep_forum(connection, job, lore.model.entry, lore.to_json(), self._started)
        return True

    def look_back(self, ground: Ground, lore: Lore, progress: ForumProgress) -> None:
        """A run over the whole forum is done: was what the site had said of it true, and was it worth it?"""
        if self.rested:
            return
        if self._hint is not None:
            judge(lore, self._hint, self._newest(ground.forum, post.c.first_seen >= self._started))
        judge_run(lore, progress.pages, progress.new_posts)
        lore.rested = 0
        lore.looked = self._started + timedelta(seconds=lore.lead)
        with self._store.writing() as connection:
            keep_forum(connection, ground.job, lore.model.entry, lore.to_json(), self._started)

    def _newest(self, forum: int, wanted: ColumnElement[bool]) -> dict[str, datetime | None]:
        with self._store.reading() as connection:
            found = newest_by_thread(connection, forum, wanted)
        return {key: _day_of(newest) for key, newest in found.items()}

    async def _ask(self, job: int, run: int, lore: Lore) -> Hint | None:
        """The feed, or the sitemap where no page names a feed; of an index those that have changed."""
        hint = None
        try:
            sitemaps = (await self._fetcher.robots_rules(self._start)).sitemaps
            url = lore.feed or next((resolve(named, self._start) for named in sitemaps), None)
            if url is None:
                return None
            first = await self._fetch(job, run, url)
            below = nested_sitemaps(first, lore)
            if 200 <= first.status < 300 and len(below) <= MOST_NESTED:
                nested = [await self._fetch(job, run, named) for named in below]
                hint = read_hint(first, lore, nested)
        except FetchError:
            hint = None
        if hint is None:
            lore.hints.add(SHORT)
        return hint

    async def _fetch(self, job: int, run: int, url: str) -> Capture:
        answer = await self._fetcher.fetch(Request(url))
        self.fetched += 1
        came = archive_answer(self._store, self._archive, job, answer)
        with self._store.writing() as connection:
            add_captures(connection, came.rows)
            size = len(came.capture.payload)
            add_page_visit(connection, PageVisitRow(run, came.asked, came.capture.at, "other", size, 0, 0))
        return came.capture


def _day_of(date: str | None) -> datetime | None:
    """The day of a post; None where it has none."""
    return datetime.fromisoformat(date[:10]).replace(tzinfo=UTC) if date and len(date) >= len(_DAY) else None
