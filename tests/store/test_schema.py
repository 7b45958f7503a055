from datetime import UTC, datetime, timedelta, timezone

from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.dialects.sqlite.base import SQLiteDialect

from threadmill.store import open_store
from threadmill.store.crawl.jobs import find_or_add_job, job, run, start_run
from threadmill.store.schema import Instant, copy_rows


def test_a_time_in_sqlite_is_utc_text_that_sorts_and_comes_back() -> None:
    kind, dialect = Instant(), SQLiteDialect()
    early = datetime(2026, 1, 1, 1, tzinfo=timezone(timedelta(hours=2)))
    late = datetime(2026, 1, 1, 0, tzinfo=UTC)
    stored = [kind.process_bind_param(at, dialect) for at in (early, late)]
    assert stored == ["2025-12-31T23:00:00.000000+00:00", "2026-01-01T00:00:00.000000+00:00"]
    assert kind.process_result_value(stored[0], dialect) == early
    assert kind.process_bind_param(None, dialect) is None
    assert kind.process_result_value(None, dialect) is None


def test_a_time_in_postgresql_is_a_timestamp_given_back_in_utc() -> None:
    kind, dialect = Instant(), PGDialect()  # type: ignore[no-untyped-call]
    at = datetime(2026, 1, 1, 1, tzinfo=timezone(timedelta(hours=2)))
    assert kind.process_bind_param(at, dialect) is at
    back = kind.process_result_value(at, dialect)
    assert back == at
    assert back is not None
    assert back.tzinfo is UTC


def test_copied_rows_replace_those_there_and_new_ones_get_numbers_above_them(
    new_store_url: str,
) -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    source, target = open_store("sqlite://"), open_store(new_store_url)
    with source.writing() as connection:
        for url in ("http://a.test/", "http://b.test/"):
            start_run(connection, find_or_add_job(connection, "site", url, "host", at).id, at)
    with target.writing() as connection:
        find_or_add_job(connection, "site", "http://old.test/", "host", at)
    with source.reading() as origin, target.writing() as connection:
        copy_rows((job, run), origin, connection)
        urls = [row.url for row in connection.execute(job.select().order_by(job.c.id))]
        new = find_or_add_job(connection, "site", "http://c.test/", "host", at).id
    assert urls == ["http://a.test/", "http://b.test/"]
    assert new > 2
    source.close()
    target.close()
