"""Fixtures of the forum crawl's tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawl.forum.stored_boards import StoredBoards
from tests.empty_store import put_empty_store
from threadmill.store import open_store


@pytest.fixture
def boards(tmp_path: Path) -> Iterator[StoredBoards]:
    store = open_store(put_empty_store(tmp_path / "store.sqlite"))
    with store.writing() as connection:
        yield StoredBoards(connection)
    store.close()
