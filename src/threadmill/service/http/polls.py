"""Answers to polling: many who ask the same at one moment share one look into the store."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

_KEPT_SECONDS = 0.2  # a poller does not notice; a hundred of them cost the store five looks a second
_MOST_KEPT = 1000
Answer = TypeVar("Answer")


class SharedAnswers(Generic[Answer]):
    """Keeps each answer for a moment; used from one event loop."""

    def __init__(self) -> None:
        self._answers: dict[Hashable, tuple[float, asyncio.Future[Answer]]] = {}

    async def ask(self, key: Hashable, look: Callable[[], Awaitable[Answer]]) -> Answer:
        """The answer of a moment ago, or a new one."""
        now = asyncio.get_running_loop().time()
        kept = self._answers.get(key)
        if kept is None or kept[0] < now:
            self._sweep(now)
            kept = (now + _KEPT_SECONDS, asyncio.ensure_future(look()))
            self._answers[key] = kept
        return await asyncio.shield(kept[1])

    def forget(self) -> None:
        """Something was changed by a call: the next question gets a new answer."""
        self._answers.clear()

    def _sweep(self, now: float) -> None:
        if len(self._answers) >= _MOST_KEPT:
            self._answers = {key: kept for key, kept in self._answers.items() if kept[0] >= now}
