"""`threadmill rebuild`: what it says at the end."""

from pathlib import Path

import pytest

from threadmill.cli import main
from threadmill.crawl.rebuild import RebuildProgress
from threadmill.workspace import open_workspace


def test_the_end_tells_posts_before_and_after_and_what_could_not_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    done = RebuildProgress(runs=2, answers=1200, posts=5000, posts_before=4000, unread=3, troubles=1)
    done.why.append("http://f.example/, 2026-05-01T10:00: nothing could be learnt")
    forced: list[bool] = []

    def rebuild(workspace: object, watch: object, *, force: bool) -> RebuildProgress:
        forced.append(force)
        return done

    monkeypatch.setattr("threadmill.crawl.rebuild.rebuild", rebuild)
    (tmp_path / "threadmill.toml").touch()
    assert main(["rebuild", "--workspace", str(tmp_path), "--force"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "5,000 posts of 1,200 archived answers in 2 runs",
        "the database had 4,000 posts",
        "3 archived pages are neither boards nor threads now",
        "1 run could not be repeated to the end; what was read is kept:",
        "  http://f.example/, 2026-05-01T10:00: nothing could be learnt",
        "crawl these forums once more: a crawl fetches what is missing",
    ]
    assert forced == [True]


def test_a_workspace_without_an_archive_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "threadmill.toml").touch()
    assert main(["rebuild", "--workspace", str(tmp_path)]) == 1
    assert "expected an archive of crawls" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["forget", "--author", "anna", "--yes"],
        ["watch", "--once"],
        ["watch", "--plan"],
        ["console"],
        ["forum", "model"],
        ["forum", "correct", "{toml}", "--yes"],
        ["move", "--to", "sqlite:///{toml}.sqlite"],
        ["posts"],
        ["threads"],
        ["report"],
        ["crawl", "http://127.0.0.1:9/"],
        ["crawl", "http://127.0.0.1:9/", "--site"],
        ["serve"],
        ["worker", "all"],
        ["template", "show"],
    ],
    ids=" ".join,
)
def test_a_command_that_needs_a_lost_database_says_to_rebuild_it(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = open_workspace(tmp_path / "w", create=True)
    workspace.archive.mkdir()
    (workspace.archive / "threadmill-1.warc.gz").touch()
    toml = tmp_path / "c.toml"
    toml.write_text('[[correction]]\nkind = "time zone"\nvalues = ["UTC"]\n', "utf-8")
    given = [word.format(toml=toml) for word in words]
    assert main([*given, "--workspace", str(workspace.root)]) == 1
    assert "make it again: threadmill rebuild" in capsys.readouterr().err
    assert not (workspace.root / "threadmill.sqlite").exists()


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["archive", "verify"], 0, "the database is gone"),
        (["archive", "compact"], 1, "make it again"),
        (["archive", "show", "http://a.example/"], 1, "there is no answer"),
        (["archive", "list"], 0, ""),
        (["clean", "--format", "jsonl"], 1, "no page"),
    ],
    ids=["verify", "compact", "show", "list", "clean"],
)
def test_what_reads_the_archive_makes_no_empty_database_in_place_of_a_lost_one(
    words: list[str], code: int, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = open_workspace(tmp_path / "w", create=True)
    workspace.archive.mkdir()
    (workspace.archive / "threadmill-1.warc.gz").touch()
    place = 2 if words[0] == "archive" else 1
    assert main([*words[:place], str(workspace.root), *words[place:]]) == code
    said = capsys.readouterr()
    assert told in said.out + said.err
    assert not (workspace.root / "threadmill.sqlite").exists()
