"""Posts and threads after they were written: deleted, moved; seen through the door."""

from pathlib import Path
from typing import Any

from sqlalchemy import select

from tests.crawl.forum.world import FIRST, World, world
from threadmill.lab.judge.truth import true_posts
from threadmill.store import open_store
from threadmill.store.forum.posts import post

MONTHS = ("2016-01-01", "2016-02-01", "2016-03-01", "2016-04-01")


def _stored(here: World, *columns: Any) -> Any:
    store = open_store(here.workspace.store_url)
    with store.reading() as connection:
        rows = [tuple(row) for row in connection.execute(select(*columns))]
    store.close()
    return rows


def test_only_posts_that_are_gone_are_marked_as_vanished(tmp_path: Path) -> None:
    """Long pages that are fetched anyway: no thread is opened because a post was deleted in it."""
    with world(tmp_path, "salotto", deleted=0.3) as here:
        here.crawl(FIRST)
        vanished = sum(here.crawl(month).vanished for month in MONTHS)
        alive = {str(one.post) for one in true_posts(here.forum, MONTHS[-1])}
        marked = {number for number, gone in _stored(here, post.c.post_id, post.c.vanished) if gone}
        assert vanished
        assert len(marked) == vanished
        assert not marked & alive
        assert here.figures(MONTHS[-1]).posts.summary()["post_recall"] == 1.0


def test_threads_that_move_to_another_board_are_kept_once(tmp_path: Path) -> None:
    with world(tmp_path, moves=12) as here:
        here.crawl(FIRST)
        for month in MONTHS:
            here.crawl(month)
        assert here.lacks_nothing(MONTHS[-1])
