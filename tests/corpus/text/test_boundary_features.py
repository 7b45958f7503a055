"""What is told of a piece by its looks is what looking at all of it tells."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from threadmill.corpus.text.boundary_features import NO_END, Begins, Ends, _ending
from threadmill.corpus.text.boundary_weights import scores_of
from threadmill.corpus.text.delimited_text import PASSAGE
from threadmill.corpus.text.languages import language_profile

LANGUAGES = ["en", "de", "tr", ""]
WORDS = st.one_of(
    st.sampled_from(
        ["The", "the", "Dr", "Straße", "NATO", "XIV", "I", "iPhone", "ǅ", "Он", "Them", "x", "Aא", "אAb"]
    ),
    st.text(st.characters(categories=["L"]), min_size=1, max_size=8),
)
TEXTS = st.tuples(WORDS, st.sampled_from(["", ".", ",", ";", ":", "!", "?", ").", "…", "'s", "-x", "1"])).map(
    "".join
)


@pytest.mark.parametrize("language", LANGUAGES)
@settings(deadline=None, max_examples=100)
@given(text=TEXTS)
def test_an_end_is_that_of_the_whole_piece(language: str, text: str) -> None:
    spelling = language_profile(language)
    assert Ends(spelling)[text].ending == _ending(text, spelling)


@pytest.mark.parametrize("language", LANGUAGES)
@settings(deadline=None, max_examples=100)
@given(text=TEXTS)
def test_a_beginning_is_that_of_the_whole_piece_and_of_one_that_ends_a_paragraph(
    language: str, text: str
) -> None:
    spelling = language_profile(language)
    scores = scores_of(spelling.language)
    begins = Begins(spelling, scores.first_words)
    whole = begins._found(text)
    for found in (begins[text], begins[text + PASSAGE]):
        assert (found.opening, found.of_word) == (whole.opening, whole.of_word)


def test_what_a_rare_word_weighs_is_nothing_of_its_own() -> None:
    spelling = language_profile("en")
    scores = scores_of("en")
    ends = Ends(spelling, scores.last_words)
    assert ends["Quxington"].of_word is None
    known = next(word for word, weights in scores.last_words.items() if word.isalpha() and "|U" in weights)
    assert ends[known].of_word


@pytest.mark.parametrize(
    ("text", "stop", "closer"),
    [
        ("Уралмаше&#39;&#39;.", ".", "m"),
        ("mill&quot;", "", "q"),
        ("mill;", ";", ""),
        ("etc;.", ".", ""),
        ("Fax:?", ":", ""),
        ("AT&T.", ".", ""),
    ],
)
def test_a_full_stop_comes_last_and_encoded_quotes_are_quotes(text: str, stop: str, closer: str) -> None:
    ending = Ends(language_profile("ru"))[text].ending
    assert (ending.stop, ending.closer) == (stop, closer)


def test_the_end_of_another_paragraph_is_no_end() -> None:
    assert Ends(language_profile("en"))[f"word.{PASSAGE}"] is NO_END
