"""An open store of each kind."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection

from threadmill.store import open_store


@pytest.fixture
def empty(store_url: str) -> Iterator[Connection]:
    """A transaction on an empty store."""
    store = open_store(store_url)
    with store.writing() as connection:
        yield connection
    store.close()
