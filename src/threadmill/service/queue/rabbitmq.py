"""The message queue between machines: RabbitMQ through FastStream.

A message is acknowledged after its work is stored. RabbitMQ sends it again when a worker dies before that.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from threadmill.errors import MessageError, MissingDependencyError, QueueError
from threadmill.service.queue.message_queue import MessageHandler
from threadmill.service.queue.messages import DeadLetter, MessageResult, Stage, StageMessage, decode, encode

if TYPE_CHECKING:
    from faststream.rabbit import RabbitQueue

_NAME = "threadmill"
_DEAD = f"{_NAME}.dead"  # dead letters, kept for people to read
_TOLD = f"{_NAME}.dead.told"  # a copy of each dead letter, for the controller
_REASON = "reason"  # the header with the reason why a message was given up
# A message whose workers died this often causes their death. It is RabbitMQ 4's default for quorum queues.
_MOST_DELIVERIES = 20
_PUBLISHED_AT_ONCE = 200
_RETRY_SECONDS = 1.0  # between two attempts to reach the broker
_SHUTDOWN_SECONDS = 0.5  # for unfinished messages; another worker handles the rest
_CONFIRM_SECONDS = 15.0  # for the broker to confirm a message
_ANSWER_SECONDS = 60.0  # for the broker to answer a question; while it is away there is no answer at all
_WATCHED_AT_ONCE = 10  # dead letters
_log = logging.getLogger("threadmill.service")


class RabbitMessageQueue:
    """A message queue in RabbitMQ, given by the URL of the broker."""

    def __init__(self, url: str) -> None:
        try:
            from faststream.rabbit import Channel, RabbitBroker
        except ImportError:
            raise MissingDependencyError("faststream", "queue", "A queue in RabbitMQ") from None
        self._channel = Channel
        self._broker = RabbitBroker(
            url,
            logger=None,
            apply_types=False,
            reconnect_interval=_RETRY_SECONDS,
            graceful_timeout=_SHUTDOWN_SECONDS,
            default_channel=Channel(on_return_raises=True),
        )

    async def start(self) -> None:
        """Wait until the broker answers, connect, and declare the queues."""
        while True:
            try:
                await self._broker.start()
                await self._declare()
                return
            except (OSError, TimeoutError, RuntimeError) as error:
                _log.warning("cannot reach the broker yet (%s); trying again", error)
                await asyncio.sleep(_RETRY_SECONDS)
            except Exception as error:
                if not _is_broker_error(error):
                    raise
                raise QueueError(
                    f"the broker refuses the connection: {error}; check service.broker"
                ) from error

    async def publish(self, messages: Iterable[StageMessage]) -> None:
        """Send messages. The broker confirms each one when it is on disk."""
        unsent = list(messages)
        for start in range(0, len(unsent), _PUBLISHED_AT_ONCE):
            batch = unsent[start : start + _PUBLISHED_AT_ONCE]
            await asyncio.gather(*(self._send(_queue_name(m.stage), encode(m)) for m in batch))

    async def consume(self, stage: Stage, handler: MessageHandler, together: int) -> None:
        """Pass the messages of a stage to a handler, at most `together` at the same time."""
        limit = asyncio.Semaphore(together)  # old and new messages overlap after a reconnect

        async def handle(incoming: Any) -> None:
            async with limit:
                await self._handle(incoming, handler)

        await self._subscribe(_stage_queue(stage), handle, together)

    async def watch_dead_letters(
        self, give_up: Callable[[StageMessage, str], Awaitable[MessageResult]]
    ) -> None:
        """Call `give_up` for each message that was delivered too often because its workers died."""

        async def handle(incoming: Any) -> None:
            try:
                message = decode(incoming.body)
            except MessageError:  # nothing waits for a message that cannot be read
                await _acknowledge(incoming)
                return
            result = await give_up(
                message, f"{message.stage} failed: {_dead_letter_reason(incoming.headers)}"
            )
            await self.publish(result.follow_ups)
            await _acknowledge(incoming)

        await self._subscribe(_plain_queue(_TOLD), handle, _WATCHED_AT_ONCE)

    async def waiting(self) -> int:
        """Return the number of messages of all stages that no worker has taken yet."""
        async with _explained_errors(), self._connection.channel() as channel:
            found = [await channel.get_queue(_queue_name(stage)) for stage in Stage]
        return sum(queue.declaration_result.message_count or 0 for queue in found)

    async def dead_letters(self) -> list[DeadLetter]:
        """Return the messages that were given up. They stay in their queue."""
        letters = []
        # closing the channel returns unacknowledged messages
        async with _explained_errors(), self._connection.channel() as channel:
            queue = await channel.get_queue(_DEAD)
            while (incoming := await queue.get(fail=False, timeout=_CONFIRM_SECONDS)) is not None:
                body = incoming.body.decode("utf-8", "replace")
                letters.append(DeadLetter(body, _dead_letter_reason(incoming.headers)))
        return letters

    async def close(self) -> None:
        """Disconnect. The broker gives unacknowledged messages to another worker."""
        await self._broker.stop()

    async def _handle(self, incoming: Any, handler: MessageHandler) -> None:
        try:
            result = await handler(decode(incoming.body))
        except MessageError as error:
            result = MessageResult(given_up=str(error))
        await self.publish(result.follow_ups)
        if result.given_up:
            await self._send(_DEAD, incoming.body, {_REASON: result.given_up[:500]})
        await _acknowledge(incoming)

    async def _send(self, queue: str, body: bytes, headers: dict[str, Any] | None = None) -> None:
        """Publish a message; repeat until the broker confirms it."""
        while True:
            try:
                await self._broker.publish(
                    body,
                    queue=queue,
                    persist=True,
                    mandatory=True,
                    headers=headers,
                    content_type="application/json",
                    timeout=_CONFIRM_SECONDS,
                )
                return
            except Exception as error:
                if not _is_broker_error(error):
                    raise
                _log.warning("the broker did not accept a message (%s); trying again", error or type(error))
                await asyncio.sleep(_RETRY_SECONDS)

    async def _subscribe(
        self, queue: RabbitQueue, handle: Callable[[Any], Awaitable[None]], together: int
    ) -> None:
        from faststream import AckPolicy

        async def keep_raw(incoming: Any) -> Any:
            return incoming

        subscriber = self._broker.subscriber(
            queue,
            channel=self._channel(prefetch_count=together),
            ack_policy=AckPolicy.MANUAL,
            decoder=keep_raw,
            no_reply=True,
        )
        subscriber(handle)
        await subscriber.start()

    async def _declare(self) -> None:
        """Declare all queues on a channel that stays open: aio-pika repeats this when it reconnects."""
        from aio_pika import ExchangeType

        self._connection = await self._broker.connect()
        self._declaring = await self._connection.channel()
        exchange = await self._declaring.declare_exchange(_DEAD, ExchangeType.FANOUT, durable=True)
        for name in (_DEAD, _TOLD):
            queue = await self._declaring.declare_queue(name, durable=True)
            await queue.bind(exchange, routing_key="")
        for stage in Stage:
            declared = _stage_queue(stage)
            await self._declaring.declare_queue(declared.name, durable=True, arguments=declared.arguments)


def _queue_name(stage: Stage) -> str:
    return f"{_NAME}.{stage}"


def _stage_queue(stage: Stage) -> RabbitQueue:
    from faststream.rabbit import QueueType, RabbitQueue

    return RabbitQueue(
        _queue_name(stage),
        queue_type=QueueType.QUORUM,
        durable=True,
        arguments={"x-delivery-limit": _MOST_DELIVERIES, "x-dead-letter-exchange": _DEAD},
    )


def _plain_queue(name: str) -> RabbitQueue:
    from faststream.rabbit import RabbitQueue

    return RabbitQueue(name, durable=True)


def _dead_letter_reason(headers: Mapping[str, Any]) -> str:
    reason = headers.get(_REASON) or headers.get("x-first-death-reason") or "unknown"
    if reason == "delivery_limit":
        return f"{_MOST_DELIVERIES} workers died while they handled it"
    return str(reason)


@asynccontextmanager
async def _explained_errors() -> AsyncIterator[None]:
    """Raise QueueError if the broker is away, or does not answer in time."""
    try:
        async with asyncio.timeout(_ANSWER_SECONDS):
            yield
    except Exception as error:
        if not _is_broker_error(error):
            raise
        raise QueueError(f"the broker is away ({error or type(error).__name__})") from error


async def _acknowledge(incoming: Any) -> None:
    """Tell the broker that a message is done.

    When the connection is lost, the broker sends the message again. Its stage then finds the work stored.
    """
    try:
        await incoming.ack()
    except Exception as error:
        if not _is_broker_error(error):
            raise
        _log.info("could not acknowledge a message (%s): it will come again", error or type(error))


def _is_broker_error(error: Exception) -> bool:
    """Whether an error comes from the connection to the broker. aio-pika has many names for a lost one."""
    from aio_pika.exceptions import AMQPError

    # RuntimeError: aiormq raises "Channel closed", "Writer is closed" and others while it reconnects.
    return isinstance(error, (AMQPError, OSError, TimeoutError, RuntimeError))
