import errno
import os
import pkgutil
import signal
import sqlite3
import stat
import subprocess
import sys
import textwrap
from datetime import UTC, datetime
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import event, func, select, text
from sqlalchemy.exc import DBAPIError

import threadmill.store
from tests.conftest import add_database
from threadmill.errors import MissingDependencyError, StoreError
from threadmill.store import database, open_store, open_store_for_reading
from threadmill.store.crawl.jobs import find_or_add_job, job
from threadmill.store.database import explain, head
from threadmill.store.schema import metadata

# Every module declares its own tables, and only imported ones are known.
for module in pkgutil.walk_packages(threadmill.store.__path__, "threadmill.store."):
    if not module.ispkg and ".migrations" not in module.name:
        import_module(module.name)


def test_migrations_are_one_line_and_end_where_we_say() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(str(files("threadmill.store"))) / "migrations"))
    assert ScriptDirectory.from_config(config).get_heads() == [head()]


def test_the_migrated_schema_is_the_one_the_code_speaks_of(new_store_url: str) -> None:
    store = open_store(new_store_url)
    with store.reading() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, metadata) == []
    store.close()
    assert {"capture", "frontier", "job", "post", "run", "thread"} <= set(metadata.tables)


class ServerError(Exception):
    """An error as psycopg raises it."""

    def __init__(self, message: str, sqlstate: str | None) -> None:
        super().__init__(message)
        self.sqlstate = sqlstate


def from_sqlite(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("raw words")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("original", "expected"),
    [
        (from_sqlite(sqlite3.SQLITE_FULL), "the store S: the disk is full; free some space and retry"),
        (from_sqlite(sqlite3.SQLITE_IOERR | 3 << 8), "cannot use the store S: the disk failed or is full"),
        (from_sqlite(sqlite3.SQLITE_BUSY), "cannot use the store S: another process keeps it locked"),
        (from_sqlite(sqlite3.SQLITE_MISMATCH), "cannot use the store S: raw words"),
        (ServerError("no password.\nmore", "28P01"), "check store.url (no password)"),
        (ServerError("odd", "99999"), "cannot use the store S: odd"),
        (ServerError("refused", None), "PostgreSQL at S: refused; start the server or change store.url"),
        (ServerError("", None), "cannot reach PostgreSQL at S: ServerError;"),
    ],
)  # fmt: skip
def test_an_error_is_one_sentence_with_a_cure(original: Exception, expected: str) -> None:
    message = explain(DBAPIError("SELECT 1", {}, original), "S")
    assert expected in message
    assert "\n" not in message


NOW = datetime(2026, 11, 15, 12, 0, 0, 123456, tzinfo=UTC)


def test_what_is_written_is_there_after_opening_again(new_store_url: str) -> None:
    store = open_store(new_store_url)
    with store.writing() as connection:
        made = find_or_add_job(connection, "site", "http://a.example/", "host", NOW)
    store.close()
    again = open_store(new_store_url)
    with again.reading() as connection:
        row = connection.execute(select(job)).one()
    again.close()
    assert (row.id, row.url, row.created) == (made.id, "http://a.example/", NOW)


def test_a_failed_transaction_leaves_nothing(new_store_url: str) -> None:
    store = open_store(new_store_url)
    with pytest.raises(RuntimeError), store.writing() as connection:  # noqa: PT012
        find_or_add_job(connection, "site", "http://a.example/", "host", NOW)
        raise RuntimeError
    with store.reading() as connection:
        assert connection.execute(select(func.count()).select_from(job)).scalar() == 0
    store.close()


def test_opening_a_current_store_is_one_query(new_store_url: str) -> None:
    open_store(new_store_url).close()
    statements: list[str] = []

    def note(*arguments: object) -> None:
        statements.append(str(arguments[2]))

    from sqlalchemy import Engine

    event.listen(Engine, "before_cursor_execute", note)
    try:
        open_store(new_store_url).close()
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    ours = [s for s in statements if "BEGIN" not in s and "pg_catalog" not in s and "show " not in s]
    assert [s for s in ours if not s.startswith("select current_schema")] == [
        "SELECT version_num FROM alembic_version"
    ]


def test_opening_a_current_store_does_not_load_the_migration_tool(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    open_store(url).close()
    code = f"import sys, threadmill.store as s; s.open_store({url!r}); print('alembic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_sqlite_is_set_to_survive_kills_and_to_wait_for_others(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'store.sqlite'}")
    with store.reading() as connection:
        pragmas = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    store.close()
    assert pragmas == {"journal_mode": "wal", "synchronous": 1, "foreign_keys": 1, "busy_timeout": 30_000}


def test_a_kill_in_the_midst_of_a_transaction_leaves_a_store_that_opens(new_store_url: str) -> None:
    open_store(new_store_url).close()
    code = textwrap.dedent(
        f"""
        import os, signal
        from datetime import UTC, datetime
        from threadmill.store import open_store
        from threadmill.store.crawl.jobs import find_or_add_job
        store = open_store({new_store_url!r})
        with store.writing() as connection:
            find_or_add_job(connection, "site", "kept", "host", datetime.now(UTC))
        with store.writing() as connection:
            for n in range(1000):
                find_or_add_job(connection, "site", f"lost {{n}}", "host", datetime.now(UTC))
            os.kill(os.getpid(), signal.SIGKILL)
        """
    )
    done = subprocess.run([sys.executable, "-c", code], check=False)
    assert done.returncode == -signal.SIGKILL
    store = open_store(new_store_url)
    with store.writing() as connection:
        find_or_add_job(connection, "site", "after", "host", NOW)
        urls = list(connection.execute(select(job.c.url).order_by(job.c.id)).scalars())
    store.close()
    assert urls == ["kept", "after"]


def test_a_kill_during_the_first_opening_does_no_harm(new_store_url: str) -> None:
    code = textwrap.dedent(
        f"""
        import os, signal
        import threadmill.store.database as migration
        from threadmill.store import open_store
        whole = migration._upgrade
        def half(connection):
            whole(connection)
            os.kill(os.getpid(), signal.SIGKILL)
        migration._upgrade = half
        open_store({new_store_url!r})
        """
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL
    store = open_store(new_store_url)
    with store.writing() as connection:
        find_or_add_job(connection, "site", "after", "host", NOW)
    store.close()


def test_two_processes_may_open_a_new_store_at_once(new_store_url: str) -> None:
    code = f"from threadmill.store import open_store; open_store({new_store_url!r}).close()"
    both = [
        subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True) for _ in range(3)
    ]
    assert [(p.wait(), p.communicate()[1]) for p in both] == [(0, "")] * 3


def one_sentence(error: pytest.ExceptionInfo[StoreError]) -> str:
    message = str(error.value)
    assert "\n" not in message
    assert "Traceback" not in message
    assert "sqlalche.me" not in message
    return message


@pytest.mark.parametrize("url", ["mysql://a/b", "nonsense", "", "sqlite+aiosqlite:///x"])
def test_a_url_of_no_database_we_know_is_one_sentence(url: str) -> None:
    with pytest.raises(StoreError, match="expected sqlite:///FILE or postgresql://") as error:
        open_store(url)
    one_sentence(error)


def test_a_postgresql_that_is_down_is_one_sentence_without_the_password() -> None:
    with pytest.raises(StoreError, match=r"cannot reach PostgreSQL at .*127\.0\.0\.1:1/") as error:
        open_store("postgresql://user:secret@127.0.0.1:1/threadmill")
    assert "secret" not in one_sentence(error)


def test_a_database_postgresql_does_not_have_is_one_sentence(postgres_server: str) -> None:
    with pytest.raises(StoreError, match="does not exist; check the user") as error:
        open_store(postgres_server.format(name="no_such_database"))
    assert "start the server" not in one_sentence(error)  # it runs


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_without_unicode_is_refused_in_one_sentence(postgres_server: str, encoding: str) -> None:
    """A server that was installed without a language makes such databases; this was a traceback."""
    name = add_database(postgres_server, f"template0 ENCODING '{encoding}' LOCALE 'C'")
    with pytest.raises(StoreError, match=f"UTF8, but {name} has {encoding}") as error:
        open_store(postgres_server.format(name=name))
    assert "createdb" in one_sentence(error)


def test_a_missing_driver_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingDependencyError, match=r"pip install '\.\[postgres\]'"):
        open_store("postgresql://user@127.0.0.1/threadmill")


def test_a_file_that_is_no_database_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    file.write_text("this is a shopping list, " * 100)
    with pytest.raises(StoreError, match="not an SQLite database") as error:
        open_store(f"sqlite:///{file}")
    one_sentence(error)


def test_a_damaged_file_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    store = open_store(f"sqlite:///{file}")
    with store.writing() as connection:
        for n in range(2000):
            find_or_add_job(connection, "site", f"http://a.example/{n}", "host", NOW)
    store.close()
    raw = bytearray(file.read_bytes())
    raw[4096:] = os.urandom(len(raw) - 4096)
    file.write_bytes(raw)
    with pytest.raises(StoreError, match="damaged") as error:  # noqa: PT012
        store = open_store(f"sqlite:///{file}")
        with store.reading() as connection:
            connection.execute(select(job)).all()
    one_sentence(error)


def test_a_directory_that_does_not_exist_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no directory") as error:
        open_store(f"sqlite:///{tmp_path}/none/store.sqlite")
    one_sentence(error)


def test_a_file_that_may_not_be_written_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    open_store(f"sqlite:///{file}").close()
    file.chmod(stat.S_IRUSR)
    # Root may write to any file, so SQLite is asked to open this one as others would.
    url = f"sqlite:///file:{file}?mode=ro&uri=true" if os.geteuid() == 0 else f"sqlite:///{file}"
    with pytest.raises(StoreError, match="may not be written") as error:  # noqa: PT012
        store = open_store(url)
        with store.writing() as connection:
            find_or_add_job(connection, "site", "a", "host", NOW)
    one_sentence(error)


@pytest.mark.parametrize("state", ["clean", "with a log", "of an older version"])
def test_a_database_that_may_not_be_written_can_be_read(
    state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a store.sqlite"
    store = open_store(f"sqlite:///{file}")
    with store.writing() as connection:
        find_or_add_job(connection, "site", "a", "host", NOW)
    if state == "with a log":  # as a killed process leaves it
        copy = tmp_path / "copy"
        copy.mkdir()
        for part in tmp_path.glob("a store*"):
            (copy / part.name).write_bytes(part.read_bytes())
        (copy / f"{file.name}-shm").unlink()
        file = copy / file.name
        assert (copy / f"{file.name}-wal").stat().st_size
    elif state == "of an older version":
        with store.writing() as connection:
            for view in ("posts", "post_versions", "threads", "boards"):  # as before migration 9
                connection.execute(text(f"DROP VIEW {view}"))
            later = ("vote", "vote_set", "correction", "site_decision")
            for name in (*later, "fleet_host", "fleet_forum", "fleet_worker", "fleet_hour"):
                connection.execute(text(f"DROP TABLE {name}"))
            for table, column in (("compare_result", "found"), ("site", "name")):
                connection.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
            connection.execute(text("UPDATE alembic_version SET version_num = '0008'"))
    store.close()
    before = {part: part.read_bytes() for part in file.parent.iterdir() if part.is_file()}
    monkeypatch.setattr(database, "_is_writable", lambda _: False)
    store = open_store_for_reading(f"sqlite:///{file}")
    with store.reading() as connection:
        assert connection.execute(text("SELECT url FROM job")).scalar() == "a"
    store.close()
    assert before == {part: part.read_bytes() for part in file.parent.iterdir() if part.is_file()}


@pytest.mark.parametrize(
    "url", ["postgresql://me:secret@host:port/x", "pg//me:secret@host/x", "me:secret@host/x"]
)
def test_a_url_that_cannot_be_read_is_shown_without_its_password(url: str) -> None:
    with pytest.raises(StoreError) as error:
        open_store(url)
    assert "secret" not in one_sentence(error)


def test_a_full_disk_is_one_sentence_and_loses_nothing(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'store.sqlite'}")
    with store.writing() as connection:
        find_or_add_job(connection, "site", "kept", "host", NOW)

    def fill() -> None:
        with store.writing() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 2}")
            for n in range(1000):
                find_or_add_job(connection, "site", f"lost {n}", "host", NOW)

    with pytest.raises(StoreError, match="the disk is full") as error:
        fill()
    one_sentence(error)
    with store.reading() as connection:
        assert list(connection.execute(select(job.c.url)).scalars()) == ["kept"]
    store.close()


@pytest.mark.skipif(os.geteuid() != 0 or sys.platform != "linux", reason="mounts a tiny file system")
def test_a_disk_that_is_really_full_is_one_sentence(tmp_path: Path) -> None:
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(tmp_path)], check=False)
    if mounted.returncode:
        pytest.skip("this machine does not let us mount a tiny file system")
    try:
        with pytest.raises(StoreError, match="full") as error:  # noqa: PT012
            store = open_store(f"sqlite:///{tmp_path / 'store.sqlite'}")
            for n in range(10_000):
                with store.writing() as connection:
                    find_or_add_job(connection, "site", f"http://a.example/{n}", "host", NOW)
        one_sentence(error)
    finally:
        store.close()
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_an_error_of_the_system_is_one_sentence(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'store.sqlite'}")
    with pytest.raises(StoreError, match="No space left") as error, store.writing():
        raise OSError(errno.ENOSPC, "No space left on device")
    one_sentence(error)
    store.close()


def test_a_store_of_a_newer_version_is_left_alone(new_store_url: str) -> None:
    store = open_store(new_store_url)
    with store.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    with pytest.raises(StoreError, match="made by a newer Threadmill") as error:
        open_store(new_store_url)
    one_sentence(error)


def test_a_store_in_memory_works_like_any_other() -> None:
    store = open_store("sqlite://")
    with store.writing() as connection:
        find_or_add_job(connection, "site", "a", "host", NOW)
    with store.reading() as connection:
        assert connection.execute(select(job.c.url)).scalar() == "a"
    store.close()


def test_another_process_that_holds_the_lock_too_long_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    store = open_store(f"sqlite:///{file}")
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with store.reading() as connection:
        connection.exec_driver_sql("PRAGMA busy_timeout = 10")
    with pytest.raises(StoreError, match="another process keeps it locked") as error, store.writing():
        pass
    one_sentence(error)
    other.close()
    store.close()
