"""Trains src/threadmill/corpus/data/sentences.json on the free treebanks of two directories.

Run: python tools/train_sentences.py DIRECTORY [OTHERS] (needs scipy). Files of the first under a
non-commercial licence give nothing to the table, and a third of each free file is held back for `python -m
bench.tokens`. The second holds more treebanks; at most UNITS paragraphs of each are used, none of verse
and lists, whose sentences end without a mark.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.treebank import Treebank, Unit, load, read_units  # noqa: E402
from threadmill.corpus.text.boundary_features import (  # noqa: E402
    NO_BEGIN,
    NO_END,
    Begins,
    Ends,
    bare_word,
    of_first_word,
    of_last_word,
)
from threadmill.corpus.text.boundary_weights import (  # noqa: E402
    goes_on,
    of_after,
    of_before,
    of_pair,
    of_state,
    state_of,
)
from threadmill.corpus.text.language_data import format_table  # noqa: E402
from threadmill.corpus.text.languages import language_profile  # noqa: E402

TARGET = ROOT / "src/threadmill/corpus/data/sentences.json"
# First guesses, never searched over.
STRENGTH = 0.4
LANGUAGE_SCALE = 0.6
_SMALLEST = 3  # hundredths
_MOST_ROUNDS = 150
_FEWEST = 2  # a word that occurs once tells nothing
_LONGEST = 60  # letters of a word with its stop: longer ones are addresses
UNITS = 300
MORE_UNITS = {"en_ewt": 1000}
LEFT_OUT = frozenset({
    # A mark stands after a space, or there are none.
    "fi_ftb", "sl_sst", "te_mtg", "tr_framenet", "tr_kenet", "tr_penn", "vi_vtb", "en_atis", "la_circse",
    "th_tud",
    # GPL, LGPL-LR.
    "ca_ancora", "pl_lfg", "fr_sequoia", "gl_treegal",
    # Speech and tweets end without a stop. With Italian tweets, Italian newspapers fell from 88 to 19 F1.
    "fr_rhapsodie", "pcm_nsc", "it_twittiro", "ga_twittirish",
    # Scripts without capitals or spaces: their stops decide by rule.
    "ja_gsd", "ja_gsdluw", "zh_gsd", "zh_gsdsimp", "ko_gsd", "ko_kaist", "fa_perdt", "fa_seraji",
    "he_iahltwiki",
    "ug_udt", "ka_glc", "mr_ufal",
})  # fmt: skip


class Place(NamedTuple):
    """A place of a text where a sentence may end."""

    language: str
    features: list[str]
    ends: bool


def main(directory: Path, others: Path | None) -> None:
    """Train and write."""
    banks = load(directory)
    places = [place for bank in banks for place in places_of(bank.language, bank.training())]
    for bank in load_others(others, {bank.name for bank in banks}) if others else ():
        places += places_of(bank.language, bank.units)
        print(f"{bank.name}: {len(bank.units)} paragraphs")
    tables = train(places)
    TARGET.write_text(format_table(dict(sorted(tables.items()))), encoding="utf-8")
    print(f"{len(places)} places, {sum(map(len, tables.values()))} weights, {TARGET.stat().st_size} bytes")


def load_others(directory: Path, known: set[str]) -> list[Treebank]:
    """Further treebanks. The development files of those that are `known` are the same as there."""
    units: dict[str, list[Unit]] = {}
    for file in sorted(directory.glob("*.conllu.xz")):
        name = file.name.partition("-")[0]
        if name not in LEFT_OUT and not (name in known and "-dev." in file.name):
            units.setdefault(name, []).extend(read_units(file))
    return [Treebank(name.partition("_")[0], choose(found, name), name) for name, found in units.items()]


def choose(units: Sequence[Unit], name: str) -> tuple[Unit, ...]:
    """What is learnt from a further treebank."""
    return tuple(thin(list(filter(is_punctuated, units)), MORE_UNITS.get(name, UNITS)))


def is_punctuated(unit: Unit) -> bool:
    """Whether most sentences end with a mark. Verses and lists teach that any word ends a sentence.

    The last sentence does not count: a text ends after it anyway.
    """
    inner = unit.sentences[:-1]
    return 2 * sum(sentence[-1].form[-1].isalnum() for sentence in inner) <= len(inner)


def thin(units: list[Unit], most: int) -> list[Unit]:
    """At most so many, from everywhere in a file."""
    count = len(units)
    return units if count <= most else [units[at * count // most] for at in range(most)]


def places_of(language: str, units: Sequence[Unit]) -> list[Place]:
    """All places of some units."""
    return [
        Place(language, [f for f in features if len(f) <= _LONGEST], ends)
        for unit in units
        for features, ends in examples(unit, language)
    ]


def train(places: Sequence[Place]) -> dict[str, dict[str, int]]:
    """Weights by language and feature, in hundredths; "" for all languages.

    A logistic regression sees each place twice: with the general features alone, and with its language known
    too. So what is peculiar to a language goes there, and the general weights serve all other languages.
    """
    import numpy as np
    from scipy.optimize import minimize
    from scipy.special import expit

    counts = Counter(feature for place in places for feature in place.features)
    general, own, numbers, own_numbers = _matrices(places, counts)
    general_t, own_t = general.T.tocsr(), own.T.tocsr()
    signs = np.where([place.ends for place in places], 1.0, -1.0)
    count = general.shape[1]

    def loss(weights: Any) -> tuple[float, Any]:
        alone = general @ weights[:count] + weights[-1]
        margins = signs * alone, signs * (alone + own @ weights[count:-1])
        value = STRENGTH * sum(np.logaddexp(0, -margin).sum() for margin in margins)
        first, second = (-STRENGTH * signs * expit(-margin) for margin in margins)
        slope = np.concatenate([general_t @ (first + second), own_t @ second, [(first + second).sum()]])
        return value + weights @ weights / 2, slope + weights

    start = np.zeros(count + own.shape[1] + 1)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _MOST_ROUNDS}).x
    tables: dict[str, dict[str, int]] = {"": {"bias": round(100 * float(found[-1]))}}
    for feature, at in numbers.items():
        _put(tables, "", feature, float(found[at]))
    for (language, feature), at in own_numbers.items():
        _put(tables, language, feature, LANGUAGE_SCALE * float(found[count + at]))
    return tables


def _put(tables: dict[str, dict[str, int]], language: str, feature: str, weight: float) -> None:
    value = round(100 * weight)
    if abs(value) >= _SMALLEST:
        tables.setdefault(language, {})[feature] = value


def _matrices(places: Sequence[Place], counts: Counter[str]) -> tuple[Any, Any, Any, Any]:
    """Places by features, general and of their language, and the number of each feature."""
    import numpy as np
    from scipy.sparse import csr_matrix

    numbers: dict[str, int] = {}
    own_numbers: dict[tuple[str, str], int] = {}
    columns: list[int] = []
    own_columns: list[int] = []
    bounds = [0]
    for place in places:
        for feature in place.features:
            if feature[0] not in "vw" or counts[feature] >= _FEWEST:
                columns.append(numbers.setdefault(feature, len(numbers)))
                own_columns.append(own_numbers.setdefault((place.language, feature), len(own_numbers)))
        bounds.append(len(columns))
    rows, ones = len(places), np.ones(len(columns))
    general = csr_matrix((ones, columns, bounds), shape=(rows, len(numbers)))
    own = csr_matrix((LANGUAGE_SCALE * ones, own_columns, bounds), shape=(rows, len(own_numbers)))
    return general, own, numbers, own_numbers


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
        if (right.starts or not left.plain) and not goes_on(left.stop, begin):
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
    main(Path(sys.argv[1]), Path(sys.argv[2]) if sys.argv[2:] else None)
