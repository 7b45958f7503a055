"""Removes transfer and content encodings from a body, within a limit; broken bodies yield what they can."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator

from isal import isal_zlib

# No page has 64 MB. One megabyte of gzip can expand to a thousand.
MAX_PAYLOAD_BYTES = 1 << 26
# More nested codings than this are an attack. Two have been seen in the wild (gzip of gzip).
_MAX_CODINGS = 4
# Log rotation makes files of a few members. A body of a million tiny members would be copied for each.
_MAX_MEMBERS = 1000

_Decoder = Callable[[bytes, int], tuple[bytes, str]]


class CodingError(ValueError):
    """A body is not encoded as its headers say."""


def decode_body(body: bytes, transfer: str, content: str, limit: int = MAX_PAYLOAD_BYTES) -> bytes:
    """Return the payload of an archived body.

    Raises CodingError when nothing can be decoded, or when the payload exceeds the limit.
    """
    if "chunked" in transfer.lower():
        body = dechunk(body)
    if not content:
        return body
    payload, flaw = decode(body, content, limit)
    if flaw == "too-large":
        raise CodingError(f"decodes to more than {limit} bytes")
    if flaw == "unknown-encoding" or (flaw == "bad-encoding" and not payload):
        raise CodingError(f"{flaw.replace('-', ' ')} {content[:40]!r}")
    return payload


def decode(body: bytes, encodings: str, limit: int) -> tuple[bytes, str]:
    """Return the body without its content encodings, up to `limit` bytes, and what is wrong with it."""
    names = [name.strip().lower() for name in encodings.split(",")] if encodings else []
    if len(names) > _MAX_CODINGS:
        return body[:limit], "unknown-encoding"
    worst = ""
    for name in reversed(names):
        decoder = _DECODERS.get(name)
        if decoder is None:
            if name not in {"", "identity", "none", "utf-8"}:
                worst = worst or "unknown-encoding"
            continue
        if not body:
            break
        body, flaw = decoder(body, limit)
        worst = worst or flaw
    return body, worst


def dechunk(body: bytes) -> bytes:
    """Join the chunks of a body. A body without chunks was already joined by the crawler that wrote it."""
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


def gunzip(body: bytes, limit: int) -> tuple[bytes, str]:
    """Decompress all gzip members of a body.

    A body that is not gzip is returned as it is: some servers lie.
    """
    if body[:2] != b"\x1f\x8b":
        return body[:limit], "not-encoded"
    pieces: list[bytes] = []
    room = limit
    for _ in range(_MAX_MEMBERS):
        piece, flaw, body = _inflate(body, zlib.MAX_WBITS | 16, room)
        pieces.append(piece)
        room -= len(piece)
        if flaw or body[:2] != b"\x1f\x8b":
            return b"".join(pieces), flaw
    return b"".join(pieces), "too-large"


def stream_gunzip(body: bytes, limit: int) -> Iterator[bytes]:
    """Yield the content of a gzip file in parts, up to the limit or to the first damage."""
    machine = zlib.decompressobj(zlib.MAX_WBITS | 16)
    members = 1
    for start in range(0, len(body), 16384):
        data = body[start : start + 16384]
        while data and limit > 0:
            try:
                piece = machine.decompress(data, min(limit, 65536))
            except zlib.error:
                return
            limit -= len(piece)
            yield piece
            data = machine.unconsumed_tail
            if machine.eof:
                data, machine = machine.unused_data, zlib.decompressobj(zlib.MAX_WBITS | 16)
                members += 1
                if members > _MAX_MEMBERS:
                    return


def _undeflate(body: bytes, limit: int) -> tuple[bytes, str]:
    """Decompress deflate, in the zlib form of RFC 9110 or in the raw form of some servers."""
    payload, flaw, _ = _inflate(body, zlib.MAX_WBITS, limit)
    if payload or not flaw:
        return payload, flaw
    payload, flaw, _ = _inflate(body, -zlib.MAX_WBITS, limit)
    return payload, flaw


def _inflate(body: bytes, window: int, limit: int) -> tuple[bytes, str, bytes]:
    """Decompress one zlib stream; return its output, what is wrong with it, and the bytes after it."""
    machine = isal_zlib.decompressobj(window)
    try:
        payload = machine.decompress(body, limit + 1)
    except isal_zlib.error:  # type: ignore[misc]  # its stub calls the class an instance
        return _inflate_until_broken(body, window, limit), "bad-encoding", b""
    if len(payload) > limit:
        return payload[:limit], "too-large", b""
    if not machine.eof:
        return payload, "bad-encoding", b""
    return payload, "", machine.unused_data


def _inflate_until_broken(body: bytes, window: int, limit: int) -> bytes:
    """Return what comes out before the stream breaks.

    zlib drops the output of a failing step, so steps are small.
    """
    machine = zlib.decompressobj(window)
    pieces: list[bytes] = []
    room = limit
    try:
        for start in range(0, len(body), 64):
            piece = machine.decompress(body[start : start + 64], room) if room else b""
            pieces.append(piece)
            room -= len(piece)
    except zlib.error:
        pass
    return b"".join(pieces)


def _unbrotli(body: bytes, limit: int) -> tuple[bytes, str]:
    import brotli

    machine = brotli.Decompressor()
    pieces: list[bytes] = []
    size = 0
    try:
        piece = machine.process(body, output_buffer_limit=limit + 1)
        while piece and size <= limit:
            pieces.append(piece)
            size += len(piece)
            if machine.is_finished():
                break
            piece = machine.process(b"", output_buffer_limit=limit + 1)
    except brotli.error:
        return b"".join(pieces)[:limit], "bad-encoding"
    if size > limit:
        return b"".join(pieces)[:limit], "too-large"
    return b"".join(pieces), "" if machine.is_finished() else "bad-encoding"


def _unzstd(body: bytes, limit: int) -> tuple[bytes, str]:
    import zstandard

    # RFC 9659 forbids windows over 8 MB in content encodings.
    decompressor = zstandard.ZstdDecompressor(max_window_size=8 * 1024 * 1024)
    machine = decompressor.decompressobj()
    pieces: list[bytes] = []
    size = 0
    # Four bytes can stand for 128 kB. Steps of this size exceed the limit by 16 MB at worst.
    for start in range(0, len(body), 512):
        left = body[start : start + 512]
        while left:
            if machine.eof:
                machine = decompressor.decompressobj()
            try:
                pieces.append(machine.decompress(left))
            except zstandard.ZstdError:
                return b"".join(pieces), "bad-encoding"
            size += len(pieces[-1])
            if size > limit:
                return b"".join(pieces)[:limit], "too-large"
            left = machine.unused_data if machine.eof else b""
    return b"".join(pieces), "" if machine.eof else "bad-encoding"


_DECODERS: dict[str, _Decoder] = {
    "gzip": gunzip,
    "x-gzip": gunzip,
    "deflate": _undeflate,
    "br": _unbrotli,
    "zstd": _unzstd,
}
