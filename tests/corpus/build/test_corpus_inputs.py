"""Inputs of a corpus: which files are read, and what becomes of wiki extracts."""

import gzip
import json
import lzma
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from threadmill.archive.read_tally import ReadTally
from threadmill.archive.remote_files import file_size
from threadmill.corpus.build.corpus_inputs import (
    WIKI_TYPE,
    expand_inputs,
    open_unpacked,
    read_sources,
)
from threadmill.errors import ArchiveError, NothingFoundError
from threadmill.types import Capture


def test_a_directory_gives_its_readable_files_by_name_and_counts_the_others(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name in ("b.html", "a.warc.gz", "deep/c.HTM", "deep/wiki_00", "notes.txt", "picture.png"):
        (tmp_path / name).touch()
    skipped: Counter[str] = Counter()
    found = expand_inputs([tmp_path], skipped=skipped)
    assert [str(file).removeprefix(f"{tmp_path}/") for file in found] == [
        "a.warc.gz", "b.html", "deep/c.HTM", "deep/wiki_00",
    ]  # fmt: skip
    assert skipped == {"file of another kind": 2}
    assert len(expand_inputs([tmp_path], wiki=True)) == 6


def test_a_file_named_by_the_user_is_read_whatever_its_name(tmp_path: Path) -> None:
    file = tmp_path / "page"
    file.touch()
    assert expand_inputs([file, Path("-")]) == [file, Path("-")]
    with pytest.raises(NothingFoundError, match="does not exist"):
        expand_inputs([tmp_path / "none.html"])


@pytest.mark.parametrize(
    ("name", "pack"), [("a.gz", gzip.compress), ("a.xz", lzma.compress), ("a.txt", bytes)]
)
def test_packed_files_are_read_unpacked_and_damage_is_named(tmp_path: Path, name: str, pack: type) -> None:
    file = tmp_path / name
    file.write_bytes(pack(b"some text " * 100))
    with open_unpacked(file) as (unpacked, raw):
        assert unpacked.read() == b"some text " * 100
        assert raw.tell() == file_size(file)
    if name != "a.txt":
        file.write_bytes(pack(b"some text " * 100)[:-10])
        with pytest.raises(ArchiveError, match="damaged or cut off"), open_unpacked(file) as (unpacked, _):
            unpacked.read()


def test_the_size_of_standard_input_and_of_a_directory_is_unknown(tmp_path: Path) -> None:
    assert file_size(Path("-")) == file_size(tmp_path) == 0


def test_lines_of_a_wiki_extract_are_paragraphs_and_markup_stays(tmp_path: Path) -> None:
    file = tmp_path / "wiki_00"
    file.write_text(
        '<doc id="1" url="https://w.example/1" title="A &lt; B">\nOne.\n\nTwo.\n</doc>\n'
        '<doc id="2" url="https://w.example/2" title="C">\n<p>Three.</p>\n</doc>\n',
        encoding="utf-8",
    )
    pages = [page for page in read_sources(file, ReadTally(), wiki=True) if isinstance(page, Capture)]
    assert [page.content_type for page in pages] == [WIKI_TYPE, WIKI_TYPE]
    assert b"<p>One.</p><p>Two.</p>" in pages[0].payload
    assert pages[1].payload.count(b"<p>") == 1


ROWS: list[dict[str, Any]] = [
    {
        "text": "The mill stands.\nIt turns.",
        "url": "http://x.org/1",
        "title": "Mill",
        "date": "2024-05-06T07:08:09Z",
    },
    {"text": "Another text.", "metadata": {"url": "http://x.org/2", "author": "Anna"}},
    {"text": None, "url": "http://x.org/3"},
]


def write_rows(file: Path) -> Path:
    if file.suffix == ".parquet":
        parquet.write_table(pyarrow.Table.from_pylist([{"metadata": None, **row} for row in ROWS]), file)
    else:
        lines = "".join(json.dumps(row) + "\n" for row in ROWS)
        data = (lines + "no object\n[1]\n\n").encode()
        file.write_bytes(gzip.compress(data) if file.suffix == ".gz" else data)
    return file


@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson.gz", "a.parquet"])
def test_records_of_datasets_are_texts_with_what_is_known_about_them(name: str, tmp_path: Path) -> None:
    tally = ReadTally()
    found = [page for page in read_sources(write_rows(tmp_path / name), tally) if isinstance(page, Capture)]
    assert [page.payload.decode() for page in found] == [ROWS[0]["text"], ROWS[1]["text"]]
    assert [page.url for page in found] == ["http://x.org/1", "http://x.org/2"]
    assert found[0].header("X-Threadmill-Title") == "Mill"
    assert found[1].header("X-Threadmill-Author") == "Anna"
    assert found[0].at == datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    assert tally.skipped["no text in the field 'text'"] == 1
    assert tally.skipped["no JSON object"] == (0 if name == "a.parquet" else 2)


def test_the_field_of_the_text_can_be_named(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"content": "Words."}\n')
    (page,) = read_sources(file, ReadTally(), field="content")
    assert page.payload == b"Words."


def test_what_is_no_parquet_is_named(tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    file.write_bytes(b"PAR1 nothing else")
    with pytest.raises(ArchiveError, match="is no readable Parquet file"):
        list(read_sources(file, ReadTally()))
