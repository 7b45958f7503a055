from __future__ import annotations

from uuid import UUID

import pytest

from threadmill.errors import MessageError
from threadmill.service.queue.messages import Stage, StageMessage, decode, encode


@pytest.mark.parametrize("stage", list(Stage))
def test_a_message_comes_back_as_it_was(stage: Stage) -> None:
    message = StageMessage(stage, UUID(int=7), None if stage is Stage.DECIDE else UUID(int=7))
    assert decode(encode(message)) == message


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"\xff",
        b'{"stage": "read"}',
        b'{"stage": "bake", "task_id": "x"}',
        b'{"stage": "read", "task_id": 7}',
        b"[" * 100_000,
        encode(StageMessage(Stage.READ, UUID(int=7))),
    ],
)
def test_what_is_no_message_is_told_in_one_sentence(body: bytes) -> None:
    with pytest.raises(MessageError):
        decode(body)
