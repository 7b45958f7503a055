from __future__ import annotations

import socket
from pathlib import Path

import pytest

from threadmill.config import Settings, override
from threadmill.errors import SettingsError
from threadmill.service.programs import serve, work
from threadmill.service.queue.messages import Stage
from threadmill.store import open_store
from threadmill.workspace import Workspace


def test_a_worker_without_a_broker_says_what_to_do(tmp_path: Path) -> None:
    store = open_store("sqlite://")
    with pytest.raises(SettingsError, match=r"service\.broker is not set; set it, or use `threadmill serve`"):
        work(Workspace(tmp_path, Settings()), store, tuple(Stage), print)
    store.close()


def test_a_port_in_use_is_told_in_one_sentence(tmp_path: Path) -> None:
    store = open_store("sqlite://")
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        settings = override(Settings(), "service", port=port)
        with pytest.raises(SettingsError, match=f"cannot listen on 127.0.0.1:{port}: .*; set service.host"):
            serve(Workspace(tmp_path, settings), store, print)
    store.close()
