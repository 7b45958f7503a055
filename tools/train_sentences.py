"""Trains src/threadmill/corpus/data/sentences.json on the free treebanks of a directory.

Run: python tools/train_sentences.py DIRECTORY (needs scikit-learn). Files under a non-commercial licence give
nothing to the table, and a third of each free file is held back for `python -m bench.tokens`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.treebank import Unit, load  # noqa: E402
from threadmill.corpus.text.boundary_features import (  # noqa: E402
    NO_BEGIN,
    NO_END,
    Begins,
    Ends,
    bare_word,
    of_first_word,
    of_last_word,
)
from threadmill.corpus.text.boundary_weights import of_after, of_before, of_pair, of_state, state_of  # noqa: E402
from threadmill.corpus.text.language_data import format_table  # noqa: E402
from threadmill.corpus.text.languages import language_profile  # noqa: E402

TARGET = ROOT / "src/threadmill/corpus/data/sentences.json"
# First guesses, never searched over.
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
                rows.append(
                    {**rows[-1], **dict.fromkeys((f"@{bank.language}{f}" for f in features), LANGUAGE_SCALE)}
                )
                labels.append(label)
    vectors = DictVectorizer()
    matrix = vectors.fit_transform(rows)
    matrix.indices, matrix.indptr = matrix.indices.astype("int32"), matrix.indptr.astype("int32")
    model = LogisticRegression(C=STRENGTH, max_iter=2000, solver="liblinear").fit(matrix, labels)
    tables: dict[str, dict[str, int]] = {"": {"bias": round(100 * float(model.intercept_[0]))}}
    for name, weight in zip(vectors.get_feature_names_out(), model.coef_[0], strict=True):
        language, feature = (name[1:3], name[3:]) if name.startswith("@") else ("", name)
        value = round(float(weight) * (LANGUAGE_SCALE if language else 1.0) * 100)
        if abs(value) >= _SMALLEST:
            tables.setdefault(language, {})[feature] = value
    TARGET.write_text(format_table(dict(sorted(tables.items()))), encoding="utf-8")
    print(f"{len(rows)} examples, {sum(map(len, tables.values()))} weights, {TARGET.stat().st_size} bytes")


def examples(unit: Unit, language: str) -> Iterator[tuple[list[str], bool]]:
    """Every place of a unit that the splitter would look at, and whether a sentence ends there."""
    texts = unit.text.split()
    spelling = language_profile(language)
    lefts = [NO_END, *map(Ends(spelling).__getitem__, texts)]
    rights = [*map(Begins(spelling).__getitem__, texts), NO_BEGIN]
    ends = {end for _, end in unit.sentence_spans()}
    start = quotes = depth = offset = 0
    for at, text in enumerate(texts[:-1]):
        left, right = lefts[at + 1], rights[at + 1]
        end, begin = left.ending, right.opening
        quotes ^= text.count('"') & 1
        depth += text.count("(") - text.count(")")
        offset += len(text)
        if right.starts or not left.plain:
            state = state_of(at - start + 1, quotes, depth)
            yield (
                [
                    *of_pair(end, begin),
                    *of_before(lefts[at].ending, end, begin),
                    *of_after(end, begin, rights[at + 2].opening),
                    *of_state(end, begin, state),
                    f"v{bare_word(text)}|{of_last_word(left.stop, begin.shape)}",
                    f"w{bare_word(texts[at + 1])}|{of_first_word(begin.shape, left.plain)}",
                ],
                offset in ends,
            )
        if offset in ends:
            start, quotes, depth = at + 1, 0, 0


if __name__ == "__main__":
    main(Path(sys.argv[1]))
