"""Forums that look like well-known engines, crawled at four dates and judged like random forums.

python -m bench.imitated_engines [NAME …] [--set third] [--processes 2] [--write]
python -m bench.imitated_engines NAME --explain
python -m bench.imitated_engines NAME --explain-later [--rows]

The templates in bench/imitations were written before any of them was crawled; those of the later
sets by people who had not seen how forums are read.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from typing import Any

from bench.accounts import figures_of_accounts, print_accounts
from bench.figures import Figure, at_least, write_figures
from bench.imitations import SETS, open_imitation, read_engines
from bench.random_forums import DATES, Record, crawl_forum_at_dates, explain_forum, found_share, run_all
from bench.random_forums_later import explain_later

_NAMES = {
    "first": ("", "imitated_engines"),
    "second": (" more", "imitated_engines.second"),
    "third": (" other", "imitated_engines.third"),
    "fourth": (" still other", "imitated_engines.fourth"),
    "fifth": (" yet other", "imitated_engines.fifth"),
    "sixth": (" still yet other", "imitated_engines.sixth"),
}


def main() -> None:
    """Crawl, judge, print and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(read_engines())}")
    parser.add_argument("--set", choices=SETS, default="first")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--explain", action="store_true", help="first crawl only: what is missing or wrong")
    parser.add_argument("--explain-later", action="store_true", help="later crawls: what was vain or missed")
    parser.add_argument("--rows", action="store_true", help="with --explain-later: all that rows said")
    parser.add_argument("--write", action="store_true", help="write the figures")
    parser.add_argument("--held-back", action="store_true", help="none of these was crawled before")
    options = parser.parse_args()
    names = options.names or list(read_engines(options.set))
    if options.explain:
        for name in names:
            explain_forum(open_imitation(name), name)
        return
    if options.explain_later:
        for name in names:
            explain_later(open_imitation(name), DATES, rows=options.rows)
        return
    started = time.time()
    records = list(run_all(names, options.processes, crawl_imitation))
    whole = [record for record in records if found_share(record) >= 0.995]
    print(f"\n{len(whole)} of {len(records)} engines with all posts, {time.time() - started:.0f} s")
    done = [record for record in records if not record["error"]]
    print_accounts(done)
    if options.write:
        share = len(whole) / len(records)
        more, bench = _NAMES[options.set]
        what = f"share with all posts, {len(records)}{more} imitated engines"
        figures = [
            Figure("crawl", what, share, at_least(0.99)),
            *figures_of_accounts(done, f"{len(records)}{more} imitated engines"),
        ]
        write_figures(bench, [replace(figure, held_back=options.held_back) for figure in figures])


def crawl_imitation(name: str) -> Record:
    """Crawl one imitated engine."""
    choices: dict[str, Any] = {"shape": name, "boards": "", "urls": ""}
    return crawl_forum_at_dates(open_imitation(name), {"seed": name, "choices": choices})


if __name__ == "__main__":
    main()
