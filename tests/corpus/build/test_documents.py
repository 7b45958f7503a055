import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from threadmill.corpus.build.documents import (
    Document,
    Passage,
    Section,
    Span,
    canonical,
    read_conllu,
    write_conllu,
    write_json_line,
)
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
    text = "".join(write_conllu(document, str(number)) for number, document in enumerate(found, 1))
    assert list(read_conllu(text.split("\n"))) == found


def test_an_underscore_without_a_lemma_stays_without() -> None:
    found = Document((("url", "http://x.org/"),), (Passage(((Token("_"),),)),), None)
    assert list(read_conllu(write_conllu(found).split("\n"))) == [found]


def test_a_multiword_token_is_one_token() -> None:
    lines = [
        "# text = du",
        "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_",
        "1\tde\tde\tADP\t_\t_\t_\t_\t_\t_",
        "2\tle\tle\tDET\t_\t_\t_\t_\t_\t_",
        "",
    ]
    [document] = read_conllu(lines)
    assert next(document.passages()).tokens == (Token("du", True, "de+le", "ADP+DET"),)


def words_of(*tokens: Token) -> list[list[str]]:
    text = write_conllu(Document((("url", "http://x.org/"),), (Passage((tokens,)),), None))
    return [line.split("\t")[:4] for line in text.split("\n") if line and not line.startswith("#")]


def test_a_contraction_is_written_as_a_range_and_its_words() -> None:
    verb = Token("Geh", True, "gehen", "VERB")
    whole = Token("beim", False, "bei+der", "ADP+DET")
    assert words_of(verb, whole, Token("Bäcker", True, "Bäcker", "NOUN")) == [
        ["1", "Geh", "gehen", "VERB"],
        ["2-3", "beim", "_", "_"],
        ["2", "bei", "bei", "ADP"],
        ["3", "_", "der", "DET"],
        ["4", "Bäcker", "Bäcker", "NOUN"],
    ]
    assert words_of(Token("du", True, None, "ADP+DET")) == [
        ["1-2", "du", "_", "_"],
        ["1", "_", "_", "ADP"],
        ["2", "_", "_", "DET"],
    ]


@pytest.mark.parametrize("lemma", ["de+le", None])
def test_a_contraction_is_read_back(lemma: str | None) -> None:
    longer = Token("abc", True, lemma and "a+b+c", "SCONJ+VERB+PRON")
    sentence = (Token("du", False, lemma, "ADP+DET"), longer, Token("+", True, "+", "SYM"))
    found = Document((("url", "http://x.org/"),), (Passage((sentence,)),), None)
    assert list(read_conllu(write_conllu(found).split("\n"))) == [found]


PASSAGE = Passage(((Token("See", True), Token("here", False), Token(".")),), (Span("http://x.org/", 1, 2),))


def test_a_line_has_text_and_links_by_character() -> None:
    document = canonical(
        Document((("url", "http://x.org/"),), (PASSAGE, Section("post", (("author", "Ann"),), (PASSAGE,))))
    )
    record = json.loads(write_json_line(document, tokens=True))
    assert record["text"] == "See here.\nSee here."
    [first, post] = record["blocks"]
    assert [first["text"][link["start"] : link["end"]] for link in first["links"]] == ["here"]
    assert first["sentences"] == [["See", "here", "."]]
    assert post["author"] == "Ann"
