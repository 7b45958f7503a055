"""Simulated forums for the forum benches: pages with their true class, posts and neighbours."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from urllib.parse import urljoin

from bench.true_page import TruePage, TruePost
from threadmill.forum.link_urls import absolute_url
from threadmill.forum.site_model.explore import explore
from threadmill.forum.site_model.learn import SamplePage
from threadmill.forum.site_model.model import ForumModel
from threadmill.lab.judge.post_matching import TOLERANCE
from threadmill.lab.judge.truth import ShownPage, all_pages, true_posts
from threadmill.lab.judge.truth import TruePost as Written
from threadmill.lab.simulate.catalogue import FORUMS, open_forum
from threadmill.lab.simulate.content.writing import write_post
from threadmill.lab.simulate.forum import SimulatedForum, as_unix_time
from threadmill.lab.simulate.respond import SimulatedAnswer, respond
from threadmill.lab.simulate.url_keys import url_key
from threadmill.page.parse.tree import parse

BASE = "http://sim.test"
WHEN = "2016-06-01"
NAMES = tuple(FORUMS)


def ask(forum: SimulatedForum, url: str) -> tuple[str, SimulatedAnswer]:
    """A simulated answer, redirects followed, with the address it came from."""
    for _ in range(4):
        answer = respond(forum, url.removeprefix(BASE), as_unix_time(WHEN))
        if not 300 <= answer.status < 400:
            break
        url = urljoin(url, answer.header("Location") or answer.target)
    return url, answer


def shown_now() -> datetime:
    """The present of the simulation, UTC."""
    return datetime.fromtimestamp(as_unix_time(WHEN), UTC)


def learn(forum: SimulatedForum) -> tuple[ForumModel, int]:
    """The model learnt from the start page, and the number of pages that took."""
    search = explore(BASE + forum.layout.home)
    url = next(search)
    count = 0
    while True:
        count += 1
        where, answer = ask(forum, url)
        sample = SamplePage(url, parse(answer.body, where), shown_now()) if answer.status == 200 else None
        try:
            url = search.send(sample)
        except StopIteration as end:
            return end.value, count


def shown(forum: SimulatedForum, kind: str, count: int) -> list[ShownPage]:
    """A random sample of pages of a kind."""
    rows = [page for page in all_pages(forum, WHEN) if page.kind == kind]
    random.Random(3).shuffle(rows)
    return rows[:count]


def samples(name: str, count: int) -> Iterator[tuple[str, str, bytes, datetime]]:
    """(class, address, page, now) of so many pages of each class."""
    forum = open_forum(name)
    others: dict[str, None] = {}
    for kind in ("home", "index", "thread"):
        for page in shown(forum, kind, count):
            url, answer = ask(forum, BASE + page.key)
            yield ("thread" if kind == "thread" else "index"), url, answer.body, shown_now()
            for element in parse(answer.body, url).document.iter_elements("a"):
                target = absolute_url(url, element.attr("href") or "#")
                if target and target.startswith(BASE):
                    others[target] = None
    found = 0
    for target in sorted(others, key=hash_of):
        url, answer = ask(forum, target)
        if answer.page_class == "other" and answer.status == 200 and b"<html" in answer.body[:3000].lower():
            yield "other", url, answer.body, shown_now()
            found += 1
            if found >= count:
                return


def hash_of(text: str) -> int:
    """A number that mixes addresses the same way in every run."""
    return random.Random(text).getrandbits(32)


class Site:
    """A simulated forum at one date, every page with its truth."""

    def __init__(self, name: str, scale: str = "small") -> None:
        self.name = name
        self.forum = open_forum(name, scale)
        self.start = BASE + self.forum.layout.home
        self.index_order = self.forum.traits.index_order
        self.cursors = self.forum.traits.layout == "plaza"
        self.descending = self.forum.traits.post_order == "desc"

    def fetch(self, url: str) -> SamplePage | None:
        """A page as the crawler gets it."""
        where, answer = ask(self.forum, url)
        return SamplePage(where, parse(answer.body, where), shown_now()) if answer.status == 200 else None

    def name_of(self, url: str) -> str | None:
        """The key of the page that an address leads to."""
        shown = ask(self.forum, url)[1].page if url.startswith(BASE) else ""
        return url_key(shown) if shown else None

    def pages(self) -> Iterator[TruePage]:
        """Every index and thread page."""
        written = {post.post: post for post in true_posts(self.forum, WHEN)}
        first = {post.thread: post.thread_key for post in written.values()}
        siblings: dict[tuple[str, int, int], list[ShownPage]] = defaultdict(list)
        for page in all_pages(self.forum, WHEN):
            siblings[page.kind, page.board if page.kind == "index" else 0, page.thread].append(page)
        for (kind, _, _), group in siblings.items():
            for place, page in enumerate(group):
                answer = ask(self.forum, BASE + page.key)[1]
                yield TruePage(
                    kind="thread" if kind == "thread" else "index",
                    name=page.key,
                    url=urljoin(BASE, answer.page),
                    body=answer.body,
                    now=shown_now(),
                    posts=tuple(self._post(written[item]) for item in page.items) if kind == "thread" else (),
                    rows=tuple(first[item] for item in page.items if item in first)
                    if kind == "index"
                    else (),
                    number=place + 1,
                    count=len(group),
                    next=group[place + 1].key if place + 1 < len(group) else None,
                    previous=group[place - 1].key if place else None,
                )

    def _post(self, post: Written) -> TruePost:
        at = datetime.fromisoformat(post.date)
        local = at + timedelta(minutes=self.forum.traits.zone.offset(int(at.timestamp())))
        rank = self.forum.world.rank_of(post.post)
        assert rank is not None
        return TruePost(
            number=str(post.post),
            author=post.author,
            dates=(at.replace(tzinfo=None), local.replace(tzinfo=None)),
            slack=TOLERANCE[post.precision],
            texts=(post.text, write_post(self.forum.world, rank, 0).text),
        )
