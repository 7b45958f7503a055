"""NodeBB, a forum that runs on Node with Redis: its code from npm, Redis from Debian."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from bench.engines.engine import CannotInstallError, DatabaseEngine, fill_script, free_port, need_program
from bench.engines.world import World

_VERSION = "nodebb@1.4.0"  # the newest that npm has as a package
_ADMIN = {"username": "bench", "email": "bench@people.example", "password": "secret-of-the-bench"}


class NodeBB(DatabaseEngine):
    """Categories, topics, posts; pages that go on without scripts as well."""

    name = "nodebb"
    shape = "forum: lists and threads that grow while one scrolls, pages of posts by ?page="

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self.database_place = free_port()

    @property
    def folder(self) -> Path:
        """Its commands run where its code is."""
        return self.home / "app" if (self.home / "app").exists() else self.home

    def install(self) -> None:
        """From npm, with an empty database."""
        need_program("node", "nodejs")
        need_program("npm", "npm")
        need_program("redis-server", "redis-server")
        if not (self.home / "app").exists():
            self._install_packages()
        (self.home / "dump.rdb").unlink(missing_ok=True)
        (self.folder / "config.json").unlink(missing_ok=True)
        answers = {
            "url": self.root,
            "secret": "bench",
            "database": "redis",
            "redis:host": "127.0.0.1",
            "redis:port": str(self.database_place),
            "redis:password": "",
            "redis:database": "0",
            **{f"admin:{name}": value for name, value in _ADMIN.items()},
            "admin:password:confirm": _ADMIN["password"],
        }
        with self.with_database():
            self.run(["node", "app", f"--setup={json.dumps(answers)}"])

    def _install_packages(self) -> None:
        shutil.rmtree(self.home / "npm", ignore_errors=True)
        (self.home / "npm").mkdir(parents=True)
        self.run(["npm", "install", "--prefix", self.home / "npm", "--no-audit", "--no-fund", _VERSION])
        modules = self.home / "npm/node_modules"
        if not (modules / "nodebb").exists():
            raise CannotInstallError("npm does not give nodebb")
        shutil.move(modules / "nodebb", self.home / "app.new")  # it looks for its themes in its own modules
        shutil.move(modules, self.home / "app.new/node_modules")
        (self.home / "app.new").rename(self.home / "app")
        (self.home / "app/public/uploads/sounds").mkdir(parents=True)  # npm leaves empty folders out

    def database_command(self) -> list[str]:
        """Redis on loopback. A time to save at, once a day, makes it save when it ends."""
        place = ["--bind", "127.0.0.1", "--port", str(self.database_place), "--dir", str(self.home)]
        return ["redis-server", *place, "--save", "86400 1"]

    def fill(self, world: World) -> None:
        """Categories, users, topics, posts."""
        with self.with_database():
            self.run(["node", fill_script("nodebb_fill.js")], json.dumps(world.as_json()))

    def command(self, port: int) -> list[str]:
        """Its own server, but on another port than its addresses tell: a log stands there."""
        return ["node", str(fill_script("nodebb_serve.js")), str(port)]
