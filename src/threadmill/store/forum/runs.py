"""The runs of a workspace's forum crawls, each with what it fetched and what that was worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select

from threadmill.store.crawl.jobs import job, run
from threadmill.store.forum.page_visits import PageCounts, count_pages_of_run


@dataclass(frozen=True, slots=True)
class RunReport:
    """One run of one forum's crawl."""

    url: str
    started: datetime
    ended: datetime | None
    pages: PageCounts

    @property
    def cost(self) -> float | None:
        """Bytes fetched for each new post; None when there was none."""
        return self.pages.bytes / self.pages.posts if self.pages.posts else None

    @property
    def bandwidth(self) -> float:
        """Precision by bytes: those of pages with something new among all that were fetched."""
        return self.pages.useful_bytes / self.pages.bytes if self.pages.bytes else 1.0


def report_runs(connection: Connection) -> Iterator[RunReport]:
    """All runs of forum crawls, the oldest first."""
    wanted = (
        select(run.c.id, run.c.started, run.c.ended, job.c.url)
        .join(job, job.c.id == run.c.job)
        .where(job.c.kind == "forum")
        .order_by(run.c.id)
    )
    for row in connection.execute(wanted).all():
        yield RunReport(row.url, row.started, row.ended, count_pages_of_run(connection, row.id))
