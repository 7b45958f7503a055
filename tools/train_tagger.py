"""Learns src/threadmill/corpus/data/tags.zip: tags and lemmas of words, from Universal Dependencies
treebanks.

Run: python tools/train_tagger.py DIRECTORY [--languages cs,en] [--measure]

The directory holds `manifest.jsonl` and the CoNLL-U files it names. Only treebanks under CC BY or CC
BY-SA are read. With --measure, every third unit (paragraph, or five sentences) of each development file
is held back, figures for these are printed, and nothing is written. It needs simplemma and numba.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZipFile, ZipInfo

import numba
import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.treebank import Sentence, read_units  # noqa: E402
from threadmill.corpus.text.lemmas import (  # noqa: E402
    LONGEST_ENDING,
    LemmaRules,
    Lemmatiser,
    case_kind,
    dictionary_kind,
)
from threadmill.corpus.text.tag_features import lemma_change, word_features  # noqa: E402
from threadmill.corpus.text.tags import Tagger, TagTables, dictionary_lemmas  # noqa: E402

TARGET = ROOT / "src/threadmill/corpus/data/tags.zip"
_FREE = ("CC BY ", "CC BY-SA ")  # beginnings of the licences
_EPOCHS = 8
_MARGIN = 1.0
_MOST_TAGS = 30
_LEAST_CONTRACTIONS = 3  # of a combination of tags
_ROWS_PER_WORD = 8.0  # rows of the table for each token of the treebank; more does not help
_LEAST_ROWS, _MOST_ROWS = 1 << 17, 1 << 19
# Other conventions than the rest of their language: with these three, Turkish falls from 86.5 to 81.3 of a
# hundred tags (held-back part of tr_boun). ja_gsdluw has the sentences of ja_gsd in longer words;
# fi_ftb has examples of a grammar.
_LEFT_OUT = frozenset({"tr_framenet", "tr_kenet", "tr_penn", "ja_gsdluw", "fi_ftb"})

Data = list[Sentence]
Ints = npt.NDArray[np.int64]


def main() -> None:
    """Learn, then write or measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("directory", type=Path)
    parser.add_argument("--languages", default="")
    parser.add_argument("--measure", action="store_true")
    arguments = parser.parse_args()
    records = [json.loads(line) for line in (arguments.directory / "manifest.jsonl").open()]
    free = [record for record in records if is_used(record)]
    wanted = arguments.languages.split(",") if arguments.languages else sorted({r["language"] for r in free})
    scores = []
    for language in wanted:
        chosen = [record for record in free if record["language"] == language]
        training, held = split(arguments.directory, chosen, hold=arguments.measure)
        tables = learn(language, training)
        octets = tables.to_bytes()
        note = f"{language}: {sum(map(len, training)):,} tokens, {len(octets):,} bytes"
        if arguments.measure:
            scores.append(measure(language, tables, held))
            note += ", held back: UPOS {:.2f}, lemma {:.2f}, contractions {:.2f}".format(*scores[-1])
        else:
            put_tables({language: octets})
        print(note, flush=True)
    if scores:
        print(
            "mean: UPOS {:.2f}, lemma {:.2f}".format(
                *(sum(s[i] for s in scores) / len(scores) for i in (0, 1))
            )
        )


def put_tables(fresh: dict[str, bytes]) -> None:
    """Put the tables of some languages into the file. Equal tables give equal bytes: the date is fixed."""
    tables = dict(fresh)
    if TARGET.exists():
        with ZipFile(TARGET) as packed:
            tables = {name: packed.read(name) for name in packed.namelist()} | tables
    with ZipFile(TARGET, "w") as packed:
        for language in sorted(tables):
            packed.writestr(ZipInfo(language), tables[language])


def is_used(record: dict[str, Any]) -> bool:
    """Whether a file of the manifest is learnt from."""
    return record["licence"].startswith(_FREE) and record["file"].partition("-")[0] not in _LEFT_OUT


def split(directory: Path, records: Iterable[dict[str, Any]], *, hold: bool) -> tuple[Data, Data]:
    """The sentences to learn from, and those that are held back."""
    training: Data = []
    held: Data = []
    for record in records:
        for at, unit in enumerate(read_units(directory / record["file"])):
            part = held if hold and record["part"] == "dev" and at % 3 == 2 else training
            part.extend(unit.sentences)
    return training, held or training[::3]


def learn(language: str, data: Data) -> TagTables:
    """The tables of one language."""
    tags, weights = learn_tags(data, dictionary_lemmas(language))
    return TagTables(tags, weights, learn_lemmas(language, data))


def measure(language: str, tables: TagTables, held: Data) -> tuple[float, float, float]:
    """Shares of right tags and lemmas of words, and of contractions with both right, in percent."""
    tagger = Tagger(tables, dictionary_lemmas(language))
    rules = lemma_rules(language, tables.lemmas)
    right: Counter[str] = Counter()
    for sentence in held:
        first = True
        for word, tag in zip(sentence, tagger.tags([word.form for word in sentence]), strict=True):
            lemma = rules.lemma(word.form, tag, first=first)
            first = first and not word.form[:1].isalnum()
            if "+" in word.full_tag:
                right["contractions"] += 1
                right["contraction"] += tag == word.full_tag and lemma == word.full_lemma
                continue
            right["words"] += 1
            right["tag"] += tag == word.full_tag
            if word.full_lemma != "_":
                right["lemmas"] += 1
                right["lemma"] += lemma == word.full_lemma
    return (
        100 * right["tag"] / max(1, right["words"]),
        100 * right["lemma"] / max(1, right["lemmas"]),
        100 * right["contraction"] / max(1, right["contractions"]),
    )


# Tags: an averaged perceptron with a margin. History is what the model itself predicted.


@dataclass(slots=True)
class Encoded:
    """Sentences as numbers, and the rows of each form."""

    words: Ints  # a form's number for each token
    starts: Ints  # of the sentences
    own: Ints  # rows by form, -1 where there are no more
    near: Ints
    far: Ints
    hashes: Ints


def encode(data: Data, lemma_of: Callable[[str], str], mask: int) -> Encoded:
    """The numbers of all tokens. Form 0 stands for the places outside a sentence."""
    numbers = {"": 0}
    words = [numbers.setdefault(word.form, len(numbers)) for sentence in data for word in sentence]
    features = [word_features(form, lemma_of, mask) for form in numbers]
    own = np.full((len(features), max(len(f.own) for f in features)), -1, np.int64)
    for at, found in enumerate(features):
        own[at, : len(found.own)] = found.own
    return Encoded(
        np.array(words, np.int64),
        np.cumsum([0, *map(len, data)]).astype(np.int64),
        own,
        np.array([[f.before for f in features], [f.after for f in features]], np.int64),
        np.array([[f.far_before for f in features], [f.far_after for f in features]], np.int64),
        np.array([(f.word, f.ending, f.change, f.shape) for f in features], np.int64),
    )


def choose_tags(data: Data) -> tuple[str, ...]:
    """Single tags, and the most frequent ones of contractions."""
    counts = Counter(word.full_tag for sentence in data for word in sentence)
    single = sorted(tag for tag in counts if "+" not in tag)
    joined = [tag for tag, count in counts.most_common() if "+" in tag and count >= _LEAST_CONTRACTIONS]
    return (*single, *sorted(joined[: _MOST_TAGS - len(single)]))


def learn_tags(data: Data, lemma_of: Callable[[str], str]) -> tuple[tuple[str, ...], npt.NDArray[np.int8]]:
    """The tags and the weights in eight bits."""
    tags = choose_tags(data)
    numbers = {tag: at for at, tag in enumerate(tags)}
    size = _ROWS_PER_WORD * sum(map(len, data))
    rows = min(_MOST_ROWS, max(_LEAST_ROWS, 1 << round(np.log2(size))))
    encoded = encode(data, lemma_of, rows - 1)
    gold = np.array(
        [numbers.get(w.full_tag, numbers.get(w.full_tag.partition("+")[0], 0)) for s in data for w in s],
        np.int64,
    )
    weights = np.zeros((rows, len(tags)), np.float64)
    sums = np.zeros((rows, len(tags)), np.float64)
    random = np.random.default_rng(1)
    step = 1
    for _ in range(_EPOCHS):
        order = random.permutation(len(data))
        step = _learn_once(
            order, encoded.starts, encoded.words, gold, encoded.own, encoded.near, encoded.far,
            encoded.hashes, rows - 1, weights, sums, step, _MARGIN,
        )  # fmt: skip
    return tags, quantise(weights - sums / step)


def quantise(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.int8]:
    """The weights as whole numbers from -127 to 127. To cut off the largest costs a tag in a hundred."""
    scaled: npt.NDArray[np.int8] = np.rint(weights * (127 / np.abs(weights).max())).astype(np.int8)
    return scaled


@numba.njit(cache=True)  # type: ignore[untyped-decorator,unused-ignore]
def _mix(kind, first, second):  # type: ignore[no-untyped-def]
    """tag_features.mix."""
    word = np.uint64(0xFFFFFFFF)
    found = (
        np.uint64(kind) * np.uint64(0xC2B2AE35) + (np.uint64(first) + np.uint64(1)) * np.uint64(0x9E3779B1)
    ) & word
    found ^= found >> np.uint64(15)
    found = (found * np.uint64(0x85EBCA6B) + np.uint64(second) * np.uint64(0x9E3779B1)) & word
    found ^= found >> np.uint64(13)
    found = (found * np.uint64(0xC2B2AE35)) & word
    return found ^ (found >> np.uint64(16))


@numba.njit(cache=True)  # type: ignore[untyped-decorator,unused-ignore]
def _rows(found, words, at, begin, end, own, near, far, hashes, mask, previous, earlier):  # type: ignore[no-untyped-def]  # noqa: PLR0913, PLR0917 -- numba takes arrays, not objects
    """The rows of one token as tags.PlainScorer finds them, and their number."""
    word = words[at]
    before = words[at - 1] if at > begin else 0
    after = words[at + 1] if at + 1 < end else 0
    far_before = words[at - 2] if at - 1 > begin else 0
    far_after = words[at + 2] if at + 2 < end else 0
    count = 0
    for place in range(own.shape[1]):
        if own[word, place] < 0:
            break
        found[count] = own[word, place]
        count += 1
    for place in range(near.shape[2]):
        found[count] = near[0, before, place]
        found[count + 1] = near[1, after, place]
        count += 2
    for place in range(far.shape[2]):
        found[count] = far[0, far_before, place]
        found[count + 1] = far[1, far_after, place]
        count += 2
    mine, left, right = hashes[word], hashes[before], hashes[after]
    limit = np.uint64(mask)
    found[count] = _mix(1, previous, 0) & limit
    found[count + 1] = _mix(2, previous, earlier) & limit
    found[count + 2] = _mix(3, previous, mine[0]) & limit
    found[count + 3] = _mix(4, previous, mine[1]) & limit
    found[count + 4] = _mix(5, previous, mine[2]) & limit
    found[count + 5] = _mix(6, previous, mine[3]) & limit
    found[count + 6] = _mix(7, left[0], mine[0]) & limit
    found[count + 7] = _mix(8, right[0], mine[0]) & limit
    found[count + 8] = _mix(9, previous, right[0]) & limit
    found[count + 9] = _mix(10, previous, right[2]) & limit
    found[count + 10] = _mix(11, earlier, mine[1]) & limit
    found[count + 11] = _mix(12, previous * 64 + earlier, mine[2]) & limit
    return count + 12


@numba.njit(cache=True)  # type: ignore[untyped-decorator,unused-ignore]
def _learn_once(  # type: ignore[no-untyped-def]  # noqa: PLR0913, PLR0917 -- numba takes arrays
    order, starts, words, gold, own, near, far, hashes, mask, weights, sums, step, margin
):
    """One pass over the sentences. The average of the weights is `weights - sums / step`."""
    tags = weights.shape[1]
    found = np.empty(128, np.int64)
    scores = np.empty(tags, np.float64)
    for sentence in order:
        begin, end = starts[sentence], starts[sentence + 1]
        previous = earlier = tags
        for at in range(begin, end):
            count = _rows(found, words, at, begin, end, own, near, far, hashes, mask, previous, earlier)
            scores[:] = 0
            for place in range(count):
                for tag in range(tags):
                    scores[tag] += weights[found[place], tag]
            right = gold[at]
            best, rival = 0, -1
            for tag in range(tags):
                if scores[tag] > scores[best]:
                    best = tag
                if tag != right and (rival < 0 or scores[tag] > scores[rival]):
                    rival = tag
            if scores[right] - scores[rival] < margin:
                for place in range(count):
                    row = found[place]
                    weights[row, right] += 1
                    sums[row, right] += step
                    weights[row, rival] -= 1
                    sums[row, rival] -= step
            step += 1
            previous, earlier = best, previous
    return step


# Lemmas: what the treebank says of words, of endings, and of when the dictionary is right.

_LEAST_SEEN = 2  # different words with an ending


def lemma_rules(language: str, tables: dict[str, Any]) -> LemmaRules:
    """Rules with these tables."""
    lemmatiser = Lemmatiser(language)
    return LemmaRules(tables, lemmatiser._guess, dictionary_lemmas(language))


def learn_lemmas(language: str, data: Data) -> dict[str, Any]:
    """The tables of LemmaRules. They are empty for a treebank without lemmas."""
    seen = [
        (word.form, word.full_tag, word.full_lemma, first)
        for sentence in data
        for word, first in zip(sentence, _first_words(sentence), strict=True)
        if word.full_lemma.strip("_+")
    ]
    if len(seen) < sum(map(len, data)) / 2:
        return {}
    types = {
        (form.lower(), tag, lemma.lower()): form
        for form, tag, lemma, _ in seen
        if form[:1].isalpha() or "+" in tag
    }
    tables: dict[str, Any] = {"case": learn_case(seen), "endings": learn_endings(types)}
    tables["trust"] = learn_trust(lemma_rules(language, tables), types)
    tables["words"] = learn_words(lemma_rules(language, tables), seen)
    return tables


def _first_words(sentence: Sentence) -> list[bool]:
    found, first = [], True
    for word in sentence:
        found.append(first)
        first = first and not word.form[:1].isalnum()
    return found


Seen = Sequence[tuple[str, str, str, bool]]  # form, tag, lemma, first word of its sentence
Types = dict[tuple[str, str, str], str]  # form in small letters, tag, lemma in small letters → a form


def learn_case(seen: Seen) -> dict[str, str]:
    """Which capitals of a form its lemma keeps, by the kind of the form."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for form, tag, lemma, first in seen:
        if form[:1].isalpha() and not form.islower():
            kept = "small" if lemma.islower() else "all" if lemma.isupper() and len(lemma) > 1 else "first"
            counts[case_kind(form, tag, first=first)][kept] += 1
    return {kind: found for kind, c in sorted(counts.items()) if (found := c.most_common(1)[0][0]) != "small"}


def learn_endings(types: Types) -> dict[str, dict[str, tuple[str, int]]]:
    """For each tag: ending → its replacement, and how often in a hundred that is right for a new word."""
    counts: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for low, tag, lemma in types:
        for length in range(min(LONGEST_ENDING, len(low) - 1) + 1):
            stem, ending = low[: len(low) - length], low[len(low) - length :]
            counts[tag][ending][lemma[len(stem) :] if lemma.startswith(stem) else "\0"] += 1
    found: dict[str, dict[str, tuple[str, int]]] = {}
    for tag, endings in sorted(counts.items()):
        rules: dict[str, tuple[str, int]] = {}
        for ending in sorted(endings, key=lambda text: (len(text), text)):
            replacement, times = endings[ending].most_common(1)[0]
            total = endings[ending].total()
            share = round(100 * (times - 0.5) / (total + 0.5))
            if (
                total >= _LEAST_SEEN
                and replacement != "\0"
                and not _implied(ending, replacement, share, rules)
            ):
                rules[ending] = (replacement, share)
        found[tag] = rules
    return found


def _implied(ending: str, replacement: str, share: int, rules: dict[str, tuple[str, int]]) -> bool:
    """Whether the longest shorter ending says the same, about as surely."""
    for cut in range(1, len(ending) + 1):
        rule = rules.get(ending[cut:])
        if rule is not None:
            return ending[:cut] + rule[0] == replacement and abs(share - rule[1]) < 15
    return False


def learn_trust(rules: LemmaRules, types: Types) -> dict[str, int]:
    """How often in a hundred the dictionary's lemma is right, by tag and by what it changes."""
    broad: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    fine: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for (low, tag, lemma), form in types.items():
        given, _ = rules.by_dictionary(form, low, tag)
        kind = dictionary_kind(tag, rules._known(form))
        for counts in (broad[kind], fine[f"{kind}|{lemma_change(low, given)}"]):
            counts[0] += given == lemma
            counts[1] += 1
    found = {kind: round(100 * (right + 0.5) / (total + 1)) for kind, (right, total) in sorted(broad.items())}
    for kind, (right, total) in sorted(fine.items()):
        prior = found["|".join(kind.split("|")[:2])]
        share = round((100 * right + 2 * prior) / (total + 2))
        if total >= _LEAST_SEEN and abs(share - prior) >= 3:
            found[kind] = share
    return found


def learn_words(rules: LemmaRules, seen: Seen) -> dict[str, dict[str, str]]:
    """For each tag: form → lemma where the treebank says something else than the rules."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    wrong: Counter[tuple[str, str]] = Counter()
    for form, tag, lemma, first in seen:
        key = (tag, form.lower())
        counts[key][lemma] += 1
        wrong[key] += rules.lemma(form, tag, first=first) != lemma
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for (tag, low), lemmas in sorted(counts.items()):
        lemma, times = lemmas.most_common(1)[0]
        if times > lemmas.total() - wrong[tag, low]:
            found[tag][low] = lemma
    return dict(found)


if __name__ == "__main__":
    main()
