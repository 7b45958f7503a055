"""Tells codes and hashes in URLs from words and numbers, and the URLs of boards from those of threads."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from threadmill.forum.link_urls import FILE_ENDING, url_fields

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
# "-m" of "title-m16-1-1.html", "t" of "t12.html"; "-story-" of "title-story-f8b1c2", "t-" of "t-fa8cfb8b".
_BEFORE_NUMBER = re.compile(r"(?:^|[-_.,])[^\W\d_]+[-_.,]?(?=\d)")
_BEFORE_CODE = re.compile(r"(?:^|[-_.,])[^\W\d_]+[-_.,](?=[a-f]*\d[\da-f]*(?![^\W_]))")
# "-cat" of "title-catb54cda2b-1-1.html": where the word ends and the hash begins, its length must tell.
_GLUED = [
    (
        re.compile(rf"(?:^|[-_.,])[^\W\d_]+(?=(?=[a-f]*\d)[\da-f]{{{n}}}(?![^\W_]))"),
        rf"[\da-f]{{{n}}}(?![^\W_])",
    )
    for n in HASH_LENGTHS
]
_BEGINNING = re.compile(r"[^\W\d_]+[-_.,]")
_CODE_AHEAD = r"[\da-f]{6}"
_NEARLY_ALL = 0.75  # of four or more pages; one of them may be misread
_MIN_ALIKE = 2  # values that begin with the same character, which is no chance where they are codes


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


def find_mark(own: Collection[str], others: Collection[str], alike: Collection[str] = ()) -> str | None:
    """An expression that one field has in all URLs of one kind and in none of another. None without one.

    Of several, the one that most URLs have which are written alike.
    """
    if not own or not others:
        return None
    marks = [*_marks_of(min(own, key=len)), *_first_characters(own, others)]
    telling = [mark for mark in marks if _tells(mark, own, others)]
    return max(telling, key=lambda mark: sum(has_mark(mark, value) for value in alike), default=None)


def _find_usual_marks(boards: Sequence[str], threads: Sequence[str]) -> tuple[str | None, str | None]:
    """The marks of boards and of threads where a page may have been misread: nearly all have their own."""
    found: list[str | None] = []
    for own, others in ((boards, threads), (threads, boards)):
        marks = {mark for value in own for mark in _marks_of(value)}
        counts = {mark: sum(has_mark(mark, value) for value in own) for mark in marks}
        telling = [
            mark
            for mark, count in counts.items()
            if count > _NEARLY_ALL * len(own)
            and sum(has_mark(mark, value) for value in others) < (1 - _NEARLY_ALL) * len(others)
        ]
        found.append(max(telling, key=lambda mark: (counts[mark], mark), default=None))
    return found[0], found[1]


def has_mark(mark: str, value: str) -> bool:
    """Does a value have a mark?"""
    return re.match(mark, value) is not None


def _tells(mark: str, own: Iterable[str], others: Iterable[str]) -> bool:
    return all(has_mark(mark, value) for value in own) and not any(has_mark(mark, value) for value in others)


def _marks_of(value: str) -> list[str]:
    """The marks that a value has: those before an ID, the last one first, then its beginning."""
    found = [(match, r"\d") for match in _BEFORE_NUMBER.finditer(value)]
    found += [(match, _CODE_AHEAD) for match in _BEFORE_CODE.finditer(value)]
    found += [(match, behind) for glued, behind in _GLUED for match in glued.finditer(value)]
    found.sort(key=lambda item: -item[0].start())
    marks = [(".*" if match.start() else "") + re.escape(match[0]) + follower for match, follower in found]
    beginning = _BEGINNING.match(value)
    return [*marks, *([re.escape(beginning[0])] if beginning else [])]


def _first_characters(own: Collection[str], others: Collection[str]) -> list[str]:
    """How codes of one kind begin, up to where those of the other kind differ: "t8d1" beside "f3c6"."""
    if min(len(set(own)), len(set(others))) < _MIN_ALIKE and not find_codes([*own, *others]):
        return []
    beginning = _common_beginning(own)
    shared = len(_common_beginning([*own, *others]))
    return [re.escape(beginning[: shared + 1])] if len(beginning) > shared else []


def _common_beginning(texts: Iterable[str]) -> str:
    known = list(texts)
    first, last = min(known), max(known)
    size = next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    return first[:size]


def split_by_kind(group: list[str], kinds: Mapping[str, str]) -> list[list[str]]:
    """Split a group of boards and threads where a mark in one field tells them apart."""
    boards, threads = (
        [url_fields(url) for url in group if kinds.get(url) == kind] for kind in ("index", "thread")
    )
    if not boards or not threads:
        return [group]
    for name in boards[0]:
        one, other, alike = (
            [fields[name] for fields in members] for members in (boards, threads, map(url_fields, group))
        )
        found = find_mark(one, other, alike), find_mark(other, one, alike)
        if not any(found):
            found = _find_usual_marks(one, other)
        # A name that a single URL has is no mark of a kind: its page may be misread.
        marks = [mark for mark in found if mark and sum(has_mark(mark, value) for value in alike) > 1]
        if marks:
            parts = [[url for url in group if has_mark(mark, url_fields(url)[name])] for mark in marks]
            chosen = {url for part in parts for url in part}
            return [part for part in (*parts, [url for url in group if url not in chosen]) if part]
    return [group]
