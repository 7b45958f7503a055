import io
import sys

import pytest

from threadmill.cli.terminal import live_text, table_console


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
