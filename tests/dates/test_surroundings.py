import pytest

from threadmill.dates.lexicon import load_lexicon
from threadmill.dates.patterns import grammar_for
from threadmill.dates.scan import scan
from threadmill.dates.surroundings import Surroundings
from threadmill.dates.tokens import tokenise
from threadmill.dates.written_dates import WrittenDate


def around(text: str) -> Surroundings:
    lexicon = load_lexicon()
    return Surroundings(text, tokenise(text, lexicon), grammar_for(lexicon))


def found(text: str) -> list[str]:
    return [text[s.date.start : s.date.end] for s in scan(text).stamps if s.date]


@pytest.mark.parametrize(
    "text",
    [
        "1.22.04.2020",
        "x2019-05-12",
        "$12/05/2019",
        "12/05/2019%",
        "12/05/2019/3",
        "#12.05.2019",
        "a=2019-05-12",
    ],
)
def test_the_middle_of_something_longer_is_no_date(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("12.05.2019-15.05.2019", "12.05.2019"),
        ("By John SmithMarch 5, 2020", "March 5, 2020"),
        ("発言2019年5月5日に", "2019年5月5日"),
        ("2019-05-12T10:15", "2019-05-12"),
    ],
)
def test_a_date_may_touch_what_it_cannot_be_part_of(text: str, date: str) -> None:
    assert found(text)[0] == date


def test_alone_means_nothing_but_signs_and_times_beside() -> None:
    for text, alone in (
        ("<b>(5 May 2019, 10:15)</b>", True),
        ("on 5 May 2019", False),
        ("5 May 2019 4", False),
    ):
        stamp = scan(text).stamps[0]
        assert stamp.date is not None
        assert around(text).stands_alone(stamp.date) is alone


def test_words_before_are_seen_past_spaces_and_signs() -> None:
    text = around("version: 2")
    assert text.follows_word(3) is False
    assert around("la word 2").follows_word(4) is True


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("12-14 June 2021", ["12-14 June 2021"]), ("plan x-14 June 2021", ["June 2021"]),
        ("report-2019-05-12", []), ("2019-05-12-15", []),
        ("12.05.2019-15.05.2019", ["12.05.2019", "15.05.2019"]), ("ב-3 במרץ 2011", ["3 במרץ 2011"]),
        ("12.05.2019$", []), ("12.05.2019€", []), ("12.05.2019!", ["12.05.2019"]), ("~12.05.2019", []),
        ("04月08日10:05", ["04月08日"]), ("16/02/26(金)19:28:19", ["16/02/26(金)"]),
        ("02/26/16(Fri)19:28", ["02/26/16(Fri)"]), ("2019-05-12x", []), ("2019-05-12Z", ["2019-05-12"]),
        ("12.05.2019,3", ["12.05.2019"]), ("1,12.05.2019", ["12.05.2019"]),
    ],
)  # fmt: skip
def test_what_touches_a_date_may_be_part_of_it(text: str, found: list[str]) -> None:
    assert [text[s.date.start : s.date.end] for s in scan(text).stamps if s.date] == found


@pytest.mark.parametrize(
    ("text", "is_time"),
    [
        ("~10:15", True), ("@10:15", True), ("$10:15", False), ("10:15%", False), ("10:15:", True),
        ("1.10:15", False), ("10:15.3", False), ("x10:15", False), ("10:15x", False), ("10:15h", True),
        ("10:15 UTC", True), ("10:15_", False),
    ],
)  # fmt: skip
def test_what_touches_a_time_may_be_part_of_it(text: str, is_time: bool) -> None:
    assert bool(scan(text).stamps) is is_time


def date_in(text: str) -> WrittenDate:
    stamp = scan(text, lenient=True).stamps[0]
    assert stamp.date is not None
    return stamp.date


def test_a_date_with_thirty_tokens_beside_it_is_not_alone() -> None:
    assert around("5 May 2019 " + ", " * 14).stands_alone(date_in("5 May 2019"))
    assert not around("5 May 2019 " + ", " * 16).stands_alone(date_in("5 May 2019"))
    late = ", " * 16 + "5 May 2019"
    assert not around(late).stands_alone(date_in(late))


@pytest.mark.parametrize(
    ("text", "beside", "after", "in_line"),
    [
        ("5 May 10:15", True, True, True),
        ("5 May at 22h20", True, True, True),
        ("10:15 5 May", True, False, True),
        ("10:15 PM, 5 May", True, False, True),
        ("10:15<b>5 May", True, False, False),
        ("5 May then 10:15", False, False, False),
        ("5 May 3", False, False, False),
    ],
)
def test_a_time_is_looked_for_on_both_sides(text: str, beside: bool, after: bool, in_line: bool) -> None:
    found, form = around(text), date_in(text)
    assert (found.has_time_beside(form), found.has_time_after(form), found.has_time_in_line(form)) == (
        beside,
        after,
        in_line,
    )


def test_tokens_outside_the_text_are_empty() -> None:
    text = around("la 5")
    assert (text.word(-1), text.word(0), text.word(2), text.word(3)) == ("", "la", "5", "")
    assert not text.has_role(-1, "month")
    assert not text.has_role(3, "month")
    assert (text.char(-1), text.char(0), text.char(3), text.char(4)) == (" ", "l", "5", " ")


def test_the_word_before_a_date_is_found_past_signs_and_counted() -> None:
    text = "the Version: 5 May 2019"
    assert around(text).word_before(date_in(text)) == "version"
    assert around(text).count_words_before(date_in(text)) == 2
    assert around("5 May 2019").word_before(date_in("5 May 2019")) == ""
    assert around("12 5 May 2019").word_before(date_in("5 May 2019")._replace(first=2)) == ""


@pytest.mark.parametrize(
    ("text", "capital"),
    [("May 5", True), ("may 5", False), ("5 мая", True), ("昨天", True), ("5/5/2019", True)],
)
def test_a_capital_is_asked_of_latin_letters_only(text: str, capital: bool) -> None:
    assert around(text).is_capitalised(date_in(text)) is capital
