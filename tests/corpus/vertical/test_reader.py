import importlib.util
from pathlib import Path

import pytest
from hypothesis import given, settings

from threadmill.corpus.build.documents import Document, Passage
from threadmill.corpus.vertical import DIALECTS, Writer, dialect, read
from threadmill.errors import VerticalError
from threadmill.types import Token

_spec = importlib.util.spec_from_file_location("corpus_documents", Path(__file__).parents[1] / "documents.py")
assert _spec is not None
assert _spec.loader is not None
_module = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_module)
documents = _module.documents
TOKENS = _module.TOKENS

TAGGED = ("word", "lemma", "tag")


def without_bars(text: str) -> str:
    return text.replace("|", "¦")


def through(document: Document, name: str, columns: tuple[str, ...] = ("word",)) -> list[Document]:
    text = Writer(dialect(name), columns).write(document)
    return list(read(text.split("\n")[:-1], dialect(name), columns))


@pytest.mark.parametrize("name", ["sketch", "cwb"])
@settings(deadline=None, max_examples=60)
@given(document=documents())
def test_what_was_written_is_read_back(name: str, document: Document) -> None:
    assert through(document, name) == [document]


@pytest.mark.parametrize("name", ["sketch", "cwb"])
@settings(deadline=None, max_examples=60)
@given(document=documents(TOKENS))
def test_lemma_and_tag_are_read_back(name: str, document: Document) -> None:
    assert through(document, name, TAGGED) == [document]


def test_a_single_column_after_the_word_is_read_back() -> None:
    document = Document((("title", ""), ("url", "")), (Passage(((Token("mills", True, None, "NOUN"),),)),))
    assert through(document, "sketch", ("word", "tag")) == [document]


@settings(deadline=None, max_examples=60)
@given(document=documents(TOKENS))
def test_knot_is_read_back_but_for_the_bar_that_it_forbids(document: Document) -> None:
    [found] = through(document, "knot", TAGGED)
    assert repr(found) == without_bars(repr(document))
    assert through(found, "knot", TAGGED) == [found]


@settings(deadline=None, max_examples=60)
@given(document=documents(TOKENS))
def test_knot_and_sketch_lose_nothing_against_each_other(document: Document) -> None:
    [knot] = through(document, "knot", TAGGED)
    [sketch] = through(knot, "sketch", TAGGED)
    assert through(sketch, "knot", TAGGED) == [knot]
    assert sketch == knot


@pytest.mark.parametrize("lines", [["word"], ["<p>"], ["<doc>", "</p>"]])
def test_a_position_or_tag_in_the_wrong_place_is_an_error_with_its_line(lines: list[str]) -> None:
    with pytest.raises(VerticalError, match=f"line {len(lines)}"):
        list(read(lines, DIALECTS["sketch"]))
