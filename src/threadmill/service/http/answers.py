"""The answer to the question everybody polls, as bytes: made without models, because it is asked most."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection

from threadmill.service.http.store_access import require_task
from threadmill.store.sites.compare_results import FoundPair, count_over, pairs_over
from threadmill.store.sites.tasks import TaskStatus


@dataclass(frozen=True, slots=True)
class ResultsQuery:
    """What was asked for."""

    task_id: UUID
    border: float
    limit: int | None = None
    offset: int = 0
    evidence: bool = False


def write_task_answer(connection: Connection, page: ResultsQuery) -> tuple[bytes, dict[str, str]]:
    """The body and the headers of GET /task/{id}: results only once the task is done."""
    task = require_task(connection, page.task_id)
    value: dict[str, Any] = {
        "task_id": str(task.id),
        "created_at": write_time(task.created_at),
        "status": task.status,
        "done_at": write_time(task.done_at),
    }
    headers: dict[str, str] = {}
    if task.status is TaskStatus.FAILED:
        value["detail"] = task.reason
    if task.status is TaskStatus.DONE:
        pairs = pairs_over(connection, task.id, page.border, limit=page.limit, offset=page.offset)
        value["results"] = [_pair(pair, page.evidence) for pair in pairs]
        total = count_over(connection, task.id, page.border) if page.limit or page.offset else len(pairs)
        headers = _paging(page, total)
    return json.dumps(value, ensure_ascii=False).encode(), headers


def write_time(at: datetime | None) -> str | None:
    """A moment as the source's service writes it: UTC with a Z."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z") if at else None


def _pair(pair: FoundPair, evidence: bool) -> dict[str, Any]:
    value: dict[str, Any] = {"url1": pair.url1, "url2": pair.url2, "similarity": pair.similarity}
    if evidence:
        value |= {"words": pair.words, "why": pair.why, "evidence": dict(pair.evidence)}
    return value


def _paging(page: ResultsQuery, total: int) -> dict[str, str]:
    headers = {"X-Total-Count": str(total)}
    end = page.offset + (page.limit or total)
    if page.limit and end < total:
        query = f"similarity_border={page.border}&limit={page.limit}&offset={end}"
        query += "&evidence=true" if page.evidence else ""
        headers["Link"] = f'</task/{page.task_id}?{query}>; rel="next"'
    return headers
