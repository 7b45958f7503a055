"""Sparse unit vectors in three arrays: what vectors are kept, joined and compared in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Columns and values are kept in 32 bits: a hundred thousand sites are some ten million entries.
Floats = NDArray[np.floating[Any]]
Indices = NDArray[np.integer[Any]]
_ROWS_AT_ONCE = 4096  # whose entries are laid side by side: what is made on the way stays small


@dataclass(frozen=True, slots=True)
class Vectors:
    """Rows of (column, value) pairs, columns rising within a row; rows have length one or are empty."""

    starts: Indices  # row r is starts[r]:starts[r + 1]
    columns: Indices
    values: Floats
    width: int  # how many columns there may be

    def __len__(self) -> int:
        return len(self.starts) - 1

    def row(self, number: int) -> tuple[Indices, Floats]:
        """The columns and values of one row."""
        part = slice(self.starts[number], self.starts[number + 1])
        return self.columns[part], self.values[part]

    def cosines(self, one: int, others: Sequence[int]) -> list[float]:
        """The cosines of one row with some others."""
        columns, values = self.row(one)
        spread = np.zeros(self.width)
        spread[columns] = values
        found: list[float] = []
        for first in range(0, len(others), _ROWS_AT_ONCE):
            found += self._products(spread, np.array(others[first : first + _ROWS_AT_ONCE])).tolist()
        return found

    def _products(self, spread: Floats, rows: Indices) -> Floats:
        starts = self.starts[rows]
        lengths = self.starts[rows + 1] - starts
        ends = np.cumsum(lengths)
        entries = np.arange(ends[-1]) + np.repeat(starts - (ends - lengths), lengths)
        running = np.zeros(len(entries) + 1)
        np.cumsum(spread[self.columns[entries]] * self.values[entries], out=running[1:])
        products: Floats = running[ends] - running[ends - lengths]
        return products


def make_vectors(rows: Sequence[Mapping[int, float]], width: int) -> Vectors:
    """Vectors of the rows given, each brought to length one; zeros and negatives are left out."""
    return gather_vectors(
        [
            (np.fromiter(row, np.int32, len(row)), np.fromiter(row.values(), np.float64, len(row)))
            for row in rows
        ],
        width,
    )


def gather_vectors(rows: Iterable[tuple[Indices, Floats]], width: int) -> Vectors:
    """The same of rows that are columns, each once in any order, and their values."""
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


class Columns(dict[str, int]):
    """The column of every term, given out as terms come."""

    def __missing__(self, term: str) -> int:
        self[term] = len(self)
        return self[term]

    def of(self, terms: Collection[str]) -> Indices:
        """The columns of some terms."""
        return np.fromiter(map(self.__getitem__, terms), np.int32, len(terms))
