import gzip
import io
import lzma
import random
import subprocess
import sys
import tracemalloc
import zlib
from pathlib import Path

import brotli
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from threadmill.archive import ReadTally, read_at, read_captures
from threadmill.archive.read_tally import SkippedRecord
from threadmill.archive.warc_reader import capture_of, stream_records
from threadmill.archive.warc_records import _MAX_RESCANS
from threadmill.errors import ArchiveError
from threadmill.types import Capture, Location

PAGE = b"<p>hello</p>" * 20


def http(body: bytes = PAGE, headers: bytes = b"Content-Type: text/html\r\n") -> bytes:
    return b"HTTP/1.1 200 OK\r\n" + headers + b"\r\n" + body


def record(
    number: int, block: bytes | None = None, *, kind: str = "response", length: object = None
) -> bytes:
    block = http() if block is None else block
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:x:{number}>\r\n"
        f"WARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Target-URI: http://example.com/{number}\r\n"
        "Content-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(block) if length is None else length}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def read(data: bytes, tally: ReadTally | None = None) -> list[Capture]:
    tally = ReadTally() if tally is None else tally
    records = stream_records(io.BytesIO(data), "f", tally)
    return [capture for r in records if (capture := capture_of(r, tally)) is not None]


def numbers(captures: list[Capture]) -> list[int]:
    return [int(capture.url.rpartition("/")[2]) for capture in captures]


def zstd(*parts: bytes) -> bytes:
    return b"".join(zstandard.ZstdCompressor().compress(part) for part in parts)


RECORDS = [record(n) for n in range(5)]
MEMBERS = [gzip.compress(r) for r in RECORDS]
FORMS = {
    "plain": b"".join(RECORDS),
    "gzip by record": b"".join(MEMBERS),
    "gzip as a whole": gzip.compress(b"".join(RECORDS)),
    "gzip in blocks": b"".join(gzip.compress(b"".join(RECORDS)[i : i + 100]) for i in range(0, 5 * 600, 100)),
    "xz": lzma.compress(b"".join(RECORDS)),
    "zstd by record": zstd(*RECORDS),
    "zstd as a whole": zstd(b"".join(RECORDS)),
    "newlines of one byte": b"".join(RECORDS).replace(b"\r\n", b"\n").replace(b"Length: 284", b"Length: 281"),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_read(form: str) -> None:
    tally = ReadTally()
    captures = read(FORMS[form], tally)
    assert numbers(captures) == [0, 1, 2, 3, 4]
    assert {capture.payload for capture in captures} == {PAGE}
    assert tally.damaged == 0
    assert tally.records == 5


@pytest.mark.parametrize("form", FORMS)
def test_files_directories_and_standard_input_read_the_same(form: str, tmp_path: Path) -> None:
    file = tmp_path / "deep" / "a.warc.gz"
    file.parent.mkdir()
    file.write_bytes(FORMS[form])
    wanted = [0, 1, 2, 3, 4]
    assert numbers(list(read_captures(file))) == wanted
    assert numbers(list(read_captures(tmp_path))) == wanted
    code = "from threadmill.archive import read_captures; print([c.url[-1] for c in read_captures('-')])"
    done = subprocess.run([sys.executable, "-c", code], input=FORMS[form], capture_output=True, check=True)
    assert done.stdout.decode().strip() == "['0', '1', '2', '3', '4']"


@pytest.mark.parametrize("form", ["plain", "gzip by record"])
def test_each_capture_names_its_place_and_is_found_there_again(form: str, tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    file.write_bytes(FORMS[form])
    for capture in read_captures(file):
        name, _, offset = capture.source.rpartition(":")
        assert name == str(file)
        assert read_at(tmp_path, Location("a.warc.gz", int(offset), 0, "")) == capture


def test_a_place_where_nothing_is_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(MEMBERS[0])
    with pytest.raises(ArchiveError, match="at offset 7"):
        read_at(tmp_path, Location("a.warc.gz", 7, 100, ""))


def test_what_is_no_http_response_is_counted_and_named() -> None:
    tally = ReadTally()
    parts = [record(0, kind="request"), record(1, b"dns answer"), record(2, kind="metadata"), record(3)]
    assert numbers(read(b"".join(map(gzip.compress, parts)), tally)) == [3]
    assert tally.skipped == {"request record": 1, "not HTTP": 1, "metadata record": 1}
    assert tally.damaged == 0
    offset = len(gzip.compress(parts[0]))
    assert SkippedRecord(f"f:{offset}", "not HTTP") in tally.named


DAMAGED = {
    "cut member": ([*MEMBERS[:4], MEMBERS[4][:-40]], [0, 1, 2, 3]),
    "cut record": ([*RECORDS[:4], RECORDS[4][:-100]], [0, 1, 2, 3]),
    "cut head": ([*RECORDS[:4], RECORDS[4][:50]], [0, 1, 2, 3]),
    "flipped bit": (
        [*MEMBERS[:2], MEMBERS[2][:150] + b"\xff\0\xff" + MEMBERS[2][153:], *MEMBERS[3:]],
        [0, 1, 3, 4],
    ),
    "wrong checksum": ([*MEMBERS[:2], MEMBERS[2][:-6] + b"ab" + MEMBERS[2][-4:], *MEMBERS[3:]], [0, 1, 3, 4]),
    "garbage between members": ([*MEMBERS[:2], b"garbage\x1f\x8b\x08" * 9, *MEMBERS[2:]], [0, 1, 2, 3, 4]),
    "garbage between records": ([*RECORDS[:2], b"garbage\n" * 9, *RECORDS[2:]], [0, 1, 2, 3, 4]),
    "garbage member": ([*MEMBERS[:2], gzip.compress(b"hello" * 99), *MEMBERS[2:]], [0, 1, 2, 3, 4]),
    "garbage at the end": ([*MEMBERS, b"\0" * 512], [0, 1, 2, 3, 4]),
    "length too long": ([*MEMBERS[:2], gzip.compress(record(2, length=5000)), *MEMBERS[3:]], [0, 1, 3, 4]),
    "length too long, plain": ([*RECORDS[:2], record(2, length=700), *RECORDS[3:]], [0, 1, 3, 4]),
    "length too short": ([*MEMBERS[:2], gzip.compress(record(2, length=100)), *MEMBERS[3:]], [0, 1, 3, 4]),
    "length too short, plain": ([*RECORDS[:2], record(2, length=100), *RECORDS[3:]], [0, 1, 3, 4]),
    "length beyond all": (
        [*MEMBERS[:2], gzip.compress(record(2, length=10**15)), *MEMBERS[3:]],
        [0, 1, 3, 4],
    ),
    "length beyond all, plain": ([*RECORDS[:2], record(2, length=50_000_000), *RECORDS[3:]], [0, 1, 3, 4]),
    "negative length": ([*RECORDS[:2], record(2, length=-5), *RECORDS[3:]], [0, 1, 3, 4]),
    "length in words": ([*RECORDS[:2], record(2, length="many"), *RECORDS[3:]], [0, 1, 3, 4]),
    "length of 5000 digits": ([*RECORDS[:2], record(2, length="9" * 5000), *RECORDS[3:]], [0, 1, 3, 4]),
    "endless head": ([*RECORDS[:2], b"WARC/1.0\r\n" + b"X: y\r\n" * 99_999, *RECORDS[2:]], [0, 1, 2, 3, 4]),
    "no gzip inside": (
        [*MEMBERS[:2], gzip.compress(record(2, http(b"x", b"Content-Encoding: br\r\n")))],
        [0, 1],
    ),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_damage_is_named_and_the_rest_is_read(case: str) -> None:
    parts, survivors = DAMAGED[case]
    tally = ReadTally()
    assert numbers(read(b"".join(parts), tally)) == survivors
    assert tally.damaged >= 1
    assert all(skip.where.startswith("f:") for skip in tally.named)


def test_a_flipped_bit_is_named_by_the_offset_of_its_record() -> None:
    tally = ReadTally()
    read(b"".join(DAMAGED["flipped bit"][0]), tally)
    assert [skip.where for skip in tally.named] == [f"f:{len(MEMBERS[0]) + len(MEMBERS[1])}"]


def test_one_damage_is_told_once() -> None:
    for case, (parts, _) in DAMAGED.items():
        tally = ReadTally()
        read(b"".join(parts), tally)
        assert tally.damaged <= 2, (case, tally.skipped)


def test_nothing_is_nothing() -> None:
    tally = ReadTally()
    assert read(b"", tally) == []
    assert tally.damaged == 0


def test_arc_is_a_clear_error() -> None:
    arc = b"filedesc://x.arc 0.0.0.0 20040101000000 text/plain 10\n1 0 x\nabc\n\n"
    for data in (arc, gzip.compress(arc)):
        with pytest.raises(ArchiveError, match="older ARC"):
            read(data)


def test_a_file_that_cannot_be_opened_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="No such file"):
        list(read_captures(tmp_path / "none.warc.gz"))


@pytest.mark.parametrize(
    ("coding", "encoded"),
    [
        ("gzip", gzip.compress(PAGE)),
        ("x-gzip", gzip.compress(PAGE[:40]) + gzip.compress(PAGE[40:])),
        ("deflate", zlib.compress(PAGE)),
        ("deflate", zlib.compress(PAGE, wbits=-15)),
        ("br", brotli.compress(PAGE)),
        ("zstd", zstd(PAGE)),
        ("gzip, gzip", gzip.compress(gzip.compress(PAGE))),
        ("gzip", PAGE),
        ("identity", PAGE),
    ],
    ids=["gzip", "members", "zlib", "raw", "br", "zstd", "twice", "none", "identity"],
)
def test_content_encodings_are_undone(coding: str, encoded: bytes) -> None:
    [capture] = read(record(0, http(encoded, b"Content-Encoding: %s\r\n" % coding.encode())))
    assert capture.payload == PAGE


def test_chunks_are_joined_where_there_are_any() -> None:
    chunked = b"5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n"
    headers = b"Transfer-Encoding: chunked\r\n"
    assert read(record(0, http(chunked, headers)))[0].payload == b"hello world"
    assert read(record(0, http(PAGE, headers)))[0].payload == PAGE


def test_a_bomb_is_skipped_within_bounds() -> None:
    bomb = gzip.compress(gzip.compress(bytes(100_000_000), 1))
    data = gzip.compress(record(0, http(bomb, b"Content-Encoding: gzip, gzip\r\n"))) + MEMBERS[1]
    tally = ReadTally()
    tracemalloc.start()
    assert numbers(read(data, tally)) == [1]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "more than" in next(tally.named).reason
    assert peak < 250_000_000


def test_a_record_larger_than_any_page_is_passed_by_in_little_memory() -> None:
    body = bytes(100_000_000)
    data = gzip.compress(record(0, http(body)), 1) + MEMBERS[1]
    del body
    tally = ReadTally()
    tracemalloc.start()
    assert numbers(read(data, tally)) == [1]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert tally.damaged == 0
    assert peak < 20_000_000


def test_lines_that_go_on_and_odd_spellings_are_understood() -> None:
    odd = record(7, http(headers=b"X-\xe4: \xfc\r\n")).replace(
        b"WARC-Target-URI: http://example.com/7", b"warc-target-uri:\r\n  <http://example.com/7>"
    )
    [capture] = read(odd)
    assert capture.url == "http://example.com/7"
    assert capture.headers == (("X-ä", "ü"),)


def test_a_text_record_is_plain_text() -> None:
    wet = record(0, "Grüße".encode(), kind="conversion").replace(
        b"application/http; msgtype=response", b"text/plain"
    )
    [capture] = read(wet)
    assert (capture.content_type, capture.payload.decode()) == ("text/plain", "Grüße")


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(FORMS)), st.randoms(use_true_random=False), st.integers(1, 6))
def test_any_damage_is_survived(form: str, chance: random.Random, wounds: int) -> None:
    data = bytearray(FORMS[form])
    for _ in range(wounds):
        at = chance.randrange(len(data) + 1) - 1
        if at < 0:
            continue
        kind = chance.randrange(4)
        if kind == 0:
            data[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            del data[at : at + chance.randrange(1, 200)]
        elif kind == 2:
            data[at:at] = chance.randbytes(chance.randrange(1, 200))
        else:
            data[at:at] = data[max(0, at - 100) : at]
    read(bytes(data) or b"x")


def test_only_so_many_false_lengths_are_searched_again() -> None:
    head = b"WARC/1.0\r\nContent-Length: 60000000\r\n\r\n"
    tally = ReadTally()
    assert read(head * 500, tally) == []
    assert tally.damaged == _MAX_RESCANS + 1


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 4), st.randoms(use_true_random=False), st.booleans())
def test_damage_to_one_record_costs_no_other(victim: int, chance: random.Random, compressed: bool) -> None:
    parts = [bytearray(part) for part in (MEMBERS if compressed else RECORDS)]
    for _ in range(chance.randrange(1, 5)):
        parts[victim][chance.randrange(len(parts[victim]))] ^= 1 << chance.randrange(8)
    urls = {capture.url for capture in read(b"".join(parts))}
    # The damage may change the victim's own URL: only the URLs of the others are known.
    assert urls >= {f"http://example.com/{number}" for number in range(5) if number != victim}


def dictionary_frame(dictionary: bytes) -> bytes:
    """The skippable frame that opens a .warc.zst file with a dictionary."""
    return b"\x5d\x2a\x4d\x18" + len(dictionary).to_bytes(4, "little") + dictionary


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "compressed"])
def test_a_zstandard_file_may_bring_its_dictionary(packed: bool) -> None:
    dictionary = zstandard.train_dictionary(
        1000, [record(n)[k : k + 300] for n in range(40) for k in (0, 200)]
    )
    compressor = zstandard.ZstdCompressor(dict_data=dictionary)
    content = zstd(dictionary.as_bytes()) if packed else dictionary.as_bytes()
    data = dictionary_frame(content) + b"".join(compressor.compress(part) for part in RECORDS)
    assert numbers(read(data)) == [0, 1, 2, 3, 4]


LARGE = [record(n, http(random.Random(n).randbytes(400_000))) for n in range(5)]
ZSTD_DAMAGE = {
    "cut frame": (zstd(*LARGE)[:-1000], "incomplete frame"),
    "cut magic number": (zstd(*LARGE) + b"\x28\xb5", "incomplete frame"),
    "garbage behind the frames": (zstd(*LARGE) + b"garbage" * 9, "Unknown frame descriptor"),
    "cut size of the dictionary": (dictionary_frame(b"")[:6], "incomplete dictionary"),
    "cut dictionary": (dictionary_frame(b"x" * 99)[:50], "incomplete dictionary"),
}


@pytest.mark.parametrize("case", ZSTD_DAMAGE)
def test_a_damaged_zstandard_file_is_read_up_to_the_megabyte_of_the_damage(case: str) -> None:
    data, reason = ZSTD_DAMAGE[case]
    tally = ReadTally()
    whole = [] if "dictionary" in case else [0, 1]  # of 2 MB, the first is sound
    assert numbers(read(data, tally)) == whole
    assert f"corrupt compressed data ({reason})" in tally.skipped
    assert tally.damaged >= 1


def test_frames_that_hold_no_data_are_skipped() -> None:
    comment = b"\x50\x2a\x4d\x18\x05\0\0\0hello"
    assert numbers(read(comment + zstd(*RECORDS[:2]) + comment + zstd(*RECORDS[2:]))) == [0, 1, 2, 3, 4]
