from hypothesis import given
from hypothesis import strategies as st

from threadmill.corpus.text.delimited_text import (
    GLUE,
    GLUED_SENTENCE,
    SENTENCE,
    from_forms,
    to_forms,
    to_forms_by_sentence,
    to_sentences,
)

CUTS = st.lists(st.tuples(st.text("ab,", min_size=1), st.sampled_from([" ", GLUE, SENTENCE, GLUED_SENTENCE])))


def cut_of(tokens: list[tuple[str, str]]) -> str:
    return "".join(form + joint for form, joint in tokens)[:-1]


@given(CUTS)
def test_forms_by_sentence_are_the_forms_of_each_sentence(tokens: list[tuple[str, str]]) -> None:
    cut = cut_of(tokens)
    assert to_forms_by_sentence(cut) == [to_forms(sentence) for sentence in to_sentences(cut)]


@given(CUTS)
def test_a_cut_text_comes_back_from_its_forms(tokens: list[tuple[str, str]]) -> None:
    cut = cut_of(tokens)
    assert from_forms(to_forms_by_sentence(cut)) == cut
