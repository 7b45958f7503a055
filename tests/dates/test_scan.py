import pytest

from threadmill.dates.grammar.patterns import grammar_for
from threadmill.dates.scan import _READERS, read_date, scan
from threadmill.dates.text.lexicon import load_lexicon
from threadmill.dates.text.tokens import tokenise


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
