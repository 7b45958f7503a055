"""The trained model of cleaning: what kind of page this is, and oblivious decision trees for its blocks.

The kind (article, forum, product, listing …) is told by signs outside the text: words of the URL, og:type,
the generator, schema.org types, class and id of the body. How much each sign speaks for each kind was learnt.
In an oblivious tree all nodes of a level ask the same question. So a tree is a few questions and a table of
answers, and a forest over a page is one comparison of a matrix with a column.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray
from turbohtml import Document, Element

from threadmill.native.loader import load_extension
from threadmill.page.judge.block_evidence import WordWeights, name_parts
from threadmill.page.judge.page_batch import Floats, Indices

KINDS = ("article", "collection", "documentation", "forum", "listing", "product", "service")

_HOST_WORDS = frozenset(
    ("blog", "community", "developer", "discuss", "docs", "forum", "forums", "help", "news", "shop", "store",
     "support", "wiki")
)  # fmt: skip
_SCHEMA_TYPE = re.compile(r'"@type"\s*:\s*\[?\s*"(\w{1,40})"')
_MOST = 40  # signs of one sort; more would only cost time
_SCRIPT_CHARS = 20_000


@dataclass(frozen=True, slots=True)
class KindModel:
    """Multinomial logistic regression over signs."""

    weights: Mapping[str, Floats]  # sign → weight for each kind
    bias: Floats
    # Derived: bias and weights as one table, and where each sign stands in it.
    table: Floats = field(init=False)
    rows: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        """Make a table of the weights."""
        object.__setattr__(self, "table", np.array([self.bias, *self.weights.values()], np.float32))
        object.__setattr__(self, "rows", {sign: row for row, sign in enumerate(self.weights, 1)})

    def log_odds(self, signs: tuple[str, ...]) -> Floats:
        """The logarithm of each kind's probability."""
        known = [0, *filter(None, map(self.rows.get, signs))]
        add, most = (
            np.add.reduce,
            np.maximum.reduce,
        )  # methods of arrays take twice the time for so few numbers
        total = add(self.table.take(known, axis=0), axis=0)
        total -= most(total)
        total -= np.log(add(np.exp(total)))
        chances: Floats = np.minimum(np.maximum(total, -6), 0)
        return chances


def page_signs(document: Document, url: str, typed: list[Element] | None = None) -> tuple[str, ...]:
    """All signs of a page, each once. `typed` are the elements with [itemtype], where they are known."""
    if typed is None:
        typed = document.select("[itemtype]")
    signs = [*_address_signs(url), *_element_signs(document, typed)]
    body = document.find("body")
    if body is not None:
        names = name_parts(f"{body.attr('class') or ''} {body.attr('id') or ''}")
        signs.extend(f"body:{name}" for name in names[:20])
    return tuple(dict.fromkeys(signs))


def _address_signs(url: str) -> list[str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return []
    path = parts.path.strip("/")[:1000]
    depth = min(path.count("/") + 1 if path else 0, 4)
    hosts = [f"host:{name}" for name in name_parts(parts.netloc) if name in _HOST_WORDS]
    return [f"path:{name}" for name in name_parts(path)[:12]] + [f"depth:{depth}"] + hosts


def _element_signs(document: Document, typed: list[Element]) -> list[str]:
    """Signs in the head, and the types of schema.org."""
    heads = _head_elements(document, typed)
    scripts = document.select('script[type="application/ld+json"]')
    scripts = [script for script in scripts if script.attr("type") == "application/ld+json"]
    signs = [f"meta:{name}" for meta in heads[:4] for name in name_parts(meta.attr("content") or "")[:3]]
    types: dict[str, None] = {}
    for script in scripts[:8]:
        types.update(dict.fromkeys(_SCHEMA_TYPE.findall(script.text[:_SCRIPT_CHARS])))
    for element in typed[:_MOST]:
        types[(element.attr("itemtype") or "")[-60:].rpartition("/")[2]] = None
    return signs + [f"schema:{name.lower()}" for name in list(types)[:_MOST] if name]


def _head_elements(document: Document, typed: list[Element]) -> list[Element]:
    """The elements that tell the type of the page or the program that made it, in the order of the page."""
    found = document.select('meta[property="og:type"]')
    named = document.select("meta[name=generator]")
    named += [element for element in typed if element.tag == "meta" and element.attr("name")]
    if not found or not named:
        return found or named
    wanted = {*found, *named}
    return [element for element in document.select("meta") if element in wanted]


_COMPILED = load_extension("verdicts")

# Blocks that are scored together: the answers of 200 trees to 256 blocks fit into a processor's cache.
_AT_ONCE = 256
# Answers are summed as multiples of this: then the sum does not depend on its order.
_PART = 2.0**-20

# Written by tools/train_clean.py.
MODEL_FILE = files("threadmill.page").joinpath("data/model.npz")


@dataclass(frozen=True, slots=True)
class Forest:
    """Oblivious trees of one depth: per level a column and a border, per tree a table of values."""

    columns: Indices  # trees × depth
    borders: Floats  # trees × depth
    values: Floats  # trees × 2 ** depth
    bias: float
    # Derived: the different questions of all trees, and the values as multiples of _PART.
    questions: tuple[Indices, Floats] = field(init=False)  # column and border
    asked: Indices = field(init=False)  # depth × trees: the number of the question
    answers: NDArray[np.int32] = field(init=False)
    trees: list[Any] = field(init=False, default_factory=list)  # laid out for native code, once asked for

    def __post_init__(self) -> None:
        """Find the different questions (a third are asked by several trees), and round the values."""
        pairs = np.stack((self.columns.ravel(), self.borders.ravel()))
        different, numbers = np.unique(pairs, axis=1, return_inverse=True)
        questions = different[0].astype(np.intp), different[1].astype(np.float32)[:, None]
        object.__setattr__(self, "questions", questions)
        object.__setattr__(self, "asked", numbers.reshape(self.columns.shape).T.copy())
        object.__setattr__(self, "answers", np.rint(self.values / _PART).astype(np.int32))

    def score(self, table: Floats) -> Floats:
        """The log odds of every block; the table has one row per column."""
        count = table.shape[1]
        scores = np.empty(count, np.float32)
        if _COMPILED is not None:
            if not self.trees:
                made = _COMPILED.Trees(*self.questions, self.asked, self.answers, _PART, self.bias)
                self.trees.append(made)
            self.trees[0].score(np.ascontiguousarray(table, np.float32), scores)
            return scores
        for start in range(0, count, _AT_ONCE):
            scores[start : start + _AT_ONCE] = self._score(table[:, start : start + _AT_ONCE])
        return scores

    def _score(self, table: Floats) -> Floats:
        trees, depth = self.columns.shape
        columns, borders = self.questions
        said = (table[columns] > borders).view(np.uint8)
        leaf = np.zeros((trees, table.shape[1]), np.uint8)
        for level in range(depth):  # level by level: so the processor's cache holds what is looked up
            leaf |= said[self.asked[level]] << level
        offsets = (np.arange(trees, dtype=np.intp) << depth)[:, None]
        scores: Floats = self.answers.take(offsets + leaf).sum(axis=0, dtype=np.int32) * np.float32(_PART)
        return scores + np.float32(self.bias)


@dataclass(frozen=True, slots=True)
class CleanModel:
    """All that was learnt: weights of words and names, kinds of pages, decision trees."""

    word_weights: WordWeights
    kinds: KindModel
    forest: Forest

    @staticmethod
    def of_catboost(word_weights: WordWeights, kinds: KindModel, forest: dict[str, Any]) -> CleanModel:
        """From the JSON that CatBoost writes of a forest of symmetric trees."""
        trees = forest["oblivious_trees"]
        depth = max(len(tree["splits"]) for tree in trees)
        columns, borders = (
            np.zeros((len(trees), depth), np.intp),
            np.full((len(trees), depth), np.inf, np.float32),
        )
        values = np.zeros((len(trees), 2**depth), np.float32)
        for i, tree in enumerate(trees):
            for level, split in enumerate(tree["splits"]):
                columns[i, level] = split["float_feature_index"]
                borders[i, level] = split["border"]
            values[i, : len(tree["leaf_values"])] = tree["leaf_values"]
        scale, bias = forest["scale_and_bias"]
        return CleanModel(word_weights, kinds, Forest(columns, borders, values * scale, float(bias[0])))

    def save(self, path: Any) -> None:
        """Write the model to a file of plain arrays."""
        np.savez_compressed(
            path,
            names=np.array(list(self.word_weights.names)),
            name_weights=np.array(list(self.word_weights.names.values()), np.float32),
            words=np.array(list(self.word_weights.words)),
            word_weights=np.array(list(self.word_weights.words.values()), np.float32),
            signs=np.array(list(self.kinds.weights)),
            sign_weights=np.array(list(self.kinds.weights.values()), np.float32),
            kind_bias=self.kinds.bias,
            columns=self.forest.columns.astype(np.int16),
            borders=self.forest.borders,
            values=self.forest.values,
            bias=np.float32(self.forest.bias),
        )


def load_clean_model(source: Traversable) -> CleanModel:
    """Read what save() wrote."""
    with source.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    word_weights = WordWeights(
        dict(zip(arrays["names"].tolist(), arrays["name_weights"].tolist(), strict=True)),
        dict(zip(arrays["words"].tolist(), arrays["word_weights"].tolist(), strict=True)),
    )
    kinds = KindModel(
        dict(zip(arrays["signs"].tolist(), arrays["sign_weights"], strict=True)), arrays["kind_bias"]
    )
    forest = Forest(
        arrays["columns"].astype(np.intp), arrays["borders"], arrays["values"], float(arrays["bias"])
    )
    return CleanModel(word_weights, kinds, forest)


@cache
def shipped_clean_model() -> CleanModel:
    """The model that comes with the package."""
    return load_clean_model(MODEL_FILE)


def page_kind_odds(document: Document, url: str, typed: list[Element] | None = None) -> Floats:
    """The logarithm of the probability of each kind of page."""
    return shipped_clean_model().kinds.log_odds(page_signs(document, url, typed))
