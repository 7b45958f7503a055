"""Trains the weights that tell lists of boards from lists of threads, and prints them; needs scikit-learn.

It learns from what we made: random forums (development seeds), simulated forums, pages made by hand.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from bench import simulated
from bench.forum_cases import cases
from bench.random_pages import DATE, HOST, locate
from threadmill.forum.index.counters_and_boards import board_features
from threadmill.forum.read_page import PageAnalysis
from threadmill.lab.judge.truth import all_pages
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import SimulatedForum, as_unix_time
from threadmill.lab.simulate.random_forum.open_forum import open_random_forum
from threadmill.lab.simulate.respond import respond
from threadmill.page.parse.tree import parse
from threadmill.types import ThreadRow

_MOST = 0.6  # of the rows lead to one kind of page
_FOLDS = 5
_PAGES = 5  # index pages of a forum
_MADE_WEIGHT = 5.0  # of a list of a page made after a real engine
_STRENGTH = 0.5


@dataclass(frozen=True, slots=True)
class Sample:
    """One list with its features: 1 for boards, 0 for threads."""

    group: str
    label: int
    weight: float
    numbers: dict[str, float]


def samples(seeds: Iterable[int]) -> list[Sample]:
    """The lists of all forums and pages."""
    found: list[Sample] = []
    for seed in seeds:
        found += _forum_samples(f"random {seed}", open_random_forum(seed), 1.0)
    for name in simulated.NAMES:
        found += _forum_samples(f"simulated {name}", open_forum(name), _MADE_WEIGHT)
    for name, page, wanted in cases():
        if wanted["kind"] == "index":
            analysis = PageAnalysis(parse(page, wanted["url"]), datetime.fromisoformat(wanted["now"]))
            label = int(bool(wanted.get("boards")))
            kinds = dict.fromkeys(wanted["rows"], label)
            found += _list_samples(f"made {name}", analysis, _label_by_title(kinds), _MADE_WEIGHT)
    return found


def _label_by_title(kinds: dict[str, int]) -> Callable[[ThreadRow], int | None]:
    return lambda row: kinds.get(row.title)


def _forum_samples(group: str, forum: SimulatedForum, weight: float) -> Iterator[Sample]:
    shown = all_pages(forum, DATE)
    keys = [page.key for page in shown if page.kind == "home"][:1]
    others = [page.key for page in shown if page.kind == "index"]
    keys += others[:: max(1, len(others) // _PAGES)][:_PAGES]

    def label_of(row: ThreadRow) -> int | None:
        kind = forum.layout.route_url(row.url.partition(f"//{HOST}")[2] or "/").kind
        return {"board": 1, "thread": 0, "post": 0}.get(kind) if locate(forum, row.url) else None

    for key in keys:
        now = as_unix_time(DATE)
        answer = respond(forum, key, now, {"host": HOST})
        tree = parse(answer.body, f"http://{HOST}{key}", answer.header("Content-Type") or "")
        yield from _list_samples(
            group, PageAnalysis(tree, datetime.fromtimestamp(now, UTC)), label_of, weight
        )


def _list_samples(
    group: str,
    analysis: PageAnalysis,
    label_of: Callable[[ThreadRow], int | None],
    weight: float,
) -> Iterator[Sample]:
    """The lists of a page most of whose rows are boards, or threads."""
    for found, parsed in zip(analysis.row_lists, analysis.parsed_row_lists, strict=True):
        rows = parsed.rows
        labels = [label for row in rows if (label := label_of(row)) is not None]
        for label in (0, 1):
            if labels.count(label) >= _MOST * len(rows):
                numbers = board_features(found.table, found.titles, rows, two_dates=parsed.two_dates)
                yield Sample(group, label, weight, numbers)


def main() -> None:
    """Print the accuracy by cross-validation over forums, then the weights."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--random", type=int, default=150, help="random forums to learn from")
    options = parser.parse_args()
    report(samples(range(1, options.random + 1)))


def report(chosen: list[Sample]) -> None:
    """The figures and the weights."""
    names = sorted(chosen[0].numbers)
    groups = sorted({sample.group for sample in chosen})
    right: dict[str, list[bool]] = {}
    for fold in range(_FOLDS):
        apart = set(groups[fold::_FOLDS])
        model = _fit([sample for sample in chosen if sample.group not in apart], names)
        for sample in chosen:
            if sample.group in apart:
                guess = model.predict([[sample.numbers[name] for name in names]])[0]
                right.setdefault(sample.group.split()[0], []).append(guess == sample.label)
                if guess != sample.label and not sample.group.startswith("random"):
                    print(f"    {sample.group}: {sample.label} taken for {guess}")
    for source, marks in right.items():
        print(f"{source}: {sum(marks)} of {len(marks)} lists right ({sum(marks) / len(marks):.3f})")
    model = _fit(chosen, names)
    print(f"_BIAS = {model.intercept_[0]:.2f}")
    for name, weight in zip(names, model.coef_[0], strict=True):
        print(f'    "{name}": {weight:.2f},')


def _fit(chosen: list[Sample], names: list[str]) -> Any:
    from sklearn.linear_model import LogisticRegression

    sums = [sum(s.weight for s in chosen if s.label == label) for label in (0, 1)]
    weights = [sample.weight / sums[sample.label] * sum(sums) / 2 for sample in chosen]
    table = [[sample.numbers[name] for name in names] for sample in chosen]
    model = LogisticRegression(C=_STRENGTH, max_iter=5000)
    return model.fit(table, [sample.label for sample in chosen], sample_weight=weights)


if __name__ == "__main__":
    main()
