"""Shows matches of a query in their context, sorted or sampled, and counts them by group."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from threadmill.corpus.query.cql import CqlQuery, parse_cql
from threadmill.corpus.query.matches import Matches, all_matches, count_matches, find_matches
from threadmill.corpus.query.position_index import Places, PositionIndex
from threadmill.errors import UsageError

ORDERS = ("corpus", "left", "right", "match", "shuffle")
_SORTED_BY = 3  # words that decide the order
_GROUP = re.compile(r"(match|left|right)(\d*)\.(\w+)|(\w+)\.(\w+)")


@dataclass(frozen=True, slots=True)
class ContextLine:
    """A match with its context and the attributes of its document."""

    place: int  # position of its first word
    left: str
    match: str
    right: str
    document: dict[str, str] = field(default_factory=dict)
    around: dict[str, str] = field(default_factory=dict)  # other values that were asked for: post.author


@dataclass(frozen=True, slots=True)
class Concordance:
    """Some lines, and the number of all matches."""

    count: int
    lines: tuple[ContextLine, ...]


@dataclass(frozen=True, slots=True)
class LineChoice:
    """Which lines are shown. `sample` draws so many matches first; `seed` makes it the same again."""

    limit: int = 20
    skip: int = 0
    order: str = "corpus"
    sample: int = 0
    seed: int = 0
    show: tuple[str, ...] = ()  # attributes of the structures around a match, such as post.author


def concordance(index: PositionIndex, query: str, choice: LineChoice, *, context: int = 8) -> Concordance:
    """Lines of a query's matches."""
    order, sample, skip, limit = choice.order, choice.sample, choice.skip, choice.limit
    if order not in ORDERS:
        raise UsageError(f"the order is one of {', '.join(ORDERS)}, not {order!r}")
    parsed = parse_cql(query)
    if order == "corpus" and not sample:
        shown = first_matches(index, parsed, skip, limit)
        lines = tuple(lines_of(index, shown, context, choice.show))
        return Concordance(count_matches(index, parsed), lines)
    matches = all_matches(index, parsed)
    count = len(matches)
    random = np.random.default_rng(choice.seed)
    if sample and sample < count:
        matches = matches.chosen(np.sort(random.choice(count, sample, replace=False)))
    if order == "shuffle":
        matches = matches.chosen(random.permutation(len(matches)))
    elif order != "corpus":
        matches = matches.chosen(_order(index, matches, order))
    shown = matches.chosen(np.arange(len(matches))[skip : skip + limit])
    return Concordance(count, tuple(lines_of(index, shown, context, choice.show)))


def first_matches(index: PositionIndex, query: CqlQuery, skip: int, limit: int) -> Matches:
    """Matches in the order of the corpus. Nothing behind the last of them is looked at."""
    wanted = skip + limit
    parts: list[Matches] = []
    found = 0
    for part in find_matches(index, query):
        parts.append(part)
        found += len(part)
        if found >= wanted:
            break
    if not parts:
        return Matches(np.zeros(0, np.int64), np.zeros(0, np.int64))
    begins = np.concatenate([part.begins for part in parts])[skip:wanted]
    return Matches(begins, np.concatenate([part.ends for part in parts])[skip:wanted])


def lines_of(
    index: PositionIndex, matches: Matches, context: int, show: tuple[str, ...] = ()
) -> Iterator[ContextLine]:
    """The lines of some matches. Context ends with the document."""
    shown = {name: _values_around(index, matches, name) for name in show}
    documents = index.structures.get("doc")
    around = documents.of(matches.begins) if documents is not None else np.full(len(matches), -1)
    names = documents.attributes if documents is not None else ()
    values = {name: documents.values(name) for name in names} if documents is not None else {}
    for line, (begin, end, number) in enumerate(
        zip(matches.begins.tolist(), matches.ends.tolist(), around.tolist(), strict=True)
    ):
        first, last = 0, index.size
        attributes = {}
        if documents is not None and number >= 0:
            first, last = int(documents.begins[number]), int(documents.ends[number])
            attributes = {name: lexicon[int(stream[number])] for name, (lexicon, stream) in values.items()}
        yield ContextLine(
            begin,
            index.text(max(first, begin - context), begin),
            index.text(begin, end),
            index.text(end, min(last, end + context)),
            attributes,
            {name: told[line] for name, told in shown.items()},
        )


def _values_around(index: PositionIndex, matches: Matches, name: str) -> list[str]:
    """The value of an attribute of the structure around each match. Empty where there is none."""
    kind, _, attribute = name.partition(".")
    if not kind or not attribute:
        raise UsageError(f"expected a structure and an attribute, such as post.author, but got {name!r}")
    structure = index.structure(kind)
    lexicon, stream = structure.values(attribute)
    return [lexicon[int(stream[n])] if n >= 0 else "" for n in structure.of(matches.begins).tolist()]


def _order(index: PositionIndex, matches: Matches, order: str) -> Places:
    """The order of the matches by the words beside them, the nearest first, or by their own words."""
    steps = np.arange(_SORTED_BY)
    if order == "left":
        columns = [matches.begins - 1 - step for step in steps]
    elif order == "right":
        columns = [matches.ends + step for step in steps]
    else:
        columns = [
            np.where(matches.begins + step < matches.ends, matches.begins + step, -1) for step in steps
        ]
    keys = [_ranks(index, column) for column in reversed(columns)]
    return np.lexsort(keys)


def _ranks(index: PositionIndex, places: Places) -> Places:
    """The rank of the word at each position without regard to case. Outside the corpus it is the lowest."""
    words = index.attribute("word")
    inside = (places >= 0) & (places < index.size)
    numbers = words.stream[np.where(inside, places, 0)] if index.size else np.zeros(len(places), np.int64)
    known, back = np.unique(numbers, return_inverse=True)
    folded = [words.lexicon[number].casefold() for number in known.tolist()]
    rank_of = {value: rank for rank, value in enumerate(sorted(set(folded)), 1)}
    ranks = np.array([rank_of[value] for value in folded], np.int64)
    return np.where(inside, ranks[back], 0)


def group_matches(index: PositionIndex, query: str, by: str, limit: int = 50) -> list[tuple[str, int]]:
    """The matches counted by a value: "match.lemma", "left1.word", "right2.tag", or "doc.lang"."""
    parsed = _GROUP.fullmatch(by)
    if parsed is None:
        raise UsageError(f"a group is match.lemma, left1.word, right2.tag or doc.lang, not {by!r}")
    side, distance, attribute, structure, name = parsed.groups()
    counts: Counter[str] = Counter()
    for part in find_matches(index, query):
        if structure:
            counts.update(_structure_values(index, part.begins, structure, name))
        elif side == "match":
            counts.update(_match_values(index, part, attribute))
        else:
            step = int(distance or 1)
            places = part.begins - step if side == "left" else part.ends + step - 1
            inside = places[(places >= 0) & (places < index.size)]
            counts.update(_counted(index, inside, attribute))
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:limit]


def _counted(index: PositionIndex, places: Places, attribute: str) -> Counter[str]:
    values = index.attribute(attribute)
    numbers, counts = np.unique(values.stream[places], return_counts=True)
    return Counter(
        {
            values.lexicon[number]: count
            for number, count in zip(numbers.tolist(), counts.tolist(), strict=True)
        }
    )


def _match_values(index: PositionIndex, matches: Matches, attribute: str) -> Counter[str]:
    sizes = matches.ends - matches.begins
    counts = _counted(index, matches.begins[sizes == 1], attribute)
    values = index.attribute(attribute)
    for at in np.flatnonzero(sizes > 1).tolist():
        places = np.arange(matches.begins[at], matches.ends[at])
        counts[" ".join(values.values_at(places))] += 1
    return counts


def _structure_values(index: PositionIndex, places: Places, structure: str, name: str) -> Counter[str]:
    ranges = index.structure(structure)
    lexicon, stream = ranges.values(name)
    around = ranges.of(places)
    numbers, counts = np.unique(stream[around[around >= 0]], return_counts=True)
    return Counter({lexicon[n]: c for n, c in zip(numbers.tolist(), counts.tolist(), strict=True)})
