from datetime import UTC, datetime

from sqlalchemy import Connection, select

from threadmill.store.crawl.jobs import UNFINISHED, end_run, find_or_add_job, is_unfinished, run, start_run

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


def test_a_job_is_one_for_its_kind_url_and_scope(empty: Connection) -> None:
    first = find_or_add_job(empty, "site", "http://a.example/", "host", NOW)
    assert find_or_add_job(empty, "site", "http://a.example/", "host", NOW) == first
    others = [("forum", "http://a.example/", "host"), ("site", "http://b.example/", "host"),
              ("site", "http://a.example/", "domain")]  # fmt: skip
    ids = {find_or_add_job(empty, *other, NOW).id for other in others}
    assert len(ids | {first.id}) == 4


def test_a_job_is_unfinished_after_a_kill_or_an_early_stop_of_its_last_run(empty: Connection) -> None:
    job = find_or_add_job(empty, "site", "http://a.example/", "host", NOW).id
    assert not is_unfinished(empty, job)
    killed = start_run(empty, job, NOW)
    assert is_unfinished(empty, job)
    end_run(empty, killed, NOW, 3, {"pages": 4, UNFINISHED: 1})
    assert is_unfinished(empty, job)
    end_run(empty, start_run(empty, job, NOW), NOW, 0, {"pages": 9})
    assert not is_unfinished(empty, job)
    rows = empty.execute(select(run.c.exit_code, run.c.counts).order_by(run.c.id)).all()
    assert [tuple(row) for row in rows] == [(3, {"pages": 4, UNFINISHED: 1}), (0, {"pages": 9})]
