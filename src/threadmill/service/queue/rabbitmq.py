"""The queue between machines: RabbitMQ through FastStream, acknowledged after the work is stored."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from threadmill.errors import MessageError, MissingDependencyError, QueueError
from threadmill.service.queue.message_queue import MessageHandler
from threadmill.service.queue.messages import DeadLetter, MessageResult, Stage, StageMessage, decode, encode

if TYPE_CHECKING:
    from faststream.rabbit import RabbitQueue

_NAME = "threadmill"
_DEAD = f"{_NAME}.dead"  # kept for people to look at
_TOLD = f"{_NAME}.dead.told"  # a copy that the controller hears of
_REASON = "reason"  # the header that says why a message was given up
# A message whose worker died this often is the cause: RabbitMQ 4's own default for quorum queues.
_MOST_DELIVERIES = 20
_PUBLISHED_AT_ONCE = 200
_PAUSE = 1.0  # seconds between two tries to reach a broker that is away
_LEAVE_SECONDS = 0.5  # for what is under way when we leave: the rest is done again elsewhere
_ANSWER_SECONDS = 15.0  # for the broker to confirm a message
_log = logging.getLogger("threadmill.service")


class RabbitMessageQueue:
    """One connection to a broker, by URL."""

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
            reconnect_interval=_PAUSE,
            graceful_timeout=_LEAVE_SECONDS,
            default_channel=Channel(on_return_raises=True),
        )
        self._url = url

    async def start(self) -> None:
        """Connect, however long the broker takes to come up, and declare the queues."""
        while True:
            try:
                await self._broker.start()
                await self._declare()
                return
            except (OSError, TimeoutError) as error:
                _log.warning("cannot reach the broker yet (%s); trying again", error)
                await asyncio.sleep(_PAUSE)
            except Exception as error:
                if not _is_of_the_broker(error):
                    raise
                raise QueueError(f"the broker refuses us: {error}; check service.broker") from error

    async def publish(self, messages: Iterable[StageMessage]) -> None:
        """Hand messages over, each confirmed by the broker as written to disk."""
        waiting = list(messages)
        for start in range(0, len(waiting), _PUBLISHED_AT_ONCE):
            part = waiting[start : start + _PUBLISHED_AT_ONCE]
            await asyncio.gather(*(self._send(_queue_name(m.stage), encode(m)) for m in part))

    async def consume(self, stage: Stage, handler: MessageHandler, together: int) -> None:
        """Hand out the messages of a stage; the broker gives no more than `together` before answers come."""
        gate = asyncio.Semaphore(together)  # after a reconnect, old and new messages overlap

        async def handle(incoming: Any) -> None:
            async with gate:
                await self._handle(incoming, handler)

        await self._subscribe(_stage_queue(stage), handle, together)

    async def watch_the_dead(self, give_up: Callable[[StageMessage, str], Awaitable[MessageResult]]) -> None:
        """Tell of messages that were delivered too often: their workers died at them."""

        async def handle(incoming: Any) -> None:
            try:
                message = decode(incoming.body)
            except MessageError:  # nobody waits for what it stood for
                await _acknowledge(incoming)
                return
            done = await give_up(message, f"{message.stage} failed: {_why(incoming.headers)}")
            await self.publish(done.follow_ups)
            await _acknowledge(incoming)

        await self._subscribe(_plain_queue(_TOLD), handle, 10)

    async def waiting(self) -> int:
        """How many messages of all stages nobody has taken yet."""
        async with self._connection.channel() as channel:
            found = [await channel.get_queue(_queue_name(stage)) for stage in Stage]
        return sum(queue.declaration_result.message_count or 0 for queue in found)

    async def dead_letters(self) -> list[DeadLetter]:
        """The messages given up; they stay where they are."""
        letters = []
        async with self._connection.channel() as channel:  # what is not acknowledged goes back at its end
            queue = await channel.get_queue(_DEAD)
            while (incoming := await queue.get(fail=False, timeout=_ANSWER_SECONDS)) is not None:
                letters.append(DeadLetter(incoming.body.decode("utf-8", "replace"), _why(incoming.headers)))
        return letters

    async def close(self) -> None:
        """Leave; what was not acknowledged goes to another worker."""
        await self._broker.stop()

    async def _handle(self, incoming: Any, handler: MessageHandler) -> None:
        try:
            done = await handler(decode(incoming.body))
        except MessageError as error:
            done = MessageResult(given_up=str(error))
        await self.publish(done.follow_ups)
        if done.given_up:
            await self._send(_DEAD, incoming.body, {_REASON: done.given_up[:500]})
        await _acknowledge(incoming)

    async def _send(self, queue: str, body: bytes, headers: dict[str, Any] | None = None) -> None:
        """Publish until the broker confirms it."""
        while True:
            try:
                await self._broker.publish(
                    body,
                    queue=queue,
                    persist=True,
                    mandatory=True,
                    headers=headers,
                    content_type="application/json",
                    timeout=_ANSWER_SECONDS,
                )
                return
            except Exception as error:
                if not _is_of_the_broker(error):
                    raise
                _log.warning("the broker did not take a message (%s); trying again", error or type(error))
                await asyncio.sleep(_PAUSE)

    async def _subscribe(
        self, queue: RabbitQueue, handle: Callable[[Any], Awaitable[None]], together: int
    ) -> None:
        from faststream import AckPolicy

        async def as_it_is(incoming: Any) -> Any:
            return incoming

        subscriber = self._broker.subscriber(
            queue,
            channel=self._channel(prefetch_count=together),
            ack_policy=AckPolicy.MANUAL,
            decoder=as_it_is,
            no_reply=True,
        )
        subscriber(handle)
        await subscriber.start()

    async def _declare(self) -> None:
        """Declare everything on a channel of its own, which declares it again when the broker comes back."""
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


def _why(headers: Mapping[str, Any]) -> str:
    said = headers.get(_REASON) or headers.get("x-first-death-reason") or "unknown"
    if said == "delivery_limit":
        return f"{_MOST_DELIVERIES} workers died while they were at it"
    return str(said)


async def _acknowledge(incoming: Any) -> None:
    """Say that a message is done; when its connection is gone, the broker will send it again, and it is seen
    to be done already."""
    try:
        await incoming.ack()
    except Exception as error:
        if not _is_of_the_broker(error):
            raise
        _log.info("could not acknowledge a message (%s): it will come again", error or type(error))


def _is_of_the_broker(error: Exception) -> bool:
    """Is it about the connection, not about us? A lost one has many names in aio-pika."""
    from aio_pika.exceptions import AMQPError

    # RuntimeError: "Channel closed", "Writer is closed" and the like, raised by aiormq in mid-reconnect.
    return isinstance(error, (AMQPError, OSError, TimeoutError, RuntimeError))
