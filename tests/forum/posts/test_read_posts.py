from datetime import date, timedelta

from threadmill.forum.posts.read_posts import PostOrder, find_post_order
from threadmill.types import Moment, Post


def _day(number: int) -> Moment:
    return Moment(date(2020, 1, 1) + timedelta(days=number))


def test_posts_newest_first_are_descending() -> None:
    posts = [Post("x", "", date=_day(9 - n)) for n in range(4)]
    assert find_post_order(posts) is PostOrder.DESCENDING
    assert find_post_order(posts[:1]) is None
