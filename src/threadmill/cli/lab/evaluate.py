"""`threadmill evaluate`: measure the forum crawl or the site templates, and print the figures."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from threadmill.cli.arguments import refuse_unused
from threadmill.cli.tables import TableColumns, print_table
from threadmill.errors import ThreadmillError, UsageError

if TYPE_CHECKING:
    from threadmill.lab.evaluate.figures import CrawlExperiment, CrawlFigures
    from threadmill.lab.evaluate.template_sites import FramingTruth

    Say = Callable[[str], None]
    Experiment = Callable[[Say], CrawlExperiment]

EXAMPLES = """\
  threadmill evaluate forums                          monthly crawls of all simulated forums over a year
  threadmill evaluate forums --forum harbour --dates 4 --scale small
  threadmill evaluate forums --recordings recorded/ --keep results/
  threadmill evaluate templates                       forty manuals of Debian, downloaded with apt-get
  threadmill evaluate templates --site python --site gtk --examples
  threadmill evaluate templates --forums recorded/    … and recorded forums
  threadmill evaluate templates --together            a page alone, a template alone, both together"""

PARTS = {
    "forums": "incremental crawls of simulated and recorded forums, one per month",
    "templates": "site templates: framing removed, content lost, search with and without framing",
}
# The options that each part uses.
USED = {
    "forums": ("forum", "dates", "scale", "recordings", "keep", "json"),
    "templates": ("site", "forums", "cache", "held_out", "together", "examples", "max_pages", "json"),
}
_NOTE = (
    "precision: share of fetched pages with something new. least: pages that an all-knowing crawler fetches. "
    "recrawl: a crawler that fetches every page again; its figures are computed, it is not run."
)
# The columns of the tables: of the first crawl, then of all later crawls together.
_FIRST: dict[str, Callable[[CrawlFigures], float | None]] = {
    "1st crawl/skeleton": lambda f: f.share("pages", "skeleton"),
    "posts": lambda f: f.share("found", "posts"),
}
_PAGES: dict[str, Callable[[CrawlFigures], float | None]] = {
    "pages": lambda f: f.pages,
    "new": lambda f: f.share("new", "pages"),
    "semi": lambda f: f.share("semi", "pages"),
    "duplicate": lambda f: f.share("duplicate", "pages"),
    "precision": lambda f: f.precision,
    "recall": lambda f: f.recall,
    "F": lambda f: f.f,
    "bandwidth": lambda f: f.bandwidth,
    "pages/least": lambda f: f.share("pages", "least"),
    "recrawl pages": lambda f: f.skeleton,
    "recrawl precision": lambda f: f.recrawl_precision,
}
_POSTS: dict[str, Callable[[CrawlFigures], float | None]] = {
    "posts found": lambda f: f.share("found", "posts"),
    "posts true": lambda f: f.share("true", "exported"),
    "dates": lambda f: f.share("dates", "true"),
    "authors": lambda f: f.share("authors", "true"),
    "body F1": lambda f: f.share("body", "true"),
    "forbidden": lambda f: f.forbidden,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("part", choices=sorted(PARTS), help="the part to measure")
    parser.add_argument(
        "--forum", action="append", metavar="NAME", help="forums: only this one; may be repeated"
    )
    parser.add_argument("--dates", type=int, default=13, metavar="N", help="forums: number of crawls (13)")
    parser.add_argument(
        "--scale", default="default", metavar="S", help="forums: small, default or a number of posts"
    )
    parser.add_argument(
        "--recordings",
        type=Path,
        metavar="DIR",
        help="forums: also recorded forums, from this directory",
    )
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="DIR",
        help="forums: keep results here; the same command continues with the others",
    )
    parser.add_argument(
        "--site", action="append", metavar="NAME", help="templates: only this site; may be repeated"
    )
    parser.add_argument(
        "--forums", type=Path, metavar="DIR", help="templates: also recorded forums, from this directory"
    )
    parser.add_argument(
        "--cache",
        type=Path,
        metavar="DIR",
        help="templates: keep unpacked packages here (default: the temporary directory)",
    )
    parser.add_argument(
        "--held-out",
        action="store_true",
        help="templates: learn from half of the pages of a site, measure on the other half",
    )
    parser.add_argument(
        "--together",
        action="store_true",
        help="templates: word F1 with the page alone, the template alone, and both",
    )
    parser.add_argument(
        "--examples", action="store_true", help="templates: show examples of missed framing and lost content"
    )
    parser.add_argument(
        "--max-pages", type=int, default=800, metavar="N", help="templates: pages per site (default: 800)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per site (and method)")


def run(arguments: argparse.Namespace) -> int:
    """Measure the part."""
    refuse_unused(arguments, add_arguments, USED[arguments.part], f"evaluate {arguments.part}")
    return _run_forums(arguments) if arguments.part == "forums" else _run_templates(arguments)


def _run_forums(arguments: argparse.Namespace) -> int:
    """Print the tables of the experiment on forums. The exit code is 1 when a forum could not be crawled."""
    names, dates = arguments.forum, arguments.dates
    if not 2 <= dates <= 13:
        raise UsageError(f"expected 2 to 13 dates, but got {dates}")
    groups = {
        "simulated forums": _simulated(names, arguments.scale, dates),
        "recorded forums": _recorded(names, arguments.recordings),
    }
    if not any(groups.values()):
        raise UsageError(
            "there is no such forum; see: threadmill simulate --list, and the names in --recordings DIR"
        )
    failed = 0
    for title, works in groups.items():
        done, missed = _run_all(works, arguments.keep)
        failed += missed
        if arguments.json:
            for one in done:
                print(json.dumps({"group": title, "site": one.site} | _figures(one), ensure_ascii=False))
        elif done:
            _print_sites(title, done)
            _print_months(title, done)
    if not arguments.json:
        print(_NOTE)
    return 1 if failed else 0


def _simulated(names: Sequence[str] | None, scale: str, dates: int) -> dict[str, Experiment]:
    from threadmill.lab.evaluate.forum_experiment import evaluate_simulated_forum
    from threadmill.lab.simulate.catalogue import CRAWL_DATES, FORUMS

    size = int(scale) if scale.isdecimal() else scale
    return {
        f"{name}-{scale}-{dates}": partial(evaluate_simulated_forum, name, size, CRAWL_DATES[:dates])
        for name in FORUMS
        if not names or name in names
    }


def _recorded(names: Sequence[str] | None, directory: Path | None) -> dict[str, Experiment]:
    if directory is None:
        return {}
    from threadmill.lab.evaluate.forum_experiment import evaluate_recorded_forum, list_recorded_forums

    return {
        f"recorded-{site}": partial(evaluate_recorded_forum, directory, site)
        for site in list_recorded_forums(directory)
        if not names or site in names
    }


def _run_all(works: dict[str, Experiment], keep: Path | None) -> tuple[list[CrawlExperiment], int]:
    """Run the experiments in turn. With `keep`, results of an earlier run of the same command are reused."""
    done: list[CrawlExperiment] = []
    missed = 0
    with _progress(len(works)) as (say, advance):
        for name, work in works.items():
            try:
                done.append(_kept(name, work, keep, say))
            except ThreadmillError as error:
                print(f"{name}: {error}", file=sys.stderr)
                missed += 1
            advance()
    return done, missed


def _kept(name: str, work: Experiment, keep: Path | None, say: Say) -> CrawlExperiment:
    from threadmill.lab.evaluate.figures import CrawlExperiment

    if keep is None:
        return work(say)
    file = keep / f"{name}.json"
    if file.exists():
        return CrawlExperiment.from_json(json.loads(file.read_text("utf-8")))
    found = work(say)
    keep.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    part.write_text(json.dumps(found.to_json()), "utf-8")
    part.replace(file)  # a killed run leaves no half-written result
    return found


@contextmanager
def _progress(total: int) -> Iterator[tuple[Say, Callable[[], None]]]:
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal or not total) as progress:
        task = progress.add_task("forums", total=total)
        yield (
            lambda text: progress.update(task, description=text),
            lambda: progress.advance(task),
        )


def _figures(one: CrawlExperiment) -> dict[str, float | None]:
    """The figures of one site: of its first crawl, then of all later crawls together."""
    first = {name: figure(one.first) for name, figure in _FIRST.items()}
    return first | {name: figure(one.later) for name, figure in (_PAGES | _POSTS).items()}


def _print_sites(title: str, done: Sequence[CrawlExperiment]) -> None:
    """A line per site over all later crawls. The mean is over sites."""
    figures = {one.site: _figures(one) for one in done}
    figures["mean"] = {
        name: _mean([found[name] for found in figures.values()]) for name in figures[done[0].site]
    }
    names = tuple(figures["mean"])
    rows = ({"site": site} | {name: _shown(found[name]) for name in names} for site, found in figures.items())
    print_table(
        rows, TableColumns(("site", *names), right=names), title=f"{title}, all later crawls together"
    )


def _print_months(title: str, done: Sequence[CrawlExperiment]) -> None:
    """A line per date, over all sites together."""
    from threadmill.lab.evaluate.figures import add_figures

    rows = []
    for date in list(done[0].by_date)[1:]:
        together = add_figures(one.by_date[date] for one in done if date in one.by_date)
        rows.append({"date": date} | {name: _shown(figure(together)) for name, figure in _PAGES.items()})
    columns = TableColumns(("date", *_PAGES), right=tuple(_PAGES))
    print_table(rows, columns, title=f"{title}, month by month, all sites together")


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _shown(value: float | None) -> str:
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.3f}"


def _run_templates(arguments: argparse.Namespace) -> int:
    """Print a line per site and method. The exit code is 1 when the default method misses its bar."""
    from threadmill.lab.evaluate.template_scores import score_site
    from threadmill.lab.evaluate.template_sites import FORUMS, MANUALS, forum_pages, manual_pages
    from threadmill.template import FramingMethod

    cache = arguments.cache or Path(tempfile.gettempdir()) / "threadmill-manuals"
    truths = [*MANUALS, *(FORUMS if arguments.forums else ())]
    wanted = [truth for truth in truths if not arguments.site or truth.name in arguments.site]
    if not wanted:
        raise UsageError(f"there is no such site; known are {', '.join(truth.name for truth in truths)}")
    if arguments.together:
        return _print_together(wanted, cache, arguments.forums, as_json=arguments.json)
    if not arguments.json:
        print(
            f"{'site':18}{'method':8}{'pages':>6}{'removed':>10}{'lost':>10}{'broken':>8}{'MRR':>8}"
            f"{'without':>9}"
        )
    missed = 0
    for truth in wanted:
        pages = manual_pages(truth, cache) if truth.package else forum_pages(truth, arguments.forums)
        step = max(1, len(pages) // arguments.max_pages)
        for method, score in score_site(truth, pages[::step], FramingMethod, held_out=arguments.held_out):
            if arguments.json:
                told = {"site": truth.name, "method": method, "pages": score.pages, "broken": score.broken}
                shares = {"removed": score.removed_share, "lost": score.lost_share}
                found = {"mrr": score.before, "mrr_without": score.after}
                print(json.dumps(told | shares | found), flush=True)
            else:
                print(
                    f"{truth.name:18}{method:8}{score.pages:6d}{score.removed_share:10.4f}"
                    f"{score.lost_share:10.5f}{score.broken:8d}{score.before:8.3f}{score.after:9.3f}",
                    flush=True,
                )
            good = score.removed_share >= 0.98 and score.lost_share <= 0.002 and not score.broken
            missed += method is FramingMethod.PLACES and not good
            if arguments.examples and not arguments.json:
                for kind, texts in score.examples.items():
                    shown = [f"{text!r} {length}" for text, length in texts.most_common(8) if length]
                    print(f"    {kind}: {', '.join(shown) or 'nothing'}")
    return 1 if missed else 0


def _print_together(
    wanted: Sequence[FramingTruth], cache: Path, forums: Path | None, *, as_json: bool
) -> int:
    """Print a line per site. The exit code is 1 when both together score below the page alone."""
    from threadmill.lab.evaluate.template_scores import score_page_and_template
    from threadmill.lab.evaluate.template_sites import forum_pages, manual_pages

    if not as_json:
        print(f"{'site':18}{'page':>8}{'template':>10}{'both':>8}")
    behind = 0
    for truth in wanted:
        pages = manual_pages(truth, cache) if truth.package or forums is None else forum_pages(truth, forums)
        score = score_page_and_template(truth, pages)
        figures = {"page": score.page, "template": score.template, "both": score.both}
        line = f"{truth.name:18}{score.page:8.3f}{score.template:10.3f}{score.both:8.3f}"
        print(json.dumps({"site": truth.name, **figures}) if as_json else line, flush=True)
        behind += score.both < score.page
    return 1 if behind else 0
