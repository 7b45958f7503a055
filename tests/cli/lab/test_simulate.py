import json
from pathlib import Path

import pytest

from threadmill.cli import main
from threadmill.lab.simulate.catalogue import FORUMS


def test_the_list_names_every_forum(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--list"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in FORUMS)


def test_the_truth_is_written_as_json_lines(tmp_path: Path) -> None:
    target = tmp_path / "truth.jsonl"
    words = [
        "simulate",
        "--forum",
        "kiosk",
        "--scale",
        "small",
        "--truth",
        str(target),
        "--dates",
        "2016-01-01",
    ]
    assert main(words) == 0
    kinds = {json.loads(line)["type"] for line in target.read_text(encoding="utf-8").splitlines()}
    assert kinds == {"site", "post", "page", "news"}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["simulate"], "expected --forum NAME"),
        (["simulate", "--forum", "nowhere"], "there is no forum"),
        (["simulate", "--forum", "kiosk", "--scale", "huge"], "scale"),
        (["simulate", "--forum", "kiosk", "--date", "soon"], "expected a date"),
    ],
)
def test_bad_input_is_one_sentence(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    err = capsys.readouterr().err
    assert complaint in err
    assert err.count("\n") == 1
