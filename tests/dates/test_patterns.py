import pytest

from threadmill.dates.lexicon import load_lexicon
from threadmill.dates.patterns import (
    CombinedPatterns,
    DatePattern,
    PatternMatch,
    PatternSet,
    all_languages,
    grammar_for,
    restrict_to_languages,
    span_of,
    weekdays_of,
)
from threadmill.dates.tokens import TokenisedText, tokenise
from threadmill.dates.written_dates import NamedValue, expand_year

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


GRAMMAR = grammar_for(LEXICON)


def first_pattern(text: str) -> tuple[str, str]:
    """The name of the first date pattern found in a text, and the part of the text it took."""
    tokens = tokenise(text, LEXICON)
    found = GRAMMAR.dates.patterns_for(tokens.letters).search(tokens, 0)
    assert found is not None
    match = found[0].found
    return found[0].name, text[tokens.starts[match.start()] : tokens.ends[match.end() - 1]]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("5 May 2019", "named"),
        ("2016January05", "named"),
        ("Fri | September 1 | 2017", "named"),
        ("2019年5月5日", "marked"),
        ("周二 4月 02, 2013", "marked"),
        ("05/12/2019", "numeric"),
        ("2019 11 13", "spaced"),
        ("20190512", "compact"),
        ("May 2019", "month"),
        ("3 weeks, 2 days ago", "ago"),
        ("vor etwa 3 Stunden", "ago"),
        ("2 órája", "counted"),
        ("上周三", "lastweekday"),
        ("yesterday", "phrase"),
    ],
)
def test_each_way_of_writing_has_its_pattern_and_is_taken_whole(text: str, name: str) -> None:
    assert first_pattern(text) == (name, text)


def test_a_bracket_that_nothing_opened_is_not_taken() -> None:
    assert first_pattern("30 mayo) la") == ("named", "30 mayo")


def test_a_time_after_a_two_digit_number_keeps_it_from_being_a_year() -> None:
    assert first_pattern("5 May 10:15") == ("named", "5 May")
    assert first_pattern("5 May 10") == ("named", "5 May 10")


LONG, SHORT = DatePattern("long", "(?P<a>a)b"), DatePattern("short", "(?P<a>a)")


def tokens_of(letters: str) -> TokenisedText:
    """Tokens with these class letters and no other content."""
    size = len(letters)
    return TokenisedText(
        letters, letters, list(range(size)), [], [-1] * size, [()] * size, [], None, frozenset()
    )


def test_later_patterns_are_offered_where_the_first_match_is_refused() -> None:
    patterns = CombinedPatterns([LONG, SHORT], "a")
    found = patterns.search(tokens_of("xab"), 0)
    assert found is not None
    match, number = found
    assert (match.name, match.letter("a"), number) == ("long", "a", 0)
    later = list(patterns.match_later_patterns(tokens_of("xab"), 1, number))
    assert [(other.name, other.letter("a")) for other in later] == [("short", "a")]
    assert list(patterns.match_later_patterns(tokens_of("xab"), 1, 1)) == []


def test_groups_of_a_later_pattern_are_found_in_the_combined_expression() -> None:
    found = CombinedPatterns([LONG, DatePattern("two", "(?P<a>a)(?P<c>c)")], "a").search(tokens_of("ac"), 0)
    assert found is not None
    assert (found[0].letter("c"), found[0].token("c"), found[1]) == ("c", 1, 1)


def test_a_search_begins_at_the_given_token_and_with_a_first_letter_only() -> None:
    patterns = CombinedPatterns([SHORT, DatePattern("x", "x")], "a")
    found = patterns.search(tokens_of("axa"), 1)
    assert found is not None
    assert found[0].found.start() == 2
    assert patterns.search(tokens_of("xx"), 0) is None


def test_a_text_is_matched_only_with_the_patterns_whose_needs_it_fulfils() -> None:
    patterns = PatternSet([DatePattern("with b", "(?P<a>a)b?", "[b]"), SHORT], "a")
    for letters, name in (("ab", "with b"), ("a", "short")):
        found = patterns.patterns_for(letters).search(tokens_of(letters), 0)
        assert found is not None
        assert found[0].name == name


def test_texts_with_the_same_needs_share_one_expression() -> None:
    patterns = PatternSet([LONG._replace(needs="[b]"), SHORT], "a")
    assert patterns.patterns_for("aab") is patterns.patterns_for("b")
    assert patterns.patterns_for("aab") is not patterns.patterns_for("a")
