"""Cuts runs of Chinese, Japanese and Thai, which have no spaces, into words; finds the cutter of any script.

A word list gives the cheapest cutting of a run. A trained table then decides at each place between two
characters, by that cutting, by all listed words that touch the place and by the characters around it.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from importlib.util import find_spec
from math import log
from typing import Any, Protocol
from zipfile import ZipFile

from threadmill.corpus.text.listed_words import SCRIPTS, ListCutter
from threadmill.native.loader import load_extension

_FILE = "data/unspaced.zip"  # a member for each language
_KANA = re.compile("[\u3040-\u30ff\uff66-\uff9f]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
# Scripts that one language writes, or one by far more than others.
_SCRIPTS = {code: re.compile(f"[{script}]") for code, script in {"th": "\u0e00-\u0e7f", **SCRIPTS}.items()}
_NUMERALS = frozenset("〇零一二三四五六七八九十百千万億亿两")
# The cost of a word is the logarithm of its rank, as words are about as frequent as their rank is small. The
# first ranks are nearly equal; a character that no list has costs more than the last word.
_FIRST_RANKS = 10
UNKNOWN = 13.0
LONGEST_WORD = 12  # of a list
LENGTHS = "0123455555555"  # words of more than five characters are told apart no more


def cost_of_rank(rank: int) -> float:
    """The cost of the word at this place of a list."""
    return log(rank + _FIRST_RANKS)


class RunCutter(Protocol):
    """Cuts runs of one language without spaces."""

    def cut(self, run: str) -> list[str]:
        """The words of a run. They join to it."""


class FugashiCutter:
    """Cuts Japanese by fugashi and UniDic, which the extra `japanese` installs."""

    def __init__(self) -> None:
        import fugashi
        import unidic_lite

        folder = unidic_lite.DICDIR
        self._words = fugashi.Tagger(f'-r "{folder}/mecabrc" -d "{folder}"')

    def cut(self, run: str) -> list[str]:
        """The words of a run."""
        return [word.surface for word in self._words(run)]


class WordCutter:
    """Cuts runs of one language without spaces."""

    def __init__(self, words: Sequence[str], weights: Mapping[str, int], variants: Mapping[str, str]) -> None:
        self.weights = dict(weights)
        self._variants = str.maketrans(dict(variants))
        # Words with their cost, and the beginnings of words with none, so that a search can stop early.
        self._costs: dict[str, float | None] = {}
        for word in words:
            for end in range(1, len(word)):
                self._costs.setdefault(word[:end], None)
        self._costs.update((word, cost_of_rank(at)) for at, word in enumerate(words))

    def cut(self, run: str) -> list[str]:
        """The words of a run."""
        if len(run) == 1:
            return [run]
        weights, start, words = self.weights, 0, []
        for at, features in self.places(run):
            if sum([weights[feature] for feature in features if feature in weights]) > 0:
                words.append(run[start:at])
                start = at
        return [*words, run[start:]]

    def places(self, run: str) -> Iterator[tuple[int, list[str]]]:
        """Each place between two characters, with its features."""
        text = run.translate(self._variants)
        bounds, ending, beginning, across = self._listed_words(text)
        around = f"^^{text}$$$"
        kinds = "".join(map(kind_of, around))
        bound = 0
        for at in range(1, len(text)):
            if at >= bounds[bound + 1]:
                bound += 1
            is_bound = at == bounds[bound]
            left = text[bounds[bound - 1] if is_bound else bounds[bound] : at]
            right = text[at : bounds[bound + 1]]
            cut = "1" if is_bound else "0"
            last, first = text[at - 1], text[at]
            before, after = LENGTHS[ending[at]], LENGTHS[beginning[at]]
            yield (
                at,
                [
                    f"n{cut}{LENGTHS[len(left)]}{LENGTHS[len(right)]}",
                    f"a{cut}{last}",
                    f"b{cut}{first}",
                    f"c{last}{first}",
                    f"f{around[at : at + 3]}",
                    f"g{around[at + 1 : at + 4]}",
                    f"k{kinds[at - 1 : at + 5]}",
                    f"l{cut}{left}",
                    f"r{cut}{right}",
                    f"u{before}{after}{LENGTHS[across[at]]}",
                    f"v{before}{last}",
                    f"w{after}{first}",
                ],
            )

    def _listed_words(self, text: str) -> tuple[list[int], list[int], list[int], list[int]]:
        """The words of the list that stand in a text.

        First come the bounds of those whose costs have the smallest sum, with 0 and the length of the text.
        Then, for each place, the lengths of the longest word that ends there, begins there, goes across it.
        """
        size, costs = len(text), self._costs
        best = [0.0, *([float("inf")] * size)]
        back, ending, beginning, across = ([0] * (size + 1) for _ in range(4))
        for at in range(size):
            so_far, longest = best[at], 0
            if so_far + UNKNOWN < best[at + 1]:
                best[at + 1], back[at + 1] = so_far + UNKNOWN, at
            for end in range(at + 1, size + 1):
                word = text[at:end]
                if word not in costs:
                    break
                cost = costs[word]
                if cost is not None:
                    longest = end - at
                    if not ending[end]:  # what begins later is shorter
                        ending[end] = longest
                    if so_far + cost < best[end]:
                        best[end], back[end] = so_far + cost, at
            beginning[at] = longest
            for place in range(at + 1, at + longest):
                across[place] = max(across[place], longest)
        return _bounds(back), ending, beginning, across


def _bounds(back: Sequence[int]) -> list[int]:
    """The bounds of the cheapest words, by where the last word before each place begins."""
    bounds = [len(back) - 1]
    while bounds[-1]:
        bounds.append(back[bounds[-1]])
    return bounds[::-1]


@lru_cache(maxsize=20_000)
def kind_of(character: str) -> str:
    """The kind of a character: hiragana, katakana, numeral, Thai sign or vowel, edge, or another."""
    code = ord(character)
    if code < 0x80:
        return "_"
    if 0x3040 <= code <= 0x309F:
        return "h"
    if 0x30A0 <= code <= 0x30FF or code >= 0xFF66:
        return "k"
    if 0xE30 <= code <= 0xE3A or 0xE45 <= code <= 0xE4E:
        return "s"
    return "v" if 0xE40 <= code <= 0xE44 else "1" if character in _NUMERALS else "c"


def cutter_of(run: str, language: str) -> RunCutter | None:
    """The cutter for a run: by its script, and by its language where it has only Chinese characters."""
    if _KANA.search(run):
        return cutter("ja")
    if _HAN.search(run):
        return cutter("ja" if language == "ja" else "zh")
    return next((cutter(code) for code, script in _SCRIPTS.items() if script.search(run)), None)


@cache
def cutter(language: str) -> RunCutter:
    """The cutter of a language. Installed packages for Japanese are better than our table."""
    if language in SCRIPTS:
        return ListCutter.from_table(language, read_table(language))
    if language == "ja" and all(map(find_spec, ("fugashi", "unidic_lite"))):
        return FugashiCutter()
    return table_cutter(language)


def table_cutter(language: str) -> RunCutter:
    """The cutter by our table, in native code where it was built."""
    table = read_table(language)
    compiled = load_extension("tokens")  # it reads this module, so it is not loaded with it
    made: RunCutter = (compiled or sys.modules[__name__]).WordCutter(
        table["words"], table["weights"], table["variants"]
    )
    return made


def chinese_script(text: str) -> str:
    """Hant for traditional characters, Hans for simplified ones (ISO 15924). Empty if there are neither."""
    traditional, simplified = _script_characters()
    found = sum([sign in traditional for sign in text]) - sum([sign in simplified for sign in text])
    return "Hant" if found > 0 else "Hans" if found < 0 else ""


@cache
def _script_characters() -> tuple[frozenset[str], frozenset[str]]:
    """Characters that only traditional texts have, and those that stand for them in simplified ones."""
    variants: dict[str, str] = read_table("zh")["variants"]
    return frozenset(variants), frozenset(variants.values()) - frozenset(variants)


def read_table(language: str) -> dict[str, Any]:
    """What was learnt of a language: words, and weights of features."""
    with files("threadmill.corpus").joinpath(_FILE).open("rb") as octets, ZipFile(octets) as packed:
        table: dict[str, Any] = json.loads(packed.read(language))
    return table
