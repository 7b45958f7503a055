"""Opens the database of a URL, updates its schema, and gives connections for reading and writing."""

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

# How long to wait for the write lock of SQLite. Other processes hold it far shorter: for a group of pages or
# a checkpoint.
_BUSY_MILLISECONDS = 30_000
_CONNECT_SECONDS = 10
# 32 MiB hold the upper index levels of some million URLs (bench/frontier).
_SQLITE_CACHE_KIB = 32_768


class Store:
    """An open database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.name = engine.url.render_as_string(hide_password=True)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a connection for reading. It sees one state of the database until its end."""
        with self._with_explained_errors(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a transaction. It is committed at the end of the block, or rolled back on an error."""
        try:
            with self._with_explained_errors(), self.engine.connect() as connection:
                connection.execution_options(threadmill_writing=True)
                with connection.begin():
                    yield connection
        except (
            OSError
        ) as error:  # only here: while reading, an OSError may come from the consumer of the rows
            raise StoreError(f"cannot use the store {self.name}: {error.strerror or error}") from error

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    @contextmanager
    def _with_explained_errors(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise StoreError(explain(error, self.name)) from error


def open_store(url: str) -> Store:
    """Open the database of a URL. Create it or update its schema if needed."""
    parsed = _parse_url(url)
    store = Store(
        _make_sqlite_engine(parsed)
        if parsed.get_backend_name() == "sqlite"
        else _make_postgresql_engine(parsed)
    )
    try:
        migrate(store)
    except BaseException:
        store.close()
        raise
    return store


def _parse_url(url: str) -> URL:
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


def _make_sqlite_engine(url: URL) -> Engine:
    in_memory = not url.database or url.database == ":memory:"
    if url.database and not in_memory and not url.database.startswith("file:"):
        directory = Path(url.database).parent
        if not directory.is_dir():
            raise StoreError(
                f"cannot create the store {url.database}: there is no directory {directory}; create it first"
            )
    engine = create_engine(url, poolclass=StaticPool) if in_memory else create_engine(url)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # we begin transactions ourselves; otherwise DDL would commit
    for pragma in (
        f"busy_timeout = {_BUSY_MILLISECONDS}",
        "journal_mode = WAL",
        "synchronous = NORMAL",  # a kill loses nothing; a power cut may lose the last commits
        "foreign_keys = ON",
        f"cache_size = -{_SQLITE_CACHE_KIB}",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes the write lock at once. A transaction that begins as a reader would fail instead.
    writing = connection.get_execution_options().get("threadmill_writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _make_postgresql_engine(url: URL) -> Engine:
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise MissingDependencyError("psycopg", "postgres", "A store in PostgreSQL") from None
    return create_engine(url, connect_args={"connect_timeout": _CONNECT_SECONDS})
