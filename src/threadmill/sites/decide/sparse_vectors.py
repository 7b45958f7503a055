"""Sparse unit vectors in three arrays, the vectors of a list's terms, and all pairs with a high cosine."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from threadmill.errors import UsageError

# Columns and values have 32 bits, because a hundred thousand sites have some ten million entries.
Floats = NDArray[np.floating[Any]]
Indices = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True)
class Vectors:
    """Rows of (column, value) pairs, columns rising within a row. Each row has length one or is empty."""

    starts: Indices  # row r is starts[r]:starts[r + 1]
    columns: Indices
    values: Floats
    width: int  # number of columns

    def __len__(self) -> int:
        return len(self.starts) - 1

    def row(self, number: int) -> tuple[Indices, Floats]:
        """The columns and values of one row."""
        part = slice(self.starts[number], self.starts[number + 1])
        return self.columns[part], self.values[part]

    def cosines(self, one: int, others: Sequence[int]) -> list[float]:
        """The cosines of one row with some others."""
        rows = np.array(others, np.int64)
        found: list[float] = self.cosines_of_pairs(np.full(len(rows), one), rows).tolist()
        return found

    def cosines_of_pairs(self, ones: Indices, others: Indices) -> Floats:
        """The cosine of each pair of rows."""
        found = np.zeros(len(ones))
        rows, width = min(len(ones), _PAIRS_AT_ONCE), int(self.columns.max(initial=0)) + 1
        dense = np.zeros((rows, width), np.float32) if rows * width <= _DENSE_CELLS else None
        for first in range(0, len(ones), _PAIRS_AT_ONCE):
            part = slice(first, first + _PAIRS_AT_ONCE)
            if dense is None:
                found[part] = self._products(ones[part], others[part])
            else:
                found[part] = self._dense_products(ones[part], others[part], dense)
        return found

    def _dense_products(self, ones: Indices, others: Indices, dense: Floats) -> Floats:
        """The products of some pairs of rows: the first rows are spread out in `dense`, which stays zero."""
        rows, numbers = np.unique(ones, return_inverse=True)
        ours = _positions_of(self.starts, rows)
        owners = np.repeat(np.arange(len(rows)), self.starts[rows + 1] - self.starts[rows])
        dense[owners, self.columns[ours]] = self.values[ours]
        theirs = _positions_of(self.starts, others)
        pairs = np.repeat(np.arange(len(others)), self.starts[others + 1] - self.starts[others])
        products = dense[numbers[pairs], self.columns[theirs]] * self.values[theirs]
        dense[owners, self.columns[ours]] = 0.0
        return np.bincount(pairs, products, len(ones)).astype(np.float64, copy=False)

    def _products(self, ones: Indices, others: Indices) -> Floats:
        """The products of some pairs of rows: their entries, numbered by pair and column, are merged."""
        ours, our_keys = self._entries(ones)
        theirs, their_keys = self._entries(others)
        if not len(ours):
            return np.zeros(len(ones))
        places = np.minimum(np.searchsorted(our_keys, their_keys), len(our_keys) - 1)
        same = our_keys[places] == their_keys
        products = self.values[ours[places[same]]] * self.values[theirs[same]]
        pairs = their_keys[same] // self.width
        return np.bincount(pairs, products, len(ones)).astype(np.float64, copy=False)

    def _entries(self, rows: Indices) -> tuple[Indices, Indices]:
        """The positions of the entries of some rows, and the rank of each by row and column."""
        entries = _positions_of(self.starts, rows)
        owners = np.repeat(np.arange(len(rows)), self.starts[rows + 1] - self.starts[rows])
        return entries, owners * self.width + self.columns[entries]


def make_vectors(rows: Sequence[Mapping[int, float]], width: int) -> Vectors:
    """Vectors of rows given as {column: value}, scaled to length one. Values up to 0 are left out."""
    starts = np.cumsum([0, *(len(row) for row in rows)])
    columns = np.fromiter((column for row in rows for column in row), np.int32, int(starts[-1]))
    values = np.fromiter((value for row in rows for value in row.values()), np.float64, int(starts[-1]))
    return unit_vectors(starts, columns, lambda part: values[part], width)


def list_vectors(rows: Iterable[Indices], sites: int, width: int) -> Vectors:
    """Unit vectors of sets of columns, weighted by their rarity among the `sites` of the list itself."""
    found = list(rows)
    columns = np.concatenate([np.zeros(0, np.int32), *found])
    rarity = np.log((sites + 1) / np.maximum(1, np.bincount(columns, minlength=max(1, width))))
    starts = np.cumsum([0, *(len(row) for row in found)])
    return unit_vectors(starts, columns, lambda part: rarity[columns[part]], max(1, width))


def unit_vectors(
    starts: Indices, columns: Indices, values_of: Callable[[slice], Floats], width: int
) -> Vectors:
    """Vectors of rows whose columns stand in any order, each once; `values_of` gives the values of a part."""
    new_starts = np.zeros(len(starts), np.int64)
    new_columns, new_values = np.empty(len(columns), np.int32), np.empty(len(columns), np.float32)
    end = 0
    for first in range(0, len(starts) - 1, _ROWS_AT_ONCE):
        edges = starts[first : first + _ROWS_AT_ONCE + 1]
        part = slice(int(edges[0]), int(edges[-1]))
        rows, ours, values = (
            np.repeat(np.arange(len(edges) - 1), np.diff(edges)),
            columns[part],
            values_of(part),
        )
        order = np.argsort(rows * width + ours)
        order = order[values[order] > 0]
        rows, ours, values = rows[order], ours[order], values[order]
        norms = np.sqrt(np.bincount(rows, values * values, len(edges) - 1))
        new_columns[end : end + len(order)] = ours
        new_values[end : end + len(order)] = values / norms[rows]
        lengths = np.bincount(rows, minlength=len(edges) - 1)
        new_starts[first + 1 : first + len(edges)] = end + np.cumsum(lengths)
        end += len(order)
    return Vectors(new_starts, new_columns[:end], new_values[:end], width)


# Share of the floor that the terms outside the index may reach. A smaller share makes the index larger, a
# larger share leaves more pairs to compare. 10,000 generated sites (bench/sites) of 247 terms: 1.4 s at 0.4,
# 1.5 s at 0.5, 1.9 s at 0.8; of 446 terms 3.0, 2.9 and 2.8 s, on a machine with other work. scipy's product
# of sparse matrices was no faster. 30,000 sites at a floor of 0.8: 7.2 s at 0.5, 5.9 s at 0.65, 4.6 s at
# 0.78.
_SHARE = 0.5
_HIGH_FLOOR = 0.7
_SHARE_OF_HIGH_FLOOR = 0.8
# Rows that search together: so many that the sums of all of them fit into a processor's cache.
_CELLS = 200_000
_MOST_TOGETHER = 64
_ROUNDING = 1e-5  # values have 24 bits, so their squares and products are exact to 1e-6


@dataclass(frozen=True, slots=True)
class CosineMatch:
    """Two rows and their cosine."""

    one: int
    other: int
    cosine: float


@dataclass(frozen=True, slots=True)
class _TermIndex:
    """For every term the rows that have it in their indexed part, in rising order, with its values there."""

    starts: Indices
    rows: Indices
    values: Floats


def join_by_cosine(vectors: Vectors, floor: float) -> Iterator[CosineMatch]:
    """Yield every pair of rows with a cosine of at least the floor, once, the smaller row number first."""
    for block in join_in_blocks(vectors, floor):
        yield from map(CosineMatch, *(part.tolist() for part in block))


def join_in_blocks(vectors: Vectors, floor: float) -> Iterator[tuple[Indices, Indices, Floats]]:
    """The same in arrays: first rows, second rows, cosines."""
    if not 0 < floor <= 1:
        raise UsageError(f"expected a floor above 0 and up to 1, but got {floor}")
    ranked = _by_frequency(vectors)
    share = _SHARE if floor < _HIGH_FLOOR else _SHARE_OF_HIGH_FLOOR
    cuts, left_out = _cut_rows(ranked, math.sqrt(share * floor))
    order = np.argsort(-_first_indexed_terms(ranked, cuts), kind="stable")  # rarest first
    ranked = _reordered(ranked, order)
    search = _Search(ranked, cuts[order], left_out[order], floor)
    together = max(1, min(_MOST_TOGETHER, _CELLS // max(1, len(vectors))))
    for first in range(0, len(vectors), together):
        searching, others, cosines = search.find_later(first, min(first + together, len(vectors)))
        if len(others):
            rows, later = order[searching], order[others]
            yield np.minimum(rows, later), np.maximum(rows, later), np.minimum(1.0, cosines)


class _Search:
    """Rows in the order of the search, with the index of their terms."""

    def __init__(self, ranked: Vectors, cuts: Indices, left_out: Floats, floor: float) -> None:
        self._ranked = ranked
        self._index = _make_index(ranked, cuts)
        self._first_terms = _first_indexed_terms(ranked, cuts)
        self._cuts = cuts
        self._left_out = left_out
        self._longest = float(left_out.max(initial=0.0))
        self._floor = floor - _ROUNDING
        # Where the later rows of each term begin. It moves on as rows are done.
        self._begins = self._index.starts[:-1].copy()
        self._queries = np.zeros((0, ranked.width))

    def find_later(self, first: int, last: int) -> tuple[Indices, Indices, Floats]:
        """All pairs over the floor of the rows first to last with later rows: row, later row, cosine."""
        queries = _QueryRows(self._ranked, first, last)
        sums = self._sums(queries)
        # A rough bound for all rows first, then a closer one for the few that it leaves.
        least = np.maximum(self._floor - self._left_out[first:last] * self._longest, _ROUNDING)
        cells = np.flatnonzero(sums.reshape(last - first, -1) >= least[:, None])
        searching, others = np.divmod(cells, len(self._ranked) - first)
        later = others > searching
        searching, others, known = searching[later], others[later] + first, sums[cells[later]]
        if len(others):
            shared = queries.length_before(searching, self._first_terms[others])
            near = known + shared * self._left_out[others] >= self._floor
            searching, others, known = searching[near], others[near], known[near]
        self._drop(queries)
        cosines = known + self._products_outside_index(queries, searching, others)
        over = cosines >= self._floor + _ROUNDING
        return searching[over] + first, others[over], cosines[over]

    def _sums(self, queries: _QueryRows) -> Floats:
        """The products of the indexed terms, for every searching row and every row from the first on."""
        width = len(self._ranked) - queries.first
        begins = self._begins[queries.terms]
        lengths = self._index.starts[queries.terms + 1] - begins
        # Positions of the postings of all terms, one term after the other: begin, minus what came before,
        # plus 0, 1 …
        where = np.repeat(begins - np.cumsum(lengths) + lengths, lengths)
        where += np.arange(len(where))
        weights = self._index.values.take(where)
        weights *= np.repeat(queries.values, lengths)
        cells = np.repeat(queries.rows * width - queries.first, lengths)
        cells += self._index.rows.take(where)
        return np.bincount(cells, weights, (queries.last - queries.first) * width).astype(
            np.float64, copy=False
        )

    def _drop(self, queries: _QueryRows) -> None:
        """Take these rows out of the search of later rows."""
        places = np.arange(len(queries.terms)) - queries.starts[queries.rows]
        indexed = places >= self._cuts[queries.first : queries.last][queries.rows]
        np.add.at(self._begins, queries.terms[indexed], 1)

    def _products_outside_index(self, queries: _QueryRows, searching: Indices, others: Indices) -> Floats:
        """What the terms outside the index add to each pair."""
        if not len(others):
            return np.zeros(0)
        if len(self._queries) < queries.last - queries.first:
            self._queries = np.zeros((queries.last - queries.first, self._ranked.width), np.float32)
        self._queries[queries.rows, queries.terms] = queries.values
        lengths = self._cuts[others]
        pairs = np.repeat(np.arange(len(others)), lengths)
        where = np.arange(len(pairs))
        where += np.repeat(self._ranked.starts[others] - np.cumsum(lengths) + lengths, lengths)
        products = self._queries[searching[pairs], self._ranked.columns[where]] * self._ranked.values[where]
        self._queries[queries.rows, queries.terms] = 0.0
        return np.bincount(pairs, products, len(others)).astype(np.float64, copy=False)


class _QueryRows:
    """Rows that search together, because a call of numpy costs as much as adding a thousand numbers."""

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
        """The length of some rows, counting only the terms before a given one."""
        squares = np.concatenate([[0.0], np.cumsum(np.square(self.values, dtype=np.float64))])
        keys = self.rows * (self._width + 1) + self.terms
        ends = np.searchsorted(keys, rows * (self._width + 1) + terms)
        lengths: Floats = np.sqrt(np.maximum(0.0, squares[ends] - squares[self.starts[rows]]))
        return lengths


def _positions_of(starts: Indices, rows: Indices) -> Indices:
    """The positions of the entries of some rows, row after row."""
    lengths = starts[rows + 1] - starts[rows]
    begins = np.cumsum(lengths) - lengths
    where = np.repeat(starts[rows] - begins, lengths)
    where += np.arange(len(where))
    return where


def _by_frequency(vectors: Vectors) -> Vectors:
    """The same rows with renumbered terms: the most frequent term is 0."""
    frequency = np.bincount(vectors.columns, minlength=vectors.width)
    if (np.diff(frequency) <= 0).all():
        return vectors
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


def _cut_rows(ranked: Vectors, most: float) -> tuple[Indices, Floats]:
    """How many of each row's first terms stay out of the index, and their length."""
    cuts = np.zeros(len(ranked), np.int64)
    lengths = np.zeros(len(ranked))
    for first in range(0, len(ranked), _ROWS_AT_ONCE):
        starts = ranked.starts[first : first + _ROWS_AT_ONCE + 1]
        squares = np.square(ranked.values[starts[0] : starts[-1]], dtype=np.float64)
        running = np.concatenate([[0.0], np.cumsum(squares)])
        before = running[starts[:-1] - starts[0]]
        rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        outside = running[1:] - before[rows] < most * most
        part = slice(first, first + len(starts) - 1)
        cuts[part] = np.bincount(rows[outside], minlength=len(starts) - 1)
        lengths[part] = np.sqrt(running[starts[:-1] - starts[0] + cuts[part]] - before)
    return cuts, lengths


def _first_indexed_terms(ranked: Vectors, cuts: Indices) -> Indices:
    """The first term of each row that is in the index. A row without one has a number beyond all terms."""
    where = ranked.starts[:-1] + cuts
    first = np.full(len(ranked), ranked.width)
    inside = where < ranked.starts[1:]
    first[inside] = ranked.columns[where[inside]]
    return first


def _reordered(vectors: Vectors, order: Indices) -> Vectors:
    lengths = np.diff(vectors.starts)[order]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    columns, values = np.empty_like(vectors.columns), np.empty_like(vectors.values)
    for first in range(0, len(order), _ROWS_AT_ONCE):
        chosen = order[first : first + _ROWS_AT_ONCE]
        where = _positions_of(vectors.starts, chosen)
        part = slice(int(starts[first]), int(starts[first + len(chosen)]))
        columns[part], values[part] = vectors.columns[where], vectors.values[where]
    return Vectors(starts, columns, values, vectors.width)


def _make_index(ranked: Vectors, cuts: Indices) -> _TermIndex:
    lengths = np.diff(ranked.starts)
    kept = np.arange(len(ranked.columns)) >= np.repeat(ranked.starts[:-1] + cuts, lengths)
    rows = np.repeat(np.arange(len(ranked), dtype=np.int32), lengths)[kept]
    columns = ranked.columns[kept]
    order = np.argsort(columns, kind="stable")
    starts = np.zeros(ranked.width + 1, np.int64)
    np.cumsum(np.bincount(columns, minlength=ranked.width), out=starts[1:])
    return _TermIndex(starts, rows[order], ranked.values[kept][order])


_PAIRS_AT_ONCE = 256  # whose entries are merged in one step: they fit into a processor's cache
_DENSE_CELLS = 30_000_000  # of rows that are spread out: 120 MB. Wider vectors are merged instead
_ROWS_AT_ONCE = (
    4096  # rows that are multiplied, sorted or moved in one step, so that temporary arrays stay small
)
