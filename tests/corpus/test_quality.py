import os
from pathlib import Path

import pytest

from threadmill.corpus.text.sentences import SentenceSplitter

ROOT = Path(__file__).resolve().parents[2]
_SHARED = Path(os.environ.get("THREADMILL_SHARED", "/nonexistent"))
PLACES = [_SHARED, ROOT / "../shared", ROOT / "../../shared"]
DATA = next((place / "data/ud" for place in PLACES if (place / "data/ud").is_dir()), None)

# Sentences of many kinds, written for this test: (language, sentences).
TEXTS = [
    (
        "en",
        [
            "Mr. Brown of Foo Inc. left at 5 p.m. yesterday.",
            "He paid $5.50 for it!",
            "Was it worth it?",
            "No.",
        ],
    ),
    ("de", ["Am 3. Mai traf Dr. Maier z. B. Frau Schulz.", "Das Haus Nr. 5 war leer.", "Warum?"]),
    ("cs", ["Přišel prof. Novák, tj. můj učitel.", "Bylo 5. května 1990.", "Kdo to ví?"]),
    ("fr", ["M. Dupont habite à St. Malo.", "L'eau est froide.", "Qu'en dit-il ?"]),
    ("ru", ["Он родился в 1905 г. в Москве.", "Потом, т. е. позже, уехал.", "Почему?"]),
    ("pl", ["Prof. Kowalski, tzn. mój szef, przyszedł o godz. 8.", "Nie było go tam.", "Dlaczego?"]),
    ("es", ["El Sr. García vive en la Av. Central.", "¿Dónde está?", "No lo sé."]),
    ("hi", ["यह एक वाक्य है।", "यह दूसरा है।"]),
    ("zh", ["今天天气很好。", "我们去公园吧！"]),
]


@pytest.mark.quality
def test_sentences_of_nine_languages_stay_above_their_floor() -> None:
    right = found = wanted = 0
    for language, sentences in TEXTS:
        cut = {sentence.strip() for sentence in SentenceSplitter(language).sentences(" ".join(sentences))}
        right += len(cut & set(sentences))
        found += len(cut)
        wanted += len(sentences)
    assert 2 * right / (found + wanted) >= 0.9


@pytest.mark.quality
@pytest.mark.skipif(DATA is None, reason="needs shared/data/ud (set THREADMILL_SHARED)")
def test_sentences_and_tokens_of_an_unseen_treebank_stay_above_their_floors() -> None:
    treebank = pytest.importorskip("bench.treebank", reason="run from the project's root")
    assert DATA is not None
    [bank] = [bank for bank in treebank.load(DATA) if bank.language == "hu"]
    splitter = SentenceSplitter("hu")
    counts = {"sentence": [0, 0], "token": [0, 0]}
    for unit in bank.units:
        sentences = splitter.forms(unit.text)
        for kind, gold, given in (
            ("sentence", unit.sentence_spans(), treebank.spans("".join(forms) for forms in sentences)),
            ("token", unit.token_spans(), treebank.spans(form for forms in sentences for form in forms)),
        ):
            counts[kind][0] += 2 * len(gold & given)
            counts[kind][1] += len(gold) + len(given)
    assert counts["sentence"][0] / counts["sentence"][1] >= 0.96
    assert counts["token"][0] / counts["token"][1] >= 0.99
