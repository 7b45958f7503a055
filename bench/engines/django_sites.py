"""Forums that are parts of a Django site; the site around them is a few lines of ours."""

from __future__ import annotations

import json
import shutil
from typing import ClassVar

from bench.engines.engine import PythonEngine, fill_script
from bench.engines.world import World

_FRAME = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>{% block title %}{% endblock %}</title>
{% block extra_head %}{% endblock %}{% block head %}{% endblock %}</head><body>
{% block breadcrumb %}{% endblock %}
{% block content %}{% endblock %}{% block sidebar %}{% endblock %}</body></html>
"""


class DjangoSite(PythonEngine):
    """A site with settings and addresses from the folder of fills: NAME_settings.py, NAME_urls.py."""

    has_frame: ClassVar[bool] = False  # its pages extend a base.html of the site

    def install(self) -> None:
        """From PyPI, with an empty database."""
        self.install_packages()
        (self.home / "data.sqlite").unlink(missing_ok=True)
        shutil.copy(fill_script(f"{self.name}_settings.py"), self.home / "settings.py")
        shutil.copy(fill_script(f"{self.name}_urls.py"), self.home / "addresses.py")
        if self.has_frame:
            (self.home / "templates").mkdir(exist_ok=True)
            (self.home / "templates/base.html").write_text(_FRAME)
        self.run([self.python, "-m", "django", "migrate", "-v0"])

    def environment(self) -> dict[str, str]:
        """Django's settings lie in the engine's own directory."""
        return {"DJANGO_SETTINGS_MODULE": "settings", "PYTHONPATH": str(self.home)}

    def fill(self, world: World) -> None:
        """By its own models."""
        self.run_fill(f"{self.name}_fill.py", json.dumps(world.as_json()))

    def command(self, port: int) -> list[str]:
        """Django's server."""
        words = ["-m", "django", "runserver", "--noreload", "--insecure", f"127.0.0.1:{port}"]
        return [str(self.python), *words]


class Pybbm(DjangoSite):
    """Categories, boards, topics and posts as tables."""

    name = "pybbm"
    shape = "forum: each post is a table of its own, permalinks redirect, dates as words"
    has_frame = True
    packages = ("pybbm==0.19.0", "Django==2.2.28", "bbcode", "markdown", "pytz", "setuptools<80")


class Machina(DjangoSite):
    """Categories, boards, topics and posts as rows of Bootstrap."""

    name = "machina"
    shape = "forum: boards with the last post, each post with a subject of its own, slugs with numbers"
    packages = ("django-machina==1.3.1", "Django==5.2.19")
