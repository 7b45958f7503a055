"""What the cards of the overview show, read from the store in a few short queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection

from threadmill.config import WatchSettings
from threadmill.console.overview.crawl_processes import CrawlProcesses, WantedCrawl
from threadmill.crawl.lock import lock_holder
from threadmill.crawl.watch.planner import WatchOptions, WatchPlanner
from threadmill.store.crawl.jobs import JobState, job_states
from threadmill.store.forum.accounts import latest_account
from threadmill.store.forum.browsing import forum_of_job, post_totals, posts_per_day
from threadmill.store.forum.page_visits import PageCounts, count_pages_of_run
from threadmill.types import CrawlAccount

WEEKS = 52


@dataclass(frozen=True, slots=True)
class JobCard:
    """One forum or site of the overview."""

    job: JobState
    state: str  # running, waiting, paused, done, new
    forum: int | None = None
    posts: int = 0
    weeks: tuple[int, ...] = ()  # posts of each of the last weeks
    last_day: str = ""
    account: CrawlAccount | None = None
    pages: PageCounts | None = None  # of a run that goes on

    @property
    def rate(self) -> float:
        """Pages a minute of a run that goes on."""
        started = self.job.started
        if self.pages is None or started is None:
            return 0.0
        return self.pages.pages / max(1.0, (datetime.now(UTC) - started).total_seconds()) * 60


def make_cards(connection: Connection, root: Path, crawls: CrawlProcesses) -> list[JobCard]:
    """The cards of all jobs, those that run first."""
    totals = post_totals(connection)
    is_busy = lock_holder(root) is not None
    jobs = job_states(connection)
    cards = [_make_card(connection, job, totals, crawls, is_busy=is_busy) for job in jobs]
    known = {(job.kind, job.url) for job in jobs}
    for wanted in (crawls.current, *crawls.waiting):
        if wanted is not None and (wanted.kind, wanted.url) not in known:
            job = JobState(0, wanted.kind, wanted.url, wanted.scope, None, None, None, {})
            cards.append(JobCard(job, "running" if wanted == crawls.current else "waiting"))
    order = {"running": 0, "waiting": 1, "paused": 2}
    return sorted(cards, key=lambda card: order.get(card.state, 3))


def _make_card(
    connection: Connection,
    job: JobState,
    totals: Mapping[int, tuple[int, str]],
    crawls: CrawlProcesses,
    *,
    is_busy: bool,
) -> JobCard:
    state = _state_of(job, crawls, is_busy=is_busy)
    found = forum_of_job(connection, job.id) if job.kind == "forum" else None
    posts, last = totals.get(found[0], (0, "")) if found else (0, "")
    counts = posts_per_day(connection, found[0], _first_day(last)) if found and last else {}
    pages = count_pages_of_run(connection, job.run) if state == "running" and job.run else None
    return JobCard(
        job,
        state,
        found[0] if found else None,
        posts,
        weekly(counts, last),
        last,
        latest_account(connection, job.id) if found else None,
        pages,
    )


def _state_of(job: JobState, crawls: CrawlProcesses, *, is_busy: bool) -> str:
    wanted = WantedCrawl(job.kind, job.url, job.scope if job.kind == "site" else "host")
    if wanted == crawls.current or (is_busy and job.run is not None and job.ended is None):
        return "running"
    if wanted in crawls.waiting:
        return "waiting"
    return "new" if job.run is None else "paused" if job.unfinished else "done"


def _first_day(last: str) -> str:
    """The first day that the chart of weeks up to a day shows."""
    return (date.fromisoformat(last) - timedelta(weeks=WEEKS)).isoformat()


def weekly(counts: Mapping[str, int], last: str) -> tuple[int, ...]:
    """Posts of each of the last weeks up to a day."""
    if not last:
        return ()
    end = date.fromisoformat(last)
    found = [0] * WEEKS
    for day, posts in counts.items():
        if day:
            week = (end - date.fromisoformat(day)).days // 7
            if 0 <= week < WEEKS:
                found[WEEKS - 1 - week] += posts
    return tuple(found)


def next_visits(connection: Connection, settings: WatchSettings) -> dict[str, tuple[datetime, str]]:
    """When `threadmill watch` would visit each forum next, and why. Takes seconds on large forums."""
    period = timedelta(hours=settings.period_hours) if settings.period_hours else None
    options = WatchOptions((), settings.budget, settings.posts, period)
    turns = WatchPlanner(connection, options, datetime.now(UTC)).turns()
    return {turn.plan.url: (turn.plan.due, turn.plan.why) for turn in turns}


def disk_use(root: Path) -> tuple[int, int]:
    """Bytes of the archive, and of everything else in the workspace."""
    archive = _size(root / "archive")
    return archive, _size(root) - archive


def _size(folder: Path) -> int:
    total = 0
    for file in folder.rglob("*") if folder.is_dir() else ():
        try:
            total += file.stat().st_size if file.is_file() else 0
        except OSError:  # it was removed meanwhile
            continue
    return total
