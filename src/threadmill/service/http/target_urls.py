"""The site URLs of a new task: checked, each page once, and made ready for the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit
from uuid import UUID, uuid4

from threadmill.crawl.fetch.ip_addresses import is_public
from threadmill.errors import URLError
from threadmill.sites.collect.fetch_sites import shared_hosts
from threadmill.sites.collect.site_lists import site_url
from threadmill.store.sites.task_sites import SiteRow
from threadmill.urls import canonicalise, host_of

# Top-level names that exist only on one machine or in one network (RFC 6761, RFC 6762, RFC 8375).
_PRIVATE_NAMES = ("localhost", "local", "internal", "home.arpa", "localdomain", "lan", "intranet")


@dataclass(frozen=True, slots=True)
class UrlProblem:
    """What is wrong with one URL of a list."""

    position: int
    message: str


def check_url(url: str) -> str:
    """Return the URL; a bare domain gets http://. Raise ValueError if it cannot be fetched."""
    if "://" not in url:
        url = site_url(url) or url
    try:
        canonicalise(url)
        url.encode()
    except URLError as error:
        raise ValueError(str(error)) from None
    if any(ord(character) < 32 for character in url):
        raise ValueError("expected a URL, but it has control characters in it")
    return url


def without_duplicates(urls: Sequence[str]) -> list[str]:
    """Keep the first URL of each page, in order."""
    found: dict[str, str] = {}
    for url in urls:
        found.setdefault(canonicalise(url), url)
    return list(found.values())


def find_private_urls(urls: Sequence[str]) -> list[UrlProblem]:
    """Find the URLs with a private address or name.

    A public name may still point to a private address. The fetcher refuses these when it looks them up.
    """
    return [
        UrlProblem(
            position,
            f"{url} is at a private or loopback address, which this service does not visit "
            "unless its operator sets service.private_targets",
        )
        for position, url in enumerate(urls)
        if _is_private((urlsplit(canonicalise(url)).hostname or "").rstrip("."))
    ]


def _is_private(host: str) -> bool:
    try:
        return not is_public(str(ip_address(host)))
    except ValueError:
        return host.rpartition(".")[2] in _PRIVATE_NAMES or host.endswith(".home.arpa")


def make_site_rows(task_id: UUID, urls: Sequence[str]) -> list[SiteRow]:
    """The sites of a new task. Those that share a host with another site are marked."""
    shared = shared_hosts(urls)
    return [
        SiteRow(uuid4(), task_id, position, url, alone=host_of(canonicalise(url)) not in shared)
        for position, url in enumerate(urls)
    ]
