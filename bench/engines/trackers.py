"""Trackers whose tickets people discuss in: Roundup, Trac. And Fossil, whose repositories have a forum."""

from __future__ import annotations

import hashlib
import json
import shutil

from bench.engines.engine import LiveEngine, PythonEngine, fill_script, need_program
from bench.engines.world import TruePost, TrueThread, World


class Roundup(PythonEngine):
    """Issues with messages, the newest first."""

    name = "roundup"
    shape = "tracker: one list, messages of an issue newest first"
    packages = ("roundup==2.6.0",)

    def install(self) -> None:
        """From PyPI, with an empty tracker."""
        self.install_packages()
        shutil.rmtree(self.home / "tracker", ignore_errors=True)
        web = f"tracker_web={self.root}/"
        settings = f"{web},mail_domain=people.example,mail_host=localhost"
        admin = self.python.parent / "roundup-admin"
        self.run([admin, "-i", self.home / "tracker", "install", "classic", "sqlite", settings])
        self.run([admin, "-i", self.home / "tracker", "initialise", "secret-of-the-bench"])

    def fill(self, world: World) -> None:
        """Issues, and their messages."""
        self.run_fill("roundup_fill.py", json.dumps(world.as_json()))

    def command(self, port: int) -> list[str]:
        """Its WSGI application."""
        return [str(self.python), str(fill_script("roundup_serve.py")), str(port)]


class Trac(PythonEngine):
    """Tickets with comments among changes of properties; lists are reports."""

    name = "trac"
    shape = "tracker: reports as lists, comments of a ticket among its changes"
    start = "/env/report"
    packages = ("Trac==1.6", "setuptools<80", "legacy-cgi;python_version>='3.13'")

    def install(self) -> None:
        """From PyPI, with an empty environment."""
        self.install_packages()
        shutil.rmtree(self.home / "env", ignore_errors=True)
        self.run(
            [self.python.parent / "trac-admin", self.home / "env", "initenv", "Bench", "sqlite:db/trac.db"]
        )

    def fill(self, world: World) -> None:
        """Tickets, and their comments."""
        self.run_fill("trac_fill.py", json.dumps(world.as_json()))

    def command(self, port: int) -> list[str]:
        """Its own server."""
        return [
            str(self.python.parent / "tracd"),
            "-p",
            str(port),
            "--hostname",
            "127.0.0.1",
            str(self.home / "env"),
        ]


class Fossil(LiveEngine):
    """A forum without boards: one list of threads, hashes as addresses, replies as a tree."""

    name = "fossil"
    shape = "forum without boards: one list, hashes in addresses, replies as a tree"
    start = "/forum"

    def install(self) -> None:
        """From Debian."""
        need_program("fossil", "fossil")

    def environment(self) -> dict[str, str]:
        """Its settings are found by HOME."""
        return {"HOME": str(self.home), "USER": "bench"}

    def fill(self, world: World) -> None:
        """Write every post as an artifact and make the repository of them again."""
        folder, repository = self.home / "artifacts", self.home / "forum.fossil"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for thread in world.threads:
            hashes: dict[int, str] = {}
            for post in thread.posts:
                artifact = fossil_artifact(thread, post, hashes)
                hashes[post.number] = hashlib.sha3_256(artifact).hexdigest()
                (folder / f"{post.number:06}").write_bytes(artifact)
        made = self.home / "made.fossil"
        made.unlink(missing_ok=True)
        self.run(["fossil", "reconstruct", made, folder])
        self.run(["fossil", "user", "capabilities", "nobody", "hjo2", "-R", made])
        made.replace(repository)

    def command(self, port: int) -> list[str]:
        """Its own server."""
        return ["fossil", "server", "--localhost", "--port", str(port), str(self.home / "forum.fossil")]


def fossil_artifact(thread: TrueThread, post: TruePost, hashes: dict[int, str]) -> bytes:
    """A post as Fossil stores it: cards in the order of their letters, with a check sum."""
    parts = list(post.body)
    if post.quote:
        parts.insert(0, f"> {post.quoted} wrote: {post.quote}")
    text = "\n\n".join(parts).encode()
    cards = [f"D {post.when}.000"]
    if post.parent:
        cards += [f"G {hashes[thread.posts[0].number]}", f"I {hashes[post.parent]}"]
    else:
        cards.append("H " + thread.title.replace("\\", "\\\\").replace(" ", "\\s"))
    cards += ["N text/x-markdown", f"U {post.author}", f"W {len(text)}"]
    signed = "\n".join(cards).encode() + b"\n" + text + b"\n"
    return signed + f"Z {hashlib.md5(signed, usedforsecurity=False).hexdigest()}\n".encode()
