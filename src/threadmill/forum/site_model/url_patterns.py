"""Learns patterns of URLs from examples, with regular expressions for the path and the parameters."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from threadmill.forum.link_urls import strip_session

_DIGITS = re.compile(r"\d+")
# The share of the examples that a pattern must cover (spec). Links that slipped in by mistake cover less.
MIN_COVER = 0.2


@dataclass(frozen=True, slots=True)
class UrlPattern:
    """One form of URL: a path, and parameters that it must have or may have."""

    path: str  # regular expression of the whole path
    needed: tuple[tuple[str, str], ...]  # parameter → regular expression of its value
    free: tuple[str, ...] = ()  # parameters that may be there and say nothing about the kind of page

    def matches(self, path: str, parameters: dict[str, str]) -> bool:
        """Whether a URL has this form. A parameter that is neither needed nor free must not be there."""
        if not _compiled(self.path).fullmatch(path):
            return False
        names = {name for name, _ in self.needed}
        if any(name not in names and name not in self.free for name in parameters):
            return False
        return all(
            name in parameters and _compiled(value).fullmatch(parameters[name]) for name, value in self.needed
        )

    def __str__(self) -> str:
        query = "&".join(f"{re.escape(name)}={value}" for name, value in self.needed)
        return self.path + (rf"\?{query}" if query else "")


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def split_url(url: str) -> tuple[str, dict[str, str]]:
    """The path and the parameters of a URL. A name without "=" is a parameter with an empty value."""
    parts = urlsplit(strip_session(url))
    parameters = {}
    for part in re.split("[&;]", parts.query):
        if part:
            name, _, value = part.partition("=")
            parameters[name] = unquote(value)
    return parts.path or "/", parameters


def matches_any(patterns: Sequence[UrlPattern], url: str) -> bool:
    """Whether a URL matches one of the patterns."""
    path, parameters = split_url(url)
    return any(pattern.matches(path, parameters) for pattern in patterns)


def learn_patterns(urls: Iterable[str]) -> tuple[UrlPattern, ...]:
    """The patterns of the URLs, most frequent first. Each covers a fifth of them or more."""
    groups: dict[tuple[object, ...], list[tuple[str, dict[str, str]]]] = defaultdict(list)
    total = 0
    for url in dict.fromkeys(urls):
        path, parameters = split_url(url)
        total += 1
        groups[_form_of(path, parameters)].append((path, parameters))
    found = []
    for samples in sorted(groups.values(), key=len, reverse=True):
        if len(samples) >= MIN_COVER * total:
            found.append(_generalise(samples))
    return merge_patterns(found)


def merge_patterns(patterns: Iterable[UrlPattern]) -> tuple[UrlPattern, ...]:
    """The patterns, each once. Two that differ in one extra parameter become one where it is free."""
    kept: list[UrlPattern] = []
    for pattern in patterns:
        for place, other in enumerate(kept):
            merged = _merge_two(pattern, other)
            if merged:
                kept[place] = merged
                break
        else:
            kept.append(pattern)
    return tuple(dict.fromkeys(kept))


def _merge_two(pattern: UrlPattern, other: UrlPattern) -> UrlPattern | None:
    mine, theirs = dict(pattern.needed), dict(other.needed)
    shared = mine.keys() & theirs.keys()
    if pattern.path != other.path or not shared or shared not in (mine.keys(), theirs.keys()):
        return None
    if any(mine[name] != theirs[name] for name in shared):
        return None
    extra = (mine.keys() | theirs.keys()) - shared
    needed = tuple((name, value) for name, value in other.needed if name in shared)
    return UrlPattern(other.path, needed, tuple(sorted({*other.free, *pattern.free, *extra})))


def _form_of(path: str, parameters: dict[str, str]) -> tuple[object, ...]:
    """What URLs of one pattern have in common: number of pieces, ending, and names of parameters."""
    pieces = path.split("/")
    last = pieces[-1]
    ending = last.rpartition(".")[2] if "." in last[-6:] and not last.rpartition(".")[2].isdigit() else ""
    return len(pieces), ending, frozenset(parameters), last == ""


def _generalise(samples: Sequence[tuple[str, dict[str, str]]]) -> UrlPattern:
    columns = [[*column] for column in zip(*(path.split("/") for path, _ in samples), strict=True)]
    # Behind a piece that is an ID ("/topic/12/some-words-7"), the words and numbers of a title do not matter.
    id_place = next((place for place, column in enumerate(columns) if _are_ids(column)), len(columns))
    path = "/".join(
        _generalise_piece(column, samples, free=place > id_place) for place, column in enumerate(columns)
    )
    names = sorted({name for _, parameters in samples for name in parameters})
    # A value that is itself a query ("page=1") says where the reader came from, not where the link leads.
    free = {name for name in names if all("=" in parameters[name] for _, parameters in samples)}
    needed = tuple(
        (name, _generalise_value([parameters[name] for _, parameters in samples]))
        for name in names
        if name not in free
    )
    return UrlPattern(path, needed, tuple(sorted(free)))


def _are_ids(values: Sequence[str]) -> bool:
    return all(value.isdecimal() for value in values) and len(set(values)) == len(values) > 1


def _generalise_piece(values: list[str], samples: Sequence[tuple[str, dict[str, str]]], *, free: bool) -> str:
    """The expression for one piece of the paths: equal texts stay, numbers and words are generalised."""
    if len(set(values)) == 1:
        # A single sample does not show what varies. Its numbers surely do.
        return _DIGITS.sub(r"\\d+", re.escape(values[0])) if len(samples) == 1 else re.escape(values[0])
    shapes = {_DIGITS.sub("0", value) for value in values}
    if len(shapes) == 1:
        return _generalise_numbers(values)
    return _generalise_words(values, free=free)


def _generalise_numbers(values: list[str]) -> str:
    """The expression for values that differ in numbers only. Numbers that are always equal stay."""
    parts = [_DIGITS.split(value) for value in values]
    numbers = [_DIGITS.findall(value) for value in values]
    out = re.escape(parts[0][0])
    for place, text in enumerate(parts[0][1:]):
        column = {row[place] for row in numbers}
        same = len(column) == 1 and len(values) > 2
        out += (re.escape(next(iter(column))) if same else r"\d+") + re.escape(text)
    return out


def _generalise_words(values: list[str], *, free: bool) -> str:
    """The expression for titles: any words, with the ID before or after them."""
    endings = {value.rpartition(".")[2] if "." in value[-6:] else "" for value in values}
    tail = ""
    if len(endings) == 1 and (ending := next(iter(endings))) and not ending.isdigit():
        tail = re.escape(f".{ending}")
        values = [value[: -len(ending) - 1] for value in values]
    if free:
        return r"[^/]+" + tail
    prefix = _common_prefix(values)
    prefix = re.match(r"^(?:[a-z]+[-_.]?)?", prefix, re.IGNORECASE)[0] if prefix else ""  # type: ignore[index]
    if all(re.match(rf"{re.escape(prefix)}\d+(?!\d)", value) for value in values):
        return re.escape(prefix) + r"\d+[^/]*" + tail
    if all(re.search(r"[-._,]\w?\d+$", value) for value in values):
        marks = Counter(re.search(r"([-._,]\w?)\d+$", value)[1] for value in values)  # type: ignore[index]
        mark = marks.most_common(1)[0][0]
        if marks[mark] == len(values):
            return r"[^/]*" + re.escape(mark) + r"\d+" + tail
        return r"[^/]*\d+" + tail
    return r"[^/]+" + tail


def _common_prefix(values: list[str]) -> str:
    first, last = min(values), max(values)
    for place, (one, other) in enumerate(zip(first, last, strict=False)):
        if one != other:
            return first[:place]
    return first


def _generalise_value(values: list[str]) -> str:
    """The expression for the value of a parameter."""
    if len(set(values)) == 1 and len(values) > 1:
        return re.escape(values[0])
    if all(value.isdecimal() for value in values):
        return r"\d+"
    shapes = {_DIGITS.sub("0", value) for value in values}
    if len(shapes) == 1 and _DIGITS.search(values[0]):
        return _generalise_numbers(values) if len(values) > 1 else _DIGITS.sub(r"\\d+", re.escape(values[0]))
    return r"[^&]*"
