from datetime import timedelta
from uuid import uuid4

from sqlalchemy import Connection

from tests.store.sites.conftest import NOW, ids
from threadmill.store.sites.task_sites import (
    count_outcomes,
    count_sites,
    count_stages,
    is_all_read,
    last_step,
    load_site,
    note_vectorized,
    sites_of,
    update_site,
)
from threadmill.store.sites.tasks import (
    TaskRow,
)


def test_sites_come_in_the_order_of_the_list_and_by_outcome(empty: Connection, task: TaskRow) -> None:
    sites = sites_of(empty, task.id)
    assert [site.root_url for site in sites] == [f"http://s{n}.example/" for n in range(3)]
    update_site(empty, sites[1].id, {"outcome": "dead", "reason": "refused"})
    assert [site.position for site in sites_of(empty, task.id, outcome="dead")] == [1]
    assert [site.position for site in sites_of(empty, task.id, limit=1, offset=2)] == [2]
    assert (count_sites(empty, task.id), count_sites(empty, task.id, outcome="dead")) == (3, 1)
    assert count_outcomes(empty, task.id) == {"dead": 1}
    assert load_site(empty, uuid4()) is None


def test_a_task_is_all_read_when_its_last_site_is(empty: Connection, task: TaskRow) -> None:
    assert last_step(empty, task.id) is None
    for minute, site in enumerate(ids(empty, task)):
        assert not is_all_read(empty, task.id)
        at = NOW + timedelta(minutes=minute)
        update_site(
            empty, site, {"downloaded_at": NOW, "extracted_at": at, "outcome": "ok" if minute else "dead"}
        )
    assert is_all_read(empty, task.id)
    assert last_step(empty, task.id) == NOW + timedelta(minutes=2)
    note_vectorized(empty, task.id, NOW)
    assert count_stages(empty, task.id) == {
        "sites": 3, "downloaded": 3, "preprocessed": 0, "extracted": 3, "vectorized": 2,
    }  # fmt: skip
