"""HTML to a page read: tree, blocks, judgement, language, metadata, in that order and each once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import cached_property
from typing import Any

from threadmill.native.loader import load_extension
from threadmill.page.blocks.block import Block
from threadmill.page.blocks.cutting import JUSTEXT, Cut, cut
from threadmill.page.judge.clean_settings import CleanSettings, Method
from threadmill.page.judge.judgement import CutPage, Framing, judge_pages, text_language, visible_cut
from threadmill.page.judge.justext import Judgement, judge
from threadmill.page.judge.stop_words import languages, stop_words, word_set
from threadmill.page.judge.user_hooks import Hook, apply_hook, paragraph_html
from threadmill.page.language import detect_language
from threadmill.page.parse.garbage_collection import without_collector
from threadmill.page.parse.link_targets import Addresses, base_address
from threadmill.page.parse.metadata import read_metadata, read_title
from threadmill.page.parse.tree import Tree, parse
from threadmill.types import Metadata, Page, Paragraph, ParagraphClass

_COMPILED = load_extension("paragraphs")

# A paragraph shorter than this has too few letters for a language of its own and takes the page's.
_LEAST_FOR_LANGUAGE = 40
# So many words of a paragraph are looked up in the page's stop words; where one in five is found there, the
# paragraph is in the page's language (running text of 15 languages has .25 to .5), and no model is asked.
_WORDS_FOR_LANGUAGE, _SAME_LANGUAGE = 40, 0.2


class PageOnDemand(Page):
    """A page as clean() gives it; equal in all its values to the plain one that whole() makes of it."""

    _tree: Tree
    _judged: tuple[tuple[Block, Judgement], ...]
    _settings: CleanSettings

    def __new__(cls, *values: Any, **named: Any) -> Page:  # type: ignore[misc]
        """Made of values, as dataclasses.replace() does, it is a plain page."""
        return Page(*values, **named)

    @staticmethod
    def of(
        tree: Tree,
        blocks: Sequence[Block],
        judgements: Sequence[Judgement],
        settings: CleanSettings,
        language: tuple[str, float],
    ) -> PageOnDemand:
        """The page that these blocks with these judgements are."""
        page = object.__new__(PageOnDemand)
        code, confidence = language if settings.languages else ("", 0.0)
        page.__dict__.update(  # a page is frozen
            url=tree.url or None,
            language=code,
            language_confidence=confidence,
            encoding=tree.encoding,
            _tree=tree,
            _judged=tuple(zip(blocks, judgements, strict=True)),
            _settings=settings,
        )
        return page

    @cached_property
    def text(self) -> str:
        """The good paragraphs, one after the other; a paragraph of several lines keeps them."""
        good = ParagraphClass.GOOD
        return "\n".join([b.text for b, (verdict, _) in self._judged if verdict is good and b.text])

    @cached_property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """All paragraphs."""
        return self._made(None)

    @cached_property
    def good(self) -> tuple[Paragraph, ...]:
        """The paragraphs that are content."""
        return self._made(ParagraphClass.GOOD)

    @cached_property
    def title(self) -> str:
        """What the page calls itself; the rest of the metadata is not read for it."""
        return read_title(self._tree) if self._settings.metadata else ""

    @cached_property
    def metadata(self) -> Metadata:
        """What the page says about itself."""
        return read_metadata(self._tree) if self._settings.metadata else Metadata()

    def whole(self) -> Page:
        """The page with everything in it, and without the tree it was read from."""
        return Page(
            self.url, self.paragraphs, self.language, self.language_confidence, self.encoding, self.metadata
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """A tree cannot leave its process."""
        page = self.whole()
        return Page, tuple(getattr(page, field.name) for field in fields(page))

    def __eq__(self, other: object) -> bool:
        """Pages are equal when their values are, however they came to them."""
        return self.whole() == (other.whole() if isinstance(other, PageOnDemand) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """As the plain page says it."""
        return repr(self.whole())

    def _made(self, wanted: ParagraphClass | None) -> tuple[Paragraph, ...]:
        """Paragraphs of one class, or all."""
        tree, language = self._tree, self.language
        addresses = Addresses(base_address(tree.document, tree.url))
        wants_language = self._settings.languages
        if _COMPILED is not None:
            detect = detect_language if wants_language else None
            made: tuple[Paragraph, ...] = _COMPILED.paragraphs(
                self._judged, wanted, addresses, language, word_set(_known_words(language)), detect
            )
            return made
        known = _known_words(language)
        make = Paragraph._make  # in half the time of a call
        return tuple(
            [
                make(
                    (
                        block.text,
                        block.tag,
                        block.path,
                        block.links(addresses) if block.anchors else (),
                        verdict,
                        reason,
                        _language(block.text, verdict, language, known) if wants_language else "",
                        "",
                    )
                )
                for block, (verdict, reason) in self._judged
                if wanted is None or verdict is wanted
            ]
        )


def _known_words(language: str) -> frozenset[str]:
    return stop_words(language) if language in languages() else frozenset()


def _language(text: str, verdict: ParagraphClass, language: str, known: frozenset[str]) -> str:
    if verdict is not ParagraphClass.GOOD or len(text) < _LEAST_FOR_LANGUAGE:
        return language
    words = text[: 8 * _WORDS_FOR_LANGUAGE].lower().split()[:_WORDS_FOR_LANGUAGE]
    if sum(map(known.__contains__, words)) >= _SAME_LANGUAGE * len(words):
        return language
    return detect_language(text)[0]


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
