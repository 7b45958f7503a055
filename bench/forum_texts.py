"""How much of the text of real thread pages their posts hold, page by page.

    python3 dev.py run python -m bench.forum_texts --data DIR [--half developed|held-back] [--id ID …]

DIR has the labelled pages of `bench.clean_quality`. Those of the kind "forum" are threads of a hundred sites
of today, with the main text by hand. Recall says what was lost. What the posts hold besides (comments that
the text lacks, names, buttons) lowers precision. Pages that are empty without their scripts are left out.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.clean_data import held_back, read_pages
from bench.clean_quality import overlap, words
from bench.figures import Figure, write_figures
from threadmill import clean, read_forum_page
from threadmill.page.judge.clean_settings import CleanSettings

_WITHOUT_TEXT = 0.5  # share of the words by hand that the page has; below it scripts fill the page


@dataclass(frozen=True, slots=True)
class ThreadScore:
    """How the posts of one page compare with its text by hand."""

    id: str
    url: str
    kind: str
    posts: int
    precision: float
    recall: float
    f1: float


def main() -> None:
    """Print a line for each page, worst first, and write the means."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with *.jsonl.gz")
    parser.add_argument("--half", choices=("developed", "held-back"), default="developed")
    parser.add_argument("--id", action="append", help="only these pages")
    parser.add_argument("--write", action="store_true", help="write the figures")
    options = parser.parse_args()
    held = options.half == "held-back"
    pages = [page for page in read_pages(options.data) if page["type"] == "forum" and page["gold"]]
    pages = [page for page in pages if (page["id"] in options.id if options.id else held_back(page) is held)]
    scores = sorted((judge(page) for page in pages if _shows_text(page)), key=lambda score: score.f1)
    for score in scores:
        print(
            f"{score.f1:.3f}  P {score.precision:.3f}  R {score.recall:.3f}  {score.kind:6} "
            f"{score.posts:3} posts  {score.id} {score.url}"
        )
    figures = list(_figures(scores, options.half, held_back=held))
    for figure in figures:
        print(f"{figure.value:.3f}  {figure.what}")
    if options.write:
        write_figures(f"forum_texts.{options.half}", figures)


def judge(page: dict[str, Any]) -> ThreadScore:
    """Read a page without knowledge of its site, and compare the text of its posts."""
    url = page["url"] or "https://forum.example.org/"
    read = read_forum_page(page["html"], url)
    texts = [text for post in read.posts for text in (post.text, *(quote.text for quote in post.quotes))]
    found = Counter(word for text in texts for word in words(text))
    precision, recall, f1 = overlap(found, Counter(words(page["gold"])))
    return ThreadScore(page["id"], url, read.kind, len(read.posts), precision, recall, f1)


def _shows_text(page: dict[str, Any]) -> bool:
    settings = CleanSettings(languages=False, metadata=False)
    shown = Counter(
        word
        for part in clean(page["html"], page["url"] or "", settings).paragraphs
        for word in words(part.text)
    )
    return overlap(shown, Counter(words(page["gold"])))[1] >= _WITHOUT_TEXT


def _figures(scores: list[ThreadScore], half: str, *, held_back: bool) -> list[Figure]:
    threads = sum(score.kind == "thread" for score in scores) / len(scores)
    means = {
        "threads known as threads": threads,
        "word recall of posts": sum(score.recall for score in scores) / len(scores),
        "word F1 of posts": sum(score.f1 for score in scores) / len(scores),
    }
    where = f"{len(scores)} real thread pages, {half}"
    return [Figure("forum", f"{name}, {where}", value, held_back=held_back) for name, value in means.items()]


if __name__ == "__main__":
    main()
