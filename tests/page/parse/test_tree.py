from __future__ import annotations

import codecs
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.page.parse.tree import choose_encoding, close_empty_elements, close_title, parse

TEXTS = {
    "ru": "Сегодня в лесу было тихо, и никто не ждал гостей до самого вечера. ",
    "cs": "Příliš žluťoučký kůň úpěl ďábelské ódy, a nikdo nečekal hosty až do večera. ",
    "fr": "Ça été très agréable, l'hôtel était près de la forêt où personne n'attendait. ",
    "de": "Über die Straße liefen müde Gänse, während größere Vögel im Süden blieben. ",
    "el": "Σήμερα στο δάσος ήταν ήσυχα και κανείς δεν περίμενε επισκέπτες μέχρι το βράδυ. ",
    "zh": "今天森林里很安静，没有人等待客人直到晚上。我们在河边走了很久。",
    "ja": "今日は森はとても静かで、夕方まで誰も客を待っていませんでした。",
    "ko": "오늘 숲은 조용했고 저녁까지 아무도 손님을 기다리지 않았다. ",
}
REAL = [
    *(("ru", "cp1251"), ("ru", "koi8-r"), ("cs", "cp1250"), ("fr", "cp1252"), ("de", "cp1252")),
    *(("el", "cp1253"), ("zh", "gbk"), ("ja", "shift_jis"), ("ja", "euc-jp"), ("ko", "euc-kr")),
    *((language, "utf-8") for language in TEXTS),
]


def page(language: str, encoding: str, meta: str = "") -> bytes:
    declared = f'<meta http-equiv="Content-Type" content="text/html; charset={meta}">' if meta else ""
    return f"<html><head>{declared}<title>x</title></head><body><p>{TEXTS[language] * 4}".encode(encoding)


def reads(body: bytes, content_type: str, language: str) -> bool:
    return TEXTS[language].strip() in parse(body, content_type=content_type).document.text


HEADERS = ["", "; charset=utf-8", "; charset=iso-8859-1", "; charset=no-such-thing"]
CASES = [
    (language, encoding, header, meta)
    for language, encoding in REAL
    for header in HEADERS
    for meta in ("", "utf-8", encoding)
    # Latin-1 or Latin-2: letters of one script, so that a header is believed where nothing contradicts it.
    if not (encoding == "cp1250" and header == HEADERS[2] and meta != encoding)
]


@pytest.mark.parametrize(("language", "encoding", "header", "meta"), CASES)
def test_a_page_is_read_whatever_it_says_of_itself(
    language: str, encoding: str, header: str, meta: str
) -> None:
    assert reads(page(language, encoding, meta), f"text/html{header}", language)


def test_some_broken_bytes_do_not_make_utf8_another_encoding() -> None:
    body = page("ru", "utf-8") + b"it\x92s \xff"
    assert choose_encoding(body, "text/html; charset=utf-8")[0] == "utf-8"


def test_a_page_cut_in_the_midst_of_a_character_is_still_utf8() -> None:
    assert choose_encoding(page("ru", "utf-8")[:-1] + b"\xd0")[0] == "utf-8"


def test_a_little_that_happens_to_be_utf8_does_not_outweigh_the_header() -> None:
    assert choose_encoding("<p>联通".encode("gbk"), "text/html; charset=gbk")[0] == "gbk"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_is_told_by_its_mark_or_its_header(encoding: str) -> None:
    mark = "\ufeff".encode(encoding)
    assert reads(mark + page("ru", encoding), "text/html", "ru")
    assert reads(page("ru", encoding), f"text/html; charset={encoding[:-3]}{encoding[-2:]}", "ru")


@given(st.binary(max_size=200), st.text(max_size=30))
def test_any_bytes_and_any_header_are_judged(body: bytes, header: str) -> None:
    parse(body, content_type=f"text/html; charset={header}")
    parse(b"<meta charset=" + body, content_type=header)


@pytest.mark.parametrize("name", ["l1{", "utf-8}", "windows-1251-", "(latin1)", "l1:"])
def test_a_name_with_signs_that_names_do_not_have_is_none(name: str) -> None:
    assert choose_encoding(b"", f"text/html; charset={name}") == (None, None)
    parse(b"<p>abc", content_type=f"text/html; charset={name}")


@given(st.text(max_size=100))
def test_utf8_reads_as_it_was_written(text: str) -> None:
    body = text.encode("utf-8", "ignore")
    label, read = choose_encoding(body, "text/html; charset=utf-8")
    assert (label, read) == ("utf-8", body.decode()) or body.startswith(codecs.BOM_UTF8)


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


@pytest.mark.parametrize("kind", [str, str.encode])
@pytest.mark.parametrize(
    "page",
    [
        "<html><head><TITLE>High water\n<script>var a = '</script>';</script></head><body><p>Text.",
        "<title>High water <div>Text.</div>" + "<hr>" * 4_000 + "<svg><title>wave</title></svg>",
    ],
)
def test_a_title_that_was_left_open_does_not_swallow_the_page(page: str, kind: Callable[[str], Any]) -> None:
    document = parse(kind(page)).document
    title = document.find("title")
    assert title is not None
    assert title.text.strip() == "High water"
    assert "Text." in document.text


@pytest.mark.parametrize(
    "page",
    [
        "<title>Tags: <b> and <i></title><body><p>Text.",
        "<title>Cut in its titl",
        "<p>No title",
        "<TITLE>Upper case</TITLE><body>" + "x" * 20_000,
        "<body><svg><title>wave</title></svg>",
    ],
)
def test_titles_that_are_closed_stay(page: str) -> None:
    assert close_title(page) == page
    assert close_title(page.encode()) == page.encode()
