"""Trains the classifier of index, thread and other pages, writes its weights; needs scikit-learn.

It learns from saved pages, pages made by hand, and pages of random forums (development seeds alone).
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench.forum_cases import cases
from bench.forum_quality import labelled_pages
from bench.random_pages import DATE, HOST, locate
from threadmill.forum.page_analysis import PageAnalysis
from threadmill.forum.page_class.classify import page_features
from threadmill.lab.judge.truth import all_pages
from threadmill.lab.simulate.forum import SimulatedForum, as_unix_time
from threadmill.lab.simulate.random_forum.open_forum import open_random_forum
from threadmill.lab.simulate.respond import respond
from threadmill.page.parse.links import find_links
from threadmill.page.parse.tree import parse

TARGET = Path(__file__).resolve().parents[1] / "src/threadmill/forum/page_class/weights.json"
_FOLDS = 10
_RANDOM_WEIGHT = 0.2  # of a page of a random forum: there are ten times as many as saved pages
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

    source: str  # saved, made (by hand), generated, random
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
    """Some pages of each random forum: lists, threads, and what its start page links beside them."""
    found = []
    for seed in seeds:
        forum = open_random_forum(seed)
        shown = all_pages(forum, DATE)
        names = {page.key: "thread" if page.kind == "thread" else "index" for page in shown}
        home = next(page.key for page in shown if page.kind != "thread")
        links = [link.partition(f"//{HOST}")[2] for link in find_links(_page(forum, home).tree).urls]
        others = [key for key in dict.fromkeys(links) if key and locate(forum, key) is None]
        chosen = [*_some(names, "index", 4), *_some(names, "thread", 4), *others[:3]]
        for key in chosen:
            analysis = _page(forum, key)
            label = names.get(key, "other")
            name = f"random {seed} {key}"
            found.append(
                Sample("random", f"random {seed}", label, _RANDOM_WEIGHT, name, page_features(analysis))
            )
    return found


def _some(names: dict[str, str], kind: str, count: int) -> list[str]:
    keys = [key for key, known in names.items() if known == kind]
    return keys[:: max(1, len(keys) // count)][:count]


def _page(forum: SimulatedForum, key: str) -> PageAnalysis:
    now = as_unix_time(DATE)
    answer = respond(forum, key, now, {"host": HOST})
    tree = parse(answer.body, f"http://{HOST}{key}", answer.header("Content-Type") or "")
    return PageAnalysis(tree, datetime.fromtimestamp(now, UTC))


def _group(name: str, analysis: PageAnalysis) -> str:
    if name.startswith(("pages/", "http")):
        return urlsplit(analysis.tree.url).netloc or name.partition("_")[0]
    return name.partition(" ")[0]


def fit(chosen: list[Sample], strength: float) -> tuple[Any, Any, list[str]]:
    """Scaler, model and the names of its features."""
    import numpy as np
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    names = sorted(chosen[0].numbers)
    table = np.array([[sample.numbers[name] for name in names] for sample in chosen])
    scaler = StandardScaler().fit(table)
    model = LogisticRegression(C=strength, max_iter=5000, class_weight="balanced")
    model.fit(scaler.transform(table), [s.label for s in chosen], sample_weight=[s.weight for s in chosen])
    return scaler, model, names


def cross_validate(chosen: list[Sample], strength: float) -> dict[str, list[tuple[Sample, str]]]:
    """Each page with what a model that saw nothing of its group takes it for, by source."""
    found: dict[str, list[tuple[Sample, str]]] = defaultdict(list)
    for fold in range(_FOLDS):
        apart = [s for s in chosen if zlib.crc32(s.group.encode()) % _FOLDS == fold]
        rest = [s for s in chosen if zlib.crc32(s.group.encode()) % _FOLDS != fold]
        if not apart:
            continue
        scaler, model, names = fit(rest, strength)
        guesses = model.predict(scaler.transform([[s.numbers[name] for name in names] for s in apart]))
        for sample, guess in zip(apart, guesses, strict=True):
            found[sample.source].append((sample, str(guess)))
    return found


def write(scaler: Any, model: Any, names: list[str]) -> None:
    """The shipped model."""
    data = {
        "kinds": list(model.classes_),
        "features": names,
        "means": [round(float(v), 6) for v in scaler.mean_],
        "scales": [round(float(v), 6) for v in scaler.scale_],
        "weights": [[round(float(v), 5) for v in line] for line in model.coef_],
        "biases": [round(float(v), 5) for v in model.intercept_],
    }
    TARGET.write_text(json.dumps(data, indent=1) + "\n")


def main() -> None:
    """Print the accuracy by cross-validation over hosts, then train on everything and write the model."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--strength", type=float, default=0.3, help="inverse of the regularisation")
    parser.add_argument("--random", type=int, default=240, help="random forums to learn from")
    options = parser.parse_args()
    report([*samples(), *random_samples(range(1, options.random + 1))], options.strength)


def report(chosen: list[Sample], strength: float) -> None:
    """The figures, and the model trained on everything."""
    for source, pairs in cross_validate(chosen, strength).items():
        right = sum(sample.label == guess for sample, guess in pairs)
        print(f"{source}: {right} of {len(pairs)} right ({right / len(pairs):.3f})")
        for sample, guess in pairs:
            if sample.label != guess and source not in {"generated", "random"}:
                print(f"    {sample.name} {sample.label} taken for {guess}")
    write(*fit(chosen, strength))


if __name__ == "__main__":
    main()
