"""Our judge and the judge of the recorded forums say the same of the same crawl."""

import json
import os
import random
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from threadmill.lab.judge.judge_crawl import judge_crawl
from threadmill.lab.judge.truth import all_pages, true_posts
from threadmill.lab.simulate.catalogue import CRAWL_DATES, open_forum
from threadmill.lab.simulate.forum import SimulatedForum, as_unix_time
from threadmill.lab.simulate.server import Simulation

ROOT = Path(__file__).resolve().parents[2]
GIVEN = os.environ.get("THREADMILL_SHARED")
CANDIDATES = [Path(GIVEN)] if GIVEN else [ROOT / "../shared", ROOT / "../../shared"]
FORUMS = next((path / "data/forums" for path in CANDIDATES if (path / "data/forums/judge.py").exists()), None)
DATES = list(CRAWL_DATES[:3])
NAMES = {
    "pages": "pages",
    "NEW": "new",
    "SEMI": "semi",
    "DUPLICATE": "duplicate",
    "OTHER": "other",
    "precision": "precision",
    "page_recall": "page_recall",
    "oracle": "oracle",
    "downloads_per_oracle": "downloads_per_oracle",
    "bytes_utilisation": "bytes_utilisation",
    "post_recall": "post_recall",
    "post_precision": "post_precision",
    "author": "author_right",
    "date_minute": "date_minute",
}


@pytest.mark.skipif(FORUMS is None, reason="the recorded forums and their judge are not here")
@pytest.mark.parametrize("name", ["harbour", "chaguan", "kiosk"])
def test_the_two_judges_agree(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(FORUMS), *sys.path])
    theirs = import_module("judge")
    forum = open_forum(name, "small")
    log, posts = crawl(forum)
    write(tmp_path / "truth.jsonl", told(forum))
    write(tmp_path / "log.jsonl", log)
    for date, items in posts.items():
        write(tmp_path / f"{date}.jsonl", items)
    files = {date: str(tmp_path / f"{date}.jsonl") for date in posts}
    said = theirs.judge(str(tmp_path / "truth.jsonl"), [str(tmp_path / "log.jsonl")], files)["dates"]
    ours = judge_crawl(forum, log, posts, DATES)
    for date in DATES:
        summary = ours.by_date[date].summary()
        for their_name, our_name in NAMES.items():
            assert summary[our_name] == pytest.approx(said[date][their_name], abs=2e-4), (date, our_name)


def crawl(forum: SimulatedForum) -> tuple[list[dict[str, Any]], dict[str, list[dict[str, Any]]]]:
    """A careless crawler: everything first, then some pages; it exports every other post."""
    simulation = Simulation({forum.traits.name: forum}, as_unix_time(DATES[0]))
    chance, posts = random.Random(5), {}
    for date in DATES:
        simulation.advance(date)
        for page in all_pages(forum, date):
            if date == DATES[0] or chance.random() < 0.4:
                simulation.answer(page.key, {})
        simulation.answer("/robots.txt", {})
        simulation.answer("/nope", {})
        posts[date] = [
            {
                "post_id": p.post,
                "thread_url": p.thread_key,
                "author": p.author,
                "date": p.date,
                "text": p.text,
            }
            for p in true_posts(forum, date)[::2]
        ]
    return simulation.requests, posts


def told(forum: SimulatedForum) -> list[dict[str, Any]]:
    """The truth in the words of the recorded forums."""
    now = {date: f"{date}T12:00:00Z" for date in DATES}
    site = {
        "site": forum.traits.name,
        "start": forum.layout.home,
        "dates": DATES,
        "now": now,
        "pid": r"(\d+)",
    }
    lines: list[dict[str, Any]] = [{"type": "site", **site, "index": "-", "thread": "-", "perma": "-"}]
    seen: set[int] = set()
    for date in DATES:
        for post in true_posts(forum, date, without=seen):
            seen.add(post.post)
            rank = forum.world.rank_of(post.post) or 0
            ends = (forum.world.deleted.get(rank, 0), forum.world.threads[forum.world.owners[rank]].gone)
            lines.append(
                {
                    "type": "post",
                    "board": post.board,
                    "thread": post.thread,
                    "thread_key": post.thread_key,
                    "post": post.post,
                    "author": post.author,
                    "date": post.date,
                    "text": post.text,
                    "quoted": list(post.quoted),
                    "deleted": min(filter(None, ends), default=None),
                }
            )
        for page in all_pages(forum, date):
            entry: dict[str, Any] = {"date": date, "key": page.key}
            if page.kind == "thread":
                entry |= {"type": "page", "thread": page.thread, "posts": page.items, "also": page.aliases}
            elif page.kind == "home":
                entry |= {"type": "index", "boards": page.items}
            else:
                entry |= {"type": "index", "board": page.board, "order": page.order, "threads": page.items}
            lines.append(entry)
        lines.append({"type": "redirects", "date": date, "map": {}})
    return lines


def write(path: Path, lines: list[dict[str, Any]]) -> None:
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
