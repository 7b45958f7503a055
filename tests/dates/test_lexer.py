from hypothesis import given
from hypothesis import strategies as st

from threadmill.dates.lexer import tokenise
from threadmill.dates.lexicon import find_lexicon


@given(st.text(max_size=80))
def test_tokens_cover_the_text_without_gaps(text: str) -> None:
    tokens = tokenise(text, find_lexicon())
    assert len(tokens.letters) == len(tokens.starts) == len(tokens.numbers) == len(tokens.senses)
    assert [*tokens.starts, len(tokens.text)] == [0, *tokens.ends]


@given(st.text(max_size=80))
def test_a_text_read_twice_has_the_same_tokens(text: str) -> None:
    assert tokenise(text, find_lexicon()) == tokenise(text, find_lexicon())


def test_numbers_are_told_apart_by_what_they_can_be() -> None:
    letters = tokenise(
        "0 5 05 24 31 59 99 00 123 2019 2562 9999 20190512 201905121030", find_lexicon()
    ).letters
    assert letters.split() == list("012345678YB9EF")


def test_a_phrase_is_one_token() -> None:
    tokens = tokenise("il y a 3 jours", find_lexicon())
    assert tokens.ends[0] == len("il y a")
