"""Forums drawn at random, crawled at four dates and judged: distribution, the worst, which choice breaks.

python -m bench.random_forums --seeds 1-40 [--processes 2] [--only PHRASE] [--fix urls=query] [--keep DIR]
python -m bench.random_forums --seeds 3 --explain
python -m bench.random_forums --seeds 3 --explain-later [--rows]

Seeds 1 to 2000 are for development. PHRASE is a part of a choice in words, or NAME=VALUE. With --keep, the
record of each seed is a file, and a seed that has one is not crawled again.
"""

from __future__ import annotations

import argparse
import json
import signal
import time
import traceback
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from statistics import fmean, quantiles
from typing import Any

from bench.accounts import figures_of_accounts, print_accounts, read_accounts
from bench.figures import Bar, Figure, at_least, at_most, write_figures
from bench.random_forums_later import explain_later
from threadmill.crawl.forum.progress import ForumProgress
from threadmill.errors import UsageError
from threadmill.lab.evaluate.figures import CrawlFigures
from threadmill.lab.evaluate.forum_experiment import crawl_dates, judge_run
from threadmill.lab.judge.post_matching import PostMatcher, fold_name
from threadmill.lab.judge.truth import all_pages, true_posts
from threadmill.lab.simulate.forum import SimulatedForum
from threadmill.lab.simulate.random_forum.choices import describe, options_of
from threadmill.lab.simulate.random_forum.open_forum import open_random_forum, preset, random_choices
from threadmill.lab.simulate.url_keys import url_key

DATES = ("2016-03-01", "2016-06-01", "2016-09-01", "2016-12-01")
HELD_BACK = range(1_000_000, 2_001_000)  # each is run once; up to 1,001,799 they have been
ALL_FOUND = 0.995  # share of a forum's posts from which all count as found
FEW_FOUND = 0.9  # below this the account must say so

LONGEST = 30  # seconds; a forum takes two to eight

Record = dict[str, Any]
# name → (first or later, part, whole, bar of the ratio of sums)
MEASURES = {
    "posts found, first crawl": ("first", "found", "posts", None),
    "posts found, later crawls": ("later", "found", "posts", None),
    "posts true": ("later", "true", "exported", None),
    "page precision": ("later", "useful", "pages", at_least(0.96)),
    "page recall": ("later", "covered", "least_thread", at_least(0.99)),
    "pages ÷ least": ("later", "pages", "least", at_most(1.08)),
    "authors right": ("later", "authors", "true", at_least(0.99)),
    "dates right": ("later", "dates", "true", at_least(0.99)),
    "body F1": ("later", "body", "true", at_least(0.98)),
}


def main() -> None:
    """Crawl, judge, print and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", required=True, help="one seed or a range: 7, 1-40, 3,9,12")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--only", default="", help="only forums with this phrase or NAME=VALUE")
    parser.add_argument(
        "--fix", nargs="*", default=[], metavar="NAME=VALUE", help="choices that are not drawn"
    )
    parser.add_argument("--preset", default="", help="fix the choices of a preset")
    parser.add_argument("--keep", type=Path, help="a directory for one record per seed")
    parser.add_argument("--explain", action="store_true", help="first crawl only: what is missing or wrong")
    parser.add_argument("--explain-later", action="store_true", help="later crawls: what was vain or missed")
    parser.add_argument("--rows", action="store_true", help="with --explain-later: all that rows said")
    parser.add_argument("--write", action="store_true", help="write the figures")
    options = parser.parse_args()
    fixed = {
        **(preset(options.preset) if options.preset else {}),
        **dict(word.split("=", 1) for word in options.fix),
    }
    seeds = [
        seed for seed in read_seeds(options.seeds) if not options.only or is_wanted(seed, options.only, fixed)
    ]
    if options.explain:
        for seed in seeds:
            explain(seed, fixed)
        return
    if options.explain_later:
        for seed in seeds:
            print(f"seed {seed}: " + "; ".join(unusual(asdict(random_choices(seed, **fixed)))))
            explain_later(open_random_forum(seed, **fixed), DATES, rows=options.rows)
        return
    started = time.time()
    records = list(run_all(seeds, options.processes, partial(kept, fixed=fixed, folder=options.keep)))
    print(f"\n{len(records)} forums, {time.time() - started:.0f} s")
    report(records)
    if options.write and records:
        held = all(record["seed"] in HELD_BACK for record in records)
        write_figures("random_forums", figures_of(records, held))


def read_seeds(text: str) -> list[int]:
    """Read 7, 1-40 or 3,9,12."""
    found: list[int] = []
    for piece in text.split(","):
        low, _, high = piece.partition("-")
        found += range(int(low), int(high or low) + 1)
    return found


def is_wanted(seed: int, phrase: str, fixed: Mapping[str, str]) -> bool:
    """Whether a forum has a choice with this phrase, or this NAME=VALUE."""
    chosen = describe(random_choices(seed, **fixed))
    return any(phrase == f"{name}={value}" or phrase in words for name, value, words in chosen)


def run_all(seeds: Sequence[Any], processes: int, run: Any) -> Iterator[Record]:
    """Run every seed; print a line for each as it comes."""
    if processes == 1:
        for seed in seeds:
            yield show(run(seed))
        return
    with ProcessPoolExecutor(processes) as pool:
        for record in pool.map(run, seeds):
            yield show(record)


def kept(seed: int, fixed: Mapping[str, str], folder: Path | None) -> Record:
    """Return the record of a seed: from its file, or by crawling."""
    file = folder / f"{seed}.json" if folder else None
    if file and file.is_file():
        found: Record = json.loads(file.read_text(encoding="utf-8"))
        return found
    record = crawl_seed(seed, fixed)
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(record, ensure_ascii=False), encoding="utf-8")
    return record


def crawl_seed(seed: int, fixed: Mapping[str, str]) -> Record:
    """Crawl one random forum at all dates and judge it."""
    choices = asdict(random_choices(seed, **fixed))
    return crawl_forum_at_dates(open_random_forum(seed, **fixed), {"seed": seed, "choices": choices})


def crawl_forum_at_dates(forum: SimulatedForum, record: Record) -> Record:
    """Crawl a forum at all dates and judge it. A crawl that raises is a record with its error."""
    record |= {"error": "", "said": None}
    started = time.time()
    try:
        with limited_time():
            run = crawl_dates(forum, DATES, forum.layout.home)
        crawl = judge_run(forum, run)
        record["first"], record["later"] = _counts(crawl.first), _counts(crawl.later)
        record["said"] = any(map(said_so, run.reports.values()))
        record["accounts"] = read_accounts(forum, run)
    except (Exception, EndlessCrawl, BaseExceptionGroup) as error:  # the seed is counted and named
        inner = error.exceptions[0] if isinstance(error, BaseExceptionGroup) else error
        record["error"] = f"{type(inner).__name__}: {inner}"
        record["said"] = isinstance(inner, UsageError)  # the crawl ends with a sentence: this is no forum
        record["trace"] = traceback.format_exc(limit=-6)
    record["seconds"] = round(time.time() - started, 1)
    return record


class EndlessCrawl(BaseException):
    """A crawl that does not end. No Exception, because the crawler goes on after those of one page."""


@contextmanager
def limited_time() -> Iterator[None]:
    """Raise EndlessCrawl in a crawl that does not end: after a minute of processor time."""

    def stop(_signal: int, _frame: object) -> None:
        raise EndlessCrawl(f"the crawls did not end within {LONGEST} s of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def explain(seed: int, fixed: Mapping[str, str]) -> None:
    """Explain the first crawl of a random forum."""
    head = "; ".join(unusual(asdict(random_choices(seed, **fixed))))
    explain_forum(open_random_forum(seed, **fixed), head)


def explain_forum(forum: SimulatedForum, head: str) -> None:
    """Crawl a forum once. Print every page fetched, the posts that are missing, and those that are wrong."""
    print(head)
    with limited_time():
        run = crawl_dates(forum, DATES[:1], forum.layout.home)
    shown = {page.key: page for page in all_pages(forum, DATES[0])}
    for entry in run.requests:
        page = shown.get(url_key(entry["page"])) if entry["page"] else None
        what = f"{len(page.items)} items" if page else f"status {entry['status']}"
        print(f"  {entry['class']:<8} {entry['url']:<60} {what}")
    missed = set(shown) - {url_key(entry["page"]) for entry in run.requests if entry["page"]}
    print(f"{len(missed)} of {len(shown)} pages not fetched: {sorted(missed)[:8]}")
    items = run.posts[DATES[0]]
    ranks = PostMatcher(forum).match(list(items), DATES[0])
    true = {post.post: post for post in true_posts(forum, DATES[0])}
    for item, rank in zip(items, ranks, strict=True):
        post = true.get(forum.world.ids[rank]) if rank is not None else None
        own = {name: str(item.get(name))[:70] for name in ("url", "post_id", "author", "date", "text")}
        if post is None:
            print(f"  no such post: {own}")
        elif fold_name(own["author"]) != fold_name(post.author) or own["text"][:40] != post.text[:40]:
            print(f"  wrong: {own}\n    true: {post.author!r} {post.date} {post.text[:70]!r}")
    found = {forum.world.ids[rank] for rank in ranks if rank is not None}
    lost = [post for number, post in true.items() if number not in found]
    print(f"{len(lost)} of {len(true)} posts not found")
    for post in lost[:12]:
        print(f"  {post.thread_key} #{post.position} {post.author} {post.date} {post.text[:60]!r}")


def said_so(report: ForumProgress) -> bool:
    """Whether a crawl's account says that posts are missing, or that it does not know."""
    return report.account is None or report.account.verdict != "complete"


def _counts(figures: CrawlFigures) -> dict[str, float]:
    return {**figures.as_dict(), "useful": figures.new + figures.semi}


def measure(record: Record, name: str) -> float | None:
    """Return a measure of one forum; None if it raised or has nothing to measure."""
    when, part, whole, _ = MEASURES[name]
    if record["error"]:
        return 0.0 if name.startswith("posts found") else None
    counts = record[when]
    return counts[part] / counts[whole] if counts[whole] else None


def found_share(record: Record) -> float:
    """Return the smaller share of posts found: of the first crawl, or of the later ones."""
    shares = (measure(record, "posts found, first crawl"), measure(record, "posts found, later crawls"))
    return min((share for share in shares if share is not None), default=0.0)


def show(record: Record) -> Record:
    """Print one forum as a line."""
    choices = record["choices"]
    head = f"{record['seed']:>7} {choices['shape']:<10} {choices['boards']:<8} {choices['urls']:<16}"
    if record["error"]:
        print(f"{head} RAISED {record['error'][:120]}", flush=True)
        return record
    names = ("first", "later", "true", "prec", "rec", "÷least", "auth", "date", "body")
    values = zip(names, (measure(record, name) for name in MEASURES), strict=True)
    line = " ".join(f"{name} {value:.2f}" for name, value in values if value is not None)
    verdicts = "/".join(one["verdict"] for one in record["accounts"])
    print(f"{head} {line} {verdicts} {record['seconds']}s", flush=True)
    return record


def report(records: Sequence[Record]) -> None:
    """Print the distribution, the worst ten, and the mean of posts found by value of each choice."""
    if not records:
        return
    raised = [record for record in records if record["error"]]
    shares = sorted(found_share(record) for record in records)
    print(f"raised: {len(raised)} {[record['seed'] for record in raised]}")
    if len(shares) > 1:
        cuts = quantiles(shares, n=20, method="inclusive")
        print("posts found: " + "  ".join(f"p{n} {cuts[n // 5 - 1]:.3f}" for n in (5, 10, 25, 50, 75)))
    for figure in figures_of(records, held_back=False):
        print(
            f"  {figure.what}: {figure.value:.4f}"
            + (f"  (bar {figure.bar.sign} {figure.bar.value})" if figure.bar else "")
        )
    print_accounts(record for record in records if not record["error"])
    print("\nthe worst ten")
    for record in sorted(records, key=found_share)[:10]:
        print(f"seed {record['seed']}: {found_share(record):.3f} {record['error']}")
        print("    " + "; ".join(unusual(record["choices"])))
    print("\nposts found by choice (mean, forums), the worst first")
    for share, count, choice, seeds in by_choice(records)[:40]:
        print(f"  {share:.3f} {count:>4}  {choice:<36} {seeds}")


def unusual(choices: Mapping[str, str]) -> list[str]:
    """Return the choices in words, without those that most forums have."""
    return [
        options[value][1]
        for name, value in choices.items()
        for options in [options_of(name)]
        if options[value][0] < max(weight for weight, _ in options.values())
        or name in {"language", "urls", "shape"}
    ]


def by_choice(records: Sequence[Record]) -> list[tuple[float, int, str, str]]:
    """Return the mean share of posts found for each value of each choice, with its worst seeds."""
    groups: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        for name, value in record["choices"].items():
            groups[f"{name}={value}"].append(record)
    found = []
    for choice, group in groups.items():
        worst = sorted(group, key=found_share)[:5]
        bad = ",".join(str(record["seed"]) for record in worst if found_share(record) < ALL_FOUND)
        found.append((fmean(map(found_share, group)), len(group), choice, bad))
    return sorted(found)


def is_false_alarm(record: Record) -> bool:
    """Whether an account calls a forum incomplete of which all posts were found."""
    said = {one["verdict"] for one in record.get("accounts", ())}
    return "incomplete" in said and found_share(record) >= ALL_FOUND


def figures_of(records: Sequence[Record], held_back: bool) -> list[Figure]:
    """Return the figures with bars. Ratios are of sums: a forum without news has no precision of its own."""
    what = f"{len(records)} random forums"
    shares = [found_share(record) for record in records]
    silent = sum(found_share(record) < FEW_FOUND and not record["said"] for record in records)
    rows: list[tuple[str, float, Bar | None]] = [
        ("share with all posts found", fmean(share >= ALL_FOUND for share in shares), at_least(0.99)),
        ("forums under 90 % without a word", silent, at_most(0)),
        ("false alarms of the account", sum(map(is_false_alarm, records)), None),
        ("crawls that raised", sum(bool(record["error"]) for record in records), at_most(0)),
    ]
    for name in ("posts found, first crawl", "posts found, later crawls"):
        values = [value for record in records if (value := measure(record, name)) is not None]
        rows.append((f"{name}, mean", fmean(values), None))
    done = [record for record in records if not record["error"]]
    for name, (when, part, whole, bar) in MEASURES.items():
        total = sum(record[when][whole] for record in done)
        if total and not name.startswith("posts found"):
            rows.append((name, sum(record[when][part] for record in done) / total, bar))
    figures = [Figure("crawl", f"{name}, {what}", float(value), bar) for name, value, bar in rows]
    figures += figures_of_accounts(done, what)
    return [replace(figure, held_back=held_back) for figure in figures]


if __name__ == "__main__":
    main()
