"""The indexes of a workspace: which there are, and when one is opened again."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from threadmill.console.search.indexes import OWN_INDEX, IndexRun, WorkspaceIndexes
from threadmill.corpus.search.index import STATE_FILE
from threadmill.errors import SearchIndexError


def add_index(root: Path, name: str) -> Path:
    (root / name).mkdir()
    file = root / name / STATE_FILE
    file.write_text("{}", encoding="utf-8")
    return file


def test_the_own_index_comes_first_and_other_folders_are_none(tmp_path: Path) -> None:
    for name in ("a-corpus", OWN_INDEX, "z-corpus"):
        add_index(tmp_path, name)
    (tmp_path / "archive").mkdir()
    assert WorkspaceIndexes(tmp_path).names() == [OWN_INDEX, "a-corpus", "z-corpus"]


def test_a_name_that_is_no_index_is_refused_before_it_is_used_as_a_path(tmp_path: Path) -> None:
    root = tmp_path / "work"
    root.mkdir()
    add_index(tmp_path, "outside")
    indexes = WorkspaceIndexes(root)
    for name in ("none", "../outside", ""):
        with pytest.raises(SearchIndexError, match="no index"):
            indexes.get(name)
    with pytest.raises(SearchIndexError, match="no index"):
        indexes.stamp("none")


def test_an_index_is_opened_once_and_again_after_it_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []

    class Opened:
        def __init__(self, folder: Path) -> None:
            opened.append(folder)

    monkeypatch.setattr("threadmill.console.search.indexes.SearchIndex", Opened)
    file = add_index(tmp_path, "corpus")
    indexes = WorkspaceIndexes(tmp_path)
    assert indexes.get("corpus") is indexes.get("corpus")
    os.utime(file, ns=(1, 1))
    indexes.get("corpus")
    assert len(opened) == 2


@pytest.mark.parametrize(
    ("code", "failure"),
    [("", ""), ("print('disk full'); raise SystemExit(1)", "disk full"), ("raise SystemExit(3)", "code 3")],
)
def test_a_run_that_fails_leaves_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, failure: str
) -> None:
    def begin(_: IndexRun, output: Any) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", code], stdout=output, stderr=output)

    monkeypatch.setattr(IndexRun, "_begin", begin)

    async def run() -> IndexRun:
        indexing = IndexRun(tmp_path)
        indexing.start()
        assert indexing._task is not None
        await asyncio.wait_for(indexing._task, 60)
        return indexing

    done = asyncio.run(run())
    assert failure in done.failure
    assert bool(done.failure) == bool(failure)
    assert not done.is_running
