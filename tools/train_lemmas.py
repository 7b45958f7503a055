"""Collects src/threadmill/corpus/data/lemmas.json: words and endings whose lemma dictionaries have otherwise.

Run: python tools/train_lemmas.py DIRECTORY (needs simplemma). Only the training part of treebanks under a
free licence is looked at, and only what it says for sure.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.treebank import Treebank, load  # noqa: E402
from threadmill.corpus.text import lemmas  # noqa: E402

TARGET = ROOT / "src/threadmill/corpus/data/lemmas.json"
# A word seen once may be a slip, a name or an address; it teaches nothing that holds elsewhere.
_LEAST_SEEN = 2
_LEAST_SHARE = 0.6
_LEAST_ENDINGS = 3  # different words with an ending before it is believed
_LEAST_ENDING_SHARE = 0.75

Tables = dict[str, dict[str, str]]
Pairs = list[tuple[str, str, bool]]  # form, gold lemma, first word of its sentence


def main(directory: Path) -> None:
    """Count and write."""
    save({})
    tables: dict[str, Tables] = {}
    for bank in load(directory):
        if bank.free:
            tables[bank.language] = learn(bank)
    save(tables)
    print({code: {k: len(v) for k, v in entries.items()} for code, entries in tables.items()})
    print(TARGET.stat().st_size, "bytes")


def save(tables: dict[str, Tables]) -> None:
    """Write the file and let the lemmatiser see it."""
    text = json.dumps(tables, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    TARGET.write_text(text.replace("},", "},\n") + "\n", encoding="utf-8")
    lemmas._tables.cache_clear()


def pairs(bank: Treebank) -> Pairs:
    """Words of the training part."""
    sentences = [sentence for unit in bank.training() for sentence in unit.sentences]
    words = [(w, at == 0) for s in sentences for at, w in enumerate(s) if w.lemma and w.lemma != "_"]
    return [(w.form, w.lemma or "", first) for w, first in words if w.form.isalpha()]


def learn(bank: Treebank) -> Tables:
    """Endings of unknown words, and single words over them."""
    data = pairs(bank)
    found: Tables = {}
    found["endings"] = endings(lemmatiser(bank.language, found), data)
    found["words"] = words(lemmatiser(bank.language, found), data)
    return found


def lemmatiser(language: str, tables: Tables) -> lemmas.Lemmatiser:
    """One that has these tables."""
    save({language: tables})
    return lemmas.Lemmatiser(language)


def endings(judge: lemmas.Lemmatiser, data: Pairs) -> dict[str, str]:
    """Ending → its replacement, from words that the dictionary leaves as they are."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for form, lemma in {(form, lemma) for form, lemma, _ in data}:
        if judge.lemma(form).lower() != form.lower() or judge._is_known(form, judge._name):
            continue
        for length in range(lemmas._SHORTEST_ENDING, min(lemmas._LONGEST_ENDING, len(form) - 2) + 1):
            stem, ending = form[:-length], form[-length:]
            if lemma.startswith(stem):
                counts[ending][lemma[len(stem) :]] += 1
            else:
                counts[ending]["\0"] += 1
    found = {}
    for ending, seen in counts.items():
        replacement, times = seen.most_common(1)[0]
        sure = times >= _LEAST_ENDINGS and times >= _LEAST_ENDING_SHARE * seen.total()
        if sure and replacement != "\0":
            found[ending] = replacement
    # An ending whose shorter ending says the same is not needed.
    return {e: r for e, r in found.items() if not _implied(e, r, found)}


def _implied(ending: str, replacement: str, found: dict[str, str]) -> bool:
    shorter = ending[1:]
    return (
        len(shorter) >= lemmas._SHORTEST_ENDING
        and shorter in found
        and ending[:1] + found[shorter] == replacement
    )


def words(judge: lemmas.Lemmatiser, data: Pairs) -> dict[str, str]:
    """Form → lemma where the treebank is sure and says something else than we would."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for form, lemma, first in data:
        counts[form.lower() if first and lemma[:1].islower() else form][lemma] += 1
    found = {}
    for form, seen in counts.items():
        lemma, times = seen.most_common(1)[0]
        sure = times >= _LEAST_SEEN and times >= _LEAST_SHARE * seen.total()
        if sure and judge.lemma(form) != lemma:
            found[form] = lemma
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]))
