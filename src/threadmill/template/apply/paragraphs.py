"""A page's own bytes without its bad paragraphs, or with them coloured, with a site's framing as evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from turbohtml import Element, Node

from threadmill.page.blocks.cutting import Cut
from threadmill.page.clean import clean, cut_page
from threadmill.page.judge.clean_settings import CleanSettings
from threadmill.page.judge.judgement import Framing
from threadmill.page.judge.user_hooks import Hook
from threadmill.page.parse.tree import Tree
from threadmill.template.apply.framed_blocks import framing_blocks
from threadmill.template.apply.marking import mark, merge, remove
from threadmill.template.apply.source import Source, read_source
from threadmill.template.apply.spans import element_spans, text_spans
from threadmill.template.template import Template
from threadmill.types import Page, Paragraph, ParagraphClass

_WHOLE_PAGE = frozenset({"html", "body"})


def framing_of(template: Template) -> Callable[[Tree, Cut], Framing]:
    """What tells of a page that is cut which of its blocks are framing of its site."""
    return lambda tree, cutting: framing_blocks(template, tree.document, cutting)


def clean_with_template(
    tree: Tree,
    template: Template,
    settings: CleanSettings | None = None,
    *,
    hook: Hook | None = None,
    cutting: Cut | None = None,
) -> Page:
    """Read a page of a site whose framing is known."""
    settings = settings or CleanSettings()
    cutting = cutting or cut_page(tree, settings)
    framing = framing_of(template)(tree, cutting)
    return clean(tree, settings=settings, hook=hook, framing=framing, cutting=cutting)


def clean_html(
    html: bytes,
    url: str = "",
    settings: CleanSettings | None = None,
    *,
    marked: bool = False,
    content_type: str = "",
    hook: Hook | None = None,
    template: Template | None = None,
) -> bytes:
    """The page's own bytes without its bad paragraphs, or with them coloured; unmark() takes that off."""
    settings = settings or CleanSettings()
    source = read_source(html, content_type)
    tree = Tree(source.parse(), url, source.codec)
    cutting = cut_page(tree, settings, keeps_nodes=True)
    if template is None:
        page = clean(tree, settings=settings, hook=hook, cutting=cutting)
    else:
        page = clean_with_template(tree, template, settings, hook=hook, cutting=cutting)
    spans = merge(_bad_spans(source, cutting, page.paragraphs))
    return mark(html, spans) if marked else remove(html, spans)


def _bad_spans(source: Source, cutting: Cut, paragraphs: Sequence[Paragraph]) -> Iterator[tuple[int, int]]:
    good = [0]
    for paragraph in paragraphs:
        good.append(good[-1] + (paragraph.verdict is ParagraphClass.GOOD))
    # a frame without any block begins at -1 and is left as it is
    bad = [
        start >= 0 and good[end] == good[start]
        for start, end in zip(cutting.starts, cutting.ends, strict=True)
    ]
    yield from element_spans(source, _outermost(cutting, bad))
    yield from text_spans(source, _loose(cutting, paragraphs, bad))


def _outermost(cutting: Cut, bad: Sequence[bool]) -> Iterator[Element]:
    """The outermost elements all of whose blocks are bad."""
    for element, parent, is_bad in zip(cutting.elements, cutting.parents, bad, strict=True):
        covered = parent >= 0 and bad[parent] and cutting.elements[parent].tag not in _WHOLE_PAGE
        if is_bad and not covered and element.tag not in _WHOLE_PAGE:
            yield element


def _loose(cutting: Cut, paragraphs: Sequence[Paragraph], bad: Sequence[bool]) -> Iterator[Node]:
    """Texts of bad blocks that stand in an element beside good ones."""
    for block, paragraph in zip(cutting.blocks, paragraphs, strict=True):
        frame = block.frame
        alone = frame >= 0 and bad[frame] and cutting.elements[frame].tag not in _WHOLE_PAGE
        if paragraph.verdict is not ParagraphClass.GOOD and not alone:
            yield from block.nodes
