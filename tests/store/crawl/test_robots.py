from datetime import UTC, datetime

from sqlalchemy import Connection

from threadmill.store.crawl.robots import RobotsRow, find_robots, keep_robots

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


def test_the_last_robots_file_of_an_origin_is_kept(empty: Connection) -> None:
    keep_robots(empty, RobotsRow("http://a.example", NOW, 200, b"User-agent: *", NOW))
    newest = RobotsRow("http://a.example", NOW, 503, b"User-agent: *", NOW, failing_since=NOW)
    keep_robots(empty, newest)
    keep_robots(empty, RobotsRow("http://b.example", NOW, 404))
    assert find_robots(empty, "http://a.example") == newest
    assert find_robots(empty, "http://c.example") is None
