import pytest

from threadmill.archive.decompression import ArchiveChunk
from threadmill.archive.read_tally import ReadTally, RecordPlace
from threadmill.archive.warc_records import (
    WarcRecord,
    WarcRecordReader,
    decode_header,
    find_header,
    head_end,
    header_pairs,
)

HEAD = b"WARC/1.0\r\nWARC-Type: Response\r\nContent-Length: 5\r\n\r\n"
RECORD = HEAD + b"hello\r\n\r\n"


def read(*chunks: ArchiveChunk) -> tuple[list[WarcRecord], ReadTally]:
    tally = ReadTally()
    return list(WarcRecordReader(iter(chunks), "f", tally)), tally


def test_a_record_that_fills_its_member_knows_its_compressed_length() -> None:
    [record], tally = read(ArchiveChunk(40, RECORD, True, 99, 139))
    assert (record.kind, record.block, record.place, record.length) == (
        "response",
        b"hello",
        RecordPlace("f", 40),
        99,
    )
    assert tally.records == 1


def test_records_that_share_a_member_have_an_inner_offset_and_no_length() -> None:
    records, _ = read(ArchiveChunk(40, RECORD + RECORD, True, 99, 139))
    assert [record.place.inner for record in records] == [0, len(RECORD)]
    assert [record.length for record in records] == [0, 0]


@pytest.mark.parametrize("cut", range(1, len(RECORD)))
def test_a_record_may_be_cut_into_chunks_anywhere(cut: int) -> None:
    records, tally = read(ArchiveChunk(0, RECORD[:cut], True), ArchiveChunk(0, RECORD[cut:], False))
    assert [record.block for record in records] == [b"hello"]
    assert tally.damaged == 0


def test_headers_are_found_in_any_spelling() -> None:
    head = b"WARC/1.0\r\nwarc-type: a\r\nWARC-Date:  b \r\nX: one\r\n two\r\nno colon\r\n\r\n"
    assert find_header(head, b"WARC-Type") == "a"
    assert find_header(head, b"WARC-Date") == "b"
    assert find_header(head, b"X") == "one two"
    assert find_header(head, b"Y") == ""
    assert header_pairs(head) == [("warc-type", "a"), ("WARC-Date", "b"), ("X", "one two")]


def test_headers_are_utf_8_or_latin_1() -> None:
    assert decode_header("ü".encode()) == "ü"
    assert decode_header(b"\xfc") == "ü"


def test_the_end_of_headers_is_behind_the_empty_line() -> None:
    assert head_end(b"a: b\r\n\r\nbody", 0) == 8
    assert head_end(b"a: b\n\nbody", 0) == 6
    assert head_end(b"a: b\r\nbody", 0) == -1
    assert head_end(b"a: b\r\n\r\nbody", 0, 7) == -1
