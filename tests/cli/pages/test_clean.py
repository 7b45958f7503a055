import gzip
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.corpus.build.test_pipeline import page as page_of_text
from tests.corpus.build.test_pipeline import write_warc
from tests.page.test_clean import PAGE
from tests.template.apply.test_page_framing import BLURB, article
from threadmill.archive import ArchiveWriter
from threadmill.cli import main
from threadmill.store import open_store
from threadmill.template import unmark
from threadmill.types import Exchange
from threadmill.workspace import open_workspace


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return path


def test_text_is_the_default(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", str(page)]) == 0
    out = capsys.readouterr().out
    assert "the wind turned" in out
    assert "Terms of use" not in out


def test_jsonl_tells_class_reason_and_links(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", str(page), "--format", "jsonl", "--url", "https://harbour.example/"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["language"] == "en"
    assert all(paragraph["class"] and paragraph["reason"] for paragraph in record["paragraphs"])
    links = [link for paragraph in record["paragraphs"] for link in paragraph["links"]]
    assert {
        "url": "https://harbour.example/news",
        "text": "News",
        "start": 0,
        "end": 4,
        "kind": "link",
    } in links


def test_json_is_the_same_as_jsonl(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = [
        (main(["clean", str(page), *options]), capsys.readouterr().out)
        for options in (["--json"], ["--format", "jsonl"], ["--json", "--format", "jsonl"])
    ]
    assert shown[0] == shown[1] == shown[2]
    assert json.loads(shown[0][1])


def test_markdown_has_headings_and_links(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", str(page), "--format", "markdown"]) == 0
    out = capsys.readouterr().out
    assert "# Ships leave the bay" in out
    assert "[ship](https://en.wikipedia.org/wiki/Ship)" in out


def test_a_directory_is_cleaned_page_by_page(page: Path, tmp_path: Path) -> None:
    (tmp_path / "other.html").write_text(PAGE.replace("ships", "boats"), encoding="utf-8")
    output = tmp_path / "out.jsonl"
    assert main(["clean", str(tmp_path), "--format", "jsonl", "--output", str(output)]) == 0
    assert len(output.read_text().splitlines()) == 2


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    for number in range(20):
        (folder / f"{number}.html").write_bytes(article(number))
    return folder


def test_the_framing_of_a_directory_is_learnt_from_its_pages(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["clean", str(site)]) == 0
    together = capsys.readouterr()
    assert "learnt from 20 pages" in together.err
    assert BLURB not in together.out
    assert main(["clean", str(site), "--template", "none"]) == 0
    assert capsys.readouterr().out.count(BLURB) == 20


def test_a_saved_template_is_used_for_a_single_page(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "site.template"
    assert main(["template", "learn", str(site), "--save", str(saved)]) == 0
    (tmp_path / "new.html").write_bytes(article(77))
    capsys.readouterr()
    assert main(["clean", str(tmp_path / "new.html"), "--template", str(saved)]) == 0
    out = capsys.readouterr().out
    assert BLURB not in out
    assert "It was said that" in out


def test_what_is_no_template_is_refused(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", str(page), "--template", str(page)]) == 2
    assert "is not a template" in capsys.readouterr().err


def write_workspace(work: Path, pages: Sequence[bytes]) -> None:
    open_store(open_workspace(work, create=True).store_url).close()  # an archive without one has lost it
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    at, head = datetime(2026, 1, 1, tzinfo=UTC), b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    with ArchiveWriter(work / "archive") as writer:
        for number, page in enumerate(pages):
            writer.write(Exchange(f"http://a.example/{number}", at, head, 200, "OK", headers, page))


def test_a_workspace_is_cleaned_with_the_templates_of_its_store(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    work = tmp_path / "work"
    write_workspace(work, [article(number) for number in range(12)])
    assert main(["template", "learn", str(work), "--workspace", str(work)]) == 0
    capsys.readouterr()
    assert main(["clean", str(work), "--format", "jsonl"]) == 0
    out, err = capsys.readouterr()
    assert "learnt from" not in err  # the store knew it
    records = [json.loads(line) for line in out.splitlines()]
    assert len(records) == 12
    assert not any(BLURB in record["text"] for record in records)


def test_marked_html_is_written_byte_for_byte(page: Path, tmp_path: Path) -> None:
    page.write_bytes(PAGE.replace("Berg", "Bårg").encode("latin-1"))
    output = tmp_path / "marked.html"
    assert main(["clean", str(page), "--format", "html-marked", "--output", str(output)]) == 0
    assert output.read_bytes() != page.read_bytes()
    assert unmark(output.read_bytes()) == page.read_bytes()


def test_a_hook_of_a_file_is_called(page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hook = tmp_path / "mine.py"
    hook.write_text("def loud(text, verdict, html):\n    return verdict, text.upper()\n")
    assert main(["clean", str(page), "--hook", f"{hook}:loud"]) == 0
    assert "THE WIND TURNED" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words", [["--hook", "nothing"], ["--hook", "no.such:thing"], ["--compare", "nobody"]]
)
def test_a_wrong_call_is_one_sentence(
    words: list[str], page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["clean", str(page), *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_missing_file_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", "no-such-file.html"]) == 1
    assert "no-such-file.html" in capsys.readouterr().err


def test_pages_of_other_languages_are_left_out(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", str(page), "--language", "cs"]) == 0
    assert capsys.readouterr().out == ""


def test_a_comparison_escapes_what_it_shows(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("resiliparse", reason="needs the peer: pip install '.[bench]'")
    page.write_text(PAGE.replace("Ships leave the bay</h1>", "&lt;script&gt;alert(1)&lt;/script&gt;</h1>"))
    assert main(["clean", str(page), "--compare", "resiliparse"]) == 0
    out = capsys.readouterr().out
    assert "&lt;script&gt;alert(1)" in out
    assert "<script>" not in out


def test_a_packed_file_larger_than_any_page_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bomb.html.gz").write_bytes(gzip.compress(b"<p>" + b"\0" * (1 << 26)))
    assert main(["clean", str(tmp_path / "bomb.html.gz")]) == 1
    assert "left out: 1 × larger than" in capsys.readouterr().err


def test_answers_that_are_no_pages_of_the_site_are_left_out_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = tmp_path / "crawl.warc.gz"
    pages = [(f"http://x.org/{number}", "text/html", article(number).decode()) for number in range(12)]
    moved = [("http://x.org/old", "302:text/html", "<p>This page has moved to another place.")] * 4
    gone = [("http://x.org/gone", "404:text/html", "<p>There is no such page on this server.")] * 3
    write_warc(archive, [*moved, *pages, *gone])
    assert main(["clean", str(archive), "--format", "jsonl"]) == 0
    out, err = capsys.readouterr()
    assert [json.loads(line)["url"] for line in out.splitlines()] == [url for url, _, _ in pages]
    assert "learnt from 12 pages" in err
    assert "left out: 4 × status 302" in err
    assert "left out: 3 × status 404" in err


@pytest.mark.parametrize(
    "options",
    [
        ["--template", "none"],
        ["--format", "csv"],
        ["--format", "html-marked"],
        ["--dedup", "--template", "none"],
    ],
)
def test_two_processes_write_the_same_bytes_as_one(tmp_path: Path, options: list[str]) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    for number in range(12):
        pages = [("http://x.org/a", "text/html", page_of_text(number % 7)) for _ in range(2)]
        write_warc(folder / f"{number:02}.warc.gz", pages)
        (folder / f"{number:02}.html").write_text(page_of_text(100 + number))
    for processes in ("1", "2"):
        words = ["--output", str(tmp_path / processes), "--processes", processes]
        assert main(["clean", str(folder), *options, *words]) == 0
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()
    assert (tmp_path / "1").stat().st_size > 100


@pytest.mark.parametrize(
    ("name", "begin"),
    [("o.md", "# Ships"), ("o.jsonl", "{"), ("o.csv", "url,"), ("o.txt", "Ships"), ("o", "Ships")],
)
def test_the_name_of_the_output_tells_the_format(page: Path, tmp_path: Path, name: str, begin: str) -> None:
    assert main(["clean", str(page), "-o", str(tmp_path / name)]) == 0
    assert (tmp_path / name).read_text().startswith(begin)


@pytest.mark.parametrize(
    ("name", "told"),
    [("a.jsonl", "threadmill vert reads"), ("a.parquet", "threadmill vert reads"), ("a.vert.gz", "a corpus")],
)
def test_texts_that_are_no_pages_are_refused_with_what_reads_them(
    name: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text('{"text": "A"}\n')
    assert main(["clean", str(tmp_path / name)]) == 2
    assert told in capsys.readouterr().err


def test_an_empty_input_says_that_there_is_no_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.html").write_text("")
    assert main(["clean", str(tmp_path / "a.html")]) == 1
    assert "the input holds no page" in capsys.readouterr().err


def test_an_extractor_that_is_not_there_is_told_before_anything_is_written(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["clean", str(page), "--compare", "nonesuch"]) == 2
    assert not capsys.readouterr().out
