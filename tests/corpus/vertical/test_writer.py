import pytest

from threadmill.corpus.build.documents import IMAGE, Document, Passage, Section, Span, canonical
from threadmill.corpus.vertical import Writer, dialect
from threadmill.types import Token

PASSAGE = Passage(((Token("AT&T", False), Token(","), Token("<p>")),), (Span("http://x.org/", 0, 2),))
REGISTERED = canonical(
    Document((("url", "http://x.org/"), ("title", "T")), (Section("post", (("author", "A"),), (PASSAGE,)),))
)


def written(name: str) -> tuple[str, Writer]:
    writer = Writer(dialect(name))
    return writer.write(REGISTERED), writer


HELLO = Passage(
    (
        (Token("Hello", False), Token(","), Token("big"), Token("world", False), Token("!")),
        (Token(IMAGE), Token("a|b")),
    ),
    (Span("http://x.org/a b", 2, 4), Span("http://x.org/i.png", 5, 6, "image")),
)
DOCUMENT = canonical(
    Document((("title", "Hello"), ("url", "http://x.org/")), (HELLO,), Passage(((Token("Hello"),),)))
)  # fmt: skip


def test_knot_is_the_table_of_its_source() -> None:
    assert Writer(dialect("knot")).write(DOCUMENT).split("\n") == [
        '<doc title="Hello" url="http://x.org/">', "<head>", "<s>", "Hello", "</s>", "</head>",
        "<p>", "<s>", "Hello", "<g/>", ",", "big", 'world\t<link="http://x.org/a%20b">\t<length=2>', "<g/>", "!", "</s>",  # noqa: E501
        "<s>", '__IMG__\t<link="http://x.org/i.png">\t<length=1>', "a¦b", "</s>", "</p>", "</doc>", "",
    ]  # fmt: skip


def test_sketch_has_links_as_structures() -> None:
    lines = Writer(dialect("sketch")).write(DOCUMENT).split("\n")
    assert lines[11:17] == ['<link url="http://x.org/a%20b">', "big", "world", "</link>", "<g/>", "!"]
    assert "a|b" in lines


@pytest.mark.parametrize(
    ("name", "form", "written"),
    [
        ("sketch", "<p>", "&lt;p>"), ("sketch", "<3", "<3"), ("sketch", "AT&T", "AT&T"), ("sketch", "&lt;p>", "&amp;lt;p>"),  # noqa: E501
        ("cwb", "<p>", "&lt;p&gt;"), ("cwb", "AT&T", "AT&amp;T"), ("knot", "</doc>", "&lt;/doc>"),
    ],
)  # fmt: skip
def test_a_form_that_looks_like_a_tag_opens_no_structure(name: str, form: str, written: str) -> None:
    assert dialect(name).write_form(form) == written
    assert dialect(name).read_form(written) == form


def test_a_value_with_double_quotes_goes_into_single_ones() -> None:
    document = canonical(Document((("title", 'a "b"'), ("note", 'it\'s "x"'))))
    assert (
        Writer(dialect("sketch"))
        .write(document)
        .startswith('<doc title=\'a "b"\' note="it\'s &quot;x&quot;">')
    )
    assert Writer(dialect("cwb")).write(document).startswith('<doc title="a &quot;b&quot;"')


@pytest.mark.parametrize("name", ["sketch", "cwb", "knot"])
@pytest.mark.parametrize("value", ['it\'s "x"', "&quot;", 'it\'s &quot; "x" &amp;quot;', "&amp;", '"', "'"])
def test_every_value_is_read_back_with_its_quotes(name: str, value: str) -> None:
    used = dialect(name)
    assert used.read_value(used.write_value(value)[1:-1]) == value


def test_many_quotes_leave_a_value_that_can_be_written() -> None:
    (_, value), *_ = canonical(Document((("title", "it's " + '"' * 5000),))).attributes
    assert len(dialect("sketch").write_value(value)) <= 4095 + 2


def test_posts_and_quotes_are_structures() -> None:
    post = Section("post", (("author", "Ann"),), (Section("quote", (), (HELLO,)), HELLO))
    writer = Writer(dialect("sketch"))
    lines = writer.write(canonical(Document((), (post,)))).split("\n")
    assert lines[1:4] == ['<post author="Ann">', "<quote>", "<p>"]
    assert list(writer.inventory.structures["post"]) == ["author"]


def test_values_and_names_fit_any_engine() -> None:
    document = canonical(Document((("Crawl-ID", "x" * 5000), ("9", "\x00a\nb"))))
    assert document.attributes[0] == ("crawl_id", "x" * 4095)
    assert document.attributes[1] == ("x9", "a b")
