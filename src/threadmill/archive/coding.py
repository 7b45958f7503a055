"""Transfer and content encodings undone, never beyond a limit: what a browser would have seen of a body."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING

from isal import isal_zlib

from threadmill.archive.pieces import GZIP_ERROR

if TYPE_CHECKING:
    from fastwarc.stream_io import WarcReader

# A page of 64 MB is none; gzip can blow one megabyte up to a thousand.
LARGEST_PAYLOAD = 1 << 26
# More codings than this on top of each other are an attack; two have been seen in the wild (gzip of gzip).
_MOST_CODINGS = 4


class CodingError(ValueError):
    """A body that is not encoded as it says."""


def decode_body(body: bytes, transfer: str, content: str, limit: int = LARGEST_PAYLOAD) -> bytes:
    """The payload of a body; CodingError when it cannot be had whole."""
    if "chunked" in transfer.lower():
        body = dechunk(body)
    codings = [name.strip().lower() for name in content.split(",")] if content else []
    if len(codings) > _MOST_CODINGS:
        raise CodingError(f"{len(codings)} content encodings")
    for name in reversed(codings):
        body = _decode(body, name, limit)
    return body


def dechunk(body: bytes) -> bytes:
    """Chunks joined; a body that is not chunked at all was joined by the crawler that wrote it."""
    parts: list[bytes] = []
    at = 0
    while True:
        line_end = body.find(b"\r\n", at, at + 1000)
        size = _chunk_size(body[at:line_end]) if line_end >= 0 else None
        if size is None:
            return body if not parts else b"".join(parts)
        if size == 0:
            return b"".join(parts)
        parts.append(body[line_end + 2 : line_end + 2 + size])
        at = line_end + 2 + size + 2


def _chunk_size(line: bytes) -> int | None:
    try:
        size = int(line.partition(b";")[0].strip(), 16)
    except ValueError:
        return None
    return size if size >= 0 else None


def _decode(body: bytes, name: str, limit: int) -> bytes:
    decoder = _DECODERS.get(name)
    if decoder is None:
        raise CodingError(f"unknown content encoding {name[:40]!r}")
    if not body:
        return body
    try:
        payload = decoder(body, limit + 1)
    except (OSError, EOFError, GZIP_ERROR) as error:
        raise CodingError(f"not {name}: {error}") from None
    if len(payload) > limit:
        raise CodingError(f"decodes to more than {limit} bytes")
    return payload


def _identity(body: bytes, _limit: int) -> bytes:
    return body


def _gunzip(body: bytes, limit: int) -> bytes:
    """All members; the start of a page that was cut is worth having, as browsers think too."""
    if not body.startswith(b"\x1f\x8b"):
        return body  # servers that announce gzip and send none; browsers show the page
    parts: list[bytes] = []
    left = limit
    while body.startswith(b"\x1f\x8b") and left > 0:
        inflater = isal_zlib.decompressobj(31)
        parts.append(inflater.decompress(body, left))
        left -= len(parts[-1])
        body = inflater.unused_data
    return b"".join(parts)


def _inflate(body: bytes, limit: int) -> bytes:
    """zlib's format as the standard says, raw deflate as many servers send."""
    try:
        return isal_zlib.decompressobj(15).decompress(body, limit)
    except GZIP_ERROR:
        return isal_zlib.decompressobj(-15).decompress(body, limit)


def _unbrotli(body: bytes, limit: int) -> bytes:
    from fastwarc.stream_io import BrotliReader

    return _read_all(BrotliReader(io.BytesIO(body)), limit)


def _unzstd(body: bytes, limit: int) -> bytes:
    from fastwarc.stream_io import ZstdReader

    return _read_all(ZstdReader(io.BytesIO(body)), limit)


def _read_all(reader: WarcReader, limit: int) -> bytes:
    parts: list[bytes] = []
    left = limit
    while left > 0 and (part := reader.read(min(left, 1 << 20))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


_DECODERS: dict[str, Callable[[bytes, int], bytes]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _inflate,
    "br": _unbrotli,
    "zstd": _unzstd,
    "identity": _identity,
    "": _identity,
    "none": _identity,
    "utf-8": _identity,  # a charset put in the wrong header; seen in Common Crawl
}
