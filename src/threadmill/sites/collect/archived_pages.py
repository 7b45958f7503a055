"""What was archived earlier, found again by URL: a comparison can be repeated without asking any server."""

from __future__ import annotations

from pathlib import Path

from threadmill.archive.read_tally import ReadTally
from threadmill.archive.warc_reader import read_at, read_records, warc_files
from threadmill.types import Capture, Location
from threadmill.urls import resolve

_MOST_HOPS = 10  # of redirects, as many as browsers and the fetcher's default follow
_STATUS = slice(9, 12)  # of "HTTP/1.1 200 OK"


class Archived:
    """The answers of an archive directory by URL, the latest good one of each; made once, asked often."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._files: list[str] = []
        # A number of a file and a place in it: a hundred thousand sites are a million of these.
        self._places: dict[str, tuple[int, int, int, bool]] = {}
        self._read: dict[str, int] = {}
        self.refresh()

    def __len__(self) -> int:
        return len(self._places)

    def refresh(self) -> None:
        """Take in the files that came or grew since the last look."""
        if not self._directory.is_dir():
            return
        for file in warc_files(self._directory):
            size = file.stat().st_size
            if self._read.get(str(file)) != size:
                self._index(file)
                self._read[str(file)] = size

    def find(self, url: str) -> Capture | None:
        """What was answered to a URL, redirects followed as far as their targets are here."""
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
            # Records that share a compressed member (other programs' archives) have no place of their own.
            if record.kind != "response" or record.place.inner:
                continue
            url = resolve(record.header(b"WARC-Target-URI").strip("<>"))
            status = bytes(record.block[_STATUS])
            good = status < b"400"
            known = self._places.get(url) if url else None
            if url and (known is None or good or not known[3]):
                self._places[url] = (number, record.place.offset, record.length, good)
