"""`index` and `search` as a user calls them."""

import json
from pathlib import Path

import pytest

from threadmill.cli import main

pytest.importorskip("tantivy", reason="tantivy is not installed (pip install '.[search]')")


@pytest.fixture
def index(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    posts = [
        {"text": "The lighthouse keeper slept.", "author": "anna", "date": "2024-05-01"},
        {"text": "A lighthouse burns.", "author": "boris", "date": "2023-02-01"},
    ]
    (tmp_path / "posts.jsonl").write_text("".join(json.dumps(post) + "\n" for post in posts) + "{broken\n")
    assert main(["index", str(tmp_path / "posts.jsonl"), "--index", str(tmp_path / "i")]) == 0
    said = capsys.readouterr().err.splitlines()
    assert said[0].startswith("1 of 1 inputs (0 unchanged since the last time), 2 paragraphs and posts")
    assert said[1].startswith("  left out: 1 × ")
    return str(tmp_path / "i")


def test_an_unchanged_input_is_skipped(
    index: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["index", str(tmp_path / "posts.jsonl"), "--index", index]) == 0
    assert "(1 unchanged since the last time), 0 paragraphs" in capsys.readouterr().err


def test_hits_are_shown_in_context(index: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "lighthouse", "keeper", "--index", index]) == 0
    out, err = capsys.readouterr()
    assert "2024-05-01 · anna" in out
    assert "The lighthouse keeper slept." in out
    assert err.startswith("1 found, 1 shown")


def test_hits_are_written_as_json_lines(index: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "lighthouse", "--index", index, "--json", "--order", "oldest"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["author"] for line in lines] == ["boris", "anna"]
    assert all("score" in line for line in lines)


@pytest.mark.parametrize(
    ("options", "author"),
    [(["--author", "Anna"], "anna"), (["--until", "2023"], "boris"), (["--since", "2024-01"], "anna")],
)
def test_options_narrow_the_search(
    index: str, options: list[str], author: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["search", "lighthouse", "--index", index, "--json", *options]) == 0
    [line] = capsys.readouterr().out.splitlines()
    assert json.loads(line)["author"] == author


def test_nothing_found_is_a_failure(index: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "anchor", "--index", index]) == 1
    assert capsys.readouterr().err.startswith("0 found")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["lighthouse", "--limit", "0"], "expected a whole number, 1 or more"),
        (["-", "--index", "i"], "no word and no field to look for"),
        (["lighthouse", "--since", "May"], "expected a date as 2024"),
    ],
)
def test_a_wrong_question_is_one_sentence(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["search", *words]) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1
