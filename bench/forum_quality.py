"""How well forum pages are read: every bar on shared data, development part and held-out part apart."""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from bench import recorded, simulated
from bench.figures import Figure, at_least, write_figures
from threadmill.forum.link_urls import strip_session
from threadmill.forum.page_class.classify import classify_page
from threadmill.forum.read_page import PageAnalysis, extract_index, extract_thread, read_thread
from threadmill.page.parse.tree import parse
from threadmill.types import Post

_TOKEN = re.compile(r"\w+")
NOW = datetime(2020, 6, 17, 12, tzinfo=UTC)


def shared() -> Path:
    """Where the shared data is."""
    named = os.environ.get("THREADMILL_SHARED")
    root = Path(__file__).resolve().parents[1]
    for place in ([Path(named)] if named else []) + [root / "../shared", root / "../../shared"]:
        if place.is_dir():
            return place
    raise SystemExit("shared data not found; set THREADMILL_SHARED")


def is_held_out(host: str) -> bool:
    """A third of the hosts, chosen by a checksum of the name, is only looked at as a figure."""
    return zlib.crc32(host.encode()) % 3 == 0


def f1(one: str, other: str) -> float:
    """Token F1 of two texts."""
    a, b = Counter(_TOKEN.findall(one.lower())), Counter(_TOKEN.findall(other.lower()))
    if not a and not b:
        return 1.0
    both = sum((a & b).values())
    return 2 * both / (sum(a.values()) + sum(b.values()))


def variants(post: Post) -> list[str]:
    """The label may or may not hold quotations, signature and notes: annotators were of several minds."""
    quotes = " ".join(f"{quote.author or ''} {quote.text}" for quote in post.quotes)
    whole = parse(post.html).document
    return [
        post.text,
        f"{quotes} {post.text}",
        f"{post.text} {post.signature}",
        whole.root.text if whole.root else "",
    ]


def best_f1(post: Post, text: str) -> float:
    """The F1 of the reading of a post that is nearest to the label."""
    if not text.strip():
        return 1.0  # pictures or films only: nothing to compare
    return max(f1(variant, text) for variant in variants(post))


@dataclass
class Tally:
    """Counts of one part of the data."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def same_author(post: Post, user: str) -> bool:
    """The label is a profile address or a name."""
    if not user:
        return True
    if "/" in user or "?" in user or user.endswith(".html"):
        label = re.sub(r"sid=\w+", "", user).split("#")[0].lstrip("./")
        ours = re.sub(r"sid=\w+", "", post.author_url or "").split("#")[0]
        return ours.endswith(label) or (label.startswith("javascript") and post.author is not None)
    return (post.author or "").lower() == user.strip().lower()


def says_moment(shown: str, moment: str) -> bool:
    """Whether a date as a person noted it has a day, a year and all its numbers in common with a moment."""
    numbers = {int(number) for number in re.findall(r"\d+", shown)}
    ours = [int(number) for number in re.findall(r"\d+", moment[:16])]
    return len(numbers) >= 3 and {ours[0], ours[2]} <= numbers <= set(ours) if len(ours) >= 3 else False


def score_gold(row: dict[str, Any], posts: list[Post], tally: Tally) -> None:
    """Match posts with the human annotation."""
    gold = row["gold_posts"]
    counts = tally.counts
    pairs, used = [], set()
    for place, label in enumerate(gold):
        options = [
            (best_f1(post, label["text"]), -abs(place - n), n)
            for n, post in enumerate(posts)
            if n not in used
        ]
        if options:
            quality, _, number = max(options)
            if quality >= 0.5:
                used.add(number)
                pairs.append((quality, label, posts[number]))
    right = [pair for pair in pairs if pair[0] >= 0.9]
    counts["gold"] += len(gold)
    counts["found"] += len(posts)
    counts["right"] += len(right)
    counts["pages"] += 1
    perfect = len(posts) == len(gold) == len(right)
    counts["perfect"] += perfect
    authors = dates = 0
    labelled = row["dates"] if row.get("dates") and len(row["dates"]) == len(gold) else None
    for _, label, post in pairs:
        counts["matched"] += 1
        good = same_author(post, label["user"])
        authors += good
        place = gold.index(label)
        if labelled:
            counts["dated"] += 1
            shown = labelled[place]
            ours = post.date.isoformat() if post.date else ""
            same = ours[: len(shown)] == shown or (ours[:10] == shown[:10] and len(ours) == 10)
            # The moments were made from what people wrote down, and not always from the right line of it.
            same = same or says_moment(label["datetime"] or "", ours)
            counts["date right"] += same
            dates += same
    counts["author right"] += authors
    if not perfect or authors < len(pairs) or (labelled and dates < len(pairs)):
        bad = [(round(q, 2), label["text"][:40]) for q, label, _ in pairs if q < 0.9][:2]
        tally.failures.append(
            f"{_name(row)} gold {len(gold)} found {len(posts)} right {len(right)} authors {authors} "
            f"dates {dates if labelled else None} {bad}"
        )


def part_of(row: dict[str, Any]) -> str:
    """Which part of the first set a saved page belongs to."""
    host = urlsplit(row["url"] or "").hostname or row["file"].split("_")[0].split("/")[1]
    return "held out" if is_held_out(host) else "development"


def part_of_second(row: dict[str, Any]) -> str:
    """The same for the second set: half of its sources, by a checksum of the name."""
    return "held out" if zlib.crc32(row["source"].encode()) % 2 == 0 else "development"


def saved_pages(only: str = "") -> Iterator[tuple[str, dict[str, Any], PageAnalysis]]:
    """(part, label, page) of both sets of saved pages, with one set of names for their labels."""
    for folder, part in (("forum-pages", part_of), ("forum-pages-2", part_of_second)):
        base = shared() / "data" / folder
        for line in (base / "manifest.jsonl").read_text().splitlines():
            row = json.loads(line)
            if only not in row["file"]:
                continue
            if folder != "forum-pages":
                row |= {
                    "file": f"pages/{row['file']}",
                    "type": row["class"],
                    "n_posts": row["posts"],
                    "next_url": row["next"],
                    "label": "second",
                }
            page = gzip.decompress((base / row["file"]).read_bytes())
            yield part(row), row, PageAnalysis(parse(page, row["url"] or ""), NOW)


def labelled_pages() -> Iterator[tuple[str, str, float, str, PageAnalysis]]:
    """(part, class, weight, name, page) of saved pages and of samples of the recorded forums."""
    for part, row, analysis in saved_pages():
        # Half of the second set is never trained on.
        if row["label"] != "second" or part == "development":
            yield part, row["type"], 1.0, row["file"], analysis
    for site in recorded.SITES:
        forum = recorded.Forum(shared(), site)
        # Half of the engines is for development; the others show whether that carries over.
        part = "development" if site in {"fluxbb", "discuz"} else "held out"
        for label, url, page, now in forum.samples(40):
            yield part, label, 0.1, url, PageAnalysis(parse(page, url), now)
    for place, name in enumerate(simulated.NAMES):
        part = "held out" if place % 3 == 0 else "development"
        for label, url, page, now in simulated.samples(name, 30):
            yield part, label, 0.1, f"{name} {url}", PageAnalysis(parse(page, url), now)


_COUNTED = frozenset(("agree", "auto", "checked", "second"))


def score_page(row: dict[str, Any], analysis: PageAnalysis, tally: Tally) -> None:
    """Everything a label says about a page, against what we read."""
    counts = tally.counts
    if row["label"] != "uncertain":
        kind = classify_page(analysis)
        counts["classified"] += 1
        counts["class right"] += kind.kind == row["type"]
        if kind.kind != row["type"]:
            reading = f"{row['type']} taken for {kind.kind} ({kind.confidence:.2f})"
            tally.failures.append(f"{_name(row)} {reading}")
    if row["type"] == "thread":
        page = extract_thread(analysis)
        if row["label"] == "gold":
            score_gold(row, list(page.posts), tally)
        elif row.get("n_posts") and row["label"] in _COUNTED:
            score_count(row, page.posts, tally)
    # The label "heuristic" is a guess from the words of links.
    if row["next_src"] != "heuristic":
        paging = (page if row["type"] == "thread" else extract_index(analysis)).paging
        wanted = strip_session(urljoin(row["url"] or "", row["next_url"])) if row["next_url"] else None
        counts["paged"] += 1
        counts["next right"] += paging.next == wanted
        if paging.next != wanted:
            tally.failures.append(f"{_name(row)} next {paging.next} for {wanted}")


def score_count(row: dict[str, Any], posts: Sequence[Post], tally: Tally) -> None:
    """The number of posts, and author and date of the first one, where these are all a label tells."""
    counts = tally.counts
    good = len(posts) in {row["n_posts"], *row.get("posts_alt", ())}
    counts["other"] += 1
    counts["count right"] += good
    if not good:
        tally.failures.append(f"{_name(row)} {row['label']} posts {row['n_posts']} found {len(posts)}")
    wanted, ours = row.get("first_author"), posts[0].author if posts else None
    if wanted:
        counts["first authors"] += 1
        counts["first author right"] += ours == wanted
        if ours != wanted:
            tally.failures.append(f"{_name(row)} first author {ours!r} for {wanted!r}")
    if row.get("first_date"):
        date = posts[0].date.isoformat() if posts and posts[0].date else ""
        size = min(len(date), len(row["first_date"]), 16) or 1
        counts["first dates"] += 1
        counts["first date right"] += date[:size] == row["first_date"][:size]
        if date[:size] != row["first_date"][:size]:
            tally.failures.append(f"{_name(row)} first date {date} for {row['first_date']}")


def _name(row: dict[str, Any]) -> str:
    return str(row["file"]).rpartition("/")[2][:70]


BARS = (
    ("posts of annotated pages, precision", ("right",), ("found",), 0.985),
    ("posts of annotated pages, recall", ("right",), ("gold",), 0.98),
    ("annotated pages without a fault", ("perfect",), ("pages",), 0.85),
    ("author right", ("author right", "first author right"), ("matched", "first authors"), 0.95),
    ("date right", ("date right", "first date right"), ("dated", "first dates"), 0.97),
    ("number of posts right, other threads", ("count right",), ("other",), 0.90),
    ("class of page right", ("class right",), ("classified",), 0.97),
    ("next page right", ("next right",), ("paged",), 0.97),
)


def main() -> None:
    """Print every bar."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--held-out", action="store_true", help="list failures of the held-out part as well")
    parser.add_argument("--only", default="", help="part of the name of the pages to read")
    parser.add_argument("--saved", action="store_true", help="only the saved pages, not the recorded forums")
    options = parser.parse_args()
    tallies: dict[str, Tally] = defaultdict(Tally)
    start = time.process_time()
    for part, row, analysis in saved_pages(options.only):
        which = "second set" if row["label"] == "second" else "first set"
        score_page(row, analysis, tallies[f"{which}, {part}"])
    _print_tallies(tallies, every=options.held_out)
    print(f"CPU {time.process_time() - start:.2f} s")
    if not options.only and not options.saved:
        _write(tallies)
        _recorded_bars()


def _recorded_bars() -> None:
    """Recorded forums: learnt from their start page, then sampled pages read with the wrapper."""
    for site in recorded.SITES:
        forum = recorded.Forum(shared(), site)
        model, fetched = recorded.learn(forum)
        counts: Counter[str] = Counter()
        for row in forum.pages("page", 60):
            answer = forum.get(row["date"], row["key"])
            if not answer or answer[0] != 200:
                continue
            now = forum.shown_now(row["date"])
            posts = read_thread(parse(answer[1], forum.base + row["key"]), now, model.wrapper).posts
            wanted = [forum.posts[number] for number in row["posts"]]
            counts["pages"] += 1
            counts["count"] += len(posts) == len(wanted)
            counts["url"] += model.kind_of_url(forum.base + row["key"]).startswith("thread")
            for post, true in zip(posts, wanted, strict=False):
                counts["posts"] += 1
                shown = datetime.fromisoformat(true["date"]) + timedelta(hours=forum.meta["shown_tz_hours"])
                dated = post.date is not None and post.date.isoformat()[:16] == shown.isoformat()[:16]
                counts["right"] += (
                    f1(post.text, true["text"]) >= 0.95 and post.author == true["author"] and dated
                )
        print(
            f"== recorded {site}: {fetched} to learn; count right on {counts['count']}/{counts['pages']}"
            f" pages, {counts['right']}/{counts['posts']} posts right, {counts['url']}/{counts['pages']} "
            f"addresses known; {model.index_order}, {model.post_order}"
        )


def _rate(counts: Counter[str], hits: Sequence[str], of: Sequence[str]) -> tuple[int, int]:
    return sum(counts[name] for name in hits), sum(counts[name] for name in of)


def _write(tallies: dict[str, Tally]) -> None:
    """The figures over all parts."""
    counts: Counter[str] = Counter()
    for tally in tallies.values():
        counts += tally.counts
    figures = []
    for what, hits, of, bar in BARS:
        right, total = _rate(counts, hits, of)
        figures.append(Figure("forum", what, right / total, at_least(bar), held_back=False))
    write_figures("forum_quality", figures)


def _print_tallies(tallies: dict[str, Tally], *, every: bool) -> None:
    for name, tally in sorted(tallies.items()):
        print(f"== {name}")
        for what, hits, of, bar in BARS:
            right, total = _rate(tally.counts, hits, of)
            if total:
                verdict = "reached" if right >= bar * total else "MISSED"
                print(f"  {what:40} {right / total:.4f} ({right}/{total})  bar {bar}  {verdict}")
        if "development" in name or every:
            for failure in tally.failures:
                print("   ", failure)


if __name__ == "__main__":
    main()
