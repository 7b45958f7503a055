"""Accounts are kept per run, and every thread is counted."""

from dataclasses import replace

import pytest
from sqlalchemy import Connection

from tests.store.forum.conftest import NOW, THREAD, make_post
from threadmill.store.crawl.jobs import start_run
from threadmill.store.forum.accounts import find_account, keep_account, latest_account, thread_holdings
from threadmill.store.forum.posts import add_post, post
from threadmill.store.forum.threads import add_thread, change_thread
from threadmill.types import CrawlAccount, Quote


def test_the_newest_account_of_a_job_is_found_and_one_of_a_run_is_replaced(connection: Connection) -> None:
    first, second = start_run(connection, 1, NOW), start_run(connection, 1, NOW)
    assert latest_account(connection, 1) is None
    keep_account(connection, second, CrawlAccount("incomplete", 5, 10))
    keep_account(connection, first, CrawlAccount("complete", 3, 3))
    keep_account(connection, second, CrawlAccount("unknown", 6, None, notes=("no counters",)))
    assert find_account(connection, first) == CrawlAccount("complete", 3, 3)
    assert latest_account(connection, 1) == CrawlAccount("unknown", 6, None, notes=("no counters",))
    assert find_account(connection, 99) is None
    assert latest_account(connection, 99) is None


def test_every_thread_is_counted_without_vanished_posts(connection: Connection) -> None:
    url = "https://f.example/t/2"
    add_thread(connection, forum=1, board=1, key="k2", url=url, title="Two", due=url, walk={"misses": 1})
    for number in (1, 2, 3):
        add_post(connection, 1, make_post(number), THREAD, NOW)
    connection.execute(post.update().where(post.c.position == 2).values(vanished=NOW))
    change_thread(connection, 1, pages=4)
    one, two = thread_holdings(connection, 1)
    assert (one.kept, one.pages, one.due, one.empty) == (2, 4, False, False)
    assert (two.kept, two.due, two.empty) == (0, True, True)
    assert list(thread_holdings(connection, 9)) == []


@pytest.mark.parametrize(
    ("text", "html", "quotes", "hollow"),
    [
        ("", "<h3></h3>", (), 1),
        ("", "", (), 1),
        ("Thanks!", "<p>Thanks!</p>", (), 0),
        ("", "<p><IMG src='a.png'></p>", (), 0),
        ("", "<blockquote>It rains.</blockquote>", (Quote("It rains."),), 0),
    ],
)
def test_a_post_is_hollow_without_words_quotes_and_pictures(
    connection: Connection, text: str, html: str, quotes: tuple[Quote, ...], hollow: int
) -> None:
    shown = replace(make_post(1), text=text, html=html, quotes=quotes)
    add_post(connection, 1, shown, THREAD, NOW)
    (one,) = thread_holdings(connection, 1)
    assert (one.kept, one.hollow) == (1, hollow)
