"""Constructs of GFM go from HTML to Markdown, and a Markdown library turns them into the same HTML again."""

import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from turbohtml import Element, Text

from threadmill import clean
from threadmill.page.clean import LazyPage
from threadmill.page.parse.tree import parse
from threadmill.page.structure import StructureOptions
from threadmill.page.structured_formats import write_page

URL = "https://example.org/a/b"
GFM = MarkdownIt("commonmark").enable(["table", "strikethrough"])

CONSTRUCTS = [
    *(f"<h{i}>Heading {i}</h{i}>" for i in range(1, 7)),
    "<p>One paragraph.</p>",
    "<p>One.</p><p>Two.</p>",
    "<p>One<br>two</p>",
    "<p>a <strong>bold</strong> word</p>",
    "<p>an <em>italic</em> word</p>",
    "<p><strong>bold <em>and italic</em></strong></p>",
    "<p><em>italic <strong>and bold</strong></em></p>",
    "<p>a <del>deleted</del> word</p>",
    "<p>some <code>code</code> here</p>",
    "<p>a tick <code>a`b</code> inside</p>",
    "<p><code>`a`</code></p>",
    '<p>a <a href="https://example.org/x">link</a> here</p>',
    '<p><a href="https://example.org/x">a <strong>bold</strong> link</a></p>',
    '<p><strong><a href="https://example.org/x">linked</a></strong></p>',
    '<p><a href="https://example.org/x_(y)">brackets</a></p>',
    '<p><a href="https://example.org/x">[brackets]</a></p>',
    '<p>see <img src="https://example.org/a.png" alt="a boat"> there</p>',
    '<p><a href="https://example.org/x"><img src="https://example.org/a.png" alt="boat"></a> text</p>',
    "<ul><li>one</li><li>two</li></ul>",
    "<ol><li>one</li><li>two</li></ol>",
    '<ol start="7"><li>seven</li><li>eight</li></ol>',
    "<ul><li>one<ul><li>inner</li><li>other</li></ul></li><li>two</li></ul>",
    "<ol><li>one<ol><li>inner</li></ol></li><li>two</li></ol>",
    "<ul><li>one<ol><li>inner</li></ol></li></ul>",
    "<ol><li>one<ul><li>inner<ul><li>deep</li></ul></li></ul></li></ol>",
    "<ul><li><p>one</p></li><li><p>two</p></li></ul>",
    "<ul><li><p>one</p><p>more</p></li><li><p>two</p></li></ul>",
    "<ul><li><p>one</p><pre><code>code\n</code></pre></li></ul>",
    "<ul><li><strong>bold</strong> item</li></ul>",
    '<ul><li><a href="https://example.org/x">link</a></li></ul>',
    "<ul><li><code>code</code></li></ul>",
    "<blockquote><p>quoted</p></blockquote>",
    "<blockquote><p>one</p><p>two</p></blockquote>",
    "<blockquote><blockquote><p>deep</p></blockquote></blockquote>",
    "<blockquote><ul><li>one</li></ul></blockquote>",
    "<blockquote><h2>Heading</h2><p>text</p></blockquote>",
    "<ul><li><blockquote><p>quoted</p></blockquote></li></ul>",
    "<pre><code>one\n  two\n\nthree\n</code></pre>",
    '<pre><code class="language-python">x = 1\n</code></pre>',
    "<pre><code>```\n</code></pre>",
    "<pre><code>&lt;b&gt; &amp;amp;\n</code></pre>",
    "<p>before</p><hr><p>after</p>",
    "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
    "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr>"
    "<tr><td>3</td><td>4</td></tr></tbody></table>",
    "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><strong>1</strong></td>"
    "<td><code>2</code></td></tr></tbody></table>",
    "<table><thead><tr><th>a</th><th>b|c</th></tr></thead><tbody><tr><td>1</td><td>x</td></tr></tbody></table>",
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><a href="https://example.org/x">l</a>'
    "</td>"
    "<td>2</td></tr></tbody></table>",
    "<p>2 * 3 * 4</p>",
    "<p>snake_case_name</p>",
    "<p># no heading</p>",
    "<p>- no item</p>",
    "<p>+ no item</p>",
    "<p>1. no item</p>",
    "<p>12) no item</p>",
    "<p>&gt; no quote</p>",
    "<p>a [b](c) d</p>",
    "<p>![no](image)</p>",
    "<p>&lt;b&gt; as text</p>",
    "<p>&amp;copy; as text</p>",
    "<p>a \\ backslash</p>",
    "<p>``` no fence</p>",
    "<p>~~not deleted~~</p>",
    "<p>a | b</p>",
    "<h2>A <em>fine</em> heading</h2>",
    '<h2><a href="https://example.org/x">Linked</a> heading</h2>',
    "<p>=== line</p>",
]


def events(html: str) -> list[str]:
    """Elements and words of HTML in their order; what has no structure is passed over."""
    found: list[str] = []

    def visit(node: Element, *, is_code: bool) -> None:
        for child in node.children:
            if isinstance(child, Text):
                found.extend(child.data.strip("\n").split("\n") if is_code else child.data.split())
            elif isinstance(child, Element):
                tag = "del" if child.tag == "s" else child.tag  # both mean struck text
                shown = " ".join(child.attr(name) or "" for name in ("href", "src", "alt", "start", "class"))
                found.append(f"<{tag} {shown.strip()}>".replace("%28", "(").replace("%29", ")"))
                visit(child, is_code=is_code or child.tag == "pre")
                found.append(f"</{tag}>")

    body = parse(html, URL).document.find("body")
    assert body is not None
    visit(body, is_code=False)
    return found


def rendered(html: str, name: str = "markdown", **options: bool) -> str:
    page = clean(html, URL, method="everything")
    assert isinstance(page, LazyPage)
    return write_page(page, name, StructureOptions(**options))


@pytest.mark.parametrize("html", CONSTRUCTS)
def test_markdown_means_the_same_structure(html: str) -> None:
    assert events(GFM.render(rendered(html))) == events(html)


def test_there_are_sixty_constructs() -> None:
    assert len(set(CONSTRUCTS)) >= 60


@pytest.mark.parametrize("html", CONSTRUCTS)
def test_html_keeps_the_structure(html: str) -> None:
    frame = re.compile(r"</?t(?:head|body) ?>")
    mine, theirs = (
        [e for e in events(text) if not frame.fullmatch(e)] for text in (rendered(html, "html"), html)
    )
    assert mine == theirs


TABLE = "<p>text</p><table><tr><th>a<th>b<tr><td>1<td>2</table>"


def test_tables_links_and_images_are_left_out_on_request() -> None:
    assert rendered(TABLE, tables=False) == "text"
    assert rendered("<p>a <a href=/x>link</a></p>", links=False) == "a link"
    assert rendered("<p>a <img src=/x.png alt=boat></p>", images=False) == "a"


def test_framing_is_not_in_the_structure() -> None:
    story = "<p>" + "The tide was late at the pier today, as everybody said. " * 8 + "</p>"
    menu = "<nav><ul><li><a href=/>Home</a><li><a href=/x>Map</a></ul></nav>"
    html = f"{menu}<article><h1>Tides</h1>{story}</article>"
    page = clean(html, URL)
    assert isinstance(page, LazyPage)
    assert write_page(page, "markdown", StructureOptions()).startswith("# Tides\n\nThe tide was late")


def test_tei_is_valid() -> None:
    etree = pytest.importorskip("lxml.etree", reason="lxml is not installed")
    trafilatura = pytest.importorskip(
        "trafilatura", reason="trafilatura, which ships a schema of TEI, is missing"
    )
    schema = etree.DTD(str(Path(trafilatura.__file__).parent / "data" / "tei_corpus.dtd"))
    # This schema leaves out TEI's module for tables; the next test looks at them.
    constructs = [html for html in CONSTRUCTS if "<table" not in html]
    html = "<title>T &amp; U</title><meta name=author content='Ada Berg'>" + "".join(constructs)
    document = etree.fromstring(rendered(html, "tei").encode())
    assert schema.validate(document), schema.error_log.filter_from_errors()[:5]


def test_tables_of_tei_have_rows_and_cells() -> None:
    assert '<table><row><cell role="label">a</cell>' in rendered(TABLE, "tei").replace("\n", "")


def test_xml_is_well_formed_though_the_page_has_forbidden_characters() -> None:
    etree = pytest.importorskip("lxml.etree", reason="lxml is not installed")
    root = etree.fromstring(rendered("<title>a\x0cb</title><p>one\x0btwo &amp; three</p>", "xml"))
    assert root.tag == "doc"
