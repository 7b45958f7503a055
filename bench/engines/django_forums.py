"""Forums made with Django that come from PyPI."""

from __future__ import annotations

import json
import shutil

from bench.engines.engine import PythonEngine
from bench.engines.world import World


class Spirit(PythonEngine):
    """Boards, threads, posts; ages as dates."""

    name = "spirit"
    shape = "forum: boards, pages of threads, pages of posts"
    packages = ("django-spirit==0.14.3", "setuptools<80")

    @property
    def project(self) -> str:
        """The name of its Django project."""
        return "site_of_posts"

    def install(self) -> None:
        """From PyPI, with an empty database."""
        self.install_packages()
        shutil.rmtree(self.home / self.project, ignore_errors=True)
        self.run([self.python.parent / "spirit", "startproject", self.project])
        for words in (["migrate"], ["createcachetable"]):
            self._manage(*words)

    def environment(self) -> dict[str, str]:
        """Spirit's own command calls "python"."""
        settings = f"{self.project}.settings.dev"
        path = f"{self.python.parent}:/usr/bin:/bin"
        return {"PATH": path, "DJANGO_SETTINGS_MODULE": settings, "PYTHONPATH": str(self.home / self.project)}

    def fill(self, world: World) -> None:
        """Categories, topics, comments."""
        self.run_fill("spirit_fill.py", json.dumps(world.as_json()))

    def command(self, port: int) -> list[str]:
        """Django's server."""
        return [str(self.python), f"{self.project}/manage.py", "runserver", "--noreload", f"127.0.0.1:{port}"]

    def _manage(self, *words: str) -> None:
        self.run([self.python, f"{self.project}/manage.py", *words])


class Mezzanine(PythonEngine):
    """Articles with comments that answer comments; ages as dates."""

    name = "mezzanine"
    shape = "articles: the first post is an article, comments below it as a tree"
    start = "/blog/"
    packages = ("Mezzanine==6.1.1", "setuptools<80")

    def install(self) -> None:
        """From PyPI, with an empty database."""
        self.install_packages()
        shutil.rmtree(self.home / "project", ignore_errors=True)
        (self.home / "project").mkdir()
        self.run([self.python.parent / "mezzanine-project", "articles", self.home / "project"])
        with (self.home / "project/articles/local_settings.py").open("a") as settings:
            settings.write('DEBUG = False  # else its robots.txt forbids everything\nALLOWED_HOSTS = ["*"]\n')
        self.run([self.python, "project/manage.py", "migrate", "-v0"])

    def environment(self) -> dict[str, str]:
        """Its commands find the project."""
        return {"DJANGO_SETTINGS_MODULE": "articles.settings", "PYTHONPATH": str(self.home / "project")}

    def fill(self, world: World) -> None:
        """Categories, articles, comments."""
        self.run_fill("mezzanine_fill.py", json.dumps(world.as_json()))

    def command(self, port: int) -> list[str]:
        """Django's server."""
        return [
            str(self.python),
            "project/manage.py",
            "runserver",
            "--noreload",
            "--insecure",
            f"127.0.0.1:{port}",
        ]
