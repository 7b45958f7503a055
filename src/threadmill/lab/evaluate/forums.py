"""The experiment of the source: a first crawl, then one a month for a year, on simulated forums, judged."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from threadmill.lab.evaluate.figures import CrawlExperiment, CrawlFigures
from threadmill.lab.evaluate.scratch_workspace import crawl_whole, read_posts, scratch_workspace
from threadmill.lab.judge.judge_crawl import DateFigures, judge_crawl
from threadmill.lab.judge.truth import find_new_content
from threadmill.lab.simulate.catalogue import CRAWL_DATES, open_forum
from threadmill.lab.simulate.forum import SimulatedForum, as_unix_time
from threadmill.lab.simulate.server import Simulation, serving

Say = Callable[[str], None]


def evaluate_forum(
    name: str, scale: str | int, dates: Sequence[str] = CRAWL_DATES, say: Say | None = None
) -> CrawlExperiment:
    """Crawl one simulated forum on each date and judge requests and posts."""
    forum = open_forum(name, scale)
    simulation = Simulation({name: forum}, as_unix_time(dates[0]))
    posts: dict[str, list[dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory(prefix="threadmill-evaluate-") as directory:
        workspace = scratch_workspace(Path(directory) / "w")
        with serving(simulation) as base:
            for date in dates:
                if say is not None:
                    say(f"{name} {date}")
                simulation.advance(date)
                crawl_whole(workspace, f"{base}/")
                posts[date] = read_posts(workspace)
    verdict = judge_crawl(forum, simulation.requests, posts, dates)
    before = [None, *dates]
    by_date = {
        date: _figures(forum, before[place], date, verdict.by_date[date]) for place, date in enumerate(dates)
    }
    return CrawlExperiment(name, by_date)


def _figures(forum: SimulatedForum, before: str | None, date: str, judged: DateFigures) -> CrawlFigures:
    """The judge's counts; a full recrawl is counted from the truth: every page, and those with news."""
    classes = find_new_content(forum, before, date).pages
    posts = judged.posts
    return CrawlFigures(
        pages=judged.pages,
        new=judged.new,
        semi=judged.semi,
        duplicate=judged.duplicate,
        other=judged.other,
        forbidden=judged.forbidden,
        bytes=judged.bytes,
        news_bytes=judged.news_bytes,
        least_thread=judged.oracle_thread,
        covered=judged.covered,
        least=judged.oracle_thread + judged.oracle_index,
        skeleton=len(classes),
        skeleton_news=sum(kind != "duplicate" for kind in classes.values()),
        posts=posts.wanted,
        found=posts.found,
        exported=posts.exported,
        true=posts.matched,
        dates=posts.date_right,
        authors=posts.author_right,
        body=posts.body_f1,
    )
