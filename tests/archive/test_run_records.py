from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from threadmill.archive import ArchiveWriter, read_captures, warc_writer
from threadmill.archive.archive_index import ArchiveIndex
from threadmill.archive.run_records import RunRecord
from threadmill.archive.warc_writer import OriginalCapture
from threadmill.config import ArchiveSettings
from threadmill.types import Exchange

AT = datetime(2026, 1, 1, tzinfo=UTC)


def exchange(url: str, body: bytes = b"<p>x", status: int = 200) -> Exchange:
    return Exchange(url, AT, b"GET / HTTP/1.1\r\n\r\n", status, "OK", (("Content-Type", "text/html"),), body)


def test_a_record_is_read_as_it_was_written_and_noise_is_none() -> None:
    record = RunRecord(
        "r", "forum", "http://a.example/", "forum", AT.isoformat(), boards=["http://a.example/b"]
    )
    assert RunRecord.from_json(record.to_json()) == record
    for noise in (b"", b"[]", b'{"run": 1}', b"[" * 100_000, record.to_json().replace(b"2026", b"soon")):
        assert RunRecord.from_json(noise) is None


def test_each_exchange_belongs_to_the_run_of_its_host(tmp_path: Path) -> None:
    a, b = (RunRecord(n, "forum", f"http://{n}.example/", "forum", AT.isoformat()) for n in "ab")
    with ArchiveWriter(tmp_path) as writer:
        writer.write_run(a)
        first = writer.write(exchange("http://a.example/", b"<p>same"))
        writer.write_run(b)
        writer.write(exchange("http://b.example/1"))
        same = OriginalCapture("http://a.example/", AT, first.digest)
        writer.write(exchange("http://a.example/", b"<p>same"), same)
        writer.write(exchange("http://a.example/robots.txt"))
        writer.write_run(RunRecord("a", "forum", a.url, "forum", AT.isoformat(), ended=True, exit_code=4))
    index = ArchiveIndex(tmp_path)
    assert [[found.exchange.url for found in run.exchanges] for run in index.runs] == [
        ["http://a.example/", "http://a.example/"],
        ["http://b.example/1"],
    ]
    one, other = index.runs
    assert one.end is not None
    assert one.end.exit_code == 4
    assert other.end is None
    assert [index.load(found).body for found in one.exchanges] == [b"<p>same", b"<p>same"]
    assert len(list(read_captures(tmp_path))) == 3  # records of runs are no captures


def test_an_archive_without_records_of_runs_has_one_per_file_and_host(tmp_path: Path) -> None:
    with ArchiveWriter(tmp_path) as writer:
        writer.write(exchange("http://a.example/robots.txt"))
        writer.write(exchange("http://a.example/start"))
        writer.write(exchange("http://a.example/2"))
    (run,) = ArchiveIndex(tmp_path).runs
    assert run.start.url == "http://a.example/start"
    assert len(run.exchanges) == 2


def test_runs_keep_their_order_when_the_clock_was_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second run began a file while the clock was a month behind."""
    for name, at in (("a", AT), ("b", AT - timedelta(days=30)), ("c", AT + timedelta(days=1))):
        clock = type("Clock", (datetime,), {"now": classmethod(lambda _cls, _zone, at=at: at)})
        monkeypatch.setattr(warc_writer, "datetime", clock)
        with ArchiveWriter(tmp_path, ArchiveSettings(join_file_bytes=0)) as writer:
            writer.write_run(RunRecord(name, "forum", "http://a.example/", "forum", at.isoformat()))
            writer.write(exchange(f"http://a.example/{name}"))
    assert len(list(tmp_path.glob("*.warc.gz"))) == 3
    assert [run.start.run for run in ArchiveIndex(tmp_path).runs] == ["a", "b", "c"]


def test_files_without_a_number_come_first_and_by_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, at in (("late", AT + timedelta(days=9)), ("early", AT), ("numbered", AT - timedelta(days=30))):
        clock = type("Clock", (datetime,), {"now": classmethod(lambda _cls, _zone, at=at: at)})
        monkeypatch.setattr(warc_writer, "datetime", clock)
        monkeypatch.setattr(warc_writer, "SEQUENCE_FIELD", "sequence" if name == "numbered" else "x")
        with ArchiveWriter(tmp_path, ArchiveSettings(join_file_bytes=0)) as writer:
            writer.write_run(RunRecord(name, "forum", "http://a.example/", "forum", at.isoformat()))
            writer.write(exchange(f"http://a.example/{name}"))
    assert [run.start.run for run in ArchiveIndex(tmp_path).runs] == ["early", "late", "numbered"]
