"""Counters of rows: how they are written, and which are replies and views."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.forum import known_values
from threadmill.forum.index.row_lists import (
    find_counter_columns,
    find_replies_and_views,
    find_title_column,
    is_link_name,
    read_counter,
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
    ["", "replies", "anna77", "v2", "3 of 5", "10:15", "9999999999999", "1.234.567k", "5x7", "a" * 40 + " 5"],
)
def test_other_texts_are_no_counters(text: str) -> None:
    assert read_counter(text) is None


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


def _analysis(body: str) -> PageAnalysis:
    return PageAnalysis(parse(f"<html><body>{body}</body></html>".encode(), "http://a.test/b/1"), NOW)


def _rows(first: int, last: int, base: str = "t") -> str:
    return "".join(
        f'<tr><td><a href="/{base}/{n}">A question about pump number {n}</a></td><td>{n * 3}</td>'
        f"<td>{n} June 2020, 10:1{n % 10}</td></tr>"
        for n in range(first, last)
    )


def test_every_list_has_its_known_score() -> None:
    assert known_values.differences("lists") == []


def test_lists_do_not_overlap_and_the_longer_one_comes_first() -> None:
    items = "".join(
        f'<li><b><a href="/x/{n}">What I found in shed number {n}</a></b> {n} May 2020, 10:15</li>'
        for n in range(1, 5)
    )
    lists = _analysis(f"<table>{_rows(1, 11)}</table><p>Others</p><ul>{items}</ul>").row_lists
    assert [len(found.table.records) for found in lists[:2]] == [10, 4]
    outline = lists[0].table.outline
    assert not (
        {span for record in lists[0].table.records for span in record.spans(outline)}
        & {span for record in lists[1].table.records for span in record.spans(outline)}
    )


def test_a_menu_has_little_substance_and_rows_have_all() -> None:
    menu = "".join(f'<li><a href="/m{n}">Part number {n} of the site</a></li>' for n in range(6))
    rows, links = _analysis(f"<table>{_rows(1, 9)}</table>"), _analysis(f"<ul>{menu}</ul>")
    assert rows.row_lists[0].substance == 1.0
    assert links.row_lists[0].substance == pytest.approx(0.0625 / 0.3)
    assert links.row_lists[0].score < 0.35 < rows.row_lists[0].score


def test_a_box_at_the_side_is_worth_half_but_its_worth_is_kept() -> None:
    box = f"<h1>Pumps</h1><p>{'words ' * 300}</p><aside><table>{_rows(1, 9)}</table></aside>"
    inside = _analysis(box).row_lists[0]
    outside = _analysis(box.replace("aside", "section")).row_lists[0]
    assert (inside.aside, outside.aside) == (True, False)
    assert inside.score == pytest.approx(outside.score / 2)
    assert inside.worth == pytest.approx(outside.worth)


def _title_texts(row: str, count: int = 4) -> list[str]:
    page = "".join(f"<tr>{row.replace('#', str(n))}</tr>" for n in range(1, count + 1))
    outline = PageOutline(parse(f"<html><body><table>{page}</table></body></html>", "http://a.test/"))
    anchors = [index for index, tag in enumerate(outline.tags) if tag == "tr"]
    found = find_title_column(RecordTable(outline, split_records(outline, anchors), ()))
    return [outline.text(index) for index in found[1].values()] if found else []


def test_the_title_is_the_longest_link_of_a_row() -> None:
    row = '<td><a href="/u/#">anna#</a></td><td><a href="/t/#">How to repair pump #</a></td>'
    assert _title_texts(row)[0] == "How to repair pump 1"


def test_of_two_long_links_the_first_is_the_title() -> None:
    row = (
        '<td><a href="/t/#">How to repair pump #</a></td><td><a href="/p/#">The last word on pump #</a></td>'
    )
    assert _title_texts(row)[0] == "How to repair pump 1"


@pytest.mark.parametrize(
    "row",
    [
        '<td><a href="/t/#">Reply with quote</a></td>',  # a button
        '<td><a href="/t">How to repair pump #</a></td>',  # one target
        '<td><a href="/t/#">#1711</a></td>',  # the number of a post
        "<td>How to repair pump #</td>",  # no link
        '<td><a href="/t/#">x</a></td>',  # too short
    ],
)
def test_other_columns_are_no_titles(row: str) -> None:
    assert _title_texts(row) == []


def test_two_parts_of_a_page_are_no_rows() -> None:
    body = (
        f'<div class="part"><a href="/t/1">All about the old pumps</a><p>{"words " * 200}</p></div>'
        '<div class="part"><a href="/t/2">About this site</a></div>'
    )
    assert all(len(found.table.records) > 2 for found in _analysis(body).row_lists)


def _with_box(side: str) -> PageAnalysis:
    rows = "".join(f'<li><a href="/t/{n}/">A question about pump {n}</a> ({n})</li>' for n in range(1, 4))
    recent = "".join(
        f'<li><a href="/t/9{n}/">What I found in shed {n}</a> {n} June 2020, 10:15</li>' for n in range(1, 6)
    )
    page = (
        f"<html><body><h1>Pumps</h1><ul>{rows}</ul><div class='{side}'><ol>{recent}</ol></div></body></html>"
    )
    return PageAnalysis(parse(page.encode(), "http://a.test/b/1/"), NOW)


def test_a_box_at_the_side_comes_after_the_list_of_the_page() -> None:
    assert [found.aside for found in _with_box("page-sidebar").row_lists][:2] == [False, True]
    assert not any(found.aside for found in _with_box("content").row_lists)
    assert not any(found.aside for found in _with_box("no-sidebar").row_lists)


def test_a_counter_beside_the_title_is_read() -> None:
    boxed = _with_box("sidebar")

    assert [row.replies for row in boxed.parsed_row_lists[0].rows] == [1, 2, 3]
    assert extract_index(boxed).rows or extract_index(boxed).boards


def _subjects(row: str, count: int = 8) -> float:
    page = "".join(f"<li>{row.replace('#', str(n))}</li>" for n in range(1, count + 1))
    return max((found.subjects for found in _analysis(f"<ul>{page}</ul>").row_lists), default=0.0)


def test_subjects_of_mails_are_rows_without_dates_and_counters() -> None:
    replies = '<a href="msg#0.html">Re: Chain # slips in third gear</a> <i>ada</i>'
    counted = '<a href="msg0#.html">Chain # slips in gear</a> <i>ada</i>'
    assert _subjects(replies) == 1.0
    assert _subjects(counted) == 1.0
    assert _analysis(f"<ul>{'<li>' + counted + '</li>'}</ul>").row_lists == []


@pytest.mark.parametrize(
    "row",
    [
        '<a href="msg0#.html">Chain # slips in gear</a>',
        '<a href="/shop?item=#0">Chain of the best kind</a> <i>new</i>',
        '<a href="m#.html">Go on</a> <i>ada</i>',
    ],
    ids=["nobody beside", "numbers far apart", "short"],
)
def test_menus_are_no_subjects(row: str) -> None:
    assert _subjects(row) < 0.5


def test_links_to_other_orders_are_no_rows() -> None:
    rows = "".join(
        f'<li><a href="00{n}.html">Chain {n} slips in gear</a> <i>ada</i></li>' for n in range(10, 18)
    )
    orders = '<li>Sorted by: <a href="subject.html">[ subject of it ]</a></li>'
    orders += '<li><a href="date.html">[ date of it ]</a></li>'
    page = _analysis(f"<ul>{orders}{rows}</ul>")
    assert [row.url.rpartition("/")[2] for row in page.parsed_row_lists[0].rows] == [
        f"00{n}.html" for n in range(10, 18)
    ]
