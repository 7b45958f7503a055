"""Where in a text a sentence may end: one pattern passes over what the trained table rules out by itself.

Four places of five lie between two words of which the second begins small, or after a comma. What a table
says of such a pair is bounded by the largest weights of its parts; where even these are hopeless, the pieces
need not be looked at. The answers are those of looking at every place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from threadmill.corpus.text.boundary_features import IsHopeless, Opening
from threadmill.corpus.text.boundary_weights import HOPELESS, Scores
from threadmill.corpus.text.delimited_text import PASSAGE

_RANKS = "abcde"
_SHAPES = "lUA09.:Irxo"
_WORD_SHAPES = "lUo"  # of a word of letters that is not all capitals
_SIZES = "0123456"
# Cased letters are looked for up to Greek Extended, those without case up to the last of Hangul: others are
# looked at one by one.
_LAST_CASED = 0x2000
_LAST_LETTER = 0xD7FF


@dataclass(frozen=True, slots=True)
class Prospects:
    """What of a table can be told from the characters around a space, and from how a piece begins."""

    small: bool  # no sentence begins small after a word or a comma
    digits: bool  # nor with a digit after a word
    numbers: bool  # nor with a digit after a comma
    is_hopeless: IsHopeless

    @property
    def part(self) -> Callable[[str], list[str]]:
        """Parts a text at its hopeful spaces."""
        return _places(self.small, self.digits, self.numbers).split


@cache
def prospects(scores: Scores) -> Prospects:
    """The prospects that a table leaves."""

    @cache  # there are some hundred openings
    def is_hopeless(stop: str, begin: Opening) -> bool:
        return _bound(scores, stop, begin) <= HOPELESS

    def are_hopeless(stop: str, shapes: str) -> bool:
        begins = (Opening("", shape, rank) for shape in shapes for rank in _RANKS)
        return all(_bound(scores, stop, begin, _SHAPES) <= HOPELESS for begin in begins)

    small = are_hopeless("", "l.o") and are_hopeless(",", "l.o")
    return Prospects(small, are_hopeless("", "09"), are_hopeless(",", "09"), is_hopeless)


def _bound(scores: Scores, stop: str, begin: Opening, shapes: str = "") -> int:
    """The most that a pair can weigh: a word (of these shapes), perhaps with a comma, before such a piece."""
    weight, head, shape, rank = scores.weight, begin.opener + begin.shape, begin.shape, begin.rank
    last = max([weight(f"f{stop}|{before}|{shape}|{rank}") for before in _RANKS])
    word = _bound_of_word(scores, stop, shape, shapes or (_SHAPES if stop else _WORD_SHAPES))
    fixed = weight("bias") + weight(f"a{stop}") + weight(f"b{stop}|{head}") + weight(f"e{stop}|{head}|{rank}")
    return fixed + word + last


@cache  # openings differ in rank and signs before a word, shapes are few
def _bound_of_word(scores: Scores, stop: str, shape: str, shapes: str) -> int:
    """What the word itself adds to it."""
    weight = scores.weight
    return max(
        max([weight(f"c{stop}|{left}{known}|{shape}") for left in shapes])
        + max([weight(f"d{stop}|{size}{known}|{shape}") for size in _SIZES])
        for known in "01"
    )


@cache
def _places(small: bool, digits: bool, numbers: bool) -> re.Pattern[str]:
    """A space, unless what is around it leaves no hope; the lone comma is another stop than the usual one."""
    letters = _small_letters() + _letters_without_case() if small else ""
    after_word = f"[{letters}{'0-9' if digits else ''}]" if small or digits else "(?!)"
    after_comma = f"[{letters}{'0-9' if numbers else ''}]" if small or numbers else "(?!)"
    return re.compile(
        rf" (?:(?<!\w )|(?!{after_word}))(?:(?<!, )|(?<= , )|(?!{after_comma}))(?<!{PASSAGE} )(?!{PASSAGE})"
    )


@cache
def _small_letters() -> str:
    return _class(sign for sign in _letters(_LAST_CASED) if sign.islower())


@cache
def _letters_without_case() -> str:
    return _class(sign for sign in _letters(_LAST_LETTER) if not sign.islower() and not sign.isupper())


def _letters(last: int) -> Iterator[str]:
    return filter(str.isalpha, map(chr, range(last + 1)))


def _class(signs: Iterable[str]) -> str:
    """Ranges of these characters, which come in order, for a character class."""
    ranges: list[list[int]] = []
    for code in map(ord, signs):
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)
