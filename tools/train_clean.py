"""Trains the judgement of paragraphs and writes src/threadmill/page/data/model.npz.

Needs catboost, scikit-learn, scipy and rapidfuzz, which the product itself does not. The data: pages with
their main text (WCXB, CC BY 4.0) or with snippets that must and must not be kept (trafilatura's
evaluation, Apache-2.0), as JSON lines with id, url, site, type, html, gold, with, without. One site in six
is held back and never seen here; it is what bench/clean_quality.py measures. Sets that are for measuring only
(bench/clean_data.py names them) are left out.

    python -m tools.train_clean DIR
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from catboost import CatBoostClassifier
from rapidfuzz.distance import LCSseq
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from bench.clean_data import may_train, read_pages, site_of
from threadmill.page.blocks.cutting import Cut
from threadmill.page.judge.block_evidence import (
    PageFacts,
    WordWeights,
    block_words,
    frame_names,
    joined_names,
    name_parts,
)
from threadmill.page.judge.features import features
from threadmill.page.judge.judgement import facts_of, visible_cut
from threadmill.page.judge.page_batch import PageBatch
from threadmill.page.judge.tree_model import KINDS, MODEL_FILE, CleanModel, KindModel, page_signs
from threadmill.page.parse.tree import parse

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
TOKEN = re.compile(rf"[{CJK}]|[^\W_{CJK}]+")
LEAST_SITES = 4  # a word or name that fewer sites use is a quirk of theirs
LEAST_WEIGHT = 0.03
# Of a page with snippets a few blocks are known. It weighs several times as much as one with as few known
# from its main text; else pages in other languages than English count for next to nothing. Articles are the
# easiest and most of the pages with their main text: docs/decisions/0012-judgement.md.
SNIPPETS_WEIGHT = 4.0
ARTICLE_WEIGHT = 0.4


@dataclass
class Example:
    """A page with what its blocks should be: share of content, −1 where nobody knows."""

    site: str
    kind: str
    cutting: Cut
    facts: PageFacts
    signs: tuple[str, ...]
    names: list[str]
    share: np.ndarray[Any, Any]
    weight: np.ndarray[Any, Any]


def tokens(text: str) -> list[str]:
    """Words as the scorer of the data counts them."""
    return TOKEN.findall(text.lower())


def read_example(record: dict[str, Any]) -> Example:
    """Cut a page and label its blocks."""
    tree = parse(record["html"], record["url"] or "")
    cutting = visible_cut(tree)
    label = label_by_gold if record["gold"] else label_by_snippets
    share, size = label(cutting, record)
    if record["gold"]:
        share = without_chance(share, size)
    seen = np.array([not block.hidden for block in cutting.blocks], bool)
    known = (size > 0) & (share >= 0) & seen
    weight = np.where(known, np.minimum(size, 100) ** 0.7, 0)
    if known.any():
        # long pages say more, but far less than in proportion: what is measured is the mean over pages
        weight *= min(known.sum(), 150) ** 0.35 / weight.sum()
    if not record["gold"]:
        weight *= SNIPPETS_WEIGHT
    elif record["type"] == "article":
        weight *= ARTICLE_WEIGHT
    facts = facts_of(tree, cutting, None)
    signs = page_signs(tree.document, record["url"] or "")
    names = list(map(joined_names, frame_names(cutting.elements)))
    return Example(site_of(record), record["type"], cutting, facts, signs, names, share, weight)


def label_by_gold(cutting: Cut, record: dict[str, Any]) -> tuple[Any, Any]:
    """Align the words of all blocks with those of the gold text; a label is the share with a partner."""
    own, words = [], []
    for i, block in enumerate(cutting.blocks):
        found = tokens(block.text)
        words += found
        own += [i] * len(found)
    numbers: dict[str, int] = {}
    page = [numbers.setdefault(word, len(numbers)) for word in words]
    gold = [numbers.setdefault(word, len(numbers)) for word in tokens(record["gold"])]
    lost = (
        {edit.src_pos for edit in LCSseq.editops(page, gold) if edit.tag == "delete"}
        if page and gold
        else set()
    )
    size = np.bincount(own, minlength=len(cutting.blocks)).astype(float)
    kept = [own[i] for i in range(len(page)) if i not in lost]
    partners = np.bincount(kept, minlength=len(cutting.blocks)) if gold else np.zeros(len(cutting.blocks))
    return partners / np.maximum(size, 1), size


def without_chance(share: Any, size: Any) -> Any:
    """Nothing is known of two or three words that found a partner though hardly a word around them did.

    Aligning finds "Apple Watch" of a heading in the menu.
    """
    good = share >= 0.5
    found, all_words = (
        np.concatenate(([0.0], np.cumsum(words))) for words in (np.where(good, size, 0), size)
    )
    index = np.arange(len(share))
    first, last = np.maximum(index - 6, 0), np.minimum(index + 7, len(share))
    around = all_words[last] - all_words[first] - size
    partners = found[last] - found[first] - np.where(good, size, 0)
    return np.where(good & (size <= 3) & (around > 0) & (partners < 0.15 * around), -1.0, share)


def label_by_snippets(cutting: Cut, record: dict[str, Any]) -> tuple[Any, Any]:
    """Blocks with a wanted snippet are content, with an unwanted one framing; of others nothing is known."""
    wanted, unwanted = ([" ".join(tokens(s)) for s in record[key]] for key in ("with", "without"))
    share, size = [], []
    for block in cutting.blocks:
        text = " ".join(tokens(block.text))
        good, bad = any(s and s in text for s in wanted), any(s and s in text for s in unwanted)
        share.append(1.0 if good and not bad else 0.0 if bad and not good else -1.0)
        size.append(len(text.split()))
    return np.array(share), np.array(size, float)


def learn_lexicon(examples: Sequence[Example]) -> WordWeights:
    """Weights of names and words by logistic regression over the bag of them."""
    name_sites, word_sites = defaultdict(set), defaultdict(set)
    for example in examples:
        for attribute in set(example.names):
            for part in name_parts(attribute):
                name_sites[part].add(example.site)
        for block in example.cutting.blocks:
            for word in block_words(block.text):
                word_sites[word].add(example.site)
    names = {n: i for i, n in enumerate(sorted(n for n, s in name_sites.items() if len(s) >= LEAST_SITES))}
    least = LEAST_SITES + 2
    words = {
        w: i + len(names) for i, w in enumerate(sorted(w for w, s in word_sites.items() if len(s) >= least))
    }
    entries, truth, weight = [], [], []
    for example in examples:
        for row, good, much in bags(example, names, words):
            entries.append(row)
            truth.append(good)
            weight.append(much)
    matrix = sparse(entries, len(names) + len(words))
    fit = LogisticRegression(C=0.05, solver="liblinear", max_iter=200)
    fit.fit(matrix, truth, sample_weight=np.array(weight) * 8)
    coefficients = fit.coef_[0]
    chosen_names, chosen_words = (
        {key: float(coefficients[i]) for key, i in keys.items() if abs(coefficients[i]) > LEAST_WEIGHT}
        for keys in (names, words)
    )
    return WordWeights(chosen_names, chosen_words)


def bags(
    example: Example, names: dict[str, int], words: dict[str, int]
) -> Iterator[tuple[Counter[int], bool, float]]:
    """The names around each labelled block and its own first words, by number."""
    chains: list[tuple[int, ...]] = []
    for parent, own in zip(example.cutting.parents, example.names, strict=True):
        parts = tuple(names[part] for part in name_parts(own) if part in names)
        chains.append((chains[parent] if parent >= 0 else ()) + parts)
    for block, share, weight in zip(example.cutting.blocks, example.share, example.weight, strict=True):
        if weight > 0:
            bag = Counter(chains[block.frame] if block.frame >= 0 else ())
            bag.update(words[word] for word in block_words(block.text) if word in words)
            yield bag, bool(share >= 0.5), float(weight)


def sparse(bags_of: Sequence[Counter[int]], width: int) -> Any:
    """A sparse matrix of counts."""
    rows = [i for i, bag in enumerate(bags_of) for _ in bag]
    columns = [column for bag in bags_of for column in bag]
    values = [float(value) for bag in bags_of for value in bag.values()]
    return csr_matrix((values, (rows, columns)), shape=(len(bags_of), width))


def learn_kinds(examples: Iterable[Example]) -> KindModel:
    """Which kind of page each sign speaks for."""
    examples = list(examples)
    sites = defaultdict(set)
    for example in examples:
        for sign in example.signs:
            sites[sign].add(example.site)
    signs = {s: i for i, s in enumerate(sorted(s for s, where in sites.items() if len(where) >= 3))}
    # pages of unknown kind stay out: taken for articles, they made products and answers look like framing
    typed = [example for example in examples if example.kind in KINDS]
    matrix = sparse([Counter(signs[s] for s in e.signs if s in signs) for e in typed], len(signs))
    truth = [KINDS.index(example.kind) for example in typed]
    often = Counter(truth)
    fit = LogisticRegression(C=0.3, max_iter=300)
    fit.fit(matrix, truth, sample_weight=[len(typed) / len(KINDS) / often[k] ** 0.5 / 6 for k in truth])
    weights = {sign: fit.coef_[:, i].astype(np.float32) for sign, i in signs.items()}
    return KindModel(weights, fit.intercept_.astype(np.float32))


def table_of(example: Example, word_weights: WordWeights, kinds: KindModel) -> Any:
    """The columns of a page's blocks, one row per block."""
    facts = PageFacts(example.facts.title, example.facts.stop_words, KINDS, kinds.log_odds(example.signs))
    return features(PageBatch.of_cuts([example.cutting]), [facts], word_weights).table().T


def learn(examples: list[Example], iterations: int) -> CleanModel:
    """Learn weights and kinds first, then trees on columns whose weights and kinds come from other sites."""
    groups = [example.site for example in examples]
    tables: list[Any] = [None] * len(examples)
    for others, these in GroupKFold(3).split(examples, groups=groups):
        part = [examples[i] for i in others]
        word_weights, kinds = learn_lexicon(part), learn_kinds(part)
        for i in these:
            tables[i] = table_of(examples[i], word_weights, kinds)
    known = [example.weight > 0 for example in examples]
    rows = np.concatenate([table[mask] for table, mask in zip(tables, known, strict=True)])
    truth = np.concatenate([e.share[mask] >= 0.5 for e, mask in zip(examples, known, strict=True)]).astype(
        int
    )
    weight = np.concatenate([e.weight[mask] for e, mask in zip(examples, known, strict=True)])
    print(
        f"{len(rows)} blocks, {rows.shape[1]} columns, {truth.mean():.3f} content",
        file=sys.stderr,
        flush=True,
    )
    fit = CatBoostClassifier(
        iterations=iterations, depth=4, learning_rate=0.12, l2_leaf_reg=20, rsm=0.3, border_count=48,
        random_seed=1, verbose=50, thread_count=2, allow_writing_files=False,
    )  # fmt: skip
    fit.fit(rows, truth, sample_weight=weight)
    return CleanModel.of_catboost(learn_lexicon(examples), learn_kinds(examples), export(fit))


def export(fit: CatBoostClassifier) -> dict[str, Any]:
    """CatBoost's own JSON of a trained forest."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "forest.json"
        fit.save_model(str(path), format="json")
        forest: dict[str, Any] = json.loads(path.read_text())
    return forest


def main() -> None:
    """Train on all sites that are not held back and write the model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--iterations", type=int, default=200)
    parser.add_argument("--output", type=Path, default=MODEL_FILE)
    arguments = parser.parse_args()
    records = filter(may_train, read_pages(arguments.data))
    examples = [example for example in map(read_example, records) if example.cutting.blocks]
    model = learn(examples, arguments.iterations)
    model.save(arguments.output)
    print(f"{len(examples)} pages, {arguments.output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
