"""More than 200 wrong calls: each ends with its exit code and one sentence, and nothing is lost."""

from __future__ import annotations

import hashlib
import shlex
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from tests.cli.crawling.test_posts import fill
from threadmill.cli import main

TABLE = Path(__file__).with_name("bad_calls.txt")
CALLS = [line for line in TABLE.read_text("utf-8").splitlines() if line and not line.startswith("#")]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """What the calls of the table name."""
    root = tmp_path_factory.mktemp("calls")
    fill(root / "work", 3)
    contents = {
        "page": b"<html><body><p>The tide was late at the pier today, and nobody knew why.</p></body></html>",
        "vert": b"<doc>\n<p>\n<s>\nA\nword\n</s>\n</p>\n</doc>\n",
        "bin": b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 8,
        "pdf": b"%PDF-1.4\n%\xe2\xe3\n1 0 obj\n",
        "empty": b"",
        "toml": b"[[[",
        "list": b"https://a.example/\nhttps://b.example/\n",
        "old": b"127.0.0.1\tFALSE\t/\tFALSE\t1000\tsid\t42\n",
        "jsonl": b'{"text": "The tide was late at the pier today."}\n',
    }
    for name, content in contents.items():
        (root / name).write_bytes(content)
    (root / "dir").mkdir()
    (root / "full").mkdir()
    (root / "full" / "thesis.tex").write_text("precious", "utf-8")
    (root / "pages").mkdir()
    (root / "pages" / "page.html").write_bytes(contents["page"])
    names = ("work", "dir", "full", "pages", *contents)
    return {**{name: root / name for name in names}, "none": root / "none", "out": root / "no" / "where"}


def hash_of(root: Path) -> str:
    """A hash of the names and contents of all files, without logs of the database."""
    digest = hashlib.sha256()
    for file in sorted(root.rglob("*")):
        if not file.name.endswith(("-wal", "-shm", ".lock")):
            digest.update(str(file).encode())
            digest.update(file.read_bytes() if file.is_file() else b"")
    return digest.hexdigest()


@pytest.mark.parametrize("call", CALLS)
def test_a_wrong_call_is_told_in_one_sentence_and_loses_nothing(
    call: str,
    places: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO()))
    root = places["work"].parent
    before = hash_of(root)
    code, *words = shlex.split(call.format(**places))
    assert main(words) == int(code)
    told = capsys.readouterr().err.strip()
    assert told.startswith("threadmill: ")
    assert told.count("\n") == 0, told
    assert "Traceback" not in told
    assert len(told) < 600
    assert hash_of(root) == before
    assert not list(tmp_path.rglob("*"))
