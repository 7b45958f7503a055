"""Tells which host and which site a URL belongs to, by the public suffix list."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from threadmill.urls.canonical import canonicalise

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

_HOST = re.compile(r"https?://([a-z0-9._-]*[a-z0-9_-]|\[[0-9a-f:.]+\])(?::[0-9]+)?(?:[/?#]|\Z)").match
_IPV4 = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}").fullmatch


class Scope(StrEnum):
    """How far a crawl may go from its seed."""

    SITE = "site"  # the registrable domain with all its hosts
    HOST = "host"  # one host, with or without www.
    PREFIX = "prefix"  # the seed's directory and what is below it


def host_of(url: str) -> str:
    """Return the host of an absolute URL: lower case, IDNA in ASCII, without port."""
    found = _HOST(url) or _HOST(canonicalise(url))
    assert found is not None, "canonical URLs have a host"
    return found[1]


def site_of(url: str, *, private_suffixes: bool = True) -> str:
    """Return the registrable domain of a URL, or the host if it has none (IP addresses, localhost).

    With private suffixes, the pages of two people at github.io are two sites. Without, they are one.
    """
    return _site_of_host(host_of(url), private_suffixes)


def same_site(one: str, other: str, *, private_suffixes: bool = True) -> bool:
    """Whether two URLs belong to one site."""
    sites = {site_of(url, private_suffixes=private_suffixes) for url in (one, other)}
    return len(sites) == 1


def in_scope(url: str, seed: str, scope: Scope = Scope.SITE) -> bool:
    """Whether a crawl that started at the seed may fetch a URL; both must be canonical."""
    if scope is Scope.SITE:
        return same_site(url, seed)
    if host_of(url).removeprefix("www.") != host_of(seed).removeprefix("www."):
        return False
    return scope is Scope.HOST or _path_of(url).startswith(_directory_of(seed))


def _path_of(url: str) -> str:
    return "/" + url.split("/", 3)[3]


@lru_cache(maxsize=256)
def _directory_of(seed: str) -> str:
    path = _path_of(seed).partition("?")[0]
    return path[: path.rindex("/") + 1]


@lru_cache(maxsize=65536)
def _site_of_host(host: str, private_suffixes: bool) -> str:
    if host.startswith("[") or _IPV4(host):
        return host
    return _suffixes(private_suffixes).privatesuffix(host) or host


# Reserved for tests and examples (RFC 2606): no list of endings has them, but they are no mistakes.
_RESERVED_ENDINGS = frozenset({"test", "example"})


@lru_cache(maxsize=4096)
def is_ending(label: str) -> bool:
    """Whether domains may end with this label: "de" and "shop", not "dekontakt"."""
    return label in _RESERVED_ENDINGS or _known_endings().publicsuffix(label) is not None


@cache
def _known_endings() -> PublicSuffixList:
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList(accept_unknown=False)


@cache
def _suffixes(private: bool) -> PublicSuffixList:
    # Loaded at first use: reading the list takes 50 ms, and `--help` does not need it.
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList(only_icann=not private)
