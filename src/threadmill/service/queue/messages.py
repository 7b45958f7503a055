"""What one stage tells the next: which task, which site, what to do."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from threadmill.errors import MessageError


class Stage(StrEnum):
    """The steps that scale apart: the first waits for the network, the others need a core."""

    COLLECT = "collect"  # one site: fetch its pages
    READ = "read"  # one site: visible text, keywords, facts
    DECIDE = "decide"  # one task: vectors, join, evidence, scores


@dataclass(frozen=True, slots=True)
class StageMessage:
    """One piece of work."""

    stage: Stage
    task_id: UUID
    site_id: UUID | None = None  # none for the decision, which is about all of them


@dataclass(frozen=True, slots=True)
class MessageResult:
    """What came of a message: what follows from it, and why it was given up, if it was."""

    follow_ups: tuple[StageMessage, ...] = ()
    given_up: str = ""


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A message that was given up, as it came, with the reason."""

    body: str
    reason: str


def encode(message: StageMessage) -> bytes:
    """A message as JSON."""
    value = {"stage": message.stage, "task_id": str(message.task_id)}
    if message.site_id is not None:
        value["site_id"] = str(message.site_id)
    return json.dumps(value).encode()


def decode(body: bytes) -> StageMessage:
    """A message from JSON; whatever else it is, is told in one sentence."""
    try:
        value = json.loads(body)
        site = value.get("site_id")
        message = StageMessage(Stage(value["stage"]), UUID(value["task_id"]), UUID(site) if site else None)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise MessageError(
            f"expected a stage, a task_id and a site_id as JSON, but {type(error).__name__}: {error}"
        ) from None
    if message.site_id is None and message.stage is not Stage.DECIDE:
        raise MessageError(f"a message to {message.stage} names one site, but this one names none")
    return message
