import json
from pathlib import Path

import pytest

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
