"""Sets what the account of each crawl says beside the share of the posts that is truly kept.

Used by the benches of random forums and imitated engines. A post is kept if the judge finds it among the
exported posts, or if a post of the same author has all its words: a body with a quotation or a signature too
much is a fault of reading, but no lost post.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from bench.figures import Figure, at_most
from threadmill.crawl.forum.account import COMPLETE, INCOMPLETE, UNKNOWN
from threadmill.lab.evaluate.forum_experiment import ForumRunRecord
from threadmill.lab.judge.post_matching import PostMatcher, fold_name, tokenise
from threadmill.lab.judge.truth import true_posts
from threadmill.lab.simulate.forum import SimulatedForum

Record = Mapping[str, Any]
BORDERS = (("≥ .995", 0.995), (".98–.995", 0.98), (".9–.98", 0.9), ("< .9", 0.0))
ENOUGH = 0.98  # the share that the account promises when it says "complete"


def read_accounts(forum: SimulatedForum, run: ForumRunRecord) -> list[dict[str, Any]]:
    """For each date, the verdict and the shares of posts that are found and whose words are kept."""
    matcher = PostMatcher(forum)
    found = []
    for date, posts in run.posts.items():
        account = run.reports[date].account
        shares = kept_shares(matcher, posts, date)
        verdict = account.verdict if account else UNKNOWN
        found.append({"date": date, "verdict": verdict, "found": shares[0], "kept": shares[1]})
    return found


def kept_shares(matcher: PostMatcher, posts: Sequence[Mapping[str, Any]], date: str) -> tuple[float, float]:
    """The share of the visible posts that is found, and the share whose words are kept."""
    true = {one.post: one for one in true_posts(matcher.forum, date)}
    ranks = matcher.match(list(posts), date)
    numbers = [None if rank is None else matcher.world.ids[rank] for rank in ranks]
    found = true.keys() & set(numbers)
    rest: dict[str, list[str]] = defaultdict(list)
    for post, number in zip(posts, numbers, strict=True):
        if number is None:
            rest[fold_name(str(post.get("author") or ""))].append(_words(str(post.get("text") or "")))
    held = len(found)
    lost = [(_words(true[number].text), fold_name(true[number].author)) for number in true.keys() - found]
    for wanted, author in sorted(
        lost, key=lambda one: (-len(one[0]), one)
    ):  # a short text may be in a longer
        texts = rest[author]
        holder = next((text for text in texts if wanted in text), None)
        if holder is not None:  # it holds one post
            texts.remove(holder)
            held += 1
    return (len(found) / len(true), held / len(true)) if true else (1.0, 1.0)


def _words(text: str) -> str:
    return f" {' '.join(tokenise(text))} "


def print_accounts(records: Iterable[Record]) -> None:
    """Print how often each verdict met each share, for first and for later crawls, and what is wrong."""
    records = list(records)
    for when, dates in (("first", slice(0, 1)), ("later", slice(1, None))):
        counts = Counter(
            (one["verdict"], _border(one["kept"])) for record in records for one in record["accounts"][dates]
        )
        print(f"\naccounts of {when} crawls, by the true share of kept posts")
        print(f"  {'':<12}" + "".join(f"{name:>10}" for name, _ in BORDERS))
        for verdict in (COMPLETE, UNKNOWN, INCOMPLETE):
            print(f"  {verdict:<12}" + "".join(f"{counts[verdict, name]:>10}" for name, _ in BORDERS))
    for record, one in _wrong(records):
        shares = f"{one['kept']:.3f} kept, {one['found']:.3f} found"
        print(f"  {record['seed']} {one['date']}: {one['verdict']}, {shares}")


def figures_of_accounts(records: Sequence[Record], what: str) -> list[Figure]:
    """The figures of the account, with the bar that none says "complete" although posts are missing."""
    all_of = [one for record in records for one in record["accounts"]]
    early = sum(one["verdict"] == COMPLETE and one["kept"] < ENOUGH for one in all_of)
    unsure = sum(one["verdict"] == UNKNOWN and one["kept"] >= ENOUGH for one in all_of)
    alarms = sum(one["verdict"] == INCOMPLETE and one["kept"] >= BORDERS[0][1] for one in all_of)
    name = f"of {len(all_of)} accounts of {what}"
    return [
        Figure(
            "crawl", f'"complete" with under 98 % of the posts, {name}', early, at_most(0), held_back=False
        ),
        Figure("crawl", f'"unknown" with 98 % of the posts, {name}', unsure, held_back=False),
        Figure("crawl", f'"incomplete" with all posts, {name}', alarms, held_back=False),
    ]


def _wrong(records: Iterable[Record]) -> Iterator[tuple[Record, Mapping[str, Any]]]:
    """The accounts that say "complete" with posts missing, or "incomplete" with all there."""
    for record in records:
        for one in record["accounts"]:
            early = one["verdict"] == COMPLETE and one["kept"] < ENOUGH
            if early or (one["verdict"] == INCOMPLETE and one["kept"] >= BORDERS[0][1]):
                yield record, one


def _border(share: float) -> str:
    return next(name for name, least in BORDERS if share >= least)
