from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest

from tests.crawl.fakes import FakeClock, Unscattered
from threadmill.config import CrawlSettings, FetchSettings
from threadmill.crawl.manners.politeness import HostGate, HostWait, Politeness, RequestOutcome, WaitReason
from threadmill.errors import HostAsideError


def make_gate(clock: FakeClock, delay: float = 1.0, host_concurrency: int = 1) -> HostGate:
    settings = CrawlSettings(delay=delay, host_concurrency=host_concurrency)
    return HostGate(Politeness(settings, FetchSettings(), clock, Unscattered()), clock)


def test_turns_are_given_in_order_and_apart(clock: FakeClock) -> None:
    gate = make_gate(clock)
    turns: list[tuple[int, float]] = []

    async def one(number: int) -> None:
        turns.append((number, await gate.enter("a")))
        await asyncio.sleep(0)
        gate.leave("a", RequestOutcome.GOOD, clock.seconds)

    async def go() -> None:
        await asyncio.gather(*(one(number) for number in range(4)))

    asyncio.run(go())
    assert turns == [(0, 1000.0), (1, 1001.0), (2, 1002.0), (3, 1003.0)]


class LateClock(FakeClock):
    """Wakes the first sleeper too late, as a process does that is busy computing."""

    async def sleep(self, seconds: float) -> None:
        late = 0.0 if self.slept else 0.9
        await super().sleep(seconds + late)


@pytest.mark.parametrize("host_concurrency", [1, 3])
def test_a_request_that_starts_late_keeps_the_next_one_away(host_concurrency: int) -> None:
    clock = LateClock()
    gate = make_gate(clock, host_concurrency=host_concurrency)
    starts: list[float] = []

    async def one() -> None:
        await gate.enter("a")
        starts.append(clock.seconds)
        await asyncio.sleep(0)
        gate.leave("a", RequestOutcome.GOOD, clock.seconds)

    async def go() -> None:
        await asyncio.gather(*(one() for _ in range(5)))

    asyncio.run(go())
    assert all(after - before >= 1.0 for before, after in pairwise(starts))


def test_the_distance_counts_from_when_a_request_left(clock: FakeClock) -> None:
    gate = make_gate(clock)

    async def go() -> float:
        started = await gate.enter("a")
        clock.seconds += 0.7  # it looks for the address, and connects
        gate.note_sent("a", started)
        gate.leave("a", RequestOutcome.GOOD, started)
        return await gate.enter("a")

    assert asyncio.run(go()) == pytest.approx(1001.7)


@pytest.mark.parametrize("is_sent", [True, False])
def test_a_request_waits_until_the_one_before_it_has_left(clock: FakeClock, *, is_sent: bool) -> None:
    gate = make_gate(clock, host_concurrency=2)
    left: list[float] = []

    async def connect_slowly() -> None:
        started = await gate.enter("a")
        for _ in range(10):  # others run, and the clock goes on
            await asyncio.sleep(0)
        clock.seconds = max(clock.seconds, 1003.0)
        if is_sent:
            gate.note_sent("a", started)
            left.append(clock.seconds)
        else:
            gate.abandon("a", started)  # no connection: it never left

    async def use_open_connection() -> None:
        await gate.enter("a")
        left.append(clock.seconds)

    async def go() -> None:
        await asyncio.gather(connect_slowly(), use_open_connection())

    asyncio.run(go())
    assert left == ([1003.0, 1004.0] if is_sent else [1003.0])


def test_the_answer_to_an_earlier_request_does_not_stand_for_the_departure_of_a_later_one(
    clock: FakeClock,
) -> None:
    gate = make_gate(clock, host_concurrency=2)
    left: list[float] = []

    async def use_open_connection(*, answered_at: float) -> None:
        started = await gate.enter("a")
        left.append(clock.seconds)
        gate.note_sent("a", started)
        while clock.seconds < answered_at:  # noqa: ASYNC110 -- the clock is a fake
            await asyncio.sleep(0)
        gate.leave("a", RequestOutcome.GOOD, started)

    async def connect_slowly() -> None:
        started = await gate.enter("a")
        clock.seconds = 1001.5  # the first request is answered
        for _ in range(10):
            await asyncio.sleep(0)
        clock.seconds = max(clock.seconds, 1003.0)
        left.append(clock.seconds)
        gate.note_sent("a", started)

    async def go() -> None:
        await asyncio.gather(
            use_open_connection(answered_at=1001.5), connect_slowly(), use_open_connection(answered_at=0)
        )

    asyncio.run(asyncio.wait_for(go(), 10))
    assert left == [1000.0, 1003.0, 1004.0]


def test_one_who_gives_up_waiting_blocks_nobody(clock: FakeClock) -> None:
    gate = make_gate(clock, delay=0.0)

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
    gate = make_gate(clock, delay=0.0)

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
    gate = make_gate(clock, delay=1.0, host_concurrency=2)

    async def go() -> float:
        first = await gate.enter("a")
        second = asyncio.create_task(gate.enter("a"))
        await asyncio.sleep(0)
        gate.leave("a", RequestOutcome.BUSY, first, retry_after=30.0)
        return await second

    assert asyncio.run(go()) >= 1030.0


def test_those_who_wait_for_a_host_that_is_put_aside_are_told(clock: FakeClock) -> None:
    gate = make_gate(clock, delay=0.0)

    async def go() -> None:
        first = await gate.enter("a")
        second = asyncio.create_task(gate.enter("a"))
        await asyncio.sleep(0)
        gate.leave("a", RequestOutcome.BUSY, first, retry_after=3600.0)
        with pytest.raises(HostAsideError) as told:
            await second
        assert told.value.retry_in == pytest.approx(3600.0)

    asyncio.run(go())


def make(clock: FakeClock, **crawl: float) -> Politeness:
    settings = CrawlSettings(**{"delay": 1.0, "host_concurrency": 2, **crawl})  # type: ignore[arg-type]
    return Politeness(settings, FetchSettings(), clock, Unscattered())


def test_requests_to_one_host_start_at_least_the_delay_apart(clock: FakeClock) -> None:
    politeness = make(clock)
    assert politeness.reserve("a") == 1000.0
    assert politeness.reserve("a") == 1001.0
    assert politeness.reserve("b") == 1000.0


def test_no_more_than_the_allowed_number_are_under_way(clock: FakeClock) -> None:
    politeness = make(clock, delay=0.0)
    assert politeness.reserve("a") is not None
    assert politeness.reserve("a") is not None
    assert politeness.reserve("a") is None
    assert politeness.wait("a") == HostWait("a", WaitReason.CONCURRENCY, float("inf"))
    politeness.release("a", RequestOutcome.GOOD)
    assert politeness.wait("a") is None
    assert politeness.reserve("a") is not None


def test_the_longer_of_our_delay_and_that_of_robots_txt_holds(clock: FakeClock) -> None:
    politeness = make(clock, max_crawl_delay=20.0)
    politeness.set_delay("a", 0.1)
    politeness.set_delay("b", 5)
    politeness.set_delay("c", 3600)
    for host in "abc":
        politeness.reserve(host)
    assert [wait.seconds for wait in politeness.waiting()] == [1.0, 5.0, 20.0]


def test_a_shorter_delay_does_not_replace_a_longer_one(clock: FakeClock) -> None:
    politeness = make(clock, delay=1.0)
    politeness.set_delay("a", 5)
    politeness.set_delay("a", 2)
    assert [politeness.reserve("a"), politeness.reserve("a")] == [1000.0, 1005.0]


def test_a_delay_counts_from_the_request_before_it(clock: FakeClock) -> None:
    politeness = make(clock, delay=1.0)
    assert politeness.reserve("a") == 1000.0  # robots.txt, which asks for more
    politeness.set_delay("a", 5)
    assert politeness.reserve("a") == 1005.0


def test_a_delay_that_was_known_before_the_first_request_does_not_hold_it_back(
    clock: FakeClock,
) -> None:
    clock.seconds = 0.0  # of a machine that has just started
    politeness = make(clock, delay=1.0)
    politeness.set_delay("a", 5)
    assert politeness.reserve("a") == 0.0


def test_failures_double_the_pause_and_a_success_ends_it(clock: FakeClock) -> None:
    politeness = make(clock, delay=0.0)
    pauses = []
    for _ in range(4):
        started = politeness.reserve("a")
        assert started is not None
        politeness.release("a", RequestOutcome.FAILED, started)
        wait = politeness.wait("a")
        assert wait is not None
        assert wait.why is WaitReason.BACKOFF
        pauses.append(wait.seconds)
        clock.seconds += wait.seconds
    assert pauses == [0.5, 1.0, 2.0, 4.0]
    politeness.reserve("a")
    politeness.release("a", RequestOutcome.GOOD, clock.seconds)
    politeness.reserve("a")
    politeness.release("a", RequestOutcome.FAILED, clock.seconds)
    wait = politeness.wait("a")
    assert wait is not None
    assert wait.seconds == 0.5


def test_failures_that_overlap_count_once(clock: FakeClock) -> None:
    politeness = make(clock, delay=0.0, host_concurrency=8)
    starts = [politeness.reserve("a") or 0.0 for _ in range(8)]
    clock.seconds += 1
    for started in starts:
        politeness.release("a", RequestOutcome.FAILED, started)
    wait = politeness.wait("a")
    assert wait is not None
    assert wait.seconds == 0.5


def test_retry_after_wins_over_a_shorter_backoff(clock: FakeClock) -> None:
    politeness = make(clock)
    politeness.reserve("a")
    politeness.release("a", RequestOutcome.BUSY, clock.seconds, retry_after=60.0)
    assert politeness.wait("a") == HostWait("a", WaitReason.BACKOFF, 60.0)
    assert politeness.suspended_for("a") is None


def test_a_host_is_put_aside_when_it_keeps_failing_and_comes_back(clock: FakeClock) -> None:
    politeness = make(clock, delay=0.0, patience=1000.0)
    for _ in range(10):
        assert politeness.suspended_for("a") is None
        clock.seconds += 1000
        politeness.reserve("a")
        politeness.release("a", RequestOutcome.FAILED, clock.seconds)
    assert politeness.suspended_for("a") == pytest.approx(900)
    clock.seconds += 901
    assert politeness.suspended_for("a") is None
    politeness.reserve("a")
    politeness.release("a", RequestOutcome.FAILED, clock.seconds)
    assert politeness.suspended_for("a") == pytest.approx(1800)
    clock.seconds += 1801
    politeness.reserve("a")
    politeness.release("a", RequestOutcome.GOOD, clock.seconds)
    assert politeness.wait("a") is None


def test_hosts_with_nothing_to_remember_are_forgotten(clock: FakeClock) -> None:
    politeness = make(clock)
    politeness.set_delay("slow", 30)
    for number in range(25_000):
        politeness.reserve(f"host{number}")
        politeness.release(f"host{number}", RequestOutcome.GOOD)
        clock.seconds += 0.01
    assert len(politeness._hosts) <= 10_001
    assert politeness._hosts["slow"].interval == 30


def test_a_host_may_be_asked_at_the_very_moment_its_pause_ends(clock: FakeClock) -> None:
    politeness = make(clock)
    politeness.reserve("a")
    politeness.release("a", RequestOutcome.BUSY, clock.seconds, retry_after=7.0)
    clock.seconds += 7.0
    assert politeness.wait("a") is None
    assert politeness.earliest_start("a") == clock.seconds


def test_a_host_that_does_not_answer_is_suspended_when_a_run_has_no_patience_for_its_pause(
    clock: FakeClock,
) -> None:
    politeness = make(clock, delay=0.0, patience=10.0)
    for outcome, expected in ((RequestOutcome.BUSY, False), (RequestOutcome.FAILED, True)):
        for _ in range(6):  # pauses of 0.5, 1, 2, 4, 8 and 16 seconds
            started = politeness.reserve(outcome)
            assert started is not None
            assert politeness.suspended_for(outcome) is None
            clock.seconds = started
            politeness.release(outcome, outcome, started)
        assert (politeness.suspended_for(outcome) is not None) is expected


def test_without_patience_a_host_is_suspended_after_the_tries_of_one_page(clock: FakeClock) -> None:
    politeness = make(clock, delay=0.0, patience=0.0)
    tries = FetchSettings().retries + 1
    for failure in range(1, tries + 1):
        clock.seconds = started = politeness.reserve("a") or 0.0
        politeness.release("a", RequestOutcome.FAILED, started)
        assert (politeness.suspended_for("a") is not None) is (failure == tries)


@pytest.mark.parametrize("asked", [0.0, 60.0])
def test_an_answer_ends_the_pause_of_a_suspended_host_but_not_the_one_it_asked_for(
    clock: FakeClock, asked: float
) -> None:
    politeness = make(clock, delay=0.0, host_concurrency=9, patience=0.0)
    slow, busy = politeness.reserve("a") or 0.0, politeness.reserve("a") or 0.0
    for _ in range(FetchSettings().retries + 1):
        clock.seconds = started = politeness.reserve("a") or 0.0
        politeness.release("a", RequestOutcome.FAILED, started)
    assert politeness.suspended_for("a")
    politeness.release("a", RequestOutcome.BUSY, busy, retry_after=asked)
    politeness.release("a", RequestOutcome.GOOD, slow)
    assert politeness.suspended_for("a") is None
    assert politeness.wait("a") == (HostWait("a", WaitReason.BACKOFF, asked) if asked else None)


def test_a_host_is_suspended_from_the_tenth_failure_on(clock: FakeClock) -> None:
    politeness = make(clock, delay=0.0, patience=1000.0)
    for failure in range(1, 11):
        started = politeness.reserve("a")
        assert started is not None
        clock.seconds = started
        politeness.release("a", RequestOutcome.FAILED, started)
        assert (politeness.suspended_for("a") is not None) is (failure == 10)
    assert politeness.suspended_for("a") == 900.0
    clock.seconds += 900.0
    assert politeness.suspended_for("a") is None
    assert politeness.suspended_for("never seen") is None


def test_of_failures_that_overlap_only_the_first_counts(clock: FakeClock) -> None:
    politeness = make(clock, delay=0.0)
    starts = [politeness.reserve("a"), politeness.reserve("a")]
    clock.seconds += 3.0
    for started in starts:
        assert started is not None
        politeness.release("a", RequestOutcome.FAILED, started)
    wait = politeness.wait("a")
    assert wait == HostWait("a", WaitReason.BACKOFF, 0.5)


def test_a_retry_after_longer_than_we_wait_suspends_the_host(clock: FakeClock) -> None:
    longest = FetchSettings().max_retry_after
    for seconds, suspended in ((longest, False), (longest + 1, True)):
        politeness = make(clock)
        politeness.reserve("a")
        politeness.release("a", RequestOutcome.BUSY, clock.seconds, retry_after=seconds)
        assert (politeness.suspended_for("a") is not None) is suspended


def test_a_host_that_asks_for_a_pause_again_and_again_is_suspended_after_the_longest_wait(
    clock: FakeClock,
) -> None:
    longest = FetchSettings().max_retry_after
    politeness = Politeness(CrawlSettings(delay=0), FetchSettings(), clock)
    start = clock.seconds
    while politeness.suspended_for("a") is None:
        started = politeness.reserve("a")
        assert started is not None
        clock.seconds = started
        politeness.release("a", RequestOutcome.BUSY, started, retry_after=longest / 2)
    assert clock.seconds - start <= longest


def test_a_pause_that_ends_with_an_answer_does_not_count_towards_the_longest_wait(clock: FakeClock) -> None:
    longest = FetchSettings().max_retry_after
    politeness = Politeness(CrawlSettings(delay=0), FetchSettings(), clock)
    for outcome in (RequestOutcome.BUSY, RequestOutcome.GOOD) * 5:
        started = politeness.reserve("a")
        assert started is not None
        clock.seconds = started
        asked = longest if outcome is RequestOutcome.BUSY else None
        politeness.release("a", outcome, started, retry_after=asked)
        assert politeness.suspended_for("a") is None


def test_only_an_answer_other_than_busy_counts_as_one(clock: FakeClock) -> None:
    rules = Politeness(CrawlSettings(), FetchSettings(), clock, Unscattered())
    for outcome, answered in (("failed", False), ("busy", False), ("good", True), ("failed", True)):
        rules.release("a", RequestOutcome(outcome))
        assert rules.has_answered("a") is answered
    assert not rules.has_answered("b")
