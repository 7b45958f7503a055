"""How often a work is tried: for ever while a server is away, a few times when the work itself fails."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from threadmill.errors import MessageError, StoreError
from threadmill.service.queue.messages import MessageResult, StageMessage
from threadmill.service.work.stages import Stages

_TRIES = 3
_FIRST_PAUSE = 0.25  # seconds; doubles up to the longest: a database restarts in one to ten seconds
_LONGEST_PAUSE = 5.0
_log = logging.getLogger("threadmill.service")
Result = TypeVar("Result")


class RetryingHandler:
    """Handles messages so that each ends: done, or given up with a reason that the store knows, too."""

    def __init__(self, stages: Stages) -> None:
        self._stages = stages

    async def __call__(self, message: StageMessage) -> MessageResult:
        """Work on a message; only a shutdown makes this raise."""
        failure = ""
        for attempt in range(_TRIES):
            try:
                return MessageResult(await retry_while_store_is_away(lambda: self._stages.do(message)))
            except MessageError as error:  # trying again changes nothing
                failure = str(error)
                break
            except Exception as error:  # whatever a page can do to us: it costs this site, not the task
                failure = f"{type(error).__name__}: {error}"
                _log.warning("%s of %s failed: %s", message.stage, message.site_id, failure)
                await asyncio.sleep(_FIRST_PAUSE * 2**attempt)
        return await self.give_up(message, f"{message.stage} failed: {failure}")

    async def give_up(self, message: StageMessage, reason: str) -> MessageResult:
        """Write down that a message cannot be done."""
        _log.error("gave up %s of task %s: %s", message.stage, message.task_id, reason)
        return MessageResult(
            await retry_while_store_is_away(lambda: self._stages.give_up(message, reason)), reason
        )


async def retry_while_store_is_away(work: Callable[[], Awaitable[Result]]) -> Result:
    """Do a work again until the store answers: a message is not to blame for a database that restarts."""
    pause = _FIRST_PAUSE
    while True:
        try:
            return await work()
        except StoreError as error:
            _log.warning("%s; trying again in %.1f s", error, pause)
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
