import contextlib
import io
import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from threadmill.archive import (
    ArchiveWriter,
    OriginalCapture,
    ReadTally,
    read_at,
    read_captures,
    read_exchanges_after,
)
from threadmill.archive.recovery import verify_archive
from threadmill.archive.warc_reader import read_records
from threadmill.config import ArchiveSettings
from threadmill.errors import ArchiveError
from threadmill.types import Exchange

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)


def make_exchange(number: int = 0, body: bytes = b"<p>hello</p>", **changes: object) -> Exchange:
    values: dict[str, object] = {
        "url": f"http://example.com/{number}",
        "at": NOON + timedelta(seconds=number),
        "request_head": b"GET /%d HTTP/1.1\r\nHost: example.com\r\n\r\n" % number,
        "status": 200,
        "reason": "OK",
        "headers": (("Content-Type", "text/html"), ("Content-Length", str(len(body)))),
        "body": body,
        "remote_address": "192.0.2.7",
    }
    return Exchange(**(values | changes))  # type: ignore[arg-type]


def warcio_check(directory: Path) -> None:
    files = [str(file) for file in sorted(directory.glob("*.warc.gz"))]
    program = [sys.executable, "-c", "from warcio.cli import main; main()", "check", *files]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


tokens = st.text("abcXYZ019-", min_size=1, max_size=12)
values = st.text(
    st.characters(min_codepoint=32, max_codepoint=0x2FF, exclude_characters="\x7f\x85\xa0"), max_size=40
)
exchanges = st.builds(
    Exchange,
    url=tokens.map("http://example.com/{}".format),
    at=st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)).map(lambda at: at.replace(tzinfo=UTC)),
    request_head=tokens.map(lambda t: f"GET /{t} HTTP/1.1\r\n\r\n".encode()),
    status=st.integers(200, 599).filter(lambda status: status != 304),
    reason=tokens,
    headers=st.lists(st.tuples(tokens.map("X-{}".format), values.map(str.strip)), max_size=6).map(tuple),
    body=st.binary(max_size=3000),
    remote_address=st.sampled_from(["", "192.0.2.1", "2001:db8::1"]),
    truncated=st.sampled_from(["", "length", "time", "disconnect"]),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(exchanges, min_size=1, max_size=5))
def test_what_is_written_is_read_again(wanted: list[Exchange]) -> None:
    with contextlib.closing(_Scratch()) as scratch:
        with ArchiveWriter(scratch.path) as writer:
            locations = [writer.write(exchange) for exchange in wanted]
        tally = ReadTally()
        captures = list(read_captures(scratch.path, tally))
        assert tally.damaged == 0
        assert [(c.url, c.at, c.status, c.headers, c.payload) for c in captures] == [
            (e.url, e.at, e.status, e.headers, e.body) for e in wanted
        ]
        assert [read_at(scratch.path, location) for location in locations] == captures
        assert list(read_exchanges_after(scratch.path, locations[0].file)) == list(
            zip(locations, wanted, strict=True)
        )


@pytest.mark.parametrize("size", [1 << 16, 1 << 20, 3_000_000])
def test_large_bodies_are_read_again(tmp_path: Path, size: int) -> None:
    wanted = [make_exchange(n, os.urandom(size // 2) + b"x" * (size // 2)) for n in range(3)]
    with ArchiveWriter(tmp_path) as writer:
        locations = [writer.write(exchange) for exchange in wanted]
    assert [capture.payload for capture in read_captures(tmp_path)] == [e.body for e in wanted]
    assert list(read_exchanges_after(tmp_path, locations[0].file)) == list(
        zip(locations, wanted, strict=True)
    )
    assert read_at(tmp_path, locations[2]).payload == wanted[2].body


class _Scratch:
    """A directory per example: hypothesis and tmp_path do not go together."""

    def __init__(self) -> None:
        import tempfile

        self.path = Path(tempfile.mkdtemp())

    def close(self) -> None:
        shutil.rmtree(self.path)


def test_warcio_finds_nothing_wrong(tmp_path: Path) -> None:
    with ArchiveWriter(tmp_path) as writer:
        first = writer.write(make_exchange(0))
        writer.write(make_exchange(1, b""))
        writer.write(make_exchange(2, b"\0\xff" * 50_000, truncated="length"))
        writer.write(make_exchange(3), OriginalCapture("http://example.com/0", NOON, first.digest))
        writer.write(
            make_exchange(4, b"", status=304), OriginalCapture("http://example.com/0", NOON, first.digest)
        )
        writer.write(make_exchange(5, headers=(("Transfer-Encoding", "chunked"), ("X-Odd", "ä\r\nb"))))
    warcio_check(tmp_path)


def test_each_file_opens_with_a_warcinfo_and_each_response_has_its_request(tmp_path: Path) -> None:
    with ArchiveWriter(tmp_path) as writer:
        writer.write(make_exchange())
    info, request, response = read_records(tmp_path, ReadTally())
    assert [record.kind for record in (info, request, response)] == ["warcinfo", "request", "response"]
    assert info.header(b"WARC-Filename") == next(tmp_path.glob("*.gz")).name
    assert request.header(b"WARC-Concurrent-To") == response.header(b"WARC-Record-ID")
    assert request.block == make_exchange().request_head
    assert response.header(b"WARC-Warcinfo-ID") == info.header(b"WARC-Record-ID")
    assert response.header(b"WARC-IP-Address") == "192.0.2.7"
    assert response.head.startswith(b"WARC/1.1\r\n")


def test_the_same_payload_again_is_a_revisit(tmp_path: Path) -> None:
    with ArchiveWriter(tmp_path) as writer:
        first = writer.write(make_exchange(0))
        again = writer.write(make_exchange(1), OriginalCapture("http://example.com/0", NOON, first.digest))
        other = writer.write(
            make_exchange(2, b"new"), OriginalCapture("http://example.com/0", NOON, first.digest)
        )
    assert again.digest == first.digest
    assert other.digest != first.digest
    records = [
        record for record in read_records(tmp_path, ReadTally()) if record.kind in {"response", "revisit"}
    ]
    assert [record.kind for record in records] == ["response", "revisit", "response"]
    assert records[1].header(b"WARC-Profile").endswith("/identical-payload-digest")
    assert records[1].header(b"WARC-Refers-To-Target-URI") == "http://example.com/0"
    assert records[1].header(b"WARC-Refers-To-Date") == "2026-11-15T12:00:00Z"
    assert b"hello" not in records[1].block


def test_not_modified_is_a_revisit_of_what_it_was(tmp_path: Path) -> None:
    with ArchiveWriter(tmp_path) as writer:
        first = writer.write(make_exchange(0))
        writer.write(
            make_exchange(1, b"", status=304), OriginalCapture("http://example.com/0", NOON, first.digest)
        )
    captures = list(read_captures(tmp_path, follow_revisits=True))
    assert [(c.status, c.payload) for c in captures] == [(200, b"<p>hello</p>"), (200, b"<p>hello</p>")]
    assert captures[1].at == NOON + timedelta(seconds=1)


def test_what_is_no_longer_true_of_the_body_is_renamed(tmp_path: Path) -> None:
    headers = (("Transfer-Encoding", "chunked"), ("Content-Length", "999"), ("Content-Encoding", "gzip"))
    with ArchiveWriter(tmp_path) as writer:
        location = writer.write(make_exchange(0, b"", headers=headers, truncated="length"))
    names = [name for name, _ in read_at(tmp_path, location).headers]
    assert names == ["X-Archive-Orig-Transfer-Encoding", "X-Archive-Orig-Content-Length", "Content-Encoding"]


def test_a_full_file_is_followed_by_another(tmp_path: Path) -> None:
    with ArchiveWriter(tmp_path, ArchiveSettings(max_file_bytes=3000)) as writer:
        locations = [writer.write(make_exchange(n, os.urandom(1000))) for n in range(9)]
    files = sorted(tmp_path.glob("*.warc.gz"))
    assert len(files) == 5
    assert sorted({location.file for location in locations}) == [file.name for file in files]
    assert {read_at(tmp_path, location).url for location in locations} == {
        make_exchange(n).url for n in range(9)
    }
    warcio_check(tmp_path)


def test_two_writers_of_one_directory_do_not_meet(tmp_path: Path) -> None:
    with ArchiveWriter(tmp_path) as one, ArchiveWriter(tmp_path) as other:
        assert one.write(make_exchange(0)).file != other.write(make_exchange(1)).file
    assert len(list(read_captures(tmp_path))) == 2


def test_a_full_disk_is_one_sentence_and_harms_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_write = os.write

    def write_half(descriptor: int, data: bytes) -> int:
        if len(data) < 100_000:
            return real_write(descriptor, data)
        real_write(descriptor, data[:5000])
        raise OSError(28, "No space left on device")

    with ArchiveWriter(tmp_path) as writer:
        writer.write(make_exchange(0))
        monkeypatch.setattr(os, "write", write_half)
        with pytest.raises(ArchiveError, match="No space left"):
            writer.write(make_exchange(1, os.urandom(200_000)))
        writer.write(make_exchange(2))
    tally = ReadTally()
    assert [c.url for c in read_captures(tmp_path, tally)] == ["http://example.com/0", "http://example.com/2"]
    assert tally.damaged == 0


def test_a_directory_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ArchiveError, match="cannot start"):
        ArchiveWriter(tmp_path / "file" / "archive").write(make_exchange())


def test_members_are_what_any_gzip_reads(tmp_path: Path) -> None:
    import gzip

    with ArchiveWriter(tmp_path) as writer:
        location = writer.write(make_exchange())
    data = (tmp_path / location.file).read_bytes()
    record = gzip.decompress(data[location.offset : location.offset + location.length])
    assert record.endswith(b"<p>hello</p>\r\n\r\n")
    assert gzip.GzipFile(fileobj=io.BytesIO(data)).read().count(b"WARC/1.1\r\n") == 3


def test_the_next_writer_goes_on_with_a_small_file_that_nobody_writes(tmp_path: Path) -> None:
    small = ArchiveSettings(join_file_bytes=10_000)
    with ArchiveWriter(tmp_path, small) as first:
        one = first.write(make_exchange())
        with ArchiveWriter(tmp_path, small) as beside:
            assert beside.write(make_exchange()).file != one.file
    for _ in range(3):
        with ArchiveWriter(tmp_path, small) as writer:
            writer.write(make_exchange())
    assert len(list(tmp_path.glob("*.warc.gz"))) == 2
    assert not list(tmp_path.glob("*.open"))
    assert len(list(read_captures(tmp_path))) == 5
    assert not verify_archive(tmp_path).damaged
    with ArchiveWriter(tmp_path, ArchiveSettings(join_file_bytes=0)) as writer:
        writer.write(make_exchange())
    assert len(list(tmp_path.glob("*.warc.gz"))) == 3
