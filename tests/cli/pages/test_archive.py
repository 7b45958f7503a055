import io
from datetime import UTC, datetime
from pathlib import Path

import pytest

from threadmill.archive import ArchiveWriter, OriginalCapture
from threadmill.cli import main
from threadmill.types import Exchange, Location
from threadmill.workspace import open_workspace

AT = datetime(2026, 11, 15, 12, 30, tzinfo=UTC)
HEAD = b"GET / HTTP/1.1\r\n\r\n"


def write(directory: Path) -> list[Location]:
    html = ("Content-Type", "text/html; charset=iso-8859-1")
    with ArchiveWriter(directory) as writer:
        first = writer.write(
            Exchange("http://e.com/a", AT, HEAD, 200, "OK", (html,), b"<p>caf\xe9\x1b[2J</p>")
        )
        rest = [
            writer.write(
                Exchange("http://e.com/b", AT, HEAD, 404, "Not Found", (("X", "\x1b]0;x"),), b"gone")
            ),
            writer.write(
                Exchange("http://e.com/a", AT, HEAD, 200, "OK", (html,), b"<p>caf\xe9\x1b[2J</p>"),
                OriginalCapture("http://e.com/a", AT, first.digest),
            ),
            writer.write(
                Exchange("http://e.com/i.png", AT, HEAD, 200, "OK", (("Content-Type", "image/png"),), b"\0\1")
            ),
        ]
    return [first, *rest]


def test_list_tells_time_status_type_length_url_and_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    locations = write(tmp_path)
    assert main(["archive", "list", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    head, *lines = (line.split() for line in out.splitlines())
    assert head == ["at", "status", "type", "bytes", "url", "source"]
    assert lines[0] == [
        *("2026-11-15", "12:30", "200", "text/html", "15", "http://e.com/a"),
        f"{tmp_path / locations[0].file}:{locations[0].offset}",
    ]
    assert len(lines) == 4
    assert "4 of 4 answers" in err


def test_list_can_be_narrowed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path)
    main(["archive", "list", str(tmp_path), "--status", "404"])
    assert capsys.readouterr().out.count("http://") == 1
    main(["archive", "list", str(tmp_path), "--url", "*/a"])
    assert capsys.readouterr().out.count("http://") == 2


def test_show_is_safe_for_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    locations = write(tmp_path)
    assert main(["archive", "show", str(tmp_path), str(locations[0].offset)]) == 0
    out = capsys.readouterr().out
    assert "<p>café\ufffd[2J</p>" in out
    main(["archive", "show", str(tmp_path), "http://e.com/b"])
    out = capsys.readouterr().out
    assert "X: \ufffd]0;x" in out
    assert "\x1b" not in out
    main(["archive", "show", str(tmp_path), "http://e.com/i.png"])
    assert "2 bytes of image/png" in capsys.readouterr().out


def test_show_raw_gives_the_bytes(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write(tmp_path)
    main(["archive", "show", str(tmp_path), "http://e.com/i.png", "--raw"])
    assert capfdbinary.readouterr().out == b"\0\1"


def test_what_is_not_there_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path)
    assert main(["archive", "show", str(tmp_path), "http://e.com/none"]) == 1
    assert "no answer 'http://e.com/none'" in capsys.readouterr().err
    assert main(["archive", "list", str(tmp_path / "none")]) == 1
    assert "nothing is there" in capsys.readouterr().err
    assert main(["archive", "sing", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_verify_passes_what_is_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path)
    assert main(["archive", "verify", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "9 records (4 request, 3 response, 1 warcinfo, 1 revisit), 12 digests agree" in out
    assert "0 damaged" in out


def test_verify_fails_and_names_the_place_of_damage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    locations = write(tmp_path)
    file = tmp_path / locations[0].file
    data = bytearray(file.read_bytes())
    data[locations[1].offset + 40] ^= 0x10
    file.write_bytes(data)
    assert main(["archive", "verify", str(file)]) == 1
    assert f"{file}:{locations[1].offset}: corrupt gzip member" in capsys.readouterr().out


def test_verify_compares_digests(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import gzip

    [location, *_] = write(tmp_path)
    plain = gzip.decompress((tmp_path / location.file).read_bytes()).replace(b"<p>caf", b"<p>daf", 1)
    (tmp_path / "x.warc").write_bytes(plain)
    assert main(["archive", "verify", str(tmp_path / "x.warc")]) == 1
    out = capsys.readouterr().out
    assert "WARC-Payload-Digest differs" in out
    assert "WARC-Block-Digest differs" in out
    assert "2 damaged" in out


def test_a_workspace_is_its_archive(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    workspace = open_workspace(tmp_path / "w", create=True)
    write(workspace.archive)
    assert main(["archive", "verify", str(tmp_path / "w")]) == 0
    assert main(["archive", "list", str(tmp_path / "w")]) == 0
    assert capsys.readouterr().out.count("http://e.com/") == 4


def test_standard_input_is_an_archive_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    [location, *_] = write(tmp_path)
    stream = io.TextIOWrapper(io.BytesIO((tmp_path / location.file).read_bytes()))
    monkeypatch.setattr("sys.stdin", stream)
    assert main(["archive", "list", "-"]) == 0
    assert f"stdin:{location.offset}" in capsys.readouterr().out


def test_an_unreadable_file_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "d.warc.gz").mkdir()
    (tmp_path / "e.warc.gz").symlink_to(tmp_path / "gone")
    assert main(["archive", "verify", str(tmp_path)]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_the_runs_of_an_archive_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path)
    assert main(["archive", "runs", str(tmp_path)]) == 0
    assert "killed or unknown" in capsys.readouterr().out
