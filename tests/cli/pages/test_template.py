import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.corpus.build.test_pipeline import write_warc
from tests.template.sites import make_page, make_site
from threadmill.archive import ArchiveWriter
from threadmill.cli import main
from threadmill.template import unmark
from threadmill.types import Exchange


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    (folder / "deep").mkdir(parents=True)
    for number, page in enumerate(make_site(20)):
        (folder / ("deep" if number % 2 else ".") / f"{number}.html").write_bytes(page.html)
    (folder / "notes.txt").write_text("not a page")
    return folder


def test_removing_writes_every_page_without_framing(pages: Path, tmp_path: Path) -> None:
    assert main(["template", "remove", str(pages), "--output", str(tmp_path / "out")]) == 0
    rest = (tmp_path / "out/deep/3.html").read_bytes()
    assert b"All rights reserved" not in rest
    assert make_page(3).content[0].encode() in rest
    assert len(list((tmp_path / "out").rglob("*.html"))) == 20


@pytest.mark.parametrize("method", ["places", "paper"])
def test_marked_pages_are_the_originals_plus_marks(pages: Path, tmp_path: Path, method: str) -> None:
    out = tmp_path / "out"
    assert main(["template", "mark", str(pages), "--output", str(out), "--method", method]) == 0
    for path in out.rglob("*.html"):
        assert unmark(path.read_bytes()) == (pages / path.relative_to(out)).read_bytes() != path.read_bytes()


def test_what_was_learnt_is_kept_shown_and_applied_to_later_pages(
    pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = ["--workspace", str(tmp_path / "work"), "--site", "a.example"]
    assert main(["template", "learn", str(pages), *kept]) == 0
    later = tmp_path / "later"
    later.mkdir()
    (later / "new.html").write_bytes(make_page(77).html)
    assert main(["template", "remove", str(later), "--output", str(tmp_path / "out"), *kept]) == 0
    assert b"All rights reserved" not in (tmp_path / "out/new.html").read_bytes()
    capsys.readouterr()
    assert main(["template", "show", *kept[:2]]) == 0
    assert "a.example" in capsys.readouterr().out
    assert main(["template", "show", "a.example", *kept[:2]]) == 0
    assert "div.foot" in capsys.readouterr().out
    assert main(["template", "show", *kept[:2], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["site"] == "a.example"
    assert main(["template", "show", "a.example", *kept[:2], "--json"]) == 0
    places = json.loads(capsys.readouterr().out)["framing"]
    assert any("div.foot" in place["place"] for place in places)


def test_a_changed_site_is_learnt_anew(
    pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = ["--workspace", str(tmp_path / "work"), "--site", "a.example"]
    assert main(["template", "learn", str(pages), *kept]) == 0
    for path in pages.rglob("*.html"):
        new = path.read_bytes()
        for old_class in (b"crumbs", b"nav", b"foot", b"menu"):
            new = new.replace(b'class="%s"' % old_class, b'class="new-%s"' % old_class)
        new = new.replace(b"head-one", b"banner").replace(b"one</a>", b"renewed</a>")
        new = new.replace(b"All rights reserved", b"Everything is free").replace(b"Home", b"Start")
        path.write_bytes(new)
    assert main(["template", "remove", str(pages), "--output", str(tmp_path / "out"), *kept]) == 0
    assert "learning it again" in capsys.readouterr().err
    assert b"Everything is free" not in (tmp_path / "out/0.html").read_bytes()


def test_a_warc_file_is_read_site_by_site(tmp_path: Path) -> None:
    with ArchiveWriter(tmp_path) as writer:
        for host in ("a.example", "b.example"):
            for number, page in enumerate(make_site(12, layout=host[0])):
                headers = (("Content-Type", "text/html; charset=utf-8"),)
                at = datetime(2026, 1, 1, tzinfo=UTC)
                url = f"http://{host}/{number}"
                head = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
                writer.write(Exchange(url, at, head, 200, "OK", headers, page.html))
    (file,) = tmp_path.glob("*.warc*")
    assert main(["template", "remove", str(file), "--output", str(tmp_path / "out")]) == 0
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"a.example", "b.example"}
    for path in (tmp_path / "out").rglob("*.html"):
        assert b"All rights reserved" not in path.read_bytes()


def test_a_directory_of_warc_files_is_grouped_by_site(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = [
        (f"http://{host}.example/{number}", "text/html", page.html.decode())
        for host in "abcd"
        for number, page in enumerate(make_site(12, layout=host))
    ]
    for number in range(3):
        write_warc(tmp_path / f"{number}.warc.gz", made[number::3])  # the pages of a host are in all files
    kept = ["--workspace", str(tmp_path / "work")]
    assert main(["template", "learn", str(tmp_path), *kept, "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {one["site"]: one["learnt_from"] for one in told} == {f"{host}.example": 12 for host in "abcd"}
    assert main(["template", "show", *kept]) == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["remove", "."], "--output"),
        (["show"], "--workspace"),
        (["learn"], "SOURCE"),
    ],
)
def test_a_wrong_call_ends_in_one_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["template", *words]) == 2
    assert sentence in capsys.readouterr().err


def test_pages_that_are_not_there_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["template", "remove", "nowhere", "--output", "x"]) == 1
    assert "nowhere does not exist" in capsys.readouterr().err


def test_two_processes_learn_and_write_the_same_as_one(pages: Path, tmp_path: Path) -> None:
    for processes in ("1", "2"):
        out, saved = tmp_path / processes, tmp_path / f"{processes}.template"
        several = ["--processes", processes]
        assert main(["template", "remove", str(pages), "--output", str(out), *several]) == 0
        assert main(["template", "learn", str(pages), "--save", str(saved), *several]) == 0
    assert (tmp_path / "1.template").read_bytes() == (tmp_path / "2.template").read_bytes()
    files = [path.relative_to(tmp_path / "1") for path in (tmp_path / "1").rglob("*.html")]
    assert len(files) == 20
    assert all((tmp_path / "1" / file).read_bytes() == (tmp_path / "2" / file).read_bytes() for file in files)
