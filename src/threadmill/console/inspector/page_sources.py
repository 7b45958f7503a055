"""Where the pages of the inspector come from: the archive, the web, or a file that somebody uploads."""

from __future__ import annotations

import base64
import re
import secrets
from collections import OrderedDict
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from threading import Lock
from urllib.parse import urljoin

from sqlalchemy import Connection

from threadmill.archive import read_at
from threadmill.config import Settings, override
from threadmill.crawl.fetch.client import Fetcher, Request
from threadmill.errors import ArchiveError, URLError
from threadmill.store.crawl.captures import CaptureRow, find_capture, latest_capture
from threadmill.types import Capture, Location
from threadmill.urls import canonicalise
from threadmill.workspace import Workspace

_MOST_PAGES = 64
_MOST_BYTES = 100_000_000  # of all pages that are held
_MAX_PICTURE = 200_000  # bytes of one picture
_MAX_PICTURES = 2_000_000  # bytes of all pictures of a page
_MAX_SHEETS = 8
_PICTURE_TYPES = frozenset(("image/png", "image/jpeg", "image/gif", "image/webp"))
CAPTURE_KEY = re.compile(r"c(\d{1,18})")


@dataclass(frozen=True, slots=True)
class InspectedPage:
    """A page to inspect."""

    key: str  # "c17" for a capture of the archive, else random
    capture: Capture
    origin: str  # for people: "archive", "fetched just now", the name of a file


class HeldPages:
    """The latest fetched and uploaded pages, in memory. The oldest are forgotten."""

    def __init__(self) -> None:
        self._pages: OrderedDict[str, InspectedPage] = OrderedDict()
        self._lock = Lock()

    def add(self, capture: Capture, origin: str) -> InspectedPage:
        """Hold a page and give it a key that nobody can guess."""
        page = InspectedPage(secrets.token_urlsafe(12), capture, origin)
        with self._lock:
            self._pages[page.key] = page
            while len(self._pages) > _MOST_PAGES or self._size() > _MOST_BYTES:
                if len(self._pages) == 1:
                    break
                self._pages.popitem(last=False)
        return page

    def get(self, key: str) -> InspectedPage | None:
        """The page with this key, if it is still held."""
        with self._lock:
            return self._pages.get(key)

    def _size(self) -> int:
        return sum(len(page.capture.payload) for page in self._pages.values())


def uploaded_capture(content: bytes, url: str) -> Capture:
    """A file that somebody uploaded, as if it had been fetched just now from `url`."""
    address = canonicalise(url) if url.strip() else ""
    return Capture(address, datetime.now(UTC), 200, (("content-type", "text/html"),), content, "upload")


async def fetch_page(settings: Settings, url: str, *, private: bool) -> Capture:
    """Fetch one page, politely. Without `private`, addresses of the own network are refused."""
    address = canonicalise(url)
    if not private:
        settings = override(settings, "fetch", private_targets=False)
    async with Fetcher(override(settings, "fetch", retries=1)) as fetcher:
        return (await fetcher.fetch(Request(address))).capture


def load_capture(workspace: Workspace, connection: Connection, number: int) -> InspectedPage | None:
    """A page of the archive by the number of its capture."""
    row = find_capture(connection, number)
    if row is None:
        return None
    if not row.file:
        raise ArchiveError("this page was not archived: the archive was switched off when it was fetched")
    return InspectedPage(f"c{number}", _read(workspace, row), "archive")


def _read(workspace: Workspace, row: CaptureRow) -> Capture:
    capture = read_at(workspace.archive, Location(row.file, row.offset, row.length, row.digest))
    return replace(capture, url=row.url, at=row.at)


class ArchivedParts:
    """The pictures and style sheets of a page, as far as they are archived. Nothing is fetched."""

    def __init__(self, workspace: Workspace, connection: Connection, base: str) -> None:
        self._workspace = workspace
        self._connection = connection
        self._base = base
        self._left = _MAX_PICTURES

    def picture(self, source: str) -> str | None:
        """A picture as a data: URI."""
        if source.startswith("data:"):
            harmless = any(source.lower().startswith(f"data:{kind}") for kind in _PICTURE_TYPES)
            return source if harmless and len(source) <= _MAX_PICTURE else None
        capture = self._find(source)
        if capture is None or capture.content_type not in _PICTURE_TYPES:
            return None
        size = len(capture.payload)
        if size > min(_MAX_PICTURE, self._left):
            return None
        self._left -= size
        return f"data:{capture.content_type};base64,{base64.b64encode(capture.payload).decode()}"

    def style_sheets(self, sources: list[str]) -> list[str]:
        """The texts of style sheets."""
        found = (self._find(source) for source in sources[:_MAX_SHEETS])
        return [capture.payload.decode("utf-8", "replace") for capture in found if capture is not None]

    def _find(self, source: str) -> Capture | None:
        try:
            url = canonicalise(urljoin(self._base, source))
        except (ValueError, URLError):
            return None
        row = latest_capture(self._connection, url)
        if row is None or not row.file or row.status != 200:
            return None
        try:
            return _read(self._workspace, row)
        except ArchiveError:
            return None
