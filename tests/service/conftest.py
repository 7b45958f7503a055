"""Fixtures of the service's tests: a broker of our own, and queues of both kinds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers.rabbitmq import HOW_TO, Broker, server_program
from threadmill.service.queue.message_queue import InProcessQueue, MessageQueue
from threadmill.service.queue.rabbitmq import RabbitMessageQueue


@pytest.fixture(scope="session")
def broker() -> Iterator[Broker]:
    """A running RabbitMQ."""
    if server_program() is None:
        pytest.skip(HOW_TO)
    with Broker() as running:
        yield running


@pytest.fixture(params=["in-process", "rabbitmq"])
def queue_url(request: pytest.FixtureRequest) -> str:
    """The URL of a queue of each kind; empty: in this process."""
    if request.param == "in-process":
        return ""
    return str(request.getfixturevalue("broker").url)


def open_queue(url: str) -> MessageQueue:
    """A queue of the kind a URL says; call it inside an event loop."""
    return RabbitMessageQueue(url) if url else InProcessQueue()
