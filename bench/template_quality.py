"""Site templates on real manuals (and recorded forums): framing removed, content lost, pages broken.

    python -m bench.template_quality [--forums DIR] [--site NAME] [--held-out] [--cache DIR]

The same figures as `threadmill evaluate templates`, which prints them site by site.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from bench.figures import Figure, at_least, at_most, write_figures
from threadmill.lab.evaluate.template_scores import TemplateScore, score_site
from threadmill.lab.evaluate.template_sites import FORUMS, MANUALS, forum_pages, manual_pages
from threadmill.template import FramingMethod

_MOST_PAGES = 800  # per site


def main() -> None:
    """Measure each site, and write the sums."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--forums", type=Path, help="also recorded forums, from this directory")
    parser.add_argument("--site", action="append", help="only this site; may be repeated")
    parser.add_argument("--held-out", action="store_true", help="measure on pages that were not learnt from")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "threadmill-manuals")
    arguments = parser.parse_args()
    truths = [*MANUALS, *(FORUMS if arguments.forums else ())]
    scores: dict[FramingMethod, list[TemplateScore]] = {method: [] for method in FramingMethod}
    for truth in truths:
        if arguments.site and truth.name not in arguments.site:
            continue
        pages = (
            manual_pages(truth, arguments.cache) if truth.package else forum_pages(truth, arguments.forums)
        )
        step = max(1, len(pages) // _MOST_PAGES)
        for method, score in score_site(truth, pages[::step], FramingMethod, held_out=arguments.held_out):
            scores[method].append(score)
            print(
                f"{truth.name:18}{method:8} {score.removed_share:.4f} {score.lost_share:.5f}"
                f" {score.broken} broken",
                flush=True,
            )
    write_figures("template_quality", make_figures(scores, held_back=arguments.held_out))


def make_figures(scores: dict[FramingMethod, list[TemplateScore]], *, held_back: bool) -> list[Figure]:
    """The worst site counts: a bar holds for each site. The paper's method is the peer."""
    ours, paper = scores[FramingMethod.PLACES], scores[FramingMethod.PAPER]
    if not ours:
        return []
    where = f"worst of {len(ours)} sites"
    removed, lost = (min(s.removed_share for s in paper), max(s.lost_share for s in paper))
    return [
        Figure(
            "template",
            f"framing removed, {where}",
            min(s.removed_share for s in ours),
            at_least(0.98),
            peers={"paper": removed},
            held_back=held_back,
        ),
        Figure(
            "template",
            f"content lost, {where}",
            max(s.lost_share for s in ours),
            at_most(0.002),
            peers={"paper": lost},
            held_back=held_back,
        ),
        Figure(
            "template", f"pages broken, {len(ours)} sites", float(sum(s.broken for s in ours)), at_most(0)
        ),
    ]


if __name__ == "__main__":
    main()
