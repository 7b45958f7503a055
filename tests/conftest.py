"""Fixtures of all tests: a database of each kind, so that one suite runs over SQLite and PostgreSQL."""

import fcntl
import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import is_hypothesis_test, settings
from hypothesis.database import DirectoryBasedExampleDatabase, ReadOnlyDatabase
from sqlalchemy import create_engine, text

from tests.empty_store import put_empty_store
from threadmill.store import open_store

# Parallel test processes are told the width of the terminal. Without it, output is that of a pipe everywhere.
os.environ.pop("COLUMNS", None)

# The test command always tries the same inputs (--hypothesis-seed=0 in pyproject.toml). Inputs that once
# failed come first: tests/found_examples keeps them. `dev.py fuzz` draws new ones and keeps those that fail.
_FOUND = DirectoryBasedExampleDatabase(Path(__file__).parent / "found_examples")
_FUZZ_FACTOR = 20  # inputs per property test, as a multiple of what the test command tries
settings.register_profile("repeatable", database=ReadOnlyDatabase(_FOUND), deadline=None)
settings.register_profile("fuzz", database=_FOUND, deadline=None, print_blob=True)
settings.load_profile("repeatable")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With the profile `fuzz`, run the property tests only, and try more inputs in each."""
    if config.getoption("--hypothesis-profile") != "fuzz":
        return
    chosen = [item for item in items if is_hypothesis_test(getattr(item, "obj", None))]
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = chosen
    for item in chosen:
        test = item.obj  # type: ignore[attr-defined]
        test = getattr(test, "__func__", test)
        usual = test._hypothesis_internal_use_settings
        test._hypothesis_internal_use_settings = settings(
            usual, max_examples=_FUZZ_FACTOR * usual.max_examples
        )


HOW_TO = "PostgreSQL's server is not installed: apt-get install postgresql, or brew install postgresql"


def _programs() -> Path | None:
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    found = [place for place in places if (place / "initdb").exists()]
    if found:
        return found[-1]
    there = shutil.which("initdb")
    return Path(there).parent if there else None


def _unprivileged() -> dict[str, object]:
    """PostgreSQL refuses to run as root: who it runs as instead."""
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name for entry in pwd.getpwall()}
    entry = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def _quick_directory() -> str | None:
    """Memory that is used like a disk, where there is enough of it. A database is some 900 files."""
    memory = Path("/dev/shm")  # noqa: S108 -- the directory made there has a random name
    enough = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 2 << 30
    return str(memory) if enough else None


class Cluster:
    """A PostgreSQL server of our own on a Unix socket; several test workers share one."""

    def __init__(self, programs: Path, shared: Path) -> None:
        self._programs = programs
        self._shared = shared
        self._who = _unprivileged()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with (self._shared / "postgres.lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _state(self) -> tuple[Path | None, int]:
        file = self._shared / "postgres.state"
        if not file.exists():
            return None, 0
        home, users = file.read_text().split("\n")
        return Path(home), int(users)

    def _write(self, home: Path, users: int) -> None:
        (self._shared / "postgres.state").write_text(f"{home}\n{users}")

    def acquire(self) -> str:
        with self._locked():
            home, users = self._state()
            if home is None or users == 0:
                home = self._start()
            self._write(home, users + 1)
            return f"postgresql://threadmill@/{{name}}?host={home}"

    def release(self) -> None:
        with self._locked():
            home, users = self._state()
            assert home is not None
            self._write(home, users - 1)
            if users == 1:
                self._run("pg_ctl", "-D", str(home / "data"), "-m", "immediate", "stop")
                shutil.rmtree(home, ignore_errors=True)

    def _start(self) -> Path:
        home = Path(tempfile.mkdtemp(prefix="threadmill-pg-", dir=_quick_directory()))
        if self._who:
            os.chown(home, int(str(self._who["user"])), int(str(self._who["group"])))
        data = str(home / "data")
        self._run("initdb", "--no-sync", "-A", "trust", "-U", "threadmill", "-E", "UTF8", "--locale=C", data)
        quick = "-c fsync=off -c full_page_writes=off"
        options = f"{quick} -c listen_addresses='' -c unix_socket_directories={home}"
        self._run("pg_ctl", "-D", data, "-w", "-l", str(home / "log"), "-o", options, "start")
        return home

    def _run(self, program: str, *words: str) -> None:
        command = [str(self._programs / program), *words]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
        subprocess.run(command, cwd="/", check=True, **quiet, **self._who)  # type: ignore[call-overload]


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a running PostgreSQL server with {name} for the database."""
    programs = _programs()
    if programs is None:
        pytest.skip(HOW_TO)
    shared = tmp_path_factory.getbasetemp()
    cluster = Cluster(programs, shared.parent if os.environ.get("PYTEST_XDIST_WORKER") else shared)
    url = cluster.acquire()
    try:
        yield url
    finally:
        cluster.release()


def add_database(server: str, template: str) -> str:
    """Make a database like another one. Returns its name."""
    name = f"t{uuid.uuid4().hex}"
    _administer(server, f"CREATE DATABASE {name} TEMPLATE {template}")
    return name


def _administer(server: str, command: str) -> None:
    admin = server.format(name="postgres").replace("postgresql:", "postgresql+psycopg:")
    engine = create_engine(admin, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(command))
    engine.dispose()


@contextmanager
def _database(server: str, template: str) -> Iterator[str]:
    """The URL of a database for one test. Kept until the end, they would fill a disk with small files."""
    name = add_database(server, template)
    yield server.format(name=name)
    _administer(server, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def postgres_template(postgres_server: str) -> str:
    """The name of a database with the current schema and nothing in it. Tests only copy it."""
    name = add_database(postgres_server, "template0")
    open_store(postgres_server.format(name=name)).close()
    return name


@pytest.fixture
def new_postgres_url(postgres_server: str) -> Iterator[str]:
    """A database in PostgreSQL without any table."""
    with _database(postgres_server, "template0") as url:
        yield url


@pytest.fixture
def postgres_url(postgres_server: str, postgres_template: str) -> Iterator[str]:
    """An empty store in PostgreSQL."""
    with _database(postgres_server, postgres_template) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def new_store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of each kind without any table, as a user has it before the first command."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("new_postgres_url"))
    return f"sqlite:///{tmp_path / 'store.sqlite'}"


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty store of each kind."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgres_url"))
    return put_empty_store(tmp_path / "store.sqlite")
