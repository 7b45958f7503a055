"""A live engine: it installs itself, takes the posts of a world, and serves them on loopback."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar

from bench.engines.world import World

_FILLS = Path(__file__).parent / "fills"
_ANSWERS_WITHIN = 60.0  # seconds; all servers and databases start in less than ten
_MOST_SAID = (
    400  # characters at each end of what a failing command says: Ruby tells the error first, Python last
)


class CannotInstallError(Exception):
    """The engine is not to be had on this machine; the message says why."""


class LiveEngine(ABC):
    """A forum engine in a directory of its own."""

    name: ClassVar[str]
    start: ClassVar[str] = "/"  # where a person would begin to read
    shape: ClassVar[str]  # what makes it different, for the table
    fakes_time: ClassVar[bool] = True  # does its server bear libfaketime

    def __init__(self, home: Path) -> None:
        self.home = home
        self.root = (
            f"http://127.0.0.1:{free_port()}"  # what readers ask; a log stands between it and the engine
        )

    @abstractmethod
    def install(self) -> None:
        """Install the engine unless it is there. Make its data empty. Raises CannotInstallError."""

    @abstractmethod
    def fill(self, world: World) -> None:
        """Bring the engine to the state of a world."""

    @abstractmethod
    def command(self, port: int) -> list[str]:
        """The command that serves the engine on a loopback port."""

    def environment(self) -> Mapping[str, str]:
        """Variables of its commands."""
        return {}

    @property
    def folder(self) -> Path:
        """Where its commands run."""
        return self.home

    def set_clock(self, now: datetime) -> None:
        """The server lives at this moment from now on. Without libfaketime it lives in the present."""
        lag = now.replace(tzinfo=UTC) - datetime.now(UTC)
        self.clock.write_text(f"{int(lag.total_seconds()):+d}\n")

    @property
    def clock(self) -> Path:
        """A file with the seconds between the present and the time of the server."""
        return self.home / "clock"

    def _in_its_time(self) -> dict[str, str]:
        """Variables that give the server the time of the posts: ages and recent news depend on it."""
        library = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
        if library is None or not self.fakes_time or not self.clock.exists():
            return {}
        clock = {"FAKETIME_TIMESTAMP_FILE": str(self.clock), "FAKETIME_NO_CACHE": "1", "TZ": "UTC"}
        return {"LD_PRELOAD": str(library), "FAKETIME_DONT_FAKE_MONOTONIC": "1", **clock}

    @contextmanager
    def serving(self) -> Iterator[str]:
        """Serve the engine behind its root. Gives its own address, without a slash at the end."""
        port = free_port()
        log = self.home / "server.log"
        with (
            log.open("wb") as out,
            subprocess.Popen(
                self.command(port),
                cwd=self.folder,
                env={**os.environ, **self.environment(), **self._in_its_time()},
                stdout=out,
                stderr=subprocess.STDOUT,
            ) as server,
        ):
            try:
                _wait_until_it_answers(port, server, log)
                yield f"http://127.0.0.1:{port}"
            finally:
                server.terminate()

    def run(self, words: Sequence[str | Path], text: str = "") -> str:
        """Run a command of the engine. Returns what it printed."""
        done = subprocess.run(
            [str(word) for word in words],
            cwd=self.folder,
            env={**os.environ, **self.environment()},
            input=text,
            text=True,
            capture_output=True,
            check=False,
        )
        if done.returncode:
            said = done.stderr or done.stdout
            said = said if len(said) < 2 * _MOST_SAID else f"{said[:_MOST_SAID]} … {said[-_MOST_SAID:]}"
            raise CannotInstallError(f"{self.name}: {words[0]} ended with {done.returncode}: {said}")
        return done.stdout


class DatabaseEngine(LiveEngine):
    """An engine with a database server of its own."""

    database_place: int | Path  # its loopback port, or its socket

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self._has_database = False

    @abstractmethod
    def database_command(self) -> list[str]:
        """The command of the database. It keeps what it has when it is asked to end."""

    @contextmanager
    def with_database(self) -> Iterator[None]:
        """The database runs meanwhile, unless it runs already."""
        if self._has_database:
            yield
            return
        log = self.home / "database.log"
        words = self.database_command()
        with log.open("wb") as out, subprocess.Popen(words, stdout=out, stderr=subprocess.STDOUT) as database:
            self._has_database = True
            try:
                _wait_until_it_answers(self.database_place, database, log)
                yield
            finally:
                self._has_database = False
                database.terminate()
                database.wait(_ANSWERS_WITHIN)

    @contextmanager
    def serving(self) -> Iterator[str]:
        """With its database."""
        with self.with_database(), super().serving() as address:
            yield address


class PythonEngine(LiveEngine):
    """An engine from PyPI with an environment of its own."""

    packages: ClassVar[tuple[str, ...]]

    @property
    def python(self) -> Path:
        """The Python that has the engine."""
        return self.home / "venv/bin/python"

    def install_packages(self) -> None:
        """Make the environment unless it is complete."""
        done = self.home / "venv/complete"
        if done.exists() and done.read_text() == " ".join(self.packages):
            return
        self.home.mkdir(parents=True, exist_ok=True)
        for words in (
            [sys.executable, "-m", "venv", "--clear", str(self.home / "venv")],
            [str(self.python), "-m", "pip", "install", "-q", *self.packages],
        ):
            made = subprocess.run(words, capture_output=True, text=True, check=False)
            if made.returncode:
                raise CannotInstallError(f"PyPI does not give {self.packages}: {made.stderr.strip()[-300:]}")
        done.write_text(" ".join(self.packages))

    def run_fill(self, script: str, text: str) -> str:
        """Run one of the fill scripts by the engine's own Python."""
        return self.run([self.python, _FILLS / script], text)


def need_program(program: str, package: str) -> None:
    """Install a Debian package unless its program is there. Raises CannotInstallError."""
    if shutil.which(program):
        return
    words = ["apt-get", "install", "-y", "--no-install-recommends", package]
    try:
        made = subprocess.run(words, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise CannotInstallError(f"no {program}, and no apt-get to install {package}") from None
    if made.returncode or not shutil.which(program):
        raise CannotInstallError(f"Debian does not give {package}: {made.stderr.strip()[-300:]}")


def fill_script(name: str) -> Path:
    """The path of a script that another program runs."""
    return _FILLS / name


def free_port() -> int:
    """A loopback port that nobody uses."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def _wait_until_it_answers(place: int | Path, server: subprocess.Popen[bytes], log: Path) -> None:
    """Wait for a server at a loopback port or a socket of the file system."""
    family, address = (
        (socket.AF_INET, ("127.0.0.1", place)) if isinstance(place, int) else (socket.AF_UNIX, str(place))
    )
    end = time.monotonic() + _ANSWERS_WITHIN
    while time.monotonic() < end and server.poll() is None:
        with socket.socket(family) as probe:
            if probe.connect_ex(address) == 0:
                return
        time.sleep(0.2)
    raise CannotInstallError(f"the server does not answer: {log.read_text(errors='replace')[-600:]}")
