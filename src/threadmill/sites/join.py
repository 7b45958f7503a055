"""All pairs of vectors with a cosine of at least a floor, exactly, without looking at every pair.

Every row leaves its most frequent terms out of the index, as many as together stay shorter than the root of
the floor. Rows ask in the order of how far that reaches, farthest first, and meet later rows only: what an
indexed row leaves out is then, in the asking row too, shorter than that root, so by Cauchy-Schwarz the
left-out part alone lifts no pair over the floor. The same bound drops most rows; the rest is checked exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from threadmill.errors import UsageError
from threadmill.sites.sparse import Floats, Indices, Vectors

# How much of the floor the left-out parts may make up: less indexes more, more leaves more to check.
# 10,000 generated sites (bench/sites): 3.2 s at 0.4, 3.0 s at 0.7, 3.7 s at 0.85.
_SHARE = 0.6
_ROUNDING = 1e-5  # values have 24 bits: their squares and products are good to 1e-6


@dataclass(frozen=True, slots=True)
class Match:
    """Two rows and their cosine."""

    one: int
    other: int
    cosine: float


@dataclass(frozen=True, slots=True)
class _Index:
    """For every term the rows that hold it in their indexed part, in rising order."""

    starts: Indices
    rows: Indices
    values: Floats


def join(vectors: Vectors, floor: float) -> Iterator[Match]:
    """Every pair of rows with a cosine of at least the floor, each once, `one` before `other`."""
    if not 0 < floor <= 1:
        raise UsageError(f"expected a floor above 0 and up to 1, but got {floor}")
    ranked = _by_frequency(vectors)
    cuts, left_out = _cuts(ranked, math.sqrt(_SHARE * floor))
    order = _farthest_first(ranked, cuts)
    ranked = _reordered(ranked, order)
    search = _Search(ranked, cuts[order], left_out[order], floor)
    for row in range(len(vectors)):
        others, cosines = search.later_than(row)
        for other, cosine in zip(order[others].tolist(), cosines.tolist(), strict=True):
            one, two = sorted((int(order[row]), other))
            yield Match(one, two, min(1.0, cosine))


class _Search:
    """Rows in the order they ask in, with the index of what they hold."""

    def __init__(self, ranked: Vectors, cuts: Indices, left_out: Floats, floor: float) -> None:
        self._ranked = ranked
        self._index = _index(ranked, cuts)
        self._firsts = _first_indexed(ranked, cuts)
        self._cuts = cuts
        self._left_out = left_out
        self._longest = float(left_out.max(initial=0.0))
        self._floor = floor - _ROUNDING
        self._begins = self._index.starts[
            :-1
        ].copy()  # moves on as rows are done: a row meets later ones only
        self._query = np.zeros(ranked.width)

    def later_than(self, row: int) -> tuple[Indices, Floats]:
        """Later rows with a cosine over the floor, and their cosines."""
        terms, values = self._ranked.row(row)
        self._begins[terms[self._cuts[row] :]] += 1
        sums = self._sums(terms, values)
        # First a bound without looking anything up, then a closer one for the few it leaves.
        others = np.flatnonzero(sums >= max(self._floor - self._left_out[row] * self._longest, _ROUNDING))
        if len(others):
            lengths = np.concatenate([[0.0], np.sqrt(np.cumsum(values * values))])
            shared = lengths[np.searchsorted(terms, self._firsts[others])]
            others = others[sums[others] + shared * self._left_out[others] >= self._floor]
        return self._checked(others, terms, values)

    def _sums(self, terms: Indices, values: Floats) -> Floats:
        """For every row the products of what the index holds of it."""
        begins = self._begins[terms]
        lengths = self._index.starts[terms + 1] - begins
        # The postings of all terms one after the other: where each begins, less what came before, plus 0, 1 …
        where = np.repeat(begins - np.cumsum(lengths) + lengths, lengths)
        where += np.arange(len(where))
        weights = self._index.values[where]
        weights *= np.repeat(values, lengths)
        sums: Floats = np.bincount(self._index.rows[where], weights, len(self._ranked)).astype(np.float64)
        return sums

    def _checked(self, others: Indices, terms: Indices, values: Floats) -> tuple[Indices, Floats]:
        if not len(others):
            return others, np.zeros(0)
        self._query[terms] = values
        where, starts = _spread(self._ranked.starts, others)
        products = self._query[self._ranked.columns[where]] * self._ranked.values[where]
        cosines = np.add.reduceat(products, starts)
        self._query[terms] = 0.0
        over = cosines >= self._floor + _ROUNDING
        return others[over], cosines[over]


def _spread(starts: Indices, rows: Indices) -> tuple[Indices, Indices]:
    """Where the entries of some rows stand, row after row, and where each row begins among them."""
    lengths = starts[rows + 1] - starts[rows]
    begins = np.cumsum(lengths) - lengths
    return np.repeat(starts[rows] - begins, lengths) + np.arange(int(lengths.sum())), begins


def _by_frequency(vectors: Vectors) -> Vectors:
    """The same rows with terms renumbered: the most frequent is 0."""
    frequency = np.bincount(vectors.columns, minlength=vectors.width)
    rank = np.empty(vectors.width, np.int32)
    rank[np.argsort(-frequency, kind="stable")] = np.arange(vectors.width)
    columns = rank[vectors.columns]
    rows = np.repeat(np.arange(len(vectors)), np.diff(vectors.starts))
    order = np.argsort(rows * vectors.width + columns)
    return Vectors(vectors.starts, columns[order], vectors.values[order], vectors.width)


def _cuts(ranked: Vectors, most: float) -> tuple[Indices, Floats]:
    """How many of each row's first terms stay out of the index, and how long they are together."""
    cuts = np.zeros(len(ranked), np.int64)
    lengths = np.zeros(len(ranked))
    for row in range(len(ranked)):
        values = ranked.row(row)[1]
        so_far = np.sqrt(np.cumsum(values * values))
        cut = cuts[row] = np.searchsorted(so_far, most)
        lengths[row] = so_far[cut - 1] if cut else 0.0
    return cuts, lengths


def _first_indexed(ranked: Vectors, cuts: Indices) -> Indices:
    """The first term of each row that is in the index; beyond all terms where none is."""
    where = ranked.starts[:-1] + cuts
    first = np.full(len(ranked), ranked.width)
    inside = where < ranked.starts[1:]
    first[inside] = ranked.columns[where[inside]]
    return first


def _farthest_first(ranked: Vectors, cuts: Indices) -> Indices:
    return np.argsort(-_first_indexed(ranked, cuts), kind="stable")


def _reordered(vectors: Vectors, order: Indices) -> Vectors:
    where, begins = _spread(vectors.starts, order)
    starts = np.append(begins, len(where))
    return Vectors(starts, vectors.columns[where], vectors.values[where], vectors.width)


def _index(ranked: Vectors, cuts: Indices) -> _Index:
    lengths = np.diff(ranked.starts)
    kept = np.arange(len(ranked.columns)) >= np.repeat(ranked.starts[:-1] + cuts, lengths)
    rows = np.repeat(np.arange(len(ranked), dtype=np.int32), lengths)[kept]
    columns = ranked.columns[kept]
    order = np.argsort(columns, kind="stable")
    starts = np.zeros(ranked.width + 1, np.int64)
    np.cumsum(np.bincount(columns, minlength=ranked.width), out=starts[1:])
    return _Index(starts, rows[order], ranked.values[kept][order])
