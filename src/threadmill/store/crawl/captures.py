"""The table of captures: when a URL was fetched, the status of the answer, and its place in the archive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    Row,
    Table,
    Text,
    func,
    select,
)

from threadmill.store.crawl.jobs import job
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
    Column("file", Text, nullable=False),  # empty when the archive is switched off
    Column("offset", BigInteger, nullable=False),
    Column("length", BigInteger, nullable=False),
    Column("digest", Text, nullable=False),
    Column("etag", Text),
    Column("last_modified", Text),
    Index("ix_capture_url_at", "url", "at"),
    Index("ix_capture_file_offset", "file", "offset"),
)

# Archive files of a killed crawl. Their last records may be missing in the table of captures. It is unknown
# which job wrote them, so every job reads them once.
unread_archive = Table(
    "unread_archive",
    metadata,
    Column("job", Identity, ForeignKey("job.id"), primary_key=True),
    Column("file", Text, primary_key=True),
)


LOST = "lost"  # the digest of a capture whose bytes are gone from the archive


@dataclass(frozen=True, slots=True)
class CaptureRow:
    """One stored answer. Its body is in the archive."""

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
_NAMES = [column.name for column in _COLUMNS]


def add_captures(connection: Connection, rows: Iterable[CaptureRow]) -> None:
    """Store captures in the transaction of the caller."""
    # Not dataclasses.asdict: its deep copies take five times as long as the rest.
    values = [{name: getattr(row, name) for name in _NAMES} for row in rows]
    if values:
        connection.execute(capture.insert(), values)


def latest_capture(connection: Connection, url: str) -> CaptureRow | None:
    """Return the last capture of a URL. A conditional request uses its ETag and Last-Modified."""
    wanted = select(*_COLUMNS).where(capture.c.url == url).order_by(capture.c.at.desc()).limit(1)
    row = connection.execute(wanted).first()
    return CaptureRow(**row._mapping) if row else None


def recent_captures(connection: Connection, job_id: int, url: str, most: int) -> list[CaptureRow]:
    """Return the last captures of a URL by one job, newest first."""
    mine = (capture.c.url == url, capture.c.job == job_id)
    wanted = select(*_COLUMNS).where(*mine).order_by(capture.c.at.desc(), capture.c.id.desc()).limit(most)
    return [CaptureRow(**row._mapping) for row in connection.execute(wanted)]


def find_capture(connection: Connection, number: int) -> CaptureRow | None:
    """Return a capture by its number, or None."""
    row = connection.execute(select(*_COLUMNS).where(capture.c.id == number)).first()
    return CaptureRow(**row._mapping) if row else None


def captures_of(connection: Connection, url: str, most: int) -> list[tuple[int, CaptureRow]]:
    """Return number and row of the last captures of a URL, newest first."""
    same = select(capture.c.id, *_COLUMNS).where(capture.c.url == url)
    rows = connection.execute(same.order_by(capture.c.at.desc()).limit(most))
    return [_numbered(row) for row in rows]


def list_captures(connection: Connection, before: int | None, most: int) -> list[tuple[int, CaptureRow]]:
    """Return number and row of the last captures with a smaller number than `before`, newest first."""
    wanted = select(capture.c.id, *_COLUMNS).order_by(capture.c.id.desc()).limit(most)
    if before is not None:
        wanted = wanted.where(capture.c.id < before)
    return [_numbered(row) for row in connection.execute(wanted)]


def sample_pages(connection: Connection, contains: str, most: int = 20_000) -> list[int]:
    """Return the numbers of the last archived HTML pages whose URL contains a text, each URL once."""
    kept = (capture.c.status == 200, capture.c.file != "", capture.c.content_type.like("%html%"))
    wanted = select(func.max(capture.c.id)).where(*kept).group_by(capture.c.url)
    if contains:
        wanted = wanted.where(capture.c.url.contains(contains, autoescape=True))
    return list(connection.execute(wanted.order_by(func.max(capture.c.id).desc()).limit(most)).scalars())


def _numbered(row: Row[Any]) -> tuple[int, CaptureRow]:
    values = dict(row._mapping)
    number = int(values.pop("id"))
    return number, CaptureRow(**values)


def unmodified_urls(connection: Connection, job_id: int) -> list[str]:
    """Return the URLs whose newest capture by a job has status 304 (not modified)."""
    newest = select(func.max(capture.c.id)).where(capture.c.job == job_id).group_by(capture.c.url)
    wanted = select(capture.c.url).where(capture.c.id.in_(newest), capture.c.status == 304)
    return list(connection.execute(wanted).scalars())


def captured_urls(connection: Connection, job_id: int) -> set[str]:
    """Return all URLs that a job has fetched."""
    return set(connection.execute(select(capture.c.url).where(capture.c.job == job_id)).scalars())


def newest_pages(connection: Connection, kind: str) -> Iterator[CaptureRow]:
    """Yield the newest page (status 200) of each URL fetched by jobs of a kind, in archive order."""
    kept = (capture.c.status == 200, capture.c.file != "", job.c.kind == kind)
    joined = capture.join(job, job.c.id == capture.c.job)
    newest = select(func.max(capture.c.id)).select_from(joined).where(*kept).group_by(capture.c.url)
    wanted = select(*_COLUMNS).where(capture.c.id.in_(newest)).order_by(capture.c.file, capture.c.offset)
    for row in connection.execution_options(yield_per=1000).execute(wanted):
        yield CaptureRow(**row._mapping)


def known_end(connection: Connection, job_id: int, file: str) -> int:
    """Return the end of the last record in an archive file that a job has stored; 0 without any."""
    wanted = (
        select(capture.c.offset + capture.c.length)
        .where(capture.c.file == file, capture.c.job == job_id)
        .order_by(capture.c.offset.desc())
        .limit(1)
    )
    return int(connection.execute(wanted).scalar() or 0)


def archive_ends(connection: Connection, files: Iterable[str]) -> dict[str, int]:
    """Return up to where captures of any job name bytes of some archive files."""
    end = func.max(capture.c.offset + capture.c.length)
    wanted = select(capture.c.file, end).where(capture.c.file.in_(list(files))).group_by(capture.c.file)
    return {row[0]: int(row[1]) for row in connection.execute(wanted)}


def archive_ends_by_job(connection: Connection, job_id: int | None = None) -> dict[int, dict[str, int]]:
    """Return up to where the captures of each job, or of one, name bytes of each archive file."""
    end = func.max(capture.c.offset + capture.c.length)
    wanted = select(capture.c.job, capture.c.file, end).where(capture.c.file != "")
    if job_id is not None:
        wanted = wanted.where(capture.c.job == job_id)
    ends: dict[int, dict[str, int]] = {}
    for number, file, size in connection.execute(wanted.group_by(capture.c.job, capture.c.file)):
        ends.setdefault(number, {})[file] = int(size)
    return ends


def recorded_offsets(connection: Connection, file: str) -> frozenset[int]:
    """Return where the captures begin that are stored of an archive file."""
    return frozenset(connection.execute(select(capture.c.offset).where(capture.c.file == file)).scalars())


def lose_captures(connection: Connection, file: str, size: int) -> int:
    """Mark the captures of a file that lie behind its end. No request may count on what they brought."""
    gone = (capture.c.file == file, capture.c.offset + capture.c.length > size)
    marks = {"file": "", "offset": 0, "length": 0, "digest": LOST, "etag": None, "last_modified": None}
    return int(connection.execute(capture.update().where(*gone).values(marks)).rowcount)


def captures_behind(connection: Connection, file: str, size: int) -> Iterator[CaptureRow]:
    """Yield the captures of a file that lie behind its end."""
    gone = (capture.c.file == file, capture.c.offset + capture.c.length > size)
    for row in connection.execute(select(*_COLUMNS).where(*gone).order_by(capture.c.offset)):
        yield CaptureRow(**row._mapping)


def lost_urls(connection: Connection, job_id: int) -> list[str]:
    """Return the URLs of a job whose newest capture is lost."""
    newest = select(func.max(capture.c.id)).where(capture.c.job == job_id).group_by(capture.c.url)
    wanted = select(capture.c.url).where(capture.c.id.in_(newest), capture.c.digest == LOST)
    return list(connection.execute(wanted.order_by(capture.c.id)).scalars())


def count_lost(connection: Connection) -> int:
    """Count the URLs whose bytes are known to be gone, and were not fetched again."""
    newest = select(func.max(capture.c.id)).group_by(capture.c.job, capture.c.url)
    wanted = select(func.count()).where(capture.c.digest == LOST, capture.c.id.in_(newest))
    return int(connection.execute(wanted).scalar_one())


def note_unread(connection: Connection, files: Iterable[str], job_id: int | None = None) -> None:
    """Note that a job, or every job, still has to read these archive files for records it did not store."""
    known = {tuple(row) for row in connection.execute(select(unread_archive.c.job, unread_archive.c.file))}
    jobs = [job_id] if job_id is not None else list(connection.execute(select(job.c.id)).scalars())
    fresh = [(number, file) for file in files for number in jobs if (number, file) not in known]
    if fresh:
        rows = [{"job": number, "file": file} for number, file in fresh]
        connection.execute(unread_archive.insert(), rows)


def unread_files(connection: Connection, job_id: int) -> list[str]:
    """Return the archive files that a job still has to read."""
    mine = select(unread_archive.c.file).where(unread_archive.c.job == job_id)
    return sorted(connection.execute(mine).scalars())


def forget_unread(connection: Connection, job_id: int) -> None:
    """Note that a job has read all archive files it had to read."""
    connection.execute(unread_archive.delete().where(unread_archive.c.job == job_id))


def count_pages(connection: Connection, job_id: int) -> int:
    """Count the pages (answers with status 2xx) that a job has fetched in all its runs."""
    pages = (capture.c.job == job_id, capture.c.status >= 200, capture.c.status < 300)
    return int(connection.execute(select(func.count()).where(*pages)).scalar_one())
