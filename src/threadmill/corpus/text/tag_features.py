"""What a tagger looks at in a word: rows of a table of weights, by hashes of its letters and of its lemma."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from zlib import crc32

# Multipliers of Knuth and of MurmurHash3; any odd numbers without a pattern would do.
_FIRST, _SECOND, _THIRD = 0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35
_WORD = 0xFFFFFFFF
_LONGEST_ENDING = 5
_LONGEST_BEGINNING = 3


@dataclass(frozen=True, slots=True)
class WordFeatures:
    """The rows of one form: for its own tag, and for the tags of its neighbours. Hashes are for pairs."""

    own: tuple[int, ...]
    before: tuple[int, ...]  # rows for the tag of the next word
    after: tuple[int, ...]  # rows for the tag of the word before
    far_before: tuple[int, ...]
    far_after: tuple[int, ...]
    word: int
    ending: int
    change: int
    shape: int


def word_features(form: str, lemma_of: Callable[[str], str], mask: int) -> WordFeatures:
    """The features of a form. `mask` is the number of rows less one, and the number is a power of two."""
    low = form.lower()
    shape = word_shape(form)
    lemma = lemma_of(form)
    change = lemma_change(low, lemma)
    ending = low[-3:]
    own = [f"w{form}", f"l{low}", f"h{shape}", f"z{shape}{min(len(form), 9)}", f"d{lemma}", f"c{change}"]
    own += [f"{n}{low[-n:]}" for n in range(1, min(_LONGEST_ENDING, len(low)) + 1)]
    own += [f"b{low[:n]}" for n in range(1, min(_LONGEST_BEGINNING, len(low)) + 1)]
    own += [f"e{lemma[-2:]}", f"E{lemma[-3:]}", f"F{lemma[-2:]}|{low[-2:]}", f"s{shape}{low[-2:]}"]
    near = (f"l{low}", ending, f"2{low[-2:]}", f"c{change}", f"h{shape}", f"e{lemma[-2:]}")
    return WordFeatures(
        own=tuple(_hash(f"0{name}") & mask for name in own),
        before=tuple(_hash(f"<{name}") & mask for name in near),
        after=tuple(_hash(f">{name}") & mask for name in near),
        far_before=(_hash(f"({low}") & mask, _hash(f"[{ending}") & mask),
        far_after=(_hash(f"){low}") & mask, _hash(f"]{ending}") & mask),
        word=_hash(low),
        ending=_hash(ending),
        change=_hash(f"c{change}{lemma[-1:]}"),
        shape=_hash(shape),
    )


def _hash(text: str) -> int:
    return crc32(text.encode("utf-8", "replace"))


def word_shape(form: str) -> str:
    """The kinds of characters of a form, in its order, each run of a kind once."""
    found: list[str] = []
    for sign in form[:12]:
        kind = _kind(sign)
        if not found or found[-1] != kind:
            found.append(kind)
    return "".join(found)


def _kind(sign: str) -> str:
    if sign.isupper():
        return "X"
    if sign.islower():
        return "x"
    if sign.isdigit():
        return "9"
    return "o" if sign.isalpha() else sign


def lemma_change(low: str, lemma: str) -> str:
    """What changes from a form in small letters to its lemma: the old ending and the new one."""
    small = lemma.lower()
    same = 0
    for mine, other in zip(low, small, strict=False):
        if mine != other:
            break
        same += 1
    return f"{low[same:]}>{small[same:]}"


def pair_rows(
    mask: int, previous: int, earlier: int, words: tuple[WordFeatures, WordFeatures, WordFeatures]
) -> list[int]:
    """Rows of pairs: the two tags before, with the word before, the word itself and the word after."""
    before, word, after = words
    return [
        mix(1, previous, 0) & mask,
        mix(2, previous, earlier) & mask,
        mix(3, previous, word.word) & mask,
        mix(4, previous, word.ending) & mask,
        mix(5, previous, word.change) & mask,
        mix(6, previous, word.shape) & mask,
        mix(7, before.word, word.word) & mask,
        mix(8, after.word, word.word) & mask,
        mix(9, previous, after.word) & mask,
        mix(10, previous, after.change) & mask,
        mix(11, earlier, word.ending) & mask,
        mix(12, previous * 64 + earlier, word.change) & mask,
    ]


def mix(kind: int, first: int, second: int) -> int:
    """A hash of two numbers below 2**32 for one kind of pair."""
    found = (kind * _THIRD + (first + 1) * _FIRST) & _WORD
    found ^= found >> 15
    found = (found * _SECOND + second * _FIRST) & _WORD
    found ^= found >> 13
    found = (found * _THIRD) & _WORD
    return found ^ (found >> 16)
