"""One database behind one URL: opened, brought up to date, written in transactions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import StaticPool

from threadmill.errors import MissingDependencyError, StoreError
from threadmill.store.error_messages import explain
from threadmill.store.migration import migrate

# Another process holds the one write lock of SQLite for a group of pages or a checkpoint: far shorter.
_BUSY_MILLISECONDS = 30_000
_CONNECT_SECONDS = 10
# 32 MiB of pages keep the upper levels of the indexes of some million URLs at hand (bench/frontier).
_SQLITE_CACHE_KIB = 32_768


class Store:
    """An open database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.name = engine.url.render_as_string(hide_password=True)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees one state of the database throughout."""
        with self._explained(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction: all of it is kept at the end of the block, or nothing."""
        try:
            with self._explained(), self.engine.connect() as connection:
                connection.execution_options(threadmill_writing=True)
                with connection.begin():
                    yield connection
        except OSError as error:  # who reads may fail to pass on what was read; that is not the store's doing
            raise StoreError(f"cannot use the store {self.name}: {error.strerror or error}") from error

    def close(self) -> None:
        """Let the connections go."""
        self.engine.dispose()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise StoreError(explain(error, self.name)) from error


def open_store(url: str) -> Store:
    """Open a database by URL, make it or bring it up to date where needed."""
    parsed = _parse(url)
    store = Store(_sqlite(parsed) if parsed.get_backend_name() == "sqlite" else _postgresql(parsed))
    try:
        migrate(store)
    except BaseException:
        store.close()
        raise
    return store


def _parse(url: str) -> URL:
    expected = "expected sqlite:///FILE or postgresql://USER@HOST/DATABASE as the URL of the store"
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise StoreError(f"{expected}, but it is {url!r}; set store.url in threadmill.toml") from None
    if parsed.drivername in {"postgresql", "postgres", "postgresql+psycopg"}:
        return parsed.set(drivername="postgresql+psycopg")
    if parsed.drivername in {"sqlite", "sqlite+pysqlite"}:
        return parsed
    raise StoreError(
        f"{expected}, but it begins with {parsed.drivername!r}; set store.url in threadmill.toml"
    )


def _sqlite(url: URL) -> Engine:
    in_memory = not url.database or url.database == ":memory:"
    if url.database and not in_memory and not url.database.startswith("file:"):
        directory = Path(url.database).parent
        if not directory.is_dir():
            raise StoreError(f"cannot make the store {url.database}: there is no directory {directory}")
    engine = create_engine(url, poolclass=StaticPool) if in_memory else create_engine(url)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # transactions begin where we say, or DDL would commit by itself
    for pragma in (
        f"busy_timeout = {_BUSY_MILLISECONDS}",
        "journal_mode = WAL",
        "synchronous = NORMAL",  # a kill loses nothing, a power cut the last moments, never the file
        "foreign_keys = ON",
        f"cache_size = -{_SQLITE_CACHE_KIB}",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes the lock at once: one that began as a reader could not wait for it, it would fail.
    writing = connection.get_execution_options().get("threadmill_writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _postgresql(url: URL) -> Engine:
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise MissingDependencyError("psycopg", "postgres", "A store in PostgreSQL") from None
    return create_engine(url, connect_args={"connect_timeout": _CONNECT_SECONDS})
