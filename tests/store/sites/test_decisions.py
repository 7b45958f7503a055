from datetime import timedelta

from sqlalchemy import Connection

from tests.store.sites.conftest import NOW
from threadmill.store.sites.decisions import DecisionMaker, decide_pairs, decisions_of, forget_decision
from threadmill.store.sites.tasks import TaskRow

ANA, BEN = DecisionMaker("Ana", NOW), DecisionMaker("Ben", NOW + timedelta(hours=1))


def told(connection: Connection, task: TaskRow) -> list[tuple[int, int, bool, str]]:
    return [(d.position1, d.position2, d.same, d.who) for d in decisions_of(connection, task.id)]


def test_the_last_decision_about_a_pair_counts(empty: Connection, task: TaskRow) -> None:
    assert decide_pairs(empty, task.id, [(2, 0), (0, 1)], same=True, maker=ANA) == 2
    assert decide_pairs(empty, task.id, [(0, 2)], same=False, maker=BEN) == 1
    assert told(empty, task) == [(0, 1, True, "Ana"), (0, 2, False, "Ben")]
    forget_decision(empty, task.id, 2, 0)
    assert told(empty, task) == [(0, 1, True, "Ana")]


def test_unknown_sites_and_pairs_of_one_site_are_left_out(empty: Connection, task: TaskRow) -> None:
    assert decide_pairs(empty, task.id, [(0, 9), (1, 1)], same=True, maker=ANA) == 0
    forget_decision(empty, task.id, 0, 9)
    assert told(empty, task) == []
