"""Which addresses may be asked for: URLs of the open web, each once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from threadmill.crawl.fetch.ip_addresses import is_public
from threadmill.errors import URLError
from threadmill.urls import canonicalise

# Names that never leave a machine or its network (RFC 6761, RFC 6762, RFC 8375).
_PRIVATE_NAMES = ("localhost", "local", "internal", "home.arpa", "localdomain", "lan", "intranet")


@dataclass(frozen=True, slots=True)
class UrlProblem:
    """What is wrong with one address of a list."""

    position: int
    message: str


def check_url(url: str) -> str:
    """The address as it was given; ValueError says what is wrong with it."""
    try:
        canonicalise(url)
        url.encode()
    except URLError as error:
        raise ValueError(str(error)) from None
    if any(ord(character) < 32 for character in url):
        raise ValueError("expected a URL, but it has control characters in it")
    return url


def without_duplicates(urls: Sequence[str]) -> list[str]:
    """The addresses without those that are the same page as one before."""
    found: dict[str, str] = {}
    for url in urls:
        found.setdefault(canonicalise(url), url)
    return list(found.values())


def find_private_urls(urls: Sequence[str]) -> list[UrlProblem]:
    """Addresses that say themselves that they are private; names that hide it are refused when looked up."""
    return [
        UrlProblem(position, f"{url} is at a private or loopback address, which this service does not visit")
        for position, url in enumerate(urls)
        if _is_private((urlsplit(canonicalise(url)).hostname or "").rstrip("."))
    ]


def _is_private(host: str) -> bool:
    try:
        return not is_public(str(ip_address(host)))
    except ValueError:
        return host.rpartition(".")[2] in _PRIVATE_NAMES or host.endswith(".home.arpa")
