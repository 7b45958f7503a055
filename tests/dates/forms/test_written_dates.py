from threadmill.dates.forms.written_dates import DateForm, Stamp, TimeForm


def test_a_distance_from_now_names_no_day_by_itself() -> None:
    assert DateForm(0, 5, 0, 1, "numeric").exact
    assert not DateForm(0, 5, 0, 1, "relative").exact
    assert not DateForm(0, 5, 0, 1, "weekday").exact


def test_a_stamp_begins_with_its_first_part() -> None:
    date, time = DateForm(8, 18, 3, 6, "named"), TimeForm(0, 5, 0, 3, 10, 15)
    assert Stamp(date, time).start == 0
    assert Stamp(date, None).start == 8
