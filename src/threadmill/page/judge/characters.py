"""Reads the characters of many texts as numbers, to find words, digits and capitals of all at once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from threadmill.page.judge.page_batch import Floats, Indices

Characters = NDArray[np.uint32]

MARK = "\0"  # in no text: the parser replaces it
_CLOSING = f" {MARK} "
# Characters beyond these, mostly emoji, count as the last one, which is in no word.
CHARACTERS_KNOWN = 0x10000
# For each character: its bytes in UTF-8, and in higher bits whether it is a digit or a capital.
_DIGIT, _CAPITAL, _BYTES = 20, 40, (1 << 20) - 1


class _Tables(NamedTuple):
    small: Characters  # the lower-case letter; a space for what is in no word
    counts: NDArray[np.int64]


@cache
def _tables() -> _Tables:
    codes = np.arange(CHARACTERS_KNOWN)
    small = np.full(CHARACTERS_KNOWN, ord(" "), np.uint32)
    others = codes[(codes > 0x7F) & ~((codes >= 0xD800) & (codes < 0xE000))]  # without surrogates
    # the one character whose lower case has two
    written = "".join(map(chr, others.tolist())).replace("\u0130", "i").lower()
    small[others] = np.frombuffer(re.sub(r"\W", " ", written).encode("utf-32-le"), np.uint32)
    small[ord(MARK)] = ord(MARK)
    letters = np.arange(ord("a"), ord("z") + 1)
    small[letters] = small[letters - 32] = letters
    counts = 1 + (codes > 0x7F).astype(np.int64) + (codes > 0x7FF)
    counts[ord("0") : ord("9") + 1] += 1 << _DIGIT
    counts[ord("A") : ord("Z") + 1] += 1 << _CAPITAL
    return _Tables(small, counts)


def small_letters() -> Characters:
    """For each character its lower-case letter, or a space for what is in no word."""
    return _tables().small


def read_characters(texts: Iterable[str]) -> tuple[Characters, Indices]:
    """The characters of all texts with a mark after each text, and the places of the marks."""
    whole = _CLOSING.join(texts) + _CLOSING
    raw = np.frombuffer(whole.encode("utf-32-le", "replace"), np.uint32)
    raw = np.minimum(raw, CHARACTERS_KNOWN - 1)
    return raw, np.flatnonzero(raw == ord(MARK))


def words_of(raw: Characters) -> list[str]:
    """All words in lower case, and the marks. A regular expression takes twice as long."""
    return _tables().small[raw].tobytes().decode("utf-32-le").split()


def count_characters(raw: Characters, ends: Indices) -> tuple[Floats, Floats]:
    """Shares of digits and of capitals among the bytes of each text."""
    found = np.diff(np.cumsum(_tables().counts[raw])[ends], prepend=0)
    # without the spaces around the marks and the mark itself; the first text has no mark before it
    size = (found & _BYTES) - len(_CLOSING)
    size[0] += 1
    size = np.maximum(size, 1)
    digits, capitals = found >> _DIGIT & _BYTES, found >> _CAPITAL
    return (digits / size).astype(np.float32), (capitals / size).astype(np.float32)
