"""The next page of saved forum pages: ours, and autopager's in the same run when its interpreter is named."""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from bench.figures import Figure, at_least, write_figures
from bench.forum_quality import NOW, shared
from threadmill.forum.link_urls import strip_session
from threadmill.forum.paging.pager import find_paging
from threadmill.forum.read_page import PageAnalysis
from threadmill.page.parse.tree import parse

# autopager needs other versions of things than we do, so it runs in an environment of its own.
_PEER = """
import gzip, json, sys, time
import autopager
for line in sys.stdin:
    name, url = json.loads(line)
    page = gzip.open(name).read().decode("utf-8", "replace")
    start = time.process_time()
    try:
        found = autopager.extract(page, direct=True, prev=False)
    except ValueError:  # lxml finds no document
        found = []
    answer = next((link.xpath("@href").get() for kind, link in found if kind == "NEXT"), None)
    print(json.dumps([answer, time.process_time() - start]), flush=True)
"""

Next = Callable[[Path, str], tuple[str | None, float]]


def ours(file: Path, url: str) -> tuple[str | None, float]:
    """The next page as we find it, and the CPU that took."""
    page = gzip.decompress(file.read_bytes())
    start = time.process_time()
    found = find_paging(PageAnalysis(parse(page, url), NOW).outline).next
    return found, time.process_time() - start


def peer(python: str) -> Next:
    """The same for autopager, asked over a pipe."""
    child = subprocess.Popen([python, "-c", _PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(file: Path, url: str) -> tuple[str | None, float]:
        if child.stdin is None or child.stdout is None:
            raise SystemExit("autopager's process has no pipes")
        child.stdin.write(json.dumps([str(file), url]) + "\n")
        child.stdin.flush()
        href, spent = json.loads(child.stdout.readline())
        return (strip_session(urljoin(url, href)) if href else None), spent

    return ask


def score(rows: list[dict[str, Any]], find: Next) -> tuple[Counter[str], float]:
    """Hits by source of the label and by whether there is a next page."""
    counts: Counter[str] = Counter()
    spent = 0.0
    for row in rows:
        url = row["url"] or ""
        source = "people" if row["next_src"] == "autopager gold" else "weak"
        wanted = strip_session(urljoin(url, row["next_url"])) if row["next_url"] else None
        found, seconds = find(shared() / "data/forum-pages" / row["file"], url)
        spent += seconds
        kind = f"{source} {'next' if wanted else 'none'}"
        counts[kind] += 1
        counts[f"{kind} right"] += found == wanted
    return counts, spent / len(rows)


def main() -> None:
    """Print both, side by side."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", default="", help="a python in whose environment autopager is installed")
    options = parser.parse_args()
    lines = (shared() / "data/forum-pages/manifest.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    finders: dict[str, Next] = {"threadmill": ours}
    if options.peer:
        finders["autopager"] = peer(options.peer)
    scores = {name: score(rows, find) for name, find in finders.items()}
    for name, (counts, spent) in scores.items():
        shares = ", ".join(
            f"{kind} {counts[f'{kind} right']} of {counts[kind]}"
            for kind in ("people next", "people none", "weak next", "weak none")
        )
        print(f"{name}: {shares}; {1000 * spent:.1f} ms of CPU a page")
    write_figures("forum_paging", _figures({name: counts for name, (counts, _) in scores.items()}))


def _figures(counts: dict[str, Counter[str]]) -> list[Figure]:
    """The shares of right answers where people made the labels; the bar is that of the saved pages."""

    def share(name: str, kinds: tuple[str, ...]) -> float:
        right = sum(counts[name][f"{kind} right"] for kind in kinds)
        return right / max(1, sum(counts[name][kind] for kind in kinds))

    figures = []
    for what, kinds in (
        ("labelled by people", ("people next", "people none")),
        ("weak labels", ("weak next", "weak none")),
    ):
        ours, *peers = (share(name, kinds) for name in counts)
        named = dict(zip(list(counts)[1:], peers, strict=True))
        bar = at_least(0.97) if what == "labelled by people" else None
        figures.append(Figure("forum", f"next page, saved pages, {what}", ours, bar, peers=named))
    return figures


if __name__ == "__main__":
    main()
