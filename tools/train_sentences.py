"""Trains src/threadmill/corpus/data/sentences.json on the free treebanks of a directory.

Run: python tools/train_sentences.py DIRECTORY (needs scikit-learn). Files under a non-commercial licence give
nothing to the table, and a third of each free file is held back for `python -m bench.tokens`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.treebank import Unit, load  # noqa: E402
from threadmill.corpus.languages import profile  # noqa: E402
from threadmill.corpus.pieces import Piece  # noqa: E402
from threadmill.corpus.sentences import _END, _START, candidates, length_step, situation, words  # noqa: E402

TARGET = ROOT / "src/threadmill/corpus/data/sentences.json"
# Chosen on a fifth of the training part.
STRENGTH = 0.4
LANGUAGE_SCALE = 0.6
_SMALLEST = 3  # hundredths


def main(directory: Path) -> None:
    """Train and write."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    rows: list[dict[str, float]] = []
    labels: list[bool] = []
    for bank in load(directory):
        for unit in bank.training():
            for features, label in examples(unit, bank.language):
                rows.append(dict.fromkeys(features, 1.0))
                labels.append(label)
                # The same place with its language known: what is peculiar to a language goes there.
                rows.append({**rows[-1], **dict.fromkeys((f"@{bank.language}{f}" for f in features), LANGUAGE_SCALE)})
                labels.append(label)
    vectors = DictVectorizer()
    matrix = vectors.fit_transform(rows)
    matrix.indices, matrix.indptr = matrix.indices.astype("int32"), matrix.indptr.astype("int32")
    model = LogisticRegression(C=STRENGTH, max_iter=2000, solver="liblinear").fit(matrix, labels)
    weights = {}
    for name, weight in zip(vectors.get_feature_names_out(), model.coef_[0], strict=True):
        scale = LANGUAGE_SCALE if name.startswith("@") else 1.0
        value = round(float(weight) * scale * 100)
        if abs(value) >= _SMALLEST:
            weights[name] = value
    table = {"bias": round(float(model.intercept_[0]), 3), "weights": weights}
    text = json.dumps(table, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    TARGET.write_text(text + "\n", encoding="utf-8")
    print(f"{len(rows)} examples, {len(weights)} weights, {len(text.encode())} bytes")


def examples(unit: Unit, language: str) -> Iterator[tuple[list[str], bool]]:
    """Every place of a unit that the splitter would look at, and whether a sentence ends there."""
    spelling = profile(language)
    pieces = [Piece(text, spelling) for text in unit.text.split()]
    ends = {end for _, end in unit.sentence_spans()}
    offsets, total = [], 0
    for text in unit.text.split():
        total += len(text)
        offsets.append(total)
    wanted = set(candidates(pieces))
    start = quotes = depth = 0
    for at, left in enumerate(pieces[:-1]):
        quotes ^= left.quotes
        depth += left.depth
        last = offsets[at] in ends
        if at in wanted:
            before = pieces[at - 1].ending if at else _START
            after = pieces[at + 2].opening if at + 2 < len(pieces) else _END
            state = (length_step(at - start + 1), quotes, (depth > 0) - (depth < 0))
            found = situation(before, left.ending, pieces[at + 1].opening, after, state)
            yield [*found, *words(left, pieces[at + 1])], last
        if last:
            start, quotes, depth = at + 1, 0, 0


if __name__ == "__main__":
    main(Path(sys.argv[1]))
