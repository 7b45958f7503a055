"""`vert`, `vert check` and `dedup` as a user calls them: a slip loses nothing, and what is wrong is told."""

import gzip
import json
import lzma
from pathlib import Path

import pytest

from threadmill.cli import main

TEXT = (
    "The old mill stood at the end of the village, and nobody had lived there for many years. "
    "In the evening the children went down to the river to look at the boats that came from the town."
)
PAGE = f"<html lang=en><title>The mill</title><article><p>{TEXT}</p><p>{TEXT} Again.</p></article>"
VERTICAL = "<doc>\n<p>\n<s>\none\n<g/>\n.\n</s>\n</p>\n</doc>\n"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "page.html"
    file.write_text(PAGE)
    return file


def test_an_input_is_never_overwritten(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    link = page.with_name("link.html")
    link.symlink_to(page)
    for output in (page, link):
        assert main(["vert", str(page), "-o", str(output)]) == 2
        assert "is an input and would be overwritten" in capsys.readouterr().err
    assert page.read_text() == PAGE


def test_extracts_of_a_directory_are_not_mixed_with_the_corpus_made_of_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "wiki_00").write_text(f'<doc id="1" title="A" url="http://w.org/A">\n{TEXT}\n</doc>\n')
    assert main(["vert", "--wiki", str(tmp_path), "-o", str(tmp_path / "wiki.vert")]) == 2
    assert "choose another place" in capsys.readouterr().err


def test_a_corpus_is_not_written_plain_under_the_name_of_a_packed_one(
    page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["vert", str(page), "-o", str(tmp_path / "c.vert.gz")]) == 2
    assert "a corpus is written uncompressed" in capsys.readouterr().err


@pytest.mark.parametrize("wanted", ["english", "en-US", ",", "en;cs"])
def test_a_language_is_a_code(page: Path, wanted: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vert", str(page), "--lang", wanted]) == 2
    assert "language codes such as en" in capsys.readouterr().err


def test_a_language_that_no_page_can_have_is_refused(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vert", str(page), "--lang", "en,xx"]) == 2
    assert "no page is ever recognised as 'xx'" in capsys.readouterr().err


def test_the_registry_names_the_language_of_nearly_all_documents(page: Path, tmp_path: Path) -> None:
    output = tmp_path / "c.vert"
    assert main(["vert", str(page), "-o", str(output)]) == 0
    assert 'LANGUAGE "English"' in Path(f"{output}.registry").read_text("utf-8")


def test_a_deduplicated_corpus_with_lemmas_and_tags_gets_lempos_for_nosketch(
    page: Path, tmp_path: Path
) -> None:
    pytest.importorskip("simplemma", reason="lemmas need simplemma: pip install '.[lemma]'")
    made, clean, ready = (tmp_path / f"{name}.vert" for name in ("made", "clean", "ready"))
    assert main(["vert", str(page), "--lemma", "--tags", "-o", str(made)]) == 0
    assert main(["dedup", str(made), "-o", str(clean)]) == 0
    assert main(["vert", "convert", str(clean), "-o", str(ready), "--for", "nosketch"]) == 0
    assert "mill\tmill\tNOUN\tmill-n" in ready.read_text("utf-8")
    registry = Path(f"{ready}.registry").read_text("utf-8")
    assert "ATTRIBUTE lempos" in registry
    assert "LPOSLIST" in registry


def test_codes_of_languages_may_be_capital(page: Path, tmp_path: Path) -> None:
    assert main(["vert", str(page), "--lang", "EN, cs", "-o", str(tmp_path / "c.vert")]) == 0


def test_files_of_a_directory_that_are_no_input_are_counted(
    page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    page.rename(folder / "page.html")
    (folder / "notes.txt").write_text("x")
    (folder / "none.warc").touch()
    (folder / "wiki_00").write_text(f'<doc id="1" title="A" url="http://w.org/A">\n<p>{TEXT}</p>\n</doc>\n')
    assert main(["vert", str(folder), "-o", str(tmp_path / "c.vert")]) == 0
    said = capsys.readouterr().err
    assert "3 of 3 files, 2 pages, 2 documents" in said
    assert "left out: 1 × file of another kind" in said
    assert "left out: 1 × input without pages" in said


def test_near_duplicates_are_told(page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    again = tmp_path / "again.html"
    again.write_text(PAGE)
    assert main(["vert", str(page), str(again), "-o", str(tmp_path / "c.vert"), "--dedup", "remove"]) == 0
    assert "near-duplicates: 1 of 2 documents, 1 of 2 paragraphs of the others" in capsys.readouterr().err


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".xz", lzma.compress)])
def test_packed_verticals_are_checked(
    suffix: str, pack: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert callable(pack)
    file = tmp_path / f"c.vert{suffix}"
    file.write_bytes(pack(VERTICAL.encode()))
    assert main(["vert", "check", str(file)]) == 0
    assert "valid; 1 document, 2 positions" in capsys.readouterr().out
    file.write_bytes(pack(VERTICAL.encode())[:-9])
    assert main(["vert", "check", str(file)]) == 1
    assert "is damaged or cut off" in capsys.readouterr().err
    assert main(["dedup", str(file), "-o", str(tmp_path / "out")]) == 1
    assert "is damaged or cut off" in capsys.readouterr().err


def test_a_file_without_documents_is_no_success(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.html").write_text(PAGE)
    (tmp_path / "b.jsonl").write_text(json.dumps({"text": TEXT}) + "\n")
    assert main(["dedup", str(tmp_path / "a.html"), "-o", str(tmp_path / "a")]) == 1
    assert "the input has no document" in capsys.readouterr().err
    assert main(["dedup", str(tmp_path / "b.jsonl"), "-o", str(tmp_path / "b"), "--field", "body"]) == 1
    assert "1 lines are not JSON objects with a text field 'body'" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "begin"),
    [("c.vert", "<doc "), ("c.txt", "<doc "), ("c.jsonl", '{"title": '), ("c.CONLLU", "# newdoc ")],
)
def test_the_ending_of_the_output_says_the_format(page: Path, tmp_path: Path, name: str, begin: str) -> None:
    assert main(["vert", str(page), "-o", str(tmp_path / name), "--processes", "1"]) == 0
    assert (tmp_path / name).read_text().startswith(begin)
    assert (tmp_path / f"{name}.registry").exists() == (begin == "<doc ")


def test_a_format_that_is_named_comes_before_the_ending(page: Path, tmp_path: Path) -> None:
    words = ["vert", str(page), "-o", str(tmp_path / "c.txt"), "--format", "jsonl", "--processes", "1"]
    assert main(words) == 0
    assert (tmp_path / "c.txt").read_text().startswith("{")


def test_parquet_is_refused_with_what_to_do(
    page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["vert", str(page), "-o", str(tmp_path / "c.parquet")]) == 2
    assert "write JSON lines (-o corpus.jsonl)" in capsys.readouterr().err
    assert not (tmp_path / "c.parquet").exists()


@pytest.mark.parametrize("option", [["--format", "conllu"], ["--lemma"], ["--dedup", "mark"], ["--posts"]])
def test_convert_refuses_options_that_it_does_not_use(
    tmp_path: Path, option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.vert").write_text(VERTICAL)
    output = tmp_path / "b.vert"
    assert main(["vert", "convert", str(tmp_path / "a.vert"), "-o", str(output), *option]) == 2
    assert f"{option[0]} is not for vert convert" in capsys.readouterr().err
    assert not output.exists()


def test_pages_of_a_mirror_get_the_urls_of_their_site(
    page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mirror = tmp_path / "mirror" / "deep"
    mirror.mkdir(parents=True)
    (mirror / "a page.html").write_text(PAGE.replace("river", "<a href='/river'>river</a>", 1))
    corpus = tmp_path / "c.vert"
    assert (
        main(["vert", str(tmp_path / "mirror"), str(page), "-o", str(corpus), "--base", "http://m.org/x"])
        == 0
    )
    lines = corpus.read_text().splitlines()
    assert '<link url="http://m.org/river">' in lines
    assert [line.split('url="')[1].split('"')[0] for line in lines if line.startswith("<doc")] == [
        "http://m.org/x/deep/a%20page.html",
        "http://m.org/x/page.html",
    ]
    assert main(["vert", str(page), "--base", "m.org"]) == 2
    assert "expected a URL such as https://example.org/ as base" in capsys.readouterr().err


def test_clitics_are_refused_where_no_wanted_language_has_them(
    page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["vert", str(page), "-o", str(tmp_path / "c.vert"), "--clitics", "--lang", "en"]) == 2
    assert "clitics are split in ar, he, not in en" in capsys.readouterr().err
    assert main(["vert", str(page), "-o", str(tmp_path / "c.vert"), "--clitics"]) == 0
