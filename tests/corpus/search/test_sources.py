from __future__ import annotations

import gzip
import json
import lzma
from collections import Counter
from pathlib import Path

import pytest

from threadmill.corpus.search.entries import SearchEntry
from threadmill.corpus.search.sources import files_of, read_entries, read_running_text
from threadmill.errors import NothingFoundError


def test_directories_are_replaced_by_corpora_and_pages(tmp_path: Path) -> None:
    for name in ("b.vert", "a.jsonl.gz", "c.html", "d.txt", "e.vrt.xz"):
        (tmp_path / name).touch()
    assert [file.name for file in files_of([tmp_path])] == ["a.jsonl.gz", "b.vert", "c.html", "e.vrt.xz"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(NothingFoundError, match="found no vertical"):
        files_of([tmp_path / "empty"])


def of_records(tmp_path: Path, *records: object) -> tuple[list[SearchEntry], Counter[str]]:
    file = tmp_path / "a.jsonl"
    file.write_text("".join(r if isinstance(r, str) else json.dumps(r) + "\n" for r in records))
    reasons: Counter[str] = Counter()
    return list(read_entries(file, reasons)), reasons


def test_any_object_with_a_text_is_an_entry_for_each_line(tmp_path: Path) -> None:
    found, _ = of_records(tmp_path, {"text": "One\n\nTwo", "url": "u", "title": "T", "lang": "en"})
    assert found == [SearchEntry(text, "u", "T", "", "", "en", "p") for text in ("One", "Two")]


def test_a_post_is_one_entry_with_its_thread_as_title(tmp_path: Path) -> None:
    record = {"text": "One\nTwo", "thread_url": "t", "thread_title": "Way", "author": "anna", "date": "2024"}
    found, _ = of_records(tmp_path, record)
    assert found == [SearchEntry("One\nTwo", "", "Way", "anna", "2024", "", "post")]


def test_of_a_cleaned_page_the_good_paragraphs_are_entries(tmp_path: Path) -> None:
    record = {
        "url": "u",
        "metadata": {"author": "anna", "url": "other"},
        "paragraphs": [
            {"text": "Good", "class": "good"},
            {"text": "Bad", "class": "bad"},
            {"text": "Open"},
            5,
        ],
    }
    found, _ = of_records(tmp_path, record)
    assert [(entry.text, entry.url, entry.author) for entry in found] == [
        ("Good", "u", "anna"),
        ("Open", "u", "anna"),
    ]


def test_blocks_have_their_own_author_and_date_and_quotes_take_none_over(tmp_path: Path) -> None:
    post = {
        "type": "post",
        "author": "anna",
        "date": "2024",
        "blocks": [{"type": "quote", "text": "Why?"}, {"type": "p", "text": "So."}],
    }
    found, _ = of_records(tmp_path, {"title": "T", "blocks": [post, {"type": "p", "text": " "}, "x"]})
    assert found == [
        SearchEntry("Why?", "", "T", "", "", "", "quote"),
        SearchEntry("So.", "", "T", "anna", "2024", "", "post"),
    ]


def test_what_gives_no_entry_is_counted(tmp_path: Path) -> None:
    found, reasons = of_records(tmp_path, "nonsense\n", [1], {"title": "T"})
    assert found == []
    assert reasons == {"no JSON object": 2, "no text": 1}


VERTICAL = """<doc url="u" title="T" lang="en">
<head>
Big
</head>
<p>
Hello
<g/>
,
you
__IMG__
&amp;
</p>
<post author="anna" date="2024">
<quote author='bert'>
<p>
Why
</p>
</quote>
<p>
So
</p>
<p>
it
</p>
</post>
</doc>
"""


def test_a_vertical_gives_paragraphs_posts_and_quotes() -> None:
    assert list(read_running_text(VERTICAL.splitlines(keepends=True))) == [
        SearchEntry("Hello, you &", "u", "T", "", "", "en", "p"),
        SearchEntry("Why", "u", "T", "bert", "", "en", "quote"),
        SearchEntry("So\nit", "u", "T", "anna", "2024", "en", "post"),
    ]


def test_a_vertical_that_forgets_to_close_gives_all_its_text() -> None:
    lines = ["<doc>", "one\tlemma", "<doc url='u'>", "<post>", "two", "<doc>", "three"]
    assert [entry.text for entry in read_running_text(lines)] == ["one", "two", "three"]


@pytest.mark.parametrize(("ending", "pack"), [("", None), (".gz", gzip.compress), (".xz", lzma.compress)])
def test_packed_verticals_are_read(tmp_path: Path, ending: str, pack: object) -> None:
    file = tmp_path / f"a.vert{ending}"
    file.write_bytes(pack(VERTICAL.encode()) if callable(pack) else VERTICAL.encode())
    assert len(list(read_entries(file, Counter()))) == 3


def test_pages_are_read_through_the_cleaner_and_reasons_are_counted(tmp_path: Path) -> None:
    text = "The old mill stood at the end of the village, and nobody had lived there for many years. " * 4
    (tmp_path / "a.html").write_text(f"<html lang=en><title>Mill</title><p>{text}</p>")
    (tmp_path / "b.html").write_text("<title>x</title>")
    reasons: Counter[str] = Counter()
    [entry] = read_entries(tmp_path / "a.html", reasons)
    assert (entry.text, entry.title, entry.language) == (text.strip(), "Mill", "en")
    assert list(read_entries(tmp_path / "b.html", reasons)) == []
    assert reasons == {"no text left": 1}
