"""Whatever is wrong with the input: one clear sentence on standard error and a non-zero exit."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from threadmill.cli import main


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def complaint(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = main(words)
    said = capsys.readouterr().err.strip()
    assert "Traceback" not in said
    assert said.count("\n") == 0, "one sentence, not more"
    assert said.startswith("threadmill: ")
    return code, said


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["frobnicate"], 2, "no command 'frobnicate'"),
        (["crawl"], 2, "required: URL"),
        (["crawl", "forum.example.org", "--site"], 2, "did you mean https://forum.example.org"),
        (["crawl", "mailto:a@example.org"], 2, "expected an http or https URL"),
        (["archive", "list", "/no/such/file.warc.gz"], 1, "nothing is there"),
        (["posts", "--workspace", "/no/such/directory"], 1, "is not a Threadmill workspace"),
        (["forum", "posts", "/no/such/page.html"], 1, "/no/such/page.html"),
        (["simulate", "--forum", "nowhere"], 2, "nowhere"),
        (["serve", "--port", "99999"], 2, "expected a port, 0 to 65535"),
        (["posts", "--author", "\udcff"], 2, "not UTF-8"),
    ],
)
def test_a_wrong_call_is_told_in_one_sentence(
    words: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    got, sentence = complaint(words, capsys)
    assert said in sentence
    assert got == code


def test_an_unreadable_archive_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arc = tmp_path / "old.arc"
    arc.write_bytes(b"filedesc://old.arc 0.0.0.0 19960923142103 text/plain 76\n1 0 Alexa\n")
    code, said = complaint(["archive", "list", str(arc)], capsys)
    assert code == 1
    assert "ARC" in said


def test_a_directory_that_is_no_workspace_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "thesis.tex").write_text("precious")
    words = ["crawl", "http://127.0.0.1:9/", "--site", "--workspace", str(tmp_path)]
    code, said = complaint(words, capsys)
    assert code == 1
    assert "not empty" in said


def test_a_taken_port_is_told(taken_port: int, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = complaint(["simulate", "--forum", "harbour", "--port", str(taken_port)], capsys)
    assert code == 1
    assert "in use" in said


def test_a_database_that_does_not_answer_is_told(
    tmp_path: Path, taken_port: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("THREADMILL_STORE_URL", "postgresql://nobody@127.0.0.1:1/nothing")
    words = ["crawl", "http://127.0.0.1:9/", "--site", "--workspace", str(tmp_path / "w")]
    code, said = complaint(words, capsys)
    assert code == 1
    assert "127.0.0.1" in said


def test_a_full_disk_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full, which is on Linux")
    (tmp_path / "page.html").write_text("<p>" + "Some words of a post. " * 50)
    code, said = complaint(["clean", str(tmp_path / "page.html"), "--output", "/dev/full"], capsys)
    assert code == 1
    assert "no space left" in said.lower()
