"""Bodies without their content encodings."""

import gzip
import zlib
from datetime import UTC, datetime

import pytest

from threadmill.crawl.fetch.decoding import ACCEPTED, decode_exchange
from threadmill.types import Exchange


def _exchange(body: bytes, *encodings: str) -> Exchange:
    headers = tuple(("content-ENCODING", encoding) for encoding in encodings)
    return Exchange("http://e.com/", datetime(2026, 1, 1, tzinfo=UTC), b"", 200, "", headers, body, "", "")


@pytest.mark.parametrize(
    ("body", "encodings"),
    [
        (b"page", ()),
        (gzip.compress(b"page", mtime=0), ("gzip",)),
        (gzip.compress(zlib.compress(b"page"), mtime=0), ("deflate", "gzip")),
        (gzip.compress(zlib.compress(b"page"), mtime=0), ("deflate, gzip",)),
    ],
)
def test_encodings_are_removed_in_the_reverse_order(body: bytes, encodings: tuple[str, ...]) -> None:
    assert decode_exchange(_exchange(body, *encodings), 1000) == (b"page", "")


def test_a_body_that_is_not_encoded_as_it_says_has_a_flaw() -> None:
    body, flaw = decode_exchange(_exchange(b"page", "gzip"), 1000)
    assert (body, bool(flaw)) == (b"page", True)


def test_the_encodings_asked_for_are_named() -> None:
    assert ACCEPTED == "gzip, deflate, br, zstd"
