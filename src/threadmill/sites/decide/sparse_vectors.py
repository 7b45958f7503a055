"""Sparse unit vectors in three arrays, and the vectors of a list's own terms."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Columns and values have 32 bits, because a hundred thousand sites have some ten million entries.
Floats = NDArray[np.floating[Any]]
Indices = NDArray[np.integer[Any]]
_ROWS_AT_ONCE = 4096  # rows that are multiplied in one step, so that temporary arrays stay small


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
        columns, values = self.row(one)
        dense = np.zeros(self.width)
        dense[columns] = values
        found: list[float] = []
        for first in range(0, len(others), _ROWS_AT_ONCE):
            found += self._products(dense, np.array(others[first : first + _ROWS_AT_ONCE])).tolist()
        return found

    def _products(self, dense: Floats, rows: Indices) -> Floats:
        """The products of a dense vector with some rows: differences of one running sum over all entries."""
        starts = self.starts[rows]
        lengths = self.starts[rows + 1] - starts
        ends = np.cumsum(lengths)
        entries = np.arange(ends[-1]) + np.repeat(starts - (ends - lengths), lengths)
        running = np.zeros(len(entries) + 1)
        np.cumsum(dense[self.columns[entries]] * self.values[entries], out=running[1:])
        products: Floats = running[ends] - running[ends - lengths]
        return products


def make_vectors(rows: Sequence[Mapping[int, float]], width: int) -> Vectors:
    """Vectors of rows given as {column: value}, scaled to length one. Values up to 0 are left out."""
    return gather_vectors(
        [
            (np.fromiter(row, np.int32, len(row)), np.fromiter(row.values(), np.float64, len(row)))
            for row in rows
        ],
        width,
    )


def gather_vectors(rows: Iterable[tuple[Indices, Floats]], width: int) -> Vectors:
    """The same for rows given as an array of columns, each once and in any order, and an array of values."""
    starts = [0]
    columns: list[Indices] = [np.zeros(0, np.int32)]
    values: list[Floats] = [np.zeros(0, np.float32)]
    for ours, weights in rows:
        order = np.argsort(ours)
        order = order[weights[order] > 0]
        kept = weights[order]
        columns.append(ours[order].astype(np.int32))
        values.append((kept / np.sqrt(kept @ kept) if len(kept) else kept).astype(np.float32))
        starts.append(starts[-1] + len(order))
    return Vectors(np.array(starts, np.int64), np.concatenate(columns), np.concatenate(values), width)


class TermColumns(dict[str, int]):
    """The column of every term. A new term gets the next column."""

    def __missing__(self, term: str) -> int:
        self[term] = len(self)
        return self[term]

    def of(self, terms: Collection[str]) -> Indices:
        """The columns of some terms."""
        return np.fromiter(map(self.__getitem__, terms), np.int32, len(terms))


def list_vectors(rows: Iterable[Collection[str]], sites: int) -> Vectors:
    """Unit vectors whose terms are weighted by their rarity among the `sites` of the list itself.

    A row is a set of terms, or a mapping from terms to their counts.
    """
    columns = TermColumns()
    found = []
    for row in rows:
        counts = (
            np.fromiter(row.values(), np.float64, len(row)) if isinstance(row, Mapping) else np.ones(len(row))
        )
        found.append((columns.of(row), 1 + np.log(counts)))
    everywhere = np.concatenate([ours for ours, _ in found]) if found else np.zeros(0, np.int32)
    rarity = np.log((sites + 1) / np.maximum(1, np.bincount(everywhere, minlength=1)))
    return gather_vectors(((ours, values * rarity[ours]) for ours, values in found), max(1, len(columns)))
