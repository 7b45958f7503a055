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
from threadmill.sites.decide.sparse_vectors import Floats, Indices, Vectors

# How much of the floor the left-out parts may make up: less indexes more, more leaves more to check.
# 10,000 generated sites (bench/sites) of 247 terms: 1.4 s at 0.4, 1.5 s at 0.5, 1.9 s at 0.8; of 446 terms
# 3.0, 2.9 and 2.8 s, on a machine with other work. scipy's product of sparse matrices was no faster.
_SHARE = 0.5
# Rows that ask at once: so many that the sums of all of them fit into a processor's cache.
_CELLS = 200_000
_MOST_TOGETHER = 64
_ROWS_AT_ONCE = 4096  # sorted and moved at once: what is made on the way stays small
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
    together = max(1, min(_MOST_TOGETHER, _CELLS // max(1, len(vectors))))
    for first in range(0, len(vectors), together):
        asking, others, cosines = search.ask(first, min(first + together, len(vectors)))
        for row, other, cosine in zip(
            order[asking].tolist(), order[others].tolist(), cosines.tolist(), strict=True
        ):
            yield Match(min(row, other), max(row, other), min(1.0, cosine))


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
        # Moves on as rows are done: a row meets later ones only.
        self._begins = self._index.starts[:-1].copy()
        self._queries = np.zeros((0, ranked.width))

    def ask(self, first: int, last: int) -> tuple[Indices, Indices, Floats]:
        """For rows first to last all later rows over the floor: who asked, who it is, how near."""
        batch = _Batch(self._ranked, first, last)
        sums = self._sums(batch)
        # First a bound without looking anything up, then closer ones for the few it leaves.
        least = np.maximum(self._floor - self._left_out[first:last] * self._longest, _ROUNDING)
        cells = np.flatnonzero(sums >= np.repeat(least, len(self._ranked) - first))
        asking, others = np.divmod(cells, len(self._ranked) - first)
        later = others > asking
        asking, others, known = asking[later], others[later] + first, sums[cells[later]]
        if len(others):
            shared = batch.length_before(asking, self._firsts[others])
            near = known + shared * self._left_out[others] >= self._floor
            asking, others, known = asking[near], others[near], known[near]
        self._pass_by(batch)
        cosines = known + self._rest(batch, asking, others)
        over = cosines >= self._floor + _ROUNDING
        return asking[over] + first, others[over], cosines[over]

    def _sums(self, batch: _Batch) -> Floats:
        """For every asking row and every row from the first on the products of what the index holds."""
        width = len(self._ranked) - batch.first
        begins = self._begins[batch.terms]
        lengths = self._index.starts[batch.terms + 1] - begins
        # The postings of all terms one after the other: where each begins, less what came before, plus 0, 1 …
        where = np.repeat(begins - np.cumsum(lengths) + lengths, lengths)
        where += np.arange(len(where))
        weights = self._index.values.take(where)
        weights *= np.repeat(batch.values, lengths)
        cells = np.repeat(batch.rows * width - batch.first, lengths)
        cells += self._index.rows.take(where)
        return np.bincount(cells, weights, (batch.last - batch.first) * width).astype(np.float64, copy=False)

    def _pass_by(self, batch: _Batch) -> None:
        """Later rows meet these no more."""
        places = np.arange(len(batch.terms)) - batch.starts[batch.rows]
        indexed = places >= self._cuts[batch.first : batch.last][batch.rows]
        np.add.at(self._begins, batch.terms[indexed], 1)

    def _rest(self, batch: _Batch, asking: Indices, others: Indices) -> Floats:
        """What the parts that the index leaves out add to each pair."""
        if not len(others):
            return np.zeros(0)
        if len(self._queries) < batch.last - batch.first:
            self._queries = np.zeros((batch.last - batch.first, self._ranked.width), np.float32)
        self._queries[batch.rows, batch.terms] = batch.values
        lengths = self._cuts[others]
        pairs = np.repeat(np.arange(len(others)), lengths)
        where = np.arange(len(pairs))
        where += np.repeat(self._ranked.starts[others] - np.cumsum(lengths) + lengths, lengths)
        products = self._queries[asking[pairs], self._ranked.columns[where]] * self._ranked.values[where]
        self._queries[batch.rows, batch.terms] = 0.0
        return np.bincount(pairs, products, len(others)).astype(np.float64, copy=False)


class _Batch:
    """Some rows that ask together: numpy takes as long to start as to add a thousand numbers."""

    def __init__(self, ranked: Vectors, first: int, last: int) -> None:
        part = slice(int(ranked.starts[first]), int(ranked.starts[last]))
        self.first = first
        self.last = last
        self.terms = ranked.columns[part]
        self.values = ranked.values[part]
        self.starts = ranked.starts[first : last + 1] - ranked.starts[first]
        self.rows = np.repeat(np.arange(last - first), np.diff(self.starts))
        self._width = ranked.width

    def length_before(self, rows: Indices, terms: Indices) -> Floats:
        """How long each of some rows is in the terms before a given one."""
        squares = np.concatenate([[0.0], np.cumsum(np.square(self.values, dtype=np.float64))])
        keys = self.rows * (self._width + 1) + self.terms
        ends = np.searchsorted(keys, rows * (self._width + 1) + terms)
        lengths: Floats = np.sqrt(np.maximum(0.0, squares[ends] - squares[self.starts[rows]]))
        return lengths


def _spread(starts: Indices, rows: Indices) -> tuple[Indices, Indices]:
    """Where the entries of some rows stand, row after row, and where each row begins among them."""
    lengths = starts[rows + 1] - starts[rows]
    begins = np.cumsum(lengths) - lengths
    where = np.repeat(starts[rows] - begins, lengths)
    where += np.arange(len(where))
    return where, begins


def _by_frequency(vectors: Vectors) -> Vectors:
    """The same rows with terms renumbered: the most frequent is 0."""
    frequency = np.bincount(vectors.columns, minlength=vectors.width)
    rank = np.empty(vectors.width, np.int32)
    rank[np.argsort(-frequency, kind="stable")] = np.arange(vectors.width)
    columns = rank[vectors.columns]
    values = vectors.values.copy()
    for first in range(0, len(vectors), _ROWS_AT_ONCE):
        starts = vectors.starts[first : first + _ROWS_AT_ONCE + 1]
        part = slice(int(starts[0]), int(starts[-1]))
        rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        order = np.argsort(rows * vectors.width + columns[part])
        columns[part], values[part] = columns[part][order], values[part][order]
    return Vectors(vectors.starts, columns, values, vectors.width)


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
    lengths = np.diff(vectors.starts)[order]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    columns, values = np.empty_like(vectors.columns), np.empty_like(vectors.values)
    for first in range(0, len(order), _ROWS_AT_ONCE):
        chosen = order[first : first + _ROWS_AT_ONCE]
        where, _ = _spread(vectors.starts, chosen)
        part = slice(int(starts[first]), int(starts[first + len(chosen)]))
        columns[part], values[part] = vectors.columns[where], vectors.values[where]
    return Vectors(starts, columns, values, vectors.width)


def _index(ranked: Vectors, cuts: Indices) -> _Index:
    lengths = np.diff(ranked.starts)
    kept = np.arange(len(ranked.columns)) >= np.repeat(ranked.starts[:-1] + cuts, lengths)
    rows = np.repeat(np.arange(len(ranked), dtype=np.int32), lengths)[kept]
    columns = ranked.columns[kept]
    order = np.argsort(columns, kind="stable")
    starts = np.zeros(ranked.width + 1, np.int64)
    np.cumsum(np.bincount(columns, minlength=ranked.width), out=starts[1:])
    return _Index(starts, rows[order], ranked.values[kept][order])
