"""The adapters of live engines, without the engines: messages, artifacts, the log of pages and the judge."""

from __future__ import annotations

import hashlib
import re
import sys
import threading
from datetime import datetime
from email import message_from_string, policy
from email.utils import parsedate_to_datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from bench.engines.catalogue import ENGINES
from bench.engines.engine import CannotInstallError, DatabaseEngine, free_port, need_program
from bench.engines.ikiwiki import article_text, comment_text
from bench.engines.mail import list_names, messages
from bench.engines.page_log import LoggedAnswer, logged
from bench.engines.trackers import fossil_artifact
from bench.engines.verdict import EngineJudge, match_posts
from bench.engines.world import MARK, World
from bench.real_engines import EngineResult, make_figures
from threadmill.lab.simulate.content.language import CODES, load_language

_NOW = datetime(2026, 3, 1, 12)


def _world(threads: int = 12, code: str = "en") -> World:
    return World(load_language(code), threads, seed=4, now=_NOW)


def _kept(world: World) -> list[dict[str, Any]]:
    """The posts of a perfect crawl."""
    return [
        {"text": " ".join(p.body), "author": p.author, "date": f"{p.when}+00:00", "thread_url": thread.title}
        for thread in world.threads
        for p in thread.posts
    ]


@pytest.mark.parametrize("code", CODES)
def test_a_world_is_the_same_for_the_same_seed_and_every_post_has_its_mark(code: str) -> None:
    world = _world(code=code)
    assert world.as_json() == _world(code=code).as_json()
    for number, post in world.posts().items():
        assert MARK.findall(" ".join(post.body)) == [str(number)]
        assert not MARK.search(post.quote)
    assert "{" not in "".join(thread.title for thread in world.threads)


def test_a_world_only_grows() -> None:
    world = _world()
    before = dict(world.posts())
    world.pass_days(30)
    assert before.items() <= world.posts().items()
    assert len(world.posts()) > len(before)


def test_messages_refer_to_what_they_answer_and_come_in_the_order_of_their_dates() -> None:
    world = _world()
    sent = messages(world)
    parsed = {
        number: message_from_string(message.as_string(), policy=policy.default) for _, number, message in sent
    }
    assert [parsedate_to_datetime(parsed[number]["Date"]) for _, number, _ in sent] == sorted(
        parsedate_to_datetime(message["Date"]) for message in parsed.values()
    )
    for number, post in world.posts().items():
        if post.parent:
            assert parsed[number]["In-Reply-To"] == parsed[post.parent]["Message-ID"]
            assert str(parsed[number]["Subject"]).startswith("Re: ")
        assert f"note{number}." in parsed[number].get_content()
    assert {name for name, _, _ in sent} <= set(list_names(world))


def test_artifacts_of_fossil_carry_their_check_sum_and_name_what_they_answer() -> None:
    thread = max(_world().threads, key=lambda thread: len(thread.posts))
    hashes: dict[int, str] = {}
    for post in thread.posts:
        artifact = fossil_artifact(thread, post, hashes)
        hashes[post.number] = hashlib.sha3_256(artifact).hexdigest()
        signed, _, check = artifact.rpartition(b"Z ")
        assert check == hashlib.md5(signed).hexdigest().encode() + b"\n"
        cards = re.findall(rb"^([A-Z]) ", artifact, re.MULTILINE)
        assert [card for card in cards if card in b"DGHINUWZ"][:2] == [b"D", b"G" if post.parent else b"H"]
        if post.parent:
            assert f"I {hashes[post.parent]}\n".encode() in artifact


def test_articles_and_comments_of_ikiwiki_tell_author_date_and_words() -> None:
    thread = max(_world().threads, key=lambda thread: len(thread.posts))
    first, second = thread.posts[:2]
    article, comment = article_text(thread), comment_text(thread, second)
    assert f'[[!meta title="{thread.title}"]]' in article
    assert f'[[!meta author="{first.author}"]]' in article
    assert article.endswith("\n\n".join(first.body) + "\n")
    assert comment.startswith("[[!comment\n")
    assert f' username="{second.author}"\n date="{second.when}Z"\n' in comment
    assert "\n\n".join(second.body) in comment


def test_the_judge_finds_nothing_wrong_with_a_perfect_crawl() -> None:
    world = _world()
    score = EngineJudge().judge(world, _kept(world), [])
    assert (score.recall, score.invented, score.twice) == (1.0, 0, 0)
    assert score.authors == score.dates == score.body_f1 == score.threads == 1.0


def test_the_judge_counts_what_is_missing_invented_twice_and_wrong() -> None:
    world = _world()
    kept = _kept(world)
    broken = [*kept[1:], dict(kept[1]), {**kept[1], "text": "Log in to reply"}]
    broken[1] = {**broken[1], "author": "Owner", "date": None}
    score = EngineJudge().judge(world, broken, [])
    assert (score.wanted - score.found, score.invented, score.twice) == (1, 1, 1)
    assert score.authors == score.dates == (len(kept) - 2) / (len(kept) - 1)


def test_posts_run_together_count_as_one_of_them() -> None:
    world = _world()
    kept = _kept(world)
    both = {**kept[0], "text": f"{kept[0]['text']} {kept[1]['text']}"}
    assert len(match_posts(world.posts(), [both])) == 1


def test_posts_of_one_thread_kept_apart_are_counted() -> None:
    world = _world()
    kept = [{**post, "thread_url": str(place)} for place, post in enumerate(_kept(world))]
    single = sum(len(thread.posts) == 1 for thread in world.threads)
    assert EngineJudge().judge(world, kept, []).threads == single / len(world.threads)


def test_a_page_is_useful_when_it_shows_new_posts_or_first_lists_a_thread_with_news() -> None:
    world = _world()
    thread = world.threads[0]
    posts = "".join(f"<p>{' '.join(post.body)}</p>" for post in thread.posts).encode()
    pages = [
        LoggedAnswer("/", 200, f"<b>{thread.title}</b>".encode()),
        LoggedAnswer("/again", 200, f"<b>{thread.title}</b>".encode()),
        LoggedAnswer("/t/1", 200, posts),
        LoggedAnswer("/t/1?print", 200, posts),
        LoggedAnswer("/moved", 301, b""),
        LoggedAnswer("/robots.txt", 404, b""),
        LoggedAnswer("/gone", 404, b"not here"),
    ]
    score = EngineJudge().judge(world, [], pages)
    assert (score.pages, score.useful) == (5, 2)


def test_later_crawls_want_only_what_was_written_since() -> None:
    world, judge = _world(), EngineJudge()
    judge.judge(world, _kept(world), [])
    before = len(world.posts())
    world.pass_days(30)
    score = judge.judge(world, _kept(world), [])
    assert score.wanted == score.found == len(world.posts()) - before


class _Engine(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(302 if self.path == "/old" else 200)
        if self.path == "/old":
            self.send_header("Location", f"http://{self.headers['Host']}/new")
        self.end_headers()
        self.wfile.write(b"<p>Leeds, note7.</p>" if self.path == "/new" else b"")

    def log_message(self, format: str, *words: object) -> None:  # noqa: A002
        """Say nothing."""


def test_the_log_passes_requests_on_and_keeps_the_readers_address() -> None:
    server = HTTPServer(("127.0.0.1", 0), _Engine)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    answers: list[LoggedAnswer] = []
    root = f"http://127.0.0.1:{free_port()}"
    with logged(f"http://127.0.0.1:{server.server_address[1]}", root, answers), urlopen(f"{root}/old") as got:
        assert got.url == f"{root}/new"
    server.shutdown()
    server.server_close()
    assert [(answer.address, answer.status, set(answer.posts)) for answer in answers] == [
        ("/old", 302, set()),
        ("/new", 200, {7}),
    ]


def test_a_program_that_debian_does_not_have_is_a_reason_to_skip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(CannotInstallError, match="no-such-program"):
        need_program("no-such-program", "no-such-package")


def test_every_engine_tells_its_name_and_shape_and_has_the_scripts_it_runs(tmp_path: Path) -> None:
    assert len(ENGINES) >= 6
    for name, engine in ENGINES.items():
        made = engine(tmp_path / name)
        assert made.name == name
        assert made.shape
        assert made.start.startswith("/")
        assert made.command(80)


def test_figures_have_the_bars_of_posts_found() -> None:
    world, judge = _world(), EngineJudge()
    first = judge.judge(world, _kept(world), [])
    world.pass_days(2)
    later = judge.judge(world, [], [])
    figures = {figure.what: figure for figure in make_figures([EngineResult("x", first, (later,))])}
    assert figures["posts found by the first crawl, x"].is_reached
    assert not figures["new posts found later, x"].is_reached


class PagesInFolder(DatabaseEngine):
    """An engine whose database is a server of files."""

    name, shape = "pages", "files"
    program = "http.server"

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self.database_place = free_port()

    def install(self) -> None:
        """Nothing is needed."""

    def fill(self, world: World) -> None:
        """It stays empty."""

    def command(self, port: int) -> list[str]:
        """A second server of files."""
        return [sys.executable, "-m", "http.server", "--bind", "127.0.0.1", str(port)]

    def database_command(self) -> list[str]:
        """A server of files on the port of the database."""
        return [sys.executable, "-m", self.program, "--bind", "127.0.0.1", str(self.database_place)]


def test_a_database_runs_while_it_is_needed_and_while_its_engine_serves(tmp_path: Path) -> None:
    engine = PagesInFolder(tmp_path)
    (tmp_path / "page").write_text("a page")
    database = f"http://127.0.0.1:{engine.database_place}/"
    for _ in range(2):
        with engine.with_database(), engine.with_database():
            assert urlopen(database).status == 200
        with pytest.raises(URLError):
            urlopen(database)
    with engine.serving() as address:
        assert urlopen(f"{address}/page").read() == b"a page"
        assert urlopen(database).status == 200
    with pytest.raises(URLError):
        urlopen(database)


def test_a_database_that_does_not_start_says_why(tmp_path: Path) -> None:
    engine = PagesInFolder(tmp_path)
    engine.program = "no.such.server"
    with (
        pytest.raises(CannotInstallError, match=r"does not answer: .*No module named"),
        engine.with_database(),
    ):
        pass
