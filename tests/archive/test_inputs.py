import bz2
import gzip
import lzma
from datetime import UTC, datetime
from pathlib import Path

import pytest

from threadmill.archive import ArchiveWriter, ReadTally, read_inputs
from threadmill.archive.inputs import TITLE_HEADER
from threadmill.errors import ArchiveError
from threadmill.types import Exchange

EXTRACT = b"""\
<doc id="12" url="https://en.wikipedia.org/wiki/A&amp;B" title="A &amp; B">
<h1>A & B</h1>
<p>Text with <a href="x">links</a>.</p>
</doc>
<doc id="13" title="C" url="https://en.wikipedia.org/wiki/C">
C
</doc>
"""


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_an_extract_is_read_document_by_document(tmp_path: Path, pack: "type[bytes]") -> None:
    file = tmp_path / "wiki_00"
    file.write_bytes(pack(EXTRACT))
    first, second = read_inputs(file)
    assert first.url == "https://en.wikipedia.org/wiki/A&B"
    assert first.header(TITLE_HEADER) == "A & B"
    assert first.content_type == "text/html"
    assert first.payload == b'<h1>A & B</h1>\n<p>Text with <a href="x">links</a>.</p>\n'
    assert (second.payload, second.source) == (b"C\n", f"{file}:{EXTRACT.index(b'<doc', 5)}")


def test_documents_without_end_are_named(tmp_path: Path) -> None:
    file = tmp_path / "wiki_00"
    file.write_bytes(EXTRACT.replace(b"</doc>\n", b"", 1) + b'<doc id="14">\nD\n')
    tally = ReadTally()
    assert [capture.payload for capture in read_inputs(file, tally)] == [b"C\n"]
    assert tally.skipped == {"document without end": 2}
    assert tally.damaged == 2


def test_a_document_longer_than_a_piece_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "wiki_00"
    text = b"x" * 999 + b"\n"
    file.write_bytes(b'<doc id="1" url="u">\n' + text * 3000 + b"</doc>\n" + EXTRACT)
    captures = list(read_inputs(file))
    assert len(captures) == 3
    assert captures[0].payload == text * 3000


def test_an_html_file_is_a_capture(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(b"<p>hi")
    [capture] = read_inputs(file)
    assert (capture.url, capture.status, capture.payload) == (file.as_uri(), 200, b"<p>hi")
    assert capture.content_type == "text/html"


def test_a_directory_may_hold_all_of_it(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "a.html").write_bytes(b"<p>page")
    (tmp_path / "b" / "wiki_01").write_bytes(EXTRACT)
    (tmp_path / "b" / "notes.pdf").write_bytes(b"%PDF")
    (tmp_path / "b" / "packed.html.gz").write_bytes(gzip.compress(b"<p>packed"))
    with ArchiveWriter(tmp_path / "c") as writer:
        at = datetime(2026, 1, 1, tzinfo=UTC)
        writer.write(Exchange("http://e.com/", at, b"GET / HTTP/1.1\r\n\r\n", 200, "OK", (), b"<p>warc"))
    tally = ReadTally()
    payloads = [capture.payload for capture in read_inputs(tmp_path, tally)]
    assert payloads[0] == b"<p>page"
    assert payloads[1] == b"<p>packed"
    assert payloads[-1] == b"<p>warc"
    assert len(payloads) == tally.captures == 5
    assert tally.skipped["file of another kind"] == 1


def test_nothing_and_what_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "empty.html").touch()
    assert list(read_inputs(tmp_path)) == []
    with pytest.raises(ArchiveError, match="No such file"):
        list(read_inputs(tmp_path / "none"))
