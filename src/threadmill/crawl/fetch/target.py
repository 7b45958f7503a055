"""Where a request goes: a URL taken apart into what a connection and a request line need."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import quote, urljoin, urlsplit

from threadmill.errors import URLError

_PORTS = {"http": 80, "https": 443}
_UNFIT = re.compile(r"[^\x21-\x7e]|[\"<>\\^`{|}]")
_HOST = re.compile(r"[a-z0-9._-]{1,253}|[0-9a-f:.]{2,45}(%25[a-z0-9]+)?", re.IGNORECASE)
# Everything that has a meaning in a path or query, and the percent sign of what is quoted already.
_KEEP = "%/:=&?~#+!$,;'@()*[]-._"


@dataclass(frozen=True, slots=True)
class Target:
    """One URL as a client needs it."""

    url: str  # without fragment
    scheme: str
    host: str  # ASCII, lower case, without brackets
    port: int
    resource: str  # path and query, as they stand in the request line
    authority: str  # as in the Host header; also what politeness knows a host by

    @property
    def origin(self) -> str:
        """Scheme and authority: what one robots.txt speaks for."""
        return f"{self.scheme}://{self.authority}"


def make_target(url: str) -> Target:
    """Take a URL apart; what is not an http(s) URL with a host is a URLError."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise URLError(f"expected an http(s) URL, but {url!r} is none: {error}") from None
    default = _PORTS.get(parts.scheme)
    if default is None or not parts.hostname:
        raise URLError(f"expected an http(s) URL with a host, but got {url!r}")
    host = _ascii_host(parts.hostname, url)
    shown = f"[{host}]" if ":" in host else host
    authority = shown if port is None or port == default else f"{shown}:{port}"
    resource = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    if _UNFIT.search(resource):
        resource = quote(resource, safe=_KEEP)
    return Target(
        f"{parts.scheme}://{authority}{resource}", parts.scheme, host, port or default, resource, authority
    )


def follow(base: Target, location: str) -> Target:
    """The target a Location header of `base` points at."""
    with suppress(UnicodeEncodeError, UnicodeDecodeError):
        # Servers write raw UTF-8 into headers, which we read byte by byte.
        location = location.encode("latin-1").decode("utf-8")
    return make_target(urljoin(base.url, location.strip()))


def _ascii_host(host: str, url: str) -> str:
    if not host.isascii():
        try:
            host = host.encode("idna").decode("ascii")
        except UnicodeError:
            raise URLError(f"the host of {url!r} is not a name that can exist") from None
    if not _HOST.fullmatch(host):
        raise URLError(f"the host of {url!r} is not a name that can exist")
    return host
