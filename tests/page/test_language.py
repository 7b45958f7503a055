"""Texts get the language and the confidence that fastText gives them."""

import random

import pytest

from threadmill.page.language import MODEL_FILE, detect_language, read_language_model, shipped_language_model

# Text, label and confidence, as fasttext-predict 0.9.2.4 gave them with the same model.
BY_FASTTEXT = [
    ("Der Rat beschloss am Dienstagabend, die alte Fähre weiter fahren zu lassen.", "de", 0.9823738932609558),
    ("Le conseil a voté mardi soir pour garder le vieux bac.", "fr", 0.9827831983566284),
    ("Rada hlasovala v úterý večer o zachování starého přívozu přes zimu.", "cs", 0.9984104633331299),
    ("Совет проголосовал во вторник вечером.", "ru", 0.4679034948348999),
    ("市議会は火曜日の夜に投票した。", "ja", 1.0),
    ("المجلس صوت مساء الثلاثاء", "ar", 0.9712876677513123),
    ("A word", "en", 0.35095733404159546),
    ("</s> begins with what ends a line", "en", 0.12450417876243591),
    ("ends </s> in the middle", "en", 0.12450417876243591),
    ("__label__en is no word, nor __label__xx", "en", 0.9931278228759766),
    ("__label__", "en", 0.12450417876243591),
    ("nul\x00inside and \x01 others", "ro", 0.47822222113609314),
    ("x" * 300, "en", 0.12450417876243591),
    ("12 34 a", "en", 0.12450417876243591),
    ("half \ud83d of a character, 😀 whole", "en", 0.6984231472015381),
]


@pytest.mark.parametrize(("text", "label", "confidence"), BY_FASTTEXT)
def test_label_and_confidence_are_those_of_fasttext(text: str, label: str, confidence: float) -> None:
    found, share = detect_language(text)
    assert found == label
    assert share == pytest.approx(confidence, abs=1e-6)


@pytest.mark.parametrize("text", ["", " \n", "12 34", "--- !", "\ud83d"])
def test_a_text_without_letters_has_no_language(text: str) -> None:
    assert detect_language(text) == ("", 0.0)


def test_white_space_counts_once_and_the_rest_of_a_long_text_not_at_all() -> None:
    words = "Rada hlasovala v úterý večer o zachování starého přívozu přes zimu. "
    assert detect_language((words * 10).replace(" ", " \n  ")) == detect_language(words * 10)
    assert detect_language(words * 10) == detect_language(words * 10 + "This is English text. " * 50)


def test_confidence_is_a_probability() -> None:
    assert all(0.0 < detect_language(text)[1] <= 1.0 for text, label, _ in BY_FASTTEXT if label)


@pytest.mark.parametrize("size", [0, 3, 60, 5_000, 400_000, 900_000])
def test_a_model_that_breaks_off_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="model"):
        read_language_model(MODEL_FILE.read_bytes()[:size])


@pytest.mark.parametrize("at", [0, 4, 8, 28, 32, 36, 44])  # magic, version, dim, ngrams, loss, model, minn
def test_a_model_of_another_kind_is_refused(at: int) -> None:
    data = bytearray(MODEL_FILE.read_bytes())
    data[at] ^= 0x11
    with pytest.raises(ValueError, match="not supported"):
        read_language_model(bytes(data))


def test_a_model_that_was_changed_is_refused_or_read() -> None:
    rnd = random.Random(6)
    data = MODEL_FILE.read_bytes()
    for _ in range(15):
        changed = bytearray(data)
        for _ in range(3):
            changed[rnd.randrange(rnd.choice((100, 200_000)))] = rnd.randrange(256)
        try:
            model = read_language_model(bytes(changed))
        except ValueError:
            continue
        model.predict(b"some words of a text")


def test_a_line_of_nothing_but_its_end_is_predicted_from_that() -> None:
    model = shipped_language_model()
    assert model.predict(b"") == model.predict(b"</s> what follows is not read")
