import io
from pathlib import Path

import pytest

from threadmill.cli import main
from threadmill.errors import UsageError
from threadmill.sites.collect.site_lists import read_site_list, site_url

URLS = ("http://a.test/", "https://b.test/x", "http://müller.de/")


@pytest.mark.parametrize(
    "text",
    [
        "a.test\nhttps://b.test/x\nmüller.de\n",
        "# customers\n\n  a.test  our best\nhttps://b.test/x\nmüller.de",
        "name;site;town\nAnna;a.test;Ulm\nBob & Co;https://b.test/x;Bonn\nMüller;müller.de;Köln\n",
        'Website,Name\na.test,"Anna, Inc."\nhttps://b.test/x,Bob\nmüller.de,M\n',
        "1\ta.test\n2\thttps://b.test/x\n3\tmüller.de",
        "site\na.test\nhttps://b.test/x\nmüller.de\na.test\n",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_lists_are_read_as_people_have_them(text: str, encoding: str) -> None:
    found = read_site_list(text.encode(encoding))
    assert found.urls == URLS
    assert found.skipped == ()


def test_an_excel_file_is_read() -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    sheet = book.create_sheet("customers")
    for row in [
        ("Name", "Web"),
        ("Anna", "a.test"),
        ("Bob", "https://b.test/x"),
        ("?", None),
        ("M", "müller.de"),
    ]:
        sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    assert read_site_list(file.getvalue()).urls == URLS
    with pytest.raises(UsageError, match="save it as CSV"):
        read_site_list(file.getvalue()[:-30])


def test_bad_lines_are_named_and_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = read_site_list(b"a.test\nno site at all\n\nb.test\nhttp://[x/\n")
    assert found.urls == ("http://a.test/", "http://b.test/")
    assert [(line.number, line.text) for line in found.skipped] == [(2, "no site at all"), (5, "http://[x/")]
    file = tmp_path / "list.txt"
    file.write_bytes(b"# only\nwords here\n")
    assert main(["sites", "compare", str(file)]) == 2
    assert "at least two sites" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("example.org", "http://example.org/"),
        ("EXAMPLE.ORG/a?b", "http://EXAMPLE.ORG/a?b"),
        ("<https://x.test>,", "https://x.test/"),
        ("127.0.0.1:80", "http://127.0.0.1:80/"),
        ("localhost", None),
        ("3.14", None),
        ("anna@example.org", None),
        ("Anna", None),
        ("", None),
    ],
)
def test_a_cell_is_a_site_or_not(text: str, url: str | None) -> None:
    assert site_url(text) == url


def test_a_file_that_is_no_text_is_named_as_such() -> None:
    with pytest.raises(UsageError, match="text, CSV, TSV or Excel"):
        read_site_list(b"\x89PNG\r\n\0\0\0\rIHDR kern.at linde.at")


@pytest.mark.parametrize("strange", [b"\x81", b"\x8d\xfc"])
def test_bytes_that_no_encoding_of_lists_has_spoil_no_other_line(strange: bytes) -> None:
    assert read_site_list(b"a.test\nb.test\n# " + strange).urls == ("http://a.test/", "http://b.test/")


def test_twenty_skipped_lines_are_named_and_the_others_counted() -> None:
    sites = "a.test\nb.test\n"
    for count, last in ((20, "line 22 names"), (21, "… and 1 more lines"), (23, "… and 3 more lines")):
        lines = "".join(f"{'n' * 90} {number}\n" for number in range(count))
        problems = list(read_site_list(f"{sites}{lines}".encode()).problems())
        assert len(problems) == min(count, 20) + (count > 20)
        assert problems[0] == f"line 3 names no site and is skipped: {'n' * 60!r}"
        assert problems[-1].startswith(last)
