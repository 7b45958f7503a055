"""Native prediction of languages gives what its twin in Python gives, to the last bit."""

import random
from dataclasses import replace

import numpy as np
import pytest

from tests.implementations import python_only
from tests.page.test_language import BY_FASTTEXT
from tests.quality_pages import quality_pages
from threadmill.native.loader import load_extension
from threadmill.page.language import (
    MODEL_FILE,
    LanguageModel,
    detect_language,
    read_language_model,
    shipped_language_model,
)

native = load_extension("language")


def predict_natively(model: LanguageModel, line: bytes) -> tuple[str, float] | None:
    found: tuple[str, float] | None = native.LanguagePredictor(model).predict(line)  # type: ignore[union-attr]
    return found


def test_label_and_confidence_are_the_same() -> None:
    rnd = random.Random(5)
    letters = "ab cdeé ßжя中文 </s>_\0\x01\u0301\U0001f600ñ12"
    texts = [*(text for text, *_ in BY_FASTTEXT), *(page for page, _ in quality_pages().values())]
    texts += ["".join(rnd.choices(letters, k=rnd.randrange(80))) for _ in range(2_000)]
    found = [detect_language(text) for text in texts]
    with python_only():
        assert found == [detect_language(text) for text in texts]


def test_a_model_that_was_changed_is_refused_or_gives_the_same() -> None:
    """Nothing in the file may lead beyond its arrays."""
    rnd = random.Random(6)
    data = MODEL_FILE.read_bytes()
    for _ in range(40):
        changed = bytearray(data)
        for _ in range(3):
            changed[rnd.randrange(rnd.choice((100, 200_000)))] = rnd.randrange(256)
        try:
            model = read_language_model(bytes(changed))
        except ValueError:
            continue
        line = b"some words of a text"
        assert predict_natively(model, line) == model.predict(line)


def test_arrays_that_lead_beyond_others_are_refused() -> None:
    model = shipped_language_model()
    beyond = np.full_like(model.gram_rows, len(model.rows))
    for broken in (
        replace(model, gram_rows=beyond),
        replace(model, children=np.full_like(model.children, 1000)),
        replace(model, output=model.output[:3]),
        replace(model, word_count=len(model.rows) + 1),
    ):
        with pytest.raises(ValueError, match="model"):
            predict_natively(broken, b"some words")
