import pytest

from threadmill.page.parse.tree import close_empty_elements, parse

RUSSIAN = "Сегодня в лесу было тихо, и никто не ждал гостей до самого вечера."


@pytest.mark.parametrize(
    ("body", "content_type", "encoding"),
    [
        (RUSSIAN.encode("cp1251"), "text/html; charset=windows-1251", "windows-1251"),
        (b"<meta charset=koi8-r>" + RUSSIAN.encode("koi8-r"), "text/html", "KOI8-R"),
        (b"\xef\xbb\xbf" + RUSSIAN.encode(), "text/html; charset=latin1", "UTF-8"),
        (RUSSIAN.encode(), "text/html; charset=no-such-thing", "UTF-8"),
        (RUSSIAN.encode("cp1251") * 3, "text/html", "windows-1251"),
    ],
)
def test_a_page_is_read_in_the_encoding_it_is_in(body: bytes, content_type: str, encoding: str) -> None:
    tree = parse(b"<p>" + body if body[:1] != b"\xef" else body, content_type=content_type)
    assert tree.encoding.lower() == encoding.lower()
    assert RUSSIAN in tree.document.text


def test_text_needs_no_decoding() -> None:
    assert parse(f"<p>{RUSSIAN}").document.text == RUSSIAN


def test_an_iframe_closed_as_xml_does_not_swallow_the_page() -> None:
    page = b'<html><body><iframe src="x"/><i class="icon"/><p>All of it.</p></body></html>'
    assert "All of it." in parse(page).document.select_one("p").text  # type: ignore[union-attr]


@pytest.mark.parametrize("page", [b"<p>a<br/>b<img src='x'/></p>", b"<script src='x'></script><p/>", b""])
def test_html_is_left_alone(page: bytes) -> None:
    assert close_empty_elements(page) == page


@pytest.mark.parametrize("piece", [b'<iframe "', b"<iframe ", b"<script a='", b"<iframe / "])
def test_a_hostile_page_without_self_closed_elements_is_left_alone(piece: bytes) -> None:
    """A pattern that came back from each "<" would need hours for this."""
    assert close_empty_elements(piece * 50_000) == piece * 50_000


def test_all_self_closed_elements_of_a_long_page_are_closed() -> None:
    closed = close_empty_elements(b'<i/><iframe x="y"/>' * 50_000)
    assert closed == b'<i></i><iframe x="y"></iframe>' * 50_000
