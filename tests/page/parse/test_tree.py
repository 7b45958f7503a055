import pytest

from threadmill.page.parse.tree import parse

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
