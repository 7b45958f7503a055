"""The compiled reading of fastText's model gives fastText's label and confidence, to the last bit."""

import random

import pytest

from tests.quality_pages import quality_pages
from threadmill.page import language
from threadmill.page.language import detect_language

pytestmark = pytest.mark.skipif(
    language._COMPILED is None,
    reason="not compiled here, or fastText rounds otherwise on this processor",
)

TEXTS = (
    "Der Rat beschloss am Dienstagabend, die alte Fähre weiter fahren zu lassen.",
    "Le conseil a voté mardi soir pour garder le vieux bac.",
    "Rada hlasovala v úterý večer o zachování starého přívozu přes zimu.",
    "Совет проголосовал во вторник вечером.",
    "市議会は火曜日の夜に投票した。",
    "المجلس صوت مساء الثلاثاء",
    "A word",
    "</s> begins with what ends a line",
    "ends </s> in the middle",
    "__label__en is no word, nor __label__xx",
    "__label__",
    "nul\0inside and \x01 others",
    "x" * 300,
    "12 34 a",
    "half \ud83d of a character, \U0001f600 whole",
)


def test_label_and_confidence_are_those_of_fasttext(monkeypatch: pytest.MonkeyPatch) -> None:
    rnd = random.Random(5)
    letters = "ab cdeé ßжя中文 </s>_\0\x01\u0301\U0001f600ñ12"
    texts = [*TEXTS, *(page for page, _ in quality_pages().values())]
    texts += ["".join(rnd.choices(letters, k=rnd.randrange(80))) for _ in range(2_000)]
    found = [detect_language(text) for text in texts]
    monkeypatch.setattr(language, "_COMPILED", None)
    assert found == [detect_language(text) for text in texts]


@pytest.mark.parametrize("size", [0, 3, 60, 5_000, 400_000, 900_000])
def test_a_model_that_breaks_off_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="model"):
        language._COMPILED.LanguageModel(language._MODEL.read_bytes()[:size])  # type: ignore[union-attr]


def test_a_model_that_was_changed_is_refused_or_read() -> None:
    """Nothing in the file may lead beyond its arrays."""
    rnd = random.Random(6)
    data = language._MODEL.read_bytes()
    for _ in range(150):
        changed = bytearray(data)
        for _ in range(3):
            changed[rnd.randrange(rnd.choice((100, 200_000, len(data))))] = rnd.randrange(256)
        try:
            model = language._COMPILED.LanguageModel(bytes(changed))  # type: ignore[union-attr]
        except (ValueError, MemoryError):
            continue
        model.predict(b"some words of a text")
