"""Corrections of people in real crawls of a simulated forum."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from threadmill.api.crawling import crawl_forum
from threadmill.crawl.corrections import join_corrections, load_test_pages, try_correction
from threadmill.crawl.forum.knowledge import ForumKnowledge
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.server import Simulation, serving
from threadmill.store import Store, open_store
from threadmill.store.forum.activity import known_forums
from threadmill.store.forum.corrections import add_correction, corrections_of
from threadmill.store.forum.forums import forum
from threadmill.urls import canonicalise
from threadmill.workspace import open_workspace

NOW = datetime(2026, 11, 17, tzinfo=UTC)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    simulation = Simulation({"harbour": open_forum("harbour", 120)}, as_unix_time("2015-12-01"))
    with serving(simulation) as base:
        yield f"{base}/"


@contextmanager
def opened(root: Path) -> Iterator[Store]:
    store = open_store(open_workspace(root, create=True).store_url)
    try:
        yield store
    finally:
        store.close()


def correct(root: Path, address: str, kind: str, *said: str) -> None:
    with opened(root) as store, store.writing() as connection:
        add_correction(connection, canonicalise(address), kind, said, {}, who="Ana", at=NOW)


def boards_of(root: Path) -> dict[str, int]:
    """Threads that are stored of each board."""
    workspace = open_workspace(root)
    return {board.url: len(list(workspace.threads(board=board.url))) for board in workspace.boards()}


def test_a_refused_board_is_not_read_neither_at_first_nor_after_relearning(
    address: str, tmp_path: Path
) -> None:
    crawl_forum(address, tmp_path / "free", delay=0)
    refused = max(boards_of(tmp_path / "free").items(), key=lambda item: item[1])[0]
    root = tmp_path / "corrected"
    correct(root, address, "not boards", refused)
    crawl_forum(address, root, delay=0)
    found = boards_of(root)
    assert refused not in found
    assert sum(found.values()) > 0
    with opened(root) as store, store.writing() as connection:
        connection.execute(forum.update().values(model={}))  # as if another version had stored it
    crawl_forum(address, root, delay=0)
    assert refused not in boards_of(root)


def test_a_correction_is_tested_on_archived_pages(address: str, tmp_path: Path) -> None:
    crawl_forum(address, tmp_path, delay=0)
    workspace = open_workspace(tmp_path)
    with opened(tmp_path) as store, store.reading() as connection:
        [known] = known_forums(connection)
        threads, indexes = load_test_pages(workspace, connection, known.job)
    before, after = (ForumKnowledge.from_json(known.model).layout for _ in range(2))
    same = try_correction(before, after, threads, indexes)
    assert same.before == same.after
    assert same.before.posts > 0
    assert same.before.threads > 0
    assert (same.changed, same.examples) == (0, [])
    assert before.model.wrapper is not None
    body = before.model.wrapper.shapes[0].bodies[0]
    correct(tmp_path, address, "author", f"{body[0]} {body[1]}")
    correct(tmp_path, address, "nonsense", "x")  # from another version; it is left out
    with opened(tmp_path) as store, store.reading() as connection:
        said = join_corrections(corrections_of(connection, canonicalise(address)))
    assert said.authors == (body,)
