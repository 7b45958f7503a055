"""What exploring simulated forums asks for and learns, and the values it must have.

After a change that is meant to alter them, run twice: python -m tests.forum.known_models
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from bench import simulated
from threadmill.forum.read_page import read_thread
from threadmill.forum.site_model.explore import explore
from threadmill.forum.site_model.learn import SamplePage
from threadmill.forum.site_model.model import ForumModel
from threadmill.forum.site_model.wrapper import Wrapper
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.page.parse.tree import parse

FILE = Path(__file__).with_name("known_models.json")
# Layouts that differ much: tables, lists, cursors, nested posts, posts without class names.
NAMES = ("werkbank", "chaguan", "atelier", "clearing", "vopros", "plaza", "kiosk", "linden", "kafana")


@cache
def known() -> dict[str, dict[str, Any]]:
    """Forum → the URLs asked for, and the model learnt from them."""
    values: dict[str, dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
    return values


@cache
def explored(name: str) -> tuple[list[str], ForumModel]:
    """The URLs that learning a simulated forum asks for, and its model."""
    forum = open_forum(name, "small")
    exploration = explore(simulated.BASE + forum.layout.home)
    asked = [next(exploration)]
    while True:
        url, answer = simulated.ask(forum, asked[-1])
        sample = SamplePage(url, parse(answer.body, url), simulated.shown_now())
        try:
            asked.append(exploration.send(sample if answer.status == 200 else None))
        except StopIteration as end:
            return asked, end.value


def plain_model(name: str) -> dict[str, Any]:
    """The model of a simulated forum as plain data."""
    values: dict[str, Any] = json.loads(json.dumps(explored(name)[1].to_json()))
    return values


def read_with_wrapper(name: str) -> list[list[Any]]:
    """What the known wrapper of a simulated forum reads on three of its thread pages."""
    forum = open_forum(name, "small")
    wrapper = Wrapper.from_json(known()[name]["wrapper"])
    found: list[list[Any]] = []
    for page in simulated.shown(forum, "thread", 3):
        url, answer = simulated.ask(forum, simulated.BASE + page.key)
        read = read_thread(parse(answer.body, url), simulated.shown_now(), wrapper)
        found.append([page.key, read.wrapped, round(read.confidence, 4), len(read.posts) - len(page.items)])
        found += [
            [
                post.author,
                post.date and post.date.isoformat(),
                post.post_id,
                post.url,
                post.text[:30],
                len(post.text),
            ]
            for post in read.posts
        ]
    return found


def main() -> None:
    """Write the values of today."""
    lines = []
    for name in NAMES:
        parts = {"asked": explored(name)[0], **plain_model(name)}
        body = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in parts.items())
        if FILE.exists():
            body += f',\n "read": {json.dumps(read_with_wrapper(name), ensure_ascii=False)}'
        lines.append(f"{json.dumps(name)}: {{\n{body}}}")
    FILE.write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
