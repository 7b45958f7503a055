"""Joins the syllables of Vietnamese, which have spaces between them, into words.

A word list gives the fewest words of a run of syllables. A trained table then decides at each space, by these
words, by all listed words that touch the space and by the syllables around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from threadmill.corpus.text.delimited_text import DELIMITERS, JOINED
from threadmill.corpus.text.unspaced_words import read_table

LANGUAGES = frozenset({"vi"})
MOST_SYLLABLES = 4  # of a listed word
_DELIMITER = re.compile(f"[{DELIMITERS}]")
# Tokens of letters only, with a space between each two.
_RUN = re.compile(rf"(?<![^{DELIMITERS}])[^\W\d_]+(?: [^\W\d_]+)+(?![^{DELIMITERS}])")


class SyllableJoiner:
    """Joins syllables in delimited text. Keep one, because loading the table takes a moment."""

    def __init__(self, words: Iterable[str], weights: Mapping[str, int]) -> None:
        self._words = frozenset(words)
        self._weights = dict(weights)

    def join(self, cut: str) -> str:
        """The delimited text with JOINED between the syllables of a word."""
        return _RUN.sub(lambda match: self._join_run(match[0]), cut)

    def _join_run(self, run: str) -> str:
        syllables, weights = run.split(" "), self._weights
        found = [syllables[0]]
        for at, features in self.places(syllables):
            is_end = sum([weights[feature] for feature in features if feature in weights]) > 0
            found += (" " if is_end else JOINED, syllables[at])
        return "".join(found)

    def places(self, syllables: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
        """Each place between two syllables, with its features."""
        low = [syllable.lower() for syllable in syllables]
        bounds, ending, beginning, across = self._listed_words(low)
        around = ["^", "^", *low, "$", "$"]
        kinds = f"^^{''.join(map(_kind, syllables))}$$"
        for at in range(1, len(low)):
            cut = "1" if at in bounds else "0"
            left, right = low[at - 1], low[at]
            before, after = around[at], around[at + 3]
            yield (
                at,
                [
                    f"n{cut}{ending[at]}{beginning[at]}{across[at]}",
                    f"a{cut}{left}",
                    f"b{cut}{right}",
                    f"c{left} {right}",
                    f"d{left}",
                    f"e{right}",
                    f"f{before} {left} {right}",
                    f"g{left} {right} {after}",
                    f"h{before} {right}",
                    f"i{left} {after}",
                    f"k{kinds[at : at + 4]}",
                    f"l{cut}{kinds[at + 1 : at + 3]}",
                ],
            )

    def _listed_words(self, low: Sequence[str]) -> tuple[set[int], list[int], list[int], list[int]]:
        """The words of the list that stand in a run.

        First come the bounds of the fewest words. Then, for each place, the syllables of the longest word
        that ends there, begins there, goes across it.
        """
        size = len(low)
        fewest = [0, *([size + 1] * size)]
        back, across = [0] * (size + 1), [0] * (size + 1)
        ending, beginning = [1] * (size + 1), [1] * (size + 1)
        for at in range(size):
            for end in range(at + 1, min(at + MOST_SYLLABLES, size) + 1):
                count = end - at
                if count > 1:
                    if " ".join(low[at:end]) not in self._words:
                        continue
                    beginning[at] = count
                    ending[end] = max(ending[end], count)
                    for place in range(at + 1, end):
                        across[place] = max(across[place], count)
                if fewest[at] + 1 < fewest[end] or (fewest[at] + 1 == fewest[end] and count > 1):
                    fewest[end], back[end] = fewest[at] + 1, at
        bounds, at = {size}, size
        while at:
            at = back[at]
            bounds.add(at)
        return bounds, ending, beginning, across


def _kind(syllable: str) -> str:
    """Whether a syllable is in capitals, begins with one, or is in small letters."""
    if syllable.isupper() and len(syllable) > 1:
        return "U"
    return "X" if syllable[0].isupper() else "x"


def runs(cut: str) -> Iterator[tuple[int, list[str]]]:
    """The runs of syllables in a delimited text, each with the number of characters of tokens before it."""
    for match in _RUN.finditer(cut):
        yield len(_DELIMITER.sub("", cut[: match.start()])), match[0].split(" ")


@cache
def joiner(language: str) -> SyllableJoiner | None:
    """The joiner of a language. None if its spaces stand between words."""
    if language not in LANGUAGES:
        return None
    table = read_table(language)
    return SyllableJoiner(table["words"], table["weights"])
