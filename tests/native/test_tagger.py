"""The compiled scorer of tags gives what its twin in Python gives."""

import random

import numpy as np
import pytest

from threadmill.corpus.text.tags import PlainScorer
from threadmill.native.loader import load_extension

native = load_extension("tagger")
LETTERS = "abcdeABCžřшЩ中あ12-'.𝒳İß\ud800é"


def lemma_of(form: str) -> str:
    return f"{form[:-1].lower()}En" if len(form) > 3 else ""


def test_the_best_tags_are_the_same() -> None:
    rnd = random.Random(1)
    weights = np.random.default_rng(0).integers(-127, 128, (1 << 10, 19), dtype=np.int8)
    compiled, plain = native.Scorer(weights, lemma_of), PlainScorer(weights, lemma_of)  # type: ignore[union-attr]
    for _ in range(300):
        forms = ["".join(rnd.choices(LETTERS, k=rnd.randint(0, 14))) for _ in range(rnd.randint(0, 9))]
        found = compiled.best_tags([compiled.word(form, lemma_of) for form in forms])
        assert found == plain.best_tags([plain.word(form, lemma_of) for form in forms])


def test_weights_of_a_wrong_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="power of two"):
        native.Scorer(np.zeros((1000, 17), np.int8), lemma_of)  # type: ignore[union-attr]
    with pytest.raises(ValueError, match="at most 63 tags"):
        native.Scorer(np.zeros((1024, 64), np.int8), lemma_of)  # type: ignore[union-attr]
