"""Lists of an index page: which records are rows, which link is a title, and a row that stands alone."""

from datetime import UTC, datetime

import pytest

from tests.forum import known_values
from threadmill.forum.index.row_lists import find_title_column
from threadmill.forum.read_page import PageAnalysis, extract_index
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import RecordTable, split_records
from threadmill.page.parse.tree import parse

NOW = datetime(2020, 7, 1, tzinfo=UTC)
MENU = '<ul><li><a href="/search">Search</a></li><li><a href="/help">Help</a></li></ul>'
FOOT = '<div><a href="/rules">Rules</a> <a href="/contact">Contact</a> 2020, 7 ms</div>'


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


@pytest.mark.parametrize(("name", "titles"), [("msg", 0), ("other", 4)])
def test_the_permalink_of_a_post_on_the_same_page_is_no_title(name: str, titles: int) -> None:
    page = "".join(
        f'<tr><td><a name="{name}{n}"></a><a href="/t?goto={n}#msg{n}">Re: Repair of pump {n}</a></td></tr>'
        for n in range(1, 5)
    )
    outline = PageOutline(parse(f"<html><body><table>{page}</table></body></html>", "http://a.test/"))
    anchors = [index for index, tag in enumerate(outline.tags) if tag == "tr"]
    found = find_title_column(RecordTable(outline, split_records(outline, anchors), ()))
    assert len(found[1] if found else ()) == titles


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


def test_the_name_of_a_board_is_its_title_and_not_its_last_thread() -> None:
    rows = "".join(
        f'<tr><td><a href="/b/{n}">Pump {n}</a></td><td>{n}</td>'
        f'<td><a href="/t/{n}7">What to do about the leak of pump {n}</a> {n} June 2020</td></tr>'
        for n in range(1, 5)
    )
    assert _analysis(f"<table>{rows}</table>").parsed_row_lists[0].rows[0].title == "Pump 1"


def test_a_row_alone_under_its_heading_is_like_the_others() -> None:
    def row(n: int) -> str:
        name = f'<a href="/b/{n}">Board of pump {n}</a>'
        return f'<div class="row">{name} <i>{n * 9}</i> <i>{n} May 2020</i></div>'

    body = f"<h2>Old</h2><div>{row(1)}{row(2)}</div><h2>New</h2><div>{row(3)}</div>"
    assert len(_analysis(body).parsed_row_lists[0].rows) == 3


def test_titles_without_classes_are_told_from_authors_by_their_place() -> None:
    rows = "".join(
        f'<div><div><a href="/t/{n}">A question about pump {n}</a></div><div>by '
        f'<a href="/u/{n % 3}">anna{n % 3}</a></div><div>{n} replies</div></div>'
        for n in range(1, 6)
    )
    found = _analysis(f"<div>{rows}</div>").parsed_row_lists[0].rows
    assert [row.url for row in found] == [f"http://a.test/t/{n}" for n in range(1, 6)]


def test_a_board_without_posts_is_a_row_and_the_head_of_a_table_is_none() -> None:
    rows = "".join(
        f'<tr><td><a href="/b/{n}">Board of pump {n}</a></td><td>{n % 4}</td>'
        f"<td>{f'{n} May 2020' if n % 4 else ''}</td></tr>"
        for n in range(1, 7)
    )
    head = '<tr><td><a href="?sort=title">Name of the board</a></td><td>Threads</td><td>Last post</td></tr>'
    found = _analysis(f"<table>{head}{rows}</table>").parsed_row_lists[0].rows
    assert [row.title for row in found] == [f"Board of pump {n}" for n in range(1, 7)]


def _framed_analysis(body: str, url: str = "http://a.test/") -> PageAnalysis:
    page = f"<html><body>{MENU}<div>{body}</div>{FOOT}</body></html>"
    return PageAnalysis(parse(page.encode(), url), NOW)


@pytest.mark.parametrize(
    "row",
    [
        '<table><tr><td><a href="/b/2">Lounge</a></td><td>44 threads</td><td>381 posts</td></tr></table>',
        '<dl><dt><a href="/b/2">Lounge</a> <small>All the rest</small></dt><dd>31</dd><dd>286</dd></dl>',
        '<p><a href="/b/2">Lounge</a> (31/286) 4 May 2020</p>',
        '<x-list><x-row><x-cell><a href="/b/2">Lounge</a></x-cell><x-cell>34</x-cell></x-row></x-list>',
    ],
)
def test_a_start_page_with_one_board_has_one_row(row: str) -> None:
    index = extract_index(_framed_analysis(f"<h1>Pumps</h1>{row}"))
    assert [board.url for board in index.boards] == ["http://a.test/b/2"]


def test_a_single_thread_is_read_before_a_box_of_the_latest_posts() -> None:
    recent = "".join(f'<li><a href="/t/{n}">Shed {n} is open</a> {n} June 2020</li>' for n in range(5, 9))
    row = '<div><a href="/t/1">Who has a valve for me?</a> by anna, 3 replies, 2 May 2020</div>'
    analysis = _framed_analysis(
        f"<h1>Valves</h1>{row}</div><div><h4>Latest</h4><ul>{recent}</ul>", "http://a.test/b/2"
    )
    assert [row.title for row in extract_index(analysis).rows] == ["Who has a valve for me?"]


def test_a_list_is_no_single_row() -> None:
    rows = "".join(
        f"<li><a href='/t/{n}'>Question {n} about a pump</a> {n} replies</li>" for n in range(2, 5)
    )
    analysis = _framed_analysis(f"<h1>Valves</h1><ul>{rows}</ul>")
    assert all(len(found.table.records) > 1 for found in analysis.row_lists)


def test_menus_and_footers_have_no_single_row() -> None:
    assert all(len(found.table.records) > 1 for found in _framed_analysis("<h1>Rules</h1>").row_lists)


def _two_rows(title: str, url: str) -> str:
    rows = (
        f'<tr><td><a href="{url.format(n=n)}">{title}</a></td><td>{n}</td><td>{n} June 2020, 10:11</td></tr>'
        for n in (3, 4)
    )
    return f"<h1>Pumps</h1><table>{''.join(rows)}</table>{FOOT}"


def test_two_threads_may_have_the_same_title() -> None:
    found = extract_index(_analysis(_two_rows("Is anybody there from Vienna?", "/t/{n}"))).rows
    assert [row.url for row in found] == ["http://a.test/t/3", "http://a.test/t/4"]


@pytest.mark.parametrize(
    ("title", "url"), [("Reply", "/t/{n}/new"), ("Write an answer to this", "/reply.php?t={n}")]
)
def test_two_buttons_are_no_titles(title: str, url: str) -> None:
    assert len(extract_index(_analysis(_two_rows(title, url))).rows) < 2


def test_two_buttons_behind_the_text_of_posts_are_no_titles() -> None:
    text = "The pump in the cellar has not run since Monday, and the water stands a hand high by now."
    posts = (
        f'<div class="post"><b>Ann</b> {n} June 2020, 10:11<p>{text}</p>'
        f'<a href="/index.php?action=tell;msg={n}">Report to the moderator</a></div>'
        for n in (3, 4)
    )
    page = f"<h1>Pumps</h1><div>{''.join(posts)}</div>{FOOT}"
    assert len(extract_index(_analysis(page)).rows) < 2


def test_a_pager_is_no_row_although_its_numbers_look_like_counters() -> None:
    pager = '<div>[1] <a href="/f?p=2">2</a> [3] <a href="/f?p=2">Next »</a></div>'
    assert extract_index(_analysis(f"<h1>Pumps</h1>{pager}{FOOT}")).rows == ()
    row = '<div>[1] <a href="/t/2">Next meeting</a> [3]</div>'
    found = extract_index(_analysis(f"<h1>Pumps</h1>{row}{FOOT}"))
    urls = [one.url for one in found.rows] + [one.url for one in found.boards]
    assert urls == ["http://a.test/t/2"]
