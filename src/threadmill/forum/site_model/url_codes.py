"""Tells codes and hashes in URLs from words and numbers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence

from threadmill.forum.link_urls import FILE_ENDING

_DIGITS = re.compile(r"\d+")
_ENOUGH = 4  # examples that do not begin or end alike by chance
HASH_LENGTHS = (6, 7, 8, 10, 12, 16, 20, 24, 32, 40)  # characters of hashes that forums use as IDs
_HASH = re.compile(r"[\da-f]{6,}")
# Between two kinds of character in one word. A capital before a small letter begins a word: "viewTopic".
_TURN = re.compile(r"[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])")
_WORD_BEFORE_CODE = re.compile(r"[^\W\d_]+[-_.,:~](?=\w)")
_MIN_TURNS = 3  # "mp3" has one, "f3c6" has three, "dGhyZWFkOjIz" has five
_CODE_SHARE = 0.5  # of the values of one field are codes: then those that look like words are codes too
_CODE_SLACK = 2  # characters by which their lengths may differ from those of sure codes


def ending_of(value: str) -> str:
    """The ending of a file name without its dot: "html". Empty if there is none."""
    ending = value.rpartition(".")[2] if "." in value[-6:] else ""
    return "" if ending.isdigit() else ending


def is_code(value: str) -> bool:
    """Whether a value is surely a code, by its letters and digits alone: "dGhyZWFkOjIz"."""
    return len(_TURN.findall(value)) >= _MIN_TURNS


def find_codes(values: Iterable[str]) -> set[str]:
    """The values of one field that are codes: hashes, base64, and others without words or numbers.

    One such value may look like a word with a number ("dGhyZWFkOjE0"). The others tell that it is none.
    """
    distinct = set(values)
    sure = set(filter(is_code, distinct))
    if not sure or len(sure) < _CODE_SHARE * len(distinct):
        return set()
    lengths = [len(value) for value in sure]
    low, high = min(lengths) - _CODE_SLACK, max(lengths) + _CODE_SLACK
    return {value for value in distinct if low <= len(value) <= high and not FILE_ENDING.search(value)} | sure


def find_hashes(values: Iterable[str]) -> set[str]:
    """The values that are hashes and nothing else, perhaps with an ending: "be9bca40.html".

    Several have the same length, and half of them letters beside digits. The others may be digits by chance.
    """
    alike: dict[tuple[int, str], set[str]] = defaultdict(set)
    for value in values:
        if _HASH.fullmatch(stem := stem_of(value)):
            alike[len(stem), ending_of(value)].add(value)
    return {value for hashes in alike.values() if _are_hashes(hashes) for value in hashes}


def _are_hashes(values: Collection[str]) -> bool:
    mixed = sum(bool(_DIGITS.search(value)) and not stem_of(value).isdecimal() for value in values)
    return len(values) >= _ENOUGH and mixed >= _CODE_SHARE * len(values)


def word_before_code(value: str) -> str:
    """The word for the kind of page before a code, with its separator: "t," of "t,dGhyZWFkOjIz"."""
    found = _WORD_BEFORE_CODE.match(value)
    # "chain-" of "chain-slips.dGhyZWFkOjIz" is the first word of a title.
    is_title = found and _WORD_BEFORE_CODE.match(value, found.end())
    return found[0] if found and not is_title and not is_code(found[0]) else ""


def find_words_before_hashes(stems: Sequence[str]) -> list[str]:
    """The word that a hash follows without a separator, of each value: "topic" of "title-topica195a339".

    Several values have the same word before a hash of the same length. Empty for those that have none.
    Numbers of pages may follow: "title-topica195a339-2-1".
    """
    found: list[str] = []
    for length in HASH_LENGTHS:
        hashed = re.compile(
            rf"(?:^|(?<=[-._,]))([^\W\d_]+)(?=[a-f]*\d)[\da-f]{{{length}}}(?:[-._,]\d+){{0,2}}$"
        )
        words = [match[1] if (match := hashed.search(stem)) else "" for stem in stems]
        count = Counter(filter(None, words))
        if count and count.most_common(1)[0][1] >= _ENOUGH:
            found = max(found, [word if count[word] > 1 else "" for word in words], key=_count_filled)
    return found or [""] * len(stems)


def _count_filled(words: Sequence[str]) -> int:
    """How many words are not empty. Some hashes begin with a letter that could end the word before them."""
    return sum(map(bool, words))


def stem_of(value: str) -> str:
    """A value without its ending."""
    ending = ending_of(value)
    return value[: -len(ending) - 1] if ending else value
