"""Judges a crawl of a live engine: its posts and its pages against the world that filled the engine.

A kept post belongs to the true post whose mark it has; with several marks to the one whose text is nearest.
A page is useful when it shows the last words of a post that no page showed before, or, showing no post, the
title of a thread with news that no page of the same crawl listed before.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from bench.engines.page_log import LoggedAnswer
from bench.engines.world import MARK, TruePost, World
from threadmill.lab.judge.post_matching import f1, fold_name, read_date, tokenise

# An engine that shows days, or ages such as "3 weeks ago", is right to the day.
_DAY = 86400


@dataclass(frozen=True, slots=True)
class CrawlScore:
    """How one crawl went."""

    wanted: int  # posts written since the crawl before
    found: int  # of these, kept now
    kept: int  # posts in the store
    invented: int  # kept, but never written
    twice: int
    authors: float  # shares of the kept posts that are true
    dates: float
    body_f1: float
    threads: float  # share of the threads whose posts are together, and nothing else with them
    pages: int
    useful: int

    @property
    def recall(self) -> float:
        """Share of the new posts that were found."""
        return self.found / self.wanted if self.wanted else 1.0

    @property
    def precision(self) -> float:
        """Share of the pages that were useful."""
        return self.useful / self.pages if self.pages else 1.0


class EngineJudge:
    """Follows an engine through its crawls."""

    def __init__(self) -> None:
        self._known: set[int] = set()  # posts of the world at the crawl before
        self._shown: set[int] = set()  # posts that some page showed

    def judge(
        self, world: World, kept: Sequence[Mapping[str, Any]], answers: Iterable[LoggedAnswer]
    ) -> CrawlScore:
        """Judge one crawl. Call it after each one, in their order."""
        truth = world.posts()
        matched = match_posts(truth, kept)
        pairs = list(matched.values())
        fresh = truth.keys() - self._known
        pages = [answer for answer in answers if answer.is_page]
        useful = self._count_useful(world, pages, fresh)
        self._known = set(truth)
        true_ones = sum(bool(set(_marks(post)) & truth.keys()) for post in kept)
        count = max(1, len(pairs))
        return CrawlScore(
            wanted=len(fresh),
            found=len(fresh & matched.keys()),
            kept=len(kept),
            invented=len(kept) - true_ones,
            twice=true_ones - len(pairs),
            authors=sum(_same_name(post, true) for post, true in pairs) / count,
            dates=sum(_same_date(post, true) for post, true in pairs) / count,
            body_f1=sum(
                f1(tokenise(str(post["text"])), tokenise(" ".join(true.body))) for post, true in pairs
            )
            / count,
            threads=_threads_together(world, {number: post for number, (post, _) in matched.items()}),
            pages=len(pages),
            useful=useful,
        )

    def _count_useful(self, world: World, pages: Sequence[LoggedAnswer], fresh: set[int]) -> int:
        titles = [thread.title for thread in world.threads if fresh & {post.number for post in thread.posts}]
        listed: set[str] = set()
        boards = {world.boards[thread.board] for thread in world.threads if thread.title in set(titles)}
        useful = 0
        for page in pages:
            posts = page.posts
            if posts:
                useful += bool(posts - self._shown)
                self._shown |= posts
            elif page.status == 200:
                text = page.text
                news = {title for title in (*titles, *boards) if title in text} - listed
                useful += bool(news)
                listed |= news
        return useful


def match_posts(
    truth: Mapping[int, TruePost], kept: Sequence[Mapping[str, Any]]
) -> dict[int, tuple[Mapping[str, Any], TruePost]]:
    """The kept post of each true one that was found."""
    found: dict[int, tuple[float, Mapping[str, Any]]] = {}
    for post in kept:
        words = tokenise(str(post["text"]))
        near = [(f1(words, tokenise(" ".join(truth[n].body))), n) for n in _marks(post) if n in truth]
        if near:
            score, number = max(near)
            if number not in found or found[number][0] < score:
                found[number] = (score, post)
    return {number: (post, truth[number]) for number, (_, post) in found.items()}


def _marks(post: Mapping[str, Any]) -> list[int]:
    return [int(number) for number in MARK.findall(str(post["text"]))]


def _same_name(post: Mapping[str, Any], true: TruePost) -> bool:
    return fold_name(str(post["author"] or "")) == fold_name(true.author)


def _same_date(post: Mapping[str, Any], true: TruePost) -> bool:
    moment, _ = read_date(post["date"])
    if moment is None:
        return False
    written = datetime.fromisoformat(true.when).replace(tzinfo=UTC).timestamp()
    exact = "T" in str(post["date"])
    return abs(moment - written) < (3600 if exact else _DAY)


def _threads_together(world: World, found: Mapping[int, Mapping[str, Any]]) -> float:
    names: dict[str, set[int]] = defaultdict(set)  # kept thread → true threads in it
    parts: dict[int, set[str]] = defaultdict(set)  # true thread → kept threads it is spread over
    for number, thread in enumerate(world.threads):
        for post in thread.posts:
            if post.number in found:
                name = str(found[post.number]["thread_url"])
                names[name].add(number)
                parts[number].add(name)
    right = sum(len(several) == 1 and len(names[next(iter(several))]) == 1 for several in parts.values())
    return right / len(parts) if parts else 0.0
