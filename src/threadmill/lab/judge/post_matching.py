"""Matches exported posts with the true ones, one to one, and scores their dates, authors and texts."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from threadmill.lab.simulate.content.writing import find_author, write_post
from threadmill.lab.simulate.forum import SimulatedForum, as_unix_time
from threadmill.lab.simulate.layout import last_number
from threadmill.lab.simulate.respond import route
from threadmill.lab.simulate.view import ForumView

# A word; in scripts without spaces, a single character.
_TOKEN = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)
_FRAGMENT = re.compile(r"(?:p|pid|msg|msg-|post|post-|post_|entry|Comment_|c|comment-|comment)?(\d+)")
# How many seconds a date of this precision may be off.
TOLERANCE = {
    "second": 59,
    "minute": 59,
    "hour": 3600,
    "day": 86400,
    "week": 7 * 86400,
    "month": 31 * 86400,
    "year": 366 * 86400,
}
# A date known to the month or the year (2016-01, 2016) is read as its middle.
_REST_OF_DATE = {4: "-07-01", 7: "-15"}
_FOREVER = 1 << 40  # a time after every edit


@dataclass
class PostScores:
    """How well exported posts match the truth."""

    exported: int = 0
    matched: int = 0
    wanted: int = 0
    found: int = 0
    date_minute: int = 0
    date_right: int = 0
    author_right: int = 0
    body_f1: float = 0.0

    def add(self, other: PostScores) -> None:
        """Add the scores of another date."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def summary(self) -> dict[str, float | int | None]:
        """Return the scores as shares."""

        def share(part: float, whole: int) -> float | None:
            return round(part / whole, 5) if whole else None

        return {
            "posts_exported": self.exported,
            "post_recall": share(self.found, self.wanted),
            "post_precision": share(self.matched, self.exported),
            "date_minute": share(self.date_minute, self.matched),
            "date_right": share(self.date_right, self.matched),
            "author_right": share(self.author_right, self.matched),
            "body_f1": share(self.body_f1, self.matched),
        }


class PostMatcher:
    """Scores the exports of one forum, one date after the other. A post found once stays found."""

    def __init__(self, forum: SimulatedForum) -> None:
        self.forum = forum
        self.world = forum.world
        self.found: set[int] = set()
        self._shown: list[ForumView] = []  # the forum at each date, kept because making one is slow

    def judge(self, exported: Iterable[Mapping[str, Any]], date: str, wanted: frozenset[int]) -> PostScores:
        """Score the export of one date."""
        self._shown.append(ForumView(self.forum, as_unix_time(date)))
        items = list(exported)
        figures = PostScores(exported=len(items), wanted=len(wanted))
        for item, rank in zip(items, self.match(items, date), strict=True):
            if rank is not None:
                self.found.add(self.world.ids[rank])
                self._measure(item, rank, figures)
        figures.found = len(wanted & self.found)
        return figures

    def match(self, items: list[Mapping[str, Any]], date: str) -> list[int | None]:
        """Return the rank of the true post of each exported post, or None. No true post is used twice."""
        limit = self.forum.at(as_unix_time(date)).limit
        result: list[int | None] = [None] * len(items)
        used: set[int] = set()
        rest: dict[int, list[int]] = {}
        for place, item in enumerate(items):
            threads = self._threads(item, date)
            number = post_number(item, self.forum.layout.post_number)
            rank = self.world.rank_of(number) if number >= 0 else self._rank_by_url(item, used)
            if rank is not None and rank < limit and (not threads or self._homes(rank, date) & threads):
                if rank not in used:
                    used.add(rank)
                    result[place] = rank
                continue
            for thread in sorted(threads)[:1]:
                rest.setdefault(thread, []).append(place)
        for thread, places in rest.items():
            self._match_by_text(items, places, thread, limit, (result, used))
        return result

    def _match_by_text(
        self, items: list[Mapping[str, Any]], places: list[int], thread: int, limit: int,
        state: tuple[list[int | None], set[int]],
    ) -> None:  # fmt: skip
        result, used = state
        index = self.world.thread_by_number(thread)
        if index is None:
            return
        ranks = [
            r
            for r in self.world.all_ranks(self.world.threads[index], _FOREVER)
            if r < limit and r not in used
        ]
        tokens = {rank: tokenise(write_post(self.world, rank, _FOREVER).text) for rank in ranks}
        scored = []
        for place in places:
            own, moment = (
                tokenise(str(items[place].get("text") or "")),
                read_date(items[place].get("date"))[0],
            )
            for rank in ranks:
                score = f1(own, tokens[rank])
                if score >= 0.5:
                    gap = abs(moment - self.world.times[rank]) if moment is not None else 1e9
                    scored.append((-score - 0.8 / (1 + gap / 3600), place, rank))
        for _, place, rank in sorted(scored):
            if result[place] is None and rank not in used:
                result[place] = rank
                used.add(rank)

    def _threads(self, item: Mapping[str, Any], date: str) -> set[int]:
        for name in ("thread_url", "url"):
            url = str(item.get(name) or "")
            number = self.forum.thread_number(route(self.forum, url)) if url else None
            if number is not None:
                index = self.world.thread_by_number(number)
                if index is None:
                    continue
                home = self.forum.at(as_unix_time(date)).home_of(index)
                return {number, self.world.threads[home].number}
        return set()

    def _rank_by_url(self, item: Mapping[str, Any], used: set[int]) -> int | None:
        """Return the post whose own page a post without id was read from, if most of its words are there."""
        asked = route(self.forum, str(item.get("url") or ""))
        rank = self.world.rank_of(asked.number) if asked.kind in {"post", "message"} else None
        if rank is None or rank in used:
            return None
        own = Counter(tokenise(str(item.get("text") or "")))
        true = Counter(tokenise(write_post(self.world, rank, 0).text))
        return rank if (own & true).total() >= 0.8 * true.total() else None

    def _homes(self, rank: int, date: str) -> set[int]:
        index = self.world.owners[rank]
        home = self.forum.at(as_unix_time(date)).home_of(index)
        return {self.world.threads[index].number, self.world.threads[home].number}

    def _measure(self, item: Mapping[str, Any], rank: int, figures: PostScores) -> None:
        figures.matched += 1
        figures.author_right += fold_name(str(item.get("author") or "")) == fold_name(
            find_author(self.world, rank).name
        )
        own = tokenise(str(item.get("text") or ""))
        versions = {write_post(self.world, rank, moment).text for moment in (0, _FOREVER)}
        figures.body_f1 += max(f1(own, tokenise(text)) for text in versions)
        moment, aware = read_date(item.get("date"))
        if moment is None:
            return
        true = self.world.times[rank]
        figures.date_minute += int(moment // 60) == true // 60
        local = true + 60 * self.forum.traits.zone.offset(true)
        clocks = (true,) if aware else (true, local)
        figures.date_right += any(abs(moment - clock) <= self._tolerance(rank) for clock in clocks)

    def _tolerance(self, rank: int) -> int:
        """Return how many seconds a date may be off: the least precise way it was shown decides."""
        time = self.world.times[rank]
        said = [view.show_date(time).precision for view in self._shown if rank < view.snapshot.limit]
        return max((TOLERANCE[precision] for precision in said), default=59)


def post_number(item: Mapping[str, Any], read: Callable[[str], int] = last_number) -> int:
    """Return the number that the forum gives to an exported post; -1 without any."""
    given = str(item.get("post_id") or "").strip()
    if given:
        return read(given)
    fragment = str(item.get("url") or "").partition("#")[2]
    named = _FRAGMENT.fullmatch(fragment)
    return int(named[1]) if named else -1


def read_date(value: object) -> tuple[float | None, bool]:
    """Return a date as Unix time, and whether it has a UTC offset. Without one it is read as UTC."""
    if isinstance(value, (int, float)):
        return float(value), True
    text = str(value or "").strip()
    try:
        moment = datetime.fromisoformat(text + _REST_OF_DATE.get(len(text), ""))
    except ValueError:
        return None, False
    if moment.tzinfo:
        return moment.timestamp(), True
    return moment.replace(tzinfo=UTC).timestamp(), False


def tokenise(text: str) -> list[str]:
    """Return the words of a text in lower case; in Chinese and Japanese script its characters."""
    return _TOKEN.findall(unicodedata.normalize("NFKC", text).lower())


def f1(left: list[str], right: list[str]) -> float:
    """Return the token F1 of two texts."""
    if not left or not right:
        return float(not left and not right)
    return 2 * sum((Counter(left) & Counter(right)).values()) / (len(left) + len(right))


def fold_name(name: str) -> str:
    """Normalise a name for comparison."""
    return unicodedata.normalize("NFC", name).strip().casefold()
