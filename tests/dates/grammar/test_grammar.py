import pytest

from threadmill.dates.grammar.grammar import find_grammar
from threadmill.dates.text.lexer import tokenise
from threadmill.dates.text.lexicon import find_lexicon

LEXICON = find_lexicon()
GRAMMAR = find_grammar(LEXICON)


def first_shape(text: str) -> tuple[str, str]:
    """The name of the first date shape in a text, and what it took of it."""
    tokens = tokenise(text, LEXICON)
    found = GRAMMAR.dates.fitting(tokens.letters).search(tokens.letters, 0)
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
def test_each_way_of_writing_has_its_shape_and_is_taken_whole(text: str, name: str) -> None:
    assert first_shape(text) == (name, text)


def test_a_bracket_that_nothing_opened_is_not_taken() -> None:
    assert first_shape("30 mayo) la") == ("named", "30 mayo")


def test_a_time_after_a_two_digit_number_keeps_it_from_being_a_year() -> None:
    assert first_shape("5 May 10:15") == ("named", "5 May")
    assert first_shape("5 May 10") == ("named", "5 May 10")
