"""Counters of rows: how they are written, which are replies and views. Boards are told from threads."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.forum.index.counters_and_boards import (
    board_features,
    find_counter_columns,
    find_replies_and_views,
    is_link_name,
    is_reply_title,
    read_counter,
    subject_of,
)
from threadmill.forum.read_page import PageAnalysis, extract_index
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import RecordTable, split_records
from threadmill.page.parse.tree import parse

NOW = datetime(2020, 7, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5),
        ("1,234", 1234),
        ("1.234.567", 1234567),
        ("12 345", 12345),
        ("1'234", 1234),
        ("5 replies", 5),
        ("Posts: 131", 131),
        ("(12)", 12),
        ("1.2k", 1200),
        ("1,2k views", 1200),
        ("3M", 3_000_000),
        ("2万", 20_000),
        ("999999999999", 999_999_999_999),
    ],
)
def test_a_counter_is_read_as_forums_write_it(text: str, value: int) -> None:
    assert read_counter(text) == value


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "replies",
            "anna77",
            "v2",
            "3 of 5",
            "10:15",
            "9999999999999",
            "1.234.567k",
            "5x7",
            "a" * 40 + " 5",
        ),
        *("43.2 KB", "(12 MB", "7 Mo", "5 bytes", "225.jpg", "File: 225.jpeg"),
    ],
)
def test_other_texts_are_no_counters(text: str) -> None:
    assert read_counter(text) is None


@pytest.mark.parametrize("unit", ["", "k", "万"])
def test_a_number_of_thousands_of_digits_is_no_counter(unit: str) -> None:
    assert read_counter("9" * 5000 + unit) is None


@given(st.integers(0, 10**11))
def test_separators_of_thousands_do_not_change_a_counter(value: int) -> None:
    assert read_counter(str(value)) == value
    assert read_counter(f"{value:,}") == value
    assert read_counter(f"{value:,}".replace(",", ".")) == value


def _table(rows: list[str]) -> tuple[RecordTable, dict[int, int]]:
    page = f"<html><body><table>{''.join(rows)}</table></body></html>"
    outline = PageOutline(parse(page.encode(), "http://a.test/"))
    anchors = [index for index, href in enumerate(outline.hrefs) if href and "/t/" in href]
    records = split_records(outline, anchors)
    return RecordTable(outline, records, ()), {n: record.anchor for n, record in enumerate(records)}


def _row(number: int, cells: str) -> str:
    return f'<tr><td><a href="/t/{number}">How to repair pump {number} in 3 days</a></td>{cells}</tr>'


def test_labels_tell_replies_from_views() -> None:
    rows = [_row(n, f"<td>{n * 50} replies</td><td>{n} views</td>") for n in range(1, 5)]
    replies, views = find_replies_and_views(*_table(rows))
    assert replies == {0: 50, 1: 100, 2: 150, 3: 200}
    assert views == {0: 1, 1: 2, 2: 3, 3: 4}


def test_without_labels_the_larger_column_is_the_views() -> None:
    rows = [_row(n, f"<td>{n * 50}</td><td>{n}</td>") for n in range(1, 5)]
    replies, views = find_replies_and_views(*_table(rows))
    assert (replies[1], views[1]) == (2, 100)


def test_a_single_column_without_label_is_the_replies() -> None:
    replies, views = find_replies_and_views(*_table([_row(n, f"<td>{n}</td>") for n in range(1, 5)]))
    assert (replies[2], views) == (3, {})


def test_a_class_may_label_a_column() -> None:
    rows = [_row(n, f'<td class="views">{n}</td><td class="answers">{n * 9}</td>') for n in range(1, 5)]
    replies, views = find_replies_and_views(*_table(rows))
    assert (replies[0], views[0]) == (9, 1)


def test_the_text_before_a_number_may_label_it() -> None:
    rows = [
        _row(n, f"<td><dl><dt>Views</dt><dd>{n}</dd><dt>Replies</dt><dd>{n * 9}</dd></dl></td>")
        for n in range(1, 5)
    ]
    replies, views = find_replies_and_views(*_table(rows))
    assert (replies[0], views[0]) == (9, 1)


@pytest.mark.parametrize(("label", "wanted"), [("", [40, 7, 12, 3, 9]), (" answers", [16, 15, 14, 13, 12])])
def test_the_numbers_of_rows_before_their_titles_are_no_replies(label: str, wanted: list[int]) -> None:
    """A board without comments on most threads showed the number of each row as its replies."""
    views = [40, 7, 12, 3, 9]
    rows = [f"<tr><td>{16 - n}{label}</td>{_row(n, f'<td>{views[n]}</td>')[4:]}" for n in range(5)]
    replies, _ = find_replies_and_views(*_table(rows))
    assert list(replies.values()) == wanted


@pytest.mark.parametrize("words", ["Viewing", "users browsing", "онлайн"])
def test_who_is_there_now_is_neither_posts_nor_views(words: str) -> None:
    rows = [_row(n, f"<td>{9 - n}</td><td><p>{n} {words}</p></td>") for n in range(1, 5)]
    assert find_replies_and_views(*_table(rows)) == ({0: 8, 1: 7, 2: 6, 3: 5}, {})


def test_lines_of_one_cell_are_columns_of_their_own() -> None:
    rows = [_row(n, f"<td>Topics: {n}<br>Posts: {n * 9}</td>") for n in range(1, 5)]
    columns = find_counter_columns(_table(rows)[0])
    assert [column.values[3] for column in columns if column.words] == [4, 36]
    assert [column.words for column in columns if column.words] == ["Topics: 1", "Posts: 9"]


def test_numbers_in_titles_are_no_counters() -> None:
    table, titles = _table([_row(n, "") for n in range(1, 5)])
    assert find_replies_and_views(table, titles) == ({}, {})


def test_a_number_in_half_of_the_rows_makes_a_column_and_in_fewer_none() -> None:
    half = [_row(n, f"<td><b>{n}</b></td>" if n < 3 else "<td><b>-</b></td>") for n in range(1, 5)]
    assert find_replies_and_views(*_table(half))[0] == {0: 1, 1: 2}
    fewer = [_row(n, f"<td><b>{n}</b></td>" if n < 2 else "<td><b>-</b></td>") for n in range(1, 5)]
    assert find_replies_and_views(*_table(fewer))[0] == {}


def test_two_columns_with_the_same_numbers_are_one() -> None:
    rows = [_row(n, f"<td>{n}</td><td><i>{n}</i></td>") for n in range(1, 5)]
    replies, views = find_replies_and_views(*_table(rows))
    assert (replies, views) == ({0: 1, 1: 2, 2: 3, 3: 4}, {})


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        ('<a href="/x">Broken after 4 hours</a>', True),
        ('<a href="/x">5 new replies</a>', False),
        ('<a href="/x">Broken after 4 hours</a> (3)', False),
    ],
)
def test_a_link_of_several_words_is_a_name(cell: str, name: bool) -> None:
    outline = PageOutline(parse(f"<html><body><p>{cell}</p></body></html>", "http://a.test/"))
    assert is_link_name(outline, outline.tags.index("p")) is name


def test_counters_beside_a_link_are_counted() -> None:
    rows = "".join(
        f'<li><a href="/t/{n}/">A question about pump {n}</a> ({n}/{n * 8})</li>' for n in range(1, 6)
    )
    analysis = PageAnalysis(
        parse(f"<html><body><ul>{rows}</ul></body></html>".encode(), "http://a.test/"), NOW
    )
    columns = find_counter_columns(analysis.row_lists[0].table)
    assert any(set(column.values.values()) == {8, 16, 24, 32, 40} for column in columns)


def test_the_title_of_a_cell_may_label_its_number() -> None:
    rows = [_row(n, f'<td title="Views">{n}</td><td title="Replies">{n * 9}</td>') for n in range(1, 5)]
    replies, views = find_replies_and_views(*_table(rows))
    assert (replies[0], views[0]) == (9, 1)


def _analysis(rows: str, url: str) -> PageAnalysis:
    return PageAnalysis(parse(f"<html><body><ul>{rows}</ul></body></html>".encode(), url), NOW)


def _features(rows: str, url: str) -> dict[str, float]:
    analysis = _analysis(rows, url)
    parsed = analysis.parsed_row_lists[0]
    found = analysis.row_lists[0]
    return board_features(found.table, found.titles, parsed.rows, two_dates=parsed.two_dates)


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


def test_a_counter_may_have_another_number_behind_its_word() -> None:
    rows = [_row(n, f"<td>{n} posts spanning {n * 7}.5 days</td>") for n in range(1, 5)]
    assert find_replies_and_views(*_table(rows))[0] == {0: 1, 1: 2, 2: 3, 3: 4}
    others = [_row(n, f"<td>{n} wheels spanning {n * 7}.5 days</td>") for n in range(1, 5)]
    assert find_replies_and_views(*_table(others)) == ({}, {})


@pytest.mark.parametrize(
    ("title", "is_reply", "subject"),
    [
        ("Chain slips", False, "chain slips"),
        ("Re: Chain slips", True, "chain slips"),
        ("RE: AW: Re[2]: Chain slips ", True, "chain slips"),
        ("[bikes] Re: Chain slips", True, "chain slips"),
        ("Reply: none", False, "reply: none"),
        ("回复：链条", True, "链条"),
        ("Chain Re: slips", False, "chain re: slips"),
    ],
)
def test_a_conversation_is_the_title_without_all_marks_of_answers(
    title: str, is_reply: bool, subject: str
) -> None:
    assert (is_reply_title(title), subject_of(title)) == (is_reply, subject)
