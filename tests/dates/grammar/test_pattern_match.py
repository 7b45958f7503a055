import pytest

from threadmill.dates.grammar.pattern_match import (
    PatternMatch,
    all_languages,
    restrict_to_languages,
    span_of,
    weekdays_of,
)
from threadmill.dates.grammar.patterns import grammar_for
from threadmill.dates.grammar.written_dates import NamedValue
from threadmill.dates.meaning.calendars import expand_year
from threadmill.dates.text.lexicon import load_lexicon
from threadmill.dates.text.tokens import tokenise

LEXICON = load_lexicon()


def match_in(text: str) -> PatternMatch:
    tokens = tokenise(text, LEXICON)
    found = grammar_for(LEXICON).dates.patterns_for(tokens.letters).search(tokens, 0)
    assert found is not None
    return found[0]


@pytest.mark.parametrize(
    ("value", "width", "wanted"),
    [(19, 2, 2019), (99, 2, 1999), (60, 2, None), (1969, 4, None), (2050, 4, 2050), (2051, 4, None)],
)
def test_years_lie_between_1970_and_2050(value: int, width: int, wanted: int | None) -> None:
    assert expand_year(value, width) == wanted


def test_groups_say_token_number_width_and_senses() -> None:
    match = match_in("05 May 2019")
    assert (match.number("day"), match.width("day"), match.letter("day")) == (5, 2, "2")
    assert {sense.value for sense in match.senses("month", "month")} == {5}
    assert match.token("weekday") == -1
    assert match.number("weekday") is None
    assert span_of(match) == (0, 11, 0, 5)


def test_vietnamese_days_are_counted_from_sunday() -> None:
    assert [day.value for day in weekdays_of(match_in("Thứ 2, 13/11/2023"))] == [0]


def test_values_that_share_no_language_are_kept_all() -> None:
    values = (NamedValue(10, 0b01), NamedValue(11, 0b10))
    assert restrict_to_languages(values, 0b10) == (NamedValue(11, 0b10),)
    assert restrict_to_languages(values, 0b100) == values
    assert all_languages(values) == 0b11
