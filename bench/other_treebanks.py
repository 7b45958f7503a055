"""Sentences, tokens, tags and lemmas on all treebanks but the 15 of `bench.tokens`, on parts held back.

    python -m bench.other_treebanks --data DIRECTORY --train DIRECTORY [--lemmas] [--write]

--data holds the files of the 15, --train further treebanks with `manifest.jsonl`. The tables of the package
have learnt from these. So all tables are learnt anew here, without every third unit (paragraph, or five
sentences) of each file; these units are measured. A treebank that nothing is learnt from is measured whole.
Sentences are not measured where the text was not stored as people write it: the manifest says so. Tweets and
speech, which hardly have stops, are in a mean of their own. Without --lemmas, sentences and tokens are
measured (some 2 minutes), with it, tags and lemmas (some 4 minutes).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.figures import Figure, at_least, write_figures
from bench.tokens import f1
from bench.treebank import Sentence, Unit, load, read_units
from threadmill.corpus.text.boundary_weights import make_scores
from threadmill.corpus.text.languages import language_profile
from threadmill.corpus.text.lemmas import Lemmatiser
from threadmill.corpus.text.sentences import SentenceSplitter
from threadmill.corpus.text.syllables import LANGUAGES, SyllableJoiner
from threadmill.corpus.text.tokens import Tokeniser
from threadmill.corpus.text.unspaced_words import WordCutter, cutter_of
from tools import train_sentences, train_tagger, train_words

DUPLICATES = frozenset({"ja_gsdluw", "zh_gsdsimp"})  # the sentences of another treebank, cut otherwise
_HELD_EVERY = 3


@dataclass(frozen=True, slots=True)
class Bank:
    """All files of one treebank."""

    name: str
    language: str
    units: Sequence[Unit]
    as_written: bool
    is_free: bool
    is_prose: bool  # no tweets and no speech

    def training(self) -> list[Unit]:
        """What tables may learn from."""
        return [unit for at, unit in enumerate(self.units) if at % _HELD_EVERY != 2] if self.is_free else []

    def held(self) -> list[Unit]:
        """What is measured."""
        return [unit for at, unit in enumerate(self.units) if not self.is_free or at % _HELD_EVERY == 2]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--train", type=Path, required=True)
    parser.add_argument("--lemmas", action="store_true")
    parser.add_argument("--languages", default="", help="only these, with commas between them")
    parser.add_argument("--write", action="store_true", help="write the figures")
    options = parser.parse_args()
    known = load(options.data)
    banks = load_banks(options.train, {bank.name for bank in known} | DUPLICATES)
    more = {bank.language: bank.training() for bank in known}
    wanted = frozenset(filter(None, options.languages.split(",")))
    if options.lemmas:
        figures = measure_lemmas(banks, more, wanted)
    else:
        places = [
            place for language, units in more.items() for place in train_sentences.places_of(language, units)
        ]
        figures = measure_cutting(banks, places, wanted)
    if options.write:
        write_figures(f"other_treebanks.{'lemmas' if options.lemmas else 'cutting'}", figures)


def load_banks(directory: Path, left_out: set[str] | frozenset[str]) -> list[Bank]:
    """The treebanks of a directory, but some."""
    files: dict[str, list[dict[str, Any]]] = {}
    for line in (directory / "manifest.jsonl").open(encoding="utf-8"):
        record = json.loads(line)
        files.setdefault(record["file"].partition("-")[0], []).append(record)
    return [
        Bank(
            name,
            records[0]["language"],
            [unit for record in records for unit in read_units(directory / record["file"])],
            all("surface" not in record for record in records),
            all(record["licence"].startswith("CC BY") for record in records),
            records[0]["genre"] not in {"social", "spoken"},
        )
        for name, records in files.items()
        if name not in left_out
    ]


def measure_cutting(
    banks: Sequence[Bank], places: list[train_sentences.Place], wanted: frozenset[str]
) -> list[Figure]:
    """Sentence and token F1 of each treebank, and the means."""
    for bank in banks:
        if bank.name not in train_sentences.LEFT_OUT:
            places += train_sentences.places_of(
                bank.language, train_sentences.choose(bank.training(), bank.name)
            )
    tables = train_sentences.train(places)
    cutters = {bank.language: cutter for bank in banks if (cutter := learn_words(bank)) is not None}
    joiners = {bank.language: joiner for bank in banks if (joiner := learn_joiner(bank)) is not None}
    sentences: dict[str, float] = {}
    tokens: dict[str, float] = {}
    for bank in banks:
        if wanted and bank.language not in wanted:
            continue
        splitter = splitter_with(bank.language, tables, cutters, joiners)
        results = []
        for unit in bank.held():
            forms = splitter.forms(unit.text)
            results.append((unit, (["".join(f) for f in forms], [form for f in forms for form in f])))
        tokens[bank.name] = f1(results, 1)
        if bank.as_written:
            sentences[bank.name] = f1(results, 0)
        print(f"{bank.name:14} sentence F1 {f1(results, 0):6.2f}{'' if bank.as_written else ' (not counted)'}"
              f"  token F1 {tokens[bank.name]:6.2f}", flush=True)  # fmt: skip
    prose = {bank.name: sentences[bank.name] for bank in banks if bank.is_prose and bank.name in sentences}
    return [
        _mean("sentence F1 without tweets and speech", prose, 89.0),
        _mean("sentence F1", sentences, 89.0),
        _mean("token F1", tokens, 97.0),
    ]


def splitter_with(
    language: str,
    tables: dict[str, dict[str, int]],
    cutters: dict[str, WordCutter],
    joiners: dict[str, SyllableJoiner],
) -> SentenceSplitter:
    """Our splitter with other tables."""

    def cutter(run: str, code: str) -> WordCutter | None:
        return cutters.get(code) if cutter_of(run, code) else None

    profile = language_profile(language)
    scores = make_scores(tables.get(profile.language, {}), tables[""])
    return SentenceSplitter(language, scores, Tokeniser(profile, cutter), joiners.get(language))


def is_cut_from(bank: Bank) -> bool:
    """Whether a table of words learns from a treebank."""
    names = train_words.TREEBANKS.get(bank.language, ())
    return any(name.startswith(f"{bank.name}-") for name in names)


def learn_joiner(bank: Bank) -> SyllableJoiner | None:
    """The joiner of a language with spaces inside words."""
    if bank.language not in LANGUAGES or not is_cut_from(bank):
        return None
    table = train_words.make_joiner_table(bank.training())
    return SyllableJoiner(table["words"], table["weights"])


def learn_words(bank: Bank) -> WordCutter | None:
    """The cutter of a language without spaces."""
    if bank.language in LANGUAGES or not is_cut_from(bank):
        return None
    words, variants = train_words.word_list(bank.language), train_words.variants_of(bank.language)
    weights = train_words.train(train_words.examples(WordCutter(words, {}, variants), bank.training()))
    return WordCutter(words, weights, variants)


def measure_lemmas(
    banks: Sequence[Bank], more: dict[str, list[Unit]], wanted: frozenset[str]
) -> list[Figure]:
    """The share of right tags and lemmas of each treebank, by gold tokens and our tags, and the means."""
    tags: dict[str, float] = {}
    lemmas: dict[str, float] = {}
    for language in sorted(wanted or {bank.language for bank in banks}):
        chosen = [bank for bank in banks if bank.language == language]
        learnt = [bank.training() for bank in chosen if bank.name not in train_tagger._LEFT_OUT]
        training = _sentences([unit for units in [more.get(language, []), *learnt] for unit in units])
        tables = train_tagger.learn(language, training) if training else None
        for bank in chosen:
            held = _sentences(bank.held())
            if tables is None:
                lemmas[bank.name] = lemmas_alone(language, held)
            else:
                tags[bank.name], lemma, _ = train_tagger.measure(language, tables, held)
                if any(word.full_lemma.strip("_+") for sentence in held for word in sentence):
                    lemmas[bank.name] = lemma
            found = (f"{scores.get(bank.name, 0):6.2f}" for scores in (tags, lemmas))
            print(f"{bank.name:14} UPOS {next(found)}  lemma {next(found)}", flush=True)
    return [_mean("UPOS accuracy", tags, None), _mean("lemma accuracy", lemmas, 90.5)]


def lemmas_alone(language: str, held: Sequence[Sentence]) -> float:
    """The percentage of right lemmas in a language that no table has learnt."""
    lemmatiser = Lemmatiser(language)
    words = [word for sentence in held for word in sentence if word.lemma not in {None, "_"}]
    return 100 * sum(lemmatiser.lemma(word.form) == word.lemma for word in words) / len(words)


def _sentences(units: Sequence[Unit]) -> list[Sentence]:
    return [sentence for unit in units for sentence in unit.sentences]


def _mean(what: str, scores: dict[str, float], bar: float | None) -> Figure:
    value = sum(scores.values()) / len(scores)
    print(f"{what}: mean {value:.2f} of {len(scores)} treebanks")
    text = f"{what}, mean of {len(scores)} other treebanks, held-back parts"
    return Figure("corpus", text, value, at_least(bar) if bar is not None else None)


if __name__ == "__main__":
    main()
