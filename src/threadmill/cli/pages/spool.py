"""Pages kept in a temporary file and read back one at a time: a site is larger than memory."""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Sequence
from typing import BinaryIO


class Spool(Sequence[bytes]):
    """Pages in the order they were given; who fills it says which stay."""

    def __init__(self) -> None:
        self._file: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115 -- lives as long as the sequence
        weakref.finalize(self, self._file.close)
        self._places: list[tuple[int, int]] = []  # of the pages that stay: where each begins, how long it is

    def _write(self, page: bytes) -> tuple[int, int]:
        """Put a page at the end of the file; gives its place."""
        place = (self._file.seek(0, 2), len(page))
        self._file.write(page)
        return place

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, index: int) -> bytes:  # type: ignore[override]
        start, length = self._places[index]
        self._file.seek(start)
        return self._file.read(length)
