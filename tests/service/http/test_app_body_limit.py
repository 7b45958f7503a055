"""A request that is too large is answered, not cut off: its sender would see a broken connection instead."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from threadmill.service.http.app import BodyLimit


async def _never(_scope: Any, receive: Any, _send: Any) -> None:
    while (await receive()).get("more_body"):
        pass


def answer(chunks: int, declared: bool) -> tuple[int, list[dict[str, Any]]]:
    """Send chunks of a hundred bytes to a limit of a thousand: how many were taken, and what came back."""
    sent: list[dict[str, Any]] = []
    taken = 0

    async def receive() -> dict[str, Any]:
        nonlocal taken
        taken += 1
        return {"type": "http.request", "body": b"x" * 100, "more_body": taken < chunks}

    async def send(message: Any) -> None:
        sent.append({**message, "taken": taken})

    headers = [(b"content-length", str(100 * chunks).encode())] if declared else []
    asyncio.run(BodyLimit(_never, 1000)({"type": "http", "headers": headers}, receive, send))
    return taken, sent


def test_the_answer_comes_when_all_was_sent() -> None:
    taken, sent = answer(50, declared=True)
    assert taken == 50
    assert sent[0]["status"] == 413
    assert sent[0]["taken"] == 50
    assert "1000 bytes" in json.loads(sent[1]["body"])["detail"]


def test_nobody_waits_for_a_body_without_end() -> None:
    taken, sent = answer(100_000, declared=True)
    assert taken < 200
    assert sent[0]["status"] == 413


def test_a_body_that_did_not_say_its_size_is_let_run_out_too() -> None:
    from starlette.exceptions import HTTPException

    with pytest.raises(HTTPException) as caught:
        answer(50, declared=False)
    assert caught.value.status_code == 413
