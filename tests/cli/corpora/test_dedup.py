"""`threadmill dedup`: what it counts, what it writes and what it refuses."""

import json
from pathlib import Path

import pytest

from threadmill.cli import main

LONG = "the tide was late at the pier today and nobody on the island knew the reason for it at all"
OTHER = "a new bridge will be built over the river next summer if the council finds the money for it"


def write(folder: Path, *texts: object) -> Path:
    file = folder / "texts.jsonl"
    file.write_text("".join(json.dumps(text) + "\n" for text in texts), encoding="utf-8")
    return file


def test_near_duplicates_are_counted_and_removed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, {"text": LONG}, {"text": f"{LONG} again"}, {"text": OTHER})
    assert main(["dedup", str(file), "-o", str(tmp_path / "clean")]) == 0
    assert "3 documents, 1 of them near-duplicates" in capsys.readouterr().out
    kept = (tmp_path / "clean" / "texts.jsonl").read_text(encoding="utf-8")
    assert [json.loads(line)["text"] for line in kept.splitlines()] == [LONG, OTHER]


def test_lines_without_a_text_are_counted_and_an_input_without_documents_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, {"body": LONG}, [1])
    assert main(["dedup", str(file), "-o", str(tmp_path / "a")]) == 1
    said = capsys.readouterr()
    assert "2 lines are not JSON objects with a text field 'text'" in said.out
    assert "the input has no document" in said.err
    assert main(["dedup", str(file), "-o", str(tmp_path / "b"), "--field", "body"]) == 0
    assert "1 lines are not JSON objects with a text field 'body'" in capsys.readouterr().out


@pytest.mark.parametrize("option", [["--threshold", "0"], ["--threshold", "1.1"], ["--memory", "0"]])
def test_a_number_that_makes_no_sense_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: list[str]
) -> None:
    file = write(tmp_path, {"text": LONG})
    assert main(["dedup", str(file), "-o", str(tmp_path / "clean"), *option]) == 2
    assert option[0] in capsys.readouterr().err


def test_one_input_may_be_written_to_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, {"text": LONG}, {"text": f"{LONG} again"}, {"text": OTHER})
    target = tmp_path / "clean.jsonl"
    assert main(["dedup", str(file), "-o", str(target)]) == 0
    assert [json.loads(line)["text"] for line in target.read_text("utf-8").splitlines()] == [LONG, OTHER]
    assert sorted(one.name for one in tmp_path.iterdir()) == ["clean.jsonl", "texts.jsonl"]
    (tmp_path / "b.jsonl").write_bytes(file.read_bytes())
    assert main(["dedup", str(file), str(tmp_path / "b.jsonl"), "-o", str(target)]) == 2
    assert "name a directory" in capsys.readouterr().err
