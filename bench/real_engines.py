"""Real engines that no part of Threadmill was written for: install, fill, crawl, let time pass, crawl again.

    python3 dev.py run python -m bench.real_engines [--engine NAME] [--cache DIR] [--language de]

Each engine comes from PyPI, npm or Debian into a directory of its own below --cache and is served on
loopback. A log between the crawler and the engine notes which posts and titles each page shows. The judge
knows what was written. With libfaketime (Debian: faketime) the server lives at the time of the posts, so that
ages and lists of recent news are true. An engine that cannot be installed is skipped with its reason.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from bench.engines.catalogue import ENGINES
from bench.engines.engine import CannotInstallError, LiveEngine
from bench.engines.page_log import LoggedAnswer, logged
from bench.engines.verdict import CrawlScore, EngineJudge
from bench.engines.world import World
from bench.figures import Figure, at_least, write_figures
from threadmill.lab.simulate.content.language import load_language

_PAUSES = (0, 2, 2, 30)  # days before each crawl
_HEADER = (
    "engine        crawl    new  found  kept  invented twice  author   date   body  thread  pages useful"
)


@dataclass(frozen=True, slots=True)
class EngineResult:
    """The crawls of one engine."""

    name: str
    first: CrawlScore
    later: tuple[CrawlScore, ...]

    @property
    def later_recall(self) -> float:
        """Share of the posts written after the first crawl that were found."""
        wanted = sum(score.wanted for score in self.later)
        return sum(score.found for score in self.later) / wanted if wanted else 1.0

    @property
    def later_precision(self) -> float:
        """Share of the pages of later crawls that were useful."""
        pages = sum(score.pages for score in self.later)
        return sum(score.useful for score in self.later) / pages if pages else 1.0


def main() -> None:
    """Print a line for each crawl of each engine, and write the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engine", action="append", choices=sorted(ENGINES), help="default: all")
    parser.add_argument("--cache", type=Path, help="a directory for the engines, used again next time")
    parser.add_argument("--language", default="en")
    parser.add_argument("--threads", type=int, default=88)
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument(
        "--today", type=date.fromisoformat, default=datetime.now(UTC).date(), help="the last day of the posts"
    )
    parser.add_argument("--pages", type=Path, help="write every answer below this directory, to look at")
    parser.add_argument("--no-figures", action="store_true", help="only print")
    parser.add_argument("--held-back", action="store_true", help="nobody crawled these engines before")
    arguments = parser.parse_args()
    # The last crawl is of today: engines show recent activity, and ages instead of dates.
    begin = datetime.combine(arguments.today, time(12)) - timedelta(days=sum(_PAUSES))
    print(_HEADER)
    with tempfile.TemporaryDirectory(prefix="threadmill-engines-") as scratch:
        for name in arguments.engine or ENGINES:
            home = (arguments.cache or Path(scratch)).resolve() / name
            home.mkdir(parents=True, exist_ok=True)
            world = World(load_language(arguments.language), arguments.threads, arguments.seed, begin)
            try:
                result = measure(ENGINES[name](home), world, Path(scratch) / f"{name}-work", arguments.pages)
            except CannotInstallError as reason:
                print(f"{name:13} skipped: {reason}", flush=True)
            else:
                if not arguments.no_figures:
                    figures = list(make_figures([result], held_back=arguments.held_back))
                    write_figures(f"real_engines.{name}", figures)


def measure(engine: LiveEngine, world: World, workspace: Path, pages: Path | None = None) -> EngineResult:
    """Fill, crawl and judge an engine: once whole, then after each pause."""
    engine.install()
    engine.fill(world)
    engine.set_clock(world.now)
    judge = EngineJudge()
    scores: list[CrawlScore] = []
    answers: list[LoggedAnswer] = []
    with engine.serving() as served, logged(served, engine.root, answers):
        for days in _PAUSES:
            if days:
                world.pass_days(days)
                engine.fill(world)
                engine.set_clock(world.now)
            answers.clear()
            said = crawl(workspace, engine.root + engine.start)
            scores.append(judge.judge(world, read_posts(workspace), answers))
            print(_line(engine.name, len(scores), scores[-1]), said, flush=True)
            if pages:
                save_pages(pages / engine.name / str(len(scores)), answers)
    return EngineResult(engine.name, scores[0], tuple(scores[1:]))


def crawl(workspace: Path, url: str) -> str:
    """Crawl by the command line, as a user does. Returns what it says when something is wrong."""
    done = _threadmill("crawl", url, "--delay", "0", "--quiet", "--workspace", str(workspace))
    return "" if not done.returncode else f"exit {done.returncode}: {done.stderr.strip()[-300:]}"


def read_posts(workspace: Path) -> list[dict[str, Any]]:
    """Every post of a workspace."""
    done = _threadmill("posts", "--workspace", str(workspace))
    return [json.loads(line) for line in done.stdout.splitlines()]


def _threadmill(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "threadmill", *words], capture_output=True, text=True, check=False
    )


def save_pages(folder: Path, answers: Sequence[LoggedAnswer]) -> None:
    """Write answers as files named by their addresses."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, answer in enumerate(answers):
        name = re.sub(r"[^\w.=&,-]+", "_", answer.address)[:120]
        (folder / f"{number:04}-{answer.status}-{name}.gz").write_bytes(gzip.compress(answer.body))


def make_figures(results: Sequence[EngineResult], *, held_back: bool = False) -> Iterator[Figure]:
    """The figures of each engine."""
    made = partial(Figure, "crawl", held_back=held_back)
    for result in results:
        name, first = result.name, result.first
        yield made(f"posts found by the first crawl, {name}", round(first.recall, 4), at_least(0.995))
        yield made(f"new posts found later, {name}", round(result.later_recall, 4), at_least(0.995))
        yield made(f"useful pages later, {name}", round(result.later_precision, 4))
        last = result.later[-1] if result.later else first
        yield made(f"authors right, {name}", round(last.authors, 4), at_least(0.99))
        yield made(f"dates right, {name}", round(last.dates, 4), at_least(0.99))
        yield made(f"body F1, {name}", round(last.body_f1, 4), at_least(0.98))


def _line(name: str, number: int, score: CrawlScore) -> str:
    return (
        f"{name:13} {number:5} {score.wanted:6} {score.found:6} {score.kept:5} {score.invented:9}"
        f" {score.twice:5} {score.authors:7.3f} {score.dates:6.3f} {score.body_f1:6.3f} {score.threads:7.3f}"
        f" {score.pages:6} {score.useful:6}"
    )


if __name__ == "__main__":
    main()
