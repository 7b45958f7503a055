"""HTML to a page read: tree, blocks, judgement, language, metadata, in that order and each once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from threadmill.page.blocks.block import Block
from threadmill.page.blocks.cutting import JUSTEXT, Cut, cut
from threadmill.page.judge.clean_settings import CleanSettings, Method
from threadmill.page.judge.judgement import CutPage, Framing, judge_pages, text_language, visible_cut
from threadmill.page.judge.justext import Judgement, judge
from threadmill.page.judge.stop_words import languages, stop_words
from threadmill.page.judge.user_hooks import Hook, apply_hook, paragraph_html
from threadmill.page.lazy_page import PageOnDemand
from threadmill.page.parse.garbage_collection import without_collector
from threadmill.page.parse.tree import Tree, parse
from threadmill.types import Page, Paragraph, ParagraphClass

_DEFAULT = CleanSettings()


def clean(
    html: str | bytes | Tree,
    url: str | None = None,
    settings: CleanSettings = _DEFAULT,
    *,
    content_type: str = "",
    hook: Hook | None = None,
    framing: Framing | None = None,
    cutting: Cut | None = None,
) -> Page:
    """Read a page: each block of its text with class and reason, its language, what it says of itself.

    Whoever needs the blocks before they are judged cuts the tree with cut_page() and hands both on. Many
    pages take less time each with clean_pages().
    """
    with without_collector():
        tree = html if isinstance(html, Tree) else parse(html, url or "", content_type)
        return read_pages([CutPage(tree, cutting or cut_page(tree, settings), framing)], settings, hook)[0]


def cut_page(tree: Tree, settings: CleanSettings = _DEFAULT, *, keeps_nodes: bool = False) -> Cut:
    """The blocks of a page as the wanted method cuts them."""
    if settings.method is Method.JUSTEXT:
        return cut(tree.document, replace(JUSTEXT, keeps_nodes=keeps_nodes))
    return visible_cut(tree, settings.style_sheets, keeps_nodes=keeps_nodes)


def read_pages(pages: Sequence[CutPage], settings: CleanSettings, hook: Hook | None = None) -> list[Page]:
    """Judge pages that are cut, all at once."""
    wants_language = settings.languages or settings.method is Method.DEFAULT or settings.stop_words == "auto"
    told = [text_language(page.cutting.blocks) if wants_language else ("", 0.0) for page in pages]
    judgements = _judge(pages, settings, [language for language, _ in told])
    return [
        _page(PageOnDemand.of(page.tree, page.cutting.blocks, judged, settings, language), settings, hook)
        for page, judged, language in zip(pages, judgements, told, strict=True)
    ]


def _page(page: PageOnDemand, settings: CleanSettings, hook: Hook | None) -> Page:
    if hook is None and not settings.html:
        return page
    return replace(
        page.whole(), paragraphs=tuple(_with_html(paragraph, hook) for paragraph in page.paragraphs)
    )


def _judge(pages: Sequence[CutPage], settings: CleanSettings, spoken: Sequence[str]) -> list[list[Judgement]]:
    if settings.method is Method.DEFAULT:
        return judge_pages(pages, spoken, settings.favour)
    if settings.method is Method.EVERYTHING:
        return [_keep_everything(page.cutting.blocks) for page in pages]
    return [_judge_by_rules(page, settings, language) for page, language in zip(pages, spoken, strict=True)]


def _keep_everything(blocks: Sequence[Block]) -> list[Judgement]:
    kept = ParagraphClass.GOOD, "everything is kept"
    return [(ParagraphClass.BAD, block.hidden) if block.hidden else kept for block in blocks]


def _judge_by_rules(page: CutPage, settings: CleanSettings, language: str) -> list[Judgement]:
    blocks, framing = page.cutting.blocks, page.framing
    judgements = judge(blocks, _stop_words(settings.stop_words, language), settings.thresholds)
    return judgements if framing is None else _without_framing(blocks, judgements, framing)


def _stop_words(wanted: str, language: str) -> frozenset[str] | None:
    """The list a user named, or that of the page's own language where there is one."""
    if wanted == "none":
        return None
    if wanted != "auto":
        return stop_words(wanted)
    return stop_words(language) if language in languages() else None


def _without_framing(
    blocks: Sequence[Block], judgements: Sequence[Judgement], framing: Framing
) -> list[Judgement]:
    return [
        (ParagraphClass.BAD, "framing of the site") if framing(block.text, block.path) else judgement
        for block, judgement in zip(blocks, judgements, strict=True)
    ]


def _with_html(paragraph: Paragraph, hook: Hook | None) -> Paragraph:
    html = paragraph_html(paragraph)
    if hook is None:
        return paragraph._replace(html=html)
    verdict, text = apply_hook(hook, paragraph, html)
    if (verdict, text) == (paragraph.verdict, paragraph.text):
        return paragraph._replace(html=html)
    links = paragraph.links if text == paragraph.text else ()  # offsets of another text mean nothing
    return paragraph._replace(html=html, verdict=verdict, text=text, links=links, reason="the user's hook")
