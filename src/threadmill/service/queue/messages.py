"""The messages that the stages of a site comparison send to each other, and their JSON form."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from threadmill.errors import MessageError


class Stage(StrEnum):
    """The stages of a task. Each scales on its own: COLLECT waits for the network, the others use the CPU."""

    COLLECT = "collect"  # one site: fetch its pages
    READ = "read"  # one site: extract its visible text, keywords and facts
    DECIDE = "decide"  # one task: compare all its sites


@dataclass(frozen=True, slots=True)
class StageMessage:
    """One piece of work for a stage."""

    stage: Stage
    task_id: UUID
    site_id: UUID | None = None  # None for DECIDE, which concerns all sites of the task


@dataclass(frozen=True, slots=True)
class MessageResult:
    """The result of handling a message: the messages to send next, or why it was given up."""

    follow_ups: tuple[StageMessage, ...] = ()
    given_up: str = ""


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A message that was given up, with the reason."""

    body: str
    reason: str


def encode(message: StageMessage) -> bytes:
    """Write a message as JSON."""
    value = {"stage": message.stage, "task_id": str(message.task_id)}
    if message.site_id is not None:
        value["site_id"] = str(message.site_id)
    return json.dumps(value).encode()


def decode(body: bytes) -> StageMessage:
    """Read a message from JSON. Raise MessageError for anything else."""
    try:
        value = json.loads(body)
        site = value.get("site_id")
        message = StageMessage(Stage(value["stage"]), UUID(value["task_id"]), UUID(site) if site else None)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise MessageError(
            "expected a JSON object with stage, task_id and site_id, "
            f"but reading it failed with {type(error).__name__}: {error}"
        ) from None
    if message.site_id is None and message.stage is not Stage.DECIDE:
        raise MessageError(f"expected a site_id in a message of the stage {message.stage}, but there is none")
    return message
