from pathlib import Path

from threadmill.console.overview.summaries import WEEKS, disk_use, weekly


def test_posts_are_summed_by_weeks_up_to_the_last_day() -> None:
    found = weekly({"2026-05-07": 2, "2026-05-01": 3, "2026-04-30": 5, "2020-01-01": 7, "": 9}, "2026-05-07")
    assert len(found) == WEEKS
    assert found[-2:] == (5, 5)
    assert sum(found) == 10


def test_a_day_after_the_last_one_is_not_counted_and_without_a_last_day_there_is_no_chart() -> None:
    assert sum(weekly({"2026-05-08": 2}, "2026-05-07")) == 0
    assert weekly({"2026-05-08": 2}, "") == ()


def test_the_archive_is_told_apart_from_everything_else(tmp_path: Path) -> None:
    (tmp_path / "archive" / "deep").mkdir(parents=True)
    (tmp_path / "archive" / "deep" / "a.warc.gz").write_bytes(b"12345")
    (tmp_path / "threadmill.sqlite").write_bytes(b"123")
    assert disk_use(tmp_path) == (5, 3)
    assert disk_use(tmp_path / "none") == (0, 0)
