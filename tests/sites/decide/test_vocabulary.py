from __future__ import annotations

import gzip
import json
import math
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from threadmill.archive.warc_writer import ArchiveWriter
from threadmill.cli import main
from threadmill.errors import UsageError
from threadmill.sites.decide.vocabulary import (
    Vocabulary,
    load_vocabulary,
    make_vocabulary,
    save_vocabulary,
    train_vocabulary,
)
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


SITES = [{"bread": 5, "roll": 1}, {"bread": 1}, {"wheel": 2}]


def test_a_term_is_counted_once_for_each_site_that_has_it() -> None:
    vocabulary = make_vocabulary(SITES, 1, "mine")
    assert vocabulary == Vocabulary(3, {"bread": 2, "roll": 1, "wheel": 1}, "mine")


def test_terms_on_too_few_sites_are_left_out_but_the_sites_count() -> None:
    assert make_vocabulary(SITES) == Vocabulary(3, {"bread": 2})
    assert make_vocabulary(SITES, 3).frequencies == {}


def test_idf_is_the_logarithm_of_all_sites_by_those_with_the_term() -> None:
    vocabulary = Vocabulary(8, {"bread": 2, "all": 8})
    assert vocabulary.idf("bread") == pytest.approx(math.log(4))
    assert vocabulary.idf("all") == 0.0
    assert vocabulary.idf("unknown") == 0.0


def test_a_saved_vocabulary_is_read_back_and_gives_the_same_bytes(tmp_path: Path) -> None:
    vocabulary = Vocabulary(9, {"für": 3, "bread": 2}, "a note")
    save_vocabulary(vocabulary, tmp_path / "one.gz")
    save_vocabulary(Vocabulary(9, {"bread": 2, "für": 3}, "a note"), tmp_path / "other.gz")
    assert load_vocabulary(tmp_path / "one.gz") == vocabulary
    assert "für" in gzip.decompress((tmp_path / "one.gz").read_bytes()).decode()
    assert (tmp_path / "one.gz").read_bytes() == (tmp_path / "other.gz").read_bytes()


def test_the_vocabulary_of_threadmill_knows_common_words() -> None:
    vocabulary = load_vocabulary()
    assert 0 < vocabulary.idf("house") < vocabulary.idf("bakery")


@pytest.mark.parametrize(
    "content",
    [
        b"no gzip",
        gzip.compress(b"no JSON", mtime=0),
        gzip.compress(b"[]", mtime=0),
        gzip.compress(json.dumps({"documents": 3}).encode(), mtime=0),
    ],
)
def test_a_file_that_is_no_vocabulary_is_refused_with_its_name(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "v.gz").write_bytes(content)
    with pytest.raises(UsageError, match=r"expected a vocabulary .* in .*v\.gz, but"):
        load_vocabulary(tmp_path / "v.gz")


def test_a_missing_vocabulary_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="FileNotFoundError"):
        load_vocabulary(tmp_path / "no.gz")


def test_each_file_is_a_site_and_what_is_no_page_belongs_to_none() -> None:
    files = [page(f"file:///pages/{name}.html", f"{name} bread") for name in "ab"]
    other = [
        replace(page("http://c.test/", "wheel"), status=404),
        replace(page("http://c.test/", "wheel"), payload=b""),
        replace(page("http://c.test/", "wheel"), headers=(("Content-Type", "image/png"),)),
        page("http://[::bad/", "wheel"),
    ]
    vocabulary = train_vocabulary([*files, *other], 1, "")
    assert vocabulary.documents == 2
    assert "wheel" not in vocabulary.frequencies
