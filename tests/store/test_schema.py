from datetime import UTC, datetime, timedelta, timezone

from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.dialects.sqlite.base import SQLiteDialect

from threadmill.store.schema import Instant


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
