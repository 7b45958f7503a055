import csv
import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import select

from threadmill.cli import main
from threadmill.errors import UsageError
from threadmill.store import open_store
from threadmill.store.crawl.jobs import find_or_add_job
from threadmill.store.forum.forums import keep_forum
from threadmill.store.forum.posts import add_post, post, wording
from threadmill.store.forum.threads import add_thread
from threadmill.types import Post, StoredPost
from threadmill.workspace import open_workspace

NOW = datetime(2025, 5, 1, tzinfo=UTC)


def fill(root: Path, count: int) -> None:
    store = open_store(open_workspace(root, create=True).store_url)
    with store.writing() as connection:
        job = find_or_add_job(connection, "forum", "http://f.example/", "forum", NOW)
        forum = keep_forum(connection, job.id, "http://f.example/", {}, NOW)
        thread = add_thread(connection, forum=forum, key="t", url="http://f.example/t", title="t")
        for number in range(count):
            text = f"Post {number}. " + "Words enough to fill a pipe. " * 20
            add_post(connection, thread, Post(text, text, author="anna", position=number), "u", NOW)
    store.close()


def test_a_reader_that_leaves_early_is_no_failure(tmp_path: Path) -> None:
    fill(tmp_path / "w", 300)
    command = f"{sys.executable} -m threadmill posts --workspace {tmp_path / 'w'} | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)  # noqa: S602
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_a_full_disk_is_not_blamed_on_the_store(tmp_path: Path, capsys: object) -> None:
    fill(tmp_path / "w", 300)
    assert main(["posts", "--workspace", str(tmp_path / "w"), "-o", "/dev/full"]) == 1
    said = capsys.readouterr().err  # type: ignore[attr-defined]
    assert "no space left" in said
    assert "store" not in said


def test_posts_are_written_as_json_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(tmp_path / "w", 2)
    assert main(["posts", "--workspace", str(tmp_path / "w")]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["position"] for line in lines] == [0, 1]
    assert [StoredPost.from_dict(line).as_dict() for line in lines] == lines


def test_posts_are_written_as_csv(tmp_path: Path) -> None:
    fill(tmp_path / "w", 2)
    words = [
        "posts",
        "--workspace",
        str(tmp_path / "w"),
        "--format",
        "csv",
        "-o",
        str(tmp_path / "posts.csv"),
    ]
    assert main(words) == 0
    with (tmp_path / "posts.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["author"] for row in rows] == ["anna", "anna"]
    assert rows[0]["quotes"] == "[]"


def test_names_are_hidden_with_a_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(tmp_path / "w", 1)
    assert main(["posts", "--workspace", str(tmp_path / "w"), "--pseudonyms", "key"]) == 0
    out = capsys.readouterr().out
    assert "anna" not in out
    assert json.loads(out)["author"].startswith("author-")


def test_parquet_needs_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(tmp_path / "w", 1)
    assert main(["posts", "--workspace", str(tmp_path / "w"), "--format", "parquet"]) == 2
    assert "name a file with -o FILE" in capsys.readouterr().err


def test_an_unset_variable_does_not_export_real_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(tmp_path / "w", 1)
    monkeypatch.delenv("THREADMILL_PSEUDONYM_KEY", raising=False)
    (tmp_path / "empty").touch()
    for words in (["--pseudonyms", ""], ["--pseudonyms"], ["--pseudonyms-file", str(tmp_path / "empty")]):
        assert main(["posts", "--workspace", str(tmp_path / "w"), *words]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert "empty" in said.err
    with pytest.raises(UsageError):
        list(open_workspace(tmp_path / "w").posts(pseudonym_key=""))


def test_the_key_comes_from_a_file_or_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(tmp_path / "w", 1)
    (tmp_path / "key").write_text("secret\n")
    monkeypatch.setenv("THREADMILL_PSEUDONYM_KEY", "secret")
    written = []
    for words in (
        ["--pseudonyms", "secret"],
        ["--pseudonyms"],
        ["--pseudonyms-file", str(tmp_path / "key")],
    ):
        assert main(["posts", "--workspace", str(tmp_path / "w"), *words]) == 0
        written.append(capsys.readouterr().out)
    assert len(set(written)) == 1
    assert "anna" not in written[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--since", "soon"], "expected a date"),
        (["--since", "2016-13-01"], "expected a day as YYYY-MM-DD"),
        (
            ["--board", "http://f.example/none"],
            "no board with this URL: http://f.example/none; see `threadmill b",
        ),
        (["--thread", "http://f.example/none"], "no thread with this URL: http://f.example/none; see"),
        (["--thread", "T"], "no thread with this URL: T; it is http://f.example/t"),
        (["--author", "Nobody"], "no post of this author"),
        (["--author", "\udcff"], "UTF-8"),
    ],
)
def test_a_filter_that_meets_nothing_is_told(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(tmp_path / "w", 1)
    code = 1 if said.startswith("no ") else 2
    assert main(["posts", "--workspace", str(tmp_path / "w"), *words]) == code
    assert said in capsys.readouterr().err


def test_a_time_without_posts_is_told_and_no_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(tmp_path / "w", 2)
    out = tmp_path / "posts.jsonl"
    assert main(["posts", "--workspace", str(tmp_path / "w"), "--since", "yesterday", "-o", str(out)]) == 0
    assert out.read_text() == ""
    assert capsys.readouterr().err == "no post meets all conditions\n"


def test_a_workspace_without_posts_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(tmp_path / "w", 0)
    assert main(["posts", "--workspace", str(tmp_path / "w")]) == 0
    assert capsys.readouterr().err == "the workspace holds no posts yet\n"


def test_cells_are_no_formulas_unless_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = open_store(open_workspace(tmp_path / "w", create=True).store_url)
    with store.writing() as connection:
        job = find_or_add_job(connection, "forum", "http://f.example/", "forum", NOW)
        forum = keep_forum(connection, job.id, "http://f.example/", {}, NOW)
        thread = add_thread(connection, forum=forum, key="t", url="http://f.example/t", title="t")
        add_post(connection, thread, Post("=1+1", "", author="@x", position=1), "u", NOW)
    store.close()
    texts = []
    for words in ([], ["--no-guard-formulas"]):
        main(["posts", "--workspace", str(tmp_path / "w"), "--format", "csv", *words])
        (row,) = csv.DictReader(capsys.readouterr().out.splitlines())
        texts.append((row["text"], row["author"]))
    assert texts == [("'=1+1", "'@x"), ("=1+1", "@x")]


def test_edited_and_vanished_posts_are_exported_with_their_versions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(tmp_path / "w", 3)
    store = open_store(open_workspace(tmp_path / "w").store_url)
    with store.writing() as connection:
        first, second = connection.execute(select(post.c.id).order_by(post.c.id).limit(2)).scalars()
        old = {"post": first, "until": NOW, "text": "What I said before", "html": ""}
        connection.execute(wording.insert().values(old))
        connection.execute(post.update().where(post.c.id == second).values(vanished=NOW))
    store.close()
    words = ["posts", "--workspace", str(tmp_path / "w")]
    assert main([*words, "--edited", "--versions"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["version"] for line in lines] == [1, 2]
    assert lines[0]["text"] == "What I said before"
    assert (lines[0]["until"], lines[1]["until"]) == ("2025-05-01T00:00:00+00:00", None)
    assert main([*words, "--vanished", "--format", "csv"]) == 0
    [row] = csv.DictReader(capsys.readouterr().out.splitlines())
    assert row["vanished"] == "2025-05-01T00:00:00+00:00"
    assert "version" not in row
    out = tmp_path / "all.csv"
    assert main([*words, "--versions", "--format", "csv", "-o", str(out)]) == 0
    assert len(list(csv.DictReader(out.read_text("utf-8").splitlines()))) == 4


def test_pandas_reads_dates_of_any_precision_without_options(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    fill(tmp_path / "w", 3)
    store = open_store(open_workspace(tmp_path / "w").store_url)
    with store.writing() as connection:
        for number, written in enumerate(("2015", "2015-03-20T12:39:41+08:00"), 1):
            connection.execute(post.update().where(post.c.id == number).values(date=written))
    store.close()
    out = tmp_path / "posts.csv"
    assert main(["posts", "--workspace", str(tmp_path / "w"), "-o", str(out)]) == 0
    times = pandas.read_csv(out, parse_dates=["time"])["time"]
    assert str(times.dtype).startswith("datetime64")
    assert {"2015-01-01 00:00:00", "2015-03-20 04:39:41"} <= set(times.astype(str))
    pytest.importorskip("pyarrow")
    assert main(["posts", "--workspace", str(tmp_path / "w"), "-o", str(tmp_path / "posts.parquet")]) == 0
    same = pandas.read_parquet(tmp_path / "posts.parquet")["time"]
    assert str(same.dtype).startswith("datetime64")
    assert same.tolist() == times.tolist()
