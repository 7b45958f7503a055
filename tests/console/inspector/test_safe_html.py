import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import hostile
from tests.console.inspector.hostile_pages import hostile_pages
from threadmill.console.inspector.page_layers import LayerName, read_layers
from threadmill.console.inspector.safe_html import safe_style_sheet, write_safe_page
from threadmill.page.parse.tree import parse

NOW = datetime(2024, 6, 1, tzinfo=UTC)
_TAG = re.compile(r"<([a-z0-9]+)((?: [a-z-]+=\"[^\"<>]*\")*)>|</[a-z0-9]+>|<!doctype html>")
_ATTRIBUTES = """
    align alt bgcolor border cellpadding cellspacing class clear color colspan data-tm dir face height id lang
    nowrap reversed rowspan size span start style title type valign width
"""
_FORBIDDEN = {"script", "iframe", "object", "embed", "form", "input", "base", "link", "meta", "svg", "img"}


def shown(html: bytes) -> str:
    tree = parse(html, "https://forum.example.org/t/1")
    found = read_layers(tree, NOW)
    return write_safe_page(tree.document, found.marks, list(LayerName), picture=lambda _: None)


def check_harmless(page: str) -> None:
    """Every "<" begins a tag that we write, with attributes that we write. Style sheets load nothing."""
    body = page[page.index("<body>") :]
    assert len(re.findall("<", body)) == len(_TAG.findall(body))
    for name, attributes in _TAG.findall(body):
        assert name not in _FORBIDDEN
        for key, value in re.findall(r" ([a-z-]+)=\"([^\"]*)\"", attributes):
            assert key in _ATTRIBUTES.split(), key
            assert key != "style" or "url(" not in value
    for style in re.findall("<style>(.*?)</style>", page, re.DOTALL):
        assert not re.search(r"url\s*\(|@import|expression", style)


def test_there_are_fifty_hostile_pages() -> None:
    assert len(hostile_pages()) >= 50


@pytest.mark.parametrize("html", hostile_pages())
def test_nothing_that_runs_or_loads_is_written(html: bytes) -> None:
    check_harmless(shown(html))


def test_the_words_and_the_look_of_a_page_stay() -> None:
    page = shown(
        b"<style>.a{color:red}</style><h1 class=a>Tides &lt; 3</h1><p style='color:blue'>Low <b>water</b>"
    )
    assert "color:red" in page
    assert ">Tides &lt; 3</span></h1>" in page
    assert 'style="color:blue"' in page
    assert "water" in page


def test_links_lose_their_target_and_pictures_their_source() -> None:
    page = shown(b"<a href=https://a.example/>there</a><img src=https://a.example/x.png alt='a boat'>")
    assert "https://a.example/" not in page.replace('title="https://a.example/"', "")
    assert "a boat" in page


def test_an_archived_picture_is_shown() -> None:
    tree = parse(b"<img src=x.png alt=boat>", "https://a.example/")
    page = write_safe_page(tree.document, {}, [], picture=lambda source: f"data:image/png;base64,{source}")
    assert 'src="data:image/png;base64,x.png"' in page


def test_only_the_chosen_layers_are_marked() -> None:
    tree = parse(hostile_pages()[0], "https://forum.example.org/t/1")
    found = read_layers(tree, NOW)
    assert "tm-posts-post" in write_safe_page(tree.document, found.marks, [LayerName.POSTS])
    assert 'tm-posts-post"' not in write_safe_page(tree.document, found.marks, [LayerName.DATES])


def test_style_sheets_lose_what_loads_and_keep_the_rest() -> None:
    text = safe_style_sheet("a{color:red;background:url(x);margin:0}@import 'y';b{c:\\75 rl(z)}p{top:1px}")
    assert "color:red" in text
    assert "p{top:1px}" in text
    assert "url" not in text
    assert "import" not in text


@given(st.text(alphabet="<>\"'=/ abscriptonlad!-&;{}", max_size=200))
def test_no_text_becomes_markup(text: str) -> None:
    tree = parse(text, "")
    check_harmless(write_safe_page(tree.document, {}, []))


@pytest.mark.parametrize("name", ["20,000 nested divs", "tag soup"])
def test_pages_that_bring_others_down_are_shown(name: str) -> None:
    made = {key: make for key, make in hostile.GENERATORS.items() if key == name}
    for make in made.values():
        check_harmless(shown(make()))
    deep = b"<div>" * 20_000 + b"<p>The end"
    assert "The end" in shown(deep)
