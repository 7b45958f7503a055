"""The seam between stages: who publishes, who consumes, and the queue that lives in one process."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol

from threadmill.service.queue.messages import DeadLetter, MessageResult, Stage, StageMessage, encode

MessageHandler = Callable[[StageMessage], Awaitable[MessageResult]]
_KEPT_LETTERS = 1000  # of those given up: enough to see what is wrong


class MessageQueue(Protocol):
    """Carries messages; one is gone only when its handler has come back and what follows is carried, too."""

    async def start(self) -> None:
        """Be ready to publish."""

    async def publish(self, messages: Iterable[StageMessage]) -> None:
        """Take messages over; after this they survive whatever this kind of queue survives."""

    async def consume(self, stage: Stage, handler: MessageHandler, together: int) -> None:
        """Hand the messages of a stage to a handler, at most so many at once."""

    async def watch_the_dead(self, give_up: Callable[[StageMessage, str], Awaitable[MessageResult]]) -> None:
        """Tell of messages that the queue itself gave up because workers died at them."""

    async def waiting(self) -> int:
        """How many messages nobody has taken yet."""

    async def dead_letters(self) -> list[DeadLetter]:
        """The messages given up, oldest first."""

    async def close(self) -> None:
        """Stop handing out; what is under way is left to be done again."""


class InProcessQueue:
    """A queue in memory: what it held when the process ended, the store tells again at the next start."""

    def __init__(self) -> None:
        self._stages: dict[Stage, asyncio.Queue[StageMessage]] = {stage: asyncio.Queue() for stage in Stage}
        self._consumers: set[asyncio.Task[None]] = set()
        self._dead: deque[DeadLetter] = deque(maxlen=_KEPT_LETTERS)

    async def start(self) -> None:
        """Nothing to connect to."""

    async def publish(self, messages: Iterable[StageMessage]) -> None:
        """Put messages in line."""
        for message in messages:
            self._stages[message.stage].put_nowait(message)

    async def consume(self, stage: Stage, handler: MessageHandler, together: int) -> None:
        """Start so many consumers of a stage."""
        for _ in range(together):
            self._consumers.add(asyncio.create_task(self._work(self._stages[stage], handler)))

    async def watch_the_dead(self, give_up: Callable[[StageMessage, str], Awaitable[MessageResult]]) -> None:
        """A process that dies takes this queue with it: there is nobody to tell."""

    async def waiting(self) -> int:
        """How many messages nobody has taken yet."""
        return sum(queue.qsize() for queue in self._stages.values())

    async def dead_letters(self) -> list[DeadLetter]:
        """The last messages given up."""
        return list(self._dead)

    async def close(self) -> None:
        """Cancel the consumers."""
        for consumer in self._consumers:
            consumer.cancel()
        await asyncio.gather(*self._consumers, return_exceptions=True)

    async def _work(self, line: asyncio.Queue[StageMessage], handler: MessageHandler) -> None:
        while True:
            message = await line.get()
            done = await handler(message)
            await self.publish(done.follow_ups)
            if done.given_up:
                self._dead.append(DeadLetter(encode(message).decode(), done.given_up))
