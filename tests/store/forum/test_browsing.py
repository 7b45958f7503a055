from datetime import UTC, datetime

import pytest
from sqlalchemy import Connection

from threadmill.store.crawl.jobs import end_run, find_or_add_job, job_states, start_run
from threadmill.store.forum.browsing import (
    browse_boards,
    browse_posts,
    browse_thread,
    browse_threads,
    count_thread_posts,
    find_post,
    forum_of_job,
    list_boards,
    post_totals,
    posts_per_day,
    posts_per_month,
    refresh_post_counts,
    uncounted_posts,
)
from threadmill.store.forum.forums import add_board, keep_forum
from threadmill.store.forum.posts import post, wording
from threadmill.store.forum.threads import add_thread

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


@pytest.fixture
def forum(empty: Connection) -> tuple[int, int, list[int]]:
    """A forum with a board and three threads: its id, the board and the threads."""
    job = find_or_add_job(empty, "forum", "http://a.example/", "forum", NOW)
    number = keep_forum(empty, job.id, "http://a.example/", {}, NOW)
    board = add_board(empty, number, "http://a.example/b", "Boats", None)
    threads = [
        add_thread(
            empty, forum=number, board=board, key=name, url=f"http://a.example/{name}", title=name, posts=size
        )
        for name, size in (("ferry", 2), ("anchor", 9), ("buoy", 5))
    ]
    return number, board, threads


def add_posts(connection: Connection, thread: int, *dates: str | None) -> list[int]:
    held = count_thread_posts(connection, thread)
    found = []
    for position, date in enumerate(dates, held + 1):
        values = {
            "thread": thread, "identity": f"{thread}/{position}", "wording": "w", "url": "u",
            "date": date, "position": position, "text": f"text {position}", "html": "", "first_seen": NOW,
            "apart": {"quotes": []}, "author": "anna",
        }  # fmt: skip
        found.append(connection.execute(post.insert().values(values).returning(post.c.id)).scalar_one())
    return found


def test_posts_are_counted_by_day_and_only_new_ones_again(
    empty: Connection, forum: tuple[int, int, list[int]]
) -> None:
    number, _, threads = forum
    add_posts(
        empty, threads[0], "2024-05-30T10:00", "2024-05-30", "2024-05-31T01:00+02:00", "2024-05", "<script>do"
    )
    assert uncounted_posts(empty) > 0
    refresh_post_counts(empty)
    assert posts_per_day(empty, number) == {"": 2, "2024-05-30": 2, "2024-05-31": 1}
    assert uncounted_posts(empty) == 0
    add_posts(empty, threads[1], "2024-05-31", "2024-06-01")
    refresh_post_counts(empty)
    refresh_post_counts(empty)
    assert posts_per_day(empty, number) == {"": 2, "2024-05-30": 2, "2024-05-31": 2, "2024-06-01": 1}
    assert posts_per_day(empty, number, "2024-05-31") == {"2024-05-31": 2, "2024-06-01": 1}
    assert posts_per_month(empty, number) == {"": 2, "2024-05": 4, "2024-06": 1}
    assert post_totals(empty) == {number: (7, "2024-06-01")}


def test_threads_come_page_by_page_in_the_wanted_order(
    empty: Connection, forum: tuple[int, int, list[int]]
) -> None:
    number, board, threads = forum

    def titles(sort: str, *, descending: bool, offset: int = 0, most: int = 9) -> list[str]:
        found = browse_threads(empty, board, sort, descending=descending, offset=offset, most=most)
        return [thread.title for thread in found]

    assert titles("title", descending=False) == ["anchor", "buoy", "ferry"]
    assert titles("posts", descending=True) == ["anchor", "buoy", "ferry"]
    assert titles("newest", descending=True) == ["buoy", "anchor", "ferry"]
    assert titles("title", descending=False, offset=1, most=1) == ["buoy"]
    assert browse_boards(empty, number)[0].threads == 3
    found = browse_thread(empty, threads[0])
    assert found is not None
    assert (found[0], found[1].title) == (number, "ferry")
    assert browse_thread(empty, 10**9) is None


def test_posts_come_with_their_earlier_wordings(empty: Connection, forum: tuple[int, int, list[int]]) -> None:
    thread = forum[2][0]
    numbers = add_posts(empty, thread, "2024-05-30", "2024-05-31", "2024-06-01")
    empty.execute(wording.insert().values(post=numbers[1], until=NOW, text="before", html=""))
    posts = browse_posts(empty, thread, offset=1, most=2)
    assert [one.text for one in posts] == ["text 2", "text 3"]
    assert posts[0].earlier == ((NOW, "before"),)
    assert count_thread_posts(empty, thread) == 3


def test_jobs_come_with_their_last_run(empty: Connection, forum: tuple[int, int, list[int]]) -> None:
    [job] = job_states(empty)
    assert (job.run, job.unfinished) == (None, False)
    run = start_run(empty, job.id, NOW)
    assert job_states(empty)[0].unfinished
    end_run(empty, run, NOW, 0, {"pages": 3, "trouble: refused": 2})
    [job] = job_states(empty)
    assert (job.run, job.unfinished, job.troubles) == (run, False, {"refused": 2})
    found = forum_of_job(empty, job.id)
    assert found is not None
    assert found[0] == forum[0]


def test_a_post_is_found_by_its_url_and_date_with_its_place_in_the_thread(
    empty: Connection, forum: tuple[int, int, list[int]]
) -> None:
    thread = forum[2][1]
    ids = add_posts(empty, thread, "2024-05-30", "2024-05-31", None)
    assert find_post(empty, "u", "2024-05-31") == (thread, ids[1], 1)
    assert find_post(empty, "u", "") is None
    assert find_post(empty, "other", "2024-05-31") is None
    assert list_boards(empty, 5) == [("http://a.example/b", "Boats")]
