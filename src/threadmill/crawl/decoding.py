"""Content encodings taken off a body, bounded against bombs; what a broken body yields is kept, and said."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator

from isal import isal_zlib

from threadmill.types import Exchange

# What we say we understand; brotli and zstd come with two small C packages.
ACCEPTED = "gzip, deflate, br, zstd"

# Log rotation makes files of a few members; a body of a million tiny ones costs a copy of it for each.
_MAX_MEMBERS = 1000

_Decoder = Callable[[bytes, int], tuple[bytes, str]]


def decode(body: bytes, encodings: str, limit: int) -> tuple[bytes, str]:
    """The body without its content encodings, at most `limit` bytes of it, and what is wrong with it."""
    names = [name.strip().lower() for name in encodings.split(",")] if encodings else []
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


def decode_exchange(exchange: Exchange, limit: int) -> tuple[bytes, str]:
    """The body of an exchange without its content encodings, and what is wrong with it."""
    encodings = [value for name, value in exchange.headers if name.lower() == "content-encoding"]
    if not encodings:
        return exchange.body, ""
    return decode(exchange.body, ",".join(encodings), limit)


def gunzip(body: bytes, limit: int) -> tuple[bytes, str]:
    """All gzip members of a body; a body that is not gzip at all was sent as it is by a confused server."""
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
    """What a gzip file holds, piece by piece: up to the limit, or to where it breaks."""
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
    """Deflate as RFC 9110 says (zlib) or as some servers do (raw)."""
    payload, flaw, _ = _inflate(body, zlib.MAX_WBITS, limit)
    if payload or not flaw:
        return payload, flaw
    payload, flaw, _ = _inflate(body, -zlib.MAX_WBITS, limit)
    return payload, flaw


def _inflate(body: bytes, window: int, limit: int) -> tuple[bytes, str, bytes]:
    """One zlib stream: what it yields, what is wrong with it, what follows it."""
    machine = isal_zlib.decompressobj(window)
    try:
        payload = machine.decompress(body, limit + 1)
    except isal_zlib.error:  # type: ignore[misc]  # its stub calls the class an instance
        return _inflate_sound_part(body, window, limit), "bad-encoding", b""
    if len(payload) > limit:
        return payload[:limit], "too-large", b""
    if not machine.eof:
        return payload, "bad-encoding", b""
    return payload, "", machine.unused_data


def _inflate_sound_part(body: bytes, window: int, limit: int) -> bytes:
    """What comes out before the stream breaks: zlib throws away a step that fails, so the steps are small."""
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

    # RFC 9659: a window over 8 MB is not for content encoding.
    decompressor = zstandard.ZstdDecompressor(max_window_size=8 * 1024 * 1024)
    machine = decompressor.decompressobj()
    pieces: list[bytes] = []
    size = 0
    # Four bytes can stand for 128 kB: steps of this size overshoot the limit by 16 MB at worst.
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
