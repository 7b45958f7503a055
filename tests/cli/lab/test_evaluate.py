import json
from pathlib import Path

import pytest

from threadmill.cli import main

SMALL = ["evaluate", "forums", "--forum", "harbour", "--scale", "200", "--dates", "2"]


def test_an_experiment_is_printed_kept_and_reused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SMALL, "--keep", str(tmp_path / "kept")]) == 0
    first = capsys.readouterr().out
    assert "simulated forums, all later crawls together" in first
    assert "harbour" in first
    [file] = (tmp_path / "kept").iterdir()
    assert json.loads(file.read_text())
    assert main([*SMALL, "--keep", str(tmp_path / "kept")]) == 0
    assert capsys.readouterr().out == first


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["forums", "--dates", "1"], "expected 2 to 13 dates"),
        (["forums", "--forum", "nowhere"], "there is no such forum"),
        (["templates", "--site", "nowhere"], "there is no such site"),
    ],
)
def test_a_wrong_call_is_one_sentence(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", *words]) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1
