"""`threadmill fleet` and `watch --fleet`, as typed."""

import json
from pathlib import Path

import pytest
from sqlalchemy import text

from threadmill.cli import main
from threadmill.store import open_store
from threadmill.store.crawl.fleet import (
    WorkerCounts,
    add_forums,
    report_worker,
    requests_left,
    take_host,
    take_requests,
)
from threadmill.workspace import open_workspace


@pytest.fixture
def shared(tmp_path: Path, postgres_url: str) -> Path:
    workspace = open_workspace(tmp_path / "w", create=True)
    (workspace.root / "threadmill.toml").write_text(f'[store]\nurl = "{postgres_url}"\n')
    store = open_store(postgres_url)
    with store.writing() as connection:
        add_forums(connection, ["http://a.example/", "http://b.example/"])
        report_worker(connection, {"name": "anna", "machine": "one", "process": 7}, WorkerCounts(1, 20, 300))
        take_host(connection, "anna", 60)
    store.close()
    return workspace.root


def test_it_shows_who_asks_which_host(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fleet", "--workspace", str(shared)]) == 0
    said = capsys.readouterr().out
    assert "anna" in said
    assert "a.example" in said
    assert "2 forums, 2 of them due, 1 host taken" in said


def test_a_worker_is_asked_to_drain(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fleet", "--workspace", str(shared), "--drain", "anna", "--json"]) == 0
    [worker] = json.loads(capsys.readouterr().out)["workers"]
    assert worker["draining"]
    assert worker["hosts"] == ["a.example"]
    assert main(["fleet", "--workspace", str(shared), "--drain", "nobody"]) == 1
    assert "no worker is called 'nobody'" in capsys.readouterr().err


def test_a_fleet_on_sqlite_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    open_workspace(tmp_path, create=True)
    for words in (["fleet"], ["watch", "--fleet", "http://a.example/"]):
        assert main([*words, "--workspace", str(tmp_path)]) == 2
        assert "needs a store in PostgreSQL" in capsys.readouterr().err


def test_options_of_a_fleet_are_refused_without_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["watch", "http://a.example/", "--workspace", str(tmp_path), "--hosts", "3"]) == 2
    assert "--fleet" in capsys.readouterr().err


def test_requests_of_an_hour_count_until_its_last_minute_is_a_day_old(postgres_url: str) -> None:
    store = open_store(postgres_url)
    with store.writing() as connection:
        assert take_requests(connection, 8, 10) == 8
        hours = "UPDATE fleet_hour SET hour = date_trunc('hour', now()) - interval '{} hours'"
        connection.execute(text(hours.format(24)))  # some of them were perhaps made 23 hours ago
        assert requests_left(connection, 10) == 2
        assert take_requests(connection, 8, 10) == 2
        connection.execute(text("DELETE FROM fleet_hour WHERE requests = 2"))
        connection.execute(text(hours.format(25)))
        assert requests_left(connection, 10) == 10
    store.close()
