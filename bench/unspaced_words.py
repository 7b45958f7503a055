"""Words of Chinese, Japanese, Thai and Vietnamese on Universal Dependencies files.

    python -m bench.unspaced_words --data DIRECTORY --write

Chinese and Japanese are judged in two halves, each by a table that learnt from the other half only, as there
is one small file of each. Thai and Vietnamese are judged by their development files, by tables that learnt
from the training files. The shipped tables learn from all of them. F1 counts exact spans of all tokens,
white space apart. Needs the packages that tools/train_words.py needs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.figures import Figure, at_least, write_figures
from bench.treebank import Unit, read_units, spans
from threadmill.corpus.text.delimited_text import from_forms, to_forms
from threadmill.corpus.text.languages import language_profile
from threadmill.corpus.text.syllables import SyllableJoiner
from threadmill.corpus.text.tokens import Tokeniser
from threadmill.corpus.text.unspaced_words import FugashiCutter, RunCutter, WordCutter, table_cutter
from tools.train_words import (
    examples,
    make_joiner_table,
    train,
    variants_of,
    word_list,
)

Cut = Callable[[str], list[str]]
NAMES = {"zh": "Chinese", "ja": "Japanese", "th": "Thai"}
SPLIT = {"th": "th_tud", "vi": "vi_vtb"}  # treebanks with a training file
BAR = 97.0  # token F1 over all scripts


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", action="store_true", help="write the figures")
    options = parser.parse_args(arguments)
    figures = []
    for language, name in NAMES.items():
        words, variants = word_list(language), variants_of(language)
        right = 0.0
        parts = folds(language, options.data)
        for learnt, judged in parts:
            weights = train(examples(WordCutter(words, {}, variants), learnt))
            right += f1(tokens_with(language, WordCutter(words, weights, variants)), judged) / len(parts)
        characters = f1(tokens_with(language, None), [unit for _, judged in parts for unit in judged])
        print(f"{name}: token F1 {right:.2f}; by characters and clusters {characters:.2f}")
        judged = [unit for _, part in parts for unit in part]
        before = {"by characters": characters} | {
            library: f1(tokens_with(language, peer()), judged)
            for library, peer in PEERS.get(language, {}).items()
        }
        figures.append(Figure("corpus", f"token F1, {name}, held back", right, at_least(BAR), peers=before))
    learnt, judged = folds("vi", options.data)[0]
    joined, apart = f1(joined_by(learnt), judged), f1(tokens_with("vi", None), judged)
    print(f"Vietnamese: token F1 {joined:.2f}; by syllables {apart:.2f}")
    before = {"by syllables": apart}
    figures.append(Figure("corpus", "token F1, Vietnamese, held back", joined, at_least(BAR), peers=before))
    japanese = [unit for _, units in folds("ja", options.data) for unit in units]
    library = f1(tokens_with("ja", FugashiCutter()), japanese)
    print(f"Japanese by fugashi: token F1 {library:.2f}")
    figures.append(Figure("corpus", "token F1, Japanese, with the extra `japanese`", library, at_least(BAR)))
    judged = [unit for _, units in folds("zh", options.data) for unit in units]
    speed = characters_a_second(tokens_with("zh", table_cutter("zh")), judged)
    print(f"{speed:,.0f} characters a CPU-second (Chinese, shipped table)")
    figures.append(Figure("corpus", "characters cut into words per CPU-second, Chinese", speed))
    if options.write:
        write_figures("unspaced_words", figures)
    return 0


@dataclass(frozen=True, slots=True)
class Peer:
    """A library that cuts runs."""

    cut: Cut


def jieba() -> Peer:
    """jieba, which the list of Chinese words is from."""
    import jieba as library  # type: ignore[import-not-found,import-untyped,unused-ignore]

    return Peer(library.lcut)


def newmm() -> Peer:
    """PyThaiNLP's default, which the list of Thai words is from."""
    from pythainlp.tokenize import word_tokenize  # type: ignore[import-not-found,unused-ignore]

    return Peer(word_tokenize)


PEERS: dict[str, dict[str, Callable[[], Peer]]] = {"zh": {"jieba": jieba}, "th": {"PyThaiNLP": newmm}}


def folds(language: str, data: Path) -> list[tuple[list[Unit], list[Unit]]]:
    """Pairs of what is learnt from and what is judged."""
    if language in SPLIT:
        parts = [list(read_units(data / f"{SPLIT[language]}-{part}.conllu.xz")) for part in ("train", "dev")]
        return [(parts[0], parts[1])]
    units = list(read_units(data / f"{language}_gsd-dev.conllu.xz"))
    first, second = units[: len(units) // 2], units[len(units) // 2 :]
    return [(second, first), (first, second)]


def tokens_with(language: str, cutter: RunCutter | None) -> Cut:
    """Our tokeniser with another table, or with none."""
    return Tokeniser(language_profile(language), lambda _run, _language: cutter).forms


def joined_by(units: Sequence[Unit]) -> Cut:
    """Our splitter of Vietnamese with a table that learnt from some units. Sentences are given."""
    table = make_joiner_table(units)
    joiner = SyllableJoiner(table["words"], table["weights"])
    tokenise = Tokeniser(language_profile("vi")).forms
    return lambda text: to_forms(joiner.join(from_forms([tokenise(text)])))


def f1(cut: Cut, units: Sequence[Unit]) -> float:
    """F1 of tokens, in percent. Sentences are given."""
    right = gold = found = 0
    for unit in units:
        for sentence in unit.sentences:
            text = "".join(word.form + " " * word.space_after for word in sentence)
            wanted = spans(word.form for word in sentence)
            given = spans(iter(cut(" ".join(text.split()))))
            right, gold, found = right + len(wanted & given), gold + len(wanted), found + len(given)
    return 200 * right / (gold + found)


def characters_a_second(cut: Cut, units: Sequence[Unit]) -> float:
    """Characters that are cut in a second of CPU."""
    texts = [unit.text for unit in units]
    cut(texts[0])
    started = time.process_time()
    for text in texts:
        cut(text)
    return sum(map(len, texts)) / (time.process_time() - started)


if __name__ == "__main__":
    sys.exit(main())
