"""The interface of a message queue, and the queue in memory that one process uses."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol

from threadmill.service.queue.messages import DeadLetter, MessageResult, Stage, StageMessage, encode

MessageHandler = Callable[[StageMessage], Awaitable[MessageResult]]
_KEPT_LETTERS = 1000  # dead letters kept in memory: enough to see what goes wrong


class MessageQueue(Protocol):
    """Carries messages between stages.

    A message is removed only after its handler has returned and the follow-up messages are published.
    """

    async def start(self) -> None:
        """Connect. Messages can be published afterwards."""

    async def publish(self, messages: Iterable[StageMessage]) -> None:
        """Take over messages. After this call the queue is responsible for them."""

    async def consume(self, stage: Stage, handler: MessageHandler, together: int) -> None:
        """Pass the messages of a stage to a handler, at most `together` at the same time."""

    async def watch_dead_letters(
        self, give_up: Callable[[StageMessage, str], Awaitable[MessageResult]]
    ) -> None:
        """Call `give_up` for messages that the queue itself gave up because their workers died."""

    async def waiting(self) -> int:
        """Return the number of messages that no handler has taken yet. QueueError: the broker is away."""

    async def dead_letters(self) -> list[DeadLetter]:
        """Return the messages that were given up, oldest first. QueueError: the broker is away."""

    async def close(self) -> None:
        """Stop passing on messages. Unfinished ones are handled again after the next start."""


class InProcessQueue:
    """A queue in memory. When its process ends, the next one sends the lost messages again from the store."""

    def __init__(self) -> None:
        self._stages: dict[Stage, asyncio.Queue[StageMessage]] = {stage: asyncio.Queue() for stage in Stage}
        self._consumers: set[asyncio.Task[None]] = set()
        self._dead: deque[DeadLetter] = deque(maxlen=_KEPT_LETTERS)

    async def start(self) -> None:
        """Do nothing: there is nothing to connect to."""

    async def publish(self, messages: Iterable[StageMessage]) -> None:
        """Append messages to the queues of their stages."""
        for message in messages:
            self._stages[message.stage].put_nowait(message)

    async def consume(self, stage: Stage, handler: MessageHandler, together: int) -> None:
        """Start `together` consumers of a stage."""
        for _ in range(together):
            self._consumers.add(asyncio.create_task(self._work(self._stages[stage], handler)))

    async def watch_dead_letters(
        self, give_up: Callable[[StageMessage, str], Awaitable[MessageResult]]
    ) -> None:
        """Do nothing: when a worker dies here, the whole queue dies with it."""

    async def waiting(self) -> int:
        """Return the number of messages that no handler has taken yet."""
        return sum(queue.qsize() for queue in self._stages.values())

    async def dead_letters(self) -> list[DeadLetter]:
        """Return the latest messages that were given up, oldest first."""
        return list(self._dead)

    async def close(self) -> None:
        """Cancel the consumers."""
        for consumer in self._consumers:
            consumer.cancel()
        await asyncio.gather(*self._consumers, return_exceptions=True)

    async def _work(self, messages: asyncio.Queue[StageMessage], handler: MessageHandler) -> None:
        while True:
            message = await messages.get()
            result = await handler(message)
            await self.publish(result.follow_ups)
            if result.given_up:
                self._dead.append(DeadLetter(encode(message).decode(), result.given_up))
