import pytest

from threadmill.corpus.search.query import Clause, Phrase, Question, parse
from threadmill.errors import UsageError


@pytest.mark.parametrize(
    ("typed", "clauses"),
    [
        ("light house", (Clause((Phrase(("light",)),)), Clause((Phrase(("house",)),)))),
        ('"Light House"', (Clause((Phrase(("light", "house")),)),)),
        ('"never closed', (Clause((Phrase(("never", "closed")),)),)),
        ("e-mail", (Clause((Phrase(("e", "mail")),)),)),
        ("lightho*", (Clause((Phrase(("lightho",), prefix=True),)),)),
        ("a OR b", (Clause((Phrase(("a",)), Phrase(("b",)))),)),
        ("-lamp", (Clause((Phrase(("lamp",)),), without=True),)),
        ("灯台", (Clause((Phrase(("灯", "台")),)),)),
        ("!!! ...", ()),
    ],
)
def test_words_phrases_beginnings_and_alternatives_are_told_apart(
    typed: str, clauses: tuple[Clause, ...]
) -> None:
    assert parse(typed).clauses == clauses


def test_fields_are_conditions_and_no_words() -> None:
    question = parse('train site:Example.ORG author:"Anna K" lang:EN date:2024-02..2024')
    assert question == Question(
        (Clause((Phrase(("train",)),)),), "example.org", "anna k", "en", 20240201, 20241231
    )


def test_one_date_is_a_span_of_its_precision_and_a_bound_may_be_left_open() -> None:
    assert (parse("date:2024-05").since, parse("date:2024-05").until) == (20240501, 20240531)
    assert (parse("date:2024..").since, parse("date:2024..").until) == (20240101, 0)


def test_a_date_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="expected a date"):
        parse("date:yesterday")
