from datetime import date, timedelta

from threadmill.forum.index.index_order import IndexOrder, Visit, index_order
from threadmill.forum.posts.post_order import PostOrder, post_order
from threadmill.types import Moment, Post, ThreadRow


def _day(number: int) -> Moment:
    return Moment(date(2020, 1, 1) + timedelta(days=number))


def _row(number: int, *, created: int | None = None, active: int | None = None) -> ThreadRow:
    first = _day(created) if created is not None else None
    return ThreadRow(
        f"http://a/t/{number}", "t", created=first, active=_day(active) if active is not None else None
    )


def test_of_two_dates_the_falling_one_is_the_order() -> None:
    activity = [_row(n, created=(7 * n) % 10, active=50 - n) for n in range(10)]
    creation = [_row(n, created=50 - n, active=50 + (7 * n) % 10) for n in range(10)]
    assert index_order(activity) is IndexOrder.ACTIVITY
    assert index_order(creation) is IndexOrder.CREATION


def test_one_date_is_what_a_visited_thread_says_it_is() -> None:
    rows = [_row((7 * n) % 10, active=50 - n) for n in range(10)]
    begun = {rows[2].url: Visit(rows[2].active, _day(80))}
    assert index_order(rows, begun) is IndexOrder.CREATION
    assert index_order(rows, {rows[2].url: Visit(_day(3), _day(80))}) is IndexOrder.ACTIVITY


def test_a_date_that_does_not_fall_means_the_other_order() -> None:
    rows = [_row((7 * n) % 10, active=(7 * n) % 10) for n in range(10)]
    visits = {rows[2].url: Visit(rows[2].active, _day(80))}
    assert index_order(rows, visits) is IndexOrder.ACTIVITY


def test_many_stickies_do_not_hide_the_order() -> None:
    stickies = [_row(n, created=(3 * n) % 7, active=(5 * n) % 11) for n in range(6)]
    rest = [_row(20 + (7 * n) % 10, created=(7 * n) % 10, active=60 - n) for n in range(8)]
    assert index_order([*stickies, *rest]) is IndexOrder.ACTIVITY


def test_posts_newest_first_are_descending() -> None:
    posts = [Post("x", "", date=_day(9 - n)) for n in range(4)]
    assert post_order(posts) is PostOrder.DESCENDING
    assert post_order(posts[:1]) is None
