from datetime import UTC, datetime

import pytest

from threadmill.console.inspector.page_sources import ArchivedParts, HeldPages, fetch_page, uploaded_capture
from threadmill.errors import AddressForbiddenError, URLError
from threadmill.store import open_store
from threadmill.types import Capture
from threadmill.workspace import Workspace


def page(size: int = 10) -> Capture:
    return Capture("https://a.example/", datetime.now(UTC), 200, (), b"x" * size)


def test_the_oldest_pages_are_forgotten_when_there_are_many_or_they_are_large() -> None:
    held = HeldPages()
    first = held.add(page(), "one")
    assert held.get(first.key) is first
    for _ in range(64):
        held.add(page(), "more")
    assert held.get(first.key) is None
    large = [held.add(page(40_000_000), "large") for _ in range(3)]
    assert held.get(large[0].key) is None
    assert held.get(large[2].key) is large[2]


def test_an_uploaded_page_may_have_no_url_but_not_a_wrong_one() -> None:
    assert uploaded_capture(b"x", "").url == ""
    with pytest.raises(URLError):
        uploaded_capture(b"x", "javascript:alert(1)")


async def _fetch(workspace: Workspace) -> Capture:
    return await fetch_page(workspace.settings, "http://127.0.0.1:9/", private=False)


def test_a_console_for_others_does_not_fetch_from_its_own_network(crawled: Workspace) -> None:
    import asyncio

    with pytest.raises(AddressForbiddenError):
        asyncio.run(_fetch(crawled))


def test_pictures_come_from_the_archive_or_from_the_page_only(crawled: Workspace) -> None:
    store = open_store(crawled.store_url)
    with store.reading() as connection:
        parts = ArchivedParts(crawled, connection, "https://a.example/")
        assert parts.picture("https://a.example/x.png") is None
        assert parts.picture("data:image/png;base64,AAAA") == "data:image/png;base64,AAAA"
        assert parts.picture("data:image/svg+xml,<svg/>") is None
        assert parts.picture("http://[broken") is None
        assert parts.style_sheets(["x.css", "http://[broken"]) == []
    store.close()
