"""Random forums read by a reader that is made blind in one way: does the account of the crawl tell the loss?

python -m bench.blinded_reader --seeds 5060000-5060009 [--faults rows,last-post] [--write]

A reader that fails in practice loses posts in the same ways: it takes a first post for framing, or finds no
next page. Each forum is crawled at two dates. Where less than 98 % of its posts are kept, the account must
not say "complete". The learner of the forum sees the pages as they are, since only the crawl is made blind.
"""

from __future__ import annotations

import argparse
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bench.accounts import ENOUGH, kept_shares
from bench.figures import Figure, at_most, write_figures
from bench.random_forums import DATES, EndlessCrawl, limited_time, read_seeds
from threadmill.crawl.forum import forum_loop, index_visit
from threadmill.crawl.forum.account import COMPLETE, UNKNOWN
from threadmill.crawl.forum.rows.linked_rows import LinkedRows
from threadmill.forum.paging.pager import Paging
from threadmill.forum.read_page import ThreadPage
from threadmill.lab.evaluate.forum_experiment import crawl_whole, read_posts, scratch_workspace
from threadmill.lab.judge.post_matching import PostMatcher
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.random_forum.open_forum import open_random_forum
from threadmill.lab.simulate.server import Simulation, serving
from threadmill.types import Post

TOLD, UNSURE, NOT_TOLD, NOTHING_LOST, RAISED = "told", "unknown", "not told", "nothing lost", "raised"
OUTCOMES = (TOLD, UNSURE, NOT_TOLD, NOTHING_LOST, RAISED)
_SHORT = 40  # characters of a text that is taken for none


def _blind_posts(keep: Callable[[ThreadPage], Sequence[Post]]) -> AbstractContextManager[object]:
    """Read thread pages without the posts that `keep` leaves out."""
    return _change(forum_loop, "read_thread_page", lambda page: replace(page, posts=tuple(keep(page))))


def _blind_links(
    threads: Callable[[str], bool] = bool, boards: Callable[[str], bool] = bool
) -> AbstractContextManager[object]:
    """Read lists without the threads and boards whose keys are refused."""

    def blinded(found: LinkedRows) -> LinkedRows:
        return replace(
            found,
            threads={key: row for key, row in found.threads.items() if threads(key)},
            links={key: row for key, row in found.links.items() if threads(key)},
            boards={url: row for url, row in found.boards.items() if boards(url)},
        )

    return _change(index_visit, "find_linked_rows", blinded)


def _without_pages(page: Any) -> Any:
    """A page of a thread or a list without the links to its other pages."""
    return replace(page, paging=Paging())


def _change(module: object, name: str, change: Callable[[Any], Any]) -> AbstractContextManager[object]:
    """Change what a function of the reader returns, until the end of the context."""
    reader = getattr(module, name)
    return patch.object(module, name, lambda *given: change(reader(*given)))


def _is_drawn(text: str, share: int) -> bool:
    """Draw one of `share` texts, the same in each run. Hosts differ from run to run: keep them out."""
    return zlib.crc32(text.encode()) % share == 0


def _without_first(page: ThreadPage) -> Sequence[Post]:
    return page.posts[1:] if page.paging.previous is None and len(page.posts) > 1 else page.posts


FAULTS: Mapping[str, Callable[[], AbstractContextManager[object]]] = {
    "fifth": lambda: _blind_posts(lambda page: [post for post in page.posts if not _is_drawn(post.text, 5)]),
    "short-posts": lambda: _blind_posts(
        lambda page: [post for post in page.posts if len(post.text) >= _SHORT]
    ),
    "last-post": lambda: _blind_posts(lambda page: page.posts[:-1] or page.posts),
    "first-post": lambda: _blind_posts(_without_first),
    "authors": lambda: _blind_posts(
        lambda page: [post for post in page.posts if not _is_drawn(post.author or "", 6)]
    ),
    "thread-pages": lambda: _change(forum_loop, "read_thread_page", _without_pages),
    "list-pages": lambda: _change(index_visit, "extract_index", _without_pages),
    "rows": lambda: _blind_links(threads=lambda key: not _is_drawn(key.partition(" ")[2], 4)),
    "boards": lambda: _blind_links(boards=lambda url: not _is_drawn(url.rpartition("/")[2], 3)),
}


@dataclass(frozen=True, slots=True)
class BlindCrawl:
    """How a crawl by a blinded reader ended."""

    fault: str
    seed: int
    date: str
    outcome: str
    share: float  # of the posts that are kept


def main() -> None:
    """Crawl, print and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", required=True, help="one seed or a range: 7, 1-40, 3,9,12")
    parser.add_argument("--faults", default=",".join(FAULTS), help="some of: " + ", ".join(FAULTS))
    parser.add_argument("--write", action="store_true", help="write the figure")
    options = parser.parse_args()
    seeds = read_seeds(options.seeds)
    crawls = list(crawl_all(seeds, options.faults.split(",")))
    print_table(crawls)
    if options.write:
        write_figures("blinded_reader", [figure_of(crawls, len(seeds))])


def crawl_all(seeds: Sequence[int], faults: Collection[str]) -> Iterator[BlindCrawl]:
    """Crawl each forum with each fault. Name the losses that were not told as they come."""
    for fault in faults:
        for seed in seeds:
            for one in crawl_blinded(seed, fault):
                if one.outcome in {NOT_TOLD, RAISED}:
                    print(f"{fault} {seed} {one.date}: {one.outcome}, {one.share:.3f} kept", flush=True)
                yield one


def crawl_blinded(seed: int, fault: str, dates: Sequence[str] = DATES[:2]) -> list[BlindCrawl]:
    """Crawl a random forum at some dates with one fault."""
    try:
        with limited_time(), FAULTS[fault]():
            found = list(_crawl(seed, dates))
    except (Exception, EndlessCrawl):  # it is counted and named
        return [BlindCrawl(fault, seed, dates[0], RAISED, 0.0)]
    return [
        BlindCrawl(fault, seed, date, judge(verdict, share), share)
        for date, (verdict, share) in zip(dates, found, strict=True)
    ]


def judge(verdict: str, share: float) -> str:
    """Did the account tell the loss?"""
    if share >= ENOUGH:
        return NOTHING_LOST
    return {COMPLETE: NOT_TOLD, UNKNOWN: UNSURE}.get(verdict, TOLD)


def _crawl(seed: int, dates: Sequence[str]) -> Iterator[tuple[str, float]]:
    """At each date, the verdict of the account and the share of the posts that is kept."""
    forum = open_random_forum(seed)
    simulation = Simulation({forum.traits.name: forum}, as_unix_time(dates[0]))
    with tempfile.TemporaryDirectory() as folder, serving(simulation) as base:
        workspace = scratch_workspace(Path(folder))
        for date in dates:
            simulation.advance(date)
            account = crawl_whole(workspace, base + forum.layout.home).account
            share = kept_shares(PostMatcher(forum), read_posts(workspace), date)[1]
            yield (account.verdict if account else UNKNOWN), share


def print_table(crawls: Iterable[BlindCrawl]) -> None:
    """Print how often each fault had each outcome."""
    counts = Counter((one.fault, one.outcome) for one in crawls)
    print(f"{'unread':<14}" + "".join(f"{outcome:>14}" for outcome in OUTCOMES))
    for fault in dict.fromkeys(fault for fault, _ in counts):
        print(f"{fault:<14}" + "".join(f"{counts[fault, outcome]:>14}" for outcome in OUTCOMES))


def figure_of(crawls: Sequence[BlindCrawl], forums: int) -> Figure:
    """How many losses were not told."""
    silent = sum(one.outcome == NOT_TOLD for one in crawls)
    lost = sum(one.outcome != NOTHING_LOST for one in crawls)
    what = f'"complete" of {lost} crawls of {forums} random forums by readers that were made blind'
    return Figure("crawl", what, silent, at_most(0), held_back=False)


if __name__ == "__main__":
    main()
