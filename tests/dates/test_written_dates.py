from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.dates.lexicon import load_lexicon
from threadmill.dates.scan import scan
from threadmill.dates.written_dates import (
    DateConvention,
    NamedValue,
    RelativeOffset,
    WrittenDate,
    WrittenTime,
    WrittenTimestamp,
    candidate_years,
    choose_value,
    clamp_day,
    expand_year,
    gregorian_from_persian,
    is_real_day,
    latest_weekday,
    possible_days,
    resolve,
    resolve_offset,
    zone_name,
)
from threadmill.types import Precision

NOW = datetime(2026, 11, 15, 12, 0)  # a Sunday


def test_the_day_after_the_last_is_the_last() -> None:
    assert clamp_day(2018, 9, 31) == date(2018, 9, 30)
    assert clamp_day(2018, 13, 1) is None


@pytest.mark.parametrize(("order", "wanted"), [("dmy", date(2019, 12, 5)), ("mdy", date(2019, 5, 12))])
def test_the_convention_of_the_site_settles_the_order(order: str, wanted: date) -> None:
    moment = resolve(scan("05/12/2019").stamps[0], NOW, DateConvention(order))
    assert moment is not None
    assert moment.date == wanted


def test_a_date_without_year_lies_in_the_past() -> None:
    moment = resolve(scan("24 December").stamps[0], NOW)
    assert moment is not None
    assert moment.date == date(2025, 12, 24)
    assert moment.precision is Precision.DAY


def test_a_half_of_the_day_in_chinese_says_that_the_year_comes_first() -> None:
    moment = resolve(scan("17-07-27 下午 5:26").stamps[0], NOW)
    assert moment is not None
    assert moment.date == date(2017, 7, 27)


NOW = datetime(2026, 11, 15, 12, 0)  # a Sunday


def test_a_weekday_is_the_latest_before_today() -> None:
    assert latest_weekday(6, NOW) == date(2026, 11, 8)
    assert latest_weekday(5, NOW) == date(2026, 11, 14)


@pytest.mark.parametrize(
    ("steps", "wanted", "precision"),
    [
        ((("month", -9),), date(2026, 2, 15), Precision.MONTH),
        ((("week", -1), ("day", -2)), date(2026, 11, 6), Precision.DAY),
        ((("hour", -13),), date(2026, 11, 14), Precision.HOUR),
    ],
)
def test_a_distance_is_as_precise_as_its_smallest_unit(
    steps: tuple[tuple[str, float], ...], wanted: date, precision: Precision
) -> None:
    moment = resolve_offset(RelativeOffset(steps), None, NOW)
    assert moment is not None
    assert (moment.date, moment.precision) == (wanted, precision)


def test_hours_are_told_in_the_zone_of_now_and_days_in_none() -> None:
    hour = resolve_offset(RelativeOffset((("hour", -1),)), None, NOW.replace(tzinfo=UTC))
    day = resolve_offset(
        RelativeOffset((("day", -1),)), WrittenTime(0, 0, 0, 0, 9, 15), NOW.replace(tzinfo=UTC)
    )
    assert hour is not None
    assert day is not None
    assert (hour.zone, day.zone) == ("UTC", None)


def test_a_distance_beyond_our_years_means_nothing() -> None:
    assert resolve_offset(RelativeOffset((("year", -100),)), None, NOW) is None
    assert resolve_offset(RelativeOffset((("year", -1e9),)), None, NOW) is None


def iso(text: str, convention: DateConvention | None = None, now: datetime = NOW) -> str | None:
    stamp = scan(text, lenient=True).stamps[0]
    moment = resolve(stamp, now, convention) if convention else resolve(stamp, now)
    return moment.isoformat() if moment else None


def form_of(text: str) -> WrittenDate:
    date_form = scan(text, lenient=True).stamps[0].date
    assert date_form is not None
    return date_form


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("16 November", "2026-11-16"),  # a site may be ahead of us by a day,
        ("17 November", "2025-11-17"),  # but by no more
        ("29 February", "2024-02-29"),
        ("Saturday 29 February", "2020-02-29"),
        ("Tuesday 14 November", "2023-11-14"),
        ("16/11", "2026-11-16"),
        ("17/11", "2025-11-17"),
        ("12 فروردین", "2026-04-01"),
        ("12 اسفند", "2026-03-03"),
        ("12 اسفند 1398", "2020-03-02"),
        ("05/12/1398", "2020-02-24"),
        ("05/12/2562", "2019-12-05"),
        ("5 May 2562", "2019-05-05"),
        ("10:15", "2026-11-15T10:15"),
        ("Sunday", "2026-11-08"),
        ("Monday", "2026-11-09"),
    ],
)
def test_what_is_left_out_is_the_latest_possible(text: str, wanted: str) -> None:
    assert iso(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("5/6/2020 10:15 PM", "2020-05-06T22:15"),
        ("5.6.2020 10:15 PM", "2020-06-05T22:15"),
        ("5-6-2020 10:15 PM", "2020-05-06T22:15"),
        ("5/6/2020 22:15", "2020-06-05T22:15"),
        ("Fri 5/6/2020", "2020-06-05"),
        ("Wed 5/6/2020", "2020-05-06"),
        ("17-07-27 下午 5:26", "2017-07-27T17:26"),
        ("17-07-27 17:26", "2027-07-17T17:26"),
        ("31/04/19", "2031-04-19"),
    ],
)
def test_the_order_of_one_date_follows_its_weekday_and_its_clock(text: str, wanted: str) -> None:
    assert iso(text) == wanted


def test_a_date_without_year_follows_the_order_of_the_site() -> None:
    assert iso("5/6", DateConvention("mdy")) == "2026-05-06"
    assert iso("5/6", DateConvention("ymd")) == "2026-05-06"
    assert iso("5/6", DateConvention("dmy")) == "2026-06-05"
    assert iso("13/6", DateConvention("mdy")) == "2026-06-13"


def test_an_ambiguous_month_is_read_in_the_language_of_the_site() -> None:
    lexicon = load_lexicon()
    assert iso("5 listopada 2016", DateConvention("", lexicon.bit("hr"))) == "2016-10-05"
    assert iso("5 listopada 2016", DateConvention("", lexicon.bit("pl"))) == "2016-11-05"
    assert iso("5 listopada 2016") == "2016-11-05"


def test_the_value_of_the_language_with_most_forums_is_chosen() -> None:
    values = (NamedValue(10, 0b100), NamedValue(11, 0b010), NamedValue(12, 0b001))
    assert [choose_value(values, bits) for bits in (0, 0b100, 0b110)] == [12, 10, 11]


def test_all_days_a_date_can_mean_are_listed() -> None:
    assert possible_days(form_of("5/6/2020")) == [date(2020, 6, 5), date(2020, 5, 6)]
    assert possible_days(form_of("5 May 2020")) == [date(2020, 5, 5)]
    assert possible_days(form_of("5 May")) == []
    assert possible_days(form_of("May 2020")) == []
    assert possible_days(form_of("yesterday")) == []


def test_years_of_a_date_without_one_go_back_a_generation() -> None:
    years = candidate_years(11, 16, form_of("16 November"), NOW)
    assert (years[0], years[-1], len(years)) == (2026, 1998, 29)
    assert candidate_years(2, 29, form_of("29 February"), NOW) == [2024, 2020, 2016, 2012, 2008, 2004, 2000]
    assert candidate_years(5, 5, form_of("5 May"), datetime(1972, 6, 1)) == [1972, 1971, 1970]


def test_a_day_is_real_when_the_calendar_has_it() -> None:
    assert is_real_day(form_of("31/12/2020"), "dmy")
    assert not is_real_day(form_of("31/11/2020"), "dmy")
    assert is_real_day(form_of("31/05/1398"), "dmy")


@pytest.mark.parametrize(
    ("steps", "wanted"),
    [
        ((("second", -5),), "2026-11-15T11:59:55"),
        ((("minute", -5),), "2026-11-15T11:55"),
        ((("hour", -5),), "2026-11-15T07"),
        ((("day", -5),), "2026-11-10"),
        ((("week", -2),), "2026-11-01"),
        ((("fortnight", -1),), "2026-11-01"),
        ((("month", -11),), "2025-12"),
        ((("year", -2),), "2024"),
        ((("decade", -1),), "2016"),
        ((("year", -1), ("day", -1)), "2025-11-14"),
        ((("year", -57),), None),
        ((("year", -56),), "1970"),
        ((("year", 25),), None),
        ((("year", 24),), "2050"),
    ],
)
def test_steps_are_taken_from_now(steps: tuple[tuple[str, float], ...], wanted: str | None) -> None:
    moment = resolve_offset(RelativeOffset(steps), None, NOW)
    assert (moment and moment.isoformat()) == wanted


def test_a_month_back_from_its_last_day_is_the_last_day() -> None:
    moment = resolve_offset(RelativeOffset((("month", -1),)), None, datetime(2026, 3, 31))
    assert moment is not None
    assert moment.date == date(2026, 2, 28)


def test_an_offset_without_steps_and_week_means_nothing() -> None:
    assert resolve_offset(RelativeOffset(), None, NOW) is None


@pytest.mark.parametrize(
    ("hours", "name"), [(0, "UTC"), (5.5, "+05:30"), (-3.5, "-03:30"), (14, "+14:00"), (-11, "-11:00")]
)
def test_zones_are_named_by_their_offset(hours: float, name: str) -> None:
    assert zone_name(datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=hours)))) == name
    assert zone_name(datetime(2026, 1, 1)) is None


def test_a_distance_from_now_names_no_day_by_itself() -> None:
    assert WrittenDate(0, 5, 0, 1, "numeric").exact
    assert not WrittenDate(0, 5, 0, 1, "relative").exact
    assert not WrittenDate(0, 5, 0, 1, "weekday").exact


def test_a_stamp_begins_with_its_first_part() -> None:
    date, time = WrittenDate(8, 18, 3, 6, "named"), WrittenTime(0, 5, 0, 3, 10, 15)
    assert WrittenTimestamp(date, time).start == 0
    assert WrittenTimestamp(date, None).start == 8


@pytest.mark.parametrize(
    ("persian", "gregorian"),
    [
        ((1398, 1, 1), date(2019, 3, 21)),
        ((1399, 12, 30), date(2021, 3, 20)),  # a leap day
        ((1357, 11, 22), date(1979, 2, 11)),
    ],
)
def test_a_persian_day_has_its_gregorian_one(persian: tuple[int, int, int], gregorian: date) -> None:
    assert gregorian_from_persian(*persian) == gregorian


def test_a_day_the_calendar_has_not_is_refused() -> None:
    assert gregorian_from_persian(1398, 12, 30) is None


@pytest.mark.parametrize(
    ("value", "width", "year"),
    [
        (0, 2, 2000), (50, 2, 2050), (51, 2, None), (69, 2, None), (70, 2, 1970), (99, 2, 1999),
        (1969, 4, None), (1970, 4, 1970), (2050, 4, 2050), (2051, 4, None), (5, 1, None),
    ],
)  # fmt: skip
def test_a_written_year_is_completed_where_a_forum_can_show_it(
    value: int, width: int, year: int | None
) -> None:
    assert expand_year(value, width) == year


@pytest.mark.parametrize(
    ("numbers", "day"),
    [
        ((2020, 2, 31), date(2020, 2, 29)), ((2019, 2, 29), date(2019, 2, 28)),
        ((2019, 12, 31), date(2019, 12, 31)),
        ((2019, 1, 1), date(2019, 1, 1)), ((2019, 0, 1), None), ((2019, 13, 1), None), ((2019, 1, 0), None),
        ((2019, 1, 32), None), ((0, 1, 1), None), ((1, 1, 1), date(1, 1, 1)),
        ((9998, 1, 1), date(9998, 1, 1)),
        ((9999, 1, 1), None),
    ],
)  # fmt: skip
def test_a_day_beyond_its_month_is_the_last_one(numbers: tuple[int, int, int], day: date | None) -> None:
    assert clamp_day(*numbers) == day


@pytest.mark.parametrize(
    ("persian", "gregorian"),
    [
        ((1343, 1, 1), date(1964, 3, 21)), ((1342, 12, 29), None), ((1450, 1, 1), date(2071, 3, 21)),
        ((1451, 1, 1), None), ((1398, 6, 31), date(2019, 9, 22)), ((1398, 7, 1), date(2019, 9, 23)),
        ((1398, 7, 31), None), ((1398, 11, 30), date(2020, 2, 19)), ((1398, 12, 29), date(2020, 3, 19)),
        ((1398, 0, 1), None), ((1398, 13, 1), None), ((1398, 1, 0), None), ((1399, 12, 31), None),
    ],
)  # fmt: skip
def test_persian_months_have_their_own_lengths(persian: tuple[int, int, int], gregorian: date | None) -> None:
    assert gregorian_from_persian(*persian) == gregorian


@given(st.dates(date(1964, 3, 21), date(2071, 3, 20)))
def test_every_gregorian_day_is_exactly_one_persian_day(day: date) -> None:
    year = day.year - 621
    days = [(y, m, d) for y in (year - 1, year) for m in range(1, 13) for d in range(1, 32)]
    assert sum(gregorian_from_persian(*persian) == day for persian in days) == 1
