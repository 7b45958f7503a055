"""Sparse unit vectors in three arrays: what vectors are kept, joined and compared in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Columns and values are kept in 32 bits: a hundred thousand sites are some ten million entries.
Floats = NDArray[np.floating[Any]]
Indices = NDArray[np.integer[Any]]


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

    def cosine(self, one: int, other: int) -> float:
        """The cosine of two rows."""
        columns, values = self.row(one)
        others, weights = self.row(other)
        if not len(columns) or not len(others):
            return 0.0
        where = np.searchsorted(others, columns)
        where[where == len(others)] = 0
        hit = others[where] == columns
        return float(values[hit] @ weights[where[hit]])


def make_vectors(rows: Sequence[Mapping[int, float]], width: int) -> Vectors:
    """Vectors of the rows given, each brought to length one; zeros and negatives are left out."""
    starts = np.zeros(len(rows) + 1, np.int64)
    columns: list[Indices] = []
    values: list[Floats] = []
    for number, row in enumerate(rows):
        kept = sorted((column, value) for column, value in row.items() if value > 0)
        ours = np.array([value for _, value in kept], np.float64)
        columns.append(np.array([column for column, _ in kept], np.int32))
        values.append((ours / np.sqrt(ours @ ours) if len(ours) else ours).astype(np.float32))
        starts[number + 1] = starts[number] + len(ours)
    if not columns:
        return Vectors(starts, np.zeros(0, np.int32), np.zeros(0, np.float32), width)
    return Vectors(starts, np.concatenate(columns), np.concatenate(values), width)
