import json
from pathlib import Path

import pytest

from tests.page.test_clean import PAGE
from threadmill.cli import main


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
    assert main(["clean", "no-such-file.html"]) == 2
    assert "no-such-file.html" in capsys.readouterr().err


def test_pages_of_other_languages_are_left_out(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", str(page), "--language", "cs"]) == 0
    assert capsys.readouterr().out == ""


def test_a_comparison_escapes_what_it_shows(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("resiliparse", reason="needs the peer: pip install 'threadmill[bench]'")
    page.write_text(PAGE.replace("Ships leave the bay</h1>", "&lt;script&gt;alert(1)&lt;/script&gt;</h1>"))
    assert main(["clean", str(page), "--compare", "resiliparse"]) == 0
    out = capsys.readouterr().out
    assert "&lt;script&gt;alert(1)" in out
    assert "<script>" not in out
