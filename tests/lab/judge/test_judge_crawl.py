from typing import Any

import pytest

from threadmill.lab.judge.judge_crawl import judge_crawl
from threadmill.lab.judge.truth import all_pages, find_new_content, true_posts
from threadmill.lab.simulate.catalogue import CRAWL_DATES, FORUMS, open_forum
from threadmill.lab.simulate.forum import SimulatedForum, as_unix_time
from threadmill.lab.simulate.server import Simulation

T0, T1 = CRAWL_DATES[:2]


@pytest.fixture(scope="module")
def forum() -> SimulatedForum:
    return open_forum("harbour")


def entry(page: str, date: str = T1, **more: Any) -> dict[str, Any]:
    return {"date": date, "key": page, "page": page, "status": 200, "bytes": 1000, "class": "thread"} | more


def exported(forum: SimulatedForum, date: str, **changes: Any) -> list[dict[str, Any]]:
    return [
        {
            "post_id": p.post,
            "thread_url": p.thread_key,
            "author": p.author,
            "date": p.date,
            "text": p.text,
            **changes,
        }
        for p in true_posts(forum, date)
    ]


def test_a_page_is_new_semi_or_duplicate_by_the_posts_it_shows(forum: SimulatedForum) -> None:
    fresh = find_new_content(forum, T0, T1)
    kinds = {"new": "", "semi": "", "duplicate": ""}
    for page in all_pages(forum, T1):
        if page.kind == "thread":
            kinds[fresh.pages[page.key]] = page.key
    figures = judge_crawl(forum, [entry(key) for key in kinds.values()]).by_date[T1]
    assert (figures.new, figures.semi, figures.duplicate, figures.pages) == (1, 1, 1, 3)
    assert figures.summary()["precision"] == pytest.approx(2 / 3, abs=1e-4)


def test_the_same_page_twice_is_a_duplicate_the_second_time(forum: SimulatedForum) -> None:
    key = next(
        key
        for key, verdict in find_new_content(forum, T0, T1).pages.items()
        if verdict == "new" and "topic" in key
    )
    figures = judge_crawl(forum, [entry(key), entry(key)]).by_date[T1]
    assert (figures.new, figures.duplicate) == (1, 1)


def test_hops_head_requests_and_unchanged_answers_are_no_pages(forum: SimulatedForum) -> None:
    key = all_pages(forum, T1)[-1].key
    log = [
        entry(key, status=302, bytes=50),
        entry(key, status=304, bytes=0),
        entry(key, method="HEAD", bytes=0),
        entry("/robots.txt") | {"page": ""},
    ]
    figures = judge_crawl(forum, log).by_date[T1]
    assert (figures.pages, figures.hops, figures.not_modified, figures.head, figures.robots) == (
        0,
        1,
        1,
        1,
        1,
    )
    assert figures.bytes == 50


def test_everything_else_is_other_and_forbidden_paths_are_counted(forum: SimulatedForum) -> None:
    log = [entry("/ucp.php?mode=login") | {"page": ""}, entry("/viewtopic.php?t=1", status=404)]
    figures = judge_crawl(forum, log).by_date[T1]
    assert (figures.other, figures.forbidden, figures.pages) == (2, 1, 2)


def test_the_known_of_the_crawler_differs_from_that_of_the_world(forum: SimulatedForum) -> None:
    key = next(
        key
        for key, verdict in find_new_content(forum, T0, T1).pages.items()
        if verdict == "duplicate" and "topic" in key
    )
    assert judge_crawl(forum, [entry(key)]).by_date[T1].duplicate == 1
    assert judge_crawl(forum, [entry(key)], known="crawler").by_date[T1].new == 1


@pytest.mark.parametrize("name", FORUMS)
def test_an_all_knowing_crawler_needs_exactly_the_oracles_pages(name: str) -> None:
    forum = open_forum(name, "small")
    later = "2016-06-01"
    simulation = Simulation({name: forum}, as_unix_time(later))
    for key in find_new_content(forum, T0, later).least_thread_pages:
        simulation.answer(key, {})
    figures = judge_crawl(forum, simulation.requests, dates=(T0, later)).by_date[later]
    assert figures.covered == figures.oracle_thread == figures.thread_pages
    assert figures.summary()["page_recall"] == 1
    assert figures.duplicate == 0


def test_a_full_recrawl_recalls_all_and_wastes_most(forum: SimulatedForum) -> None:
    simulation = Simulation({"harbour": forum}, as_unix_time(T1))
    for page in all_pages(forum, T1):
        simulation.answer(page.key, {})
    found = judge_crawl(forum, simulation.requests).by_date[T1].summary()
    assert found["page_recall"] == 1
    assert found["pages_per_skeleton"] == 1
    assert isinstance(found["precision"], float)
    assert found["precision"] < 0.35


@pytest.mark.parametrize("name", FORUMS)
def test_the_truth_itself_is_a_perfect_export(name: str) -> None:
    forum = open_forum(name, "small")
    found = judge_crawl(forum, [], {T0: exported(forum, T0)}).by_date[T0].summary()
    for figure in ("post_recall", "post_precision", "date_minute", "date_right", "author_right", "body_f1"):
        assert found[figure] == 1, figure


def test_posts_without_numbers_are_matched_by_thread_and_text(forum: SimulatedForum) -> None:
    items = [{**item, "post_id": None, "url": None} for item in exported(forum, T0)]
    found = judge_crawl(forum, [], {T0: items}).by_date[T0].summary()
    assert found["post_recall"] == 1
    assert found["post_precision"] == 1


def test_a_second_copy_a_wrong_author_and_a_wrong_date_cost(forum: SimulatedForum) -> None:
    items = exported(forum, T0)[:10]
    items[1]["author"] = "nobody"
    items[2]["date"] = "2001-01-01T00:00:00Z"
    items[3]["text"] = ""
    found = judge_crawl(forum, [], {T0: [*items, items[0]]}).by_date[T0].summary()
    assert found["post_precision"] == pytest.approx(10 / 11, abs=1e-4)
    assert found["author_right"] == found["date_right"] == found["body_f1"] == 0.9


def test_a_date_in_the_sites_clock_is_right_only_without_an_offset(forum: SimulatedForum) -> None:
    items = exported(forum, T0)[:5]
    for item in items:
        moment = as_unix_time(item["date"])
        item["date"] = forum.traits.zone.local(moment).isoformat()
    found = judge_crawl(forum, [], {T0: items}).by_date[T0].summary()
    assert (found["date_right"], found["date_minute"]) == (1, 0)
    for item in items:
        item["date"] += "+00:00"
    assert judge_crawl(forum, [], {T0: items}).by_date[T0].summary()["date_right"] == 0


def test_later_dates_are_added_up(forum: SimulatedForum) -> None:
    log = [entry("/index.php", date) for date in CRAWL_DATES[:3]]
    verdict = judge_crawl(forum, log, dates=CRAWL_DATES[:3])
    assert verdict.later.pages == 2
    assert verdict.summary()["later"]["pages"] == 2
