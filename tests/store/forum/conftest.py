"""A store with one forum, one board and one thread, in SQLite and in PostgreSQL."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time

import pytest
from sqlalchemy import Connection

from threadmill.store import open_store
from threadmill.store.crawl.jobs import find_or_add_job
from threadmill.store.forum.forums import add_board, keep_forum
from threadmill.store.forum.threads import add_thread
from threadmill.types import Moment, Post, Precision, Quote

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
THREAD = "https://f.example/t/1"


@pytest.fixture
def connection(store_url: str) -> Iterator[Connection]:
    store = open_store(store_url)
    with store.writing() as connection:
        job = find_or_add_job(connection, "forum", "https://f.example/", "forum", NOW)
        forum = keep_forum(connection, job.id, "https://f.example/", {"a": 1}, NOW)
        board = add_board(connection, forum, "https://f.example/b/1", "Board", None)
        add_thread(connection, forum=forum, board=board, key="k1", url="https://f.example/t/1", title="One")
        yield connection
    store.close()


def make_post(number: int, text: str = "", author: str = "Ann", *, quotes: tuple[Quote, ...] = ()) -> Post:
    moment = Moment(date(2026, 4, number), time(9, 30), "+02:00", Precision.MINUTE)
    return Post(
        text or f"post {number}",
        "<p>",
        author,
        date=moment,
        post_id=str(number),
        position=number,
        quotes=quotes,
    )
