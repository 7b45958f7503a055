from threadmill.dates.grammar.written_dates import WrittenDate, WrittenTime, WrittenTimestamp


def test_a_distance_from_now_names_no_day_by_itself() -> None:
    assert WrittenDate(0, 5, 0, 1, "numeric").exact
    assert not WrittenDate(0, 5, 0, 1, "relative").exact
    assert not WrittenDate(0, 5, 0, 1, "weekday").exact


def test_a_stamp_begins_with_its_first_part() -> None:
    date, time = WrittenDate(8, 18, 3, 6, "named"), WrittenTime(0, 5, 0, 3, 10, 15)
    assert WrittenTimestamp(date, time).start == 0
    assert WrittenTimestamp(date, None).start == 8
