import random
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from threadmill.corpus.build.corpus_options import CorpusOptions
from threadmill.corpus.build.documents import Document, Passage, Span, canonical
from threadmill.corpus.build.page_to_corpus import Assembler, PageConverter, is_binary
from threadmill.corpus.build.stored_threads import to_corpus_post
from threadmill.corpus.text.sentences import SentenceSplitter
from threadmill.types import Capture, Link, Metadata, Page, Paragraph, ParagraphClass, Post, Quote


def linked(text: str, *links: Link) -> list[tuple[str, list[str]]]:
    passage = Assembler().passage(text, "en", links)
    assert passage is not None
    forms = [token.form for token in passage.tokens]
    return [(span.kind, forms[span.start : span.end]) for span in passage.spans]


def test_a_link_covers_the_tokens_of_its_text() -> None:
    text = "See the big house, please."
    assert linked(text, Link("http://x.org/", "big house", 8, 17)) == [("link", ["big", "house"])]


def test_an_image_is_a_token_where_it_stands() -> None:
    text = "Look here. Nice."
    passage = Assembler().passage(text, "en", [Link("http://x.org/i.png", "", 4, 4, "image")])
    assert passage is not None
    assert [token.form for token in passage.tokens][:3] == ["Look", "__IMG__", "here"]
    assert passage.text.replace("__IMG__ ", "") == text


def test_a_linked_image_has_both() -> None:
    found = linked("A b", Link("http://x.org/", "", 1, 1), Link("http://x.org/i.png", "", 1, 1, "image"))
    assert found == [("image", ["__IMG__"]), ("link", ["__IMG__"])]


def test_an_image_without_text_is_a_passage() -> None:
    assert linked("", Link("http://x.org/i.png", "", 0, 0, "image")) == [("image", ["__IMG__"])]


def test_offsets_survive_the_cleaning_of_the_text() -> None:
    text = "  See\u00a0 the\n e\u0301te\u0301 \x07now"
    start = text.index("e\u0301")
    assert linked(text, Link("http://x.org/", "", start, start + 5)) == [("link", ["été"])]


LINKS = st.lists(
    st.builds(Link, st.just("http://x.org/"), st.just(""), st.integers(0, 30), st.integers(0, 30), st.sampled_from(["link", "image"])),  # noqa: E501
    max_size=5,
)  # fmt: skip


@settings(deadline=None, max_examples=60)
@given(text=st.text(max_size=30), links=LINKS)
def test_what_is_assembled_needs_no_further_cleaning(text: str, links: list[Link]) -> None:
    inside = [link for link in links if link.start <= link.end <= len(text)]
    paragraph = Paragraph(text, "p", "", tuple(inside))
    page = Page("http://x.org/", (paragraph,), "en", metadata=Metadata(title=text))
    document = Assembler(metadata=True).page(page)
    literal = "__IMG__" in text
    assert literal or canonical(document) == _with_tokens(document)


def _with_tokens(document: Document) -> Document:
    children = tuple(Passage(p.sentences, p.spans) for p in document.passages())
    head = document.head and Passage(document.head.sentences, document.head.spans)
    return Document(document.attributes, children, head)


def test_bad_paragraphs_stay_out_and_the_head_is_the_title() -> None:
    good = Paragraph("Good text.", "p", "")
    bad = Paragraph("Menu", "li", "", verdict=ParagraphClass.BAD)
    document = Assembler().page(Page("http://x.org/", (bad, good), "en", metadata=Metadata(title="A title")))
    assert [passage.text for passage in document.passages()] == ["Good text."]
    assert document.head is not None
    assert document.head.text == document.attribute("title") == "A title"
    assert document.attribute("lang") == "en"


def test_posts_are_sections_with_their_quotes_marked() -> None:
    post = Post("My answer.\nSecond line.", "", author="Ann", quotes=(Quote("Your question?", "Bob"),))
    document: Document = Assembler().thread(Page("http://x.org/t", (), "en"), [to_corpus_post(post)])
    [section] = document.children
    assert section.attributes == (("author", "Ann"),)
    assert [passage.text for passage in document.passages()] == [
        "Your question?",
        "My answer.",
        "Second line.",
    ]


PAGE = "<html><body><p>Привет, мир. 你好世界. Hello, world.</p></body></html>"
PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000100000001008060000001ff3ff61")
GIF = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,"


@pytest.mark.parametrize("payload", [PNG, GIF, b"%PDF-1.4\n%text", random.Random(1).randbytes(5000)])
def test_pictures_documents_and_noise_are_no_pages(payload: bytes) -> None:
    assert is_binary(payload)


@pytest.mark.parametrize("coding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "gb18030"])
def test_pages_in_any_coding_are_pages(coding: str) -> None:
    assert not is_binary(PAGE.encode(coding))


@pytest.mark.parametrize(
    "payload",
    [b"", b"plain text", b"\x00" * 50 + PAGE.encode(), b"\x01<\x02t\x03".join([b""] * 9) + b"<Table>"],
)
def test_a_page_with_some_noise_is_still_a_page(payload: bytes) -> None:
    assert not is_binary(payload)


TEXT = "The old mill stood at the end of the village, and nobody had lived there for many years."


def capture(text: str) -> Capture:
    page = f"<html lang=en><title>Mill</title><article><p>{TEXT}</p><p>{text} {TEXT}</p></article>".encode()
    at = datetime(2020, 1, 1, tzinfo=UTC)
    headers = (("Content-Type", "text/html"), ("Server", "x"))
    return Capture(f"http://x.org/{text}", at, 200, headers, page)


def test_a_page_gives_the_same_alone_and_among_others() -> None:
    captures = [capture(text) for text in ("One.", "两个。句子。", "Three <a href=/>links</a>.", "Четыре!")]
    verticaliser = PageConverter(CorpusOptions())
    alone = [text for one in captures for text in verticaliser.batch([one]).texts]
    assert verticaliser.batch(captures).texts == alone
    assert len(alone) == 4


def test_a_page_that_cannot_be_cut_is_counted_and_loses_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_all = SentenceSplitter.cut_all

    def cut_all_but_one(splitter: SentenceSplitter, texts: Sequence[str]) -> list[str]:
        if any("Poison" in text for text in texts):
            raise RecursionError
        return cut_all(splitter, texts)

    monkeypatch.setattr(SentenceSplitter, "cut_all", cut_all_but_one)
    found = PageConverter(CorpusOptions()).batch([capture(text) for text in ("Milk.", "Poison.", "Tea.")])
    assert [text.partition("url=")[2][:18] for text in found.texts] == [
        '"http://x.org/Milk',
        '"http://x.org/Tea.',
    ]
    assert found.reasons == {"failed with RecursionError": 1}


@pytest.mark.parametrize(
    ("text", "language", "script"),
    [
        ("這裡的人們說國語。", "zh", "Hant"),
        ("这里的人们说国语。", "zh", "Hans"),
        ("東京は國です。", "ja", None),
    ],
)
def test_a_chinese_document_tells_its_script(text: str, language: str, script: str | None) -> None:
    page = Page("http://x.org/", (Paragraph(text, "p", ""),), language)
    assert dict(Assembler().page(page).attributes).get("script") == script


def test_the_language_that_was_not_used_for_longest_is_forgotten_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = []

    def make(language: str) -> SentenceSplitter:
        made.append(language)
        return SentenceSplitter(language)

    monkeypatch.setattr("threadmill.corpus.build.page_to_corpus.SentenceSplitter", make)
    monkeypatch.setattr("threadmill.corpus.build.page_to_corpus._MOST_SPLITTERS", 2)
    assembler = Assembler()
    for language in ("en", "de", "en", "fr", "en", "de"):
        assembler.passage("A word.", language)
    assert made == ["en", "de", "fr", "de"]


@pytest.mark.parametrize("tags", [False, True])
def test_clitics_are_positions_and_links_keep_their_words(tags: bool) -> None:
    if tags:
        pytest.importorskip("simplemma", reason="tags need simplemma: pip install '.[lemma]'")
    assembler = Assembler(clitics=True, tags=tags)
    text = "לפני שניתנת מנת פלזמה"
    passage = assembler.passage(text, "he", [Link("http://x.org/", "שניתנת מנת", 5, 15)])
    assert passage is not None
    assert [token.form for token in passage.tokens] == ["לפני", "ש", "ניתנת", "מנת", "פלזמה"]
    assert passage.spans == (Span("http://x.org/", 1, 4),)
    assert passage.text == text
    assert not tags or passage.tokens[1].tag == "SCONJ"
