from datetime import UTC, datetime

import pytest

from threadmill.forum.index.rows_by_url import (
    _are_mentions,
    find_ids_in_rows_of,
    find_ids_outside_list,
    find_rows_by_url,
    find_stated_totals,
)
from threadmill.forum.read_page import PageAnalysis
from threadmill.page.parse.tree import parse

_NOW = datetime(2020, 7, 1, tzinfo=UTC)


def _link(number: int) -> str:
    return f'<a href="/t/{number}">What to do about pump {number}</a>'


def test_a_box_of_the_latest_threads_takes_no_row_from_the_list() -> None:
    rows = "".join(f"<tr><td>{_link(n)}</td><td>{n} June 2020 10:0{n}</td></tr>" for n in range(1, 6))
    page = f"<html><body><ul><li>{_link(2)}</li></ul><table>{rows}</table></body></html>"
    analysis = PageAnalysis(parse(page.encode(), "http://a.test/b/1"), _NOW)
    found = find_rows_by_url(analysis, lambda url: url if "/t/" in url else None)
    assert found
    assert [row.active.date.day for row in found.rows if row.active] == [1, 2, 3, 4, 5]


def test_a_short_list_by_the_heading_counts_more_than_a_longer_box() -> None:
    box = "".join(f"<li>{_link(n)} {n} June 2020 09:00</li>" for n in (6, 7, 8, 9))
    rows = "".join(f"<p>{_link(n)} <i>{n} June 2020 10:0{n}</i></p>" for n in (1, 2, 3))
    page = f"<html><body><div><ul>{box}</ul></div><div><h1>Pumps</h1>{rows}</div></body></html>"
    assert [url for url, _ in _rows(page)] == ["1", "2", "3"]
    without = page.replace("<h1>Pumps</h1>", "")
    assert [url for url, _ in _rows(without)] != ["1", "2", "3"]


def test_the_dates_of_a_tree_are_counted_as_a_number_of_its_row() -> None:
    def tree(number: int, answers: int) -> str:
        lines = "".join(
            f"<li><a href='/m/{number}{n}'>Re: pump</a> <i>{n + 1} June 2020</i></li>" for n in range(answers)
        )
        return f"<div>{_link(number)} <i>1 June 2020</i><ul>{lines}</ul></div>"

    page = f"<html><body>{tree(1, 3)}{tree(2, 0)}{tree(3, 4)}</body></html>"
    analysis = PageAnalysis(parse(page.encode(), "http://a.test/"), _NOW)
    found = find_rows_by_url(analysis, lambda url: url if "/t/" in url else None)
    assert found
    assert [row.numbers for row in found.rows] == [{"dates": 4}, {"dates": 1}, {"dates": 5}]


def test_rows_that_show_last_posts_tell_how_many_they_leave_out() -> None:
    def preview(number: int, shown: int, hidden: int) -> str:
        left_out = f"<em>{hidden} posts left out</em>" if hidden else ""
        posts = "".join(f"<p><i>{n + 1} June 2020</i> It rains since 3.5.2019.</p>" for n in range(shown))
        return f"<div>{_link(number)} {left_out}{posts}</div>"

    page = f"<html><body>{preview(1, 4, 7)}{preview(2, 2, 0)}{preview(3, 4, 12)}</body></html>"
    analysis = PageAnalysis(parse(page.encode(), "http://a.test/"), _NOW)
    found = find_rows_by_url(analysis, lambda url: url if "/t/" in url else None)
    assert found
    assert [sum(row.numbers.values()) for row in found.rows] == [11, 2, 16]


def test_the_number_of_posts_left_out_has_one_name_on_all_pages() -> None:
    """It had a second one, by its place, on pages where all rows leave posts out."""

    def names(*hidden: int) -> list[set[str]]:
        rows = "".join(
            f"<div>{_link(n)} <em>{f'{count} posts left out' if count else ''}</em>"
            f"{'<p><i>3 June 2020</i> It rains.</p>' * 4}</div>"
            for n, count in enumerate(hidden)
        )
        analysis = PageAnalysis(parse(f"<html><body>{rows}</body></html>".encode(), "http://a.test/"), _NOW)
        found = find_rows_by_url(analysis, lambda url: url if "/t/" in url else None)
        assert found
        return [set(row.numbers) for row in found.rows]

    assert names(7, 2, 12) == names(7, 0, 12)


def test_numbers_in_shown_posts_are_not_what_rows_leave_out() -> None:
    def preview(number: int, said: str, hidden: int) -> str:
        left_out = f"<div>{hidden} post{'s' if hidden > 1 else ''} left out</div>" if hidden else ""
        posts = "".join(f"<p><i>{n + 1} June 2020</i></p><div>{said}</div>" for n in range(4))
        return f"<section>{_link(number)} {posts[:40]}<div>{said}</div>{left_out}{posts[40:]}</section>"

    words = ["It took 5 hours.", "I paid 57 for it.", "The 3rd one broke, all 9 did."]
    rows = [preview(number, words[number], hidden) for number, hidden in enumerate((7, 0, 1))]
    analysis = PageAnalysis(
        parse(f"<html><body>{''.join(rows)}</body></html>".encode(), "http://a.test/"), _NOW
    )
    found = find_rows_by_url(analysis, lambda url: url if "/t/" in url else None)
    assert found
    assert [row.numbers["div post-left-out"] for row in found.rows] == [7, 0, 1]


def test_lists_under_headings_that_are_built_alike_are_one_list() -> None:
    def listed(*numbers: int) -> str:
        rows = "".join(f"<li><p>{_link(n)}</p> <i>{n} June 2020 10:0{n}</i></li>" for n in numbers)
        return f"<h2>Pumps</h2><ul>{rows}</ul>"

    box = f"<div><b>Latest</b><ul><li>{_link(9)}</li></ul></div>"
    page = f"<html><body><div>{listed(1, 2)}{listed(3)}</div>{box}</body></html>"
    analysis = PageAnalysis(parse(page.encode(), "http://a.test/"), _NOW)
    found = find_rows_by_url(analysis, lambda url: url if "/t/" in url else None)
    assert found
    assert [(row.url[-1], row.active and row.active.date.day) for row in found.rows] == [
        ("1", 1),
        ("2", 2),
        ("3", 3),
    ]


def _rows(page: str, shape: str | None = None) -> list[tuple[str, int | None]]:
    analysis = PageAnalysis(parse(page.encode(), "http://a.test/b/1"), _NOW)
    found = find_rows_by_url(analysis, lambda url: url if "/t/" in url else None, shape)
    return [(row.url[-1], row.replies) for row in found.rows] if found else []


def test_a_row_that_stands_alone_is_known_by_the_shape_of_others() -> None:
    def table(*numbers: int) -> str:
        rows = "".join(f'<tr class="row"><td>{_link(n)}</td><td>{n * 10}</td></tr>' for n in numbers)
        return f"<html><body><h1>Pumps</h1><table>{rows}</table></body></html>"

    analysis = PageAnalysis(parse(table(1, 2, 3, 4).encode(), "http://a.test/b/1"), _NOW)
    several = find_rows_by_url(analysis, lambda url: url if "/t/" in url else None)
    assert several
    assert several.shape
    assert _rows(table(5)) == []
    assert _rows(table(5), several.shape) == [("5", 50)]
    assert _rows(f"<html><body><p>{_link(5)}</p></body></html>", several.shape) == []
    with_crumb = table(5).replace("<h1>", f"<p>{_link(1)}</p><h1>")
    assert _rows(with_crumb, several.shape) == [("5", 50)]


def test_a_box_without_counters_teaches_no_shape() -> None:
    box = "".join(f"<li>{_link(n)}</li>" for n in (7, 8, 9))
    analysis = PageAnalysis(
        parse(f"<html><body><ul>{box}</ul></body></html>".encode(), "http://a.test/"), _NOW
    )
    found = find_rows_by_url(analysis, lambda url: url if "/t/" in url else None)
    assert found
    assert not found.shape


def test_a_heading_that_names_the_first_row_of_its_list_is_no_row() -> None:
    def block(*numbers: int) -> str:
        rows = "".join(f"<tr><td><h4>{_link(n)}</h4></td><td>{n * 10}</td></tr>" for n in numbers)
        return f"<div><h3>{_link(numbers[0])}</h3><table>{rows}</table></div>"

    page = f"<html><body><div>{block(1)}{block(2, 3)}{block(4, 5)}</div></body></html>"
    assert _rows(page) == [(str(n), n * 10) for n in range(1, 6)]


def test_a_number_in_the_name_of_the_last_thread_counts_nothing() -> None:
    def row(number: int) -> str:
        last = f"<td class='last_post'><a href='/x/{number}'>Broken after {number} hours</a></td>"
        return f"<tr><td>{_link(number)}</td>{last}<td><b>{number * 10}</b></td></tr>"

    rows = "".join(row(number) for number in range(1, 6))
    assert _rows(f"<html><body><table>{rows}</table></body></html>") == [
        (str(n), n * 10) for n in range(1, 6)
    ]


def test_threads_named_outside_the_list_are_told_in_their_order() -> None:
    rows = "".join(f"<tr><td>{_link(n)}</td><td>{n * 10}</td></tr>" for n in range(1, 6))
    box = "".join(f"<li>{_link(n)}</li>" for n in (9, 2, 7))
    page = f"<html><body><table>{rows}</table><aside><ul>{box}</ul></aside></body></html>"
    analysis = PageAnalysis(parse(page.encode(), "http://a.test/b/1"), _NOW)
    assert find_ids_outside_list(analysis, lambda url: url[-1] if "/t/" in url else None) == ["9", "2", "7"]


def _board(number: int, threads: int, posts: int) -> str:
    name = "new" if number % 2 else "old"
    return (
        f'<dt class="{name}"><a href="/b/{number}/">Board {number}</a> ({threads}/{posts})</dt><dd>About</dd>'
    )


def test_two_numbers_in_one_bracket_are_two_counters() -> None:
    page = f"<html><body><dl>{_board(1, 17, 86)}{_board(2, 11, 91)}{_board(3, 4, 19)}</dl></body></html>"
    analysis = PageAnalysis(parse(page.encode(), "http://a.test/"), _NOW)
    found = find_rows_by_url(analysis, lambda url: url if "/b/" in url else None)
    assert found
    assert [(row.replies, row.views) for row in found.rows] == [(17, 86), (11, 91), (4, 19)]


def _question(number: int, answers: int, comments: str, pages: str = "") -> str:
    return (
        f'<div class="q"><strong>{number % 5}</strong> votes <strong>{answers}</strong> answers'
        f'<em>{comments}</em><h3><a href="/q/{number}">How to mend pump {number}</a></h3>{pages}</div>'
    )


def _numbers(page: str) -> list[dict[str, int]]:
    analysis = PageAnalysis(parse(page.encode(), "http://a.test/"), _NOW)
    found = find_rows_by_url(analysis, lambda url: url.partition("?")[0] if "/q/" in url else None)
    assert found
    return [dict(row.numbers) for row in found.rows]


def test_every_number_of_a_row_has_the_name_of_its_column_whatever_its_label_is() -> None:
    rows = [_question(11, 3, "1 comment"), _question(12, 0, "7 comments"), _question(13, 2, "2 comments")]
    found = _numbers(f"<html><body>{''.join(rows)}</body></html>")
    assert [[row["strong 2"], row["em 1"]] for row in found] == [[3, 1], [0, 7], [2, 2]]


def test_one_row_with_a_number_in_its_title_makes_a_column_in_which_the_others_have_none() -> None:
    """On the last page of a board without many comments, their number was missing from all rows."""
    badge = "<span class=n>4</span>"
    rows = [
        f'<div><h4><a href="/q/{n}">A question about pump {n} {badge if n == 3 else ""}</a></h4></div>'
        for n in range(8)
    ]
    found = _numbers(f"<html><body>{''.join(rows)}</body></html>")
    assert [row["title span.n 1"] for row in found] == [0, 0, 0, 4, 0, 0, 0, 0]


def test_the_number_of_people_who_are_there_is_no_column() -> None:
    rows = [
        f"<div><h4><a href='/q/{n}'>Boats {n}</a></h4><p>{n} Viewing</p><b>{9 * n}</b></div>"
        for n in (1, 2, 4)
    ]
    assert _numbers(f"<html><body>{''.join(rows)}</body></html>") == [{"b 1": 9}, {"b 1": 18}, {"b 1": 36}]


def test_links_to_the_pages_of_a_thread_count_nothing() -> None:
    paging = "".join(f'<a href="/q/12?page={page}">{page}</a> ' for page in (1, 2, 3))
    rows = [_question(11, 3, "1 comment"), _question(12, 25, "7 comments", paging)]
    found = _numbers(f"<html><body>{''.join(rows)}</body></html>")
    assert set(found[1]) == {"strong 1", "strong 2", "em 1"}


def test_a_number_of_replies_that_is_a_link_to_the_thread_is_no_page_link() -> None:
    paging = "".join(f'<a href="/q/12?page={page}">{page}</a> ' for page in (2, 3))
    replies = '<b><a href="/q/12">25</a></b>'
    rows = [_question(11, 3, "1 comment", '<b><a href="/q/11">4</a></b>')]
    rows += [_question(12, 25, "7 comments", f'<a href="/q/12">1</a> {paging}{replies}')]
    found = _numbers(f"<html><body>{''.join(rows)}</body></html>")
    assert [row["a 1"] for row in found] == [4, 25]


def _titles(rows: list[str]) -> list[str]:
    page = f"<html><body><table>{''.join(rows)}</table></body></html>"
    analysis = PageAnalysis(parse(page.encode(), "http://a.test/b/1"), _NOW)
    found = find_rows_by_url(analysis, lambda url: url if "/t/" in url else None)
    return [row.title for row in found.rows] if found else []


def test_a_link_to_the_last_post_is_no_title_however_long_it_is() -> None:
    rows = [
        f'<tr><td><a href="/t/{n}#p9">Go to the last post of this long thread {n}</a> '
        f'<a href="/t/{n}">Pump {n}</a></td></tr>'
        for n in range(1, 5)
    ]
    assert _titles(rows) == ["Pump 1", "Pump 2", "Pump 3", "Pump 4"]


def test_a_link_with_a_date_is_no_title() -> None:
    rows = [
        f'<tr><td><a href="/t/{n}">{n} June 2020, 10:15</a></td><td><a href="/t/{n}">Pump {n}</a></td></tr>'
        for n in range(1, 5)
    ]
    assert _titles(rows) == ["Pump 1", "Pump 2", "Pump 3", "Pump 4"]


def test_a_counter_of_four_rows_in_five_is_a_column() -> None:
    def table(counted: int) -> str:
        rows = "".join(
            f"<tr><td>{_link(n)}</td><td><b>{n * 10 if n <= counted else '-'}</b></td></tr>"
            for n in range(1, 6)
        )
        return f"<html><body><table>{rows}</table></body></html>"

    assert [replies for _, replies in _rows(table(4))] == [10, 20, 30, 40, None]
    assert [replies for _, replies in _rows(table(3))] == [None] * 5


def test_labels_tell_replies_from_views_and_a_lone_link_is_no_row() -> None:
    rows = "".join(
        f"<tr><td>{_link(n)}</td><td><i>{n * 90} replies</i> <b>{n} views</b></td></tr>" for n in range(1, 5)
    )
    analysis = PageAnalysis(
        parse(f"<html><body><table>{rows}</table></body></html>".encode(), "http://a.test/b/1"), _NOW
    )
    found = find_rows_by_url(analysis, lambda url: url if "/t/" in url else None)
    assert found
    assert [(row.replies, row.views) for row in found.rows] == [(n * 90, n) for n in range(1, 5)]
    assert find_rows_by_url(analysis, lambda url: url if url.endswith("/t/1") else None) is None
    assert find_rows_by_url(analysis, lambda _: None) is None


def test_boards_that_rows_of_threads_name_again_and_again_are_no_rows() -> None:
    def row(number: int, board: str) -> str:
        return f'<tr><td>{_link(number)}</td><td><a href="/{board}/">The {board}</a></td></tr>'

    def boards(names: str) -> list[str]:
        rows = "".join(row(number, board) for number, board in enumerate(names))
        page = f"<html><body><table>{rows}</table></body></html>"
        analysis = PageAnalysis(parse(page.encode(), "http://a.test/"), _NOW)
        found = find_rows_by_url(analysis, lambda url: None if "/t/" in url else url)
        return [one.url[-2] for one in found.rows] if found else []

    assert boards("abcacbab") == []
    assert boards("abcdefgh") == list("abcdefgh")


NOW = datetime(2024, 1, 1, tzinfo=UTC)


def totals(html: str) -> dict[str, int]:
    page = f"<html><body><h1>Forum</h1>{html}</body></html>"
    return find_stated_totals(PageAnalysis(parse(page.encode(), "https://f.example/"), NOW))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>Total posts <b>1,620</b> • Total topics <b>143</b></p>", {"posts": 1620, "threads": 143}),
        ("<div>Beiträge: 12.345, Themen: 1.002</div>", {"posts": 12345, "threads": 1002}),
        ("<p>1620 posts in 143 topics by 25 members</p>", {"posts": 1620, "threads": 143}),
        ("<p>主题: 143</p><p>帖子: 1852</p>", {"posts": 1852, "threads": 143}),
        ("<p>Всего сообщений: 525</p>", {"posts": 525}),
        ("<p>Welcome to our forum. It opened in 2004.</p>", {}),
    ],
)
def test_totals_are_read_beside_their_words(html: str, expected: dict[str, int]) -> None:
    assert totals(html) == expected


def test_a_counter_that_stands_bare_in_a_line_belongs_to_the_row_of_that_line() -> None:
    lines = "<br>".join(
        f"<b>{_link(number)}</b> - Ann - <span>{number} June 2026, 10:15</span> - {number * 3} replies - "
        f'<a href="/last/{number}">Last post</a>'
        for number in range(1, 7)
    )
    page = f"<html><body><div>{lines}</div></body></html>"
    assert _rows(page) == [(str(number), number * 3) for number in range(1, 7)]


@pytest.mark.parametrize(
    ("first", "rows", "named"),
    [
        ('<tr><td><a href="/b/8">Tools</a></td><td>4</td><td>{}</td></tr>', "<tr><td>{}</td></tr>", {"t/9"}),
        ('<tr><td>{}</td><td><a href="/b/8">Tools</a></td></tr>', "<tr><td>{}</td></tr>", set()),
        ("<tr><td>{}</td></tr>", '<tr><td><a href="/b/{number}">Tools</a> {}</td></tr>', set()),
    ],
)
def test_a_thread_after_the_link_of_a_board_is_that_of_its_last_post_unless_most_threads_stand_so(
    first: str, rows: str, named: set[str]
) -> None:
    listed = "".join(rows.format(_link(number), number=number) for number in range(1, 5))
    page = f"<html><body><table>{first.format(_link(9))}</table><table>{listed}</table></body></html>"
    analysis = PageAnalysis(parse(page.encode(), "http://a.test/b/1"), _NOW)
    found = find_ids_in_rows_of(
        analysis,
        lambda url: url[-3:] if "/t/" in url else None,
        lambda url: url if "/b/" in url else None,
    )
    assert found == named


def _boards(page: str) -> list[tuple[str, int | None, int | None, int | None]]:
    """The last character of the URL of each board, its two numbers, and the day of its last post."""
    analysis = PageAnalysis(parse(f"<html><body>{page}</body></html>".encode(), "http://a.test/"), _NOW)
    found = find_rows_by_url(analysis, lambda url: url if "/b/" in url else None)
    return [
        (row.url[-1], row.replies, row.views, row.active.date.day if row.active else None)
        for row in (found.rows if found else ())
    ]


def test_links_to_boards_below_in_the_cell_of_a_board_shift_no_row() -> None:
    """The numbers of each board were taken for those of the next one."""

    def row(number: int, below: str = "") -> str:
        return (
            f'<dt><a href="/b/{number}">Board {number}</a><br>For all{below}</dt><dd>{number * 2}</dd>'
            f"<dd>{number * 30}</dd><dd>{number} June 2020 10:00</dd>"
        )

    below = '<br>Below: <a href="/b/8">Board 8</a>'
    assert _boards(f"<main><dl>{row(1)}{row(2, below)}{row(3)}</dl></main>") == [
        ("1", 2, 30, 1),
        ("2", 4, 60, 2),
        ("3", 6, 90, 3),
    ]
    groups = f"<main><dl>{row(1)}{row(2, below)}</dl><h2>More</h2><dl>{row(3)}</dl></main>"
    assert [name for name, *_ in _boards(groups)] == ["1", "2", "3"]
    assert _boards(groups)[2] == ("3", 6, 90, 3)


@pytest.mark.parametrize("joint", [" - ", " | ", ", "])
def test_numbers_in_one_line_are_parted_at_its_joints(joint: str) -> None:
    lines = "<br>".join(
        f'<a href="/b/{number}">Board {number}</a>{joint}Topics: {number}{joint}Posts: {number * 30}'
        for number in range(1, 5)
    )
    assert [row[:3] for row in _boards(f"<p>{lines}<br></p>")] == [
        (str(number), number * 30, number) for number in range(1, 5)
    ]


@pytest.mark.parametrize(
    "line",
    [
        "{number} messages | {title} | Ann | <i>3 June 2020</i>",
        "{title} Ann {number} comments 03/06/20 10:30",
        "{number} - {title} - <i>3 June 2020</i>",
    ],
)
def test_a_line_may_have_its_counter_before_its_title_or_among_other_words(line: str) -> None:
    """The counter of each line was taken for that of the line above it."""
    lines = "<br>".join(line.format(number=n * 7, title=_link(n)) for n in (3, 1, 2, 5))
    page = f"<html><body><h1>Pumps</h1><div>{lines}</div></body></html>"
    assert _rows(page) == [("3", 21), ("1", 7), ("2", 14), ("5", 35)]


def test_a_box_with_nearly_as_many_links_as_the_list_is_no_part_of_it() -> None:
    """Pages of five threads beside a box of four were counted as pages of nine."""
    rows = "".join(f"<tr><td>{_link(n)}</td><td>{n * 10}</td></tr>" for n in range(1, 6))
    box = "".join(f"<li>{_link(n)}</li>" for n in (6, 7, 8, 9))
    page = f"<html><body><table>{rows}</table><ul>{box}</ul></body></html>"
    assert [name for name, _ in _rows(page)] == ["1", "2", "3", "4", "5"]
    analysis = PageAnalysis(parse(page.encode(), "http://a.test/b/1"), _NOW)
    named = find_ids_outside_list(analysis, lambda url: url[-1] if "/t/" in url else None)
    assert named == ["6", "7", "8", "9"]


@pytest.mark.parametrize(("answers", "counted"), [(1, False), (2, True)])
def test_two_dates_of_a_row_are_its_first_and_last_post_and_three_are_a_tree(
    answers: int, counted: bool
) -> None:
    def row(number: int, lines: int) -> str:
        dates = "".join(f"<i>{n + 1} June 2020</i>" for n in range(1 + lines))
        return f"<div>{_link(number)} {dates}</div>"

    page = f"<html><body>{row(1, answers)}{row(2, 0)}{row(3, answers)}</body></html>"
    analysis = PageAnalysis(parse(page.encode(), "http://a.test/"), _NOW)
    found = find_rows_by_url(analysis, lambda url: url if "/t/" in url else None)
    assert found
    assert ["dates" in row.numbers for row in found.rows] == [counted] * 3


@pytest.mark.parametrize(
    ("names", "mentions"),
    [
        ("121212", True),
        ("12121", False),  # too few to tell
        ("123456", False),  # each row has its own
    ],
)
def test_links_that_come_back_to_the_same_ids_six_times_are_mentions(names: str, mentions: bool) -> None:
    rows = "".join(
        f'<div><a href="/m/{n}">Subject {n}</a> {_link(int(c))}</div>' for n, c in enumerate(names)
    )
    outline = PageAnalysis(
        parse(f"<html><body>{rows}</body></html>".encode(), "http://a.test/"), _NOW
    ).outline
    links = [(href, index) for index, href in enumerate(outline.hrefs) if href and "/t/" in href]
    assert _are_mentions(outline, links) is mentions


def test_a_box_whose_links_stand_as_deep_as_those_of_the_list_takes_no_row_from_it() -> None:
    def row(number: int) -> str:
        return f"<li>{_link(number)} {number} June 2020 09:00</li>"

    rows = "".join(f"<ul>{row(n)}</ul><hr>" for n in range(1, 9))
    box = "".join(map(row, (1, 2, 3, 4)))
    page = f"<html><body><div><div>{rows}</div></div><div><div><ul>{box}</ul></div></div></body></html>"
    assert [url for url, _ in _rows(page)] == list("12345678")


def _badges(counts: list[int]) -> str:
    """Rows with their own number in front, and their replies in the link of the title."""
    rows = "".join(
        f'<tr><td class="no">{90 - n}</td><td><a href="/t/{n}">What to do about pump {n} '
        + (f'<span class="replies">+ {count}</span>' if count else "")
        + f'</a></td><td class="seen">{400 + 17 * n % 90}</td></tr>'
        for n, count in enumerate(counts)
    )
    return f"<html><body><table>{rows}</table></body></html>"


def test_a_number_in_the_link_of_a_title_counts_replies_and_titles_without_it_have_none() -> None:
    assert [count for _, count in _rows(_badges([0, 3, 0, 12, 1]))] == [0, 3, 0, 12, 1]
    numbers = _numbers(_badges([0, 3, 0, 12, 1]).replace("/t/", "/q/"))
    assert [row["title span.replies 1"] for row in numbers] == [0, 3, 0, 12, 1]


def test_the_number_of_the_row_itself_counts_no_replies() -> None:
    assert [count for _, count in _rows(_badges([0] * 6))] == [400, 417, 434, 451, 468, 485]


@pytest.mark.parametrize(
    ("lines", "days"),
    [
        ("{link}\n 2020-06-{day:02} 11:57 UTC  (10+ messages)\n\n", [9, 8, 7, 6]),
        ("2020-06-{day:02} 11:57 {link}\n", [9, 8, 7, 6]),
        ("{link} about it\n", []),
    ],
    ids=["behind the link", "before the link", "no dates"],
)
def test_rows_that_are_links_in_a_text_have_the_dates_beside_them(lines: str, days: list[int]) -> None:
    text = "".join(lines.format(link=_link(day), day=day) for day in (9, 8, 7, 6))
    analysis = PageAnalysis(
        parse(f"<html><body><pre>{text}</pre></body></html>".encode(), "http://a.test/"), _NOW
    )
    found = find_rows_by_url(analysis, lambda url: url if "/t/" in url else None)
    assert found
    assert [row.active.date.day for row in found.rows if row.active] == days
    assert [row.url[-1] for row in found.rows] == list("9876")


def test_dates_before_the_first_link_and_behind_the_last_belong_to_no_row() -> None:
    text = "2020-06-20 10:00 " + "".join(f"{_link(day)} 2020-06-{day:02} 11:57\n" for day in (9, 8, 7))
    analysis = PageAnalysis(
        parse(f"<html><body><pre>{text}</pre></body></html>".encode(), "http://a.test/"), _NOW
    )
    found = find_rows_by_url(analysis, lambda url: url if "/t/" in url else None)
    assert found
    assert not any(row.active for row in found.rows)


def test_a_row_that_stands_alone_beside_a_box_is_known_by_the_shape_of_others() -> None:
    def page(*numbers: int) -> str:
        rows = "".join(
            f'<tr class="row"><td>{_link(n)}</td><td>{n * 10} views</td><td>{n} replies</td></tr>'
            for n in numbers
        )
        box = "".join(f"<li>{_link(n)} 3 June 2020 10:00</li>" for n in (6, 7, 8))
        return f"<html><body><h1>Pumps</h1><table>{rows}</table><ul>{box}</ul></body></html>"

    assert _rows(page(4)) == [("6", None), ("7", None), ("8", None)]
    assert _rows(page(4), "tr.row td a") == [("4", 4)]


@pytest.mark.parametrize(
    ("none", "expected"),
    [
        (("Reply", "Reply"), [0, 0, 7]),  # the words in the place of the number
        (("Reply", "Anna"), [None, None, None]),  # text of the rows themselves
    ],
)
def test_rows_with_the_same_words_in_the_place_of_a_counter_count_none(
    none: tuple[str, str], expected: list[int | None]
) -> None:
    cells = [*none, "7"]
    rows = "".join(
        f'<div class="row">{_link(n)} <span class="answers">{cell}</span></div>'
        for n, cell in enumerate(cells, 1)
    )
    found = [replies for _, replies in _rows(f"<html><body>{rows}</body></html>")]
    assert found == expected


def test_votes_in_front_of_comments_are_not_taken_for_replies() -> None:
    def row(number: int, votes: int, comments: int) -> str:
        word = "comentario" if comments == 1 else "comentarios"
        return f"<div>{_link(number)} <b>{votes}</b> <i>{comments} {word}</i> <u>90 clics</u></div>"

    page = f"<html><body>{row(1, 2, 14)}{row(2, 3, 1)}{row(3, 4, 0)}</body></html>"
    assert _rows(page) == [("1", 14), ("2", 1), ("3", 0)]
