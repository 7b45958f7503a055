# ruff: noqa: E501 -- markup reads better unbroken
from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.forum.outlines import at, outline_of
from threadmill.forum.records import date_columns
from threadmill.forum.records.date_columns import (
    PageDate,
    count_letters,
    find_date_in,
    find_page_dates,
    has_date,
    is_dated_sentence,
    is_day_word,
    may_show_date,
    read_page_dates,
    settle_site_date_order,
    sort_key,
    sorted_share,
)
from threadmill.types import Moment, Precision

NOW = datetime(2020, 6, 17, 12, tzinfo=UTC)


def dates_in(html: str) -> list[tuple[str, str, str | None]]:
    """Key or tag of the element, text and exact value of each date."""
    outline = outline_of(html)
    return [
        (outline.attribute(found.element, "k") or outline.tags[found.element], found.text, found.exact)
        for found in find_page_dates(outline)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3 May 2020, 10:15", True),
        ("Posted by anna on 3 May 2020", True),
        ("yesterday", False),  # no digit
        ("5 replies", False),
        ("Since 4 March 2014 nobody answers the telephone any more.", False),
        (f"{'x' * 96} 3 May 2020, 1", True),
        (f"{'x' * 97} 3 May 2020, 1", False),
    ],
)
def test_short_texts_with_a_digit_may_have_a_date(text: str, expected: bool) -> None:
    assert has_date(text) is expected


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<div><span k=a>22 hours</span><span> ago</span></div>", [("a", "22 hours ago", None)]),
        ("<div><b k=a>3</b> <i>days ago</i></div>", [("a", "3 days ago", None)]),
        ("<div><i>hace</i> <span k=a>3 días</span></div>", [("a", "hace 3 días", None)]),
        ("<div><span>2</span><span> answers</span></div>", []),
        ("<div><i k=a>4 March 2019 21:05</i> <b>2</b></div>", [("a", "4 March 2019 21:05", None)]),
        ("<div><span>5</span> <span>days</span> <span>in</span> <span>Rome</span></div>", []),
    ],
)
def test_an_age_may_stand_in_two_elements(html: str, found: list[tuple[str, str, str | None]]) -> None:
    assert dates_in(html) == found


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p k=a>Joined on 3 May 2020</p>", True),
        ("<p k=a>A long sentence.<br>Yesterday</p>", True),
        ("<time k=a datetime=2020-05-03>then</time>", True),
        ("<div><span k=a>22 hours</span><span> ago</span></div>", True),
        ("<p k=a>A sentence about 3 pumps and 40 valves.</p>", False),
        ("<p k=a>A sentence <b>of 3 May 2020</b> with a date in another element.</p>", False),
    ],
)
def test_an_element_that_shows_no_date_may_show_none(html: str, expected: bool) -> None:
    outline = outline_of(html)
    assert may_show_date(outline, at(outline, "a")) is expected
    found = {date.element for date in find_page_dates(outline)}
    assert at(outline, "a") not in found or expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Yesterday", True),
        ("anna", False),
        ("3 May 2020", False),
        ("yesterday" + " " * 15, True),
        ("yesterday" + " " * 16, False),
    ],
)
def test_a_day_word_has_no_digit_and_is_short(text: str, expected: bool) -> None:
    assert is_day_word(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Since 4 March 2014 nobody answers the telephone any more.", True),
        ("Since 4 March 2014 nobody answers the telephone any more", False),
        ("On 4 March 2014 at 10:15 nobody answered the telephone at all.", False),  # a clock
        ("D'après la facture du 2.1.2015 il a été révisé une fois.", True),
        ("D'après la facture du 02.10.2015 il a été révisé une fois.", True),
        ("Le 2.1.2015, 10.15 personne n'a répondu au téléphone du garage.", False),
        ("Since 4 March 2014 nobody answers the telephone. There is a drawing at:", True),
        ("Question by St. James of Canterbury Road, answered 4 March 2014", False),
        ("上周末换了CE-189，味道安静了许多，2012-08-10以后。", True),
        ("Joined: March 2010.", False),
        (f"{'x' * 28} 4 March 2014.", True),
        (f"{'x' * 27} 4 March 2014.", False),
    ],
)
def test_a_sentence_with_a_date_says_more_than_the_date(text: str, expected: bool) -> None:
    assert is_dated_sentence(text) is expected


def test_a_chinese_character_counts_as_three_letters() -> None:
    assert count_letters("ab水") == 5


def test_an_exact_attribute_is_taken_before_the_text() -> None:
    html = '<time datetime="2020-05-03T10:15:00Z" k="t">3 days ago</time>'
    assert dates_in(html) == [("t", "3 days ago", "2020-05-03T10:15:00Z")]


@pytest.mark.parametrize(
    "markup",
    [
        'title="2020-05-03 10:15"',
        'title="3 May 2020"',
        'datetime="3 May 2020 10:15"',
        'data-time="1588500900"',
        'data-timestamp="1588500900000"',
        'data-shown="3 May 2020, 10:15"',
    ],
)
def test_attributes_tell_exact_dates(markup: str) -> None:
    ((_, text, exact),) = dates_in(f"<span {markup}>ago</span>")
    assert text == "ago"
    assert exact is not None
    assert exact in markup


@pytest.mark.parametrize(
    "markup",
    [
        'title="Re: what I learnt today"',
        'title="12 May"',  # a day without a year or a time
        'content="3 May 2020"',  # not a machine's way to write it
        'data-time="12345"',
        'data-x="3 May"',
        'data-x="1.5.2020x" class="y"',
        'lang="3 May 2020"',
        f'title="2020-05-03{"x" * 50}"',
        'datetime=""',
    ],
)
def test_other_attributes_are_no_dates(markup: str) -> None:
    assert dates_in(f"<span {markup}>ago</span>") == []


def test_an_attribute_for_scripts_has_at_least_eight_characters() -> None:
    assert len(dates_in('<span data-x="May 2020">ago</span>')) == 1
    assert dates_in('<span data-x="5/2020">ago</span>') == []


def test_what_is_known_of_texts_is_forgotten_when_it_is_much(monkeypatch: pytest.MonkeyPatch) -> None:
    known: dict[str, bool] = {}
    monkeypatch.setattr(date_columns, "_shapes", known)
    monkeypatch.setattr(date_columns, "_MAX_SHAPES", 2)
    sizes = []
    for text in ("3 May 2020", "4 May 2020", "4 June 2020", "4 July 2020"):
        assert has_date(text)
        sizes.append(len(known))
    assert sizes == [1, 1, 2, 1]


def test_an_attribute_may_have_fifty_nine_characters() -> None:
    assert len(dates_in(f'<span title="2020-05-03{" " * 49}">ago</span>')) == 1


def test_the_attribute_of_a_whole_section_is_no_date_of_its_text() -> None:
    assert len(dates_in(f'<div title="2020-05-03">{"x" * 110}</div>')) == 1
    assert dates_in(f'<div title="2020-05-03">{"x" * 111}</div>') == []
    assert dates_in('<h1 title="2020-05-03">x</h1>') == []


def test_a_date_is_found_once_although_an_element_around_it_has_it_too() -> None:
    html = '<time datetime="2020-05-03" k="t"><b><i>3 May 2020</i></b></time>'
    assert dates_in(html) == [("t", "3 May 2020", "2020-05-03")]
    far = '<time datetime="2020-05-03" k="t"><b><i><u><s k="s">3 May 2020</s></u></i></b></time>'
    assert [key for key, _, _ in dates_in(far)] == ["t", "s"]


def test_dates_are_in_document_order() -> None:
    html = '<p k="a">3 May 2020</p><time datetime="2020-05-04" k="b">x</time><p k="c">5 May 2020</p>'
    assert [key for key, _, _ in dates_in(html)] == ["a", "b", "c"]


def test_day_words_count_where_other_dates_stand() -> None:
    html = '<p class="on" k="a">3 May 2020</p><p class="on" k="b">Yesterday</p><h2 k="c">Yesterday</h2>'
    assert [key for key, _, _ in dates_in(html)] == ["a", "b"]


def test_a_day_word_in_bold_takes_its_time_from_around_it() -> None:
    html = (
        '<p class="on" k="a">3 May 2020 at 10:15</p><p class="on"><strong k="b">Today</strong> at 01:19</p>'
    )
    assert dates_in(html)[1][1] == "Today at 01:19"
    heading = '<p class="on" k="a">3 May 2020</p><p class="on"><u k="b">Today</u> at once</p>'
    assert [key for key, _, _ in dates_in(heading)] == ["a"]


def test_a_whole_date_takes_its_time_but_no_counter_from_around_it() -> None:
    html = '<p><b k="d">3 May 2020</b> <i>10:15</i> <i>17</i> <a href="/x">11:30</a></p>'
    assert dates_in(html)[0] == ("d", "3 May 2020 10:15", None)


def test_a_date_without_a_day_takes_all_around_it() -> None:
    html = '<p><b k="d">May 2020</b> <i>3rd</i></p>'
    assert dates_in(html)[0] == ("d", "May 2020 3rd", None)


def test_a_date_takes_nothing_from_beyond_its_cell_or_a_second_date() -> None:
    cell = "<table><tr><td k='d'>May 2020</td><td>3rd</td></tr></table>"
    assert dates_in(cell)[0][1] == "May 2020"
    two = '<p><b k="d">May 2020</b> <b>June 2020</b> 3rd</p>'
    assert [text for _, text, _ in dates_in(two)] == ["May 2020", "June 2020"]


def test_a_date_takes_nothing_from_a_long_paragraph() -> None:
    assert dates_in(f'<p><b k="d">May 2020</b> {"x" * 52}</p>')[0][1] == f"May 2020 {'x' * 52}"
    assert dates_in(f'<p><b k="d">May 2020</b> {"x" * 53}</p>')[0][1] == "May 2020"


def test_a_date_looks_two_elements_far() -> None:
    html = '<div><p><b><i k="d">May 2020</i> 3rd</b> 4th</p> 5th</div>'
    assert dates_in(html)[0][1] == "May 2020 3rd 4th"


def test_the_first_date_in_an_element_is_found() -> None:
    outline = outline_of(
        '<div k="a">by anna <i title="2020-05-03 10:15">ago</i></div><p k="b">on <b>3 May 2020</b></p><p k="c">anna</p>'
    )
    a, b, c = (at(outline, key) for key in "abc")
    assert find_date_in(outline, a) == PageDate(a, "ago", "2020-05-03 10:15")
    assert find_date_in(outline, b) == PageDate(b, "3 May 2020")
    assert find_date_in(outline, c) is None


def test_day_words_in_an_element_can_be_left_out() -> None:
    outline = outline_of('<p k="a">Yesterday</p>')
    a = at(outline, "a")
    assert find_date_in(outline, a) == PageDate(a, "Yesterday")
    assert find_date_in(outline, a, days=False) is None


def test_exact_dates_are_looked_for_in_twelve_elements() -> None:
    def html(count: int) -> str:
        return f'<div k="a">{"<b></b>" * count}<i title="2020-05-03">x</i></div>'

    near, far = outline_of(html(10)), outline_of(html(11))
    assert find_date_in(near, at(near, "a")) is not None
    assert find_date_in(far, at(far, "a")) is None


def read(*texts: str, order: str = "") -> list[Moment | None]:
    return read_page_dates([PageDate(0, text) for text in texts], NOW, order)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2020-05-03T10:15:30Z", Moment(date(2020, 5, 3), time(10, 15, 30), "UTC", Precision.SECOND)),
        ("2020-05-03 10:15", Moment(date(2020, 5, 3), time(10, 15), None, Precision.MINUTE)),
        (
            "2020-05-03T10:15:30.123+0200",
            Moment(date(2020, 5, 3), time(10, 15, 30), "+02:00", Precision.SECOND),
        ),
        ("2020-05-03T10:15-05:30", Moment(date(2020, 5, 3), time(10, 15), "-05:30", Precision.MINUTE)),
        ("1588500930", Moment(date(2020, 5, 3), time(10, 15, 30), "UTC", Precision.SECOND)),
        ("1588500930123", Moment(date(2020, 5, 3), time(10, 15, 30), "UTC", Precision.SECOND)),
    ],
)
def test_dates_that_machines_write_are_read_exactly(text: str, moment: Moment) -> None:
    assert read(text) == [moment]


def test_an_exact_value_is_read_instead_of_the_text() -> None:
    (moment,) = read_page_dates([PageDate(0, "3 days ago", "2020-05-03T10:15Z")], NOW)
    assert moment is not None
    assert moment.date == date(2020, 5, 3)


def test_exact_and_written_dates_of_a_column_keep_their_places() -> None:
    moments = read("3 May 2020", "2020-05-04T10:15Z", "5 May 2020", "nothing")
    assert [moment and moment.date.day for moment in moments] == [3, 4, 5, None]


def test_an_impossible_machine_date_means_nothing() -> None:
    assert read("2020-02-31T10:15:00Z") == [None]


@pytest.mark.parametrize("value", ["2005-07-18T 1:54", "2005-07-32T01:54", "2005-07-18T25:61"])
def test_a_malformed_attribute_does_not_hide_a_readable_date(value: str) -> None:
    page = f"<p>by alan <time datetime='{value}'>18 July 2005, 13:54</time></p>"
    (found,) = find_page_dates(outline_of(page))
    assert found == PageDate(found.element, "18 July 2005, 13:54")


def test_a_malformed_attribute_counts_beside_a_relative_date() -> None:
    page = "<p>by alan <time datetime='2005-07-18T 1:54'>3 days ago</time></p>"
    (found,) = find_page_dates(outline_of(page))
    assert found.exact == "2005-07-18T 1:54"


def test_the_order_of_day_and_month_can_be_given() -> None:
    (moment,) = read("04/05/2019", order="mdy")
    assert moment is not None
    assert moment.date == date(2019, 4, 5)
    (moment,) = read("04/05/2019", order="dmy")
    assert moment is not None
    assert moment.date == date(2019, 5, 4)


def test_a_reading_in_the_future_gives_way_to_one_in_the_past() -> None:
    (moment,) = read("07/05/2020 10:15", order="")
    assert moment is not None
    assert moment.date == date(2020, 5, 7)
    (moment,) = read("05/07/2020 10:15", order="")
    assert moment is not None
    assert moment.date == date(2020, 5, 7)


def test_pages_of_a_site_agree_on_the_order_of_day_and_month() -> None:
    def column(*texts: str) -> tuple[list[PageDate], datetime]:
        return [PageDate(0, text) for text in texts], NOW

    unclear, american = column("04/05/2019", "05/06/2019"), column("04/25/2019", "05/26/2019")
    assert settle_site_date_order([american]) == "mdy"
    assert settle_site_date_order([unclear, american, unclear]) == "mdy"
    assert settle_site_date_order([column("25/04/2019", "26/05/2019"), unclear]) == "dmy"
    assert settle_site_date_order([column("2020-05-03T10:15Z"), column("nothing"), american]) == "mdy"
    assert settle_site_date_order([]) == ""
    assert settle_site_date_order([column("2020-05-03T10:15Z")]) == ""


def days(*numbers: int) -> list[Moment]:
    return [Moment(date(2020, 5, number)) for number in numbers]


@pytest.mark.parametrize(
    ("moments", "share"),
    [
        (days(1, 2, 3), 1.0),
        (days(3, 2, 1), 1.0),
        (days(1, 3, 2, 4), 2 / 3),
        (days(4, 2, 3, 1), 2 / 3),
        (days(1, 1, 2), 1.0),
        (days(1), 0.6),
        (days(1, 1), 0.6),
    ],
)
def test_moments_are_sorted_by_the_share_of_neighbours(moments: list[Moment], share: float) -> None:
    assert sorted_share(moments) == pytest.approx(share)


@given(st.datetimes(datetime(1990, 1, 1), datetime(2030, 1, 1)), st.integers(1, 10**8))
def test_later_moments_have_larger_keys(at: datetime, seconds: int) -> None:
    at = at.replace(microsecond=0)
    later = at + timedelta(seconds=seconds)
    assert sort_key(Moment(at.date(), at.time())) < sort_key(Moment(later.date(), later.time()))


def test_a_day_without_a_time_comes_before_its_midnight() -> None:
    assert sort_key(Moment(date(2020, 5, 3))) < sort_key(Moment(date(2020, 5, 3), time(0, 0)))
    assert sort_key(Moment(date(2020, 5, 3), time(1, 2, 3)))[1] == 3723


def test_two_whole_dates_in_one_cell_are_two_dates() -> None:
    cell = "<td k=panel>Joined: 25 Dec 2011<br>Posts: 3<div k=posted>2015/04/01 06:30</div></td>"
    found = dates_in(f"<table><tr>{cell}</tr></table>")
    assert found == [("panel", "Joined: 25 Dec 2011", None), ("posted", "2015/04/01 06:30", None)]


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("1 month ago", "2016-01"),  # on 1 March: between 1 January and 31 January
        ("9 个月前", "2015-05"),
        ("1 year ago", "2014"),
        ("May 2015", "2015-05"),
        ("3 weeks ago", "2016-02-09"),
        ("2 days ago", "2016-02-28"),
    ],
)
def test_an_age_in_months_or_years_is_the_middle_of_the_time_it_is_shown(text: str, moment: str) -> None:
    (read,) = read_page_dates([PageDate(0, text)], datetime(2016, 3, 1, tzinfo=UTC))
    assert read is not None
    assert read.isoformat() == moment


def test_exact_dates_of_a_column_tell_the_order_of_the_others() -> None:
    """An article shows "15-04-12", its comments have machine-readable dates of the days after."""
    texts = "15-04-12 10:15", "2015-04-13T08:00:00Z"
    first, _ = read(*texts)
    assert first is not None
    assert first.date == date(2015, 4, 12)
    unclear = [PageDate(0, "15-04-12 10:15")], NOW
    assert settle_site_date_order([unclear, ([PageDate(0, text) for text in texts], NOW)]) == "ymd"
