"""Counts what a reader found: how many records, which ones were skipped, where and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

# Enough to go and look. A file of ten million requests must not fill the memory with their places.
_MAX_NAMED = 100


class RecordPlace(NamedTuple):
    """Where a record starts in a file. A tuple, because every skipped record needs one."""

    file: str
    offset: int
    inner: int = 0  # decompressed bytes between the start of a compressed member and the record

    def __str__(self) -> str:
        return f"{self.file}:{self.offset}+{self.inner}" if self.inner else f"{self.file}:{self.offset}"


@dataclass(frozen=True, slots=True)
class SkippedRecord:
    """A record that was left out, and why."""

    where: str  # file:offset, or file:offset+inner when several records share a compressed member
    reason: str


@dataclass(slots=True)
class ReadTally:
    """Counts everything that is read, and keeps the first skipped records of each reason."""

    records: int = 0
    captures: int = 0
    skipped: Counter[str] = field(default_factory=Counter)  # reason → how many
    damaged: int = 0  # how many of the skipped records are broken, not just of another kind
    _named: dict[str, list[SkippedRecord]] = field(default_factory=dict)

    def skip(self, place: RecordPlace, reason: str, *, damaged: bool = False) -> None:
        """Count a record that is left out."""
        self.skipped[reason] += 1
        self.damaged += damaged
        if self.skipped[reason] <= _MAX_NAMED:
            self._named.setdefault(reason, []).append(SkippedRecord(str(place), reason))

    @property
    def named(self) -> Iterator[SkippedRecord]:
        """Yield the first hundred skipped records of each reason."""
        for skips in self._named.values():
            yield from skips
