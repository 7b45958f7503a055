"""Opens the database of a URL, updates its schema, and gives connections for reading and writing."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import StaticPool

from threadmill.errors import MissingDependencyError, StoreError
from threadmill.store.schema import metadata

if TYPE_CHECKING:
    import psycopg  # of the extra `postgres`

_PACKAGE = "threadmill.store"
# An arbitrary number that every Threadmill uses. Two processes may open a new database at the same time.
_ADVISORY_LOCK = 0x7468_7264


def migrate(store: Store) -> None:
    """Run the missing migrations in one transaction."""
    with store.reading() as connection:
        version = _version(connection)
    if version == head():
        return
    if version is not None and version not in _revisions():
        raise StoreError(
            f"the store {store.name} was made by a newer Threadmill (schema {version}, "
            f"this one knows {head()}); upgrade Threadmill"
        )
    with store.writing() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})"))
        _upgrade(connection)


def head() -> str:
    """Return the number of the newest migration. Their files are named NUMBER_what.py."""
    return _revisions()[-1]


@cache
def _revisions() -> list[str]:
    names = (entry.name for entry in (files(_PACKAGE) / "migrations" / "versions").iterdir())
    return sorted(name.partition("_")[0] for name in names if name[:1].isdigit() and name.endswith(".py"))


def _version(connection: Connection) -> str | None:
    with suppress(DBAPIError):
        return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar())
    # The query fails on a new database, and on one that does not answer. The latter raises here.
    connection.rollback()
    connection.execute(text("SELECT 1"))
    return None


def _upgrade(connection: Connection) -> None:
    # Alembic takes 0.15 s to import. Only a database that needs a migration pays for it.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option(
        "script_location", str(Path(str(files(_PACKAGE))) / "migrations").replace("%", "%%")
    )
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


# The low byte of SQLite's extended result codes (sqlite.org/rescode.html).
_SQLITE = {
    sqlite3.SQLITE_FULL: "the disk is full; free some space and retry",
    sqlite3.SQLITE_READONLY: "the file may not be written; check its permissions and those of its directory",
    sqlite3.SQLITE_PERM: "the file may not be written; check its permissions and those of its directory",
    sqlite3.SQLITE_CORRUPT: "the file is damaged; restore it from a backup or use a new workspace",
    sqlite3.SQLITE_NOTADB: "the file is not an SQLite database; use another workspace or set store.url",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened; check the permissions of its directory",
    sqlite3.SQLITE_BUSY: "another process keeps it locked; wait until it ends",
    sqlite3.SQLITE_IOERR: "the disk failed or is full; check it and retry",
}
# Classes of PostgreSQL error codes (its manual, appendix A): the first two characters of a code.
_POSTGRESQL = {
    "53": "the server is out of disk, memory or connections",
    "57": "the server was shut down",
    "28": "the server does not accept this user or password; check store.url",
    "3D": "there is no such database; create it with createdb or check store.url",
    "42": "the user has no right to do this, or the schema is not Threadmill's",
    "25": "the server allows reading only",
}


def explain(error: DBAPIError, name: str) -> str:
    """Return one sentence about an error of the store with this name."""
    original = error.orig
    if isinstance(original, sqlite3.Error):
        code = getattr(original, "sqlite_errorcode", 0) & 0xFF
        return f"cannot use the store {name}: {_SQLITE.get(code, _first_line(original))}"
    state = getattr(original, "sqlstate", None) or ""
    said = _first_line(original)
    if not state and "FATAL:" in said:  # the driver keeps no code of a refused connection
        reason = said.rpartition("FATAL:")[2].strip()
        return (
            f"PostgreSQL refused {name}: {reason}; check the user, the password and the database in store.url"
        )
    if not state:  # no server answered
        return f"cannot reach PostgreSQL at {name}: {said}; start the server or change store.url"
    known = _POSTGRESQL.get(state[:2])
    return f"cannot use the store {name}: {f'{known} ({said})' if known else said}"


def _first_line(error: BaseException | None) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0].removesuffix(".") if lines else type(error).__name__


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
        self.copy: tempfile.TemporaryDirectory[str] | None = (
            None  # the directory of a copy, removed at the end
        )

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

    def flush(self) -> None:
        """Wait until all commits are on the disk. SQLite writes them there only from time to time."""
        if self.engine.dialect.name == "sqlite":
            with self._with_explained_errors(), self.engine.connect() as connection:
                connection.exec_driver_sql("COMMIT")  # a checkpoint cannot run inside a transaction
                connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)")
                connection.exec_driver_sql("BEGIN")

    def shrink(self) -> None:
        """Write the database anew, so that no file of it holds what was deleted."""
        with self._with_explained_errors(), self.engine.connect() as connection:
            if self.engine.dialect.name == "sqlite":
                connection.exec_driver_sql("COMMIT")
                connection.exec_driver_sql("VACUUM")
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
                connection.exec_driver_sql("BEGIN")
            else:
                connection.execution_options(isolation_level="AUTOCOMMIT")
                # Other programs may have tables in the same database: theirs are not locked.
                ours = sorted(set(inspect(connection).get_table_names()) & set(metadata.tables))
                names = ", ".join(f'"{name}"' for name in ours)
                connection.exec_driver_sql(f"VACUUM (FULL) {names}")

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
        if self.copy is not None:
            self.copy.cleanup()

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


def open_store_for_reading(url: str) -> Store:
    """Open a database only to read it. An SQLite file that may not be written can be read as well."""
    parsed = _parse_url(url)
    file = Path(parsed.database or "")
    if parsed.get_backend_name() != "sqlite" or not file.is_file() or _is_writable(file):
        return open_store(url)
    if not (file.parent / f"{file.name}-wal").exists():
        # Without a log there is nothing to recover, and nobody can change the file.
        fixed = f"file:{quote(str(file.absolute()))}?mode=ro&immutable=1&uri=true"
        engine = create_engine(f"sqlite:///{fixed}")
        event.listen(engine, "connect", _prepare_fixed_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        store = Store(engine)
        with store.reading() as connection:
            current = _version(connection) == head()
        if current:
            return store
        store.close()
    return _open_copy(file)


def _is_writable(file: Path) -> bool:
    """Can this process write the file and the log beside it?"""
    effective = os.access in os.supports_effective_ids
    return all(os.access(path, os.W_OK, effective_ids=effective) for path in (file, file.parent))


def _open_copy(file: Path) -> Store:
    """Open a copy of a database that has to be recovered or updated first, but may not be written."""
    directory = tempfile.TemporaryDirectory(prefix="threadmill-")
    try:
        for part in (file, file.parent / f"{file.name}-wal"):
            if part.exists():
                shutil.copyfile(part, Path(directory.name) / part.name)
        store = open_store(f"sqlite:///{Path(directory.name) / file.name}")
    except OSError as error:
        raise StoreError(f"cannot copy the store {file}: {error.strerror}") from None
    store.copy = directory
    return store


def _parse_url(url: str) -> URL:
    expected = "expected sqlite:///FILE or postgresql://USER@HOST/DATABASE as the URL of the store"
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # the latter for a port that is no number
        raise StoreError(
            f"{expected}, but it is {_hide_password(url)!r}; set store.url in threadmill.toml"
        ) from None
    if parsed.drivername in {"postgresql", "postgres", "postgresql+psycopg"}:
        return parsed.set(drivername="postgresql+psycopg")
    if parsed.drivername in {"sqlite", "sqlite+pysqlite"}:
        return parsed
    raise StoreError(
        f"{expected}, but it begins with {parsed.drivername!r}; set store.url in threadmill.toml"
    )


def _hide_password(url: str) -> str:
    """A URL that cannot be parsed, without what may be its password."""
    return re.sub(r"((?:^(?!\w+://)|//)[^:/@]*:).*@", r"\1***@", url)


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


def _prepare_fixed_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None
    connection.execute(f"PRAGMA cache_size = -{_SQLITE_CACHE_KIB}")


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes the write lock at once. A transaction that begins as a reader would fail instead.
    writing = connection.get_execution_options().get("threadmill_writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _make_postgresql_engine(url: URL) -> Engine:
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise MissingDependencyError("psycopg", "postgres", "A store in PostgreSQL") from None
    engine = create_engine(url, connect_args={"connect_timeout": _CONNECT_SECONDS})
    # Before SQLAlchemy asks for the version: it fails on a database without an encoding.
    event.listen(engine, "connect", _refuse_other_encodings, insert=True)
    return engine


def _refuse_other_encodings(connection: psycopg.Connection, _record: object) -> None:
    """A server that was installed without a language makes databases that know bytes only."""
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StoreError(
            f"expected a PostgreSQL database in UTF8, but {connection.info.dbname} has {encoding}; "
            "make one with: createdb --encoding UTF8 --template template0"
        )
