import io
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from threadmill.cli.terminal import complete_file, live_text, show_count, show_parts, table_console
from threadmill.parallel.parts import Part, PartOutcome


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_without_a_terminal_nothing_is_shown() -> None:
    with live_text("reading …") as show:
        assert show is None


def test_a_quiet_command_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    with live_text("reading …", quiet=True) as show:
        assert show is None


def test_brackets_of_a_url_are_shown_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    with live_text("crawling http://a.example/?a[red]=1") as show:
        assert show is not None
        show("2 pages of http://a.example/?a[/b]=1")
    assert "?a[red]=1" in screen.getvalue()
    assert "?a[/b]=1" in screen.getvalue()


def test_tables_are_wide_where_there_is_no_terminal() -> None:
    assert table_console().width == 140
    assert table_console(260).width == 260


def test_a_file_takes_its_place_only_when_it_is_complete(tmp_path: Path) -> None:
    file = tmp_path / "posts.csv"
    file.write_text("earlier")

    def fail() -> None:
        with complete_file(file) as part:
            part.write_text("half")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert [(found.name, found.read_text()) for found in tmp_path.iterdir()] == [("posts.csv", "earlier")]
    with complete_file(file) as part:
        part.write_text("whole")
    assert [(found.name, found.read_text()) for found in tmp_path.iterdir()] == [("posts.csv", "whole")]


def test_a_file_stays_closed_to_those_who_could_not_read_it(tmp_path: Path) -> None:
    file = tmp_path / "posts.csv"
    file.touch(mode=0o400)
    with complete_file(file) as part:
        assert part.stat().st_mode & 0o777 == 0o600
        part.write_text("whole")
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_link_to_a_file_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "there")
    with complete_file(tmp_path / "link") as part:
        part.write_text("whole")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there").read_text() == "whole"


def test_items_are_handed_on_and_counted_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(show_count([1, 2, 3], "pages")) == [1, 2, 3]
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    assert list(show_count(range(5), "pages")) == [0, 1, 2, 3, 4]
    assert "pages: 5 (" in screen.getvalue()


def test_parts_are_handed_on_and_a_terminal_tells_the_time_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [tmp_path / name for name in "abcd"]
    for file in files:
        file.write_bytes(b"x" * 1000)
    parts = [
        PartOutcome(tuple(files[:1]), [Part("", (), 0, "", {"pages": 7})], []),
        PartOutcome(tuple(files[1:]), [], [(files[3], "it is damaged")]),
    ]
    assert list(show_parts(parts, files)) == parts
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")

    def outcomes() -> Iterator[PartOutcome]:
        for part in parts:
            yield part
            time.sleep(0.3)  # the screen is painted four times a second

    assert list(show_parts(outcomes(), files)) == parts
    shown = screen.getvalue()
    assert "1 of 4 files, 7 pages; " in shown
    assert re.search(r"25%, 0:00:0\d left", shown)
    assert "4 of 4 files, 7 pages; " in shown
    assert "100%, 0:00:00 left" in shown


def test_a_pipe_is_as_wide_as_its_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert table_console().width == 80


def test_a_table_whose_reader_has_gone_is_no_failure() -> None:
    with pytest.raises(BrokenPipeError):  # which `main` takes for a good end; rich would end with 1
        table_console().on_broken_pipe()
