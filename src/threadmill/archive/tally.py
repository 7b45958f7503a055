"""What a reading came upon: how many records, which were skipped, where and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

# Enough to go and look; a file of ten million requests must not fill the memory with their names.
_NAMED = 100


class Place(NamedTuple):
    """Where a record starts in a file; a tuple, because one is made for every record that is passed by."""

    file: str
    offset: int
    inner: int = 0  # decompressed bytes between the start of a compressed member and the record

    def __str__(self) -> str:
        return f"{self.file}:{self.offset}+{self.inner}" if self.inner else f"{self.file}:{self.offset}"


@dataclass(frozen=True, slots=True)
class Skip:
    """A record that was left out."""

    where: str  # file:offset, or file:offset+inner when several records share a compressed member
    reason: str


@dataclass(slots=True)
class Tally:
    """Counts of everything, and names of the first of each kind; grows while a reading goes on."""

    records: int = 0
    captures: int = 0
    skipped: Counter[str] = field(default_factory=Counter)  # reason → how many
    damaged: int = 0  # of the skipped: those that are broken, not merely of another kind
    _named: dict[str, list[Skip]] = field(default_factory=dict)

    def skip(self, place: Place, reason: str, *, damaged: bool = False) -> None:
        """Count a record that is left out."""
        self.skipped[reason] += 1
        self.damaged += damaged
        if self.skipped[reason] <= _NAMED:
            self._named.setdefault(reason, []).append(Skip(str(place), reason))

    @property
    def named(self) -> Iterator[Skip]:
        """The first hundred skips of each reason."""
        for skips in self._named.values():
            yield from skips
