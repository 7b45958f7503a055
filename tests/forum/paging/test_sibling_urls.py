"""Whether two addresses are pages of one thing."""

import pytest

from threadmill.forum.paging.sibling_urls import comparable_url, is_called_page, is_same_thread_or_board


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("http://a/t/123", "http://a/t/123/page/2", True),
        ("http://a/t?id=1", "http://a/t?id=1&cursor=ab12", True),
        ("http://a/t/12", "http://a/t/13", False),
        ("http://a/page/1", "http://a/page/2", True),
        ("http://a/2019-March/000123.html", "http://a/2019-March/000124.html", False),
        ("http://a/how-to-cook", "http://a/how-to-swim", False),
    ],
)
def test_pages_of_one_thing_differ_by_a_number_not_by_words(one: str, other: str, same: bool) -> None:
    assert is_same_thread_or_board(one, other) is same


def test_parameters_are_compared_by_name_and_empty_ones_say_nothing() -> None:
    assert comparable_url("http://a/t?p=2&id=1&x=") == "http://a/t?id=1&p=2"


def test_offsets_and_pages_are_called_so() -> None:
    assert is_called_page("http://a/t?start=")
    assert not is_called_page("http://a/t?id=")
