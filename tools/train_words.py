"""Trains src/threadmill/corpus/data/unspaced.zip: words of Chinese, Japanese, Thai and Vietnamese.

Run: python tools/train_words.py DIRECTORY [LANGUAGE …] (needs more packages: pip install scipy wordfreq
pythainlp jieba fugashi unidic-lite pyvi). Word lists are those of jieba (MIT) for Chinese, of wordfreq (CC
BY-SA 4.0) for Japanese, its words cut into those of UniDic (BSD), of PyThaiNLP (CC0) for Thai, and of pyvi
(MIT) for Vietnamese. Tables of languages that are not named stay. `python -m bench.unspaced_words` measures
by tables that have not seen what they are judged by.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any
from unicodedata import normalize
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.treebank import Unit, read_units, spans  # noqa: E402
from threadmill.corpus.text import syllables  # noqa: E402
from threadmill.corpus.text.delimited_text import from_forms  # noqa: E402
from threadmill.corpus.text.languages import language_profile  # noqa: E402
from threadmill.corpus.text.syllables import LANGUAGES, MOST_SYLLABLES, SyllableJoiner  # noqa: E402
from threadmill.corpus.text.tokens import UNSPACED_LETTER, Tokeniser  # noqa: E402
from threadmill.corpus.text.unspaced_words import LONGEST_WORD, WordCutter  # noqa: E402

TARGET = ROOT / "src/threadmill/corpus/data/unspaced.zip"
TREEBANKS = {
    "zh": ("zh_gsd-dev",),
    "ja": ("ja_gsd-dev",),
    "th": ("th_tud-train", "th_tud-dev"),
    "vi": ("vi_vtb-train", "vi_vtb-dev"),
}
# First guesses, never searched over.
STRENGTH = 1.0
_MOST_ROUNDS = 80
# With 100,000 Chinese words F1 was 0.9 higher than with 40,000, and with 250,000 no higher; with 120,000
# Japanese ones 0.8 higher than with 40,000; more Thai words made it lower. 100,000 take 6 MB of memory
# in native code, in Python 20.
_MOST_WORDS = {"zh": 100_000, "ja": 125_000, "th": 40_000}
_SMALLEST = 5  # hundredths
_RUN = re.compile(f"{UNSPACED_LETTER.pattern}+")
Example = tuple[list[str], bool]  # the features of a place, and whether a word ends there


def main(directory: Path, languages: Sequence[str]) -> None:
    """Train and write."""
    with ZipFile(TARGET) as packed:
        members = {name: packed.read(name) for name in packed.namelist()}
    for language in languages or TREEBANKS:
        names = TREEBANKS[language]
        units = [unit for name in names for unit in read_units(directory / f"{name}.conllu.xz")]
        table = make_joiner_table(units) if language in LANGUAGES else make_cutter_table(language, units)
        members[language] = json.dumps(table, ensure_ascii=False, separators=(",", ":")).encode()
        print(f"{language}: {len(table['words'])} words, {len(table['weights'])} weights")
    with ZipFile(TARGET, "w") as packed:
        for language, octets in members.items():
            packed.writestr(ZipInfo(language), octets, ZIP_DEFLATED, 9)
    print(f"{TARGET.stat().st_size} bytes")


def make_cutter_table(language: str, units: Iterable[Unit]) -> dict[str, Any]:
    """The table of a language without spaces."""
    words, variants = word_list(language), variants_of(language)
    weights = train(examples(WordCutter(words, {}, variants), units))
    return {"words": words, "variants": variants, "weights": weights}


def make_joiner_table(units: Iterable[Unit]) -> dict[str, Any]:
    """The table of Vietnamese, whose words have spaces inside."""
    words = vietnamese_words()
    return {"words": words, "weights": train(syllable_examples(SyllableJoiner(words, {}), units))}


def vietnamese_words() -> list[str]:
    """The words of pyvi that have several syllables."""
    lines = files("pyvi").joinpath("models/words.txt").read_text(encoding="utf-8").splitlines()
    words = {normalize("NFC", line.strip().lower()) for line in lines}
    return sorted(word for word in words if 1 < len(word.split(" ")) <= MOST_SYLLABLES)


def word_list(language: str) -> list[str]:
    """Frequent words, the most frequent first."""
    found = {"zh": chinese_words, "ja": japanese_words, "th": thai_words}[language]()
    kept = dict.fromkeys(word for word in found if _RUN.fullmatch(word) and len(word) <= LONGEST_WORD)
    return list(kept)[: _MOST_WORDS[language]]


def chinese_words() -> Iterator[str]:
    """The words of jieba in simplified characters."""
    rows = files("jieba").joinpath("dict.txt").read_text(encoding="utf-8").splitlines()
    counted = sorted((row.split(" ") for row in rows), key=lambda row: -int(row[1]))
    variants = str.maketrans(variants_of("zh"))
    return (row[0].translate(variants) for row in counted)


def japanese_words() -> list[str]:
    """The words of wordfreq, cut into those of UniDic. The treebank cuts so, wordfreq into longer ones."""
    import fugashi
    from wordfreq import get_frequency_dict

    cut = fugashi.Tagger()
    counts: dict[str, float] = {}
    for word, frequency in get_frequency_dict("ja", wordlist="best").items():
        if _RUN.fullmatch(word):
            for part in cut(word):
                counts[part.surface] = counts.get(part.surface, 0.0) + frequency
    return sorted(counts, key=lambda word: (-counts[word], word))


def thai_words() -> list[str]:
    """The words of PyThaiNLP, the counted ones first."""
    corpus = files("pythainlp").joinpath("corpus")
    counted = corpus.joinpath("ttc_freq.txt").read_text(encoding="utf-8").splitlines()
    known = corpus.joinpath("words_th.txt").read_text(encoding="utf-8").split()
    return [line.split("\t")[0] for line in counted] + known


def variants_of(language: str) -> dict[str, str]:
    """Traditional characters with their simplified form, since the list of Chinese words has only these."""
    if language != "zh":
        return {}
    import msgpack

    packed = files("wordfreq").joinpath("data/_chinese_mapping.msgpack.gz").read_bytes()
    table: dict[int, str] = msgpack.loads(gzip.decompress(packed), strict_map_key=False)
    return {chr(code): sign for code, sign in sorted(table.items()) if chr(code) != sign and len(sign) == 1}


def train(places: Iterable[Example]) -> dict[str, int]:
    """Weights of features in hundredths, by logistic regression."""
    import numpy as np
    from scipy.optimize import minimize
    from scipy.sparse import csr_matrix
    from scipy.special import expit

    numbers: dict[str, int] = {}
    columns: list[int] = []
    bounds, labels = [0], []
    for features, is_cut in places:
        columns += [numbers.setdefault(feature, len(numbers)) for feature in features]
        bounds.append(len(columns))
        labels.append(is_cut)
    signs = np.where(labels, 1.0, -1.0)
    matrix = csr_matrix((np.ones(len(columns)), columns, bounds), shape=(len(labels), len(numbers)))
    transposed = matrix.T.tocsr()

    def loss(weights: Any) -> tuple[float, Any]:
        margins = signs * (matrix @ weights)
        slope = transposed @ (-STRENGTH * signs * expit(-margins))
        return STRENGTH * np.logaddexp(0, -margins).sum() + weights @ weights / 2, slope + weights

    options = {"maxiter": _MOST_ROUNDS}
    found = minimize(loss, np.zeros(len(numbers)), jac=True, method="L-BFGS-B", options=options).x
    weights = {feature: round(100 * float(found[at])) for feature, at in numbers.items()}
    return {feature: value for feature, value in weights.items() if abs(value) >= _SMALLEST}


def examples(cutter: WordCutter, units: Iterable[Unit]) -> Iterator[Example]:
    """The places inside runs without spaces: their features, and whether a word ends there."""
    for run, cuts in (found for unit in units for found in runs(unit)):
        for at, features in cutter.places(run):
            yield features, at in cuts


def syllable_examples(joiner: SyllableJoiner, units: Iterable[Unit]) -> Iterator[Example]:
    """The places between syllables: their features, and whether a word ends there."""
    tokenise = Tokeniser(language_profile("vi")).forms
    for sentence in (sentence for unit in units for sentence in unit.sentences):
        ends = {end for _, end in spans(word.form for word in sentence)}
        text = "".join(word.form + " " * word.space_after for word in sentence)
        for start, run in syllables.runs(from_forms([tokenise(" ".join(text.split()))])):
            for at, features in joiner.places(run):
                yield features, start + len("".join(run[:at])) in ends


def runs(unit: Unit) -> Iterator[tuple[str, set[int]]]:
    """The runs of a text without spaces, each with the places inside it where a word ends."""
    text, ends = "", set()
    for word in (word for sentence in unit.sentences for word in sentence):
        text += word.form
        ends.add(len(text))
        if word.space_after:
            text += " "
    for match in _RUN.finditer(text):
        yield match[0], {end - match.start() for end in ends if match.start() < end < match.end()}


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
