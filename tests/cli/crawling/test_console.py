import io
import signal
import urllib.request
from pathlib import Path

import pytest

from tests.servers.service import Program
from threadmill.cli import main
from threadmill.console.security.passwords import check_password


def test_the_console_says_where_it_is_and_answers_there(tmp_path: Path) -> None:
    words = ["console", "--workspace", str(tmp_path / "work"), "--port", "0"]
    program = Program(words, {}, tmp_path / "log")
    try:
        line = program.ready()
        assert line.startswith("open the console: http://127.0.0.1:")
        with urllib.request.urlopen(line.split()[-1] + "inspect") as answer:
            assert b"Inspect a page" in answer.read()
    finally:
        program.end(signal.SIGINT)
    assert program.process.returncode in {0, 130}


def test_an_empty_password_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    assert main(["console", "--hash-password"]) == 2
    assert "expected a password" in capsys.readouterr().err


def test_a_password_is_hashed_for_the_settings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("tide table\n"))
    assert main(["console", "--hash-password"]) == 0
    line = capsys.readouterr().out.strip()
    assert check_password("tide table", line.removeprefix('password = "').removesuffix('"'))


def test_a_port_that_is_taken_is_said_with_the_cure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["console", "--workspace", str(tmp_path / "work"), "--port", port]) == 2
    told = capsys.readouterr().err
    assert "use --host and --port" in told
    assert f"{tmp_path / 'work'} is a new workspace" in told
