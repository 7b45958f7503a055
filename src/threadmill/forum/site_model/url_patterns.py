"""Families of addresses learnt from samples: which URLs are boards, threads and their later pages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from threadmill.forum.link_urls import strip_session

_DIGITS = re.compile(r"\d+")
# A pattern must cover this share of the samples it was learnt from: what slips in by mistake does not (spec).
MIN_COVER = 0.2


@dataclass(frozen=True, slots=True)
class UrlPattern:
    """One shape of address: a path and the parameters it must have; others may come along when named."""

    path: str  # regular expression of the whole path
    needed: tuple[tuple[str, str], ...]  # parameter → regular expression of its value
    free: tuple[str, ...] = ()  # parameters that say nothing about the kind

    def matches(self, path: str, parameters: dict[str, str]) -> bool:
        """Whether an address is of this shape."""
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
    """Path and parameters of an address; a bare name counts as a parameter without a value."""
    parts = urlsplit(strip_session(url))
    parameters = {}
    for part in re.split("[&;]", parts.query):
        if part:
            name, _, value = part.partition("=")
            parameters[name] = unquote(value)
    return parts.path or "/", parameters


def learn_patterns(urls: Iterable[str]) -> tuple[UrlPattern, ...]:
    """The shapes of one family, the most frequent first; each covers a fifth of the samples or more."""
    groups: dict[tuple[object, ...], list[tuple[str, dict[str, str]]]] = defaultdict(list)
    total = 0
    for url in dict.fromkeys(urls):
        path, parameters = split_url(url)
        total += 1
        groups[_outline_of(path, parameters)].append((path, parameters))
    found = []
    for samples in sorted(groups.values(), key=len, reverse=True):
        if len(samples) >= MIN_COVER * total:
            found.append(_generalise(samples))
    return merge_patterns(found)


def merge_patterns(patterns: Iterable[UrlPattern]) -> tuple[UrlPattern, ...]:
    """The same shapes, each once, those that differ in a parameter which says nothing made one."""
    return tuple(dict.fromkeys(_merge(list(patterns))))


def _outline_of(path: str, parameters: dict[str, str]) -> tuple[object, ...]:
    pieces = path.split("/")
    tail = pieces[-1]
    ending = tail.rpartition(".")[2] if "." in tail[-6:] and not tail.rpartition(".")[2].isdigit() else ""
    return len(pieces), ending, frozenset(parameters), tail == ""


def _generalise(samples: Sequence[tuple[str, dict[str, str]]]) -> UrlPattern:
    columns = [[*column] for column in zip(*(path.split("/") for path, _ in samples), strict=True)]
    # Behind a number of its own ("/topic/12/some-words-7") a slug's words and numbers say nothing more.
    named = next((place for place, column in enumerate(columns) if _names_each(column)), len(columns))
    path = "/".join(_piece(column, samples, free=place > named) for place, column in enumerate(columns))
    names = sorted({name for _, parameters in samples for name in parameters})
    # A value that is itself a query ("page=1") says where the reader came from, not where the link leads.
    state = {name for name in names if all("=" in parameters[name] for _, parameters in samples)}
    needed = tuple((n, _value([parameters[n] for _, parameters in samples])) for n in names if n not in state)
    return UrlPattern(path, needed, tuple(sorted(state)))


def _names_each(values: Sequence[str]) -> bool:
    return all(value.isdecimal() for value in values) and len(set(values)) == len(values) > 1


def _piece(values: list[str], samples: Sequence[tuple[str, dict[str, str]]], *, free: bool) -> str:
    """One piece of a path: what is the same stays, numbers are numbers, words are words."""
    if len(set(values)) == 1:
        # With a single sample nothing shows what varies: its numbers surely do.
        return _DIGITS.sub(r"\\d+", re.escape(values[0])) if len(samples) == 1 else re.escape(values[0])
    shapes = {_DIGITS.sub("0", value) for value in values}
    if len(shapes) == 1:
        return _numbered(values)
    return _wordy(values, free=free)


def _numbered(values: list[str]) -> str:
    """Values alike but for numbers: numbers that never differ are kept."""
    parts = [_DIGITS.split(value) for value in values]
    numbers = [_DIGITS.findall(value) for value in values]
    out = re.escape(parts[0][0])
    for place, text in enumerate(parts[0][1:]):
        column = {row[place] for row in numbers}
        out += (
            re.escape(next(iter(column))) if len(column) == 1 and len(values) > 2 else r"\d+"
        ) + re.escape(text)
    return out


def _wordy(values: list[str], *, free: bool) -> str:
    """Slugs: words of any kind, with the number that names the thing before or after them."""
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


def _value(values: list[str]) -> str:
    if len(set(values)) == 1 and len(values) > 1:
        return re.escape(values[0])
    if all(value.isdecimal() for value in values):
        return r"\d+"
    shapes = {_DIGITS.sub("0", value) for value in values}
    if len(shapes) == 1 and _DIGITS.search(values[0]):
        return _numbered(values) if len(values) > 1 else _DIGITS.sub(r"\\d+", re.escape(values[0]))
    return r"[^&]*"


def _merge(patterns: list[UrlPattern]) -> list[UrlPattern]:
    """Two shapes that differ in one parameter more are one shape with a parameter that says nothing."""
    kept: list[UrlPattern] = []
    for pattern in patterns:
        for place, other in enumerate(kept):
            mine, theirs = dict(pattern.needed), dict(other.needed)
            shared = mine.keys() & theirs.keys()
            if pattern.path == other.path and shared and (shared == mine.keys() or shared == theirs.keys()):
                extra = (mine.keys() | theirs.keys()) - shared
                needed = tuple((name, value) for name, value in other.needed if name in shared)
                if needed and all(mine[name] == theirs[name] for name in shared):
                    kept[place] = UrlPattern(
                        other.path, needed, tuple(sorted({*other.free, *pattern.free, *extra}))
                    )
                    break
        else:
            kept.append(pattern)
    return kept


def matches_any(patterns: Sequence[UrlPattern], url: str) -> bool:
    """Whether an address is of a family."""
    path, parameters = split_url(url)
    return any(pattern.matches(path, parameters) for pattern in patterns)
