"""Pages of random forums, read one by one without a crawl: what kind of page, which choice breaks the reader.

python -m bench.random_pages --seeds 1-200 [--pages 8] [--only PHRASE] [--fix NAME=VALUE] [--write]

Of each forum the start page and some index and thread pages are drawn, classed and read cold. A crawl that
fails has a cause; this bench tells whether it is the class, the posts, the rows or the pager.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal
from urllib.parse import urljoin, urlsplit

from bench.figures import Bar, Figure, at_least, write_figures
from bench.random_forums import is_wanted, read_seeds
from threadmill.api.forum_page import read_forum_page
from threadmill.lab.judge.post_matching import f1, fold_name, tokenise
from threadmill.lab.judge.truth import ShownPage, TruePost, all_pages, true_posts
from threadmill.lab.simulate.forum import SimulatedForum, as_unix_time
from threadmill.lab.simulate.random_forum.choices import describe
from threadmill.lab.simulate.random_forum.open_forum import open_random_forum, preset, random_choices
from threadmill.lab.simulate.respond import respond
from threadmill.types import Post

DATE = "2016-12-01"
HOST = "forum.example"
SAME_TEXT = 0.8  # word F1 from which a post that was read is taken for a true one
_CLOCKS = 14.5 * 3600  # a page may show any zone

BARS: dict[str, Bar | None] = {
    "class of the start page": at_least(0.97),
    "class of index pages": at_least(0.97),
    "class of thread pages": at_least(0.97),
    "posts found": at_least(0.98),
    "posts true": at_least(0.985),
    "pages without a fault": at_least(0.85),
    "authors right": at_least(0.95),
    "dates right": at_least(0.97),
    "body F1": at_least(0.98),
    "threads found in rows": None,
    "rows of threads known as such": None,
    "boards found in rows": None,
    "rows of boards known as such": None,
    "next page right": at_least(0.97),
}


@dataclass
class Tally:
    """Parts and wholes of each measure."""

    part: Counter[str] = field(default_factory=Counter)
    whole: Counter[str] = field(default_factory=Counter)

    def add(self, name: str, part: float, whole: float = 1) -> None:
        """Count one observation."""
        self.part[name] += part  # type: ignore[assignment]
        self.whole[name] += whole  # type: ignore[assignment]

    def share(self, name: str) -> float | None:
        """Return the share, None where nothing was observed."""
        return self.part[name] / self.whole[name] if self.whole[name] else None

    def merge(self, other: Tally) -> None:
        """Add the observations of another tally."""
        for name, whole in other.whole.items():
            self.add(name, other.part[name], whole)


def main() -> None:
    """Draw, read, compare, print and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", required=True, help="one seed or a range: 7, 1-40, 3,9,12")
    parser.add_argument(
        "--pages", type=int, default=8, help="index pages and thread pages of a forum (8 each)"
    )
    parser.add_argument("--only", default="", help="only forums with this phrase or NAME=VALUE")
    parser.add_argument("--fix", nargs="*", default=[], metavar="NAME=VALUE")
    parser.add_argument("--preset", default="", help="fix the choices of a preset")
    parser.add_argument("--verbose", action="store_true", help="name every page with a fault")
    parser.add_argument("--write", action="store_true", help="write the figures")
    options = parser.parse_args()
    fixed = {
        **(preset(options.preset) if options.preset else {}),
        **dict(word.split("=", 1) for word in options.fix),
    }
    total, forums = Tally(), {}
    started = time.process_time()
    for seed in read_seeds(options.seeds):
        if options.only and not is_wanted(seed, options.only, fixed):
            continue
        forums[seed] = read_forum(seed, fixed, options.pages, options.verbose)
        total.merge(forums[seed])
    spent = time.process_time() - started
    pages = total.whole["pages without a fault"]
    print(f"\n{len(forums)} forums, {pages} pages, {spent:.0f} s of CPU time")
    for name in BARS:
        share = total.share(name)
        print(f"  {name:<30} {'–' if share is None else f'{share:.4f}'}  of {total.whole[name]}")
    show_choices(forums, fixed)
    if options.write:
        write_figures("random_pages", list(figures_of(total, len(forums))))


def read_forum(seed: int, fixed: Mapping[str, str], most: int, verbose: bool) -> Tally:
    """Read some pages of one forum."""
    forum = open_random_forum(seed, **fixed)
    truth = {post.post: post for post in true_posts(forum, DATE)}
    shown = all_pages(forum, DATE)
    tally = Tally()
    for kind in ("home", "index", "thread"):
        pages = [page for page in shown if page.kind == kind]
        step = max(1, len(pages) // most)
        for page in pages[::step][:most]:
            found = Tally()
            faults = read_page(forum, page, truth, found, shown)
            found.add("pages without a fault", not faults)
            tally.merge(found)
            if faults and verbose:
                print(f"seed {seed} {kind} {page.key}: {'; '.join(faults)}", flush=True)
    return tally


def read_page(
    forum: SimulatedForum,
    page: ShownPage,
    truth: Mapping[int, TruePost],
    tally: Tally,
    shown: tuple[ShownPage, ...],
) -> list[str]:
    """Read one page, count what is right, and return the faults in words."""
    now = as_unix_time(DATE)
    answer = respond(forum, page.key, now, {"host": HOST})
    url = f"http://{HOST}{page.key}"
    content_type = answer.header("Content-Type") or ""
    read = read_forum_page(answer.body, url, now=datetime.fromtimestamp(now, UTC), content_type=content_type)
    wanted: Literal["thread", "index"] = "thread" if page.kind == "thread" else "index"
    name = {
        "home": "class of the start page",
        "index": "class of index pages",
        "thread": "class of thread pages",
    }
    tally.add(name[page.kind], read.kind == wanted)
    faults = [] if read.kind == wanted else [f"class {read.kind} {read.reason}".strip()]
    if read.kind != wanted:
        read = read_forum_page(
            answer.body, url, now=datetime.fromtimestamp(now, UTC), content_type=content_type, read_as=wanted
        )
    if page.kind == "thread":
        faults += compare_posts([truth[number] for number in page.items], list(read.posts), tally)
    else:
        faults += compare_rows(
            forum, page, [row.url for row in read.threads], [b.url for b in read.boards], tally
        )
    follower = next(
        (p for p in shown
         if (p.kind, p.board, p.thread, p.order) == (page.kind, page.board, page.thread, page.order + 1)),
        None,
    )  # fmt: skip
    said = read.paging.next if read.paging else None
    right = _same_page(forum, said, follower)
    tally.add("next page right", right)
    return faults if right else [*faults, f"next {said} instead of {follower.key if follower else None}"]


def compare_posts(wanted: list[TruePost], found: list[Post], tally: Tally) -> list[str]:
    """Compare the posts of a page with the true ones."""
    left, faults, matched = list(found), [], 0
    words = {id(post): tokenise(post.text) for post in found}
    for true in wanted:
        mine = tokenise(true.text)
        best = max(left, key=lambda post: f1(words[id(post)], mine), default=None)
        likeness = f1(words[id(best)], mine) if best else 0.0
        if best is None or likeness < SAME_TEXT:
            continue
        left.remove(best)
        matched += 1
        author = fold_name(best.author or "") == fold_name(true.author)
        date = _is_date(best, true)
        tally.add("authors right", author)
        tally.add("dates right", date)
        tally.add("body F1", likeness)
        faults += [] if author else [f"author {best.author!r} of {true.author!r}"]
        faults += [] if date else [f"date {best.date.isoformat() if best.date else None} of {true.date}"]
        faults += [] if likeness > 0.98 else [f"body {likeness:.2f}: {best.text[:200]!r}"]
    tally.add("posts found", matched, len(wanted))
    tally.add("posts true", matched, len(found))
    if matched < len(wanted) or matched < len(found):
        faults.append(f"{matched} of {len(wanted)} posts, {len(found) - matched} invented")
    return faults


def compare_rows(
    forum: SimulatedForum, page: ShownPage, threads: list[str], boards: list[str], tally: Tally
) -> list[str]:
    """Compare the rows of an index page with the true threads or boards."""
    wanted, name = set(page.items), "boards" if page.kind == "home" else "threads"
    own, others = (boards, threads) if page.kind == "home" else (threads, boards)
    mine, theirs = (_numbers(forum, urls, name) & wanted for urls in (own, others))
    tally.add(f"{name} found in rows", len(mine | theirs), len(wanted))
    tally.add(f"rows of {name} known as such", len(mine), len(mine | theirs))
    if mine == wanted:
        return []
    return [
        f"{len(mine | theirs)} of {len(wanted)} {name}, {len(mine)} as such, "
        f"in {len(threads)} thread rows, {len(boards)} board rows"
    ]


def _numbers(forum: SimulatedForum, urls: list[str], name: str) -> set[int]:
    """The numbers of the boards or threads that URLs lead to. The row of a message leads to its thread."""
    asked = [forum.layout.route_url(_path(url)) for url in urls]
    if name == "boards":
        return {request.number for request in asked if request.kind == "board"}
    return {number for request in asked if (number := forum.thread_number(request)) is not None}


def _is_date(post: Post, true: TruePost) -> bool:
    """Whether a date is right, whatever zone and precision the page shows."""
    if post.date is None or post.date.date is None:
        return False
    at = datetime.combine(post.date.date, post.date.time or datetime.min.time())
    wanted = datetime.fromisoformat(true.date).replace(tzinfo=None)
    slack = {"second": 0, "minute": 0, "hour": 3600, "day": 86400, "week": 7 * 86400, "month": 31 * 86400}
    return abs((at - wanted).total_seconds()) <= _CLOCKS + slack.get(true.precision, 366 * 86400) + (
        86400 if post.date.time is None else 0
    )


def _same_page(forum: SimulatedForum, said: str | None, follower: ShownPage | None) -> bool:
    if follower is None:
        return not said or _leads_nowhere(forum, said)
    if not said:
        return False
    return _path(said) in {follower.key, *follower.aliases} or locate(forum, said) == locate(
        forum, follower.key
    )


def _leads_nowhere(forum: SimulatedForum, said: str) -> bool:
    return locate(forum, said) is None


def locate(forum: SimulatedForum, url: str) -> object:
    """Return what a forum shows at a URL: a list, a thread, or None for anything else."""
    return forum.locate(forum.layout.route_url(_path(url)), as_unix_time(DATE))


def _path(url: str) -> str:
    parts = urlsplit(urljoin(f"http://{HOST}/", url))
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def show_choices(forums: Mapping[int, Tally], fixed: Mapping[str, str]) -> None:
    """Print for each choice how its pages were read, the worst first."""
    by_choice: dict[str, Tally] = defaultdict(Tally)
    seeds: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for seed, tally in forums.items():
        for name, value, _ in describe(random_choices(seed, **fixed)):
            by_choice[f"{name}={value}"].merge(tally)
            seeds[f"{name}={value}"].append((tally.share("pages without a fault") or 0, seed))
    print("\npages without a fault by choice, the worst first; the seeds to look at")
    ranked = sorted(by_choice, key=lambda choice: by_choice[choice].share("pages without a fault") or 0)
    for choice in ranked[:30]:
        worst = ",".join(str(seed) for _, seed in sorted(seeds[choice])[:5])
        share = by_choice[choice].share("pages without a fault")
        print(f"  {share:.3f} {len(seeds[choice]):>4}  {choice:<32} {worst}")


def figures_of(total: Tally, forums: int) -> Iterator[Figure]:
    """The figures of docs/figures.md."""
    for name, bar in BARS.items():
        share = total.share(name)
        if share is not None:
            yield Figure("forum", f"{name}, cold pages of {forums} random forums", share, bar)


if __name__ == "__main__":
    main()
