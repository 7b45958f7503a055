"""Finds the candidate sentence boundaries of a text. Only these are examined further.

Four of five spaces lie before a word in lower case or after a comma, and can hardly end a sentence. The
largest weights of the trained table give an upper bound for the score of such a place. If even the bound is
too low, the place is skipped without looking at its words. The result is the same as if every space were
examined.
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
_WORD_SHAPES = "lUo"  # shapes of a word of letters that is not all in capitals
_SIZES = "0123456"
# Letters with case are listed up to Greek Extended, letters without case up to the end of Hangul. Places at
# other letters count as candidates.
_LAST_CASED = 0x2000
_LAST_LETTER = 0xD7FF


@dataclass(frozen=True, slots=True)
class BoundaryCandidates:
    """Which places a table rules out, by the characters around a space and by the first word after it."""

    small: bool  # no sentence begins in lower case after a word or a comma
    digits: bool  # no sentence begins with a digit after a word
    numbers: bool  # no sentence begins with a digit after a comma
    is_hopeless: IsHopeless

    @property
    def split(self) -> Callable[[str], list[str]]:
        """A function that splits a text at its candidate boundaries."""
        return _candidate_spaces(self.small, self.digits, self.numbers).split


@cache
def boundary_candidates(scores: Scores) -> BoundaryCandidates:
    """The candidates that a table leaves."""

    @cache  # there are only some hundred openings
    def is_hopeless(stop: str, begin: Opening) -> bool:
        return _score_bound(scores, stop, begin) <= HOPELESS

    def are_hopeless(stop: str, shapes: str) -> bool:
        begins = (Opening("", shape, rank) for shape in shapes for rank in _RANKS)
        return all(_score_bound(scores, stop, begin, _SHAPES) <= HOPELESS for begin in begins)

    small = are_hopeless("", "l.o") and are_hopeless(",", "l.o")
    return BoundaryCandidates(small, are_hopeless("", "09"), are_hopeless(",", "09"), is_hopeless)


def _score_bound(scores: Scores, stop: str, begin: Opening, shapes: str = "") -> int:
    """The highest score of a place after a word (of these shapes, with or without a comma) before `begin`."""
    weight, head, shape, rank = scores.weight, begin.opener + begin.shape, begin.shape, begin.rank
    last = max([weight(f"f{stop}|{before}|{shape}|{rank}") for before in _RANKS])
    word = _word_score_bound(scores, stop, shape, shapes or (_SHAPES if stop else _WORD_SHAPES))
    fixed = weight("bias") + weight(f"a{stop}") + weight(f"b{stop}|{head}") + weight(f"e{stop}|{head}|{rank}")
    return fixed + word + last


@cache  # there are many openings, but few shapes
def _word_score_bound(scores: Scores, stop: str, shape: str, shapes: str) -> int:
    """The highest score that the word before the place can add."""
    weight = scores.weight
    return max(
        max([weight(f"c{stop}|{left}{known}|{shape}") for left in shapes])
        + max([weight(f"d{stop}|{size}{known}|{shape}") for size in _SIZES])
        for known in "01"
    )


@cache
def _candidate_spaces(small: bool, digits: bool, numbers: bool) -> re.Pattern[str]:
    """A space, unless the characters around it rule it out. A comma that stands alone rules nothing out."""
    letters = _small_letters() + _letters_without_case() if small else ""
    after_word = f"[{letters}{'0-9' if digits else ''}]" if small or digits else "(?!)"
    after_comma = f"[{letters}{'0-9' if numbers else ''}]" if small or numbers else "(?!)"
    return re.compile(
        rf" (?:(?<!\w )|(?!{after_word}))(?:(?<!, )|(?<= , )|(?!{after_comma}))(?<!{PASSAGE} )(?!{PASSAGE})"
    )


@cache
def _small_letters() -> str:
    return _character_class(sign for sign in _letters(_LAST_CASED) if sign.islower())


@cache
def _letters_without_case() -> str:
    return _character_class(
        sign for sign in _letters(_LAST_LETTER) if not sign.islower() and not sign.isupper()
    )


def _letters(last: int) -> Iterator[str]:
    return filter(str.isalpha, map(chr, range(last + 1)))


def _character_class(signs: Iterable[str]) -> str:
    """These characters, which come in order, as ranges for a character class."""
    ranges: list[list[int]] = []
    for code in map(ord, signs):
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)
