"""Finds what tells the URLs of boards from those of threads: a word before the ID, or how they begin."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from threadmill.forum.link_urls import url_fields
from threadmill.forum.site_model.url_codes import HASH_LENGTHS, find_codes
from threadmill.forum.site_model.url_patterns import UrlPattern

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
_DIGITS = re.compile(r"\d+")
_BEGINNING = re.compile(r"[^\W\d_]+[-_.,]")
_CODE = r"[\da-f]{6}"
_NEARLY_ALL = 0.75  # of four or more pages; one of them may be misread
_MIN_ALIKE = 2  # values that begin with the same character, which is no chance where they are codes


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
    found += [(match, _CODE) for match in _BEFORE_CODE.finditer(value)]
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


def tell_apart(
    pattern: UrlPattern, own: Iterable[str], others: Iterable[str], alike: Iterable[str]
) -> UrlPattern:
    """The pattern without the URLs of another kind that it matches: proven ones, and those that look so."""
    members, strangers, linked = (
        [fields for url in urls if pattern.matches(fields := url_fields(url))]
        for urls in (own, others, alike)
    )
    for name, expression in pattern.fields if strangers else ():
        columns = ([one[name] for one in urls] for urls in (members, strangers, linked))
        if mark := find_mark(*columns):
            needed = {**dict(pattern.fields), name: f"(?={mark}){expression}"}
            return replace(pattern, fields=tuple(needed.items()))
    for name, expression in pattern.fields if strangers else ():
        words = {one[name] for one in strangers}
        known = {one[name] for one in (*members, *linked)}
        if words <= find_codes(words | known):  # a hash among hashes is no word
            continue
        # Boards have names of their own, and messages one word: "/cars/chain-slips", "/msg/117".
        # Later pages of boards differ in a number: "/cars/page-2".
        forms = {_DIGITS.sub(r"\\d+", re.escape(word)) for word in words}
        form = forms.pop()
        if not forms and not any(re.fullmatch(form, value) for value in known):
            needed = {**dict(pattern.fields), name: f"(?!{form}$){expression}"}
            return replace(pattern, fields=tuple(needed.items()))
    return pattern
