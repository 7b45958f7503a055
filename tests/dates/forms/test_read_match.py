import pytest

from threadmill.dates.forms.read_match import _READERS, read_date
from threadmill.dates.grammar.grammar import find_grammar
from threadmill.dates.grammar.match import Match
from threadmill.dates.text.lexer import tokenise
from threadmill.dates.text.lexicon import find_lexicon

LEXICON = find_lexicon()


def kind_of(text: str) -> str | None:
    tokens = tokenise(text, LEXICON)
    found = find_grammar(LEXICON).dates.fitting(tokens.letters).search(tokens.letters, 0)
    assert found is not None
    hit = found[0]
    form = read_date(Match(hit.name, hit.found, hit.groups, tokens))
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
    shapes = find_grammar(LEXICON).dates._sources
    assert {shape.name for shape in shapes} == set(_READERS)
