"""What a person said about a forum. It wins over what was learnt, and is applied again after every learning.

As TOML or JSON it is a list of corrections, each with a kind and its values:

    [[correction]]
    kind = "threads"            # URLs like these are threads
    values = ["https://f.example/t/12-a", "https://f.example/t/15-b"]

Kinds: `threads`, `boards` (URLs like these), `not boards` (these URLs), `date order` ("dmy", "mdy" or "ymd"),
`time zone` (of the dates that the site shows: "+02:00"), `author`, `date` and `text` (where it stands in a
post: the names of the element and of the two around it, and its number among the elements of the post with
these names, as "div.post/td.side/b.name 1").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from threadmill.errors import UsageError
from threadmill.forum.link_urls import strip_session, url_fields
from threadmill.forum.site_model.model import ForumModel, UrlFamily
from threadmill.forum.site_model.url_patterns import UrlPattern, learn_patterns, matches_any
from threadmill.forum.site_model.wrapper import ElementKey, Wrapper

KINDS = ("threads", "boards", "not boards", "date order", "time zone", "author", "date", "text")
DATE_ORDERS = {"dmy": "day first", "mdy": "month first", "ymd": "year first"}
MOST_VALUES = 200
_PLACE = re.compile(r"(\S.*) (\d{1,4})")
_ZONE = re.compile(r"UTC|[+-](?:0\d|1[0-4]):[0-5]\d")
_VARIES = ("\\d", "[^", "\\w", ".+", ".*")


@dataclass(frozen=True, slots=True)
class ForumCorrections:
    """All corrections of one forum."""

    threads: tuple[str, ...] = ()  # examples of URLs
    boards: tuple[str, ...] = ()
    not_boards: tuple[str, ...] = ()
    date_order: str = ""
    time_zone: str = ""  # "+02:00"
    authors: tuple[ElementKey, ...] = ()
    dates: tuple[ElementKey, ...] = ()
    texts: tuple[ElementKey, ...] = ()

    def with_one(self, kind: str, values: Sequence[str]) -> ForumCorrections:
        """These corrections and one more, which comes first. Raise UsageError if it makes no sense."""
        if kind not in KINDS or not 0 < len(values) <= MOST_VALUES:
            expected = f"expected 1 to {MOST_VALUES} values and a kind out of {', '.join(KINDS)}"
            raise UsageError(f"{expected}, but got {len(values)} and {kind!r}")
        if kind == "date order":
            if values[0] not in DATE_ORDERS:
                raise UsageError(f"expected dmy, mdy or ymd as the order of dates, but got {values[0]!r}")
            return replace(self, date_order=values[0])
        if kind == "time zone":
            if not _ZONE.fullmatch(values[0]):
                raise UsageError(f"expected a time zone such as +02:00 or UTC, but got {values[0]!r}")
            return replace(self, time_zone=values[0].replace("UTC", "+00:00"))
        is_place = kind in {"author", "date", "text"}
        name = f"{kind}s" if is_place else kind.replace(" ", "_")
        fresh: Iterable[object] = map(read_place if is_place else strip_session, values)
        changes: dict[str, Any] = {name: (*fresh, *getattr(self, name))}
        return replace(self, **changes)


def read_place(text: str) -> ElementKey:
    """The place of an element in a post, from its text."""
    found = _PLACE.fullmatch(text)
    if found is None:
        raise UsageError(f"expected names and a number, as 'div.post/td.side/b.name 1', but got {text!r}")
    return found[1], int(found[2])


def write_place(key: ElementKey) -> str:
    """The same as a text."""
    return f"{key[0]} {key[1]}"


def correct_model(model: ForumModel, said: ForumCorrections) -> ForumModel:
    """The model with the corrections. Applied twice, it stays the same."""
    threads, boards = model.threads, model.boards
    if said.boards:  # threads are looked for first: a pattern that takes these boards in is wrong
        kept = tuple(p for p in threads.patterns if not any(matches_any((p,), url) for url in said.boards))
        threads, boards = replace(threads, patterns=kept), _with_examples(boards, said.boards)
    threads = _with_examples(threads, said.threads)
    if said.not_boards:
        narrowed = (_without(pattern, said.not_boards) for pattern in boards.patterns)
        boards = replace(boards, patterns=tuple(pattern for pattern in narrowed if pattern))
    wrapper = _correct_wrapper(model.wrapper, said) if model.wrapper is not None else None
    return replace(model, threads=threads, boards=boards, wrapper=wrapper)


def _with_examples(family: UrlFamily, urls: Sequence[str]) -> UrlFamily:
    own = learn_patterns(urls) if urls else ()
    return replace(family, patterns=_first(own, family.patterns))


def _without(pattern: UrlPattern, refused: Iterable[str]) -> UrlPattern | None:
    """The pattern without some of its URLs. The last field that varies tells one URL from another.

    None for a pattern of these very URLs.
    """
    mine = [fields for url in refused if pattern.matches(fields := url_fields(url))]
    varying = [name for name, value in pattern.fields if any(sign in value for sign in _VARIES)]
    if not mine or not varying:
        return None if mine else pattern
    texts = "|".join(sorted({re.escape(fields[varying[-1]]) for fields in mine}))
    narrowed = tuple(
        (name, f"(?!(?:{texts})$){value}" if name == varying[-1] else value) for name, value in pattern.fields
    )
    return replace(pattern, fields=narrowed)


def _correct_wrapper(wrapper: Wrapper, said: ForumCorrections) -> Wrapper:
    shapes = tuple(replace(shape, bodies=_first(said.texts, shape.bodies)) for shape in wrapper.shapes)
    return replace(
        wrapper,
        shapes=shapes,
        authors=_first(said.authors, wrapper.authors),
        dates=_first(said.dates, wrapper.dates),
        order=said.date_order or wrapper.order,
    )


Item = TypeVar("Item")


def _first(own: Sequence[Item], learnt: Sequence[Item]) -> tuple[Item, ...]:
    return tuple(dict.fromkeys((*own, *learnt)))
