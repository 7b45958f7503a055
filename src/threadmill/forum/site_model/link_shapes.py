"""Links grouped by the shape of their addresses: what is written alike leads to pages of one kind."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from threadmill.forum.link_urls import absolute_url, same_site
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.site_model.url_patterns import split_url

_DIGITS = re.compile(r"\d+")
# A place in the address whose words recur tells families apart; where nearly each address has its own
# word the words are titles. Two boards beside two threads are the least that can recur.
_RECURRING = 0.5
# The number that names a thing stands before its title or after it: "20-title", "title-t20.html", "title.20".
_MARK = re.compile(r"^\d+(?=[-_.,])|[-_.,][a-z]{0,2}\d+(?=\.[a-z]{3,5}$|$)", re.IGNORECASE)
_ENDING = re.compile(r"\.[a-z]{3,5}$", re.IGNORECASE)
_MARKED = 0.6  # of the titles have such a number, or it is one of the title's own

_Parts = tuple[str, ...]


def link_texts(outline: PageOutline) -> dict[str, int]:
    """Each address of the same site a page links to, with the length of the longest text that names it."""
    found: dict[str, int] = {}
    for index, href in enumerate(outline.hrefs):
        target = absolute_url(outline.base, href) if href else None
        if target and target.startswith("http") and same_site(target, outline.base):
            found[target] = max(found.get(target, 0), outline.text_length(index))
    return found


def group_by_shape(urls: Iterable[str]) -> list[list[str]]:
    """Addresses of one shape together, the largest group first."""
    rough: dict[tuple[object, ...], list[tuple[str, _Parts]]] = defaultdict(list)
    for url in dict.fromkeys(urls):
        path, parameters = split_url(url)
        pieces = path.split("/")
        names = tuple(sorted(parameters))
        parts = (*pieces, *(parameters[name] for name in names))
        rough[len(pieces), pieces[-1] == "", names].append((url, parts))
    groups = [group for members in rough.values() for group in _split(members)]
    return sorted(groups, key=len, reverse=True)


def _split(members: Sequence[tuple[str, _Parts]]) -> list[list[str]]:
    """Refined place by place, the way from the most general pattern to the families."""
    groups = [list(members)]
    for place in range(len(members[0][1])):
        groups = [finer for group in groups for finer in _split_at(group, place)]
    return [[url for url, _ in group] for group in groups]


def _split_at(members: list[tuple[str, _Parts]], place: int) -> list[list[tuple[str, _Parts]]]:
    pieces = [parts[place] for _, parts in members]
    found: dict[str, list[tuple[str, _Parts]]] = defaultdict(list)
    for shape, member in zip(_shapes(pieces), members, strict=True):
        found[shape].append(member)
    return list(found.values())


def _shapes(pieces: Sequence[str]) -> list[str]:
    plain = [_DIGITS.sub("0", piece) for piece in pieces]
    if len(set(plain)) <= max(1, _RECURRING * len(pieces)):
        return plain
    marks = [_MARK.search(piece) for piece in pieces]
    named = sum(mark is not None for mark in marks) >= _MARKED * len(pieces)
    return [_title_shape(piece, mark if named else None) for piece, mark in zip(pieces, marks, strict=True)]


def _title_shape(piece: str, mark: re.Match[str] | None) -> str:
    """A title says nothing; the number that names the thing, and how it is put, does."""
    ending = _ENDING.search(piece)
    kind = "0" if piece.isdecimal() else "w" if piece else ""
    return f"{kind}{_DIGITS.sub('0', mark[0]) if mark else ''}{ending[0] if ending else ''}"
