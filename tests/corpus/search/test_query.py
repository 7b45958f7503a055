import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.corpus.search.entries import term_spans, terms, whole_periods
from threadmill.corpus.search.query import (
    ConcordanceLine,
    QueryClause,
    QueryPhrase,
    SearchQuery,
    concordance,
    parse_query,
)
from threadmill.errors import UsageError

TEXT = "The keeper saw the Light-House. No light\nhouse was ever lit by İstanbul's 東京 keepers."


def matches(question: str) -> list[str]:
    return [line.match for line in concordance(TEXT, parse_query(question).wanted)]


def test_every_place_of_a_phrase_is_shown_as_it_is_written() -> None:
    assert matches('"light house"') == ["Light-House", "light house"]
    assert matches("keeper*") == ["keeper", "keepers"]
    assert matches("京") == ["京"]


def test_the_words_around_are_cut_to_the_width() -> None:
    line = concordance(TEXT, [QueryPhrase(("saw",))], 8)[0]
    assert line == ConcordanceLine(" keeper ", "saw", " the Lig")


def test_a_text_found_by_its_fields_alone_shows_its_beginning() -> None:
    assert concordance(TEXT, (), 10) == [ConcordanceLine("", "", "The keeper")]


@given(st.text())
def test_terms_are_the_same_with_and_without_their_places(text: str) -> None:
    if text.lower() == "".join(char.lower() for char in text) and len(text.lower()) == len(text):
        assert [term for _, _, term in term_spans(text)] == [term[:80] for term in terms(text)]


@pytest.mark.parametrize(
    ("typed", "clauses"),
    [
        ("light house", (QueryClause((QueryPhrase(("light",)),)), QueryClause((QueryPhrase(("house",)),)))),
        ('"Light House"', (QueryClause((QueryPhrase(("light", "house")),)),)),
        ('"never closed', (QueryClause((QueryPhrase(("never", "closed")),)),)),
        ("e-mail", (QueryClause((QueryPhrase(("e", "mail")),)),)),
        ("lightho*", (QueryClause((QueryPhrase(("lightho",), prefix=True),)),)),
        ("a OR b", (QueryClause((QueryPhrase(("a",)), QueryPhrase(("b",)))),)),
        ("-lamp", (QueryClause((QueryPhrase(("lamp",)),), without=True),)),
        ("灯台", (QueryClause((QueryPhrase(("灯", "台")),)),)),
        ("!!! ...", ()),
    ],
)
def test_words_phrases_beginnings_and_alternatives_are_told_apart(
    typed: str, clauses: tuple[QueryClause, ...]
) -> None:
    assert parse_query(typed).clauses == clauses


def test_fields_are_conditions_and_no_words() -> None:
    question = parse_query('train site:Example.ORG author:"Anna K" lang:EN date:2024-02..2024')
    assert question == SearchQuery(
        (QueryClause((QueryPhrase(("train",)),)),), "example.org", "anna k", "en", 20240201, 20241231
    )


def test_one_date_is_a_span_of_its_precision_and_a_bound_may_be_left_open() -> None:
    assert (parse_query("date:2024-05").since, parse_query("date:2024-05").until) == (20240501, 20240531)
    assert (parse_query("date:2024..").since, parse_query("date:2024..").until) == (20240101, 0)


def test_a_date_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="expected a date"):
        parse_query("date:yesterday")


@pytest.mark.parametrize(
    ("since", "until", "terms"),
    [
        (20150101, 20161231, ["2015", "2016"]),
        (20150301, 20150531, ["201503", "201504", "201505"]),
        (20151101, 20180231, ["2016", "2017", "201511", "201512", "201801", "201802"]),
        (20150101, 20160131, ["2015", "201601"]),
        (20151201, 20161231, ["2016", "201512"]),
        (20150310, 20160131, []),
        (20160101, 20151231, []),
        (0, 0, []),
    ],
)
def test_a_span_of_whole_months_is_made_of_years_and_months(since: int, until: int, terms: list[str]) -> None:
    assert whole_periods(since, until) == terms


def test_a_span_without_an_end_reaches_over_all_years_to_come() -> None:
    assert whole_periods(20240601, 0)[:2] == ["2025", "2026"]
    assert whole_periods(20240601, 0)[-7:] == [f"2024{month:02}" for month in range(6, 13)]
    assert whole_periods(0, 20240231)[-2:] == ["202401", "202402"]


def test_a_question_of_too_many_words_is_refused() -> None:
    assert parse_query("a " * 500).wanted
    with pytest.raises(UsageError, match="at most 500 words"):
        parse_query("a " * 501)
    with pytest.raises(UsageError, match="at most 500 words"):
        parse_query('"' + "a " * 501 + '"')


def test_a_phrase_that_is_asked_for_twice_is_shown_once() -> None:
    assert matches('"light house" keeper "light house" "light"') == ["keeper", "Light-House", "light house"]
