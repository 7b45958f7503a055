"""Trains the members "ar" and "he" of src/threadmill/corpus/data/unspaced.zip: clitics of Arabic and Hebrew.

Run: python tools/train_clitics.py DIRECTORY (needs more packages: pip install scipy wordfreq). Frequent words
are those of wordfreq (CC BY-SA 4.0). Weights are learnt from a Hebrew treebank. No Arabic treebank is free,
so Arabic has the weights of Hebrew, without those of single words and with a surer article.
`python -m bench.clitics` measures.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from math import log, sqrt
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.treebank import Unit, Word, read_units  # noqa: E402
from threadmill.corpus.text.clitics import Clitics, CliticSplitter, possible_clitics  # noqa: E402

TARGET = ROOT / "src/threadmill/corpus/data/unspaced.zip"
TREEBANK = "he_iahltwiki-dev.conllu.xz"
LANGUAGES = {"ar": "[\u0621-\u063a\u0641-\u064a\u0671-\u06d3]+", "he": "[\u05d0-\u05ea]+"}
# With 60,000 words F1 was 1.1 lower. The table of a language is read only if its clitics are split.
_MOST_WORDS = 150_000
_LONGEST = 20
_STEPS = 2  # frequencies are kept in steps of half a unit of the logarithm
_FEWEST = 2  # a word that occurs once tells nothing
_MOST_ROUNDS = 60
_PER = 1e8  # frequencies are of so many words
# Verbs and nouns of Hebrew may begin with the letter of its article, but hardly an Arabic word does.
_ARABIC_ARTICLE = 2.0
_LEXICAL = 5.0  # surely more than all else weighs
_NOT_ARTICLES = "الله الذي التي الذين اللذان اللذين اللتان اللتين اللاتي اللواتي الآن".split()  # noqa: SIM905


def main(directory: Path) -> None:
    """Train and write."""
    weights = train(list(read_units(directory / TREEBANK)), frequent_words("he"))
    with ZipFile(TARGET) as packed:
        members = {name: packed.read(name) for name in packed.namelist()}
    for language in LANGUAGES:
        table = {"words": by_frequency(frequent_words(language)), "weights": weights_for(language, weights)}
        members[language] = json.dumps(table, ensure_ascii=False, separators=(",", ":")).encode()
        print(f"{language}: {len(table['weights'])} weights")
    with ZipFile(TARGET, "w") as packed:
        for name, octets in members.items():
            packed.writestr(ZipInfo(name), octets, ZIP_DEFLATED, 9)
    print(f"{TARGET.stat().st_size} bytes")


def frequent_words(language: str) -> dict[str, float]:
    """Frequent words with the logarithm of their frequency."""
    from wordfreq import get_frequency_dict

    found = get_frequency_dict(language, wordlist="best")
    is_word = re.compile(LANGUAGES[language]).fullmatch
    words = [word for word in sorted(found, key=lambda w: (-found[w], w)) if is_word(word)]
    kept = [word for word in words if len(word) <= _LONGEST][:_MOST_WORDS]
    return {word: round(_STEPS * log(_PER * found[word])) / _STEPS for word in kept}


def by_frequency(words: dict[str, float]) -> list[tuple[float, str]]:
    """The words of each frequency, as a table keeps them."""
    found = defaultdict(list)
    for word, frequency in words.items():
        found[frequency].append(word)
    return [(frequency, " ".join(sorted(same))) for frequency, same in found.items()]


def weights_for(language: str, weights: dict[str, float]) -> dict[str, float]:
    """The weights that a language can use: those of single Hebrew words mean nothing in Arabic."""
    if language == "he":
        return weights
    shared = {name: weight for name, weight in weights.items() if "+" not in name}
    whole = {f"{before}+{word}": _LEXICAL for word in _NOT_ARTICLES for before in ("", *"وفبكل")}
    return {**shared, "the": shared["the"] + _ARABIC_ARTICLE, **whole}


def gold_clitics(word: Word) -> Clitics:
    """The clitics at the beginning of a Hebrew word of a treebank."""
    found: tuple[str, ...] = ()
    for lemma, _ in word.parts[:-1]:
        if not re.fullmatch("[והבלכמש]|כש|לכש|מש", lemma) or not word.form.startswith(
            "".join((*found, lemma))
        ):
            break
        found += (lemma,)
    return found


def hebrew_words(units: Sequence[Unit]) -> list[Word]:
    """The words of some units that are in Hebrew letters."""
    is_word = re.compile(LANGUAGES["he"]).fullmatch
    return [w for unit in units for sentence in unit.sentences for w in sentence if is_word(w.form)]


def train(units: Sequence[Unit], frequencies: dict[str, float]) -> dict[str, float]:
    """Weights by which the right way to split a word scores above the others (a conditional logit model)."""
    import numpy as np
    from scipy.optimize import minimize

    splitter = CliticSplitter("he", frequencies, {})
    numbers: dict[str, int] = {}
    ways: list[tuple[list[list[tuple[int, float]]], int, float]] = []
    counts = Counter((word.form, gold_clitics(word)) for word in hebrew_words(units))
    seen = Counter(
        name
        for (form, _), count in counts.items()
        for way in possible_clitics(form, "he")
        for name, _ in splitter.features(way, form[len("".join(way)) :]) * count
    )
    for (form, right), count in counts.items():
        possible = possible_clitics(form, "he")
        if right not in possible or len(possible) == 1:
            continue
        rows = [
            [
                (numbers.setdefault(name, len(numbers)), value)
                for name, value in splitter.features(way, form[len("".join(way)) :])
                if seen[name] >= _FEWEST
            ]
            for way in possible
        ]
        ways.append((rows, possible.index(right), sqrt(count)))
    data = [(_matrix(rows, len(numbers)), right, weight) for rows, right, weight in ways]

    def loss(weights: Any) -> tuple[float, Any]:
        value, slope = float(weights @ weights) / 2, weights.copy()
        for matrix, right, importance in data:
            scores = matrix @ weights
            shares = np.exp(scores - scores.max())
            shares /= shares.sum()
            value -= importance * log(shares[right])
            slope += importance * (matrix.T @ shares - matrix[right])
        return value, slope

    found = minimize(
        loss, np.zeros(len(numbers)), jac=True, options={"maxiter": _MOST_ROUNDS}, method="L-BFGS-B"
    ).x
    weights = {name: round(float(found[at]), 2) for name, at in numbers.items()}
    return {name: weight for name, weight in weights.items() if weight}


def _matrix(rows: Sequence[Sequence[tuple[int, float]]], width: int) -> Any:
    import numpy as np

    matrix = np.zeros((len(rows), width))
    for row, features in zip(matrix, rows, strict=True):
        for at, value in features:
            row[at] += value
    return matrix


if __name__ == "__main__":
    main(Path(sys.argv[1]))
