import json
import socket
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


def test_a_random_forum_is_described_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", "--random", "7", "--preset", "phorum", "--choose", "classes=none", "--describe"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "query without = (read.php?1,1003,page=2)" in out
    assert "no classes at all" in out


def test_the_truth_of_a_random_forum_is_the_same_each_time(tmp_path: Path) -> None:
    for name in ("one", "two"):
        words = ["simulate", "--random", "7", "--truth", str(tmp_path / name), "--dates", "2016-06-01"]
        assert main(words) == 0
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert b'"random-7"' in (tmp_path / "one").read_bytes()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["simulate"], "expected --forum NAME"),
        (["simulate", "--random", "7", "--preset", "nothing"], "there is no preset"),
        (["simulate", "--random", "7", "--choose", "urls"], "expected --choose NAME=VALUE"),
        (["simulate", "--random", "7", "--choose", "urls=blue"], "urls has no value"),
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


def test_a_port_in_use_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert main(["simulate", "--forum", "harbour", "--date", "2015-12-01", "--port", str(port)]) == 1
    assert f"port {port} is in use" in capsys.readouterr().err


def test_stopping_the_server_is_no_failure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop_at_once(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("threadmill.lab.simulate.server.serve", stop_at_once)
    assert main(["simulate", "--forum", "harbour", "--date", "2015-12-01", "--port", "0"]) == 0
    assert capsys.readouterr().out.endswith("stopped\n")
