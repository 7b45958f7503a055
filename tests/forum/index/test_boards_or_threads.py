"""Boards and threads are told apart by all that rows show."""

from datetime import UTC, datetime

from threadmill.forum.index.boards_or_threads import board_features
from threadmill.forum.read_page import PageAnalysis, extract_index
from threadmill.page.parse.tree import parse

NOW = datetime(2020, 7, 1, tzinfo=UTC)


def _analysis(rows: str, url: str) -> PageAnalysis:
    return PageAnalysis(parse(f"<html><body><ul>{rows}</ul></body></html>".encode(), url), NOW)


def _features(rows: str, url: str) -> dict[str, float]:
    analysis = _analysis(rows, url)
    parsed = analysis.parsed_row_lists[0]
    return board_features(analysis.row_lists[0], parsed.rows, two_dates=parsed.two_dates)


def _short_rows(path: str) -> str:
    return "".join(f'<li><a href="{path}{n}">Pumps {n}</a> <b>{n * 4}</b></li>' for n in range(1, 6))


def test_rows_with_urls_like_that_of_the_page_are_boards_in_a_board() -> None:
    assert _features(_short_rows("/list.php?f="), "http://a.test/list.php?f=9")["same_family"] == 1
    assert _features(_short_rows("/view.php?t="), "http://a.test/list.php?f=9")["other_family"] == 1


def test_the_url_of_a_start_page_says_nothing_about_its_rows() -> None:
    for url in ("http://a.test/", "http://a.test/forum/index.php", "http://a.test/list.php"):
        found = _features(_short_rows("/list.php?f="), url)
        assert (found["same_family"], found["other_family"]) == (0, 0)


def test_short_titles_of_threads_are_threads_by_their_urls_and_labels() -> None:
    rows = "".join(f'<li><a href="/t/{n}">Pump {n}</a> <b>{n * 4} replies</b></li>' for n in range(1, 6))
    index = extract_index(_analysis(rows, "http://a.test/forum/7"))
    assert (len(index.rows), len(index.boards)) == (5, 0)


def test_boards_named_in_the_row_of_a_board_are_boards_and_its_last_thread_is_none() -> None:
    rows = "".join(
        f'<li><a href="/forum/{n}">Pumps {n}</a> <p>Also: <a href="/forum/{n}1">Valves {n}</a></p> '
        f'<b>{n * 44}</b> <i><a href="/topic/{n}">A leak in the cellar {n}</a> {n} May 2020</i></li>'
        for n in (3, 1, 4, 2)
    )
    boards = extract_index(_analysis(rows, "http://a.test/")).boards
    assert {board.url.rpartition("/")[2] for board in boards} == {"3", "1", "4", "2", "31", "11", "41", "21"}


def test_rows_that_lead_to_other_sites_are_threads() -> None:
    rows = "".join(
        f'<li><a href="http://blog{n}.test/">Pumps {n}</a> <b>{n * 44}</b> <b>{n * 400}</b></li>'
        for n in range(1, 6)
    )
    index = extract_index(_analysis(rows, "http://a.test/"))
    assert (len(index.rows), len(index.boards)) == (5, 0)
