from pathlib import Path

import pytest

from threadmill.errors import WorkspaceError
from threadmill.workspace import open_workspace


def test_a_workspace_is_made_once_and_opened_again(tmp_path: Path) -> None:
    made = open_workspace(tmp_path / "w", create=True)
    assert open_workspace(tmp_path / "w") == made
    assert made.store_url == f"sqlite:///{tmp_path}/w/threadmill.sqlite"


def test_its_settings_come_from_its_file(tmp_path: Path) -> None:
    open_workspace(tmp_path / "w", create=True)
    (tmp_path / "w" / "threadmill.toml").write_text("[store]\nurl = 'postgresql+psycopg://db/x'\n")
    assert open_workspace(tmp_path / "w").store_url == "postgresql+psycopg://db/x"


def test_a_missing_workspace_is_refused_with_the_cure(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="threadmill crawl"):
        open_workspace(tmp_path / "none")


def test_a_directory_with_other_things_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("precious")
    with pytest.raises(WorkspaceError, match="not empty"):
        open_workspace(tmp_path, create=True)
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_is_not_a_workspace(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("")
    with pytest.raises(WorkspaceError, match="is a file"):
        open_workspace(tmp_path / "f", create=True)
