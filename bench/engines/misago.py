"""Misago: a forum from PyPI that keeps its posts in PostgreSQL."""

from __future__ import annotations

import atexit
import json
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.engines.engine import CannotInstallError, PythonEngine, fill_script
from bench.engines.world import World


class Misago(PythonEngine):
    """Lists of threads that go on by cursors, threads on pages; ages as dates."""

    name = "misago"
    shape = "forum: lists of threads that go on after a thread, pages of posts, ages as dates"
    packages = ("misago==0.39.6", "setuptools<80")

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self._database = Path()

    def install(self) -> None:
        """From PyPI, with an empty database."""
        self.install_packages()
        shutil.copy(fill_script("misago_settings.py"), self.home / "settings.py")
        self._start_database()
        self.run([self.python, "-m", "django", "migrate", "-v0"])

    def _start_database(self) -> None:
        """PostgreSQL on a socket of its own, until this process ends. It does not run as root."""
        places = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
        if not places:
            raise CannotInstallError("PostgreSQL's server is not installed (Debian: postgresql)")
        who: dict[str, Any] = {}
        self._database = Path(tempfile.mkdtemp(prefix="threadmill-misago-"))
        if os.geteuid() == 0:
            entry = pwd.getpwnam("postgres")
            os.chown(self._database, entry.pw_uid, entry.pw_gid)
            who = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        quiet: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        data = str(self._database / "data")
        words = ["--no-sync", "-A", "trust", "-U", "misago", "-E", "UTF8", "--locale=C", data]
        subprocess.run([places[-1] / "initdb", *words], check=True, cwd="/", **quiet, **who)
        options = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={self._database}"]
        server = subprocess.Popen(
            [places[-1] / "postgres", "-D", data, *options], cwd="/", start_new_session=True, **quiet, **who
        )
        atexit.register(self._stop_database, server)
        ready = [str(places[-1] / "pg_isready"), "-q", "-h", str(self._database)]
        while server.poll() is None and subprocess.run(ready, check=False).returncode:
            time.sleep(0.1)

    def _stop_database(self, server: subprocess.Popen[bytes]) -> None:
        if server.poll() is None:
            os.killpg(server.pid, signal.SIGKILL)
        server.wait()
        shutil.rmtree(self._database, ignore_errors=True)

    def environment(self) -> dict[str, str]:
        """Django's settings lie in the engine's own directory."""
        path = {"DJANGO_SETTINGS_MODULE": "settings", "PYTHONPATH": str(self.home)}
        return {**path, "BENCH_DATABASE": str(self._database)}

    def fill(self, world: World) -> None:
        """Categories, threads, posts."""
        self.run_fill("misago_fill.py", json.dumps(world.as_json()))

    def command(self, port: int) -> list[str]:
        """Django's server."""
        words = ["-m", "django", "runserver", "--noreload", "--insecure", f"127.0.0.1:{port}"]
        return [str(self.python), *words]
