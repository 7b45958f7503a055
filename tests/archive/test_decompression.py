import bz2
import gzip
import io
import lzma
import random
from collections.abc import Callable

import pytest
import zstandard

from threadmill.archive.decompression import ArchiveChunk, RewindableStream, read_chunks, read_gzip_chunks
from threadmill.errors import ArchiveError

TEXT = b"WARC/1.0 some text of an archive"
NOISE = random.Random(1).randbytes(3_000_000)


@pytest.mark.parametrize(
    "pack", [bytes, gzip.compress, bz2.compress, lzma.compress, zstandard.ZstdCompressor().compress]
)
def test_every_compression_gives_the_same_bytes(pack: Callable[[bytes], bytes]) -> None:
    for data in (TEXT, b"WARC/" + NOISE):
        chunks, plain = read_chunks(io.BytesIO(pack(data)))
        found = list(chunks)
        assert b"".join(chunk.data for chunk in found) == data
        assert [chunk.starts for chunk in found] == [True] + [False] * (len(found) - 1)
        assert max(len(chunk.data) for chunk in found) <= 2 << 20
        assert plain is (pack is bytes)


def test_members_know_where_they_begin_and_end() -> None:
    one, two = gzip.compress(b"one"), gzip.compress(b"two")
    chunks, _ = read_chunks(io.BytesIO(one + two))
    size = len(one) + len(two)
    assert list(chunks) == [
        ArchiveChunk(0, b"one", True, len(one), len(one)),
        ArchiveChunk(len(one), b"two", True, len(two), size),
    ]


def test_a_member_longer_than_a_chunk_ends_once() -> None:
    packed = gzip.compress(NOISE)
    found = list(read_gzip_chunks(RewindableStream(io.BytesIO(packed))))
    assert [chunk.ends for chunk in found] == [0] * (len(found) - 1) + [len(packed)]
    assert all(chunk.length == 0 for chunk in found)


def test_reading_goes_on_behind_a_damaged_member() -> None:
    members = [gzip.compress(part) for part in (b"one", b"two", b"three")]
    broken = bytearray(members[1])
    broken[-6] ^= 1
    found = list(read_gzip_chunks(RewindableStream(io.BytesIO(members[0] + broken + members[2]))))
    assert [chunk.data for chunk in found if not chunk.problem] == [b"one", b"three"]
    problems = [(chunk.offset, chunk.problem.partition(" (")[0]) for chunk in found if chunk.problem]
    assert problems == [(len(members[0]), "corrupt gzip member")]


def test_a_cut_member_is_named_and_offsets_count_from_the_given_one() -> None:
    packed = gzip.compress(NOISE)
    stream = RewindableStream(io.BytesIO(gzip.compress(b"one") + packed[:-100]), offset=1000)
    found = list(read_gzip_chunks(stream))
    assert found[0].offset == 1000
    assert found[-1].problem == "truncated gzip member"
    assert found[-1].offset == 1000 + len(gzip.compress(b"one"))


def test_bytes_between_members_are_a_problem() -> None:
    one = gzip.compress(b"one")
    found = list(read_gzip_chunks(RewindableStream(io.BytesIO(one + b"garbage" + one))))
    assert [chunk.data or chunk.problem for chunk in found] == [
        b"one",
        "garbage between gzip members",
        b"one",
    ]


@pytest.mark.parametrize("magic", [b"\x04\x22\x4d\x18", b"\x02\x21\x4c\x18"])
def test_lz4_is_refused_by_its_name_and_not_read_as_a_page(magic: bytes) -> None:
    with pytest.raises(ArchiveError, match="this is lz4; unpack it first: lz4 -d FILE"):
        read_chunks(io.BytesIO(magic + b"<p>a page</p>"))
