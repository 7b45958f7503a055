import pytest

from threadmill.template.apply.page_source import decode_exactly, element_spans, text_spans


@pytest.mark.parametrize(
    ("html", "codec"),
    [
        ("<p>grüße</p>".encode(), "utf-8"),
        ('<meta charset="windows-1252"><p>grüße</p>'.encode("cp1252"), "cp1252"),
        (b"<p>\xff\xfe broken \xc3</p>", "latin-1"),
        ("\ufeff<p>x</p>".encode("utf-16-le"), "utf-16-le"),
    ],
)
def test_the_text_encodes_to_exactly_the_bytes(html: bytes, codec: str) -> None:
    source = decode_exactly(html)
    assert source.text.encode(source.codec) == html
    if codec != "latin-1":
        assert source.codec == codec


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<p>ä</p><b>x</b>", ["<p>ä</p>", "<b>x</b>"]),
        ("<p>a\r\nb</p>\r\n<b>x</b>", ["<p>a\r\nb</p>", "<b>x</b>"]),
        ("<p>ä\r\n<p>y\r\n<b>x</b>", ["<p>ä\r\n", "<b>x</b>"]),
        ("<p>ä<img src=x></p>", ["<p>ä<img src=x></p>", "<img src=x>"]),
    ],
)
def test_elements_are_found_in_the_bytes(html: str, wanted: list[str]) -> None:
    source = decode_exactly(html.encode())
    document = source.parse()
    elements = [next(document.iter_elements(["p"])), next(document.iter_elements(["b", "img"]))]
    spans = element_spans(source, elements)
    assert [source.html[start:end].decode() for start, end in spans] == wanted


def test_a_text_stands_between_the_tags_around_it() -> None:
    source = decode_exactly("<div><b>ä</b>one<i>x</i>two</div>".encode())
    div = next(source.parse().iter_elements(["div"]))
    texts = [child for child in div.children if not hasattr(child, "tag")]
    assert [source.html[start:end] for start, end in text_spans(source, texts)] == [b"one", b"two"]
