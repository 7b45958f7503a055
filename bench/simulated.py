"""Simulated forums for the forum benches: pages with their true class, posts and neighbours."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from urllib.parse import urljoin

from threadmill.forum.addresses import absolute
from threadmill.forum.explore import explore
from threadmill.forum.learn import Sample
from threadmill.forum.model import ForumModel
from threadmill.page.tree import parse
from threadmill.simulate.catalogue import FORUMS, open_forum
from threadmill.simulate.forum import Forum, moment_of
from threadmill.simulate.respond import Answer, respond
from threadmill.simulate.truth import ShownPage, pages

BASE = "http://sim.test"
WHEN = "2016-06-01"
NAMES = tuple(FORUMS)


def ask(forum: Forum, url: str) -> tuple[str, Answer]:
    """A simulated answer, redirects followed, with the address it came from."""
    for _ in range(4):
        answer = respond(forum, url.removeprefix(BASE), moment_of(WHEN))
        if not 300 <= answer.status < 400:
            break
        url = urljoin(url, answer.header("Location") or answer.target)
    return url, answer


def shown_now() -> datetime:
    """The present of the simulation, UTC."""
    return datetime.fromtimestamp(moment_of(WHEN), UTC)


def learn(forum: Forum) -> tuple[ForumModel, int]:
    """The model learnt from the start page, and the number of pages that took."""
    search = explore(BASE + forum.layout.home)
    url = next(search)
    count = 0
    while True:
        count += 1
        where, answer = ask(forum, url)
        sample = Sample(url, parse(answer.body, where), shown_now()) if answer.status == 200 else None
        try:
            url = search.send(sample)
        except StopIteration as end:
            return end.value, count


def shown(forum: Forum, kind: str, count: int) -> list[ShownPage]:
    """A random sample of pages of a kind."""
    rows = [page for page in pages(forum, WHEN) if page.kind == kind]
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
                target = absolute(url, element.attr("href") or "#")
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
