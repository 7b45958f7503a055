"""Loads the pages of sets and reads them in several ways."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Lock
from typing import Any

from sqlalchemy import Connection

from threadmill.console.compare.readings import BUILT_IN, PageReading, load_plug_ins, read_page
from threadmill.console.context import ConsoleContext
from threadmill.console.inspector.page_sources import CAPTURE_KEY, load_capture, uploaded_capture
from threadmill.errors import ArchiveError
from threadmill.store.templates import load_template
from threadmill.store.votes import VoteSet
from threadmill.template import unpack_template
from threadmill.types import Capture
from threadmill.urls import site_of

_MOST_KEPT = 64  # pages whose readings are kept
_FOLDER = "votes"  # in the workspace: uploaded pages


class SetPages:
    """Loads the pages of sets and reads them. The latest readings are kept."""

    def __init__(self, context: ConsoleContext) -> None:
        self._context = context
        self.plug_ins = load_plug_ins(context.workspace.settings.console.readings)
        self._kept: OrderedDict[tuple[int, int], tuple[Capture, list[PageReading]]] = OrderedDict()
        self._lock = Lock()
        self._threads = ThreadPoolExecutor(2, "readings")

    @property
    def names(self) -> list[str]:
        """All readings that can be compared."""
        return [*BUILT_IN, *self.plug_ins]

    def load(self, connection: Connection, key: str) -> Capture:
        """A page of a set."""
        number = CAPTURE_KEY.fullmatch(key)
        if number is None:
            file = self._context.workspace.root / _FOLDER / f"{key}.html"
            return replace(uploaded_capture(file.read_bytes(), ""), url=f"file:{key[:12]}.html")
        found = load_capture(self._context.workspace, connection, int(number[1]))
        if found is None:
            raise ArchiveError("a page of this set is not in the archive any more")
        return found.capture

    async def readings(self, found: VoteSet, page: int) -> tuple[Capture, list[PageReading]]:
        """A page of a set and its readings."""
        with self._lock:
            known = self._kept.get((found.id, page))
        if known is not None:
            return known

        def load(connection: Connection) -> tuple[Capture, Any]:
            capture = self.load(connection, found.pages[page])
            is_web = capture.url.startswith("http")
            return capture, load_template(connection, site_of(capture.url)) if is_web else None

        capture, row = await self._context.access.read(load)
        template = unpack_template(row.data) if row is not None else None
        loop = asyncio.get_running_loop()
        read = await loop.run_in_executor(
            self._threads, read_page, capture, found.readings, template, self.plug_ins
        )
        with self._lock:
            self._kept[found.id, page] = capture, read
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return capture, read

    def keep_upload(self, content: bytes) -> str:
        """Keep an uploaded page in the workspace. Return its name in a set."""
        folder = self._context.workspace.root / _FOLDER
        folder.mkdir(exist_ok=True)
        key = hashlib.sha256(content).hexdigest()
        (folder / f"{key}.html").write_bytes(content)
        return key
