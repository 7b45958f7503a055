"""Retries: work waits for a store that is away, and is given up after some failures of its own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from threadmill.errors import MessageError, StoreError
from threadmill.service.queue.messages import MessageResult, StageMessage
from threadmill.service.work.stages import Stages

_TRIES = 3
_FIRST_PAUSE = 0.25  # seconds; doubles after each try: a database restarts in one to ten seconds
_LONGEST_PAUSE = 5.0
_log = logging.getLogger("threadmill.service")
Result = TypeVar("Result")


class RetryingHandler:
    """Handles messages with retries. Each message ends as done, or as given up with a reason in the store."""

    def __init__(self, stages: Stages) -> None:
        self._stages = stages

    async def __call__(self, message: StageMessage) -> MessageResult:
        """Handle a message. Only a shutdown makes this raise."""
        failure = ""
        for attempt in range(_TRIES):
            try:
                follow_ups = await retry_while_store_is_away(lambda: self._stages.do(message))
                return MessageResult(follow_ups)
            except MessageError as error:  # another try would fail the same way
                failure = str(error)
                break
            except (
                Exception
            ) as error:  # a page of the web can cause any error; it costs this site, not the task
                failure = f"{type(error).__name__}: {error}"
                _log.warning("%s of %s failed: %s", message.stage, message.site_id, failure)
                await asyncio.sleep(_FIRST_PAUSE * 2**attempt)
        return await self.give_up(message, f"{message.stage} failed: {failure}")

    async def give_up(self, message: StageMessage, reason: str) -> MessageResult:
        """Write to the store that a message cannot be handled."""
        _log.error("gave up %s of task %s: %s", message.stage, message.task_id, reason)
        follow_ups = await retry_while_store_is_away(lambda: self._stages.give_up(message, reason))
        return MessageResult(follow_ups, reason)


async def retry_while_store_is_away(work: Callable[[], Awaitable[Result]]) -> Result:
    """Repeat work until the store answers. A database restart is not a failure of the message."""
    pause = _FIRST_PAUSE
    while True:
        try:
            return await work()
        except StoreError as error:
            _log.warning("%s; trying again in %.1f s", error, pause)
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
