"""A page whose text is at hand, and whose paragraphs, links and metadata are made when they are asked for.

Most callers want the text alone; objects for every paragraph and link, the language of each and the metadata
take as long as the judgement itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from functools import cached_property
from typing import Any

from threadmill.native.loader import load_extension
from threadmill.page.blocks.block import Block
from threadmill.page.judge.clean_settings import CleanSettings
from threadmill.page.judge.justext import Judgement
from threadmill.page.judge.stop_words import languages, stop_words, word_set
from threadmill.page.language import detect_language
from threadmill.page.parse.link_targets import LinkResolver, link_base
from threadmill.page.parse.metadata import read_metadata, read_title
from threadmill.page.parse.tree import Tree
from threadmill.types import Metadata, Page, Paragraph, ParagraphClass

# Native code reads these: they stand before it is loaded.
# A shorter paragraph has too few letters for a language of its own, and takes the page's.
LEAST_FOR_LANGUAGE = 40
# So many words of a paragraph are looked up among the stop words of the page's language. Where one in five
# is found, the paragraph is in that language: running text of 15 languages has .25 to .5. No model is asked.
WORDS_FOR_LANGUAGE, SAME_LANGUAGE = 40, 0.2
CHARS_A_WORD = 8  # so many characters are read for each of these words

_COMPILED = load_extension("paragraphs")


class LazyPage(Page):
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
    ) -> LazyPage:
        """The page that these blocks with these judgements are."""
        page = object.__new__(LazyPage)
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
        return self.whole() == (other.whole() if isinstance(other, LazyPage) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """As the plain page says it."""
        return repr(self.whole())

    def _made(self, wanted: ParagraphClass | None) -> tuple[Paragraph, ...]:
        """Paragraphs of one class, or all."""
        tree, language = self._tree, self.language
        addresses = LinkResolver(link_base(tree.document, tree.url))
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
    if verdict is not ParagraphClass.GOOD or len(text) < LEAST_FOR_LANGUAGE:
        return language
    words = text[: CHARS_A_WORD * WORDS_FOR_LANGUAGE].lower().split()[:WORDS_FOR_LANGUAGE]
    if sum(map(known.__contains__, words)) >= SAME_LANGUAGE * len(words):
        return language
    return detect_language(text)[0]
