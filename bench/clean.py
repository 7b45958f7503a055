"""How fast pages are cleaned, ours beside jusText, trafilatura and Resiliparse: one run, CPU time.

    python3 dev.py run python -m bench.clean --data DIR [--pages 100]

Three ways to use the cleaner have a bar: the text alone, jusText's rules, and all data about a page. They
take turns with the peers on the same pages.
Peers: pip install justext trafilatura resiliparse lxml_html_clean. Only jusText must be there.
"""

from __future__ import annotations

import argparse
import difflib
import gc
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bench.clean_data import read_pages
from bench.clean_peers import PEERS, stop_list
from bench.figures import Figure, at_least, write_figures
from threadmill import clean
from threadmill.page.clean import CleanedPage, PageInput, clean_pages
from threadmill.page.judge.clean_settings import CleanMethod, CleanSettings
from threadmill.types import Page

DEFAULT = CleanSettings()
JUSTEXT = CleanSettings(method=CleanMethod.JUSTEXT, stop_words="en", languages=False, metadata=False)
# How many times as fast as jusText each way must be.
BARS = {"threadmill, text only": 8, "threadmill, jusText mode": 16, "threadmill, all data": 6}


def their_justext(html: str, url: str) -> Any:  # noqa: ARG001
    """jusText with its defaults."""
    import justext

    return justext.justext(html, stop_list("English"))


Pages = list[tuple[str, str]]  # HTML and address
AT_ONCE = 16  # pages that are timed together; ours come as a stream, and are judged so many at a time


def ours(pages: Pages, take: Callable[[Page], Any], settings: CleanSettings = DEFAULT) -> None:
    """Clean the pages as a stream, and take from each what is wanted."""
    for outcome in clean_pages([PageInput(html, url) for html, url in pages], settings):
        assert isinstance(outcome, CleanedPage)
        take(outcome.page)


def one_by_one(work: Callable[[str, str], Any]) -> Callable[[Pages], None]:
    """A tool that takes a page at a time."""

    def run(pages: Pages) -> None:
        for html, url in pages:
            work(html, url)

    return run


def whole(page: Page) -> Any:
    """Text, all paragraphs with their links and languages, metadata."""
    return page.text, page.paragraphs, page.metadata


def cpu_times(runs: dict[str, Callable[[Pages], None]], pages: Pages, rounds: int = 3) -> dict[str, float]:
    """Seconds of CPU for all pages; of each group the best of some rounds in which all tools take turns."""
    groups = [pages[i : i + AT_ONCE] for i in range(0, len(pages), AT_ONCE)]
    best = {name: [float("inf")] * len(groups) for name in runs}
    for _ in range(rounds):
        for i, group in enumerate(groups):
            for name, work in runs.items():
                gc.collect()
                start = time.process_time()
                work(group)
                best[name][i] = min(best[name][i], time.process_time() - start)
    return {name: sum(times) for name, times in best.items()}


def agreement(pages: list[tuple[str, str]]) -> float:
    """The share of jusText's paragraphs that our jusText mode gives with the same text and the same class."""
    same = total = 0
    for html, url in pages:
        theirs = [
            (" ".join(p.text.split()), p.class_type) for p in their_justext(html, url) if p.text.strip()
        ]
        ours = [
            (" ".join(p.text.split()), str(p.verdict).replace("-", ""))
            for p in clean(html, url, JUSTEXT).paragraphs
            if p.text
        ]
        blocks = difflib.SequenceMatcher(None, theirs, ours, autojunk=False).get_matching_blocks()
        same += sum(block.size for block in blocks)
        total += len(theirs)
    return same / max(total, 1)


def speeds(times: dict[str, float]) -> list[Figure]:
    """How many times as fast as jusText each way is, and the text alone beside trafilatura."""
    figures = []
    for name, least in BARS.items():
        what = f"speed of cleaning, {name.removeprefix('threadmill, ')}, against jusText"
        others = {peer: times["justext"] / times[peer] for peer in PEERS if peer in times}
        ratio = times["justext"] / times[name]
        figures.append(Figure("page", what, ratio, at_least(least), "×", peers=others))
    if "trafilatura" in times:
        ratio = times["trafilatura"] / times["threadmill, text only"]
        figures.append(Figure("page", "speed of cleaning, against trafilatura", ratio, at_least(8), "×"))
    return figures


def main() -> None:
    """Print times, ratios and the agreement with jusText."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with *.jsonl.gz")
    parser.add_argument("--pages", type=int, default=100)
    arguments = parser.parse_args()
    records = list(read_pages(arguments.data))
    step = max(1, len(records) // arguments.pages)
    pages = [(record["html"], record["url"] or "") for record in records[::step]]
    # A page makes what it is asked for: the text as the peers give it, then everything there is.
    runs: dict[str, Callable[[Pages], None]] = {
        "threadmill, text only": lambda group: ours(group, lambda page: page.text),
        "threadmill, all data": lambda group: ours(group, whole),
        "threadmill, page by page": one_by_one(lambda html, url: clean(html, url).text),
        "threadmill, jusText mode": lambda group: ours(group, lambda page: page.paragraphs, JUSTEXT),
        "justext": one_by_one(their_justext),
    }
    for peer in ("trafilatura", "resiliparse"):
        if find_spec(peer) is not None:
            runs[peer] = one_by_one(PEERS[peer])
    for work in runs.values():
        work(pages[:1])  # loads what is loaded once
    times = cpu_times(runs, pages)
    size = sum(len(html) for html, _ in pages) / len(pages)
    print(
        f"{len(pages)} pages of {size / 1000:.0f} kB; CPU time, of {AT_ONCE} pages the best of three rounds"
    )
    for name, seconds in times.items():
        ratios = [f"{times[peer] / seconds:5.1f}× {peer}" for peer in PEERS if peer in times]
        print(f"  {name:<26} {1000 * seconds / len(pages):7.2f} ms/page   {'  '.join(ratios)}")
    same = agreement(pages)
    print(f"same text and class as jusText: {same:.4f} of its paragraphs")
    figures = speeds(times)
    figures.append(
        Figure("page", "jusText mode: paragraphs with jusText's text and class", same, at_least(0.99))
    )
    for figure in figures:
        print(f"  {'✓' if figure.is_reached else '✗'} {figure.what} {figure.value:.2f} {figure.unit}")
    write_figures("clean", figures)


if __name__ == "__main__":
    main()
