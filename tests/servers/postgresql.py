"""A PostgreSQL server of our own that can be killed and started again with its data."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.servers.rabbitmq import unprivileged

HOW_TO = "PostgreSQL's server is not installed: apt-get install postgresql, or brew install postgresql"


def programs() -> Path | None:
    """Where its programs are: Debian keeps them off the path."""
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    found = [place for place in places if (place / "initdb").exists()]
    there = shutil.which("initdb")
    return found[-1] if found else (Path(there).parent if there else None)


class Database:
    """One server on a Unix socket, with a database of its own; what it confirmed is on disk."""

    def __init__(self) -> None:
        place = programs()
        assert place is not None, HOW_TO
        self._programs = place
        self._home = Path(tempfile.mkdtemp(prefix="threadmill-pg-"))
        self._who = unprivileged("postgres")
        if self._who:
            os.chown(self._home, self._who["user"], self._who["group"])
        self.url = f"postgresql://threadmill@/postgres?host={self._home}"

    def __enter__(self) -> Self:
        words = ["--no-sync", "-A", "trust", "-U", "threadmill", "-E", "UTF8", "--locale=C"]
        self._run("initdb", *words, str(self._home / "data")).wait()
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        shutil.rmtree(self._home, ignore_errors=True)

    def start(self) -> None:
        """Start it on the data it has, and wait until it answers."""
        # A killed server's children may hold the data for a moment longer.
        for _ in range(100):
            words = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={self._home}"]
            self._server = self._run("postgres", "-D", str(self._home / "data"), *words)
            while self._server.poll() is None:
                if self._run("pg_isready", "-q", "-h", str(self._home)).wait() == 0:
                    return
                time.sleep(0.1)
            time.sleep(0.1)
        raise AssertionError("PostgreSQL did not start")

    @property
    def pid(self) -> int:
        """The process all its others are children of."""
        return self._server.pid

    def holds(self, text: bytes) -> bool:
        """Does a file of a table hold this text, byte by byte? The log of changes is not looked at."""
        self._run("psql", "-h", str(self._home), "-U", "threadmill", "-c", "CHECKPOINT", "postgres").wait()
        files = (file for file in (self._home / "data" / "base").rglob("*") if file.is_file())
        return any(text in file.read_bytes() for file in files)

    def kill(self) -> None:
        """Kill it without a word, with all its children."""
        if self._server.poll() is None:
            os.killpg(self._server.pid, signal.SIGKILL)
        self._server.wait()

    def _run(self, program: str, *words: str) -> subprocess.Popen[bytes]:
        quiet: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        command = [str(self._programs / program), *words]
        return subprocess.Popen(command, cwd="/", start_new_session=True, **quiet, **self._who)
