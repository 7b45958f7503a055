"""Compares URLs with those of rows: are they built alike, so that they lead to the same kind of page?"""

from __future__ import annotations

import re
from collections.abc import Sequence

from threadmill.forum.link_urls import is_unnamed, url_fields

_HEAD = re.compile(r"[^\W\d_]+(?=[-_.,:\d])")  # "topic" of "topic-12"
_WORDS = re.compile(r"[^\W\d_]{2,}")
_INDEX_FILE = re.compile(r"(?:index|default|main)\.\w+", re.IGNORECASE)
_DIGIT = re.compile(r"\d")


def is_like_urls(url: str, urls: Sequence[str]) -> bool:
    """Whether a URL is built exactly like several others, and a word or a name says so."""
    mine, theirs = url_fields(url), [url_fields(other) for other in urls]
    if len(theirs) < 2 or any(other.keys() != mine.keys() for other in theirs):
        return False
    columns = {name: [other[name] for other in theirs] for name in mine}
    if not all(fits_values(mine[name], values) for name, values in columns.items()):
        return False
    varying = [name for name, values in columns.items() if len(set(values)) > 1]
    heads = [{_head(value) for value in columns[name]} for name in varying]
    named = any(not is_unnamed(name) for name in varying) or any(
        len(found) == 1 and found.isdisjoint({"", "0"}) for found in heads
    )
    words = [name for name in mine if name not in varying and mine[name] and name[0] in "/?"]
    return named or any(not _INDEX_FILE.fullmatch(mine[name]) for name in words)


def is_built_like(one: str, other: str) -> bool:
    """Whether two URLs have the same fields, with the same words before their numbers."""
    mine, theirs = url_fields(one), url_fields(other)
    return mine.keys() == theirs.keys() and all(fits_values(mine[name], [theirs[name]]) for name in mine)


def fits_values(own: str, values: Sequence[str]) -> bool:
    """Whether a value may be one of these: "forum-7" fits "forum-2" and "forum-9", not "topic-2"."""
    if len(values) > 1 and len(set(values)) == 1:
        return own == values[0]
    words = set.intersection(*(set(_WORDS.findall(value)) for value in values)) if len(values) > 1 else set()
    if not words.issubset(_WORDS.findall(own)):  # "thread" of "chain-slips-thread12.html"
        return False
    heads = {_head(value) for value in values}
    return len(heads) > 1 or _head(own) in heads


def _head(value: str) -> str:
    """The word before the first number or separator of a value, or whether it has a number at all."""
    found = _HEAD.match(value)
    return found[0] if found else "0" if _DIGIT.search(value) else ""
