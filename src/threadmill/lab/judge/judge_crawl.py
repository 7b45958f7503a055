"""Judges a crawl of a simulated forum by its request log and its exported posts.

Definitions (the same as for recorded forums):

visible at T      posts written up to T, not deleted until T, in a thread that can be read.
new post at T     visible at T and written after the previous date (first date: all visible posts).
hop               a 3xx answer. It belongs to the page it leads to and is no page itself; its bytes count.
                  304 (not modified), HEAD requests and robots.txt are counted separately and are no pages.
page              any other answer, of one of these classes:
  thread page     items = posts shown; an item is new if it is not known: neither visible at the previous
                  date nor shown on a page downloaded earlier in the same run (known="crawler": shown on any
                  page this crawler downloaded before).
  index page      items = threads listed (boards on the list of boards); an item is new if it has a new post
                  at T and was not listed on an index page downloaded earlier in the same run. NEW: all
                  items new; SEMI: some; DUPLICATE: none.
  OTHER           everything else: profiles, search, feeds, print views, other sort orders, errors.
precision         (NEW + SEMI) / pages.
oracle            the fewest thread pages that show all new posts, plus the start page, plus of each board
                  the pages down to the deepest that lists a thread with a new post; or the one listing of
                  all threads.
page recall       oracle thread pages whose new posts were all shown on pages downloaded at T / oracle
                  thread pages.
downloads/oracle  pages / oracle.
bytes utilisation sum of bytes x share of new items per page / all bytes. bandwidth: bytes of NEW and SEMI
                  pages / all bytes.
post recall       new posts among the exported ones / new posts; post precision: exported posts matched one
                  to one.
matching          by post_id or the number in the permalink, if that post exists in the thread named; else
                  inside the thread by text (equal, or token F1 of at least 0.5) with closer dates first.
date right        right to the precision the pages show ("2 weeks ago" is said for seven days): in UTC when
                  the export gives an offset, in UTC or in the forum's own clock when it gives none. `date
                  minute`: to the minute in UTC.
author right      same name, case and outer white space ignored.
body F1           mean token F1 of the author's own words, of the better version where a post was edited.
forbidden         requests to paths that robots.txt forbids; must be 0.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from threadmill.lab.judge.post_matching import PostMatcher, PostScores
from threadmill.lab.judge.truth import (
    NewContent,
    ShownPage,
    all_pages,
    describe_page,
    find_new_content,
    visible_posts,
)
from threadmill.lab.simulate.catalogue import CRAWL_DATES, open_forum
from threadmill.lab.simulate.forum import SimulatedForum, as_unix_time
from threadmill.lab.simulate.respond import route
from threadmill.lab.simulate.view import ForumView

Entry = Mapping[str, Any]


@dataclass
class DateFigures:
    """The figures of one date, or the sums of several."""

    pages: int = 0
    new: int = 0
    semi: int = 0
    duplicate: int = 0
    other: int = 0
    hops: int = 0
    not_modified: int = 0
    head: int = 0
    robots: int = 0
    forbidden: int = 0
    index_pages: int = 0
    thread_pages: int = 0
    bytes: int = 0
    useful_bytes: float = 0.0
    news_bytes: int = 0
    oracle_thread: int = 0
    oracle_index: int = 0
    covered: int = 0
    skeleton: int = 0  # all index and thread pages there are
    new_posts: int = 0
    posts: PostScores = field(default_factory=PostScores)

    def add(self, other: DateFigures) -> None:
        """Add the figures of another date."""
        for name, value in vars(other).items():
            if name == "posts":
                self.posts.add(other.posts)
            else:
                setattr(self, name, getattr(self, name) + value)

    def summary(self) -> dict[str, float | int | None]:
        """Return the figures with their ratios; None where the divisor is 0."""
        oracle = self.oracle_thread + self.oracle_index
        counts = {name: value for name, value in vars(self).items() if isinstance(value, int)}
        return {
            **counts,
            "oracle": oracle,
            "precision": _ratio(self.new + self.semi, self.pages),
            "page_recall": _ratio(self.covered, self.oracle_thread),
            "downloads_per_oracle": _ratio(self.pages, oracle),
            "pages_per_skeleton": _ratio(self.pages, self.skeleton),
            "bytes_utilisation": _ratio(self.useful_bytes, self.bytes),
            "bandwidth": _ratio(self.news_bytes, self.bytes),
            **self.posts.summary(),
        }


@dataclass
class CrawlVerdict:
    """The figures of each date. `later` is the sum of all dates but the first."""

    forum: str
    by_date: dict[str, DateFigures]

    @property
    def later(self) -> DateFigures:
        """The sum of all dates after the first."""
        total = DateFigures()
        for figures in list(self.by_date.values())[1:]:
            total.add(figures)
        return total

    def summary(self) -> dict[str, Any]:
        """Return everything as plain values."""
        dates = {date: figures.summary() for date, figures in self.by_date.items()}
        return {"forum": self.forum, "dates": dates, "later": self.later.summary()}


def judge_crawl(
    forum: SimulatedForum,
    log: Iterable[Entry],
    posts: Mapping[str, Iterable[Entry]] | None = None,
    dates: Sequence[str] = CRAWL_DATES,
    known: str = "world",
) -> CrawlVerdict:
    """Judge a request log and, for each date, the exported posts (all known ones, or only the added ones)."""
    entries = [entry for entry in log if entry.get("forum", forum.traits.name) == forum.traits.name]
    found: dict[str, DateFigures] = {}
    matcher = PostMatcher(forum)
    seen: set[int] = set()
    before: str | None = None
    for date in sorted(dates):
        mine = [entry for entry in entries if entry["date"] == date]
        exported = (posts or {}).get(date)
        if mine or exported is not None:
            fresh = find_new_content(forum, before, date)
            start = seen if known == "crawler" else visible_posts(forum, before) if before else frozenset()
            figures = _judge_pages(forum, mine, date, fresh, set(start), seen)
            if exported is not None:
                figures.posts = matcher.judge(exported, date, fresh.posts)
            found[date] = figures
        before = date
    return CrawlVerdict(forum.traits.name, found)


def _judge_pages(  # noqa: PLR0917 -- all of these decide about one date
    forum: SimulatedForum, entries: list[Entry], date: str, fresh: NewContent, known: set[int], seen: set[int]
) -> DateFigures:
    figures = DateFigures(new_posts=len(fresh.posts), oracle_thread=len(fresh.least_thread_pages))
    figures.oracle_index = fresh.least_index_pages
    view = ForumView(forum, as_unix_time(date))
    skeleton = all_pages(forum, date)
    figures.skeleton = len(skeleton)
    listed: set[tuple[str, int]] = set()
    shown: set[int] = set()
    for entry in entries:
        if not _is_page(forum, entry, figures):
            continue
        page = page_of_entry(forum, view, entry)
        if page is None:
            figures.other += 1
            continue
        share = share_of_new(page, fresh, known, listed)
        if page.kind == "thread":
            shown.update(page.items)
        _count(figures, page, share, entry["bytes"])
    by_key = {page.key: page for page in skeleton}
    wanted = (fresh.posts.intersection(by_key[key].items) for key in fresh.least_thread_pages)
    figures.covered = sum(needed <= shown for needed in wanted)
    seen |= shown
    return figures


def _is_page(forum: SimulatedForum, entry: Entry, figures: DateFigures) -> bool:
    """Whether an entry is a page; count it if not. Bytes count for all but HEAD and robots.txt."""
    path = entry["key"].partition("?")[0]
    if path == "/robots.txt":
        figures.robots += 1
        return False
    figures.forbidden += any(entry["key"].startswith(rule) for rule in forum.traits.robots)
    if entry.get("method") == "HEAD":
        figures.head += 1
        return False
    figures.bytes += entry["bytes"]
    if entry["status"] == 304:
        figures.not_modified += 1
        return False
    if 300 <= entry["status"] < 400:
        figures.hops += 1
        return False
    figures.pages += 1
    return True


def page_of_entry(forum: SimulatedForum, view: ForumView, entry: Entry) -> ShownPage | None:
    """Return the page that a request got; None if it is no page of the forum."""
    if entry["status"] != 200 or not entry.get("page"):
        return None
    place = forum.locate(route(forum, entry["page"]), view.now)
    return describe_page(view, place) if place else None


def share_of_new(page: ShownPage, fresh: NewContent, known: set[int], listed: set[tuple[str, int]]) -> float:
    """Return the share of a page's items that are new, and add the items to those known and listed."""
    if not page.items:
        return 0.0
    if page.kind == "thread":
        count = sum(item not in known for item in page.items)
        known.update(page.items)
        return count / len(page.items)
    wanted = fresh.boards if page.kind == "home" else fresh.threads
    count = sum(item in wanted and (page.kind, item) not in listed for item in page.items)
    listed.update((page.kind, item) for item in page.items)
    return count / len(page.items)


def _count(figures: DateFigures, page: ShownPage, share: float, size: int) -> None:
    if page.kind == "thread":
        figures.thread_pages += 1
    else:
        figures.index_pages += 1
    figures.new += share == 1
    figures.semi += 0 < share < 1
    figures.duplicate += share == 0
    figures.useful_bytes += share * size
    figures.news_bytes += size if share else 0


def _ratio(part: float, whole: float) -> float | None:
    return round(part / whole, 4) if whole else None


def main() -> None:
    """Judge files: python -m threadmill.lab.judge.judge_crawl --forum NAME --log FILE --posts DATE=FILE …"""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--forum", required=True)
    parser.add_argument("--scale", default="default")
    parser.add_argument("--layout", default="")
    parser.add_argument("--log", nargs="+", type=Path, required=True)
    parser.add_argument("--posts", nargs="*", default=[], metavar="DATE=FILE")
    parser.add_argument("--dates", nargs="*", default=CRAWL_DATES)
    parser.add_argument("--known", choices=("world", "crawler"), default="world")
    given = parser.parse_args()
    files = dict(word.split("=", 1) for word in given.posts)
    log = [entry for path in given.log for entry in read_lines(path)]
    exported = {date: read_lines(Path(path)) for date, path in files.items()}
    verdict = judge_crawl(
        open_forum(given.forum, given.scale, given.layout), log, exported, given.dates, given.known
    )
    print(json.dumps(verdict.summary(), indent=1))


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Read a file of JSON lines."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


if __name__ == "__main__":
    main()
