"""Forums crawled at several dates and judged: recorded engines one by one, simulated ones by their mean.

python -m bench.forum_crawl [--recordings DIR] [--simulated] [--scale small] [--dates 13] [--keep DIR] [NAME]

With --keep, the record of each forum is a file, and a forum that has one is not crawled again. So a long run
can be made in pieces: name the forums of each piece, then none, which writes the figures of all.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean

from bench.figures import Figure, at_least, at_most, write_figures
from threadmill.lab.evaluate.figures import CrawlExperiment
from threadmill.lab.evaluate.forum_experiment import (
    evaluate_recorded_forum,
    evaluate_simulated_forum,
    list_recorded_forums,
)
from threadmill.lab.simulate.catalogue import CRAWL_DATES, FORUMS

Measure = Callable[[CrawlExperiment], float | None]
MEASURES: dict[str, Measure] = {
    "posts found, first crawl": lambda crawl: crawl.first.share("found", "posts"),
    "posts found, later crawls": lambda crawl: crawl.later.share("found", "posts"),
    "page precision": lambda crawl: crawl.later.precision,
    "page recall": lambda crawl: crawl.later.recall,
    "pages ÷ least": lambda crawl: crawl.later.share("pages", "least"),
    "posts true": lambda crawl: crawl.later.share("true", "exported"),
    "dates right": lambda crawl: crawl.later.share("dates", "true"),
    "authors right": lambda crawl: crawl.later.share("authors", "true"),
    "body F1": lambda crawl: crawl.later.share("body", "true"),
}
# Of each recorded engine by itself, not of their mean.
RECORDED_BARS = {
    "posts found, first crawl": 0.995,
    "posts found, later crawls": 0.995,
    "page precision": 0.97,
    "page recall": 0.995,
}
SIMULATED_BARS = {
    "posts found, first crawl": at_least(0.999),
    "posts found, later crawls": at_least(0.999),
    "page precision": at_least(0.97),
    "page recall": at_least(0.995),
    "pages ÷ least": at_most(1.05),
    "dates right": at_least(0.995),
    "authors right": at_least(0.995),
    "body F1": at_least(0.98),
}


def main() -> None:
    """Crawl, judge, print and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="only these forums; nothing is written then")
    parser.add_argument("--recordings", type=Path, help="a directory of recorded forums")
    parser.add_argument("--simulated", action="store_true")
    parser.add_argument("--scale", default="small")
    parser.add_argument("--dates", type=int, default=len(CRAWL_DATES))
    parser.add_argument("--keep", type=Path, help="a directory for the records of forums")
    options = parser.parse_args()
    if options.recordings:
        names = [
            name for name in list_recorded_forums(options.recordings) if name in (options.names or [name])
        ]
        crawls = [
            show(keep(options.keep, name, partial(evaluate_recorded_forum, options.recordings, name)))
            for name in names
        ]
        if not options.names:
            write_figures("forum_crawl.recorded", recorded_figures(crawls))
    if options.simulated:
        names = [name for name in FORUMS if name in (options.names or [name])]
        dates = CRAWL_DATES[: options.dates]
        crawls = [
            show(keep(options.keep, name, partial(evaluate_simulated_forum, name, options.scale, dates)))
            for name in names
        ]
        if not options.names:
            write_figures("forum_crawl.simulated", simulated_figures(crawls, options.scale))


def keep(directory: Path | None, name: str, crawl: Callable[[], CrawlExperiment]) -> CrawlExperiment:
    """The kept record of a forum. If there is none, crawl it and keep that."""
    if directory is None:
        return crawl()
    directory.mkdir(parents=True, exist_ok=True)
    file = directory / f"{name}.json"
    if not file.exists():
        file.write_text(json.dumps(crawl().to_json()), encoding="utf-8")
    return CrawlExperiment.from_json(json.loads(file.read_text("utf-8")))


def show(crawl: CrawlExperiment) -> CrawlExperiment:
    """Print one forum as a line."""
    values = {name: measure(crawl) for name, measure in MEASURES.items()}
    shown = "  ".join(f"{name} {value:.3f}" for name, value in values.items() if value is not None)
    print(f"{crawl.site}: {shown}", flush=True)
    return crawl


def recorded_figures(crawls: Sequence[CrawlExperiment]) -> list[Figure]:
    """Every measure of every engine."""
    return [
        Figure("crawl", f"{name}, recorded {crawl.site}", value, at_least(bar), held_back=False)
        for crawl in crawls
        for name, bar in RECORDED_BARS.items()
        if (value := MEASURES[name](crawl)) is not None
    ]


def simulated_figures(crawls: Sequence[CrawlExperiment], scale: str) -> list[Figure]:
    """The mean of each measure over the forums, and the least precision."""
    what = f"{len(crawls)} simulated forums, {scale}"
    figures = []
    for name, measure in MEASURES.items():
        values = [value for crawl in crawls if (value := measure(crawl)) is not None]
        figures.append(
            Figure(
                "crawl", f"{name}, mean of {what}", fmean(values), SIMULATED_BARS.get(name), held_back=False
            )
        )
        if name == "page precision":
            figures.append(
                Figure("crawl", f"{name}, least of {what}", min(values), at_least(0.90), held_back=False)
            )
    return figures


if __name__ == "__main__":
    main()
