from hypothesis import given, settings
from hypothesis import strategies as st

from threadmill.corpus.build.documents import Document, Passage, canonical
from threadmill.corpus.formats import conllu
from threadmill.types import Token

TOKENS = st.builds(
    Token,
    st.text(min_size=1, max_size=6),
    st.booleans(),
    st.sampled_from([None, "be"]),
    st.sampled_from([None, "VERB"]),
)
PASSAGES = st.builds(
    Passage, st.lists(st.lists(TOKENS, min_size=1, max_size=4).map(tuple), min_size=1, max_size=3).map(tuple)
)
DOCUMENTS = st.builds(Document, st.just((("url", "http://x.org/"),)), st.lists(PASSAGES, min_size=1, max_size=3).map(tuple), st.one_of(st.none(), PASSAGES)).map(canonical)  # noqa: E501  # fmt: skip


@settings(deadline=None, max_examples=60)
@given(found=st.lists(DOCUMENTS, min_size=1, max_size=3))
def test_what_was_written_is_read_back(found: list[Document]) -> None:
    text = "".join(conllu.write(document, str(number)) for number, document in enumerate(found, 1))
    assert list(conllu.read(text.split("\n"))) == found


def test_an_underscore_without_a_lemma_stays_without() -> None:
    found = Document((("url", "http://x.org/"),), (Passage(((Token("_"),),)),), None)
    assert list(conllu.read(conllu.write(found).split("\n"))) == [found]


def test_a_multiword_token_is_one_token() -> None:
    lines = [
        "# text = du",
        "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_",
        "1\tde\tde\tADP\t_\t_\t_\t_\t_\t_",
        "2\tle\tle\tDET\t_\t_\t_\t_\t_\t_",
        "",
    ]
    [document] = conllu.read(lines)
    assert [t.form for t in next(document.passages()).tokens] == ["du"]
