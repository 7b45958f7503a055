"""Archives of mailing lists: a world's posts as messages, and the programs that make pages of them."""

from __future__ import annotations

import html
import json
import shutil
import sys
import textwrap
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path
from typing import ClassVar

from bench.engines.engine import LiveEngine, PythonEngine, fill_script, need_program
from bench.engines.world import TruePost, TrueThread, World


def list_names(world: World) -> list[str]:
    """A short name for the list of each board."""
    return ["".join(c for c in title.lower().split()[0] if c.isalnum()) or "list" for title in world.boards]


def as_message(thread: TrueThread, post: TruePost, name: str) -> EmailMessage:
    """A post as people send it: replies refer to what they answer, quotations have "> "."""
    message = EmailMessage()
    message["From"] = f"{post.author} <{post.author}@people.example>"
    message["To"] = f"{name}@lists.example"
    message["Date"] = format_datetime(datetime.fromisoformat(post.when).replace(tzinfo=UTC))
    message["Message-ID"] = _identifier(post.number)
    message["Subject"] = thread.title if not post.parent else f"Re: {thread.title}"
    if post.parent:
        message["In-Reply-To"] = _identifier(post.parent)
        message["References"] = " ".join(_identifier(number) for number in _ancestors(thread, post))
    parts = [textwrap.fill(part, 72) for part in post.body]
    if post.quote:
        quoted = textwrap.fill(post.quote, 70, initial_indent="> ", subsequent_indent="> ")
        parts.insert(0, f"{post.quoted} wrote:\n{quoted}")
    message.set_content("\n\n".join(parts) + "\n")
    return message


def messages(world: World) -> list[tuple[str, int, EmailMessage]]:
    """(list, number of the post, message) in the order in which they were sent."""
    names = list_names(world)
    sent = [
        (post.when, names[thread.board], post.number, as_message(thread, post, names[thread.board]))
        for thread in world.threads
        for post in thread.posts
    ]
    return [(name, number, message) for _, name, number, message in sorted(sent, key=lambda item: item[0])]


def _identifier(number: int) -> str:
    return f"<{number:06d}.{number * 7919 % 100003}@people.example>"


def _ancestors(thread: TrueThread, post: TruePost) -> list[int]:
    by_number = {other.number: other for other in thread.posts}
    found: list[int] = []
    while post.parent:
        found.insert(0, post.parent)
        post = by_number[post.parent]
    return found


class MailEngine(LiveEngine):
    """An archive that takes one message after the other; those it has stay."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self._sent: set[int] = set()

    def fresh_messages(self, world: World) -> dict[str, list[EmailMessage]]:
        """The messages it does not have yet, by list."""
        fresh: dict[str, list[EmailMessage]] = {name: [] for name in list_names(world)}
        for name, number, message in messages(world):
            if number not in self._sent:
                self._sent.add(number)
                fresh[name].append(message)
        return fresh


class Mhonarc(MailEngine):
    """Static pages, one per message, with lists by date and by thread."""

    name = "mhonarc"
    shape = "mail archive: one static page per message, lists by date and by thread"
    _options: ClassVar[tuple[str, ...]] = ("-quiet", "-multipg", "-idxsize", "60", "-spammode")

    def install(self) -> None:
        """From Debian."""
        need_program("mhonarc", "mhonarc")
        shutil.rmtree(self.home / "www", ignore_errors=True)
        (self.home / "www").mkdir(parents=True)

    def fill(self, world: World) -> None:
        """Add the new messages. The page of all lists is the archive owner's work."""
        for name, fresh in self.fresh_messages(world).items():
            folder = self.home / "www" / name
            folder.mkdir(exist_ok=True)
            mbox = self.home / "new.mbox"
            mbox.write_text("".join(f"From bench Thu Jan  1 00:00:00 2026\n{m}\n" for m in fresh))
            if fresh:
                title = f"The {name} list"
                words = ["mhonarc", *self._options, "-title", f"{title} (by date)", "-ttitle", title]
                self.run([*words, "-add", "-outdir", folder, mbox])
        rows = "".join(
            f'<li><a href="{name}/maillist.html">{html.escape(title)}</a>'
            f' (<a href="{name}/threads.html">threads</a>)</li>'
            for name, title in zip(list_names(world), world.boards, strict=True)
        )
        head = "<html><head><title>Mailing lists</title></head>"
        page = f"{head}<body><h1>Lists</h1><ul>{rows}</ul></body></html>"
        (self.home / "www/index.html").write_text(page, encoding="utf-8")

    def command(self, port: int) -> list[str]:
        """Any web server will do."""
        return [
            sys.executable,
            "-m",
            "http.server",
            str(port),
            "--bind",
            "127.0.0.1",
            "-d",
            str(self.home / "www"),
        ]


class PublicInbox(MailEngine):
    """Threads as preformatted text; every message and every thread has a page."""

    name = "public-inbox"
    shape = "mail archive: preformatted text, a page per message and one per thread"

    def install(self) -> None:
        """From Debian."""
        need_program("public-inbox-httpd", "public-inbox")
        shutil.rmtree(self.home / "data", ignore_errors=True)
        (self.home / "data").mkdir(parents=True)

    def environment(self) -> dict[str, str]:
        """Its settings are found by HOME."""
        return {"HOME": str(self.home / "data"), "PI_CONFIG": str(self.home / "data/config")}

    def fill(self, world: World) -> None:
        """Give it the new messages."""
        for name, fresh in self.fresh_messages(world).items():
            folder = self.home / "data" / name
            if not folder.exists():
                words = ["public-inbox-init", "-V2", "--indexlevel=basic", name, str(folder)]
                self.run([*words, f"/{name}/", f"{name}@lists.example"])
            lines = "".join(json.dumps(message.as_string()) + "\n" for message in fresh)
            self.run(["perl", fill_script("public_inbox_fill.pl"), name], lines)
        self.run(["git", "config", "-f", self.home / "data/config", "publicinbox.wwwlisting", "all"])

    def command(self, port: int) -> list[str]:
        """Its own server."""
        return ["public-inbox-httpd", "-l", f"http://127.0.0.1:{port}", "-W0"]


class HyperKitty(PythonEngine, MailEngine):
    """The archives of Mailman 3: a Django site."""

    name = "hyperkitty"
    shape = "mail archive as a site: lists, months, a page per thread"
    packages = ("hyperkitty==1.3.12", "mistune<4")

    def install(self) -> None:
        """From PyPI, with an empty database."""
        self.install_packages()
        (self.home / "data.sqlite").unlink(missing_ok=True)
        shutil.copy(fill_script("hyperkitty_settings.py"), self.home / "settings.py")
        self.run([self.python, "-m", "django", "migrate", "-v0"])

    def environment(self) -> dict[str, str]:
        """Django's settings lie in the engine's own directory."""
        return {"DJANGO_SETTINGS_MODULE": "settings", "PYTHONPATH": str(self.home)}

    def fill(self, world: World) -> None:
        """Give it the new messages."""
        lines = [
            json.dumps({"list": f"{name}@lists.example", "title": title, "message": message.as_string()})
            for (name, fresh), title in zip(self.fresh_messages(world).items(), world.boards, strict=True)
            for message in fresh
        ]
        self.run_fill("hyperkitty_fill.py", "\n".join(lines))

    def command(self, port: int) -> list[str]:
        """Django's server."""
        return [str(self.python), "-m", "django", "runserver", "--noreload", f"127.0.0.1:{port}"]
