"""The workspace: the directory that holds the settings, the database and the archive of a project."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from threadmill.config import SETTINGS_FILE, Settings, load_settings
from threadmill.errors import UsageError, WorkspaceError
from threadmill.types import StoredPost

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from threadmill.types import CrawlAccount, StoredBoard, StoredThread

DATABASE_FILE = "threadmill.sqlite"  # where the settings name no other database
_NEW_SETTINGS = """\
# Settings of this Threadmill workspace; every value has a default (see docs/settings.md).

[fetch]
# contact = "https://your.site/about-our-crawler"   # sent to every server in the User-Agent
"""


Record = TypeVar("Record")


class StoredRecords(Iterator[Record]):
    """Posts, threads or boards, one at a time; or all of them as a table. Each loop begins anew."""

    def __init__(self, read: Callable[[], Iterator[Record]]) -> None:
        self._read = read
        self._current: Iterator[Record] | None = None

    def __iter__(self) -> Iterator[Record]:
        return self._read()

    def __next__(self) -> Record:
        if self._current is None:
            self._current = self._read()
        return next(self._current)

    def close(self) -> None:
        """Close the database that `next` opened. It closes by itself after the last record."""
        if isinstance(self._current, Generator):
            self._current.close()

    def to_pandas(self) -> Any:
        """All of them as a pandas DataFrame: a column for each field, dates as ISO texts.

        Posts have one more, `time`: the date with all parts, as pandas keeps times.
        """
        return _load("pandas").DataFrame(list(self._as_rows()))

    def to_polars(self) -> Any:
        """All of them as a polars DataFrame."""
        return _load("polars").DataFrame(list(self._as_rows()), infer_schema_length=None)

    def _as_rows(self) -> Iterator[dict[str, Any]]:
        for record in self._read():
            if isinstance(record, StoredPost):
                time = datetime.fromisoformat(record.date.complete()) if record.date else None
                yield record.as_dict() | {"time": time}
            else:
                yield asdict(cast(Any, record))


def _load(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise UsageError(f"{name} is not installed; install it: pip install {name}") from None


@dataclass(frozen=True, slots=True)
class Workspace:
    """An open workspace: its directory, its settings, and what crawls have stored in it."""

    root: Path
    settings: Settings

    @property
    def archive(self) -> Path:
        """The directory of the WARC files."""
        return self.root / "archive"

    @property
    def store_url(self) -> str:
        """The URL of the database: the one in the settings, else a SQLite file in the workspace."""
        return self.settings.store.url or f"sqlite:///{self.root / DATABASE_FILE}"

    def posts(  # noqa: PLR0913 -- as many filters as people ask for, all by name
        self,
        *,
        since: str | None = None,
        board: str | None = None,
        thread: str | None = None,
        author: str | None = None,
        until: str | None = None,
        forum: str | None = None,
        new_since: str | None = None,
        query: str = "",
        pseudonym_key: str | None = None,
    ) -> StoredRecords[StoredPost]:
        """The posts of all crawled forums, thread by thread. They are read while you iterate.

        `since` is a date such as "2024-05-01" or "yesterday", `board` and `thread` are URLs, `author` is a
        name; `until` is the last day, `forum` the URL given to the crawl. `new_since` asks for posts that a
        crawl first saw on that day, or at that moment, or later, `query` for posts that hold all its words.
        With `pseudonym_key`, authors are replaced by hashes that only this key reproduces, and posts have no
        HTML.
        """
        from threadmill.store.forum.export import (
            Pseudonyms,
            authors_of,
            export_posts,
            read_filter,
        )

        now = datetime.now().astimezone()
        wanted = read_filter(
            now,
            since=since,
            until=until,
            new_since=new_since,
            board=board,
            thread=thread,
            author=author,
            forum=forum,
            words=tuple(query.split()),
        )

        def read() -> Iterator[StoredPost]:
            with self._reading() as connection:
                pseudonyms = None
                if pseudonym_key is not None:
                    pseudonyms = Pseudonyms(pseudonym_key, authors_of(connection))
                for record in export_posts(connection, wanted, pseudonyms):
                    yield StoredPost.from_dict(record)

        return StoredRecords(read)

    def threads(self, *, board: str | None = None) -> StoredRecords[StoredThread]:
        """The threads of all crawled forums, or of the board with this URL."""
        from threadmill.store.forum.export import export_threads

        return StoredRecords(lambda: self._read(lambda connection: export_threads(connection, board)))

    def boards(self) -> StoredRecords[StoredBoard]:
        """The boards of all crawled forums."""
        from threadmill.store.forum.export import export_boards

        return StoredRecords(lambda: self._read(export_boards))

    def replies(self, *, board: str | None = None, forum: str | None = None) -> Mapping[tuple[str, str], int]:
        """Who answered whom, by parents and quotes: (author, answered author) → number of posts."""
        from threadmill.store.forum.export import PostFilter
        from threadmill.store.forum.replies import count_replies

        with self._reading() as connection:
            return count_replies(connection, PostFilter(board=board, forum=forum))

    def _read(self, rows: Callable[[Connection], Iterable[Record]]) -> Iterator[Record]:
        with self._reading() as connection:
            yield from rows(connection)

    def account(self, url: str) -> CrawlAccount | None:
        """What is kept of a forum beside what it claims to have. `url` is the one given to `crawl_forum`."""
        from threadmill.store.crawl.jobs import find_job
        from threadmill.store.forum.accounts import latest_account
        from threadmill.urls import canonicalise

        with self._reading() as connection:
            job = find_job(connection, "forum", canonicalise(url), "forum")
            return latest_account(connection, job) if job is not None else None

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        from threadmill.store import open_store_for_reading

        refuse_lost_database(self)
        store = open_store_for_reading(self.store_url)
        try:
            with store.reading() as connection:
                yield connection
        finally:
            store.close()


def open_workspace(path: str | os.PathLike[str], *, create: bool = False) -> Workspace:
    """Open a workspace. With `create`, a new or empty directory becomes one.

    A directory that is not a workspace raises WorkspaceError.

    >>> import threadmill
    >>> workspace = threadmill.open_workspace("threadmill-work")
    >>> [board.title for board in workspace.boards()][1:3]
    ['General discussion', 'Workshop & repairs']
    >>> threads = list(workspace.threads())
    >>> sum(thread.posts for thread in threads)
    29
    >>> for post in workspace.posts(thread=threads[0].url):
    ...     print(post.position, post.date.isoformat(), post.author)
    1 2015-02-05T18:59 juniper
    """
    root = Path(path)
    marker = root / SETTINGS_FILE
    if not marker.exists():
        _refuse_or_create(root, marker, create=create)
    return Workspace(root.resolve(), load_settings(marker))


def lost_database(workspace: Workspace) -> bool:
    """Does a workspace have an archive whose SQLite file is gone?"""
    if workspace.settings.store.url or (workspace.root / DATABASE_FILE).exists():
        return False
    return next(workspace.archive.glob("*.warc*"), None) is not None


def refuse_lost_database(workspace: Workspace) -> None:
    """Refuse a workspace with an archive whose SQLite file is gone, where its posts are asked for.

    An empty database would say that nothing was ever crawled, and a crawl would fetch everything again.
    """
    if lost_database(workspace):
        file = workspace.root / DATABASE_FILE
        raise WorkspaceError(
            f"the database {file} is gone, but the archive beside it holds answers of crawls; "
            f"make it again: threadmill rebuild --workspace {workspace.root}"
        )


def _refuse_or_create(root: Path, marker: Path, *, create: bool) -> None:
    if root.exists() and not root.is_dir():
        raise WorkspaceError(f"expected a workspace directory at {root}, but it is a file")
    if not create:
        raise WorkspaceError(
            f"{root} is not a Threadmill workspace (no {SETTINGS_FILE} in it); "
            "a crawl makes one: threadmill crawl URL --workspace DIR"
        )
    if root.exists() and any(root.iterdir()):
        raise WorkspaceError(
            f"{root} is not a Threadmill workspace and not empty; "
            "name an empty or new directory with --workspace"
        )
    try:
        root.mkdir(parents=True, exist_ok=True)
        marker.write_text(_NEW_SETTINGS, encoding="utf-8")
    except OSError as error:
        raise WorkspaceError(f"cannot make a workspace at {root}: {error.strerror}") from None
