from __future__ import annotations

import asyncio

import pytest

from tests.crawl.fakes import FakeClock, Unscattered
from threadmill.config import CrawlSettings, FetchSettings
from threadmill.crawl.manners.host_gate import HostGate
from threadmill.crawl.manners.politeness import Politeness, RequestOutcome
from threadmill.errors import HostAsideError


def make(clock: FakeClock, delay: float = 1.0, host_concurrency: int = 1) -> HostGate:
    settings = CrawlSettings(delay=delay, host_concurrency=host_concurrency)
    return HostGate(Politeness(settings, FetchSettings(), clock, Unscattered()), clock)


def test_turns_are_given_in_order_and_apart(clock: FakeClock) -> None:
    gate = make(clock)
    turns: list[tuple[int, float]] = []

    async def one(number: int) -> None:
        turns.append((number, await gate.enter("a")))
        await asyncio.sleep(0)
        gate.leave("a", RequestOutcome.GOOD, clock.seconds)

    async def go() -> None:
        await asyncio.gather(*(one(number) for number in range(4)))

    asyncio.run(go())
    assert turns == [(0, 1000.0), (1, 1001.0), (2, 1002.0), (3, 1003.0)]


def test_one_who_gives_up_waiting_blocks_nobody(clock: FakeClock) -> None:
    gate = make(clock, delay=0.0)

    async def go() -> None:
        await gate.enter("a")
        impatient = asyncio.create_task(gate.enter("a"))
        patient = asyncio.create_task(gate.enter("a"))
        await asyncio.sleep(0)
        impatient.cancel()
        await asyncio.sleep(0)
        gate.leave("a", RequestOutcome.GOOD, clock.seconds)
        await asyncio.wait_for(patient, 1)

    asyncio.run(go())


def test_one_who_was_called_and_is_cancelled_passes_the_turn_on(clock: FakeClock) -> None:
    gate = make(clock, delay=0.0)

    async def go() -> None:
        await gate.enter("a")
        impatient = asyncio.create_task(gate.enter("a"))
        patient = asyncio.create_task(gate.enter("a"))
        await asyncio.sleep(0)
        gate.leave("a", RequestOutcome.GOOD, clock.seconds)
        impatient.cancel()
        await asyncio.wait_for(patient, 1)

    asyncio.run(go())


def test_a_failure_while_one_waits_makes_it_wait_longer(clock: FakeClock) -> None:
    gate = make(clock, delay=1.0, host_concurrency=2)

    async def go() -> float:
        first = await gate.enter("a")
        second = asyncio.create_task(gate.enter("a"))
        await asyncio.sleep(0)
        gate.leave("a", RequestOutcome.BUSY, first, retry_after=30.0)
        return await second

    assert asyncio.run(go()) >= 1030.0


def test_those_who_wait_for_a_host_that_is_put_aside_are_told(clock: FakeClock) -> None:
    gate = make(clock, delay=0.0)

    async def go() -> None:
        first = await gate.enter("a")
        second = asyncio.create_task(gate.enter("a"))
        await asyncio.sleep(0)
        gate.leave("a", RequestOutcome.BUSY, first, retry_after=3600.0)
        with pytest.raises(HostAsideError) as told:
            await second
        assert told.value.retry_in == pytest.approx(3600.0)

    asyncio.run(go())
