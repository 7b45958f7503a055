"""Forums from PyPI that bring their own site."""

from __future__ import annotations

import json
import shutil
from typing import ClassVar

from bench.engines.engine import PythonEngine, fill_script
from bench.engines.world import World


class FlaskBB(PythonEngine):
    """Written for Python 2 and early Python 3: what it stands on is newer here than it asks for."""

    name = "flaskbb"
    shape = "forum: boards with the last post, posts as panels with the author beside them, ages as dates"
    packages = (
        *("Flask==1.1.4", "Jinja2==2.11.3", "MarkupSafe==2.0.1", "Werkzeug==0.16.1", "itsdangerous==1.1.0"),
        *("SQLAlchemy==1.3.24", "SQLAlchemy-Utils==0.36.8", "Flask-SQLAlchemy==2.4.4", "alembic==1.4.3"),
        *("Flask-Alembic==2.0.1", "attrs", "Babel==2.9.1", "blinker==1.4", "celery==4.4.7"),
        *(
            "flask-allows==0.4",
            "Flask-BabelPlus==2.1.1",
            "Flask-Caching==1.4.0",
            "Flask-DebugToolbar==0.10.1",
        ),
        *("Flask-Limiter==1.0.1", "Flask-Login==0.4.1", "Flask-Mail==0.9.1", "Flask-Redis==0.3.0"),
        *("Flask-Themes2==0.1.4", "flask-whooshee==0.5.0", "Flask-WTF==0.14.2", "WTForms==2.1"),
        *("mistune==0.8.3", "Pillow", "pluggy==0.6.0", "Pygments", "python-dateutil", "pytz"),
        *("redis==2.10.6", "requests", "simplejson", "six", "speaklater", "Unidecode", "limits==1.3"),
        *("click-log==0.2.1", "Whoosh", "setuptools<80"),
    )
    _own: ClassVar[tuple[str, ...]] = ("FlaskBB==2.0.2",)

    def install(self) -> None:
        """From PyPI, with an empty database."""
        self.install_packages()
        self.run([self.python, "-m", "pip", "install", "-q", "--no-deps", *self._own])
        (self.home / "data.sqlite").unlink(missing_ok=True)

    def fill(self, world: World) -> None:
        """Boards, topics, posts."""
        self.run_fill("flaskbb_fill.py", json.dumps(world.as_json()))

    def command(self, port: int) -> list[str]:
        """Werkzeug's server."""
        return [str(self.python), str(fill_script("flaskbb_serve.py")), str(port)]


_ASKBOT_SETTINGS = """
ALLOWED_HOSTS = ["*"]
CACHES = {{"default": {{"BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
                      "LOCATION": "{home}/cache"}}}}
"""


class Askbot(PythonEngine):
    """Questions with tags, answers sorted by votes, comments below both."""

    name = "askbot"
    shape = "questions and answers with comments; one list of all questions; ages as dates"
    packages = ("askbot==0.13.0", "setuptools<80")

    def install(self) -> None:
        """From PyPI, with an empty database."""
        self.install_packages()
        for folder in ("project", "cache"):
            shutil.rmtree(self.home / folder, ignore_errors=True)
        (self.home / "project").mkdir()
        (self.home / "data.sqlite").unlink(missing_ok=True)
        words = {
            "root-directory": self.home / "project",
            "proj-name": "qa",
            "db-engine": "sqlite",
            "db-name": self.home / "data.sqlite",
            "domain-name": "bench.example",
            "language-code": "en",
            "timezone": "UTC",
            "admin-name": "admin",
            "admin-email": "admin@bench.example",
            "email-host-user": "mail",
            "email-host-password": "mail",
            "log-file-path": self.home / "askbot.log",
        }
        options = [f"--{name}={value}" for name, value in words.items()]
        self.run([self.python.parent / "askbot-setup", "--noinput", "--force", *options])
        with (self.home / "project/qa/settings.py").open("a") as settings:
            settings.write(_ASKBOT_SETTINGS.format(home=self.home))
        self.run([self.python, "project/manage.py", "migrate", "-v0"])

    def environment(self) -> dict[str, str]:
        """Its commands find the project."""
        return {"DJANGO_SETTINGS_MODULE": "qa.settings", "PYTHONPATH": str(self.home / "project")}

    def fill(self, world: World) -> None:
        """Questions, answers, comments."""
        self.run_fill("askbot_fill.py", json.dumps(world.as_json()))

    def command(self, port: int) -> list[str]:
        """Django's server."""
        words = ["project/manage.py", "runserver", "--noreload", "--insecure", f"127.0.0.1:{port}"]
        return [str(self.python), *words]
