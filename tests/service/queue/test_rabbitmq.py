"""What only RabbitMQ does: it keeps messages of dead workers, bad messages and dead letters."""

from __future__ import annotations

import asyncio

from tests.servers.rabbitmq import Broker
from tests.service.queue.test_message_queue import message, until, with_queue
from threadmill.service.queue.message_queue import MessageQueue
from threadmill.service.queue.messages import MessageResult, Stage, StageMessage


def test_a_message_is_handed_out_again_when_its_worker_goes_before_it_is_done(broker: Broker) -> None:
    taken = message(Stage.COLLECT)

    async def first(queue: MessageQueue) -> None:
        held = asyncio.Event()

        async def never_done(came: StageMessage) -> MessageResult:
            held.set()
            await asyncio.sleep(3600)
            return MessageResult()

        await queue.consume(Stage.COLLECT, never_done, 1)
        await queue.publish([taken])
        await held.wait()

    async def second(queue: MessageQueue) -> None:
        seen: list[StageMessage] = []

        async def handle(came: StageMessage) -> MessageResult:
            seen.append(came)
            return MessageResult()

        await queue.consume(Stage.COLLECT, handle, 1)
        await until(lambda: taken in seen)

    with_queue(broker.url, first)
    with_queue(broker.url, second)


def test_what_is_no_message_ends_among_the_dead_and_holds_up_nobody(broker: Broker) -> None:
    async def work(queue: MessageQueue) -> None:
        seen: list[StageMessage] = []

        async def handle(came: StageMessage) -> MessageResult:
            seen.append(came)
            return MessageResult()

        await queue._send("threadmill.read", b'{"stage": "read", "task_id": 7}')  # type: ignore[attr-defined]
        await queue.consume(Stage.READ, handle, 1)
        good = message()
        await queue.publish([good])
        await until(lambda: good in seen)
        letters = await queue.dead_letters()
        assert any("expected a JSON object with stage" in letter.reason for letter in letters)

    with_queue(broker.url, work)


def test_a_message_whose_workers_always_die_is_given_up_with_that_reason(broker: Broker) -> None:
    poison = message(Stage.COLLECT)
    told: list[str] = []

    async def work(queue: MessageQueue) -> None:
        async def give_up(came: StageMessage, reason: str) -> MessageResult:
            told.append(reason)
            return MessageResult()

        await queue.watch_dead_letters(give_up)
        await queue.publish([poison])
        channel = await queue._connection.channel()  # type: ignore[attr-defined]
        raw = await channel.get_queue("threadmill.collect")
        for _ in range(30):  # what the broker sees of a worker that dies: the message comes back
            incoming = await raw.get(fail=False)
            if incoming is None:
                break
            await incoming.nack(requeue=True)
        await until(lambda: bool(told))

    with_queue(broker.url, work)
    assert told == ["collect failed: 20 workers died while they handled it"]
