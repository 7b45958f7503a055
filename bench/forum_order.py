"""The order of random index and thread pages of every simulated forum, at random dates, stickies included.

A page is asked alone, with up to three of its threads opened, as the source does; then with the order
learnt for the site where the page cannot tell, as a crawl does.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from datetime import UTC, datetime
from urllib.parse import urljoin

from bench import simulated
from bench.figures import Figure, at_least, write_figures
from threadmill.crawl.forum.knowledge import LayoutKnowledge
from threadmill.crawl.forum.rows.linked_rows import find_linked_rows
from threadmill.forum.index.rows import IndexOrder, ThreadDates, find_index_order
from threadmill.forum.read_page import PageAnalysis, PostOrder, ThreadPage, extract_index, extract_thread
from threadmill.forum.records.date_columns import sort_key
from threadmill.forum.site_model.model import ForumModel
from threadmill.lab.judge.truth import ShownPage, all_pages
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import SimulatedForum, as_unix_time
from threadmill.lab.simulate.respond import respond
from threadmill.page.parse.tree import parse

_DATES = ("2015-12-01", *(f"2016-{month:02}-01" for month in range(1, 12)))
_OPENED = 3  # threads of an index page


def _read(forum: SimulatedForum, url: str, date: str) -> PageAnalysis | None:
    at = as_unix_time(date)
    for _ in range(4):
        answer = respond(forum, url.removeprefix(simulated.BASE), at)
        if not 300 <= answer.status < 400:
            break
        url = urljoin(url, answer.header("Location") or answer.target)
    if answer.status != 200:
        return None
    return PageAnalysis(parse(answer.body, url), datetime.fromtimestamp(at, UTC))


def _visit(forum: SimulatedForum, url: str, date: str, model: ForumModel) -> ThreadDates:
    """The first and the last post of a thread, by its first page and the last one that names itself."""
    analysis = _read(forum, url, date)
    if analysis is None:
        return ThreadDates(None, None)
    first = extract_thread(analysis, model.wrapper)
    last: ThreadPage | None = first
    if first.paging.next:
        end = _read(forum, first.paging.last, date) if first.paging.last else None
        last = extract_thread(end, model.wrapper) if end else None
    shown = [post.date for page in (first, last) if page for post in page.posts if post.date]
    if not shown:
        return ThreadDates(None, None)
    return ThreadDates(min(shown, key=sort_key), max(shown, key=sort_key) if last else None)


def _index_orders(
    forum: SimulatedForum, page: ShownPage, date: str, model: ForumModel
) -> tuple[IndexOrder | None, IndexOrder | None, int]:
    """By the page alone, and with what the site is known for; and how many rows it has."""
    analysis = _read(forum, simulated.BASE + page.key, date)
    if analysis is None:
        return None, None, 0
    rows = list(extract_index(analysis).rows)
    if not rows:  # rows that look like boards, or a single one
        rows = list(
            find_linked_rows(analysis, extract_index(analysis), LayoutKnowledge(model)).threads.values()
        )
    two = sum(row.created is not None for row in rows) * 2 > len(rows)
    chosen = [] if two else [row for row in rows if not row.sticky][-_OPENED:]
    visits = {row.url: _visit(forum, row.url, date, model) for row in chosen}
    return find_index_order(rows, visits), find_index_order(rows, visits, model.index_order), len(rows)


def _thread_alone(forum: SimulatedForum, page: ShownPage, date: str, model: ForumModel) -> PostOrder | None:
    analysis = _read(forum, simulated.BASE + page.key, date)
    return extract_thread(analysis, model.wrapper).order if analysis else None


def _sample(forum: SimulatedForum, kind: str, count: int) -> list[tuple[str, ShownPage]]:
    found = [(date, page) for date in _DATES for page in all_pages(forum, date) if page.kind == kind]
    random.Random(7).shuffle(found)
    return found[:count]


def judge(name: str, count: int, *, verbose: bool) -> Counter[str]:
    """Right answers of one forum."""
    forum = open_forum(name)
    model, _ = simulated.learn(forum)
    counts: Counter[str] = Counter()
    for date, page in _sample(forum, "index", count):
        found, known, size = _index_orders(forum, page, date, model)
        right = forum.traits.index_order
        counts["index"] += 1
        counts["index alone"] += found == right
        counts["index silent"] += found is None
        counts["index right"] += known == right
        if verbose and found not in {None, right}:
            print(f"    {name} {date} {page.key}: {found}, {size} rows")
    for date, page in _sample(forum, "thread", count):
        order = _thread_alone(forum, page, date, model)
        true = PostOrder.DESCENDING if forum.traits.post_order == "desc" else PostOrder.ASCENDING
        counts["thread"] += 1
        counts["thread alone"] += order is true
        counts["thread silent"] += order is None
        counts["thread right"] += (order or model.post_order) is true
        if verbose and order not in {None, true}:
            print(f"    {name} {date} {page.key}: {order}, {len(page.items)} posts")
    return counts


def main() -> None:
    """Print the shares of every forum and their sum."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--count", type=int, default=100, help="index pages, and as many thread pages")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    total: Counter[str] = Counter()
    start = time.process_time()
    for name in options.names or simulated.NAMES:
        counts = judge(name, options.count, verbose=options.verbose)
        total += counts
        print(f"{name}: {_told(counts)}", flush=True)
    if not options.names:
        figures = [
            Figure(
                "forum", "order of random index pages", total["index right"] / total["index"], at_least(0.995)
            ),
            Figure(
                "forum",
                "order of random thread pages",
                total["thread right"] / total["thread"],
                at_least(0.99),
            ),
        ]
        write_figures("forum_order", figures)
    print(f"all: {_told(total)}; {time.process_time() - start:.0f} s of CPU")


def _told(counts: Counter[str]) -> str:
    return ", ".join(
        f"{kind} {counts[f'{kind} right']} of {counts[kind]} right (alone {counts[f'{kind} alone']} right, "
        f"{counts[f'{kind} silent']} silent)"
        for kind in ("index", "thread")
    )


if __name__ == "__main__":
    main()
