from __future__ import annotations

import asyncio
from ipaddress import ip_address

import pytest

from tests.crawl.fakes import FakeClock
from threadmill.crawl.fetch.ip_addresses import AddressResolver, is_public, system_lookup
from threadmill.errors import AddressForbiddenError, DNSFailureError, UnknownHostError


@pytest.mark.parametrize("address", ["93.184.216.34", "8.8.8.8", "2606:2800:220:1:248:1893:25c8:1946"])
def test_the_open_internet_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        ".".join("0000"),
        *("127.0.0.1", "127.8.9.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1", "169.254.169.254"),
        *("0.1.2.3", "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1"),
        *("::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "ff02::1", "2001:db8::1", "100::1"),
        *("::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "fec0::1"),
        "2001:0:4136:e378:8000:63bf:80ff:fffe",
    ],
)
def test_every_other_address_is_not(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "2130706433", "0x7f.1", "0x7f000001", "0177.0.0.1", "127.1", "::1"]
)
def test_other_spellings_of_an_address_are_seen_through(clock: FakeClock, host: str) -> None:
    addresses = AddressResolver(private=False, clock=clock, lookup=system_lookup)
    with pytest.raises(AddressForbiddenError):
        asyncio.run(addresses.resolve(host, 80))


def test_only_the_public_ones_of_several_addresses_are_used(clock: FakeClock) -> None:
    async def lookup(host: str, port: int) -> tuple[str, ...]:
        return ("10.0.0.1", "93.184.216.34", "::1")

    addresses = AddressResolver(private=False, clock=clock, lookup=lookup)
    assert asyncio.run(addresses.resolve("e.com", 80)) == ("93.184.216.34",)


def test_a_name_is_looked_up_once_for_some_minutes(clock: FakeClock) -> None:
    asked: list[str] = []

    async def lookup(host: str, port: int) -> tuple[str, ...]:
        asked.append(host)
        return ("93.184.216.34",) if len(asked) == 1 else ("127.0.0.1",)

    async def go() -> None:
        addresses = AddressResolver(private=False, clock=clock, lookup=lookup)
        for _ in range(3):
            assert await addresses.resolve("e.com", 80) == ("93.184.216.34",)
        clock.seconds += 301
        with pytest.raises(AddressForbiddenError):  # it now points inside: every lookup is checked
            await addresses.resolve("e.com", 80)

    asyncio.run(go())
    assert asked == ["e.com", "e.com"]


def test_a_name_that_does_not_exist_is_not_asked_for_again(clock: FakeClock) -> None:
    asked: list[str] = []

    async def lookup(host: str, port: int) -> tuple[str, ...]:
        asked.append(host)
        raise UnknownHostError(f"there is no host {host}")

    async def go() -> None:
        addresses = AddressResolver(private=True, clock=clock, lookup=lookup)
        for _ in range(3):
            with pytest.raises(UnknownHostError):
                await addresses.resolve("nobody.invalid", 80)

    asyncio.run(go())
    assert asked == ["nobody.invalid"]


def test_a_lookup_that_failed_is_tried_again(clock: FakeClock) -> None:
    answers = [None, ("93.184.216.34",)]

    async def lookup(host: str, port: int) -> tuple[str, ...]:
        answer = answers.pop(0)
        if answer is None:
            raise DNSFailureError("no name server answers")
        return answer

    async def go() -> None:
        addresses = AddressResolver(private=True, clock=clock, lookup=lookup)
        with pytest.raises(DNSFailureError):
            await addresses.resolve("e.com", 80)
        assert await addresses.resolve("e.com", 80) == ("93.184.216.34",)

    asyncio.run(go())


def test_a_teredo_address_of_a_private_server_is_not_public() -> None:
    assert not is_public("2001:0:a00:1:8000:63bf:c000:22a")


def test_names_are_forgotten_after_five_minutes_and_the_oldest_beyond_ten_thousand(clock: FakeClock) -> None:
    asked: list[str] = []

    async def lookup(host: str, port: int) -> tuple[str, ...]:
        asked.append(host)
        return ("93.184.216.34",)

    async def go() -> None:
        resolver = AddressResolver(private=False, clock=clock, lookup=lookup)
        await resolver.resolve("a.com", 80)
        clock.seconds += 299
        await resolver.resolve("a.com", 80)
        assert asked == ["a.com"]
        clock.seconds += 1
        await resolver.resolve("a.com", 80)
        assert asked == ["a.com", "a.com"]
        for number in range(9_999):
            await resolver.resolve(f"{number}.com", 80)
        await resolver.resolve("a.com", 80)
        assert asked.count("a.com") == 2
        await resolver.resolve("one-more.com", 80)
        await resolver.resolve("a.com", 80)
        assert asked.count("a.com") == 3

    asyncio.run(go())


def test_names_below_localhost_are_this_machine() -> None:
    found = asyncio.run(system_lookup("forum.localhost", 80))
    assert found
    assert all(ip_address(text).is_loopback for text in found)
