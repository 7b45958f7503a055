"""Tags and lemmas on Universal Dependencies files, on parts that nothing was learnt from.

python -m bench.tags --data DIRECTORY --train DIRECTORY

The tables of the package are learnt from whole files, some of which are in --data too. So the tables
are learnt anew here, as tools/train_tagger.py does it, but without every third unit of the files in
--data: these are measured. Files under a non-commercial licence are never learnt from and measured
whole. Gold tokens are given; tags are ours. The speed is that of the tables of the package, with the
dictionary in memory. It needs numba.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from bench.figures import Figure, at_least, write_figures
from bench.treebank import Treebank, load
from threadmill.corpus.text.lemmas import LemmaRules, Lemmatiser
from threadmill.corpus.text.tags import Tagger, TagTables, dictionary_lemmas, make_tagger, tag_languages
from tools.train_tagger import Data, is_used, learn, lemma_rules, split

WATCHED = ("cs", "en", "es", "fr", "ru")  # each has a bar of its own


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--train", type=Path, required=True)
    arguments = parser.parse_args()
    banks = load(arguments.data)
    tags: dict[str, float] = {}
    lemmas: dict[str, tuple[float, float]] = {}
    for bank in banks:
        tables = learn_without(bank, arguments.train)
        if tables is not None:
            tags[bank.language] = tag_accuracy(bank, tables)
        lemmas[bank.language] = lemma_accuracy(bank, tables)
        tag = f"{tags[bank.language]:.2f}" if tables else "no tables"
        print(f"{bank.language}: UPOS {tag}, lemma {lemmas[bank.language][0]:.2f}, "
              f"simplemma {lemmas[bank.language][1]:.2f}", flush=True)  # fmt: skip
    mine, theirs = (sum(pair[at] for pair in lemmas.values()) / len(lemmas) for at in (0, 1))
    mean = sum(tags.values()) / len(tags)
    lowest = min((tags[code], code) for code in WATCHED if code in tags)
    what = f"mean of {len(banks)} treebanks, held-back parts"
    tagged = f"UPOS accuracy, mean of {len(tags)} treebanks, held-back parts"
    watched = f"UPOS accuracy, lowest of {', '.join(WATCHED)} ({lowest[1]})"
    figures = [
        Figure("corpus", tagged, mean, at_least(91.5)),
        Figure("corpus", watched, lowest[0], at_least(93)),
        Figure("corpus", f"lemma accuracy, {what}", mine, at_least(94), peers={"simplemma": theirs}),
        Figure("corpus", "languages with tags", len(tag_languages()), at_least(40)),
        Figure("corpus", "tokens tagged per CPU-second", speed(banks), at_least(300_000)),
    ]
    write_figures("tags", figures)


def learn_without(bank: Treebank, directory: Path) -> TagTables | None:
    """Tables of the bank's language that have not seen its held-back part. None without free treebanks."""
    records = [json.loads(line) for line in (directory / "manifest.jsonl").open()]
    chosen = [record for record in records if record["language"] == bank.language and is_used(record)]
    if not chosen:
        return None
    others = [record for record in chosen if not record["file"].startswith(f"{bank.name}-dev")]
    training, _ = split(directory, others, hold=False)
    training += [sentence for unit in bank.training() for sentence in unit.sentences]
    return learn(bank.language, training)


def _held(bank: Treebank) -> Data:
    return [sentence for unit in bank.held() for sentence in unit.sentences]


def tag_accuracy(bank: Treebank, tables: TagTables) -> float:
    """Percent of the words that are no contractions whose tag is right."""
    tagger = Tagger(tables, dictionary_lemmas(bank.language))
    right = count = 0
    for sentence in _held(bank):
        for word, tag in zip(sentence, tagger.tags([word.form for word in sentence]), strict=True):
            if not word.parts:
                count += 1
                right += tag == word.upos
    return 100 * right / count


def lemma_accuracy(bank: Treebank, tables: TagTables | None) -> tuple[float, float]:
    """Percent of right lemmas, ours with our tags, and simplemma's."""
    import simplemma

    tagger = Tagger(tables, dictionary_lemmas(bank.language)) if tables else None
    rules: LemmaRules | None = lemma_rules(bank.language, tables.lemmas) if tables else None
    plain = Lemmatiser(bank.language)
    code = {"hr": "hbs", "sr": "hbs"}.get(bank.language, bank.language)
    right = theirs = count = 0
    for sentence in _held(bank):
        tags = tagger.tags([word.form for word in sentence]) if tagger else [""] * len(sentence)
        first = True
        for word, tag in zip(sentence, tags, strict=True):
            given = rules.lemma(word.form, tag, first=first) if rules else plain.lemma(word.form)
            first = first and not word.form[:1].isalnum()
            if word.lemma is not None and word.lemma != "_":
                count += 1
                right += given == word.lemma
                theirs += simplemma.lemmatize(word.form, code) == word.lemma
    return 100 * right / count, 100 * theirs / count


def speed(banks: list[Treebank]) -> float:
    """Tokens per CPU-second over all files of languages with tags, after the dictionaries are loaded."""
    count, spent = 0, 0.0
    for bank in banks:
        tagger = make_tagger(bank.language)
        if tagger is None:
            continue
        sentences = [[word.form for word in sentence] for unit in bank.units for sentence in unit.sentences]
        tagger.tags(["x"])
        started = time.process_time()
        for sentence in sentences:
            tagger.tags(sentence)
        spent += time.process_time() - started
        count += sum(map(len, sentences))
    return count / spent


if __name__ == "__main__":
    main()
