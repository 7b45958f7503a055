import json
import os
import re
from datetime import UTC, datetime
from pathlib import Path

from tests.servers.console import ConsoleClient
from threadmill.console.operations.routes import _label, archive_growth, waiting_by_stage
from threadmill.workspace import Workspace
from tools.console_screenshots import console_at

_LINE = re.compile(r'[a-z_]+(\{[a-z]+="(?:[^"\\\n]|\\.)*"\})? -?[0-9.]+')


def test_the_page_shows_jobs_and_errors(client: ConsoleClient) -> None:
    page = client.get("/operations").text
    assert "done" in page
    assert "Requests in the last hour" in page


def test_metrics_are_in_the_format_of_prometheus(client: ConsoleClient) -> None:
    answer = client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    lines = [line for line in answer.text.splitlines() if not line.startswith("# TYPE ")]
    assert all(_LINE.fullmatch(line) for line in lines)
    assert any(line.startswith("threadmill_posts{") for line in lines)
    assert any(line.startswith('threadmill_disk_bytes{part="archive"}') for line in lines)


def test_health_is_answered_without_a_log_in_and_metrics_are_not(crawled: Workspace) -> None:
    everywhere = "0.0.0.0"  # noqa: S104 -- only the rules for it are tried
    with console_at(crawled, host=everywhere) as (base, _):
        client = ConsoleClient(base)
        answer = client.get("/health")
        assert (answer.status, json.loads(answer.text)) == (200, {"status": "ok"})
        assert client.get("/metrics").status == 303


def test_growth_is_counted_by_day(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(b"x" * 10)
    old = tmp_path / "b.warc"
    old.write_bytes(b"x" * 20)
    os.utime(old, (0, 0))
    growth = archive_growth(tmp_path)
    assert growth[datetime.now(UTC).date().isoformat()] == 10
    assert sum(growth.values()) == 10
    assert len(growth) == 30
    assert sum(archive_growth(tmp_path / "none").values()) == 0


def test_labels_cannot_break_a_line() -> None:
    assert _label('a"b\\c\nd') == 'a\\"b\\\\c d'


def test_the_page_shows_who_works_and_what_waits(client: ConsoleClient) -> None:
    page = client.get("/operations").text
    assert "Workers and queues" in page
    assert "idle" in page


def test_sites_wait_for_the_stage_after_the_last_they_passed() -> None:
    tasks = [
        (None, {"sites": 10, "downloaded": 6, "extracted": 6}),
        (None, {"sites": 3, "downloaded": 0, "extracted": 0}),
    ]
    assert waiting_by_stage(tasks) == {"downloaded": 7, "extracted": 0}
