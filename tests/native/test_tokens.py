"""What is compiled cuts, links and writes as Python does, whatever the text."""

from threading import Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.implementations import python_only
from threadmill.corpus.build import documents
from threadmill.corpus.build.documents import CutPassage, Document, Span
from threadmill.corpus.build.page_to_corpus import Assembler, DocumentDraft
from threadmill.corpus.text.delimited_text import to_text
from threadmill.corpus.text.sentences import SentenceSplitter
from threadmill.corpus.vertical import Writer, dialect
from threadmill.native.loader import load_extension
from threadmill.types import Link

compiled = load_extension("tokens")

# One language for each habit of spelling that the patterns know, and one without a table.
LANGUAGES = ["en", "de", "fr", "it", "hu", "cs", "hr", "ru", "fi", "tr", "ar", "zh", "mt", "ka", ""]
SIGNS = [
    *"abxXoeDIz0358.,;:!?()[]\"'`“”„«»‘’‹›-–—‐_/@#&+*=~$%|<>^\\…•·€°²½¿",
    *("re", "Dr", "z", "com", "www", "http", "html", "The", "the", "NATO", "XIV", "18", "777", "1234"),
    *("&#39;", "&quot;", ";.", "-.", ":?"),
    *("é", "ß", "İ", "Σ", "ς", "ǅ", "ж", "Ж", "ا", "؟", "क", "ि", "가", "ა", "Ⅷ", "ſ", "\u212a", "\ud800"),
    *("\u0301", "\u00ad", "\u200d", "\ufe0f", "😀", "𝒳", "中", "。", "！", "カ", "ひ", "ก", "็", "」"),
]
SPLITTERS = {language: SentenceSplitter(language) for language in LANGUAGES}


def _pure(language: str) -> SentenceSplitter:
    with python_only():
        return SentenceSplitter(language)


PURE = {language: _pure(language) for language in LANGUAGES}
PIECES = st.lists(st.sampled_from(SIGNS), min_size=1, max_size=8).map("".join)
PARAGRAPHS = st.lists(PIECES, max_size=12).map(" ".join)
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60).map(lambda text: " ".join(text.split()))


@pytest.mark.parametrize("language", LANGUAGES)
@settings(deadline=None, max_examples=150)
@given(texts=st.lists(PARAGRAPHS, min_size=1, max_size=4))
def test_pieces_of_common_signs_are_cut_as_python_cuts_them(language: str, texts: list[str]) -> None:
    assert SPLITTERS[language].cut_all(texts) == PURE[language].cut_all(texts)


@pytest.mark.parametrize("language", ["en", "fr", "zh", ""])
@settings(deadline=None, max_examples=150)
@given(texts=st.lists(ANY_TEXT, min_size=1, max_size=4))
def test_any_text_is_cut_as_python_cuts_it(language: str, texts: list[str]) -> None:
    assert SPLITTERS[language].cut_all(texts) == PURE[language].cut_all(texts)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 2100,
        "a," * 2000,
        "a. " * 3000 + "B",
        "…" * 5000 + ")",
        '"' * 5000,
        "x" * 1999 + ".",
        "中" * 3000 + " a。",
        "b " * 600_000 + "c",
    ],
)
def test_hostile_pieces_are_cut_as_python_cuts_them(text: str) -> None:
    text = " ".join(text.split())
    assert SPLITTERS["en"].cut_all([text, "Then."]) == PURE["en"].cut_all([text, "Then."])


def test_text_that_is_not_clean_is_left_to_python() -> None:
    for text in ("a\tb", "a\x1cb", "a\x1eb c", "\x1f"):
        assert SPLITTERS["en"].cut_all([text]) == PURE["en"].cut_all([text])


def test_every_character_is_in_lower_case_what_the_words_are_compared_with() -> None:
    """Only İ is more than one character then, and only Σ depends on its neighbours: both are asked about."""
    longer = [code for code in range(0x110000) if len(chr(code).lower()) > 1]
    assert longer == [0x130]
    for word in ("İstanbul", "ΟΔΟΣ", "ΣΑΣ.", "I. İ."):
        assert SPLITTERS["tr"].cut(f"{word} Ve") == PURE["tr"].cut(f"{word} Ve")


def test_threads_may_share_a_splitter() -> None:
    texts = ["Mr. Smith paid $5 (in cash) for well-known books, e.g. «it». 中文 is there。No?"] * 30
    expected = PURE["en"].cut_all(texts)
    found: list[bool] = []

    def cut() -> None:
        found.extend(SPLITTERS["en"].cut_all(texts) == expected for _ in range(30))

    threads = [Thread(target=cut) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 120


@settings(deadline=None, max_examples=300)
@given(texts=st.lists(st.text(st.characters(exclude_categories=()), max_size=20), max_size=4))
def test_texts_are_cleaned_as_python_cleans_them(texts: list[str]) -> None:
    assert compiled is not None
    assert compiled.clean_texts(texts) == documents.clean_texts(texts)


def test_every_character_is_as_clean_as_python_finds_it() -> None:
    assert compiled is not None
    texts = [f"a{chr(code)}b" for code in range(0x110000)]
    assert compiled.clean_texts(texts) == [documents.clean_text(text) for text in texts]


URLS = st.sampled_from(["http://a/b", "/x?y=1&z=2", "", "http://ä/|'\" <", "a\x1fb", "b" * 5000])
KINDS = st.sampled_from(["internal", "external", "image"])
LINKS = st.lists(st.tuples(URLS, st.just(""), st.integers(0, 40), st.integers(0, 40), KINDS), max_size=5)


@pytest.mark.parametrize("name", ["sketch", "cwb", "knot"])
@settings(deadline=None, max_examples=150)
@given(sources=st.lists(st.tuples(st.one_of(PARAGRAPHS, ANY_TEXT), LINKS), max_size=4))
def test_documents_and_their_lines_are_those_of_python(
    name: str, sources: list[tuple[str, list[tuple[str, str, int, int, str]]]]
) -> None:
    paragraphs = [(text, "en", [Link(*link) for link in links]) for text, links in sources]
    drafts = [DocumentDraft((("title", "T"),), [("T", "en", ()), *paragraphs])]
    found = Assembler().documents(drafts)
    lines = Writer(dialect(name))
    text = lines.write(found[0])
    with python_only():
        assert Assembler().documents(drafts) == found
        pure = Writer(dialect(name))
        assert pure.write(found[0]) == text
    assert pure.inventory == lines.inventory


@pytest.mark.parametrize("name", ["sketch", "cwb", "knot"])
@pytest.mark.parametrize(
    "passage",
    [
        CutPassage("a b", (Span("u", 0, 2), Span("v", 0, 2))),
        CutPassage("a b", (Span("u v", 0, 1),)),
        CutPassage("a\x1bb c", (Span("u", 1, 2),)),
        CutPassage("<g/> &lt; a<b &amp;lt;", (Span("u", 0, 1, "image"), Span("v", 0, 3))),
        CutPassage("a\x1d。\x1ec\x1f|", (Span("u|&", 1, 4),)),
    ],
)
def test_unusual_passages_are_written_as_python_writes_them(name: str, passage: CutPassage) -> None:
    document = Document((("title", "T"),), (passage, CutPassage("d")))
    found = Writer(dialect(name)).write(document)
    with python_only():
        assert Writer(dialect(name)).write(document) == found


@settings(deadline=None, max_examples=100)
@given(text=ANY_TEXT)
def test_nothing_of_a_text_is_lost(text: str) -> None:
    assert to_text(SPLITTERS["en"].cut(text)) == text
