"""Cleans pages: HTML becomes a Page whose every paragraph has a class (content or boilerplate) and a reason.

A page is parsed, cut into blocks, judged and read for language and metadata, in this order and each once.
clean() reads one page. clean_pages() reads many: it judges several pages at a time, which takes less time for
each, and gives the same results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

from threadmill.native.loader import load_extension
from threadmill.page.blocks.block import Block
from threadmill.page.blocks.cutting import JUSTEXT, Cut, cut
from threadmill.page.garbage_collection import without_garbage_collection
from threadmill.page.judge.clean_settings import CleanMethod, CleanSettings
from threadmill.page.judge.comments import set_comments_apart
from threadmill.page.judge.judgement import (
    CutPage,
    Framing,
    judge_pages,
    read_names,
    text_language,
    visible_cut,
)
from threadmill.page.judge.justext import Judgement, judge_by_justext
from threadmill.page.judge.page_batch import Floats
from threadmill.page.judge.stop_words import languages, stop_words, word_set
from threadmill.page.judge.tree_model import KINDS, page_kind_odds
from threadmill.page.judge.user_hooks import Hook, apply_hook, paragraph_html
from threadmill.page.language import detect_language
from threadmill.page.parse.link_targets import LinkResolver, link_base
from threadmill.page.parse.metadata import DeclaringPage, read_metadata, read_title
from threadmill.page.parse.tree import Tree, parse
from threadmill.page.visible_metadata import complete_metadata
from threadmill.types import Metadata, Page, Paragraph, ParagraphClass

# Native code reads these: they stand before it is loaded.
# A shorter paragraph has too few letters for a language of its own, and takes the page's.
LEAST_FOR_LANGUAGE = 40
# So many words of a paragraph are looked up among the stop words of the page's language. Where one in five
# is found, the paragraph is in that language: running text of 15 languages has .25 to .5. No model is asked.
WORDS_FOR_LANGUAGE, SAME_LANGUAGE = 40, 0.2
CHARS_A_WORD = 8  # so many characters are read for each of these words

_COMPILED = load_extension("paragraphs")

_DEFAULT = CleanSettings()

# A batch is judged when it has so many pages, blocks or characters of HTML. Without native code, a page of
# 230 kB took 8.6 ms alone, 7.5 in batches of 4, 7.1 of 8, 7.0 of 16 and 7.5 of 32: by then, the first pages
# have left the processor's cache. The trees and cuts of so many characters take some 10 MB.
_MOST_PAGES = 16
_MOST_BLOCKS = 5_000
_MOST_CHARS = 1_200_000


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
    """Read a page: each paragraph with class and reason, its language, and what the page says about itself.

    A caller who needs the blocks before they are judged cuts the tree with cut_page() and passes both on.
    """
    with without_garbage_collection():
        tree = html if isinstance(html, Tree) else parse(html, url or "", content_type)
        page = _with_kind(tree, cutting or cut_page(tree, settings), framing, settings)
        return _read_pages([page], settings, hook)[0]


@dataclass(frozen=True, slots=True)
class PageInput:
    """A page to clean."""

    html: str | bytes | Tree
    url: str = ""
    content_type: str = ""
    framing: Callable[[Tree, Cut], Framing] | None = None  # finds the framing of its site in the cut page
    origin: Any = None  # anything the caller wants to get back with the result


class CleanedPage(NamedTuple):
    """A page that was read, and the tree it was read from."""

    source: PageInput
    tree: Tree
    page: Page


class CleanFailure(NamedTuple):
    """A page that could not be read, and why."""

    source: PageInput
    error: Exception


def clean_pages(
    sources: Iterable[PageInput], settings: CleanSettings = _DEFAULT, *, hook: Hook | None = None
) -> Iterator[CleanedPage | CleanFailure]:
    """Read pages as clean() reads each, in their order. A page that cannot be read harms no other."""
    batch = _WaitingPages(settings, hook)
    try:
        for source in sources:
            batch.add(source)
            if batch.is_full():
                yield from batch.finish()
    except Exception:  # the input broke off: the pages before it are not lost
        yield from batch.finish()
        raise
    yield from batch.finish()


def cut_page(tree: Tree, settings: CleanSettings = _DEFAULT, *, keeps_nodes: bool = False) -> Cut:
    """The blocks of a page, cut as the chosen method needs them."""
    if settings.method is CleanMethod.JUSTEXT:
        return cut(tree.document, replace(JUSTEXT, keeps_nodes=keeps_nodes))
    return visible_cut(tree, settings.style_sheets, keeps_nodes=keeps_nodes)


def _with_kind(tree: Tree, cutting: Cut, framing: Framing | None, settings: CleanSettings) -> CutPage:
    """A page that is cut, with its kind where that is asked for."""
    if settings.method is not CleanMethod.DEFAULT:
        return CutPage(tree, cutting, framing)
    # Read now. Later the tree has left the processor's cache: it takes up to three times as long.
    read_names(cutting)
    return CutPage(tree, cutting, framing, page_kind_odds(tree.document, tree.url, cutting.typed))


class _WaitingPages:
    """Pages that are cut and wait to be judged together."""

    def __init__(self, settings: CleanSettings, hook: Hook | None) -> None:
        self._settings = settings
        self._hook = hook
        self._waiting: list[tuple[PageInput, CutPage | Exception]] = []
        self._chars = self._blocks = 0

    def add(self, source: PageInput) -> None:
        """Parse and cut one more page."""
        try:
            with without_garbage_collection():
                page = self._cut(source)
        except Exception as error:  # a hostile page, or a fault of ours: reported in its turn
            self._waiting.append((source, error))
            return
        self._waiting.append((source, page))
        self._chars += 0 if isinstance(source.html, Tree) else len(source.html)
        self._blocks += len(page.cutting.blocks)

    def _cut(self, source: PageInput) -> CutPage:
        html = source.html
        tree = html if isinstance(html, Tree) else parse(html, source.url, source.content_type)
        cutting = cut_page(tree, self._settings)
        framing = source.framing(tree, cutting) if source.framing else None
        return _with_kind(tree, cutting, framing, self._settings)

    def is_full(self) -> bool:
        """Whether it is time to judge. jusText's rules gain nothing by waiting."""
        return (
            len(self._waiting) >= (_MOST_PAGES if self._settings.method is CleanMethod.DEFAULT else 1)
            or self._chars >= _MOST_CHARS
            or self._blocks >= _MOST_BLOCKS
        )

    def finish(self) -> Iterator[CleanedPage | CleanFailure]:
        """Judge the waiting pages, and start again with none."""
        waiting, self._waiting = self._waiting, []
        self._chars = self._blocks = 0
        read = iter(self._read([page for _, page in waiting if isinstance(page, CutPage)]))
        waiting.reverse()
        while waiting:  # a page that was handed over is not kept in memory
            source, page = waiting.pop()
            outcome = next(read) if isinstance(page, CutPage) else page
            if isinstance(page, CutPage) and isinstance(outcome, Page):
                yield CleanedPage(source, page.tree, outcome)
            elif isinstance(outcome, Exception):
                yield CleanFailure(source, outcome)

    def _read(self, pages: list[CutPage]) -> list[Page | Exception]:
        """Read all at once; if that fails, one by one, so that only the page at fault is lost."""
        try:
            with without_garbage_collection():
                return [*_read_pages(pages, self._settings, self._hook)]
        except Exception as error:
            if len(pages) < 2:
                return [error for _ in pages]
            return [outcome for page in pages for outcome in self._read([page])]


def _read_pages(pages: Sequence[CutPage], settings: CleanSettings, hook: Hook | None = None) -> list[Page]:
    """Judge pages that are cut, all at once."""
    wants_language = (
        settings.languages or settings.method is CleanMethod.DEFAULT or settings.stop_words == "auto"
    )
    detected = [text_language(page.cutting.blocks) if wants_language else ("", 0.0) for page in pages]
    judgements = _judge(pages, settings, [language for language, _ in detected])
    return [
        _with_hook(LazyPage.of(page, judged, settings, language), settings, hook)
        for page, judged, language in zip(pages, judgements, detected, strict=True)
    ]


def _judge(pages: Sequence[CutPage], settings: CleanSettings, spoken: Sequence[str]) -> list[list[Judgement]]:
    """The class and reason of each block of each page, by the chosen method."""
    if settings.method is CleanMethod.DEFAULT:
        judged = judge_pages(pages, spoken, settings.favour)
        return [
            set_comments_apart(
                page.cutting, found, settings.comments, partial(_page_kind, page.tree, page.kind_odds)
            )
            for page, found in zip(pages, judged, strict=True)
        ]
    if settings.method is CleanMethod.EVERYTHING:
        return [_keep_everything(page.cutting.blocks) for page in pages]
    return [_judge_by_rules(page, settings, language) for page, language in zip(pages, spoken, strict=True)]


def _page_kind(tree: Tree, kind_odds: Floats | None = None) -> str:
    """The kind of page that its signs speak for most. `kind_odds` are given where they were read before."""
    odds = page_kind_odds(tree.document, tree.url) if kind_odds is None else kind_odds
    return KINDS[int(odds.argmax())]


def _keep_everything(blocks: Sequence[Block]) -> list[Judgement]:
    kept = ParagraphClass.GOOD, "everything is kept"
    return [(ParagraphClass.BAD, block.hidden) if block.hidden else kept for block in blocks]


def _judge_by_rules(page: CutPage, settings: CleanSettings, language: str) -> list[Judgement]:
    blocks, framing = page.cutting.blocks, page.framing
    judgements = judge_by_justext(blocks, _stop_words(settings.stop_words, language), settings.thresholds)
    if framing is None:
        return judgements
    return [
        (ParagraphClass.BAD, "framing of the site") if framing(block.text, block.path) else judgement
        for block, judgement in zip(blocks, judgements, strict=True)
    ]


def _stop_words(wanted: str, language: str) -> frozenset[str] | None:
    """The list that the user named, or that of the page's language where there is one."""
    if wanted == "none":
        return None
    if wanted != "auto":
        return stop_words(wanted)
    return stop_words(language) if language in languages() else None


def _with_hook(page: LazyPage, settings: CleanSettings, hook: Hook | None) -> Page:
    """The page after the user's hook has seen every paragraph."""
    if hook is None and not settings.html:
        return page
    return replace(
        page.whole(), paragraphs=tuple(_with_html(paragraph, hook) for paragraph in page.paragraphs)
    )


def _with_html(paragraph: Paragraph, hook: Hook | None) -> Paragraph:
    html = paragraph_html(paragraph)
    if hook is None:
        return paragraph._replace(html=html)
    verdict, text = apply_hook(hook, paragraph, html)
    if (verdict, text) == (paragraph.verdict, paragraph.text):
        return paragraph._replace(html=html)
    links = (
        paragraph.links if text == paragraph.text else ()
    )  # the offsets of links hold for the old text only
    return paragraph._replace(html=html, verdict=verdict, text=text, links=links, reason="the user's hook")


class LazyPage(Page):
    """A page as clean() gives it: paragraphs, links and metadata are made when they are asked for.

    Most callers want the text alone. Objects for every paragraph and link, the language of each and the
    metadata take as long as the judgement itself. Its values equal those of the plain page of whole().
    """

    _tree: Tree
    _kind_odds: Floats | None  # where they were read before
    _blocks: Sequence[Block]
    _judgements: Sequence[Judgement]  # of each block
    _settings: CleanSettings
    _has_base: bool  # see Cut

    def __new__(cls, *values: Any, **named: Any) -> Page:  # type: ignore[misc]
        """A page made of values is a plain page: dataclasses.replace() makes one."""
        return Page(*values, **named)

    @staticmethod
    def of(
        source: CutPage,
        judgements: Sequence[Judgement],
        settings: CleanSettings,
        language: tuple[str, float],
    ) -> LazyPage:
        """The page of these blocks with these judgements."""
        tree, blocks = source.tree, source.cutting.blocks
        page = object.__new__(LazyPage)
        code, confidence = language if settings.languages else ("", 0.0)
        page.__dict__.update(  # a Page is frozen: its fields cannot be assigned
            url=tree.url or None,
            language=code,
            language_confidence=confidence,
            encoding=tree.encoding,
            _tree=tree,
            _kind_odds=source.kind_odds,
            _blocks=blocks,
            _judgements=judgements,
            _settings=settings,
            _has_base=source.cutting.has_base,
        )
        return page

    @cached_property
    def text(self) -> str:
        """The good paragraphs, one after the other. A paragraph of several lines keeps them."""
        good = ParagraphClass.GOOD
        find = _texts if _COMPILED is None else _COMPILED.texts
        return "\n".join(find(self._blocks, self._judgements, good))

    @cached_property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """All paragraphs."""
        return self._make_paragraphs(None)

    @cached_property
    def good(self) -> tuple[Paragraph, ...]:
        """The paragraphs that are content."""
        return self._make_paragraphs(ParagraphClass.GOOD)

    @cached_property
    def title(self) -> str:
        """The title of the page. The other metadata is not read for it."""
        return read_title(self._tree) if self._settings.metadata else ""

    @cached_property
    @without_garbage_collection(counts=False)
    def metadata(self) -> Metadata:
        """What the page says about itself, and what it shows."""
        if not self._settings.metadata:
            return Metadata()
        good = ParagraphClass.GOOD
        content = [verdict is good for verdict, _ in self._judgements]
        searched = DeclaringPage.of(self._tree)
        declared = read_metadata(self._tree, searched)
        return complete_metadata(declared, searched, self._blocks, content, self._kind)

    @cached_property
    def _kind(self) -> str:
        """The kind of page; nothing where no model is asked."""
        return _page_kind(self._tree, self._kind_odds) if self._settings.method is CleanMethod.DEFAULT else ""

    @property
    def source_tree(self) -> Tree:
        """The tree that the page was read from."""
        return self._tree

    @property
    def clean_settings(self) -> CleanSettings:
        """The settings that the page was read with."""
        return self._settings

    @property
    def verdicts(self) -> list[ParagraphClass]:
        """The class of every paragraph."""
        return [verdict for verdict, _ in self._judgements]

    def whole(self) -> Page:
        """The plain page: everything is made, and the tree it was read from is not kept."""
        return Page(
            self.url, self.paragraphs, self.language, self.language_confidence, self.encoding, self.metadata
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """A tree cannot leave its process, so a plain page is sent."""
        page = self.whole()
        return Page, tuple(getattr(page, field.name) for field in fields(page))

    def __eq__(self, other: object) -> bool:
        """Pages are equal when their values are equal."""
        return self.whole() == (other.whole() if isinstance(other, LazyPage) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """The same as of the plain page."""
        return repr(self.whole())

    @without_garbage_collection(counts=False)
    def _make_paragraphs(self, wanted: ParagraphClass | None) -> tuple[Paragraph, ...]:
        """Paragraphs of one class, or all."""
        tree, language = self._tree, self.language
        # The first search of a tree takes 35 µs, whatever it looks for. Few pages have such an element.
        resolver = LinkResolver(link_base(tree.document, tree.url) if self._has_base else tree.url)
        wants_language = self._settings.languages
        if _COMPILED is not None:
            detect = detect_language if wants_language else None
            made: tuple[Paragraph, ...] = _COMPILED.paragraphs(
                self._blocks,
                self._judgements,
                wanted,
                resolver,
                language,
                word_set(_known_words(language)),
                detect,
            )
            return made
        known = _known_words(language)
        make = Paragraph._make  # takes half the time of a call
        return tuple(
            [
                make(
                    (
                        block.text,
                        block.tag,
                        block.path,
                        block.links(resolver) if block.anchors else (),
                        verdict,
                        reason,
                        _language(block.text, verdict, language, known) if wants_language else "",
                        "",
                    )
                )
                for block, (verdict, reason) in zip(self._blocks, self._judgements, strict=True)
                if wanted is None or verdict is wanted
            ]
        )


def _texts(blocks: Sequence[Block], judgements: Sequence[Judgement], verdict: ParagraphClass) -> list[str]:
    """The texts of the blocks of one class."""
    judged = zip(blocks, judgements, strict=True)
    return [block.text for block, (told, _) in judged if told is verdict and block.text]


def _known_words(language: str) -> frozenset[str]:
    return stop_words(language) if language in languages() else frozenset()


def _language(text: str, verdict: ParagraphClass, language: str, known: frozenset[str]) -> str:
    """The language of a paragraph, given that of its page and its stop words."""
    if verdict is not ParagraphClass.GOOD or len(text) < LEAST_FOR_LANGUAGE:
        return language
    words = text[: CHARS_A_WORD * WORDS_FOR_LANGUAGE].lower().split()[:WORDS_FOR_LANGUAGE]
    if sum(map(known.__contains__, words)) >= SAME_LANGUAGE * len(words):
        return language
    return detect_language(text)[0]
