from typing import Any

import pytest

from threadmill.crawl.forum.account import COMPLETE, INCOMPLETE, UNKNOWN
from threadmill.crawl.forum.progress import (
    BROKEN_OFF,
    FOR_MEMBERS,
    HOST_FAILS,
    NO_POSTS,
    NOTHING_LEFT,
    PAGE_LIMIT,
    ForumProgress,
    exit_code,
    is_doubtful,
    is_mostly_closed,
    stored_counts,
)
from threadmill.crawl.site.site_crawl import INTERRUPTED
from threadmill.types import CrawlAccount


def run_of(ended: str, verdict: str = COMPLETE, kept: int = 90, **counts: int) -> ForumProgress:
    numbers: dict[str, Any] = {"pages": 30, "index_pages": 10, "thread_pages": 20, **counts}
    return ForumProgress(ended=ended, account=CrawlAccount(verdict, kept, None), **numbers)


@pytest.mark.parametrize(
    ("progress", "code"),
    [
        (run_of(NOTHING_LEFT), 0),
        (run_of(NOTHING_LEFT, INCOMPLETE), 4),
        (run_of(NOTHING_LEFT, UNKNOWN, kept=14), 3),
        (run_of(NOTHING_LEFT, kept=0), 1),
        (run_of(PAGE_LIMIT, kept=0), 0),
        (run_of(INTERRUPTED, INCOMPLETE), 130),
        (run_of(HOST_FAILS), 1),
        (run_of(BROKEN_OFF), 1),
        (run_of(NOTHING_LEFT, kept=0, pages=0, index_pages=0, thread_pages=0), 1),
        (run_of(PAGE_LIMIT, kept=0, index_pages=0, thread_pages=1), 0),
        (run_of(PAGE_LIMIT, kept=1, index_pages=0, thread_pages=0), 0),
        (ForumProgress(ended=NOTHING_LEFT, index_pages=1), 0),
        (ForumProgress(ended=NOTHING_LEFT), 1),
    ],
)
def test_how_a_run_ended_decides_its_exit_code(progress: ForumProgress, code: int) -> None:
    assert exit_code(progress) == code


def test_a_run_without_counters_is_doubtful_if_it_has_less_than_a_post_for_two_pages() -> None:
    assert is_doubtful(run_of(NOTHING_LEFT, UNKNOWN, kept=14))
    assert not is_doubtful(run_of(NOTHING_LEFT, UNKNOWN, kept=15))
    assert not is_doubtful(run_of(NOTHING_LEFT, COMPLETE, kept=14))
    assert not is_doubtful(ForumProgress(pages=30))


def test_few_pages_prove_nothing() -> None:
    assert is_doubtful(run_of(NOTHING_LEFT, UNKNOWN, kept=0, pages=20))
    assert not is_doubtful(run_of(NOTHING_LEFT, UNKNOWN, kept=0, pages=19))


def test_a_run_is_doubtful_if_most_pages_of_threads_show_no_post() -> None:
    progress = run_of(NOTHING_LEFT, UNKNOWN, kept=90)
    progress.troubles[NO_POSTS] = 10
    assert not is_doubtful(progress)
    progress.troubles[NO_POSTS] = 11
    assert is_doubtful(progress)
    assert exit_code(progress) == 3


def test_a_forum_is_mostly_closed_if_more_than_half_as_many_pages_are_for_members_as_were_read() -> None:
    progress = run_of(NOTHING_LEFT)
    progress.troubles[FOR_MEMBERS] = 10
    assert not is_mostly_closed(progress)
    progress.troubles[FOR_MEMBERS] = 11
    assert is_mostly_closed(progress)
    assert exit_code(progress) == 3


def test_saved_pages_are_those_that_a_full_recrawl_fetches_in_addition() -> None:
    assert ForumProgress(known_pages=50, pages=20).saved == 30
    assert ForumProgress(known_pages=5, pages=20).saved == 0


def test_problems_are_counted_by_reason_and_stored_with_the_counts() -> None:
    progress = run_of(NOTHING_LEFT, new_posts=7, edited=2, vanished=1, bytes=99, new_threads=3)
    for sentence in ("first", "second"):
        progress.add_trouble("404", sentence)
    assert progress.last_trouble == "second"
    assert stored_counts(progress) == {
        "pages": 30,
        "index pages": 10,
        "thread pages": 20,
        "bytes": 99,
        "new threads": 3,
        "new posts": 7,
        "edited posts": 2,
        "vanished posts": 1,
        "trouble: 404": 2,
    }


@pytest.mark.parametrize(("known", "pages", "saved"), [(50, 30, 20), (31, 30, 1), (30, 30, 0), (3, 30, 0)])
def test_pages_are_saved_where_fewer_were_fetched_than_are_known(known: int, pages: int, saved: int) -> None:
    assert ForumProgress(known_pages=known, pages=pages).saved == saved


def test_problems_are_counted_and_the_last_one_is_told() -> None:
    progress = ForumProgress()
    for reason, sentence in ((NO_POSTS, "one"), (FOR_MEMBERS, "two"), (NO_POSTS, "three")):
        progress.add_trouble(reason, sentence)
    assert progress.troubles == {NO_POSTS: 2, FOR_MEMBERS: 1}
    assert progress.last_trouble == "three"
