from datetime import UTC, date, datetime, time

import pytest

from threadmill.dates import Moment, Precision, attribute_misleads, find_dates, parse_date
from threadmill.dates.lexicon import load_lexicon
from threadmill.dates.patterns import grammar_for
from threadmill.dates.scan import _READERS, rank_by_trust, read_date, scan
from threadmill.dates.tokens import tokenise


def spans(text: str) -> list[tuple[str, str]]:
    return [(text[span.start : span.end], span.label) for span in find_dates(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Nov 25, 2019", "Sunday, 05 October 99", "January 30, 2015", "Monday, Jan 30, 2015", "December 13.",
        "Jan. 21/99", "2019 11 13", "30 02 2020", "05 02 1999", "16 10 12", "2009-December-11", "2009-Dec-11",
        "Feb-Tue-23-99", "15 July", "Sep 31, '98", "2016January05", "13 June 2020", "Sat Nov 1 2013",
        "Mon 13 Oct '97", "3 weeks ago", "3 天前", "昨天", "前天", "3ч", "24 Май", "29 Ноя '24",
        "13 août 2023",
        "10 Monate 3 Wochen",
        "1 Jahr 2 Tage her", "2020. április 22.", "22 апреля 2020 г.", "22 tháng 4, 2020",
        "2020. 4. 22.",
        "22 בינואר 2020", "令和2年4月22日", "22 เม.ย. 2563", "۱۳۹۸/۰۵/۱۲",
    ],
)  # fmt: skip
def test_every_kind_of_date_is_one_span(text: str) -> None:
    assert spans(text) == [(text, "DATE")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Post » alan smithee # 05 Sep 2005, 10:48 @tagged",
            [("05 Sep 2005", "DATE"), ("10:48", "TIME")],
        ),
        ("11:43pm On Apr 23", [("11:43pm", "TIME"), ("Apr 23", "DATE")]),
        ("yesterday at 10:15", [("yesterday", "DATE"), ("10:15", "TIME")]),
        ("发表于 2023-7-18 21:45:45", [("2023-7-18", "DATE"), ("21:45:45", "TIME")]),
        ("2020年4月22日(水) 下午 3:24", [("2020年4月22日(水)", "DATE"), ("下午 3:24", "TIME")]),
        ("Posted at 10:15", [("10:15", "TIME")]),
    ],
)
def test_dates_and_times_of_a_byline_are_spans_of_their_own(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert spans(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "5th 2 days",
        "27th 07 2017",
        "13-2020",
        "a órája",
        "下周三",
        "2020-W15",
        "1 день",
        "24:30",
        "12:61",
        "20:15:99",
        "13/2019",
        "2020年13月5日",
        "05.06 12.30",
    ],
)
def test_numbers_out_of_the_clock_and_the_calendar_are_nothing(text: str) -> None:
    assert spans(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5 May 2020 24:00", ["5 May 2020", "24:00"]),
        ("5 May 2020 24:10", ["5 May 2020"]),
        ("99 May 2020", ["May 2020"]),
        ("5 May 10000", ["5 May"]),
        ("a lani", ["lani"]),  # an English article does not count years in Croatian
        ("2 lani", ["2 lani"]),
        ("2 órája", ["2 órája"]),
        ("上周三", ["上周三"]),
        ("10:15 z tego", ["10:15"]),  # «z» is no zone where it stands apart
        ("10:15Z", ["10:15Z"]),
        ("2016年5月33日", ["2016年5月"]),
        ("12.05.2020 07.06", ["12.05.2020", "07.06"]),
        ("05.06.2020 | 12.30", ["05.06.2020", "12.30"]),
        ("5 May 15:30 16:40", ["5 May", "15:30", "16:40"]),
        ("von Hans, hier 22h20", ["hier", "22h20"]),  # a French time follows, so this is no German «hier»
        ("von Hans, hier 2 x 20", []),
    ],
)
def test_what_is_possible_is_read_and_the_rest_is_left(text: str, expected: list[str]) -> None:
    assert [part for part, _ in spans(text)] == expected


@pytest.mark.parametrize("word", ["no", "nå", "nu"])
def test_a_short_word_for_now_is_one_where_a_date_is_expected_and_nothing_else_stands(word: str) -> None:
    assert spans(word) == []
    assert parse_date(word, NOW) == parse_date("now", NOW)
    assert parse_date(f"{word} til alle som er der", NOW) is None


def test_attribute_values_are_read_like_text() -> None:
    text = (
        '<time class="pub-date" datetime="2020-4-22 15:3"> <span class="date">22.04.2020</span> '
        '|<span class="time">15.03</span></time>'
    )
    assert spans(text) == [
        ("2020-4-22", "DATE"),
        ("15:3", "TIME"),
        ("22.04.2020", "DATE"),
        ("15.03", "TIME"),
    ]


def test_an_exact_attribute_value_stands_for_the_relative_words_beside_it() -> None:
    assert spans('<span title="2025-5-29 13:25">3 天前</span>') == [
        ("2025-5-29", "DATE"),
        ("13:25", "TIME"),
    ]


@pytest.mark.parametrize(("words", "is_near"), [(0, True), (6, True), (7, False), (12, False)])
def test_relative_words_twenty_tokens_behind_an_exact_attribute_are_near_it(
    words: int, is_near: bool
) -> None:
    found = spans(f'<i title="2025-5-29 13:25">x</i>{" b" * words} 3 days ago')
    assert (("3 days ago", "DATE") not in found) is is_near


@pytest.mark.parametrize(("words", "is_near"), [(0, True), (9, True), (10, False), (15, False)])
def test_relative_words_twenty_tokens_before_an_exact_attribute_are_near_it(
    words: int, is_near: bool
) -> None:
    found = spans(f'3 days ago{" b" * words} <i title="2025-5-29 13:25">x</i>')
    assert (("3 days ago", "DATE") not in found) is is_near


def test_exact_attributes_are_trusted_most_and_times_without_a_day_least() -> None:
    apart = " filler words stand here so that nothing belongs together and nothing is near " * 2
    ranked = [
        '<i title="2018-07-08 09:10">z</i>',
        "7 June 2019",  # exact, but no attribute; as good as an attribute without a time
        '<i title="2017-07-08">z</i>',
        '<i data-time="2020-02-31 10:15">y</i>',  # malformed
        "3 days ago",
        '<i title="a long title with many words that mentions 5 May 2020 among other words">x</i>',
        "10:15",
    ]
    texts = [ranked[place] for place in (6, 5, 4, 3, 1, 0, 2)]
    found = scan(apart.join(texts))
    starts = [stamp.start for stamp in rank_by_trust(found)]
    assert [sorted(starts).index(start) for start in starts] == [5, 4, 6, 3, 2, 1, 0]


@pytest.mark.parametrize(
    ("text", "is_date"),
    [
        ("was here 5/12 and", False),
        ("was 10:15 5/12 and", True),
        ("was 10:15PM 5/12 and", True),
        ("was 10:15  PM 5/12 and", True),
        ("was 10:15 p.m. 5/12 and", True),
        ("was 10:15 PM, 5/12 and", True),
        ("was 10:15:20 PM 5/12 and", True),
        ("was 下午 3:24 5/12 and", True),
        ("was 10:15 xx 5/12 and", False),
        ("was 25:99 PM 5/12 and", False),
        ("was here 5/12 22h20 and", True),
        ("was here 5/12 2x20 and", False),
    ],
)
def test_a_clock_beside_two_numbers_makes_them_a_date(text: str, is_date: bool) -> None:
    assert (("5/12", "DATE") in spans(text)) is is_date


def test_offsets_point_into_the_text_as_given_when_it_has_character_references() -> None:
    assert spans("am 5. M&auml;rz 2019&nbsp;um 10:15") == [("5. M&auml;rz 2019", "DATE"), ("10:15", "TIME")]


@pytest.mark.parametrize(
    "text",
    [
        "version 10.11.12", "v2.3.14", "192.168.1.1", "page 3 of 25", "post #12", "score 3:2", "$12.05",
        "john2019", "http://example.org/2019/05/12/x", "+1 555-12-11-2019", "5 out of 10", "call 555-12-11",
        "IMG_20190512_101500.jpg", "10.12.11.5", "/archive/2019/05/12/", "16:9",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_date_stays_silent(text: str) -> None:
    assert spans(text) == []


NOW = datetime(2026, 11, 15, 12, 0)


def iso(text: str) -> str | None:
    moment = parse_date(text, NOW)
    return moment.isoformat() if moment else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nov 25, 2019", "2019-11-25"),
        ("Sunday, 05 October 99", "1999-10-05"),
        ("Feb-Tue-23-99", "1999-02-23"),
        ("2016January05", "2016-01-05"),
        ("11:43pm On Apr 23", "2026-04-23T23:43"),
        ("2011-12-03T17:27:18-05:00", "2011-12-03T17:27:18-05:00"),
        ("Sat Nov 1 10:15:00 2013", "2013-11-01T10:15:00"),
        ("Posted by Anna on 12/05/2019 at 3:24 PM", "2019-12-05T15:24"),
        ("22/04/2020 15:03", "2020-04-22T15:03"),
        ("3 weeks ago", "2026-10-25"),
        ("in 2 weeks", "2026-11-29"),
        ("2 lani", "2024"),
        ("12 فروردین", "2026-04-01"),
        ("1399年5月3日", "2020-07-24"),
        ("5 May 1399", "2020-07-26"),
        ("5 May 0020", None),
        ("平成99年5月3日", None),
        ("an hour ago", "2026-11-15T11"),
        ("yesterday at 10:15", "2026-11-14T10:15"),
        ("Sunday at 10:15 AM", "2026-11-08T10:15"),
        ("Sunday 8th March", "2026-03-08"),
        ("12 декабря", "2025-12-12"),
        ('<i title="2025-5-29 13:25">3 天前</i>', "2025-05-29T13:25"),
        ('<abbr data-time="1587567780">x</abbr>', "2020-04-22T15:03:00+00:00"),
        ("20200422T150300Z", "2020-04-22T15:03:00+00:00"),
        ("۱۳۹۸/۰۵/۱۲", "2019-08-03"),
        ("22 เม.ย. 2563 10:15", "2020-04-22T10:15"),
        ("ส. 12 พ.ย. 65 11:12", "2022-11-12T11:12"),
        ("2020年5月3日 中午11:30", "2020-05-03T11:30"),
        ("πριν από 2 days", "2026-11-13"),
    ],
)
def test_a_text_means_the_moment_it_shows(text: str, expected: str) -> None:
    assert iso(text) == expected


def test_a_date_shown_to_the_day_is_not_midnight() -> None:
    assert parse_date("5 May 2019", NOW) == Moment(date(2019, 5, 5), None, None, Precision.DAY)


def test_an_impossible_day_is_the_last_of_its_month() -> None:
    assert iso("Sep 31, '98") == "1998-09-30"
    assert iso("30 02 2020") == "2020-02-29"


def test_an_amount_of_hours_before_an_aware_now_is_in_its_zone() -> None:
    moment = parse_date("3 hours ago", datetime(2026, 11, 15, 1, 30, tzinfo=UTC))
    assert moment == Moment(date(2026, 11, 14), time(22, 30), "UTC", Precision.HOUR)


@pytest.mark.parametrize("text", ["", "hello", "13/13/2013", "5 May 1889", "version 1.2.3"])
def test_what_is_no_date_means_nothing(text: str) -> None:
    assert parse_date(text, NOW) is None


def clocks(text: str) -> list[tuple[bool, int | None]]:
    return [(s.date is not None, s.time.hour if s.time else None) for s in scan(text).stamps]


def test_a_date_takes_the_time_after_it_before_the_one_before_it() -> None:
    assert clocks("10:15, 5 May 2019, 11:30") == [(False, 10), (True, 11)]
    assert clocks("10:15, 5 May 2019") == [(True, 10)]


def test_a_time_beyond_other_words_stays_alone() -> None:
    assert clocks("5 May 2019 by a user who came at last to us 10:48") == [(True, None), (False, 10)]


def test_two_dates_take_a_time_each() -> None:
    assert clocks("5 May 2019 10:15 | 6 May 2019 11:30") == [(True, 10), (True, 11)]


def test_a_clock_with_dots_behind_a_date_is_no_second_date() -> None:
    assert clocks("25. mar. 2019 14.05.09") == [(True, 14)]
    assert clocks("25.3.2019 klo 14.05.09") == [(True, 14)]
    assert clocks("12.05.2019 - 14.05.19") == [(True, None), (True, None)]


def test_a_zone_between_date_and_time_is_the_time_s() -> None:
    (stamp,) = scan("16 Nov 2026 UTC 10:00").stamps
    assert stamp.time is not None
    assert stamp.time.zone == "UTC"
    assert clocks("Mon Nov 16 CET 2026 10:00") == [(True, 10)]


def test_noon_is_a_time_behind_at_and_a_name_alone() -> None:
    assert clocks("at noon") == [(False, 12)]
    assert clocks("Midnight") == clocks("noon") == []


def test_a_time_far_from_its_date_stays_alone() -> None:
    assert clocks("5 May 2019 | by a user | 10:48") == [(True, None), (False, 10)]
    assert clocks("5 May 2019 at, - 10:48") == [(True, 10)]
    assert clocks("5 May 2019" + " -" * 4 + " 10:48") == [(True, 10)]
    assert clocks("5 May 2019" + " -" * 5 + " 10:48") == [(True, None), (False, 10)]


def test_a_year_behind_the_time_belongs_to_the_date() -> None:
    (stamp,) = scan("Sat Nov 1 10:15:00 CET 2013").stamps
    assert stamp.year is not None
    assert (stamp.year.year, stamp.year.kind, stamp.year.year_width) == (2013, "year", 4)
    assert scan("Sat Nov 1 10:15, 2013").stamps[0].year is not None
    for text in ("Sat Nov 1 10:15 2013x", "Sat Nov 1 2012 10:15 2013", "11/1 10:15 2013", "10:15 Nov 1"):
        assert all(stamp.year is None for stamp in scan(text).stamps)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("20200422T150300Z", (15, 3, 0, "UTC")),
        ("20200422T1503", (15, 3, None, None)),
        ("20200422T235959", (23, 59, 59, None)),
        ("20200422T235960", (23, 59, 59, None)),
        ("20200422T240000", None),
        ("20200422T236000", None),
        ("20200422T15", None),
    ],
)
def test_digits_behind_a_compact_date_are_its_time(
    text: str, clock: tuple[int, int, int | None, str | None] | None
) -> None:
    time = next((stamp.time for stamp in scan(text).stamps), None)
    assert (time and (time.hour, time.minute, time.second, time.zone)) == clock


def test_an_unsure_time_before_a_date_is_not_taken() -> None:
    assert clocks("15.03 5 May 2019") == [(True, None)]
    assert clocks("15:03 5 May 2019") == [(True, 15)]


def parts(text: str, lenient: bool = False) -> list[tuple[str, str]]:
    """The text of the date and of the time of each stamp."""
    return [
        tuple(text[part.start : part.end] if part else "" for part in (stamp.date, stamp.time))  # type: ignore[misc]
        for stamp in scan(text, lenient=lenient).stamps
    ]


def test_dates_and_times_come_in_pairs_and_in_their_order() -> None:
    text = "10:15, 5 May 2019 | edited 6 May 2019 at 9:30 PM"
    assert parts(text) == [("5 May 2019", "10:15"), ("6 May 2019", "9:30 PM")]


def test_numbers_of_a_clock_are_not_read_as_a_date_again() -> None:
    assert parts("12:05:2019 10:15:30") == [("", "10:15:30")]


def test_a_refused_shape_gives_way_to_a_smaller_one() -> None:
    assert parts("5 May 9999") == []
    assert parts("Posted on 4 May 2019, 12") == [("4 May 2019", "")]


def test_an_age_is_no_time_of_day() -> None:
    assert parts("3h") == [("3h", "")]
    assert parts("le 24 avril 2017 à 9h") == [("24 avril 2017", "9h")]


def test_a_language_that_is_asked_for_is_believed() -> None:
    assert scan("1 Mei 2019", "sw").stamps[0].date is not None


LEXICON = load_lexicon()


def kind_of(text: str) -> str | None:
    tokens = tokenise(text, LEXICON)
    found = grammar_for(LEXICON).dates.patterns_for(tokens.letters).search(tokens, 0)
    assert found is not None
    form = read_date(found[0])
    return form.kind if form else None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("5 May 2019", "named"),
        ("2019年5月5日", "named"),
        ("2019年5月", "month"),
        ("05/12/2019", "numeric"),
        ("1394600000", "epoch"),
        ("yesterday", "relative"),
        ("2 days ago", "relative"),
    ],
)
def test_a_match_becomes_a_form_of_its_kind(text: str, kind: str) -> None:
    assert kind_of(text) == kind


@pytest.mark.parametrize("text", ["30/30/2019", "5 out of 10", "9999999999"])
def test_a_shape_that_deceives_is_refused(text: str) -> None:
    assert kind_of(text) is None


def test_every_shape_of_the_grammar_has_a_reader() -> None:
    shapes = grammar_for(LEXICON).dates.patterns
    assert {shape.name for shape in shapes} == set(_READERS)


@pytest.mark.parametrize(
    "value", ["2005-07-18T 1:54", "2005-07-18T25:61", "2005-7-18 1:54:0", "2005-02-31T10:00"]
)
def test_a_readable_date_comes_before_a_malformed_attribute(value: str) -> None:
    assert iso(f'<time datetime="{value}">July 18, 2005 1:54 pm</time>') == "2005-07-18T13:54"
    assert attribute_misleads(value, "July 18, 2005 1:54 pm")


@pytest.mark.parametrize("value", ["2005-07-18T01:54", "2005-07-18", "20050718T015400Z", "1121651640"])
def test_a_sound_attribute_misleads_nobody(value: str) -> None:
    assert not attribute_misleads(value, "July 18, 2005 1:54 pm")


def test_a_malformed_attribute_is_read_as_far_as_it_goes() -> None:
    assert iso('<time datetime="2005-07-18T 1:54">3 years ago</time>') == "2005-07-18T01:54"
    assert not attribute_misleads("2005-07-18T 1:54", "3 years ago")


def test_an_impossible_attribute_leaves_a_relative_date_alone() -> None:
    assert iso('<time datetime="2020-02-31">yesterday</time>') == iso("yesterday")


def test_dates_side_by_side_are_found_each() -> None:
    assert spans("昨天前天") == [("昨天", "DATE"), ("前天", "DATE")]
    assert spans("2020-01-01 2021-02-02") == [("2020-01-01", "DATE"), ("2021-02-02", "DATE")]


def test_a_month_with_a_number_above_twelve_is_no_month() -> None:
    assert spans("2020年12月5日") == [("2020年12月5日", "DATE")]
    assert ("2020年13月5日", "DATE") not in spans("2020年13月5日")
