from datetime import UTC, datetime

from threadmill.forum.known_rows import rows_of_family
from threadmill.forum.reading import Reading
from threadmill.page.tree import parse

_NOW = datetime(2020, 7, 1, tzinfo=UTC)


def _link(number: int) -> str:
    return f'<a href="/t/{number}">What to do about pump {number}</a>'


def test_a_box_of_the_latest_threads_takes_no_row_from_the_list() -> None:
    rows = "".join(f"<tr><td>{_link(n)}</td><td>{n} June 2020 10:0{n}</td></tr>" for n in range(1, 6))
    page = f"<html><body><ul><li>{_link(2)}</li></ul><table>{rows}</table></body></html>"
    reading = Reading(parse(page.encode(), "http://a.test/b/1"), _NOW)
    found = rows_of_family(reading, lambda url: url if "/t/" in url else None)
    assert found
    assert [row.active.date.day for row in found.rows if row.active] == [1, 2, 3, 4, 5]
