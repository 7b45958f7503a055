from datetime import UTC, datetime

from threadmill.forum.known_rows import rows_of_family
from threadmill.forum.reading import Reading
from threadmill.page.tree import parse

_NOW = datetime(2020, 7, 1, tzinfo=UTC)


def _board(number: int, threads: int, posts: int) -> str:
    name = "new" if number % 2 else "old"
    return (
        f'<dt class="{name}"><a href="/b/{number}/">Board {number}</a> ({threads}/{posts})</dt><dd>About</dd>'
    )


def test_two_numbers_in_one_bracket_are_two_counters() -> None:
    page = f"<html><body><dl>{_board(1, 17, 86)}{_board(2, 11, 91)}{_board(3, 4, 19)}</dl></body></html>"
    reading = Reading(parse(page.encode(), "http://a.test/"), _NOW)
    found = rows_of_family(reading, lambda url: url if "/b/" in url else None)
    assert found
    assert [(row.replies, row.views) for row in found.rows] == [(17, 86), (11, 91), (4, 19)]
