"""Posts for a real engine: threads that begin, grow and end, the same for the same seed."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any

from threadmill.lab.simulate.content.language import LanguageStock

_LENGTHS = (1, 1, 2, 3, 3, 4, 5, 6, 8, 12, 19, 25, 41, 63)  # posts of a thread
_PAUSES = (3, 40, 200, 1500, 9000)  # minutes between two posts
_NAMES = [
    "ada",
    "carla",
    "dmitri",
    "eve99",
    "farid",
    "gina",
    "hugo",
    "ines",
    "jonas",
    "kira",
    "leo",
    "mira",
    "nils",
    "olga",
    "pavel",
    "rosa",
    "vera",
]
# Every post ends with a sentence that has its number, so that a page tells which posts it shows.
MARK = re.compile(r"\bnote(\d+)\b")


@dataclass
class TruePost:
    """What somebody wrote."""

    number: int  # counted over the whole community, in the order of writing here
    author: str
    when: str  # ISO 8601, UTC
    body: list[str]  # paragraphs
    parent: int = 0  # the post that is answered
    quoted: str = ""  # whose words stand above
    quote: str = ""


@dataclass
class TrueThread:
    """A thread of a board, its posts in order."""

    board: int
    title: str
    posts: list[TruePost] = field(default_factory=list)


class World:
    """A small community; each call of `pass_days` lets it write on."""

    def __init__(self, language: LanguageStock, threads: int, seed: int, now: datetime) -> None:
        self._language = language
        self._random = Random(seed)
        self._said = 0
        self._begun = 0
        self.now = now
        self.boards = [title for title, _ in language.boards[:4]]
        self.threads = [self._begin(self.now - timedelta(minutes=self._earlier())) for _ in range(threads)]
        for thread in self.threads:
            self._continue(thread, self._random.choice(_LENGTHS) - 1)

    def pass_days(self, days: int) -> None:
        """New posts in some threads, and some new threads."""
        before, self.now = self.now, self.now + timedelta(days=days)
        for thread in self._random.sample(self.threads, len(self.threads) // 8):
            self._continue(thread, self._random.choice((1, 1, 2, 3, 7)), before)
        self.threads += [self._begin(before + timedelta(hours=5 * n + 1)) for n in range(5)]

    def as_json(self) -> dict[str, Any]:
        """Everything, for the script that fills the engine."""
        return {"boards": self.boards, "threads": [asdict(thread) for thread in self.threads]}

    def posts(self) -> dict[int, TruePost]:
        """Every post by its number."""
        return {post.number: post for thread in self.threads for post in thread.posts}

    def _earlier(self) -> int:
        return self._random.randrange(60, 60 * 24 * 500)

    def _begin(self, when: datetime) -> TrueThread:
        self._begun += 1  # in each title, so that no two are the same
        title = (
            f"{self._say(self._language.titles)} – {self._random.choice(self._language.places)} {self._begun}"
        )
        return TrueThread(self._random.randrange(len(self.boards)), title, [self._write(when)])

    def _continue(self, thread: TrueThread, count: int, since: datetime | None = None) -> None:
        last = datetime.fromisoformat(thread.posts[-1].when)
        when = max(last, since or last)
        for _ in range(count):
            when += timedelta(minutes=self._random.choice(_PAUSES))
            if when >= self.now:
                return
            thread.posts.append(self._write(when, self._random.choice(thread.posts)))

    def _write(self, when: datetime, other: TruePost | None = None) -> TruePost:
        random = self._random
        self._said += 1
        count = random.choice((1, 1, 1, 2, 3))
        body = [self._paragraph(random.choice((1, 2, 3, 5))) for _ in range(count)]
        body[-1] += f" {random.choice(self._language.places)}, note{self._said}."
        post = TruePost(self._said, random.choice(_NAMES), when.isoformat(), body)
        if other is not None:
            post.parent = other.number
            if random.random() < 0.25:
                post.quoted, post.quote = other.author, _opening(other.body[0])
        return post

    def _paragraph(self, sentences: int) -> str:
        return " ".join(self._say(self._language.sentences) for _ in range(sentences))

    def _say(self, stock: tuple[str, ...]) -> str:
        """A sentence with its gaps filled."""
        random = self._random
        gaps = {
            "p": random.choice(self._language.places),
            "m": f"M{random.randrange(10, 99)}",
            "n": random.randrange(2, 900),
            "d": random.randrange(2, 28),
            "u": f"http://files.example.org/{random.randrange(10**5)}.pdf",
        }
        return random.choice(stock).format(**gaps, m2=f"M{random.randrange(10, 99)}")


def _opening(paragraph: str) -> str:
    """The words of a paragraph that another post repeats: never its mark."""
    words = paragraph.split()
    return " ".join(words[: min(25, len(words) - 2)])
