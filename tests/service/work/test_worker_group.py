from __future__ import annotations

import time
from pathlib import Path

import pytest

from threadmill.errors import StoreError
from threadmill.service.work import worker_group
from threadmill.service.work.worker_group import wait_for_store
from threadmill.store import Store, open_store


def test_a_database_that_is_not_up_yet_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    answers = ["cannot reach PostgreSQL at x", "the server was shut down"]

    def unsteady(url: str) -> Store:
        if answers:
            raise StoreError(answers.pop(0))
        return open_store(url)

    monkeypatch.setattr(worker_group, "open_store", unsteady)
    monkeypatch.setattr(time, "sleep", pauses.append)
    wait_for_store("sqlite://").close()
    assert pauses == [1, 2]


def test_any_other_error_of_the_store_ends_the_wait(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: pytest.fail("waited"))
    with pytest.raises(StoreError, match="there is no directory"):
        wait_for_store(f"sqlite:///{tmp_path}/none/store.sqlite")


def test_the_wait_ends_after_ten_minutes_with_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []

    def away(url: str) -> Store:
        raise StoreError(f"cannot reach PostgreSQL at {url}")

    monkeypatch.setattr(worker_group, "open_store", away)
    monkeypatch.setattr(time, "sleep", pauses.append)
    with pytest.raises(StoreError, match="cannot reach"):
        wait_for_store("x")
    assert sum(pauses) == 600
