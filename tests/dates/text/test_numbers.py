from threadmill.dates.text.numbers import classify_number


def test_numbers_are_told_apart_by_what_they_can_be() -> None:
    digits = "0 5 05 24 31 59 99 00 123 2019 2562 9999 20190512 201905121030"
    assert [classify_number(run) for run in digits.split()] == list("012345678YB9EF")


def test_ten_and_thirteen_digits_may_be_a_time_stamp() -> None:
    assert [classify_number(run) for run in ("1394600000", "1394600000000", "0394600000")] == ["P", "P", "L"]
