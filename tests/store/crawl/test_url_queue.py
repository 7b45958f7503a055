from typing import Any

import pytest
from sqlalchemy import Connection

from tests.store.crawl.test_jobs import NOW
from threadmill.store.crawl.jobs import find_or_add_job
from threadmill.store.crawl.url_queue import (
    UrlState,
    add_rows,
    count_state,
    find_rows,
    give_back_all,
    lease_rows,
    next_due,
    queued_hosts,
    revive,
    set_reach,
    settle_rows,
    wake_rows,
)


@pytest.fixture
def job(empty: Connection) -> int:
    return find_or_add_job(empty, "site", "http://a.example/", "host", NOW).id


def row(job: int, key: int, **changes: Any) -> tuple[Any, ...]:
    values = {"host": "a.example", "priority": 1.0, "depth": 1, "state": 0, **changes}
    url = f"http://{values['host']}/{key}"
    return (key, job, values["host"], url, values["priority"], values["depth"], values["state"], 0, 0.0, "")


def settle(connection: Connection, row_id: int, state: UrlState, due: float = 0.0) -> None:
    settle_rows(connection, [{"row": row_id, "state": int(state), "tries": 2, "due": due, "reason": "r"}])


def test_a_known_key_is_not_added_again(empty: Connection, job: int) -> None:
    assert add_rows(empty, [row(job, 1), row(job, 2)]) == 2
    assert add_rows(empty, [row(job, 2), row(job, 3)]) == 1
    assert add_rows(empty, []) == 0
    assert count_state(empty, job, UrlState.QUEUED) == 3


def test_a_url_that_was_too_deep_is_queued_when_it_is_found_at_an_allowed_depth(
    empty: Connection, job: int
) -> None:
    add_rows(empty, [row(job, 1, depth=9, state=UrlState.BEYOND)])
    add_rows(empty, [row(job, 1, depth=8, state=UrlState.BEYOND)])
    assert [found.depth for found in find_rows(empty, [1])] == [9]
    add_rows(empty, [row(job, 1, depth=2)])
    assert [(found.depth, found.state) for found in find_rows(empty, [1])] == [(2, UrlState.QUEUED)]


def test_rows_are_leased_by_priority_then_in_the_order_found(empty: Connection, job: int) -> None:
    add_rows(empty, [row(job, 1), row(job, 2), row(job, 3, priority=0.5), row(job, 4, host="b.example")])
    assert [found.url[-1] for found in lease_rows(empty, job, "a.example", 2)] == ["3", "1"]
    assert [found.url[-1] for found in lease_rows(empty, job, "a.example", 9)] == ["2"]
    assert lease_rows(empty, job, "a.example", 9) == []
    assert list(queued_hosts(empty, job)) == ["b.example"]
    assert give_back_all(empty, job) == 3
    assert list(queued_hosts(empty, job)) == ["a.example", "b.example"]


def test_a_waiting_row_is_queued_when_it_is_due(empty: Connection, job: int) -> None:
    add_rows(empty, [row(job, 1)])
    (leased,) = lease_rows(empty, job, "a.example", 1)
    settle(empty, leased.id, UrlState.WAITING, due=50.0)
    assert next_due(empty, job) == 50.0
    assert wake_rows(empty, job, 49.9) == []
    assert wake_rows(empty, job, 50.0) == ["a.example"]
    assert next_due(empty, job) is None
    assert [(found.state, found.tries) for found in find_rows(empty, [1])] == [(UrlState.QUEUED, 2)]


def test_a_new_depth_limit_queues_and_sets_aside(empty: Connection, job: int) -> None:
    add_rows(empty, [row(job, depth, depth=depth) for depth in (1, 2, 3)])
    set_reach(empty, job, 2)
    assert [count_state(empty, job, state) for state in (UrlState.QUEUED, UrlState.BEYOND)] == [2, 1]
    set_reach(empty, job, 1)
    assert [count_state(empty, job, state) for state in (UrlState.QUEUED, UrlState.BEYOND)] == [1, 2]
    set_reach(empty, job, 0)
    assert count_state(empty, job, UrlState.QUEUED) == 3


def test_reviving_queues_what_waits_and_the_failed_row_of_the_key_only(empty: Connection, job: int) -> None:
    add_rows(empty, [row(job, n) for n in (1, 2, 3)])
    first, second, third = lease_rows(empty, job, "a.example", 3)
    settle(empty, first.id, UrlState.FAILED)
    settle(empty, second.id, UrlState.FAILED)
    settle(empty, third.id, UrlState.WAITING, due=1e12)
    revive(empty, job, 1)
    found = {one.key: (one.state, one.tries) for one in find_rows(empty, [1, 2, 3])}
    assert found == {1: (UrlState.QUEUED, 0), 2: (UrlState.FAILED, 2), 3: (UrlState.QUEUED, 0)}
