"""Redmine, whose projects have boards: Ruby on Rails, from Debian."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from bench.engines.engine import CannotInstallError, LiveEngine, fill_script, need_program
from bench.engines.world import World

_SOURCE = Path("/usr/share/redmine")
_DATABASE = "production:\n  adapter: sqlite3\n  database: {}\n  encoding: utf8\n"
_SECRET = 'RedmineApp::Application.config.secret_key_base = "{}"\n'  # noqa: S105


class Redmine(LiveEngine):
    """Boards of a project; the first post of a thread stands apart from its replies."""

    name = "redmine"
    shape = "boards of a project: the first post stands apart, replies below it on pages"
    start = "/projects/talk/boards"
    fakes_time = False  # Ruby's threads come to a stop in libfaketime; its server sets the time itself

    @property
    def folder(self) -> Path:
        """Its commands run where its code is."""
        return self.home / "app"

    def install(self) -> None:
        """From Debian, as a copy with a database of its own."""
        need_program("ruby", "ruby")
        if not _SOURCE.exists():
            need_program("redmine-instances", "redmine")
            need_program("sqlite3", "redmine-sqlite")
        if not _SOURCE.exists():
            raise CannotInstallError("Debian does not give redmine")
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(_SOURCE, self.folder, ignore=shutil.ignore_patterns("instances", "database.yml"))
        instance = self.folder / "instances/default"
        for name in ("config", "log", "tmp", "files"):
            (instance / name).mkdir(parents=True)
        (self.home / "data.sqlite").unlink(missing_ok=True)
        (instance / "config/database.yml").write_text(_DATABASE.format(self.home / "data.sqlite"))
        (self.folder / "config/initializers/secret_token.rb").write_text(_SECRET.format("ab12" * 16))
        self.run(["ruby", "bin/rake", "db:migrate"])
        self.run(["ruby", "bin/rake", "redmine:load_default_data"])

    def environment(self) -> dict[str, str]:
        """It runs as it would on a server."""
        return {"RAILS_ENV": "production", "REDMINE_LANG": "en", "RAILS_SERVE_STATIC_FILES": "1"}

    def fill(self, world: World) -> None:
        """Boards, users, messages."""
        script = fill_script("redmine_fill.rb")
        self.run(["ruby", "bin/rails", "runner", script], json.dumps(world.as_json()))

    def command(self, port: int) -> list[str]:
        """WEBrick serves it."""
        return ["ruby", str(fill_script("redmine_serve.rb")), str(self.folder), str(port), str(self.clock)]
