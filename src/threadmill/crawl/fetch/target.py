"""Splits a URL into what a connection and a request line need."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import quote, urljoin, urlsplit

from threadmill.errors import URLError

_PORTS = {"http": 80, "https": 443}
_UNQUOTED = re.compile(r"[^\x21-\x7e]|[\"<>\\^`{|}]")
_HOST = re.compile(r"[a-z0-9._-]{1,253}|[0-9a-f:.]{2,45}(%25[a-z0-9]+)?", re.IGNORECASE)
# Characters with a meaning in a path or query, and the percent sign of what is already quoted.
_KEEP = "%/:=&?~#+!$,;'@()*[]-._"


@dataclass(frozen=True, slots=True)
class RequestTarget:
    """Where a request goes: one URL, split."""

    url: str  # without fragment
    scheme: str
    host: str  # ASCII, lower case, without brackets
    port: int
    resource: str  # path and query, as they stand in the request line
    authority: str  # as in the Host header; politeness counts requests by it

    @property
    def origin(self) -> str:
        """Scheme and authority. One robots.txt holds for one origin."""
        return f"{self.scheme}://{self.authority}"


def parse_target(url: str) -> RequestTarget:
    """Split a URL. Raise URLError if it is not an http(s) URL with a host."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise URLError(f"expected an http(s) URL, but got {url!r}: {error}") from None
    default = _PORTS.get(parts.scheme)
    if default is None or not parts.hostname:
        raise URLError(f"expected an http(s) URL with a host, but got {url!r}")
    host = _ascii_host(parts.hostname, url)
    shown = f"[{host}]" if ":" in host else host
    authority = shown if port is None or port == default else f"{shown}:{port}"
    resource = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    if _UNQUOTED.search(resource):
        resource = quote(resource, safe=_KEEP)
    return RequestTarget(
        f"{parts.scheme}://{authority}{resource}", parts.scheme, host, port or default, resource, authority
    )


def resolve_redirect(base: RequestTarget, location: str) -> RequestTarget:
    """The target of a Location header in a response from `base`."""
    with suppress(UnicodeEncodeError, UnicodeDecodeError):
        # Servers write raw UTF-8 into headers, which are read as Latin-1.
        location = location.encode("latin-1").decode("utf-8")
    return parse_target(urljoin(base.url, location.strip()))


def _ascii_host(host: str, url: str) -> str:
    if not host.isascii():
        try:
            host = host.encode("idna").decode("ascii")
        except UnicodeError:
            raise URLError(f"the host of {url!r} is not a valid name") from None
    if not _HOST.fullmatch(host):
        raise URLError(f"the host of {url!r} is not a valid name")
    return host
