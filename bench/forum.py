"""How long forum pages take to read: with a learnt wrapper, without, and pages made to hurt; CPU time."""

from __future__ import annotations

import gzip
import json
import resource
import time
from collections.abc import Callable
from statistics import median

from bench.figures import Figure, at_most, write_figures
from bench.forum_quality import NOW, shared
from threadmill.forum.posts.post_columns import find_post_columns
from threadmill.forum.read_page import PageAnalysis, extract_index, extract_thread
from threadmill.forum.site_model.learn_wrapper import learn_wrapper
from threadmill.page.parse.tree import parse

# Harvest and autopager as measured for the same page size on the same kind of machine (issue's figures).
_PEERS = {"whole page": "Harvest 1,470 ms", "paging alone": "autopager 43 ms"}
_HOSTILE: dict[str, Callable[[], bytes]] = {
    "100,000 nested divs": lambda: b"<div>" * 100_000,
    "100,000 sibling links": lambda: b"<a href='/t/1'>title of a thread</a>" * 100_000,
    "50,000 dated rows": lambda: (
        b"<table>"
        + b"".join(
            b"<tr><td><a href='/t/%d'>some thread title</a><td>2020-01-01 10:00</tr>" % n
            for n in range(50_000)
        )
    ),
    "5,000 posts": lambda: b"".join(
        b"<div class=p id=p%d><a class=u href=/u/%d>user %d</a><i>2020-01-01 10:%02d</i><p>Words</p></div>"
        % (n, n % 50, n % 50, n % 60)
        for n in range(5_000)
    ),
    "10 MB of text": lambda: b"<p>" + b"word 12 " * 1_250_000,
    "deep tables": lambda: b"<table><tr><td>" * 5_000,
}


def _cpu(work: Callable[[], object], times: int = 5) -> float:
    spent = []
    for _ in range(times):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return 1000 * median(spent)


def main() -> None:
    """Print milliseconds."""
    base = shared() / "data/forum-pages"
    rows = [json.loads(line) for line in (base / "manifest.jsonl").read_text().splitlines()]
    threads = [row for row in rows if row["type"] == "thread" and row.get("n_posts")]
    chosen = [row for row in threads if 110_000 <= row["bytes"] <= 170_000]
    direct, wrapped, sizes = [], [], []
    for row in chosen:
        page = gzip.decompress((base / row["file"]).read_bytes())
        analysis = PageAnalysis(parse(page, row["url"] or ""), NOW)
        if not analysis.found_posts:
            continue
        wrapper = learn_wrapper(
            [(analysis.found_posts.table, find_post_columns(analysis.found_posts.table, NOW))]
        )
        sizes.append(len(page))
        direct.append(_cpu(lambda page=page: extract_thread(PageAnalysis(parse(page), NOW))))  # type: ignore[misc]
        wrapped.append(_cpu(lambda p=page, w=wrapper: extract_thread(PageAnalysis(parse(p), NOW), w)))  # type: ignore[misc]
    print(f"{len(sizes)} thread pages of {sum(sizes) / len(sizes) / 1000:.0f} kB on average, CPU per page:")
    print(f"  without a wrapper  median {median(direct):.1f} ms, worst {max(direct):.1f} ms")
    print(f"  peers              {', '.join(_PEERS.values())}")
    print(f"  with a wrapper     median {median(wrapped):.1f} ms, worst {max(wrapped):.1f} ms")
    worst = peak = 0.0
    for name, make in _HOSTILE.items():
        page = make()
        start = time.process_time()
        analysis = PageAnalysis(parse(page, "http://a/"), NOW)
        extract_thread(analysis)
        extract_index(analysis)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        worst = max(worst, time.process_time() - start)
        print(f"  {name:<24} {time.process_time() - start:.2f} s, peak so far {peak:.0f} MB")
    figures = [
        Figure("forum", "CPU of a thread page with a wrapper, median", median(wrapped), at_most(12), "ms"),
        Figure("forum", "CPU of a thread page without a wrapper, median", median(direct), at_most(40), "ms"),
        Figure("forum", "worst of six hostile pages, CPU", worst, at_most(2), "s"),
        Figure("forum", "worst of six hostile pages, memory", peak, at_most(500), "MB"),
    ]
    write_figures("forum", figures)


if __name__ == "__main__":
    main()
