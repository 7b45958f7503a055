from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from threadmill.errors import WorkspaceError
from threadmill.store import open_store
from threadmill.store.crawl.jobs import find_or_add_job
from threadmill.store.forum.forums import add_board, change_board, keep_forum
from threadmill.store.forum.posts import add_post
from threadmill.store.forum.threads import add_thread
from threadmill.types import Moment, Post, StoredBoard, StoredThread
from threadmill.workspace import Workspace, open_workspace, refuse_lost_database


def test_a_workspace_is_made_once_and_opened_again(tmp_path: Path) -> None:
    made = open_workspace(tmp_path / "w", create=True)
    assert open_workspace(tmp_path / "w") == made
    assert made.store_url == f"sqlite:///{tmp_path}/w/threadmill.sqlite"


def test_its_settings_come_from_its_file(tmp_path: Path) -> None:
    open_workspace(tmp_path / "w", create=True)
    (tmp_path / "w" / "threadmill.toml").write_text("[store]\nurl = 'postgresql+psycopg://db/x'\n")
    assert open_workspace(tmp_path / "w").store_url == "postgresql+psycopg://db/x"


def test_a_path_may_be_a_text(tmp_path: Path) -> None:
    made = open_workspace(str(tmp_path / "w"), create=True)
    assert made.root == tmp_path / "w"
    assert made.archive == tmp_path / "w" / "archive"


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


NOW = datetime(2025, 5, 1, tzinfo=UTC)
BASE = "http://f.example/"


@pytest.fixture
def filled(tmp_path: Path) -> Workspace:
    """A board inside the entry, two threads, three posts."""
    workspace = open_workspace(tmp_path / "w", create=True)
    store = open_store(workspace.store_url)
    with store.writing() as connection:
        job = find_or_add_job(connection, "forum", BASE, "forum", NOW)
        forum = keep_forum(connection, job.id, BASE, {}, NOW)
        entry = add_board(connection, forum, BASE, "", None)
        board = add_board(connection, forum, f"{BASE}b", "Tides", entry)
        change_board(connection, board, visited=NOW)
        tides = add_thread(
            connection, forum=forum, board=board, key="t", url=f"{BASE}t", title="Low water", pages=2
        )
        other = add_thread(
            connection, forum=forum, board=None, key="u", url=f"{BASE}u", title="Lost", gone=True
        )
        for number, (thread, author) in enumerate([(tides, "anna"), (tides, "boris"), (other, "anna")], 1):
            on = Moment(date(2025, 4, number))
            post = Post(f"Words of {author}.", "<p>", author=author, date=on, position=number)
            add_post(connection, thread, post, f"{BASE}t", NOW)
    store.close()
    return workspace


def test_posts_come_thread_by_thread_with_their_thread_and_board(filled: Workspace) -> None:
    posts = list(filled.posts())
    assert [(post.author, post.thread_title, post.board_url) for post in posts] == [
        ("anna", "Low water", f"{BASE}b"),
        ("boris", "Low water", f"{BASE}b"),
        ("anna", "Lost", None),
    ]
    assert posts[1].date == Moment(date(2025, 4, 2))
    assert posts[1].first_seen == NOW


@pytest.mark.parametrize(
    ("wanted", "positions"),
    [
        ({"since": "2025-04-02"}, [2, 3]),
        ({"author": "anna"}, [1, 3]),
        ({"thread": f"{BASE}u"}, [3]),
        ({"board": f"{BASE}b"}, [1, 2]),
        ({"board": f"{BASE}b", "author": "anna"}, [1]),
        ({"until": "2025-04-02", "query": "WORDS boris"}, [2]),
        ({"forum": BASE, "new_since": "2025-04-30"}, [1, 2, 3]),
        ({"new_since": "2025-05-03"}, []),
    ],
)
def test_posts_are_filtered(filled: Workspace, wanted: dict[str, str], positions: list[int]) -> None:
    assert [post.position for post in filled.posts(**wanted)] == positions


def test_a_pseudonym_is_the_same_for_one_author_and_key(filled: Workspace) -> None:
    one, other, again = (post.author for post in filled.posts(pseudonym_key="secret"))
    assert one == again != other
    assert one is not None
    assert one.startswith("author-")
    assert "anna" not in "".join(post.text for post in filled.posts(pseudonym_key="secret"))


def test_threads_tell_how_many_posts_are_held_of_them(filled: Workspace) -> None:
    low, lost = filled.threads()
    assert low == StoredThread(
        f"{BASE}t", "Low water", f"{BASE}b", posts=2, pages=2, visited=None, gone=False,
        first_post="2025-04-01", last_post="2025-04-02", authors=2,
    )  # fmt: skip
    assert (lost.board_url, lost.posts, lost.gone, lost.first_post) == (None, 1, True, "2025-04-03")
    assert [thread.title for thread in filled.threads(board=f"{BASE}b")] == ["Low water"]


def test_posts_threads_and_boards_become_tables(filled: Workspace) -> None:
    pandas = pytest.importorskip("pandas")
    posts = filled.posts().to_pandas()
    assert list(posts["author"]) == ["anna", "boris", "anna"]
    assert pandas.to_datetime(posts["date"]).dt.day.tolist() == [1, 2, 3]
    assert posts["time"].dt.day.tolist() == [1, 2, 3]
    assert list(filled.threads().to_pandas()["posts"]) == [2, 1]
    assert list(filled.boards().to_pandas()["title"]) == ["", "Tides"]


def test_posts_may_be_gone_through_more_than_once(filled: Workspace) -> None:
    posts = filled.posts()
    assert next(posts).author == "anna"
    assert next(posts).author == "boris"
    assert len(list(posts)) == len(list(posts)) == 3
    posts.close()


def test_boards_name_the_board_that_lists_them(filled: Workspace) -> None:
    assert list(filled.boards()) == [
        StoredBoard(BASE, "", None, threads=0, visited=None),
        StoredBoard(f"{BASE}b", "Tides", BASE, threads=1, visited=NOW, posts=2),
    ]


def test_an_iterator_that_is_left_early_closes_the_database(filled: Workspace) -> None:
    posts = filled.posts()
    next(posts)
    posts.close()
    (filled.root / "threadmill.sqlite").unlink()
    assert list(filled.posts()) == []


def test_an_archive_without_its_database_is_no_empty_workspace(filled: Workspace) -> None:
    filled.archive.mkdir(exist_ok=True)
    (filled.archive / "threadmill-1.warc.gz").write_bytes(b"")
    (filled.root / "threadmill.sqlite").unlink()
    with pytest.raises(WorkspaceError, match="threadmill rebuild --workspace"):
        list(filled.posts())
    with pytest.raises(WorkspaceError, match="threadmill rebuild --workspace"):
        refuse_lost_database(open_workspace(filled.root))
    assert not (filled.root / "threadmill.sqlite").exists()
