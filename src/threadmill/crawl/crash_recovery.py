"""Finds what a kill or a power cut left behind: answers that no row names, and rows whose answer is gone.

An answer is archived before the database hears of it. After a kill the archive may hold answers without a
row, and half a record at its end. After a power cut the database may also name bytes that never reached the
disk.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path

from sqlalchemy import Connection

from threadmill.archive import RecoveredFile, read_exchanges_after, recover
from threadmill.archive.recovery import abandoned_files, cut_half_records
from threadmill.archive.remote_files import file_size
from threadmill.archive.rewriting import NOTE_SUFFIX, finish
from threadmill.archive.warc_writer import continued_files
from threadmill.crawl.fetch.retry import RETRIED_STATUSES
from threadmill.store import Store
from threadmill.store.crawl.captures import (
    archive_ends,
    archive_ends_by_job,
    known_end,
    lose_captures,
    note_unread,
    recorded_offsets,
    unread_files,
)
from threadmill.store.forum.removal import is_file_named
from threadmill.types import Exchange, Location
from threadmill.urls import resolve

ArchivedExchange = tuple[Location, Exchange]
# A smaller file is read from its start, because a crawl that was killed while it learnt a forum has not
# recorded the first answers. Reading this much takes a second.
_READ_WHOLE = 64_000_000
_log = logging.getLogger("threadmill.crawl")


def repair_archive(store: Store, directory: Path) -> tuple[RecoveredFile, ...]:
    """Cut off half records, and note which files every job has to read. A crash during this does no harm."""
    if any(directory.glob(f"*{NOTE_SUFFIX}")):
        with store.reading() as connection:
            finish(directory, lambda files: is_file_named(connection, list(files)))
    # This is stored first, because `recover` removes the markers of such files.
    names = abandoned_files(directory)
    repaired: tuple[RecoveredFile, ...] = ()
    if names:
        with store.writing() as connection:
            note_unread(connection, names)
            ends = archive_ends(connection, names)
        repaired = recover(directory, ends)
    # The next writer goes on with the newest file. Behind half a record its own would be damaged, too.
    newest = [file.name for file in continued_files(directory)]
    with store.reading() as connection:
        ends = dict.fromkeys(newest, 0) | archive_ends(connection, newest)
    return (*repaired, *cut_half_records(directory, ends))


def unrecorded_visits(store: Store, directory: Path, job: int) -> Iterator[list[ArchivedExchange]]:
    """Yield answers in files of killed crawls that no row of a job names, grouped by visit."""
    with store.reading() as connection:
        files = [
            (file, known_end(connection, job, file), recorded_offsets(connection, file))
            for file in unread_files(connection, job)
        ]
    for name, end, recorded in files:
        file = directory / name
        size = file_size(file)
        if not size:
            continue
        start = 0 if size <= _READ_WHOLE else end
        archived = read_exchanges_after(directory, name, start)
        fresh = (found for found in archived if found[0].offset not in recorded)
        yield from group_by_visit(fresh)


def mark_lost_captures(store: Store, directory: Path, job: int) -> int:
    """Mark the captures of a job whose bytes are not in the archive any more. Return how many were found.

    Other jobs of the database may belong to other workspaces, with archives of their own.
    """
    with store.reading() as connection:
        ends = archive_ends_by_job(connection, job).get(job, {})
    short = _shortened(ends, directory)
    if not short:
        return 0
    # What is left of a record at the cut is no use.
    cut = {file.file: file.size for file in cut_half_records(directory, dict.fromkeys(short, 0))}
    with store.writing() as connection:
        lost = sum(lose_captures(connection, name, cut.get(name, size)) for name, size in short.items())
    _log.warning("%d answers are missing in the archive; their pages will be fetched again", lost)
    return lost


def shortened_files(connection: Connection, directory: Path) -> dict[str, int]:
    """Return the archive files that are shorter than their captures say, with their sizes; 0: it is gone.

    A job without any file here belongs to another workspace with the same database, unless all have none.
    """
    jobs = archive_ends_by_job(connection)
    here = [ends for ends in jobs.values() if any(file_size(directory / name) for name in ends)]
    short: dict[str, int] = {}
    for ends in here or jobs.values():
        short |= _shortened(ends, directory)
    return short


def _shortened(ends: dict[str, int], directory: Path) -> dict[str, int]:
    sizes = {name: file_size(directory / name) for name in ends}
    return {name: sizes[name] for name, end in ends.items() if sizes[name] < end}


def group_by_visit(archived: Iterable[ArchivedExchange]) -> Iterator[list[ArchivedExchange]]:
    """Group exchanges that belong to one visit: retries, and redirects that were followed."""
    chain: list[ArchivedExchange] = []
    for location, exchange in archived:
        if chain and not _belongs_together(chain[-1][1], exchange):
            yield chain
            chain = []
        chain.append((location, exchange))
    if chain:
        yield chain


def _belongs_together(one: Exchange, other: Exchange) -> bool:
    if one.url == other.url:
        return one.status in RETRIED_STATUSES or bool(one.truncated) or 300 <= one.status < 400
    location = next((value for name, value in one.headers if name.lower() == "location"), "")
    return 300 <= one.status < 400 and resolve(location, one.url) == resolve(other.url)
