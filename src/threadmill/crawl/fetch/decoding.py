"""The content encodings we ask servers for, and an exchange's body without them."""

from __future__ import annotations

from threadmill.archive.content_encoding import decode
from threadmill.types import Exchange

# What we say we understand; brotli and zstd come with two small C packages.
ACCEPTED = "gzip, deflate, br, zstd"


def decode_exchange(exchange: Exchange, limit: int) -> tuple[bytes, str]:
    """The body of an exchange without its content encodings, and what is wrong with it."""
    encodings = [value for name, value in exchange.headers if name.lower() == "content-encoding"]
    if not encodings:
        return exchange.body, ""
    return decode(exchange.body, ",".join(encodings), limit)
