"""Finds archived answers by URL, so that a comparison can be repeated without asking any server."""

from __future__ import annotations

from pathlib import Path

from threadmill.archive.read_tally import ReadTally
from threadmill.archive.remote_files import file_size
from threadmill.archive.warc_reader import read_at, read_records, warc_files
from threadmill.types import Capture, Location
from threadmill.urls import resolve

_MOST_HOPS = 10  # redirects that are followed; browsers and the fetcher follow as many
_STATUS = slice(9, 12)  # where the status code stands in "HTTP/1.1 200 OK"


class ArchivedPages:
    """The answers of an archive directory by URL. Of several answers the latest good one counts."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._files: list[str] = []
        # URL → number of the file, offset, length, whether the status is good. Tuples of numbers, because a
        # hundred thousand sites have a million of them.
        self._places: dict[str, tuple[int, int, int, bool]] = {}
        self._indexed_sizes: dict[str, int] = {}
        self.refresh()

    def __len__(self) -> int:
        return len(self._places)

    def refresh(self) -> None:
        """Index the files that are new or have grown since the last call."""
        if not self._directory.is_dir():
            return
        for file in warc_files(self._directory):
            size = file_size(file)
            if self._indexed_sizes.get(str(file)) != size:
                self._index(file)
                self._indexed_sizes[str(file)] = size

    def find(self, url: str) -> Capture | None:
        """The archived answer to a URL. Redirects are followed as long as their targets are archived too."""
        seen: set[str] = set()
        while url not in seen and len(seen) < _MOST_HOPS:
            seen.add(url)
            capture = self._get(url)
            if capture is None or not 300 <= capture.status < 400:
                return capture
            url = resolve(capture.header("location") or "", capture.url) or ""
        return None

    def _get(self, url: str) -> Capture | None:
        place = self._places.get(resolve(url) or "")
        if place is None:
            return None
        number, offset, length, _ = place
        return read_at(self._directory, Location(self._files[number], offset, length, ""))

    def _index(self, file: Path) -> None:
        name = str(file.relative_to(self._directory))
        if name not in self._files:
            self._files.append(name)
        number = self._files.index(name)
        for record in read_records(file, ReadTally()):
            # Records that share one compressed member cannot be read alone. Archives of other programs have
            # such records.
            if record.kind != "response" or record.place.inner:
                continue
            url = resolve(record.header(b"WARC-Target-URI").strip("<>"))
            status = bytes(record.block[_STATUS])
            good = status < b"400"
            known = self._places.get(url) if url else None
            if url and (known is None or good or not known[3]):
                self._places[url] = (number, record.place.offset, record.length, good)
