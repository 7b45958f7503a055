"""HTML to a page read: tree, blocks, judgement, language, metadata, in that order and each once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from threadmill.page.address import Addresses
from threadmill.page.block import Block
from threadmill.page.cut import JUSTEXT, READER, Cut, cut
from threadmill.page.hidden import hidden_elements
from threadmill.page.hooks import Hook, apply_hook, paragraph_html
from threadmill.page.justext import LENIENT, Judgement, judge
from threadmill.page.language import detect_language
from threadmill.page.metadata import read_metadata
from threadmill.page.settings import CleanSettings, Method
from threadmill.page.stopwords import languages, stop_words
from threadmill.page.tree import Tree, parse
from threadmill.types import Metadata, Page, Paragraph, ParagraphClass

# Whether a block with this text and tag path is known framing of its site: evidence from outside the page.
Framing = Callable[[str, str], bool]

_DEFAULT = CleanSettings()
# A paragraph shorter than this has too few letters for a language of its own and takes the page's.
_LEAST_FOR_LANGUAGE = 40


def clean(
    html: str | bytes | Tree,
    url: str | None = None,
    settings: CleanSettings = _DEFAULT,
    *,
    content_type: str = "",
    hook: Hook | None = None,
    framing: Framing | None = None,
) -> Page:
    """Read a page: each block of its text with class and reason, its language, what it says of itself."""
    tree = html if isinstance(html, Tree) else parse(html, url or "", content_type)
    cutting = _cut(tree, settings)
    blocks = cutting.blocks
    judgements = _judge(cutting, settings)
    if framing is not None:
        judgements = [
            (ParagraphClass.BAD, "framing of the site") if framing(block.text, block.path) else judgement
            for block, judgement in zip(blocks, judgements, strict=True)
        ]
    addresses = Addresses(tree.document.base_url(tree.url) or tree.url)
    paragraphs = [_paragraph(*pair, addresses) for pair in zip(blocks, judgements, strict=True)]
    if hook is not None or settings.html:
        paragraphs = [_with_html(paragraph, hook) for paragraph in paragraphs]
    language, confidence = _page_language(paragraphs) if settings.languages else ("", 0.0)
    if settings.languages:
        paragraphs = [_with_language(paragraph, language) for paragraph in paragraphs]
    return Page(
        url=url or tree.url or None,
        paragraphs=tuple(paragraphs),
        language=language,
        language_confidence=confidence,
        encoding=tree.encoding,
        metadata=read_metadata(tree) if settings.metadata else Metadata(),
    )


def _cut(tree: Tree, settings: CleanSettings) -> Cut:
    if settings.method is Method.JUSTEXT:
        return cut(tree.document, JUSTEXT)
    return cut(tree.document, READER, hidden_elements(tree.document, settings.style_sheets))


def _judge(cutting: Cut, settings: CleanSettings) -> list[Judgement]:
    blocks = cutting.blocks
    if settings.method is Method.JUSTEXT:
        return judge(blocks, _stop_words(blocks, settings.stop_words), settings.thresholds)
    if settings.method is Method.EVERYTHING:
        judgements = [(ParagraphClass.GOOD, "everything is kept")] * len(blocks)
    else:
        judgements = judge(blocks, None, LENIENT)
    return [
        (ParagraphClass.BAD, block.hidden) if block.hidden else judgement
        for block, judgement in zip(blocks, judgements, strict=True)
    ]


def _stop_words(blocks: Sequence[Block], wanted: str) -> frozenset[str] | None:
    """The list a user named, or that of the page's own language where there is one."""
    if wanted == "none":
        return None
    if wanted != "auto":
        return stop_words(wanted)
    longest = sorted((block.text for block in blocks), key=len, reverse=True)[:10]
    language, _ = detect_language("\n".join(longest))
    return stop_words(language) if language in languages() else None


def _paragraph(block: Block, judgement: Judgement, addresses: Addresses) -> Paragraph:
    verdict, reason = judgement
    return Paragraph(block.text, block.tag, block.path, block.placed_links(addresses), verdict, reason)


def _with_html(paragraph: Paragraph, hook: Hook | None) -> Paragraph:
    html = paragraph_html(paragraph)
    if hook is None:
        return replace(paragraph, html=html)
    verdict, text = apply_hook(hook, paragraph, html)
    if (verdict, text) == (paragraph.verdict, paragraph.text):
        return replace(paragraph, html=html)
    links = paragraph.links if text == paragraph.text else ()  # offsets of another text mean nothing
    return replace(paragraph, html=html, verdict=verdict, text=text, links=links, reason="the user's hook")


def _page_language(paragraphs: Sequence[Paragraph]) -> tuple[str, float]:
    kept = [p.text for p in paragraphs if p.verdict is ParagraphClass.GOOD] or [p.text for p in paragraphs]
    return detect_language("\n".join(kept))


def _with_language(paragraph: Paragraph, language: str) -> Paragraph:
    if paragraph.verdict is ParagraphClass.GOOD and len(paragraph.text) >= _LEAST_FOR_LANGUAGE:
        language = detect_language(paragraph.text)[0]
    return replace(paragraph, language=language)
