from hypothesis import given
from hypothesis import strategies as st

from threadmill.corpus.search.concordance import ConcordanceLine, concordance
from threadmill.corpus.search.entries import term_spans, terms
from threadmill.corpus.search.query import QueryPhrase, parse_query

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
