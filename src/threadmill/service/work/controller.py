"""The pipeline controller: hands the work of every task to the queue, and again when it got lost."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from uuid import UUID

from threadmill.service.queue.message_queue import MessageQueue
from threadmill.service.queue.messages import Stage, StageMessage
from threadmill.service.work.retries import retry_while_store_is_away
from threadmill.store import Store
from threadmill.store.sites.task_sites import last_step, sites_of
from threadmill.store.sites.tasks import TaskRow, note_queued, tasks_in_progress

_LOOK_EVERY = 2.0  # seconds; a task posted to this very process is seen at once
_CHECK_EVERY = 60.0
# Without a step for so long and with empty queues, a task's messages are lost: a broker that lost its disk.
_STALLED = timedelta(minutes=10)
_log = logging.getLogger("threadmill.service")


class TaskController:
    """One for each `threadmill serve`; two at once only send some messages twice, which does no harm."""

    def __init__(self, store: Store, queue: MessageQueue, *, queue_remembers: bool) -> None:
        self._store = store
        self._queue = queue
        self._remembers = queue_remembers
        self._posted = asyncio.Event()

    def wake(self) -> None:
        """There is a new task."""
        self._posted.set()

    async def run(self) -> None:
        """Keep handing over, until cancelled."""
        if not self._remembers:
            await retry_while_store_is_away(lambda: asyncio.to_thread(self._forget_queued))
        checked = asyncio.get_running_loop().time()
        while True:
            self._posted.clear()
            await retry_while_store_is_away(self._hand_over)
            if self._remembers and asyncio.get_running_loop().time() - checked > _CHECK_EVERY:
                await retry_while_store_is_away(self._find_stalled)
                checked = asyncio.get_running_loop().time()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._posted.wait(), _LOOK_EVERY)

    async def _hand_over(self) -> None:
        """Publish first and note it afterwards: a kill in between publishes twice, never not at all."""
        for task in await asyncio.to_thread(self._unqueued):
            messages = await asyncio.to_thread(self._left_to_do, task.id)
            await self._queue.publish(messages)
            await asyncio.to_thread(self._note, task.id, datetime.now(UTC))

    async def _find_stalled(self) -> None:
        stalled = await asyncio.to_thread(self._stalled)
        if stalled and await self._queue.waiting() == 0:
            for task in stalled:
                _log.warning("task %s makes no progress and the queues are empty: sent again", task.id)
                await asyncio.to_thread(self._note, task.id, None)

    def _forget_queued(self) -> None:
        with self._store.writing() as connection:
            for task in tasks_in_progress(connection):
                note_queued(connection, task.id, None)

    def _unqueued(self) -> list[TaskRow]:
        with self._store.reading() as connection:
            return tasks_in_progress(connection, unqueued=True)

    def _note(self, task_id: UUID, at: datetime | None) -> None:
        with self._store.writing() as connection:
            note_queued(connection, task_id, at)

    def _stalled(self) -> list[TaskRow]:
        before = datetime.now(UTC) - _STALLED
        with self._store.reading() as connection:
            return [
                task
                for task in tasks_in_progress(connection)
                if max(last_step(connection, task.id) or task.created_at, task.queued_at or before) <= before
            ]

    def _left_to_do(self, task_id: UUID) -> list[StageMessage]:
        """What a task still needs: the next stage of every site, or the decision."""
        with self._store.reading() as connection:
            sites = sites_of(connection, task_id)
        unread = [site for site in sites if site.extracted_at is None]
        if not unread:
            return [StageMessage(Stage.DECIDE, task_id)]
        return [
            StageMessage(Stage.READ if site.downloaded_at else Stage.COLLECT, task_id, site.id)
            for site in unread
        ]
