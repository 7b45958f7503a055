"""What is compiled gives the same as its twin in Python, on real shapes, random markup and hostile pages."""

import random
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from typing import Any

import pytest

from tests.hostile import GENERATORS
from tests.implementations import python_only
from threadmill.page import clean as on_demand
from threadmill.page.blocks.cutting import JUSTEXT, READER, Cut, CuttingRules, cut
from threadmill.page.clean import CleanedPage, PageInput, clean_pages
from threadmill.page.judge.clean_settings import CleanMethod, CleanSettings
from threadmill.page.parse import hidden as hiding
from threadmill.page.parse import tree
from threadmill.page.parse.hidden import hidden_elements
from threadmill.page.parse.link_targets import LinkResolver
from threadmill.page.parse.tree import parse
from threadmill.types import Page, ParagraphClass

_NAMES = """
    div p span a br br img ul li table tr td pre b i script style template svg path noscript xmp textarea
    select option button hr form h1 h2 blockquote figcaption my-el iframe math mi col head body html frameset
"""
_TAGS = _NAMES.split()
_ATTRIBUTES = (
    "", "", ' class="a b"', " hidden", ' style="display:none"', ' href="x&amp;y"', ' href="/a"', ' href="#b"',
    ' src="i.png" alt="an  image"', " id=q", " role=nav", ' src="data:x"', ' data-src="k"',
    ' class="x Post-AUTHOR byline"', ' class="datümMeta авторDatum"', " id=Date1", ' class="a username"',
    " rel=Author", ' itemprop="author name"', " itemprop=datePublished datetime=2011-03-04", ' rel="tag x"',
    " itemscope itemtype=/Article", " href=/author/x",
)  # fmt: skip
_TEXTS = (
    "word", "two words", " ", "\n  ", "a&amp;b", "&nbsp;", " x ", "<!-- c <b> -->", "\u3000", "café …",
    "x\n\ny", "&lt;p&gt;", "1 < 2", "\x00", "\ud800", "\u0130 ΟΔΟΣ", "😀",
    "by Anna Smith", "Author:", "Jo Lee", "5 Sep 2005", "٢٠٠٥", "Meta", "dat",
    "das ist der Text und er ist hier für die Leser",
    "<my-el><template shadowrootmode=open><p>shadow</p></template>light</my-el>",
    "<script><!-- <script> </script> --></script>",
)  # fmt: skip


def _markup(chance: random.Random) -> str:
    parts = []
    for _ in range(chance.randrange(3, 60)):
        kind, tag = chance.random(), chance.choice(_TAGS)
        if kind < 0.45:
            parts.append(f"<{tag}{chance.choice(_ATTRIBUTES)}>")
        else:
            parts.append(f"</{tag}>" if kind < 0.7 else chance.choice(_TEXTS))
    return "".join(parts)


def _pages() -> Iterator[str | bytes]:
    chance = random.Random(7)
    for _ in range(600):
        yield _markup(chance)
    for generate in GENERATORS.values():
        yield generate()[:50_000]  # whole, and compiled, they are read in test_hostile.py


def _told(found: Cut) -> tuple[Any, ...]:
    blocks = [
        (b.tag, b.path, b.frame, b.heading, b.hidden, b.link_chars, b.text, len(b.nodes),
         [(a.target, a.start, a.end, a.kind, a.label) for a in b.anchors])
        for b in found.blocks
    ]  # fmt: skip
    frames = found.parents, found.elements, found.shapes, found.starts, found.ends
    return blocks, *frames, found.paths, found.tags, found.headings


@pytest.mark.parametrize("rules", [READER, JUSTEXT, replace(READER, keeps_nodes=True)])
def test_the_walk_gives_the_same_blocks_and_frames(rules: CuttingRules) -> None:
    for html in _pages():
        document = parse(html, "https://a.example/b").document
        hidden = hidden_elements(document) if rules is not JUSTEXT else {}
        compiled = _told(cut(document, rules, hidden))
        with python_only():
            assert _told(cut(document, rules, hidden)) == compiled


def _read(pages: list[str | bytes], settings: CleanSettings) -> list[Page | str]:
    found = clean_pages((PageInput(html, "https://a.example/b/c?d") for html in pages), settings)
    return [
        outcome.page.whole() if isinstance(outcome, CleanedPage) else repr(outcome.error)  # type: ignore[attr-defined]
        for outcome in found
    ]


@pytest.mark.parametrize("method", [CleanMethod.DEFAULT, CleanMethod.JUSTEXT])
def test_pages_are_read_the_same(method: CleanMethod) -> None:
    pages, settings = list(_pages()), CleanSettings(method=method)
    compiled = _read(pages, settings)
    with python_only():
        assert _read(pages, settings) == compiled


def test_self_closed_elements_are_found_where_the_pattern_finds_them() -> None:
    assert tree._COMPILED is not None
    chance = random.Random(11)
    parts = [
        b"<", b">", b"/", b"/>", b'"', b"'", b" ", b"\n", b"script", b"SCRIPT", b"style", b"ifrAme", b"title",
        b"xmp", b"a", b"b=1", b"</", b"</script", b"_", b"\x0b", b"\x1c", b"\xa0", b"<script", b"<iframe",
    ]  # fmt: skip
    found = 0
    for _ in range(20_000):
        page = b"".join(chance.choices(parts, k=chance.randrange(1, 14)))
        expected = tree._XML_SIGN.search(page) is not None
        assert tree._COMPILED.has_self_closed(page) == expected, page
        found += expected
    assert found > 100


def test_hiding_properties_are_found_where_python_finds_them() -> None:
    assert hiding._COMPILED is not None
    chance = random.Random(13)
    parts = [
        "display", "DISPLAY", "visibility", ":", ":", ":", " ", "\n", " " * 70, "none", "None", "hidden",
        "collapse",
        "h", "n", ";", "{", "}", ".a", "\u0130", "é", "\u2003", "\U0001f600",
    ]  # fmt: skip
    found = 0
    for _ in range(20_000):
        sheet = "".join(chance.choices(parts, k=chance.randrange(1, 14)))
        expected = hiding._all_hiding_places(sheet)
        assert hiding._COMPILED.hiding_places(sheet) == expected, sheet
        found += bool(expected)
    assert found > 100


def test_links_lead_where_python_says_they_lead() -> None:
    assert on_demand._COMPILED is not None
    chance = random.Random(17)
    parts = [
        "a", "b.html", "/", ".", "..", "?", "#", "x=1", "&", ":", ";", " ", "http://", "https://", "HTTP://",
        "é", "mailto:", "//", "h", "0", "\n", "%20", "\x1c", "~",
    ]  # fmt: skip
    bases = ["https://a.example/b/c?d=e#f", "https://a.example", "", "http://[", "file:///x/y"]
    for _ in range(5_000):
        target = escape("".join(chance.choices(parts, k=chance.randrange(6))))
        base = chance.choice(bases)
        (block,) = cut(parse(f'<p><a href="{target}">word</a>').document).blocks
        judged, resolver = [(ParagraphClass.GOOD, "content")], LinkResolver(base)
        (made,) = on_demand._COMPILED.paragraphs([block], judged, None, resolver, "", None, None)
        assert made.links[0].url == LinkResolver(base).absolute(block.anchors[0].target)
