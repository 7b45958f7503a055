from sqlalchemy import Connection

from tests.store.sites.conftest import ids
from threadmill.store.sites.compare_results import ResultRow, count_over, pairs_over, put_results
from threadmill.store.sites.tasks import (
    TaskRow,
)


def test_pairs_from_the_border_on_come_best_first_and_a_repeated_pair_is_replaced(
    empty: Connection, task: TaskRow
) -> None:
    one, two, three = ids(empty, task)
    put_results(empty, [])
    put_results(empty, [ResultRow(task.id, one, two, 0.5), ResultRow(task.id, one, three, 0.75)])
    put_results(empty, [ResultRow(task.id, one, two, 0.9, 0.25, "Same phone.", {"phone": 1.0})])
    found = pairs_over(empty, task.id, 0.75)
    assert [(pair.similarity, pair.position1, pair.position2) for pair in found] == [
        (0.9, 0, 1),
        (0.75, 0, 2),
    ]
    assert (found[0].words, found[0].why, found[0].evidence) == (0.25, "Same phone.", {"phone": 1.0})
    assert [pair.similarity for pair in pairs_over(empty, task.id, 0.0, limit=1, offset=1)] == [0.75]
    assert (count_over(empty, task.id, 0.75), count_over(empty, task.id, 0.76)) == (2, 1)
