import io
import json
from pathlib import Path

import pytest

from threadmill.cli import main

NOW = ["--now", "2020-06-01T12:00"]


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    assert main(["dates", "--json", *NOW, *arguments]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_text_a_file_a_page_and_standard_input_are_read_alike(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.html"
    page.write_text('<time datetime="2019-05-05T10:15">an hour ago</time>')
    monkeypatch.setattr("sys.stdin", io.StringIO("5 May 2019 10:15\n"))
    for argument in ("5 May 2019 10:15", str(page), "-"):
        assert shown(capsys, argument)[0]["moment"] == "2019-05-05T10:15"
    assert shown(capsys, "--file", str(page))[0]["moment"] == "2019-05-05T10:15"


def test_the_lines_of_a_file_are_the_cells_of_a_column(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    cells = tmp_path / "cells.txt"
    cells.write_text("04/03/2019\n04/13/2019\n")
    moments = [row["moment"] for row in shown(capsys, "--column", "--file", str(cells))]
    assert moments == ["2019-04-03", "2019-04-13"]


@pytest.mark.parametrize("options", [["--now", "soon"], ["--language", "klingon"]])
def test_a_wrong_option_is_said_in_one_sentence(
    capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    assert main(["dates", "5 May 2019", *options]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_text_too_long_for_a_path_is_a_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, "x" * 5000 + " 5 May 2019")[0]["moment"] == "2019-05-05"


def test_no_date_at_all_is_told_by_the_code() -> None:
    assert main(["dates", "no date"]) == 1
