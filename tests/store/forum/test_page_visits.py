import pytest
from sqlalchemy import Connection

from tests.store.forum.conftest import NOW, THREAD
from threadmill.store.crawl.jobs import end_run, find_or_add_job, start_run
from threadmill.store.forum.page_visits import PageVisitRow, add_page_visit, count_pages_of_run, report_runs


def test_runs_are_told_by_what_their_pages_were_worth(connection: Connection) -> None:
    run = start_run(connection, 1, NOW)
    pages = [("index", 4, 1, 100), ("thread", 10, 10, 200), ("thread", 10, 0, 300), ("other", 0, 0, 400)]
    for kind, items, news, size in pages:
        add_page_visit(connection, PageVisitRow(run, "https://f.example/x", NOW, kind, size, items, news))
    end_run(connection, run, NOW, 0, {"pages": 6})
    counted = count_pages_of_run(connection, run)
    assert (counted.new, counted.semi, counted.duplicate, counted.other) == (1, 1, 1, 1)
    assert (counted.posts, counted.bytes, counted.precision) == (10, 1000, 0.5)
    (report,) = report_runs(connection)
    assert report.cost == 100
    assert (report.pages.pages, report.pages.other) == (6, 3)  # as many as the crawl has said
    assert report.bandwidth == pytest.approx(0.3)  # the index and the first thread page, 300 of 1,000


def test_a_run_without_pages_costs_nothing_and_wastes_nothing(connection: Connection) -> None:
    run = start_run(connection, 1, NOW)
    counted = count_pages_of_run(connection, run)
    assert (counted.pages, counted.precision, counted.useful_bytes) == (0, 1.0, 0)
    (report,) = report_runs(connection)
    assert (report.cost, report.bandwidth, report.ended) == (None, 1.0, None)
    assert (report.url, report.started) == ("https://f.example/", NOW)


def test_only_runs_of_forum_crawls_are_reported(connection: Connection) -> None:
    site = find_or_add_job(connection, "site", "https://s.example/", "host", NOW)
    start_run(connection, site.id, NOW)
    assert list(report_runs(connection)) == []


def test_a_page_without_items_counts_as_other(connection: Connection) -> None:
    run = start_run(connection, 1, NOW)
    add_page_visit(connection, PageVisitRow(run, THREAD, NOW, "thread", 10, 0, 0))
    counted = count_pages_of_run(connection, run)
    assert (counted.other, counted.new, counted.duplicate) == (1, 0, 0)
