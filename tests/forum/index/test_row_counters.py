from datetime import UTC, datetime

from threadmill.forum.index.rows_by_url import find_rows_by_url
from threadmill.forum.page_analysis import PageAnalysis
from threadmill.page.parse.tree import parse

_NOW = datetime(2020, 7, 1, tzinfo=UTC)


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
