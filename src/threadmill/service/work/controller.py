"""The controller: sends the messages of each task to the queue, and again when they are lost."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from uuid import UUID

from threadmill.errors import QueueError
from threadmill.service.queue.message_queue import MessageQueue
from threadmill.service.queue.messages import Stage, StageMessage
from threadmill.service.work.retries import retry_while_store_is_away
from threadmill.store import Store
from threadmill.store.sites.task_sites import last_step, sites_of
from threadmill.store.sites.tasks import TaskRow, note_queued, tasks_in_progress

_LOOK_EVERY = 2.0  # seconds; a task posted to this process is seen at once
_CHECK_EVERY = 60.0  # seconds
# A task without progress for this time, while the queues are empty, has lost its messages. That happens when
# a broker loses its disk.
_STALLED = timedelta(minutes=10)
_log = logging.getLogger("threadmill.service")


class TaskController:
    """Sends tasks to the queue. Each `threadmill serve` has one.

    Two at once only send some messages twice, which does no harm.
    """

    def __init__(self, store: Store, queue: MessageQueue, *, queue_is_durable: bool) -> None:
        self._store = store
        self._queue = queue
        self._durable = queue_is_durable
        self._posted = asyncio.Event()

    def wake(self) -> None:
        """Look for new tasks now."""
        self._posted.set()

    async def run(self) -> None:
        """Send new tasks to the queue, until cancelled."""
        if not self._durable:
            await retry_while_store_is_away(lambda: asyncio.to_thread(self._mark_all_unqueued))
        checked = asyncio.get_running_loop().time()
        while True:
            self._posted.clear()
            await retry_while_store_is_away(self._send_unqueued_tasks)
            if self._durable and asyncio.get_running_loop().time() - checked > _CHECK_EVERY:
                await self._check_stalled_tasks()
                checked = asyncio.get_running_loop().time()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._posted.wait(), _LOOK_EVERY)

    async def _send_unqueued_tasks(self) -> None:
        """Publish first, then note it: a kill in between sends messages twice instead of never."""
        for task in await asyncio.to_thread(self._unqueued_tasks):
            messages = await asyncio.to_thread(self._messages_left, task.id)
            await self._queue.publish(messages)
            await asyncio.to_thread(self._note_queued, task.id, datetime.now(UTC))

    async def _check_stalled_tasks(self) -> None:
        try:
            await retry_while_store_is_away(self._resend_stalled_tasks)
        except QueueError as error:
            _log.warning("%s; stalled tasks are looked for again in %.0f s", error, _CHECK_EVERY)

    async def _resend_stalled_tasks(self) -> None:
        stalled = await asyncio.to_thread(self._stalled_tasks)
        if stalled and await self._queue.waiting() == 0:
            for task in stalled:
                _log.warning("task %s makes no progress and the queues are empty; sending it again", task.id)
                await asyncio.to_thread(self._note_queued, task.id, None)

    def _mark_all_unqueued(self) -> None:
        with self._store.writing() as connection:
            for task in tasks_in_progress(connection):
                note_queued(connection, task.id, None)

    def _unqueued_tasks(self) -> list[TaskRow]:
        with self._store.reading() as connection:
            return tasks_in_progress(connection, unqueued=True)

    def _note_queued(self, task_id: UUID, at: datetime | None) -> None:
        with self._store.writing() as connection:
            note_queued(connection, task_id, at)

    def _stalled_tasks(self) -> list[TaskRow]:
        before = datetime.now(UTC) - _STALLED
        with self._store.reading() as connection:
            return [
                task
                for task in tasks_in_progress(connection)
                if max(last_step(connection, task.id) or task.created_at, task.queued_at or before) <= before
            ]

    def _messages_left(self, task_id: UUID) -> list[StageMessage]:
        """Return the messages a task still needs: the next stage of each unread site, or the decision."""
        with self._store.reading() as connection:
            sites = sites_of(connection, task_id)
        unread = [site for site in sites if site.extracted_at is None]
        if not unread:
            return [StageMessage(Stage.DECIDE, task_id)]
        return [
            StageMessage(Stage.READ if site.downloaded_at else Stage.COLLECT, task_id, site.id)
            for site in unread
        ]
