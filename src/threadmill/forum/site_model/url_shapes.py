"""Groups URLs that are written alike, whatever pages they lead to."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from threadmill.forum.link_urls import url_fields
from threadmill.forum.paging.cursors import mark_of_cursor
from threadmill.forum.site_model.url_codes import (
    find_codes,
    find_hashes,
    find_words_before_hashes,
    is_code,
    word_before_code,
)

_DIGITS = re.compile(r"\d+")
# Words that recur at one place of the URLs tell groups apart. Where nearly every URL has a word of its own,
# the words are titles. Two boards beside two threads are the least that can recur.
_RECURRING = 0.5
# The ID of a thread stands before or after its title: "20-title", "title-t20.html", "title.20".
_ID = re.compile(r"^\d+(?=[-_.,])|[-_.,][a-z]{0,2}\d+(?=\.[a-z]{3,5}$|$)", re.IGNORECASE)
# The word before this ID may name the kind of page: "title-topic-20.html", "name-b-2.html",
# "title-story-f8b1c2". The number of the page may follow, and another one: "title-topic20-3-1.html",
# "title-t20p3.html".
_KIND_AND_ID = re.compile(
    r"(?:^(?=[^\W\d_]+[-_.,])|(?<=[-_.,]))(?=([^\W\d_]+)(?:[-_.,]?\d+|[-_.,](?=[a-f]*\d)[\da-f]{6,16})(?:(?:[-_.,][a-z]?|[a-z])\d+){0,2}"
    r"(?:\.[a-z]{3,5}$|$))",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"[-_.,]")
_ENDING = re.compile(r"\.[a-z]{3,5}$", re.IGNORECASE)
# The name of a script is a word, never a title. The endings are those of web servers' languages.
_SCRIPT = re.compile(r"\.(?:php\d?|aspx?|cgi|pl|py|jsp|jspa|do|cfm|dll|exe|fcgi|rb|tcl)$", re.IGNORECASE)
_TITLE = re.compile(r"[^\W\d_]{2,}[-_+ ](?:[^\W_]+[-_+ ])*[^\W\d_]{2,}")  # two words or more
_NAME = re.compile(r"[^\W\d_]{2,}(?:[-_+ ][^\W\d_]+)*")
_TITLES_PER_KIND = 2  # different words for each word of a kind; "topic20" and "topic20-3" are two
_WITH_ID = 0.6  # of the titles have such a number; where fewer have one, it is part of the title
_UrlParts = tuple[str, ...]


def group_by_shape(urls: Iterable[str]) -> list[list[str]]:
    """URLs that are written alike, the largest group first."""
    rough: dict[tuple[object, ...], list[tuple[str, _UrlParts]]] = defaultdict(list)
    for url in dict.fromkeys(urls):
        fields = url_fields(url)
        names = tuple(sorted(fields))
        blank = tuple(name for name in names if not fields[name])
        rough[names, blank].append((url, tuple(fields[name] for name in names)))
    groups = [group for members in rough.values() for group in _split_group(members)]
    return sorted(groups, key=len, reverse=True)


def _split_group(members: Sequence[tuple[str, _UrlParts]]) -> list[list[str]]:
    """Split URLs with the same number of parts into finer groups, part by part."""
    groups = [list(members)]
    for place in range(len(members[0][1])):
        groups = [finer for group in groups for finer in _split_at(group, place)]
    return [[url for url, _ in group] for group in groups]


def _split_at(members: list[tuple[str, _UrlParts]], place: int) -> list[list[tuple[str, _UrlParts]]]:
    pieces = [parts[place] for _, parts in members]
    found: dict[str, list[tuple[str, _UrlParts]]] = defaultdict(list)
    for shape, member in zip(_shapes_of_pieces(pieces), members, strict=True):
        found[shape].append(member)
    return list(found.values())


def _shapes_of_pieces(pieces: Sequence[str]) -> list[str]:
    """What tells the pieces at one place of the URLs apart: their words, or for titles only their form."""
    if hashes := find_hashes(pieces):
        rest = iter(_shapes_of_pieces([piece for piece in pieces if piece not in hashes]))
        return [f"hash{len(piece)}{ending_of(piece)}" if piece in hashes else next(rest) for piece in pieces]
    if longer := _find_longer_pieces(pieces):
        shorter = [piece for piece in pieces if piece not in longer]
        shapes = dict(zip(shorter, _shapes_of_pieces(shorter), strict=True))
        return [
            shapes[longer[piece][0]] + longer[piece][1] if piece in longer else shapes[piece]
            for piece in pieces
        ]
    kinds = _find_kind_words(pieces)
    named = {piece for piece, kind in zip(pieces, kinds, strict=True) if kind}
    codes = find_codes(pieces) - named  # "title-story-4e114f62" names its kind
    if codes:
        rest = iter(_shapes_of_pieces([piece for piece in pieces if piece not in codes]))
        before = {code: word_before_code(code) for code in codes}
        count = Counter(before.values())
        heads = {code: word if count[word] > 1 else "" for code, word in before.items()}
        return [f"{heads[piece]}code" if piece in codes else next(rest) for piece in pieces]
    words = [_DIGITS.sub("0", piece) for piece in pieces]
    # A title recurs too where rows link the second page of each thread. Then the kinds are far fewer.
    are_titles = bool(named) and len(set(words)) > _TITLES_PER_KIND * len(set(kinds))
    if len(set(words)) <= max(1, _RECURRING * len(pieces)) and not are_titles:
        return words
    # "thread-143.htm" and "thread-144.htm" recur with other numbers, beside titles and single words.
    recurring = Counter(word for word, piece in set(zip(words, pieces, strict=True)) if word != piece)
    recurring |= _find_recurring_words(pieces)
    ids = [_ID.search(piece) for piece in pieces]
    with_id = sum(found is not None for found in ids) >= _WITH_ID * len(pieces)
    return [
        word
        if _SCRIPT.search(piece) or (recurring[word] > 1 and not kind and not piece.isdecimal())
        else kind + _shape_of_title(piece, found if with_id else None)
        for word, piece, found, kind in zip(words, pieces, ids, kinds, strict=True)
    ]


def _find_longer_pieces(pieces: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Pieces that are other ones with an ID and more: "t-12-last" or "t-12-from-e37" beside "t-12".

    They lead to a page of a thread which has a shorter URL. The value is the other piece, and what stands
    behind it: a word that several pieces have there, or what stands before a cursor.
    """
    by_stem = {piece.removesuffix(ending_of(piece)): piece for piece in pieces if _DIGITS.search(piece)}
    found: dict[str, tuple[str, str]] = {}
    words: Counter[str] = Counter()
    for stem, piece in by_stem.items():
        for place in [match.start() for match in _SEPARATOR.finditer(stem)][::-1]:
            other, behind = by_stem.get(stem[:place]), stem[place:]
            if other is None or not _DIGITS.search(stem[:place]) or ending_of(other) != ending_of(piece):
                continue
            mark = behind if behind[1:].isalpha() else mark_of_cursor(behind)
            words[behind] += mark == behind
            if mark and (mark == behind or not _DIGITS.search(mark)):
                found[piece] = other, mark
            break
    return {
        piece: (other, f"+{mark}")
        for piece, (other, mark) in found.items()
        if other not in found and (words[mark] > 1 or not mark[1:].isalpha() or len(mark) == 2)
    }


def ending_of(piece: str) -> str:
    ending = _ENDING.search(piece)
    return ending[0] if ending else ""


def _find_recurring_words(pieces: Sequence[str]) -> Counter[str]:
    """Plain words that several URLs have, if half of the URLs have one: "topic", "forum", beside "reply"."""
    counts = Counter(piece for piece in pieces if piece.isalpha())
    several = Counter({word: count for word, count in counts.items() if count > 1})
    return several if several.total() >= _RECURRING * len(pieces) else Counter()


def _shape_of_title(piece: str, found_id: re.Match[str] | None) -> str:
    """The form of a title: how its ID is written, and its ending. Its words say nothing."""
    ending = _ENDING.search(piece)
    kind = "0" if piece.isdecimal() else "w" if piece else ""
    return f"{kind}{_DIGITS.sub('0', found_id[0]) if found_id else ''}{ending[0] if ending else ''}"


def _find_kind_words(pieces: Sequence[str]) -> list[str]:
    """The word before the ID of each piece, if most words there are of a few: "topic", "board".

    A title may end in a number too: of "sound-of-tr-214-t26" the word is the one that more pieces have.
    """
    found = {
        piece: [match[1].lower() for match in _KIND_AND_ID.finditer(piece) if not is_code(match[1])]
        for piece in pieces
    }
    counts = Counter(word for words in found.values() for word in set(words))
    best = {piece: max(words, key=lambda word: counts[word]) for piece, words in found.items() if words}
    glued = find_words_before_hashes([piece.removesuffix(ending_of(piece)) for piece in pieces])
    if sum(map(bool, glued)) > sum(counts[word] > 1 for word in best.values()):
        return glued
    if sum(counts[word] > 1 for word in best.values()) < _WITH_ID * len(best):
        return [""] * len(pieces)
    return [word if counts[word := best.get(piece, "")] > 1 else "" for piece in pieces]


def is_title(piece: str) -> bool:
    """Whether a field looks like the words of a title."""
    return bool(_TITLE.search(piece)) and not _SCRIPT.search(piece)


def is_name(piece: str) -> bool:
    """Whether a field is one or several words and nothing else: "bikes", "hyde-park"."""
    return bool(_NAME.fullmatch(piece))
