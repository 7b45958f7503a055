from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from threadmill.archive.warc_writer import ArchiveWriter
from threadmill.cli import main
from threadmill.sites.decide.vocabulary import load_vocabulary, save_vocabulary
from threadmill.sites.train import train_vocabulary
from threadmill.types import Capture, Exchange

_AT = datetime(2026, 1, 1, tzinfo=UTC)
_HTML = (("Content-Type", "text/html; charset=utf-8"),)
_FILLER = "Every morning our people open the workshop and make good things with their hands."


def page(url: str, text: str) -> Capture:
    html = f"<title>x</title><p>{_FILLER}</p><p>{text}</p>"
    return Capture(url, _AT, 200, _HTML, html.encode())


def test_a_term_counts_once_a_site_however_many_pages_have_it() -> None:
    pages = [
        page("http://a.test/", "bread bread"),
        page("http://b.test/", "bread wheel"),
        page("http://a.test/2", "bread"),
    ]
    vocabulary = train_vocabulary(pages, 1, "")
    assert vocabulary.documents == 2
    assert vocabulary.frequencies["bread"] == 2
    assert vocabulary.frequencies["wheel"] == 1
    assert vocabulary.idf("bread") == 0.0


def test_terms_on_fewer_sites_than_asked_for_are_dropped() -> None:
    pages = [page("http://a.test/", "bread"), page("http://b.test/", "bread wheel")]
    assert "wheel" not in train_vocabulary(pages, 2, "").frequencies


def test_placeholders_and_failures_teach_nothing() -> None:
    parked = Capture("http://p.test/", _AT, 200, _HTML, b"<p>This domain is for sale</p>")
    broken = Capture("http://q.test/", _AT, 500, _HTML, b"<p>Internal error of the server</p>")
    assert train_vocabulary([parked, broken, page("http://a.test/", "bread")], 1, "").documents == 1


def test_a_vocabulary_is_trained_on_a_warc_by_command_and_read_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with ArchiveWriter(tmp_path / "kept") as writer:
        for host in "abc":
            body = page(f"http://{host}.test/", "bread").payload
            writer.write(
                Exchange(f"http://{host}.test/", _AT, b"GET / HTTP/1.1\r\n\r\n", 200, "OK", _HTML, body)
            )
    file = tmp_path / "vocabulary.json.gz"
    assert main(["sites", "train", str(tmp_path / "kept"), "-o", str(file), "--least", "3"]) == 0
    assert "3 sites" in capsys.readouterr().out
    vocabulary = load_vocabulary(file)
    assert vocabulary.frequencies["bread"] == 3
    assert "kept" in vocabulary.note
    save_vocabulary(vocabulary, tmp_path / "again.json.gz")
    assert (tmp_path / "again.json.gz").read_bytes() == file.read_bytes()


def test_training_on_nothing_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert main(["sites", "train", str(tmp_path / "empty"), "-o", str(tmp_path / "v.gz")]) != 0
