"""Page numbers and the numbers in addresses."""

from threadmill.forum.paging.page_numbers import (
    PageNumbering,
    PagerEntry,
    names_page_or_offset,
    numbering_from_labels,
)


def _entries(*pairs: tuple[int, int]) -> list[PagerEntry]:
    return [PagerEntry(0, number, label, "") for label, number in pairs]


def test_offsets_grow_by_the_size_of_a_page() -> None:
    assert numbering_from_labels(_entries((2, 25), (3, 50), (9, 200))) == PageNumbering(25, 0)


def test_one_label_is_enough_where_it_can_mean_one_thing() -> None:
    assert numbering_from_labels(_entries((2, 2))) == PageNumbering(1, 1)
    assert numbering_from_labels(_entries((3, 40))) == PageNumbering(20, 0)


def test_labels_that_do_not_line_up_make_no_pager() -> None:
    assert numbering_from_labels(_entries((2, 7), (3, 5), (4, 900))) is None


def test_a_number_between_two_pages_is_no_page() -> None:
    assert PageNumbering(25, 0).page(30) is None
    assert PageNumbering(25, 0).page(50) == 3


def test_offsets_and_pages_are_called_so() -> None:
    assert names_page_or_offset("http://a/t?start=")
    assert not names_page_or_offset("http://a/t?id=")
