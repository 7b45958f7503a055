import json
from pathlib import Path

import pytest

from tests.corpus.build.test_pipeline import write_warc
from tests.forum import sites
from threadmill.cli import main


def test_posts_of_a_saved_page_are_json_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "page.html"
    path.write_text(sites.flat_thread())
    assert main(["forum", "posts", str(path), "--url", "https://forum.example.org/t/9"]) == 0
    posts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [post["author"] for post in posts] == list(sites.NAMES)
    assert posts[0]["url"] == "https://forum.example.org/t/9#p100"


def test_a_saved_page_says_what_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "page.html"
    path.write_text(sites.index_page())
    assert main(["forum", "page", str(path), "--url", "https://forum.example.org/b/5"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["kind"], shown["order"], len(shown["rows"])) == ("index", "activity", 8)


def test_a_broken_archive_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "page.html.gz"
    path.write_bytes(b"\x1f\x8bnothing")
    assert main(["forum", "posts", str(path)]) == 2
    assert "gzip" in capsys.readouterr().err


def test_posts_of_an_archive_come_from_its_thread_pages_with_their_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = [
        ("http://x.org/t/1", "text/html", sites.flat_thread()),
        ("http://x.org/a", "text/html", "<p>Nothing."),
    ]
    write_warc(tmp_path / "a.warc.gz", pages)
    (tmp_path / "b.html").write_text(sites.flat_thread())
    out = tmp_path / "posts.jsonl"
    assert main(["forum", "posts", str(tmp_path), "-o", str(out)]) == 0
    posts = [json.loads(line) for line in out.read_text().splitlines()]
    assert [post.get("page") for post in posts] == ["http://x.org/t/1"] * len(sites.NAMES) + [None] * len(
        sites.NAMES
    )
    assert posts[0]["fetched"] == "2020-01-01T00:00:00+00:00"
    assert "a.warc.gz: pages: 1 × thread, 1 × other; 0 records damaged" in capsys.readouterr().err
    again = tmp_path / "again.jsonl"
    assert main(["forum", "posts", str(tmp_path), "-o", str(again), "--processes", "2"]) == 0
    assert again.read_bytes() == out.read_bytes()
