from __future__ import annotations

import asyncio
from typing import cast
from uuid import uuid4

import pytest

from threadmill.errors import MessageError, StoreError
from threadmill.service.queue.messages import MessageResult, Stage, StageMessage
from threadmill.service.work.retries import RetryingHandler, retry_while_store_is_away
from threadmill.service.work.stages import Stages

MESSAGE = StageMessage(Stage.READ, uuid4(), uuid4())
NEXT = StageMessage(Stage.DECIDE, MESSAGE.task_id)


class Scripted:
    """Stages that fail as a script says, then work."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.calls = 0
        self.given_up: list[str] = []

    async def do(self, _message: StageMessage) -> tuple[StageMessage, ...]:
        self.calls += 1
        if self.failures:
            raise self.failures.pop(0)
        return (NEXT,)

    async def give_up(self, _message: StageMessage, reason: str) -> tuple[StageMessage, ...]:
        self.given_up.append(reason)
        return (NEXT,)


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that were asked for, none of which is made."""
    found: list[float] = []

    async def sleep(seconds: float) -> None:
        found.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    return found


def handle(stages: Scripted) -> MessageResult:
    return asyncio.run(RetryingHandler(cast(Stages, stages))(MESSAGE))


def test_work_that_succeeds_gives_its_follow_ups() -> None:
    assert handle(Scripted()) == MessageResult((NEXT,))


def test_work_that_fails_is_tried_three_times_with_growing_pauses(pauses: list[float]) -> None:
    stages = Scripted(ValueError("one"), ValueError("two"))
    assert handle(stages) == MessageResult((NEXT,))
    assert pauses == [0.25, 0.5]
    stages = Scripted(*(ValueError(str(n)) for n in range(9)))
    assert handle(stages) == MessageResult((NEXT,), "read failed: ValueError: 2")
    assert (stages.calls, stages.given_up) == (3, ["read failed: ValueError: 2"])


def test_a_bad_message_is_given_up_at_once() -> None:
    stages = Scripted(MessageError("no such site"))
    assert handle(stages).given_up == "read failed: no such site"
    assert stages.calls == 1


def test_a_store_that_is_away_uses_up_no_tries(pauses: list[float]) -> None:
    stages = Scripted(*(StoreError("away") for _ in range(8)))
    assert handle(stages) == MessageResult((NEXT,))
    assert stages.calls == 9
    assert pauses == [0.25, 0.5, 1.0, 2.0, 4.0, 5.0, 5.0, 5.0]


def test_only_errors_of_the_store_are_waited_for() -> None:
    async def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        asyncio.run(retry_while_store_is_away(fail))
