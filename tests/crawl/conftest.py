"""Fixtures of the fetcher's tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.crawl.fakes import FakeClock
from tests.servers.misbehaving import MisbehavingServer


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def server() -> Iterator[MisbehavingServer]:
    with MisbehavingServer() as running:
        yield running
