"""Leases of hosts, under a clock that the test moves and beside a fleet that the test plays."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest

from threadmill.crawl.watch import leases as module
from threadmill.crawl.watch.leases import HostLeases, worker_name
from threadmill.errors import HostAsideError, StoreError
from threadmill.store.crawl.fleet import TakenHost

HOST = "a.example"


@dataclass
class Fleet:
    """What the database would say and keep."""

    free: list[str] = field(default_factory=lambda: [HOST])
    spans: dict[str, float] = field(default_factory=dict)  # host → seconds for which it is held
    returned: dict[str, float] = field(default_factory=dict)  # host → seconds for which it rests
    requests: int = 0
    now: float = 1000.0
    is_away: bool = False

    @contextmanager
    def writing(self) -> Iterator["Fleet"]:
        if self.is_away:
            raise StoreError("the database does not answer")
        yield self

    reading = writing

    def take_host(self, _: object, __: str, seconds: float) -> TakenHost | None:
        if not self.free:
            return None
        self.spans[self.free[0]] = seconds
        return TakenHost(self.free.pop(0), (), False)

    def hold_hosts(self, _: object, __: str, spans: dict[str, float]) -> None:
        self.spans.update(spans)

    def take_named_host(self, _: object, __: str, host: str, seconds: float) -> bool:
        if host in self.free:
            self.free.remove(host)
            self.spans[host] = seconds
            return True
        return False

    def renew_hosts(self, _: object, __: str, spans: dict[str, float]) -> set[str]:
        kept = spans.keys() & self.spans.keys()
        self.spans = {host: spans[host] for host in kept}
        return set(kept)

    def give_back(self, _: object, __: str, host: str, pause: float) -> None:
        del self.spans[host]
        self.returned[host] = pause

    def take_requests(self, _: object, wanted: int, budget: int) -> int:
        granted = min(wanted, max(0, budget - self.requests))
        self.requests += granted
        return granted

    def requests_left(self, _: object, budget: int) -> int:
        return max(0, budget - self.requests)

    def return_requests(self, _: object, unused: int) -> None:
        self.requests -= unused


@pytest.fixture
def fleet(monkeypatch: pytest.MonkeyPatch) -> Fleet:
    fleet = Fleet()
    monkeypatch.setattr(module, "_now", lambda: fleet.now)
    for name in ("take_host", "hold_hosts", "take_named_host", "renew_hosts", "give_back"):
        monkeypatch.setattr(module, name, getattr(fleet, name))
    for name in ("take_requests", "requests_left", "return_requests"):
        monkeypatch.setattr(module, name, getattr(fleet, name))
    return fleet


def leases_in(fleet: Fleet, budget: int = 0, pause: float = 0.0) -> HostLeases:
    leases = HostLeases("anna", 60.0, budget)
    leases.open(fleet, lambda _: pause)  # type: ignore[arg-type]
    return leases


def test_a_lease_ends_here_some_time_before_it_ends_in_the_database(fleet: Fleet) -> None:
    leases = leases_in(fleet)
    taken = leases.take()
    assert taken is not None
    assert (taken.host, leases.hosts) == (HOST, (HOST,))
    fleet.now += 53.9
    assert leases.holds(HOST)
    fleet.now += 0.2
    assert not leases.holds(HOST)
    assert not leases.holds("other.example")


def test_nothing_is_held_if_no_host_is_due(fleet: Fleet) -> None:
    fleet.free.clear()
    leases = leases_in(fleet)
    assert leases.take() is None
    assert leases.hosts == ()


def test_a_host_stays_closed_to_others_for_the_lease_and_the_pause_after_it(fleet: Fleet) -> None:
    leases = leases_in(fleet, pause=7.0)
    leases.take()
    assert fleet.spans == {HOST: 67.0}
    fleet.now += 10.0
    assert leases.renew() == set()
    assert fleet.spans == {HOST: 67.0}
    fleet.free.append("led.example")
    asyncio.run(leases.permit("led.example"))
    assert fleet.spans["led.example"] == 67.0


def test_a_renewed_lease_counts_from_its_renewal(fleet: Fleet) -> None:
    leases = leases_in(fleet)
    leases.take()
    fleet.now += 50.0
    assert leases.renew() == set()
    fleet.now += 50.0
    assert leases.holds(HOST)
    fleet.now += 5.0
    assert not leases.holds(HOST)


def test_a_host_that_another_worker_took_over_is_lost_at_the_next_renewal(fleet: Fleet) -> None:
    leases = leases_in(fleet)
    assert leases.renew() == set()
    leases.take()
    fleet.spans.clear()
    assert leases.renew() == {HOST}
    assert leases.hosts == ()
    assert not leases.holds(HOST)


def test_a_host_goes_back_once_with_the_pause_that_it_needs(fleet: Fleet) -> None:
    leases = leases_in(fleet, pause=7.0)
    leases.take()
    leases.give_back(HOST)
    leases.give_back(HOST, "never.held.example")
    assert fleet.returned == {HOST: 7.0}
    assert leases.hosts == ()


def test_a_host_whose_time_ran_out_may_not_be_asked_and_is_noted(fleet: Fleet) -> None:
    leases = leases_in(fleet)
    leases.take()
    leases.check(HOST)
    assert leases.lapsed == set()
    fleet.now += 54.0
    with pytest.raises(HostAsideError, match="has run out"):
        leases.check(HOST)
    assert leases.lapsed == {HOST}
    with pytest.raises(HostAsideError, match="has run out"):
        asyncio.run(leases.permit(HOST))


def test_a_host_that_a_forum_leads_to_is_asked_if_no_other_worker_asks_it(fleet: Fleet) -> None:
    leases = leases_in(fleet)
    asyncio.run(leases.permit(HOST))
    assert leases.hosts == (HOST,)
    with pytest.raises(HostAsideError, match="another worker"):
        asyncio.run(leases.permit("other.example"))
    assert leases.hosts == (HOST,)


def test_requests_are_taken_from_the_budget_of_the_fleet_and_the_rest_is_returned(fleet: Fleet) -> None:
    leases = leases_in(fleet, budget=21)
    for _ in range(20):
        asyncio.run(leases.permit(HOST))
    assert fleet.requests == 20
    assert leases.has_requests()
    asyncio.run(leases.permit(HOST))
    assert fleet.requests == 21
    assert not leases.has_requests()
    with pytest.raises(HostAsideError, match="all 21 requests"):
        asyncio.run(leases.permit(HOST))
    fleet.requests = 0
    asyncio.run(leases.permit(HOST))
    assert fleet.requests == 20
    leases.close()
    assert fleet.requests == 1
    assert leases.hosts == ()
    leases.close()
    assert fleet.requests == 1


def test_without_a_budget_requests_are_not_counted(fleet: Fleet) -> None:
    leases = leases_in(fleet)
    asyncio.run(leases.permit(HOST))
    assert fleet.requests == 0
    assert leases.has_requests()
    leases.close()
    assert fleet.requests == 0


class Beats:
    """Ends the keeping after some beats. Time passes between them."""

    def __init__(self, fleet: Fleet, seconds: list[float]) -> None:
        self._fleet, self._seconds = fleet, seconds
        self.pauses: list[float] = []

    def wait(self, pause: float) -> bool:
        self.pauses.append(pause)
        if not self._seconds:
            return True
        self._fleet.now += self._seconds.pop(0)
        return False


def test_leases_are_renewed_six_times_in_their_span(fleet: Fleet) -> None:
    leases = leases_in(fleet)
    leases.take()
    leases._ending = beats = Beats(fleet, [10.0] * 12)  # type: ignore[assignment]
    leases.keep()
    assert beats.pauses == [10.0] * 13
    assert leases.holds(HOST)


def test_a_database_that_is_away_for_a_moment_costs_no_lease(fleet: Fleet) -> None:
    leases = leases_in(fleet)
    leases.take()
    fleet.is_away = True
    leases._ending = Beats(fleet, [10.0])  # type: ignore[assignment]
    leases.keep()
    fleet.is_away = False
    leases._ending = Beats(fleet, [10.0])  # type: ignore[assignment]
    leases.keep()
    fleet.now += 53.0
    assert leases.holds(HOST)


def test_a_worker_that_hangs_keeps_nothing_until_it_lives_again(fleet: Fleet) -> None:
    leases = leases_in(fleet)
    leases.note_alive()
    fleet.now += 300.0
    leases.take()
    leases._ending = Beats(fleet, [20.0, 20.0])  # type: ignore[assignment]
    leases.keep()
    fleet.now += 20.0
    assert not leases.holds(HOST)
    leases.note_alive()
    leases._ending = Beats(fleet, [1.0])  # type: ignore[assignment]
    leases.keep()
    assert leases.holds(HOST)


def test_workers_have_names_of_their_own() -> None:
    assert worker_name() != worker_name()
