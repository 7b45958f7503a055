"""Trains the classifier of index, thread and other pages, writes its weights; needs scikit-learn.

It learns from saved pages, pages made by hand, and pages of imitated engines and random forums (development
seeds alone).
"""

from __future__ import annotations

import argparse
import json
import math
import zlib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench.forum_cases import cases
from bench.forum_quality import labelled_pages
from bench.imitations import open_imitation, read_engines
from bench.random_pages import DATE, HOST
from threadmill.forum.page_class.classify import page_features
from threadmill.forum.read_page import PageAnalysis
from threadmill.lab.judge.truth import all_pages
from threadmill.lab.simulate.forum import SimulatedForum, as_unix_time
from threadmill.lab.simulate.random_forum.open_forum import open_random_forum
from threadmill.lab.simulate.respond import SimulatedAnswer, respond
from threadmill.page.parse.links import find_links
from threadmill.page.parse.tree import parse

TARGET = Path(__file__).resolve().parents[1] / "src/threadmill/forum/page_class/weights.json"
_FOLDS = 10
_TREES = 200  # of each kind
# Of a page of a random forum. There are five times as many as saved pages: together they weigh half as much.
_RANDOM_WEIGHT = 0.1
_IMITATED_WEIGHT = 0.2  # an imitated engine has the markup of a real one, on some eleven pages
# Saved pages whose label is that of the address, not of what was saved: a check for robots, and shells whose
# posts a script would fetch. The spec wants them called other; they neither train nor count. Nor do the last
# four, threads and boards in another order: not worth a download, but to look at they are what they are.
DOUBTFUL = (
    "wcxb_0551",
    "wcxb_0561_reddit",
    "wcxb_0563_reddit",
    "wcxb_4008_reddit",
    "wcxb_4607_forum.freecodecamp",
    "wcxb_4838_community.clark",
    "ordertype=1",
    "sk=t&sd=d",
    "answertab=votes",
    "sort=votes",
)


@dataclass(frozen=True, slots=True)
class Sample:
    """One labelled page in numbers; pages of one group (a host, an engine) are never on both sides."""

    source: str  # saved, made (by hand), generated, imitated, random
    group: str
    label: str
    weight: float
    name: str
    numbers: dict[str, float]


def samples() -> list[Sample]:
    """Every labelled page there is."""
    found = []
    for _, label, weight, name, analysis in labelled_pages():
        if any(doubt in name for doubt in DOUBTFUL):
            continue
        source = "saved" if name.startswith("pages/") else "generated"
        found.append(Sample(source, _group(name, analysis), label, weight, name, page_features(analysis)))
    for name, page, wanted in cases():
        analysis = PageAnalysis(parse(page, wanted["url"]), datetime.fromisoformat(wanted["now"]))
        group = f"made {name.partition('-')[0]}"
        found.append(Sample("made", group, wanted["kind"], 0.5, name, page_features(analysis)))
    return found


def random_samples(seeds: Iterable[int]) -> list[Sample]:
    """Pages of random forums."""
    forums = ((f"random {seed}", open_random_forum(seed)) for seed in seeds)
    return [one for name, forum in forums for one in _forum_samples("random", name, forum, _RANDOM_WEIGHT)]


def imitated_samples() -> list[Sample]:
    """Pages of imitated engines of the first two sets; the later ones are held back."""
    found = []
    for name in (*read_engines("first"), *read_engines("second")):
        found += _forum_samples("imitated", f"imitated {name}", open_imitation(name), _IMITATED_WEIGHT)
    return found


def _forum_samples(source: str, name: str, forum: SimulatedForum, weight: float) -> list[Sample]:
    """Some pages of a forum: lists, threads, and what its start page links beside them."""
    shown = all_pages(forum, DATE)
    names = {page.key: "thread" if page.kind == "thread" else "index" for page in shown}
    home = next(page.key for page in shown if page.kind != "thread")
    links = find_links(_analyse(_answer(forum, home), home).tree).urls
    others = [key for link in links if (key := link.partition(f"//{HOST}")[2]) and key not in names]
    others = [key for key in dict.fromkeys(others) if _answer(forum, key).page_class == "other"]
    found = []
    for key in (*_some(names, "index", 4), *_some(names, "thread", 4), *others[:3]):
        answer = _answer(forum, key)
        if answer.status == HTTPStatus.OK:
            numbers = page_features(_analyse(answer, key))
            found.append(Sample(source, name, names.get(key, "other"), weight, f"{name} {key}", numbers))
    return found


def _some(names: dict[str, str], kind: str, count: int) -> list[str]:
    keys = [key for key, known in names.items() if known == kind]
    return keys[:: max(1, len(keys) // count)][:count]


def _answer(forum: SimulatedForum, key: str) -> SimulatedAnswer:
    return respond(forum, key, as_unix_time(DATE), {"host": HOST})


def _analyse(answer: SimulatedAnswer, key: str) -> PageAnalysis:
    tree = parse(answer.body, f"http://{HOST}{key}", answer.header("Content-Type") or "")
    return PageAnalysis(tree, datetime.fromtimestamp(as_unix_time(DATE), UTC))


def _group(name: str, analysis: PageAnalysis) -> str:
    if name.startswith(("pages/", "http")):
        return urlsplit(analysis.tree.url).netloc or name.partition("_")[0]
    return name.partition(" ")[0]


@dataclass(frozen=True, slots=True)
class Trained:
    """Two models whose probabilities are averaged: a line over scaled features, and small trees.

    The line alone loses saved pages when random forums are added, the trees alone lose generated ones.
    """

    names: list[str]
    scaler: Any
    line: Any
    trees: Any

    def predict(self, chosen: list[Sample]) -> list[str]:
        """The kind of each page."""
        table = _table(chosen, self.names)
        summed = self.line.predict_proba(self.scaler.transform(table)) + self.trees.predict_proba(table)
        return [str(self.line.classes_[place]) for place in summed.argmax(axis=1)]


def _table(chosen: list[Sample], names: list[str]) -> Any:
    import numpy as np

    return np.array([[sample.numbers[name] for name in names] for sample in chosen])


def fit(chosen: list[Sample], strength: float) -> Trained:
    """Both models, with each kind of page weighing the same."""
    from sklearn.ensemble import GradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    names = sorted(chosen[0].numbers)
    table = _table(chosen, names)
    labels = [sample.label for sample in chosen]
    sums = {kind: sum(s.weight for s in chosen if s.label == kind) for kind in set(labels)}
    weights = [sample.weight / sums[sample.label] for sample in chosen]
    weights = [weight * len(weights) / sum(weights) for weight in weights]
    scaler = StandardScaler().fit(table)
    line = LogisticRegression(C=strength, max_iter=5000)
    line.fit(scaler.transform(table), labels, sample_weight=weights)
    # Chosen by cross-validation: deeper or more trees gain nothing.
    trees = GradientBoostingClassifier(
        n_estimators=_TREES, max_depth=3, subsample=0.7, max_features=0.3, random_state=1
    )
    trees.fit(table, labels, sample_weight=weights)
    return Trained(names, scaler, line, trees)


def cross_validate(chosen: list[Sample], strength: float) -> dict[str, list[tuple[Sample, str]]]:
    """Each page with what a model that saw nothing of its group takes it for, by source."""
    found: dict[str, list[tuple[Sample, str]]] = defaultdict(list)
    for fold in range(_FOLDS):
        apart = [s for s in chosen if zlib.crc32(s.group.encode()) % _FOLDS == fold]
        rest = [s for s in chosen if zlib.crc32(s.group.encode()) % _FOLDS != fold]
        if not apart:
            continue
        for sample, guess in zip(apart, fit(rest, strength).predict(apart), strict=True):
            found[sample.source].append((sample, guess))
    return found


def write(trained: Trained) -> None:
    """The shipped model."""
    line, scaler, trees = trained.line, trained.scaler, trained.trees
    data = {
        "kinds": list(line.classes_),
        "features": trained.names,
        "means": [round(float(v), 6) for v in scaler.mean_],
        "scales": [round(float(v), 6) for v in scaler.scale_],
        "weights": [[round(float(v), 5) for v in row] for row in line.coef_],
        "biases": [round(float(v), 5) for v in line.intercept_],
        "start": _start(trees),
        "trees": [
            [_nodes(one.tree_, 0, trees.learning_rate) for one in trees.estimators_[:, kind]]
            for kind in range(len(line.classes_))
        ],
    }
    TARGET.write_text(json.dumps(data, separators=(",", ":")) + "\n")


def _start(trees: Any) -> list[float]:
    """What the trees of each kind add to: the logarithm of its share."""
    return [round(math.log(float(share)), 5) for share in trees.init_.class_prior_]


def _nodes(tree: Any, node: int, rate: float) -> Any:
    """A tree as nested lists: feature, threshold, below or at it, above it. A leaf is a number."""
    if tree.children_left[node] < 0:
        return round(float(tree.value[node][0][0]) * rate, 4)
    below, above = (_nodes(tree, side[node], rate) for side in (tree.children_left, tree.children_right))
    return [int(tree.feature[node]), round(float(tree.threshold[node]), 5), below, above]


def main() -> None:
    """Print the accuracy by cross-validation over hosts, then train on everything and write the model."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--strength", type=float, default=0.3, help="inverse of the regularisation")
    parser.add_argument("--random", type=int, default=100, help="random forums to learn from")
    options = parser.parse_args()
    forums = random_samples(range(1, options.random + 1))
    report([*samples(), *imitated_samples(), *forums], options.strength)


def report(chosen: list[Sample], strength: float) -> None:
    """The figures, and the model trained on everything."""
    for source, pairs in cross_validate(chosen, strength).items():
        right = sum(sample.label == guess for sample, guess in pairs)
        print(f"{source}: {right} of {len(pairs)} right ({right / len(pairs):.3f})")
        for sample, guess in pairs:
            if sample.label != guess and source not in {"generated", "random"}:
                print(f"    {sample.name} {sample.label} taken for {guess}")
    write(fit(chosen, strength))


if __name__ == "__main__":
    main()
