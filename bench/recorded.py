"""The recorded forums of the shared data: responses by date and address, and what each page shows."""

from __future__ import annotations

import json
import lzma
import random
import re
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from bench.true_page import TruePage, TruePost
from threadmill.forum.site_model.explore import explore
from threadmill.forum.site_model.learn import SamplePage
from threadmill.forum.site_model.model import ForumModel
from threadmill.page.parse.tree import parse

SITES = ("fluxbb", "smf", "machina", "discuz")
# Pages of these kinds look like a list of posts or threads and are none that a crawler wants: ambiguous.
_AMBIGUOUS = re.compile(
    r"print|search|action=(?!profile|login|register|help)|posts|archiver|feed|xml|dateline|orderby|filter|authorid|"
    r"sort=|recent|prev_next|action=new|extern|rss|mod=redirect|tracking|unread"
)


class Forum:
    """One recorded forum."""

    def __init__(self, shared: Path, site: str) -> None:
        folder = shared / "data/forums"
        unpacked = Path(tempfile.gettempdir()) / f"threadmill-bench-{site}.sqlite"
        if not unpacked.exists():
            part = unpacked.with_suffix(".part")
            part.write_bytes(lzma.decompress((folder / f"data/{site}.sqlite.xz").read_bytes()))
            part.replace(unpacked)
        self.site = site
        self._database = sqlite3.connect(unpacked)
        self.meta: dict[str, Any] = json.loads(
            self._database.execute("select v from meta where k='site'").fetchone()[0]
        )
        self.base = f"http://{self.meta['netloc']}"
        lines = lzma.decompress((folder / f"truth/{site}.jsonl.xz").read_bytes()).decode().splitlines()
        self.truth: list[dict[str, Any]] = [json.loads(line) for line in lines]
        self.posts = {row["post"]: row for row in self.truth if row["type"] == "post"}
        self._body = lru_cache(256)(self._read)

    def _read(self, number: int) -> bytes:
        row = self._database.execute("select base,patch,data from body where id=?", (number,)).fetchone()
        base, patch, data = row
        if not patch:
            return bytes(data)
        lines = self._body(base).decode().split("\n")
        out: list[str] = []
        for piece in json.loads(bytes(data).decode()):
            out += [piece] if isinstance(piece, str) else lines[piece[0] : piece[0] + piece[1]]
        return "\n".join(out).encode()

    def get(self, date: str, key: str) -> tuple[int, bytes] | None:
        """Status and body of a recorded response."""
        row = self._database.execute(
            "select status,body from resp where date=? and key=?", (date, key)
        ).fetchone()
        return (row[0], self._body(row[1])) if row else None

    def keys(self, date: str) -> list[str]:
        """Everything recorded at a date."""
        return [row[0] for row in self._database.execute("select key from resp where date=?", (date,))]

    def shown_now(self, date: str) -> datetime:
        """The present as the forum's own clock showed it."""
        now = datetime.fromisoformat(self.meta["now"][date])
        return now + timedelta(hours=self.meta["shown_tz_hours"])

    def pages(self, kind: str, count: int) -> list[dict[str, Any]]:
        """A random sample of truth rows: "page" (thread pages) or "index"."""
        rows = [row for row in self.truth if row["type"] == kind]
        random.Random(7).shuffle(rows)
        return rows[:count]

    def samples(self, count: int) -> Iterator[tuple[str, str, bytes, datetime]]:
        """(class, address, page, now) of so many pages of each class."""
        for kind, label in (("page", "thread"), ("index", "index")):
            for row in self.pages(kind, count):
                answer = self.get(row["date"], row["key"])
                if answer and answer[0] == 200:
                    yield label, self.base + row["key"], answer[1], self.shown_now(row["date"])
        date = self.meta["dates"][0]
        skeleton = re.compile(f"(?:{self.meta['index']}|{self.meta['thread']}|{self.meta['perma']})\\Z")
        others = [key for key in self.keys(date) if not skeleton.match(key) and not _AMBIGUOUS.search(key)]
        random.Random(7).shuffle(others)
        for key in others[:count]:
            answer = self.get(date, key)
            if answer and answer[0] == 200 and b"<html" in answer[1][:2000].lower():
                yield "other", self.base + key, answer[1], self.shown_now(date)


def learn(forum: Forum) -> tuple[ForumModel, int]:
    """The model learnt from the start page at the first date, and the number of pages that took."""
    date = forum.meta["dates"][0]
    by_key = {canonical(key): key for key in forum.keys(date)}
    search = explore(forum.base + forum.meta["start"])
    url = next(search)
    count = 0
    while True:
        count += 1
        key = by_key.get(canonical(url.removeprefix(forum.base)))
        answer = forum.get(date, key) if key else None
        page = parse(answer[1], url) if answer and answer[0] == 200 else None
        try:
            url = search.send(SamplePage(url, page, forum.shown_now(date)) if page else None)
        except StopIteration as end:
            return end.value, count


def canonical(key: str) -> str:
    """An address with its parameters sorted and its escapes undone: how recordings are looked up."""
    path, _, query = key.partition("#")[0].partition("?")
    parts = sorted(unquote(part) for part in re.split("[&;]", query) if part)
    return unquote(path) + ("?" + "&".join(parts) if parts else "")


class Site:
    """A recorded forum at one of its dates, every page with its truth."""

    def __init__(self, shared: Path, name: str, date: str = "") -> None:
        self.name = name
        self.forum = Forum(shared, name)
        self.start = self.forum.base + self.forum.meta["start"]
        self.index_order = "activity"  # of all four engines, by the README of the recordings
        self.descending = False
        self.cursors = False
        self.date = date or self.forum.meta["dates"][0]
        self._keys = {canonical(key): key for key in self.forum.keys(self.date)}
        rows = [row for row in self.forum.truth if row.get("date") == self.date]
        self._pages = [row for row in rows if row["type"] in {"page", "index"}]
        self._names: dict[str, str] = {}
        firsts: dict[tuple[int, int], str] = {}  # page one of a board is recorded under two addresses
        for row in self._pages:
            name = self.forum.meta["start"] if "boards" in row else row["key"]  # the start has several names
            if "board" in row:
                name = firsts.setdefault((row["board"], row["order"]), name)
            for key in (row["key"], *row.get("also", ())):
                self._names[canonical(key)] = canonical(name)
        for row in rows:
            if row["type"] == "redirects":
                self._redirects = {canonical(a): canonical(b) for a, b in row["map"].items()}

    def fetch(self, url: str) -> SamplePage | None:
        """A page as the crawler gets it."""
        key = canonical(url.removeprefix(self.forum.base))
        for _ in range(4):
            key = self._redirects.get(key, key)
        recorded = self._keys.get(key)
        answer = self.forum.get(self.date, recorded) if recorded else None
        if answer is None or answer[0] != 200:
            return None
        where = self.forum.base + str(recorded)
        return SamplePage(where, parse(answer[1], where), self.forum.shown_now(self.date))

    def name_of(self, url: str) -> str | None:
        """The key of the page that an address leads to."""
        key = canonical(url.removeprefix(self.forum.base))
        key = self._redirects.get(key, key)
        return self._names.get(key)

    def pages(self) -> Iterator[TruePage]:
        """Every index and thread page."""
        threads: dict[Any, list[dict[str, Any]]] = defaultdict(list)
        for row in self._pages:
            board = row.get("board", row["key"])
            threads[("thread", row["thread"]) if row["type"] == "page" else ("index", board)].append(row)
        first = {row["thread"]: canonical(row["thread_key"]) for row in self.forum.posts.values()}
        for (kind, _), several in threads.items():
            group = list({row.get("order", row["key"]): row for row in reversed(several)}.values())
            group.sort(key=lambda row: row.get("order") or (min(row["posts"]) if row.get("posts") else 0))
            for place, row in enumerate(group):
                answer = self.forum.get(self.date, row["key"])
                if answer is None or answer[0] != 200:
                    continue
                yield TruePage(
                    kind=kind,
                    name=self._names[canonical(row["key"])],
                    url=self.forum.base + row["key"],
                    body=answer[1],
                    now=self.forum.shown_now(self.date),
                    posts=tuple(self._post(self.forum.posts[number]) for number in row.get("posts", ())),
                    rows=tuple(first[number] for number in row.get("threads", ())),
                    number=place + 1,
                    count=len(group),
                    next=self._names[canonical(group[place + 1]["key"])] if place + 1 < len(group) else None,
                    previous=self._names[canonical(group[place - 1]["key"])] if place else None,
                )

    def _post(self, row: dict[str, Any]) -> TruePost:
        shown = datetime.fromisoformat(row["date"]) + timedelta(hours=self.forum.meta["shown_tz_hours"])
        return TruePost(str(row["post"]), row["author"], (shown.replace(tzinfo=None),), 59, (row["text"],))
