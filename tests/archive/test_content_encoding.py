from __future__ import annotations

import gzip
import zlib

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from threadmill.archive.content_encoding import decode, stream_gunzip

LIMIT = 100_000


def _raw_deflate(data: bytes) -> bytes:
    machine = zlib.compressobj(wbits=-15)
    return machine.compress(data) + machine.flush()


def _streamed_zstd(data: bytes) -> bytes:
    """As servers write it: a frame that does not tell its size."""
    machine = zstandard.ZstdCompressor().compressobj()
    return machine.compress(data) + machine.flush()


ENCODERS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "Deflate": _raw_deflate,
    "br": brotli.compress,
    "zstd": zstandard.ZstdCompressor().compress,
    "ZSTD": _streamed_zstd,
}


@pytest.mark.parametrize("name", ENCODERS)
@given(body=st.binary(max_size=2000))
def test_what_was_encoded_is_decoded(name: str, body: bytes) -> None:
    assert decode(ENCODERS[name](body), name, LIMIT) == (body, "")


@pytest.mark.parametrize("name", ENCODERS)
def test_a_bomb_is_stopped_at_the_limit(name: str) -> None:
    payload, flaw = decode(ENCODERS[name](bytes(5_000_000)), name, LIMIT)
    assert (payload, flaw) == (bytes(LIMIT), "too-large")


@pytest.mark.parametrize("name", ENCODERS)
def test_a_body_that_ends_too_early_gives_what_it_has(name: str) -> None:
    words = b" ".join(b"%d" % (number * 7919 % 10007) for number in range(10_000))
    encoded = ENCODERS[name](words)
    payload, flaw = decode(encoded[: len(encoded) * 3 // 4], name, LIMIT)
    assert flaw == "bad-encoding"
    assert words.startswith(payload)
    if name.lower() != "zstd":  # zstd decodes whole blocks of up to 128 kB only
        assert len(payload) > len(words) // 2


@pytest.mark.parametrize("name", ["gzip", "deflate"])
def test_a_body_that_breaks_gives_what_came_before(name: str) -> None:
    words = b" ".join(b"%d" % (number * 7919 % 10007) for number in range(10_000))
    encoded = bytearray(ENCODERS[name](words))
    half = len(encoded) // 2
    encoded[half : half + 100] = bytes(100)
    payload, flaw = decode(bytes(encoded), name, LIMIT)
    assert flaw == "bad-encoding"
    assert payload[: len(words) // 3] == words[: len(words) // 3]


def test_encodings_are_taken_off_in_reverse_order() -> None:
    assert decode(brotli.compress(gzip.compress(b"words")), "gzip, br", LIMIT) == (b"words", "")


@pytest.mark.parametrize("name", ["gzip", "zstd", "ZSTD"])
def test_members_of_a_body_are_joined(name: str) -> None:
    encode = ENCODERS[name]
    assert decode(encode(b"one ") + encode(b"two"), name, LIMIT) == (b"one two", "")


def test_a_million_tiny_members_do_not_keep_us_busy() -> None:
    _, flaw = decode(gzip.compress(b"") * 100_000, "gzip", LIMIT)
    assert flaw == "too-large"


def test_what_is_not_encoded_or_unknown_stays_as_it_is() -> None:
    assert decode(b"<html>", "gzip", LIMIT) == (b"<html>", "not-encoded")
    assert decode(b"<html>", "rot13", LIMIT) == (b"<html>", "unknown-encoding")
    assert decode(b"<html>", "identity", LIMIT) == (b"<html>", "")
    assert decode(b"", "gzip", LIMIT) == (b"", "")


@pytest.mark.parametrize("name", ENCODERS)
@given(noise=st.binary(max_size=300))
def test_noise_is_judged_never_raised(name: str, noise: bytes) -> None:
    payload, _ = decode(noise, name, LIMIT)
    assert len(payload) <= LIMIT


@given(st.binary(max_size=5000))
def test_a_gzip_file_streams_as_it_decodes(body: bytes) -> None:
    assert b"".join(stream_gunzip(gzip.compress(body), LIMIT)) == body
