"""Ten small forums, each broken by hand in one way: does the account of the crawl tell the truth?

python -m bench.broken_forums [NAME ...]

The truth is what the server has. An account is true if it says "incomplete" when less than 98 % of the posts
are kept, and does not say so otherwise. A crawl must also end, and ask for no page many times.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urlsplit

from bench.figures import Figure, at_least, write_figures
from threadmill.config import override
from threadmill.crawl.forum.forum_crawl import crawl_forum
from threadmill.crawl.forum.progress import exit_code
from threadmill.lab.evaluate.forum_experiment import read_posts, scratch_workspace
from threadmill.types import CrawlAccount

_NOW = datetime(2024, 6, 1, 12, tzinfo=UTC)
_BOARDS = {1: "Garden and greenhouse", 2: "Kitchen tables", 3: "Bicycles on tour"}
_THREADS_PER_BOARD, _THREADS_PER_PAGE, _POSTS_PER_PAGE = 30, 12, 8
_WORDS = tuple(
    "the roof leaks near an old window and my neighbour says that paint would help more than glue while "  # noqa: SIM905 -- a sentence reads better than a list
    "every spring water comes back through small holes which nobody has found yet so we keep asking".split()
)
_NAMES = ("alder", "birgit", "casimir", "dorothea", "emil", "farah", "gustav", "hanne", "ivo", "jorunn")
_MIDWAY = 40  # requests
_ENOUGH = 0.98
_MOST_SECONDS = 120.0
_MOST_ASKED = 3  # times for one URL in one crawl


@dataclass(frozen=True)
class ServedPost:
    """One post of the served forum."""

    number: int
    author: str
    at: datetime
    text: str


@dataclass
class ServedThread:
    """One thread of the served forum."""

    number: int
    board: int
    title: str
    posts: list[ServedPost]
    deleted: bool = False  # it is still listed, but its page says that it does not exist


@dataclass
class BrokenForum:
    """A forum of plain tables. Each break is a change of one of its values or pages."""

    threads: list[ServedThread]
    boards: dict[int, str] = field(default_factory=lambda: dict(_BOARDS))
    factor: int = 1  # by which the rows of boards count too many posts
    dates_in_rows: bool = True
    date_header_off: timedelta = timedelta(0)
    past_the_end: str = ""  # "repeat": pages behind the end repeat the last; "self": next leads to itself
    wall: Callable[[], bytes] | None = None  # what is shown instead of pages after _MIDWAY requests
    other_markup: bool = False  # thread pages look different after _MIDWAY requests
    wall_status: int = 200
    requests: Counter[str] = field(default_factory=Counter)

    def shown_posts(self) -> list[str]:
        """The texts of all posts that a guest could read if nothing were broken."""
        return [post.text for thread in self.threads if thread.board in self.boards for post in thread.posts]

    def answer(self, path: str) -> tuple[int, bytes]:
        """Status and page of a path."""
        parts = urlsplit(path)
        if parts.path == "/robots.txt":
            return 404, b""
        self.requests[path] += 1
        midway = self.requests.total() > _MIDWAY
        if self.wall is not None and midway:
            return self.wall_status, self.wall()
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        number, page = int(query.get("id", "0")), max(1, int(query.get("page", "1")))
        if parts.path == "/":
            return 200, self._start_page()
        if parts.path == "/board" and number in self.boards:
            return 200, self._board_page(number, page)
        thread = next((one for one in self.threads if one.number == number), None)
        if parts.path == "/thread" and thread is not None and thread.board in self.boards:
            if thread.deleted:
                return 200, _html("Information", "<p>The requested thread does not exist.</p>")
            return 200, self._thread_page(thread, page, changed=self.other_markup and midway)
        return 404, _html("Not found", "<p>There is no such page.</p>")

    def _start_page(self) -> bytes:
        rows = ""
        for number, name in self.boards.items():
            mine = [thread for thread in self.threads if thread.board == number]
            posts = [post for thread in mine for post in thread.posts]
            last = max(post.at for post in posts)
            rows += (
                f'<tr class="board"><td><a href="/board?id={number}">{name}</a></td><td>{len(mine)}</td>'
                f"<td>{len(posts) * self.factor}</td>{self._date_cell(last)}</tr>"
            )
        head = "<tr><th>Forum</th><th>Topics</th><th>Posts</th><th>Last post</th></tr>"
        return _html("Forums", f'<table class="boards">{head}{rows}</table>')

    def _date_cell(self, at: datetime) -> str:
        return f"<td>{at:%d %b %Y, %H:%M}</td>" if self.dates_in_rows else "<td></td>"

    def _board_page(self, number: int, page: int) -> bytes:
        mine = [thread for thread in self.threads if thread.board == number]
        mine.sort(key=lambda thread: thread.posts[-1].at, reverse=True)
        count = -(-len(mine) // _THREADS_PER_PAGE)
        page = min(page, count)
        rows = "".join(
            f'<tr class="topic"><td><a href="/thread?id={thread.number}">{thread.title}</a></td>'
            f"<td>{thread.posts[0].author}</td><td>{len(thread.posts) - 1}</td>"
            f"{self._date_cell(thread.posts[-1].at)}</tr>"
            for thread in mine[(page - 1) * _THREADS_PER_PAGE : page * _THREADS_PER_PAGE]
        )
        head = "<tr><th>Topic</th><th>Author</th><th>Replies</th><th>Last post</th></tr>"
        pager = _pager(f"/board?id={number}", page, count)
        return _html(self.boards[number], f'<table class="topics">{head}{rows}</table>{pager}')

    def _thread_page(self, thread: ServedThread, page: int, *, changed: bool) -> bytes:
        count = -(-len(thread.posts) // _POSTS_PER_PAGE)
        asked, page = page, min(page, count)
        posts = thread.posts[(page - 1) * _POSTS_PER_PAGE : page * _POSTS_PER_PAGE]
        body = "".join((_changed_post if changed else _post)(post) for post in posts)
        base = f"/thread?id={thread.number}"
        pager = _pager(base, page, count)
        if self.past_the_end == "repeat":
            pager += f'<p class="nav"><a rel="next" href="{base}&page={asked + 1}">Next</a></p>'
        elif self.past_the_end == "self" and page == count:
            pager += f'<p class="nav"><a rel="next" href="{base}&page={asked}">Next</a></p>'
        return _html(thread.title, f"<h1>{thread.title}</h1>{body}{pager}")


def _author(post: ServedPost) -> str:
    return f'<a href="/user?name={post.author}">{post.author}</a>'


def _post(post: ServedPost) -> str:
    return (
        f'<div class="post" id="p{post.number}"><div class="by">{_author(post)}'
        f'<span class="date">{post.at:%d %b %Y, %H:%M}</span></div>'
        f'<div class="text"><p>{post.text}</p></div></div>'
    )


def _changed_post(post: ServedPost) -> str:
    return (
        f'<section class="msg"><header><time datetime="{post.at:%Y-%m-%dT%H:%MZ}">{post.at:%d %b %Y}</time>'
        f' by <b class="who">{_author(post)}</b></header>'
        f'<blockquote class="words">{post.text}</blockquote></section>'
    )


def _pager(base: str, page: int, count: int) -> str:
    if count < 2:
        return ""
    numbers = " ".join(
        f"<b>{number}</b>" if number == page else f'<a href="{base}&page={number}">{number}</a>'
        for number in range(1, count + 1)
    )
    onward = f' <a rel="next" href="{base}&page={page + 1}">Next</a>' if page < count else ""
    return f'<p class="pager">Pages: {numbers}{onward}</p>'


def _html(title: str, body: str) -> bytes:
    menu = '<p><a href="/">Home</a> <a href="/login">Log in</a> <a href="/register">Register</a></p>'
    head = f"<!DOCTYPE html><html><head><title>{title}</title></head>"
    return f"{head}<body>{menu}{body}</body></html>".encode()


def _login_page() -> bytes:
    form = '<form action="/login"><input name="user"><input type="password" name="password"></form>'
    return _html("Log in", f"<p>You must log in to view this page.</p>{form}")


def _captcha_page() -> bytes:
    return _html("One moment", '<p>Please confirm that you are human.</p><div id="captcha"></div>')


def draw_forum(seed: int = 1) -> BrokenForum:
    """A whole forum with some 550 posts."""
    rng = random.Random(seed)
    threads: list[ServedThread] = []
    number = 1000
    for place in range(_THREADS_PER_BOARD * len(_BOARDS)):
        begun = _NOW - timedelta(days=rng.uniform(20, 900))
        posts = []
        for reply in range(1 + min(24, int(rng.expovariate(1 / 5)))):
            number += rng.randint(1, 3)
            at = begun + timedelta(hours=7 * reply + rng.random())
            text = " ".join(rng.choice(_WORDS) for _ in range(rng.randint(12, 60))) + f" {number}."
            posts.append(ServedPost(number, rng.choice(_NAMES), at, text))
        title = " ".join(rng.sample(_WORDS, 4)).capitalize()
        threads.append(ServedThread(place + 1, place % len(_BOARDS) + 1, title, posts))
    return BrokenForum(threads)


def add_posts(forum: BrokenForum, count: int, seed: int = 2) -> None:
    """Answer some threads after the first crawl."""
    rng = random.Random(seed)
    for place in range(count):
        thread = rng.choice(forum.threads)
        number = 90_000 + place
        text = " ".join(rng.choice(_WORDS) for _ in range(30)) + f" {number}."
        thread.posts.append(
            ServedPost(number, rng.choice(_NAMES), _NOW + timedelta(days=9, minutes=place), text)
        )


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, forum: BrokenForum) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.forum = forum
        self.now = _NOW


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        status, body = self.server.forum.answer(self.path)
        self.send_response_only(status)
        moment = self.server.now + self.server.forum.date_header_off
        self.send_header("Date", format_datetime(moment, usegmt=True))
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@contextmanager
def serving(forum: BrokenForum) -> Iterator[_Server]:
    """Serve a forum on a free port."""
    server = _Server(forum)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def _vanish(forum: BrokenForum) -> None:
    del forum.boards[3]


def _delete_softly(forum: BrokenForum) -> None:
    for thread in forum.threads[::7]:
        thread.deleted = True


def _set(**values: object) -> Callable[[BrokenForum], None]:
    def change(forum: BrokenForum) -> None:
        for name, value in values.items():
            setattr(forum, name, value)

    return change


@dataclass(frozen=True)
class Case:
    """A way to break a forum: before the first crawl, or before the second."""

    first: Callable[[BrokenForum], None] | None = None
    second: Callable[[BrokenForum], None] | None = None
    new_posts: int = 0  # between the two crawls


CASES: dict[str, Case] = {
    "counters that lie": Case(_set(factor=3)),
    "boards that vanish": Case(second=_vanish),
    "rows without dates": Case(_set(dates_in_rows=False), new_posts=32),
    "last page repeated": Case(_set(past_the_end="repeat")),
    "next to itself": Case(_set(past_the_end="self")),
    "clock of the server wrong": Case(
        _set(date_header_off=timedelta(days=400)), _set(date_header_off=timedelta(0)), new_posts=32
    ),
    "soft 404": Case(_delete_softly),
    "login wall midway": Case(_set(wall=_login_page)),
    "captcha midway": Case(_set(wall=_captcha_page, wall_status=403)),
    "markup changed midway": Case(_set(other_markup=True)),
}


@dataclass(frozen=True)
class Outcome:
    """What came of one case."""

    name: str
    found: int
    true: int
    account: CrawlAccount | None
    code: int
    most_asked: int
    seconds: float

    @property
    def held(self) -> bool:
        """Is the account true, and did the crawl end without asking for a page again and again?"""
        if self.account is None or self.most_asked > _MOST_ASKED or self.seconds > _MOST_SECONDS:
            return False
        lacks = self.found < _ENOUGH * self.true
        said = self.account.verdict == "incomplete"
        return lacks == said == (self.code == 4) and abs(self.account.kept - self.found) <= 0.02 * self.true


def try_case(name: str, case: Case) -> Outcome:
    """Crawl a forum that is broken in one way, once or twice."""
    forum = draw_forum()
    if case.first:
        case.first(forum)
    began = time.monotonic()
    most_asked = 0
    with tempfile.TemporaryDirectory(prefix="threadmill-broken-") as directory, serving(forum) as server:
        workspace = scratch_workspace(Path(directory) / "w")
        settings = override(workspace.settings, "crawl", max_seconds=_MOST_SECONDS)
        workspace = replace(workspace, settings=override(settings, "fetch", retries=0))
        url = f"http://127.0.0.1:{server.server_port}/"
        for crawl in range(2 if case.second or case.new_posts else 1):
            if crawl:
                add_posts(forum, case.new_posts)
                server.now += timedelta(days=10)
                if case.second:
                    case.second(forum)
            forum.requests.clear()
            progress = crawl_forum(workspace, url)
            most_asked = max(most_asked, *forum.requests.values())
        held = {post["text"] for post in read_posts(workspace)}
    true = forum.shown_posts()
    found = sum(text in held for text in true)
    seconds = time.monotonic() - began
    code = exit_code(progress)
    return Outcome(name, found, len(true), progress.account, code, most_asked, seconds)


def main() -> None:
    """Try all cases, print a table, and write the figure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="only these cases; nothing is written then")
    names = parser.parse_args().names
    outcomes = []
    for name, case in CASES.items():
        if names and name not in names:
            continue
        outcome = try_case(name, case)
        outcomes.append(outcome)
        account = outcome.account
        print(
            f"{'held' if outcome.held else 'FELL':4}  {name:26} found {outcome.found:4} of {outcome.true:4}  "
            f"exit {outcome.code}  asked ≤ {outcome.most_asked}  {outcome.seconds:5.1f} s  "
            f"{account.verdict if account else '-'}: {account.sentence if account else '-'}",
            flush=True,
        )
        for note in account.notes if account else ():
            print(f"        {note}")
    held = sum(outcome.held for outcome in outcomes)
    print(f"tried {len(outcomes)}, held {held}")
    if not names:
        what = "accounts that are true, of 10 broken forums"
        figure = Figure("crawl", what, held, at_least(10), held_back=False)
        write_figures("broken_forums", [figure])


if __name__ == "__main__":
    main()
