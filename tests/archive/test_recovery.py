import base64
import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from threadmill.archive import (
    ArchiveWriter,
    ReadTally,
    RecoveredFile,
    read_captures,
    read_exchanges_after,
    recover,
)
from threadmill.archive.recovery import verify_archive
from threadmill.errors import ArchiveError
from threadmill.types import Exchange

BODY = b"<p>hello</p>"
BLOCK = b"HTTP/1.1 200 OK\r\n\r\n" + BODY


def base32(content: bytes) -> str:
    return base64.b32encode(hashlib.sha1(content).digest()).decode()


def write_record(file: Path, *headers: str, kind: str = "response", block: bytes = BLOCK) -> None:
    lines = [f"WARC-Type: {kind}", "WARC-Record-ID: <urn:x:1>", "WARC-Date: 2026-01-02T03:04:05Z", *headers]
    head = "WARC/1.0\r\n" + "".join(f"{line}\r\n" for line in lines)
    file.write_bytes(f"{head}Content-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n")


@pytest.mark.parametrize(
    "headers",
    [
        (f"WARC-Block-Digest: sha1:{base32(BLOCK)}", f"WARC-Payload-Digest: sha1:{base32(BODY)}"),
        (f"WARC-Block-Digest: SHA-1:{base32(BLOCK).lower()}", f"WARC-Payload-Digest: sha1:{base32(BODY)}"),
        (
            f"WARC-Block-Digest: sha256:{hashlib.sha256(BLOCK).hexdigest()}",
            f"WARC-Payload-Digest: md5:{hashlib.md5(BODY).hexdigest().upper()}",
        ),
    ],
)
def test_true_digests_are_counted(tmp_path: Path, headers: tuple[str, ...]) -> None:
    write_record(tmp_path / "a.warc", *headers)
    verdict = verify_archive(tmp_path)
    assert (verdict.digests, verdict.damaged, dict(verdict.kinds)) == (2, 0, {"response": 1})


def test_a_false_digest_is_damage(tmp_path: Path) -> None:
    write_record(tmp_path / "a.warc", f"WARC-Block-Digest: sha1:{base32(b'other')}")
    verdict = verify_archive(tmp_path)
    assert (verdict.digests, verdict.damaged) == (0, 1)
    assert verdict.tally.skipped == {"WARC-Block-Digest differs": 1}


def test_an_unknown_kind_of_digest_is_named_and_is_no_damage(tmp_path: Path) -> None:
    write_record(tmp_path / "a.warc", "WARC-Block-Digest: blake3:abc")
    verdict = verify_archive(tmp_path)
    assert (verdict.digests, verdict.damaged) == (0, 0)
    assert verdict.tally.skipped == {"WARC-Block-Digest of unknown kind 'blake3'": 1}


def test_the_payload_digest_of_a_revisit_is_not_compared(tmp_path: Path) -> None:
    write_record(tmp_path / "a.warc", f"WARC-Payload-Digest: sha1:{base32(b'earlier')}", kind="revisit")
    assert verify_archive(tmp_path).damaged == 0


def test_a_record_without_its_duties_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(b"WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n")
    verdict = verify_archive(tmp_path)
    assert verdict.tally.skipped == {"no WARC-Record-ID": 1, "no WARC-Type": 1, "no WARC-Date": 1}
    assert (verdict.damaged, dict(verdict.kinds)) == (3, {"untyped": 1})


WRITER = """
import sys
from pathlib import Path
from datetime import UTC, datetime
from threadmill.archive import ArchiveWriter
from threadmill.types import Exchange
import os
writer = ArchiveWriter(Path(sys.argv[1]))
for number in range(10**9):
    head, at = b"GET / HTTP/1.1\\r\\n\\r\\n", datetime(2026, 1, 1, tzinfo=UTC)
    body = os.urandom(200_000)
    location = writer.write(Exchange(f"http://e.com/{number}", at, head, 200, "OK", (), body))
    print(number, location.file, location.offset, location.length, flush=True)
"""


def make_exchange(number: int) -> Exchange:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Exchange(f"http://e.com/{number}", at, b"GET / HTTP/1.1\r\n\r\n", 200, "OK", (), os.urandom(500))


def die_after(directory: Path, count: int) -> tuple[Path, list[int]]:
    """A file as a writer leaves it that was killed; where its records start, and where the last ends."""
    writer = ArchiveWriter(directory)
    locations = [writer.write(make_exchange(number)) for number in range(count)]
    os.close(writer._descriptor)
    writer._descriptor = -1
    return directory / locations[0].file, [location.offset + location.length for location in locations]


@pytest.mark.parametrize("round_", range(6))
def test_a_killed_writer_leaves_only_whole_records_behind(tmp_path: Path, round_: int) -> None:
    program = [sys.executable, "-c", WRITER, str(tmp_path)]
    process = subprocess.Popen(program, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    told = [process.stdout.readline()]
    time.sleep(random.Random(round_).random() * 0.2)
    process.send_signal(signal.SIGKILL)
    told += process.communicate()[0].splitlines()
    acknowledged = [line.split() for line in told if line.count(" ") == 3]
    [mended] = recover(tmp_path)
    adopted = list(read_exchanges_after(tmp_path, mended.file))
    numbers = [int(exchange.url.rpartition("/")[2]) for _, exchange in adopted]
    assert numbers == list(range(len(numbers)))
    assert len(numbers) >= len(acknowledged) > 0
    for line, (location, _) in zip(acknowledged, adopted, strict=False):
        assert line[1:3] == [location.file, str(location.offset)]
    tally = ReadTally()
    assert len(list(read_captures(tmp_path, tally))) == len(numbers)
    assert tally.damaged == 0
    assert recover(tmp_path) == ()


@pytest.mark.parametrize("cut", [1, 5, 8, 9, 100, 400])
def test_the_incomplete_record_at_the_end_is_cut_off(tmp_path: Path, cut: int) -> None:
    file, ends = die_after(tmp_path, 4)
    os.truncate(file, ends[-1] - cut)
    [mended] = recover(tmp_path)
    assert mended.file == file.name
    assert ends[-2] <= mended.size < ends[-1]
    assert mended.size == file.stat().st_size
    assert [e.url[-1] for _, e in read_exchanges_after(tmp_path, file.name)] == ["0", "1", "2"]


def test_a_whole_file_is_left_as_it_is(tmp_path: Path) -> None:
    file, ends = die_after(tmp_path, 3)
    assert recover(tmp_path) == (RecoveredFile(file.name, ends[-1], 0),)


def test_what_is_known_is_not_read_again(tmp_path: Path) -> None:
    file, ends = die_after(tmp_path, 3)
    with file.open("r+b") as stream:
        stream.write(b"\0" * 50)  # would end the file at 0 if it were looked at
    assert recover(tmp_path, {file.name: ends[1]}) == (RecoveredFile(file.name, ends[-1], 0),)


def test_only_what_came_after_is_handed_over(tmp_path: Path) -> None:
    file, ends = die_after(tmp_path, 4)
    recover(tmp_path)
    assert [e.url[-1] for _, e in read_exchanges_after(tmp_path, file.name, ends[1])] == ["2", "3"]
    assert list(read_exchanges_after(tmp_path, file.name, ends[3])) == []


def test_the_file_of_a_living_writer_is_left_alone(tmp_path: Path) -> None:
    with ArchiveWriter(tmp_path) as writer:
        location = writer.write(make_exchange(0))
        size = (tmp_path / location.file).stat().st_size
        assert recover(tmp_path) == ()
        assert (tmp_path / location.file).stat().st_size == size
        writer.write(make_exchange(1))
    assert recover(tmp_path) == ()
    assert len(list(read_captures(tmp_path))) == 2


def test_a_writer_killed_before_its_first_record_leaves_nothing_to_mend(tmp_path: Path) -> None:
    (tmp_path / "x.warc.gz.open").touch()
    assert recover(tmp_path) == (RecoveredFile("x.warc.gz", 0, 0),)
    assert recover(tmp_path) == ()


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="No such file"):
        list(read_exchanges_after(tmp_path, "none.warc.gz"))
