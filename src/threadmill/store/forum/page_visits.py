"""The table of page visits: every page that a forum crawl fetched, and how many of its items were new.

Its name in the database is "reading".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, ForeignKey, Integer, Table, Text, func, select

from threadmill.store.crawl.jobs import job, run
from threadmill.store.forum.accounts import find_account
from threadmill.store.schema import Identity, Instant, metadata
from threadmill.types import CrawlAccount

_MOST_VISITS = 2000  # from which examples of pages are taken

page_visit = Table(
    "reading",
    metadata,
    Column("id", Identity, primary_key=True),
    Column("run", Identity, ForeignKey("run.id"), nullable=False, index=True),
    Column("url", Text, nullable=False),
    Column("at", Instant, nullable=False),
    Column("kind", Text, nullable=False),  # "index", "thread" or "other"
    Column("bytes", Integer, nullable=False),
    Column("items", Integer, nullable=False),  # posts of a thread page, threads of an index page
    Column("news", Integer, nullable=False),  # the number of new ones among them
)


@dataclass(frozen=True, slots=True)
class PageVisitRow:
    """One page that a crawl fetched."""

    run: int
    url: str
    at: datetime
    kind: str
    bytes: int
    items: int
    news: int


@dataclass(frozen=True, slots=True)
class PageCounts:
    """The pages of one run by class: new (all items are new), semi (some), duplicate (none), other."""

    run: int
    new: int
    semi: int
    duplicate: int
    other: int
    bytes: int
    useful_bytes: int  # bytes of pages with at least one new item
    posts: int

    @property
    def pages(self) -> int:
        """The number of all pages."""
        return self.new + self.semi + self.duplicate + self.other

    @property
    def precision(self) -> float:
        """Share of the pages that have at least one new item."""
        return (self.new + self.semi) / self.pages if self.pages else 1.0


def add_page_visit(connection: Connection, visit: PageVisitRow) -> None:
    """Store one page visit."""
    connection.execute(page_visit.insert().values(asdict(visit)))


def count_pages_of_run(connection: Connection, run_id: int) -> PageCounts:
    """Count the pages of a run by class."""
    c = page_visit.c
    items = c["items"]  # c.items is a method of the column collection
    other = (c.kind == "other") | (items == 0)
    classes = {
        "new": ~other & (c.news == items),
        "semi": ~other & (c.news > 0) & (c.news < items),
        "duplicate": ~other & (c.news == 0),
        "other": other,
    }
    columns: list[ColumnElement[Any]] = [
        func.count().filter(condition).label(name) for name, condition in classes.items()
    ]
    columns.append(func.coalesce(func.sum(c.bytes), 0).label("bytes"))
    useful = func.sum(c.bytes).filter(~other & (c.news > 0))
    columns.append(func.coalesce(useful, 0).label("useful_bytes"))
    columns.append(func.coalesce(func.sum(c.news).filter(c.kind == "thread"), 0).label("posts"))
    row = connection.execute(select(*columns).where(c.run == run_id)).one()
    return PageCounts(run_id, *(int(value) for value in row))


def visited_urls(connection: Connection, job_id: int, kind: str, most: int) -> list[str]:
    """Return the URLs of some pages with items that a job fetched, of one kind, spread over all visits."""
    mine = (page_visit.c.kind == kind, page_visit.c["items"] > 0)
    runs = select(run.c.id).where(run.c.job == job_id)
    latest = (
        select(page_visit.c.url)
        .where(page_visit.c.run.in_(runs), *mine)
        .order_by(page_visit.c.id.desc())
        .limit(_MOST_VISITS)
    )
    urls = list(dict.fromkeys(connection.execute(latest).scalars()))
    return urls[:: max(1, len(urls) // most)][:most]


def urls_without_items(connection: Connection, job_id: int, most: int) -> list[str]:
    """Return the URLs of pages that a job fetched and from which it read nothing, in their order."""
    runs = select(run.c.id).where(run.c.job == job_id)
    mine = (page_visit.c.run.in_(runs), page_visit.c.kind == "other", page_visit.c["items"] == 0)
    wanted = select(page_visit.c.url).where(*mine).order_by(page_visit.c.id).limit(most)
    return list(dict.fromkeys(connection.execute(wanted).scalars()))


@dataclass(frozen=True, slots=True)
class RunReport:
    """One run of a forum crawl, with its page counts."""

    url: str
    started: datetime
    ended: datetime | None
    pages: PageCounts
    account: CrawlAccount | None = None  # what was kept at its end beside what the forum claimed

    @property
    def cost(self) -> float | None:
        """Bytes fetched per new post; None without new posts."""
        return self.pages.bytes / self.pages.posts if self.pages.posts else None

    @property
    def bandwidth(self) -> float:
        """Share of the bytes that belong to pages with new items: precision by bytes."""
        return self.pages.useful_bytes / self.pages.bytes if self.pages.bytes else 1.0


def report_runs(connection: Connection) -> Iterator[RunReport]:
    """Yield all runs of forum crawls, oldest first."""
    wanted = (
        select(run.c.id, run.c.started, run.c.ended, run.c.counts, job.c.url)
        .join(job, job.c.id == run.c.job)
        .where(job.c.kind == "forum")
        .order_by(run.c.id)
    )
    for row in connection.execute(wanted).all():
        counts, account = count_pages_of_run(connection, row.id), find_account(connection, row.id)
        # Pages that were fetched to learn the forum and that are neither boards nor threads have no visit.
        unread = int(row.counts.get("pages", 0)) - counts.pages
        counts = replace(counts, other=counts.other + max(0, unread))
        yield RunReport(row.url, row.started, row.ended, counts, account)
