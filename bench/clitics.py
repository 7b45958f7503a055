"""Clitics of Hebrew on a treebank, and of Arabic on sentences that were written for this.

    python -m bench.clitics --data DIRECTORY [--write]

The Hebrew file is judged in two halves, each by weights that learnt from the other half only. The Arabic
sentences, in clitics_arabic.txt, were written and split by hand, since no Arabic treebank is free. By the
earlier ones the article of Arabic got its weight; nothing was changed after the later ones.
F1 counts exact spans of the parts of words in the letters of the language. Needs the packages that
tools/train_clitics.py needs.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from bench.figures import Figure, write_figures
from bench.treebank import read_units, spans
from threadmill.corpus.text.clitics import CliticSplitter
from tools.train_clitics import TREEBANK, frequent_words, gold_clitics, hebrew_words, train, weights_for

ARABIC = Path(__file__).with_suffix("").with_name("clitics_arabic.txt")
Parts = tuple[str, ...]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", action="store_true", help="write the figures")
    options = parser.parse_args(arguments)
    units = list(read_units(options.data / TREEBANK))
    halves = units[: len(units) // 2], units[len(units) // 2 :]
    frequencies, hebrew, whole = frequent_words("he"), [], []
    for learnt, judged in (halves, halves[::-1]):
        split = CliticSplitter("he", frequencies, train(learnt, frequencies)).parts
        words = [_parts(word.form, gold_clitics(word)) for word in hebrew_words(judged)]
        hebrew.append(f1(split, words))
        whole.append(f1(lambda word: (word,), words))
    weights = weights_for("ar", train(units, frequencies))
    splitter = CliticSplitter("ar", frequent_words("ar"), weights)
    figures = [_figure("Hebrew, held back", sum(hebrew) / 2, sum(whole) / 2)]
    for name, arabic in zip(("earlier", "later"), arabic_sets(), strict=True):
        for parts in arabic:
            if splitter.parts("".join(parts)) != parts:
                print("+".join(parts), "is split as", "+".join(splitter.parts("".join(parts))))
        what = f"Arabic, {len(arabic)} {name} words written for this"
        figures.append(_figure(what, f1(splitter.parts, arabic), f1(lambda word: (word,), arabic)))
    if options.write:
        write_figures("clitics", figures)


def arabic_sets() -> list[list[Parts]]:
    """The Arabic words by whether they were written before or after the weights were set."""
    sets = ARABIC.read_text(encoding="utf-8").split("\n\n")
    return [
        [tuple(word.split("+")) for line in lines.splitlines() if line[:1] != "#" for word in line.split()]
        for lines in sets
    ]


def _parts(form: str, clitics: Parts) -> Parts:
    return (*clitics, form[len("".join(clitics)) :])


def f1(split: Callable[[str], Parts], words: Iterable[Parts]) -> float:
    """F1 of the parts, in percent."""
    right = gold = found = 0
    for parts in words:
        wanted, given = spans(iter(parts)), spans(iter(split("".join(parts))))
        right, gold, found = right + len(wanted & given), gold + len(wanted), found + len(given)
    return 200 * right / (gold + found)


def _figure(what: str, value: float, whole: float) -> Figure:
    print(f"{what}: F1 of parts {value:.2f}; whole words {whole:.2f}")
    return Figure("corpus", f"clitics, F1 of parts, {what}", value, peers={"whole words": whole})


if __name__ == "__main__":
    main()
