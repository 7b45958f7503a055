"""Resolves host names and rejects private addresses.

The checked address is the one that is connected to. A second lookup would allow DNS rebinding.
"""

from __future__ import annotations

import asyncio
import socket
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from threadmill.crawl.fetch.clock import Clock
from threadmill.errors import AddressForbiddenError, DNSFailureError, UnknownHostError

Lookup = Callable[[str, int], Awaitable[tuple[str, ...]]]

# IPv6 addresses of these networks carry an IPv4 address in their last 32 bits (RFC 6052, RFC 4291).
_IPV4_CARRIERS = (IPv6Network("64:ff9b::/96"), IPv6Network("::/96"))
_KEPT_SECONDS = 300.0  # a common time to live of forums' A records; a site that moved is found after it
_KEPT_NAMES = 10_000
_NO_SUCH_NAME = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}


def is_public(text: str) -> bool:
    """Is this a public internet address, not a private, loopback or reserved one?"""
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address) and not all(map(_is_public, _embedded_ipv4(address))):
        return False
    return _is_public(address)


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    if isinstance(address, IPv6Address) and (address.ipv4_mapped or address.is_site_local):
        return False  # no honest host has an AAAA record like ::ffff:1.2.3.4
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def _embedded_ipv4(address: IPv6Address) -> list[IPv4Address]:
    """IPv4 addresses inside an IPv6 address: 6to4, Teredo, NAT64."""
    found = [address.sixtofour] if address.sixtofour else []
    if address.teredo:
        found += address.teredo
    if any(address in carrier for carrier in _IPV4_CARRIERS):
        found.append(IPv4Address(int(address) & 0xFFFFFFFF))
    return found


async def system_lookup(host: str, port: int) -> tuple[str, ...]:
    """Look a name up with the resolver of the machine. It also accepts forms like 2130706433 and 0x7f.1.

    Names below "localhost" are this machine (RFC 6761), but not every resolver knows them.
    """
    if host.rstrip(".").lower().endswith(".localhost"):
        host = "localhost"
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        if error.errno in _NO_SUCH_NAME:
            raise UnknownHostError(f"the host {host} does not exist") from None
        raise DNSFailureError(f"the name {host} could not be looked up: {error.strerror}") from None
    except UnicodeError:
        raise UnknownHostError(f"{host} is not a valid host name") from None
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


class AddressResolver:
    """Resolves names, caches them for some minutes, and returns only addresses that may be connected to."""

    def __init__(self, *, private: bool, clock: Clock, lookup: Lookup = system_lookup) -> None:
        self._private = private
        self._clock = clock
        self._lookup = lookup
        self._kept: OrderedDict[tuple[str, int], tuple[float, tuple[str, ...]]] = OrderedDict()

    async def resolve(self, host: str, port: int) -> tuple[str, ...]:
        """The addresses of a host that may be connected to. Never empty; raises if there is none."""
        found = await self._find(host, port)
        if not found:
            raise UnknownHostError(f"the host {host} does not exist")
        if self._private:
            return found
        allowed = tuple(address for address in found if is_public(address))
        if not allowed:
            raise AddressForbiddenError(
                f"{host} is at {', '.join(found)}, which is not a public address; "
                "set fetch.private_targets to allow it"
            )
        return allowed

    async def _find(self, host: str, port: int) -> tuple[str, ...]:
        now = self._clock.monotonic()
        kept = self._kept.get((host, port))
        if kept and kept[0] > now:
            return kept[1]
        try:
            found = await self._lookup(host, port)
        except UnknownHostError:
            found = ()  # cached too: the other URLs of a dead host need no lookup of their own
        self._kept[host, port] = (now + _KEPT_SECONDS, found)
        self._kept.move_to_end((host, port))
        if len(self._kept) > _KEPT_NAMES:
            self._kept.popitem(last=False)
        return found
