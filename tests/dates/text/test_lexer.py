from hypothesis import given
from hypothesis import strategies as st

from threadmill.dates.text.lexer import tokenise
from threadmill.dates.text.lexicon import find_lexicon


@given(st.text(max_size=80))
def test_tokens_cover_the_text_without_gaps(text: str) -> None:
    tokens = tokenise(text, find_lexicon())
    assert len(tokens.letters) == len(tokens.starts) == len(tokens.numbers) == len(tokens.senses)
    assert [*tokens.starts, len(tokens.text)] == [0, *tokens.ends]


@given(st.text(max_size=80))
def test_a_text_read_twice_has_the_same_tokens(text: str) -> None:
    assert tokenise(text, find_lexicon()) == tokenise(text, find_lexicon())
