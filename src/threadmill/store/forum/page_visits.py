"""The table of readings: every page a forum crawl fetched, and how much of it was news."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, ForeignKey, Integer, Table, Text, func, select

from threadmill.store.schema import Identity, Instant, metadata

reading = Table(
    "reading",
    metadata,
    Column("id", Identity, primary_key=True),
    Column("run", Identity, ForeignKey("run.id"), nullable=False, index=True),
    Column("url", Text, nullable=False),
    Column("at", Instant, nullable=False),
    Column("kind", Text, nullable=False),  # "index", "thread" or "other"
    Column("bytes", Integer, nullable=False),
    Column("items", Integer, nullable=False),  # posts of a thread page, threads of an index page
    Column("news", Integer, nullable=False),  # how many of them were new
)


@dataclass(frozen=True, slots=True)
class PageVisit:
    """One page a crawl fetched."""

    run: int
    url: str
    at: datetime
    kind: str
    bytes: int
    items: int
    news: int


@dataclass(frozen=True, slots=True)
class PageCounts:
    """The pages of one run, by the source's classes."""

    run: int
    new: int
    semi: int
    duplicate: int
    other: int
    bytes: int
    useful_bytes: int  # of pages with something new
    posts: int

    @property
    def pages(self) -> int:
        """All pages of the run."""
        return self.new + self.semi + self.duplicate + self.other

    @property
    def precision(self) -> float:
        """Pages with something new among all pages fetched."""
        return (self.new + self.semi) / self.pages if self.pages else 1.0


def add_page_visit(connection: Connection, read: PageVisit) -> None:
    """Write down one page."""
    connection.execute(reading.insert().values(asdict(read)))


def count_pages_of_run(connection: Connection, run_id: int) -> PageCounts:
    """What a run fetched, counted."""
    c = reading.c
    items = c["items"]  # .items is the collection's own method
    other = (c.kind == "other") | (items == 0)
    verdicts = {
        "new": ~other & (c.news == items),
        "semi": ~other & (c.news > 0) & (c.news < items),
        "duplicate": ~other & (c.news == 0),
        "other": other,
    }
    columns: list[ColumnElement[Any]] = [
        func.count().filter(condition).label(name) for name, condition in verdicts.items()
    ]
    columns.append(func.coalesce(func.sum(c.bytes), 0).label("bytes"))
    useful = func.sum(c.bytes).filter(~other & (c.news > 0))
    columns.append(func.coalesce(useful, 0).label("useful_bytes"))
    columns.append(func.coalesce(func.sum(c.news).filter(c.kind == "thread"), 0).label("posts"))
    row = connection.execute(select(*columns).where(c.run == run_id)).one()
    return PageCounts(run_id, *(int(value) for value in row))
