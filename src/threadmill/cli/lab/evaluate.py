"""threadmill evaluate: measure a part on real material and print its figures."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from threadmill.errors import UsageError

if TYPE_CHECKING:
    from threadmill.lab.evaluate.template_sites import FramingTruth

EXAMPLES = """\
  threadmill evaluate forums                          a year of monthly crawls of all simulated forums
  threadmill evaluate forums --forum harbour --dates 4 --scale small
  threadmill evaluate forums --recordings recorded/ --keep results/
  threadmill evaluate templates                       forty manuals of Debian's, downloaded with apt-get
  threadmill evaluate templates --site python --site gtk --examples
  threadmill evaluate templates --forums recorded/    … and recorded forums
  threadmill evaluate templates --together            a page, its site's template, and both"""

PARTS = {
    "forums": "the incremental crawl of simulated and recorded forums, one a month, judged",
    "templates": "site templates: framing removed, content lost, search with and without framing",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the part and its material."""
    parser.add_argument("part", choices=sorted(PARTS))
    parser.add_argument(
        "--forum", action="append", metavar="NAME", help="forums: only this one; may be repeated"
    )
    parser.add_argument("--dates", type=int, default=13, metavar="N", help="forums: crawls of each (13)")
    parser.add_argument(
        "--scale", default="default", metavar="S", help="forums: small, default or a number of posts"
    )
    parser.add_argument(
        "--recordings",
        type=Path,
        metavar="DIR",
        help="forums: recorded ones too, with their replay and judge",
    )
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="forums: keep each result here; the same command goes on"
    )
    parser.add_argument("--site", action="append", metavar="NAME", help="only this site; may be repeated")
    parser.add_argument("--forums", type=Path, metavar="DIR", help="a directory of recorded forums")
    parser.add_argument(
        "--cache",
        type=Path,
        metavar="DIR",
        help="keep unpacked packages here (default: the system's temporary files)",
    )
    parser.add_argument(
        "--held-out", action="store_true", help="learn from one half of a site's pages, judge on the other"
    )
    parser.add_argument(
        "--together",
        action="store_true",
        help="templates: word F1 of a page alone, its site's template alone, and both",
    )
    parser.add_argument("--examples", action="store_true", help="show what was missed and what was lost")
    parser.add_argument("--max-pages", type=int, default=800, metavar="N", help="of a site (default: 800)")


def run(arguments: argparse.Namespace) -> int:
    """Measure the part that was named."""
    if arguments.part == "forums":
        from threadmill.cli.lab.evaluate_forums import run_forums

        return run_forums(
            arguments.forum, arguments.scale, arguments.dates, arguments.recordings, arguments.keep
        )
    return _run_templates(arguments)


def _run_templates(arguments: argparse.Namespace) -> int:
    """Print a line per site and method; 1 when the default method misses its bar on a site."""
    from threadmill.lab.evaluate.template_scores import score_site
    from threadmill.lab.evaluate.template_sites import FORUMS, MANUALS, forum_pages, manual_pages
    from threadmill.template import FramingMethod

    cache = arguments.cache or Path(tempfile.gettempdir()) / "threadmill-manuals"
    truths = [*MANUALS, *(FORUMS if arguments.forums else ())]
    wanted = [truth for truth in truths if not arguments.site or truth.name in arguments.site]
    if not wanted:
        raise UsageError(f"no such site; known are {', '.join(truth.name for truth in truths)}")
    if arguments.together:
        return _print_together(wanted, cache, arguments.forums)
    print(
        f"{'site':18}{'method':8}{'pages':>6}{'removed':>10}{'lost':>10}{'broken':>8}{'MRR':>8}{'without':>9}"
    )
    missed = 0
    for truth in wanted:
        pages = manual_pages(truth, cache) if truth.package else forum_pages(truth, arguments.forums)
        step = max(1, len(pages) // arguments.max_pages)
        for method, score in score_site(truth, pages[::step], FramingMethod, held_out=arguments.held_out):
            print(
                f"{truth.name:18}{method:8}{score.pages:6d}{score.removed_share:10.4f}{score.lost_share:10.5f}"
                f"{score.broken:8d}{score.before:8.3f}{score.after:9.3f}",
                flush=True,
            )
            good = score.removed_share >= 0.98 and score.lost_share <= 0.002 and not score.broken
            missed += method is FramingMethod.PLACES and not good
            if arguments.examples:
                for kind, texts in score.examples.items():
                    shown = [f"{text!r} {length}" for text, length in texts.most_common(8) if length]
                    print(f"    {kind}: {', '.join(shown) or 'nothing'}")
    return 1 if missed else 0


def _print_together(wanted: Sequence[FramingTruth], cache: Path, forums: Path | None) -> int:
    """Print a line per site; 1 when both together are behind the page alone on a site."""
    from threadmill.lab.evaluate.template_scores import score_page_and_template
    from threadmill.lab.evaluate.template_sites import forum_pages, manual_pages

    print(f"{'site':18}{'page':>8}{'template':>10}{'both':>8}")
    behind = 0
    for truth in wanted:
        pages = manual_pages(truth, cache) if truth.package or forums is None else forum_pages(truth, forums)
        score = score_page_and_template(truth, pages)
        print(f"{truth.name:18}{score.page:8.3f}{score.template:10.3f}{score.both:8.3f}", flush=True)
        behind += score.both < score.page
    return 1 if behind else 0
