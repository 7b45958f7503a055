from pathlib import Path

import pytest

from tests.store.forum.conftest import NOW, make_post
from threadmill.cli import main
from threadmill.cli.crawling.move import _with_store_url, set_store_url
from threadmill.errors import StoreError
from threadmill.store import open_store
from threadmill.store.crawl.jobs import find_or_add_job
from threadmill.store.forum.forums import add_board, change_board, keep_forum
from threadmill.store.forum.posts import add_post
from threadmill.store.forum.threads import add_thread
from threadmill.store.move import TableProof, all_tables, move_store, prove
from threadmill.workspace import Workspace, open_workspace

BASE = "https://f.example/"


@pytest.fixture
def filled(tmp_path: Path) -> Workspace:
    workspace = open_workspace(tmp_path / "w", create=True)
    store = open_store(workspace.store_url)
    with store.writing() as connection:
        job = find_or_add_job(connection, "forum", BASE, "forum", NOW)
        forum = keep_forum(connection, job.id, BASE, {"a": [1, None, "ü"]}, NOW)
        first = add_board(connection, forum, BASE, "", None)
        newer = add_board(connection, forum, f"{BASE}b", "Tides", first)
        add_board(connection, forum, f"{BASE}c", "Below", newer)
        change_board(connection, first, parent=newer)  # it was moved below a newer one
        thread = add_thread(connection, forum=forum, board=first, key="k", url=f"{BASE}t", title="One")
        for number in (1, 2, 3):
            add_post(connection, thread, make_post(number), f"{BASE}t", NOW)
    store.close()
    return workspace


def proofs(url: str) -> dict[str, TableProof]:
    store = open_store(url)
    with store.reading() as connection:
        found = {table.name: prove(table, connection) for table in all_tables()}
    store.close()
    return found


def test_a_workspace_moves_to_postgresql_and_back(
    filled: Workspace, new_postgres_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = proofs(filled.store_url)
    old = Path(filled.store_url.removeprefix("sqlite:///"))
    assert main(["move", "--to", new_postgres_url, "--workspace", str(filled.root)]) == 0
    assert "all are equal" in capsys.readouterr().out
    moved = open_workspace(filled.root)
    assert moved.store_url == new_postgres_url
    assert proofs(moved.store_url) == before
    assert len(list(moved.posts())) == 3
    store = open_store(new_postgres_url)
    with store.writing() as connection:  # new rows get numbers of their own
        add_post(connection, 1, make_post(4), f"{BASE}t", NOW)
    store.close()
    assert main(["move", "--to", "sqlite", "--workspace", str(filled.root)]) == 0
    assert "kept as" in capsys.readouterr().err
    assert open_workspace(filled.root).store_url == filled.store_url
    assert len(list(filled.posts())) == 4
    assert proofs(f"sqlite:///{old}.old") == before
    assert not list(filled.root.glob("*.new*"))


def test_an_archive_without_its_database_is_not_moved(
    filled: Workspace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filled.archive.mkdir(exist_ok=True)
    (filled.archive / "a.warc.gz").touch()
    (filled.root / "threadmill.sqlite").unlink()
    assert main(["move", "--to", f"sqlite:///{tmp_path / 'x.sqlite'}", "--workspace", str(filled.root)]) == 1
    assert "threadmill rebuild" in capsys.readouterr().err


def test_a_database_that_holds_rows_is_left_alone(filled: Workspace, tmp_path: Path) -> None:
    target = f"sqlite:///{tmp_path / 'other.sqlite'}"
    assert move_store(filled.store_url, target)["post"] == 3
    with pytest.raises(StoreError, match="holds rows already"):
        move_store(filled.store_url, target)
    assert main(["move", "--to", "sqlite", "--workspace", str(filled.root)]) == 2


@pytest.mark.parametrize(
    ("url", "mode"),
    [("postgresql://u:secret@h/d", 0o600), ("postgresql://u@h/d", 0o644)],
)
def test_a_password_in_the_settings_is_for_their_owner_only(tmp_path: Path, url: str, mode: int) -> None:
    workspace = open_workspace(tmp_path / "w", create=True)
    file = workspace.root / "threadmill.toml"
    file.chmod(0o644)
    assert set_store_url(workspace, url) is (mode == 0o600)
    assert file.stat().st_mode & 0o777 == mode
    assert open_workspace(workspace.root).store_url == url
    file.chmod(0o400)  # what the owner closed stays closed
    set_store_url(workspace, "")
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", '\n\n[store]\nurl = "x"\n'),
        ("[store]\n# url\n[crawl]\ndelay = 2\n", '[store]\nurl = "x"\n# url\n[crawl]\ndelay = 2\n'),
        ("[store]\nurl = 'a'  # mine\n", '[store]\nurl = "x"\n'),
        ("[fetch]\nretries = 1", '[fetch]\nretries = 1\n\n[store]\nurl = "x"\n'),
        ("[fetch]\n[store]  # db\nurl='a'\n[watch]\n", '[fetch]\n[store]  # db\nurl = "x"\n[watch]\n'),
    ],
)
def test_only_the_url_changes_in_the_settings(text: str, expected: str) -> None:
    assert _with_store_url(text, "x") == expected
