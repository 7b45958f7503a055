"""Content encodings: those we ask servers for, and how a body is decoded."""

from __future__ import annotations

from threadmill.archive.content_encoding import decode
from threadmill.types import Exchange

# Brotli and zstd are decoded by two small C packages.
ACCEPTED = "gzip, deflate, br, zstd"


def decode_exchange(exchange: Exchange, limit: int) -> tuple[bytes, str]:
    """The page that a browser made, or the decoded body; and what is wrong with it ("" if nothing is)."""
    if exchange.rendered:
        return exchange.rendered, ""
    encodings = [value for name, value in exchange.headers if name.lower() == "content-encoding"]
    if not encodings:
        return exchange.body, ""
    return decode(exchange.body, ",".join(encodings), limit)
