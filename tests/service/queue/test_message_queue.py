"""One suite for the seam between stages, over the queue in memory and RabbitMQ."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from uuid import uuid4

from tests.service.conftest import open_queue
from threadmill.service.queue.message_queue import MessageHandler, MessageQueue
from threadmill.service.queue.messages import DeadLetter, MessageResult, Stage, StageMessage


def message(stage: Stage = Stage.READ) -> StageMessage:
    return StageMessage(stage, uuid4(), None if stage is Stage.DECIDE else uuid4())


def with_queue(url: str, work: Callable[[MessageQueue], Awaitable[None]]) -> None:
    async def run() -> None:
        queue = open_queue(url)
        await queue.start()
        try:
            await asyncio.wait_for(work(queue), 60)
        finally:
            await queue.close()

    asyncio.run(run())


async def until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 -- the condition is the test's, nobody tells of it
        await asyncio.sleep(0.01)


def test_messages_come_to_the_handler_of_their_stage(queue_url: str) -> None:
    async def work(queue: MessageQueue) -> None:
        seen: dict[Stage, list[StageMessage]] = {stage: [] for stage in Stage}

        def handler(stage: Stage) -> MessageHandler:
            async def handle(came: StageMessage) -> MessageResult:
                seen[stage].append(came)
                return MessageResult()

            return handle

        for stage in Stage:
            await queue.consume(stage, handler(stage), 3)
        sent = [message(stage) for stage in Stage for _ in range(5)]
        await queue.publish(sent)
        await until(lambda: sum(map(len, seen.values())) == len(sent))
        assert all(came.stage is stage for stage, messages in seen.items() for came in messages)
        assert {came for messages in seen.values() for came in messages} == set(sent)
        assert await queue.waiting() == 0

    with_queue(queue_url, work)


def test_what_follows_from_a_message_is_carried_on(queue_url: str) -> None:
    async def work(queue: MessageQueue) -> None:
        decided: list[StageMessage] = []
        follow_up = message(Stage.DECIDE)

        async def read(came: StageMessage) -> MessageResult:
            return MessageResult((follow_up,))

        async def decide(came: StageMessage) -> MessageResult:
            decided.append(came)
            return MessageResult()

        await queue.consume(Stage.READ, read, 1)
        await queue.consume(Stage.DECIDE, decide, 1)
        await queue.publish([message()])
        await until(lambda: bool(decided))
        assert decided == [follow_up]

    with_queue(queue_url, work)


def test_no_more_are_worked_on_at_once_than_asked_for(queue_url: str) -> None:
    async def work(queue: MessageQueue) -> None:
        now = most = done = 0

        async def handle(came: StageMessage) -> MessageResult:
            nonlocal now, most, done
            now += 1
            most = max(most, now)
            await asyncio.sleep(0.01)
            now -= 1
            done += 1
            return MessageResult()

        await queue.consume(Stage.READ, handle, 3)
        await queue.publish([message() for _ in range(20)])
        await until(lambda: done == 20)
        assert most == 3

    with_queue(queue_url, work)


def test_a_message_given_up_ends_among_the_dead_with_its_reason(queue_url: str) -> None:
    async def work(queue: MessageQueue) -> None:
        poison = message()

        async def handle(came: StageMessage) -> MessageResult:
            return MessageResult(given_up="the page bit us")

        await queue.consume(Stage.READ, handle, 1)
        await queue.publish([poison])
        letters: list[DeadLetter] = []
        while not any(str(poison.task_id) in letter.body for letter in letters):
            letters = await queue.dead_letters()
            await asyncio.sleep(0.05)
        assert [letter.reason for letter in letters if str(poison.task_id) in letter.body] == [
            "the page bit us"
        ]
        again = await queue.dead_letters()  # looking takes nothing away
        assert len(again) == len(letters)

    with_queue(queue_url, work)
