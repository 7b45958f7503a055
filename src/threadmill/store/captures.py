"""The table of captures: what was fetched when, what the server said, and where the archive keeps it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import BigInteger, Column, Connection, ForeignKey, Index, Integer, Table, Text, func, select

from threadmill.store.schema import Identity, Instant, metadata

capture = Table(
    "capture",
    metadata,
    Column("id", Identity, primary_key=True),
    Column("job", Identity, ForeignKey("job.id"), nullable=False),
    Column("url", Text, nullable=False),
    Column("at", Instant, nullable=False),
    Column("status", Integer, nullable=False),
    Column("content_type", Text, nullable=False),
    Column("depth", Integer, nullable=False),
    Column("file", Text, nullable=False),  # empty with the archive switched off
    Column("offset", BigInteger, nullable=False),
    Column("length", BigInteger, nullable=False),
    Column("digest", Text, nullable=False),
    Column("etag", Text),
    Column("last_modified", Text),
    Index("ix_capture_url_at", "url", "at"),
    Index("ix_capture_file_offset", "file", "offset"),
)

# Archive files of a killed crawl whose last records may not be among the captures yet.
unread_archive = Table("unread_archive", metadata, Column("file", Text, primary_key=True))


@dataclass(frozen=True, slots=True)
class CaptureRow:
    """One answer as the store remembers it; the answer itself is in the archive."""

    job: int
    url: str
    at: datetime
    status: int
    content_type: str = ""
    depth: int = 0
    file: str = ""
    offset: int = 0
    length: int = 0
    digest: str = ""
    etag: str | None = None
    last_modified: str | None = None


_COLUMNS = [column for column in capture.c if column.name != "id"]


def add_captures(connection: Connection, rows: Iterable[CaptureRow]) -> None:
    """Write captures down, in the caller's transaction."""
    values = [asdict(row) for row in rows]
    if values:
        connection.execute(capture.insert(), values)


def latest_capture(connection: Connection, url: str) -> CaptureRow | None:
    """The last answer to a URL, which a conditional request starts from."""
    wanted = select(*_COLUMNS).where(capture.c.url == url).order_by(capture.c.at.desc()).limit(1)
    row = connection.execute(wanted).first()
    return CaptureRow(**row._mapping) if row else None


def known_end(connection: Connection, file: str) -> int:
    """Up to where the store knows an archive file: the end of the last record noted, 0 when none is."""
    wanted = (
        select(capture.c.offset + capture.c.length)
        .where(capture.c.file == file)
        .order_by(capture.c.offset.desc())
        .limit(1)
    )
    return int(connection.execute(wanted).scalar() or 0)


def note_unread(connection: Connection, files: Iterable[str]) -> list[str]:
    """Add to the archive files that are yet to be read for what was not noted; gives all of them."""
    known = set(connection.execute(select(unread_archive.c.file)).scalars())
    fresh = sorted(set(files) - known)
    if fresh:
        connection.execute(unread_archive.insert(), [{"file": file} for file in fresh])
    return sorted(known.union(fresh))


def forget_unread(connection: Connection, files: Iterable[str]) -> None:
    """These archive files were read to their end."""
    connection.execute(unread_archive.delete().where(unread_archive.c.file.in_(list(files))))


def count_pages(connection: Connection, job_id: int) -> int:
    """How many pages (answers of status 2xx) a job has brought so far, over all its runs."""
    pages = (capture.c.job == job_id, capture.c.status >= 200, capture.c.status < 300)
    return int(connection.execute(select(func.count()).where(*pages)).scalar_one())
