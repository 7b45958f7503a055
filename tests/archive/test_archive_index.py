"""An index tells which runs an archive holds and gives their answers back."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from threadmill.archive import ArchiveWriter
from threadmill.archive.archive_index import ArchiveIndex
from threadmill.archive.run_records import RunRecord
from threadmill.archive.warc_writer import OriginalCapture
from threadmill.types import Exchange

AT = datetime(2026, 1, 1, tzinfo=UTC)
PAGE = "http://a.example/page"


def exchange(url: str, body: bytes = b"<p>x", status: int = 200, minutes: int = 0) -> Exchange:
    at = AT + timedelta(minutes=minutes)
    headers = (("Content-Type", "text/html"),)
    return Exchange(url, at, b"GET / HTTP/1.1\r\n\r\n", status, "OK", headers, body)


def record(name: str, *, ended: bool = False) -> RunRecord:
    return RunRecord(name, "forum", f"http://{name}.example/", "forum", AT.isoformat(), ended=ended)


def test_an_index_holds_no_bodies_until_they_are_asked_for(tmp_path: Path) -> None:
    with ArchiveWriter(tmp_path) as writer:
        writer.write_run(record("a"))
        writer.write(exchange(PAGE, b"<p>body"))
    index = ArchiveIndex(tmp_path)
    (found,) = index.runs[0].exchanges
    assert found.exchange.body == b""
    assert index.load(found).body == b"<p>body"


def test_a_page_not_modified_has_the_body_of_the_original_at_its_own_time(tmp_path: Path) -> None:
    with ArchiveWriter(tmp_path) as writer:
        writer.write_run(record("a"))
        first = writer.write(exchange(PAGE, b"<p>old"))
        writer.write(exchange(PAGE, b"", 304, minutes=5), OriginalCapture(PAGE, AT, first.digest))
    index = ArchiveIndex(tmp_path)
    full, unmodified = index.runs[0].exchanges
    assert index.load(unmodified).status == 304
    original = index.load_original(unmodified)
    assert original is not None
    assert (original.body, original.at) == (b"<p>old", AT + timedelta(minutes=5))
    assert not full.revisit
    assert unmodified.revisit


def test_a_run_that_did_nothing_and_has_no_end_is_no_run(tmp_path: Path) -> None:
    with ArchiveWriter(tmp_path) as writer:
        writer.write_run(record("a"))
        writer.write(exchange("http://a.example/robots.txt"))
        writer.write_run(record("b"))
        writer.write_run(record("b", ended=True))
    assert [run.start.run for run in ArchiveIndex(tmp_path).runs] == ["b"]


def test_an_answer_of_another_host_belongs_to_the_latest_open_run(tmp_path: Path) -> None:
    with ArchiveWriter(tmp_path) as writer:
        writer.write_run(record("a"))
        writer.write_run(record("b"))
        writer.write(exchange("http://elsewhere.example/"))
        writer.write_run(record("b", ended=True))
        writer.write(exchange("http://elsewhere.example/2"))
    by_run = {run.start.run: len(run.exchanges) for run in ArchiveIndex(tmp_path).runs}
    assert by_run == {"a": 1, "b": 1}


def test_an_empty_or_missing_archive_has_no_runs(tmp_path: Path) -> None:
    assert ArchiveIndex(tmp_path).runs == []
    assert ArchiveIndex(tmp_path / "none").runs == []
