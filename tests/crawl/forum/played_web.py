"""A web that the test plays: it answers requests without a network."""

import asyncio
from datetime import UTC, datetime
from typing import Any

from threadmill.crawl.fetch.client import FetchResult, Request
from threadmill.types import Capture, Exchange

NOW = datetime(2026, 5, 1, tzinfo=UTC)
_HTML = (("content-type", "text/html"),)


class PlayedWeb:
    """Answers requests: with bytes, with a status, with an answer of another URL, or with an error."""

    def __init__(self, pages: dict[str, Any]) -> None:
        self.pages = pages
        self.requests: list[str] = []

    async def fetch(self, request: Request) -> FetchResult:
        self.requests.append(request.url)
        found = self.pages.get(request.url, b"<p>nothing here")
        if isinstance(found, Exception):
            raise found
        if isinstance(found, float):
            await asyncio.sleep(found)
            found = b"late"
        url, status, body = found if isinstance(found, tuple) else (request.url, 200, found)
        exchange = Exchange(url, NOW, b"", status, "", _HTML, body)
        return FetchResult(request, (exchange,), Capture(url, NOW, status, _HTML, body, "http"), False)
