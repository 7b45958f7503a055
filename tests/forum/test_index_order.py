from datetime import date

from threadmill.forum.index_order import IndexOrder, breaks, index_order, site_order
from threadmill.types import Moment, ThreadRow


def _row(number: int, day: int, created: int | None = None) -> ThreadRow:
    begun = Moment(date(2020, 1, created)) if created else None
    return ThreadRow(f"http://a.test/t/{number}", "title", created=begun, active=Moment(date(2020, 1, day)))


def test_a_page_whose_threads_were_all_answered_at_once_cannot_tell() -> None:
    rows = [_row(number, number + 1, number) for number in range(20, 10, -1)]
    assert index_order(rows) is None


def test_pages_of_a_site_add_up() -> None:
    unsure = [_row(number, number + 1, number) for number in range(20, 10, -1)]
    telling = [_row(3, 20, 3), _row(9, 18, 9), _row(5, 16, 5), _row(8, 12, 8), _row(1, 9, 1)]
    assert site_order([unsure, telling], {}) is IndexOrder.ACTIVITY


def test_a_leading_run_of_stickies_is_left_out() -> None:
    assert breaks([(3, 0.0), (2, 0.0), (9, 0.0), (8, 0.0), (7, 0.0), (6, 0.0)]) == (0, 3, 2)
