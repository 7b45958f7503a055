from datetime import UTC, datetime

from threadmill.forum.index.rows_by_url import find_rows_by_url, names_outside_list
from threadmill.forum.page_analysis import PageAnalysis
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
    assert names_outside_list(analysis, lambda url: url[-1] if "/t/" in url else None) == ["9", "2", "7"]
