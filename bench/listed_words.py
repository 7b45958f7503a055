"""Words of Khmer and Lao, which have no treebank, beside ICU where PyICU is installed.

    python -m bench.listed_words --catalogues DIRECTORY [--lao FILE] [--write]

Khmer: messages that translators wrote with spaces of no width between words, in gettext catalogues (.mo). The
constants of tools/build_word_lists.py were chosen on half of those of GTK, apt and ISO codes, as Debian
installs them; Pootle's (GPL) are measured. Translators do not agree with each other, so no cutter can reach
100. Lao: a file with a sentence a line and spaces between words, of which the first 24 lines are left out.
Burmese is not measured: we know no free text with its words marked. F1 counts exact spans inside runs.
"""

from __future__ import annotations

import argparse
import gettext
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from bench.figures import Figure, write_figures
from bench.treebank import spans
from threadmill.corpus.text.unspaced_words import cutter

_KHMER = "\u1780-\u17d3\u17d7\u17dc\u17dd"
_NO_WIDTH = "\u200b"
_KHMER_RUN = re.compile(f"[{_KHMER}{_NO_WIDTH}]+")
_LAO_WORD = re.compile("[\u0e80-\u0ecf\u0edc-\u0edf]+")
_FEWEST = 3  # spaces of no width in a message whose words are marked
_LAO_SEEN = 24  # lines

Cut = Callable[[str], list[str]]
Run = tuple[str, ...]  # words


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--catalogues", type=Path, required=True, help="a directory of .mo files")
    parser.add_argument("--lao", type=Path, help="a file with spaces between words")
    parser.add_argument("--write", action="store_true", help="write the figures")
    options = parser.parse_args(arguments)
    runs = list(dict.fromkeys(khmer_runs(messages(options.catalogues))))
    figures = [measure("km", "Khmer, messages with marked words", runs)]
    if options.lao:
        lines = options.lao.read_text(encoding="utf-8").splitlines()
        figures.append(measure("lo", "Lao, sentences with marked words", list(lao_runs(lines[_LAO_SEEN:]))))
    if options.write:
        write_figures("listed_words", figures)
    return 0


def measure(language: str, what: str, runs: Sequence[Run]) -> Figure:
    """The F1 of our cutter, and of ICU."""
    peers = {}
    try:
        peers["ICU"] = f1(icu(language), runs)
    except ImportError:
        print("ICU is not measured: pip install PyICU")
    ours = f1(cutter(language).cut, runs)
    print(f"{what}: {ours:.2f} of {sum(map(len, runs))} words; {peers}")
    return Figure("corpus", f"word F1, {what}, held back", ours, peers=peers)


def messages(directory: Path) -> Iterator[str]:
    """The translations of all catalogues in a directory."""
    for path in sorted(directory.glob("*.mo")):
        with path.open("rb") as octets:
            catalogue: dict[object, str] = vars(gettext.GNUTranslations(octets))["_catalog"]
        yield from (text for name, text in catalogue.items() if name)


def khmer_runs(texts: Iterable[str]) -> Iterator[Run]:
    """The runs of Khmer in texts whose words are marked."""
    for text in texts:
        if text.count(_NO_WIDTH) >= _FEWEST:
            for run in _KHMER_RUN.findall(text):
                words = tuple(filter(None, run.split(_NO_WIDTH)))
                if len(words) > 1:
                    yield words


def lao_runs(lines: Iterable[str]) -> Iterator[Run]:
    """Neighbouring words of Lao."""
    for line in lines:
        run: list[str] = []
        for word in [*line.split(), "."]:
            if _LAO_WORD.fullmatch(word):
                run.append(word)
                continue
            if len(run) > 1:
                yield tuple(run)
            run = []


def f1(cut: Cut, runs: Iterable[Run]) -> float:
    """F1 of words, in percent."""
    right = gold = found = 0
    for run in runs:
        wanted, given = spans(iter(run)), spans(iter(cut("".join(run))))
        right, gold, found = right + len(wanted & given), gold + len(wanted), found + len(given)
    return 200 * right / (gold + found)


def icu(language: str) -> Cut:
    """ICU's break iterator."""
    from icu import BreakIterator, Locale  # type: ignore[import-not-found,unused-ignore]

    breaks = BreakIterator.createWordInstance(Locale(language))

    def cut(run: str) -> list[str]:
        breaks.setText(run)
        ends = list(breaks)
        return [run[start:end] for start, end in zip([0, *ends], ends, strict=False)]

    return cut


if __name__ == "__main__":
    sys.exit(main())
