"""Whole forums read page by page with what was learnt of them: simulated ones and the recorded engines."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Protocol

from bench import recorded, simulated
from bench.figures import Figure, write_figures
from bench.forum_quality import shared
from bench.true_page import TruePage, TruePost
from threadmill.crawl.forum.knowledge import LayoutKnowledge
from threadmill.crawl.forum.rows.linked_rows import find_linked_rows
from threadmill.forum.page_class.classify import classify_page
from threadmill.forum.paging.pager import Paging
from threadmill.forum.read_page import PageAnalysis, PostOrder, extract_index, extract_thread
from threadmill.forum.site_model.explore import explore
from threadmill.forum.site_model.learn import SamplePage
from threadmill.forum.site_model.model import ForumModel
from threadmill.lab.judge.post_matching import f1, fold_name, tokenise
from threadmill.page.parse.tree import parse
from threadmill.types import Post

_SAME_WORDS = 0.95  # token F1 from which a body counts as right


class Site(Protocol):
    """A forum whose every page is known."""

    name: str
    start: str
    index_order: str
    descending: bool
    cursors: bool

    def fetch(self, url: str) -> SamplePage | None:
        """A page as the crawler gets it."""

    def name_of(self, url: str) -> str | None:
        """The name of the page an address leads to."""

    def pages(self) -> Iterable[TruePage]:
        """Every page with its truth."""


class Figures:
    """Hits and totals by what was asked, with the first few misses."""

    def __init__(self, verbose: int) -> None:
        self.hits: Counter[str] = Counter()
        self.totals: Counter[str] = Counter()
        self._left: Counter[str] = Counter()
        self._verbose = verbose

    def add(self, what: str, right: bool, miss: str) -> None:
        """One question answered."""
        self.totals[what] += 1
        self.hits[what] += right
        if not right and self._left[what] < self._verbose:
            self._left[what] += 1
            print(f"    {what}: {miss}"[:220])

    def share(self, what: str) -> str:
        """The share of hits; what is not whole is shown with its numbers."""
        hits, total = self.hits[what], self.totals[what]
        return "-" if not total else "1" if hits == total else f"{hits / total:.3f} {hits}/{total}"


def learn(site: Site) -> tuple[ForumModel, int]:
    """The model learnt from the start page, and the number of pages that took."""
    search = explore(site.start)
    url = next(search)
    count = 0
    while True:
        count += 1
        try:
            url = search.send(site.fetch(url))
        except StopIteration as end:
            return end.value, count


def read_site(site: Site, verbose: int) -> tuple[int, Figures]:
    """Every page of a site, read and compared."""
    model, fetched = learn(site)
    figures = Figures(verbose)
    figures.add(
        "post order", (model.post_order is PostOrder.DESCENDING) == site.descending, str(model.post_order)
    )
    figures.add("index order", model.index_order == site.index_order, str(model.index_order))
    for page in site.pages():
        analysis = PageAnalysis(parse(page.body, page.url), page.now)
        kind = classify_page(analysis).kind
        figures.add("class", kind == page.kind, f"{page.url} {page.kind} is {kind}")
        expected = {"thread": {"thread", "thread page"}, "index": {"entry", "index", "index page"}}[page.kind]
        named = model.kind_of_url(page.url)
        figures.add("address", named in expected, f"{page.url} {page.kind} is {named}")
        if page.kind == "thread":
            _read_thread(site, page, analysis, model, figures)
        else:
            _read_index(site, page, analysis, model, figures)
    return fetched, figures


def _read_thread(
    site: Site, page: TruePage, analysis: PageAnalysis, model: ForumModel, figures: Figures
) -> None:
    read = extract_thread(analysis, model.wrapper)
    figures.add("wrapper", read.wrapped, f"{page.url} misfit={read.misfit}")
    found, wanted = len(read.posts), len(page.posts)
    figures.add("count", found == wanted, f"{page.url} {found} of {wanted} posts, wrapped={read.wrapped}")
    for post, true in _pairs(read.posts, page.posts):
        told = f"{page.url} #{true.number}"
        figures.add(
            "author",
            fold_name(post.author or "") == fold_name(true.author),
            f"{told} {post.author!r}: {true.author!r}",
        )
        quality = max(f1(tokenise(post.text), tokenise(text)) for text in true.texts)
        figures.add(
            "body", quality >= _SAME_WORDS, f"{told} {quality:.2f} {post.text[:60]!r}: {true.texts[0][:60]!r}"
        )
        figures.add("date", _dated(post, true), f"{told} {post.date and post.date.isoformat()}: {true.dates}")
    order = read.order or model.post_order
    figures.add("page order", (order is PostOrder.DESCENDING) == site.descending, f"{page.url} {order}")
    _check_paging(site, page, read.paging, figures, "")


def _pairs(posts: tuple[Post, ...], wanted: tuple[TruePost, ...]) -> list[tuple[Post, TruePost]]:
    """Posts with the true ones: by place where there are as many, else by number, else by words."""
    if len(posts) == len(wanted):
        return list(zip(posts, wanted, strict=True))
    by_number = {post.post_id: post for post in posts}
    found = []
    for true in wanted:
        post = by_number.get(true.number) or max(
            posts, key=lambda post: f1(tokenise(post.text), tokenise(true.texts[0])), default=Post("", "")
        )
        found.append((post, true))
    return found


def _dated(post: Post, true: TruePost) -> bool:
    if post.date is None:
        return False
    said = datetime.fromisoformat(
        f"{post.date.date.isoformat()}T{(post.date.time or datetime.min.time()).isoformat()}"
    )
    said = said.replace(tzinfo=None)
    return any(abs((said - moment).total_seconds()) <= true.slack for moment in true.dates)


def _read_index(
    site: Site, page: TruePage, analysis: PageAnalysis, model: ForumModel, figures: Figures
) -> None:
    read = extract_index(analysis)
    linked = find_linked_rows(analysis, read, LayoutKnowledge(model))
    listed = [site.name_of(row.url) for row in (*linked.threads.values(), *linked.links.values())]
    if page.rows:
        told = [site.name_of(row.url) for row in linked.threads.values()]
        missing = set(page.rows) - set(told)
        figures.add(
            "rows",
            not missing,
            f"{page.url} {len(page.rows)} rows, read {len(told)}, only links {len(missing & set(listed))}",
        )
        order = read.order or model.index_order
        figures.add("rows order", order == site.index_order, f"{page.url} {order}")
        _check_paging(site, page, read.paging, figures, "index ")


def _check_paging(site: Site, page: TruePage, paging: Paging, figures: Figures, which: str) -> None:
    ahead = site.name_of(paging.next) if paging.next else None
    back = site.name_of(paging.previous) if paging.previous else None
    figures.add(f"{which}next", ahead == page.next, f"{page.url} {paging.next}: {page.next}")
    if site.cursors:  # such pages say neither their number nor the way back
        return
    figures.add(f"{which}prev", back == page.previous, f"{page.url} {paging.previous}: {page.previous}")
    number = paging.number if page.count > 1 else paging.number or 1
    figures.add(f"{which}number", number == page.number, f"{page.url} {paging.number}: {page.number}")
    count = paging.count if page.count > 1 else paging.count or 1
    figures.add(f"{which}pages", count == page.count, f"{page.url} {paging.count}: {page.count}")


_COLUMNS = (
    "class", "address", "wrapper", "count", "body", "author", "date", "next", "prev", "number", "pages",
    "post order", "page order", "rows", "index next", "index prev", "index number", "index pages",
    "index order", "rows order",
)  # fmt: skip


def main() -> None:
    """Print a table: a column for each site."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="sites; default: all")
    parser.add_argument("--verbose", type=int, default=0, help="misses to print of each kind")
    parser.add_argument("--scale", default="small")
    options = parser.parse_args()
    hits: dict[str, Counter[str]] = {"simulated": Counter(), "recorded": Counter()}
    totals: dict[str, Counter[str]] = {"simulated": Counter(), "recorded": Counter()}
    for name in options.names or (*simulated.NAMES, *recorded.SITES):
        site = (
            recorded.Site(shared(), name) if name in recorded.SITES else simulated.Site(name, options.scale)
        )
        fetched, figures = read_site(site, options.verbose)
        group = "recorded" if name in recorded.SITES else "simulated"
        hits[group] += figures.hits
        totals[group] += figures.totals
        line = "  ".join(f"{what} {figures.share(what)}" for what in _COLUMNS if figures.share(what) != "1")
        print(
            f"{name} ({fetched} to learn, {figures.totals['count']} pages): {line or 'all right'}", flush=True
        )
    write_figures(
        "forum_sites",
        [
            Figure("forum", f"{what} right, {group} forums", hits[group][what] / totals[group][what])
            for group in hits
            for what in _COLUMNS
            if totals[group][what]
        ],
    )


if __name__ == "__main__":
    main()
