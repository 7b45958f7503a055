from hypothesis import given, settings
from hypothesis import strategies as st

from threadmill.corpus.build.assembly import Assembler
from threadmill.corpus.build.documents import Document, Passage, canonical
from threadmill.corpus.build.stored_threads import to_corpus_post
from threadmill.types import Link, Metadata, Page, Paragraph, ParagraphClass, Post, Quote


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
