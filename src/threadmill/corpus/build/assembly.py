"""Turns a cleaned page, or the posts of a thread, into a document of sentences, tokens and links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from threadmill.corpus.build.documents import (
    AnyPassage,
    Attributes,
    CutPassage,
    Document,
    Passage,
    Section,
    clean_attributes,
    clean_texts,
)
from threadmill.corpus.build.linking import link_up, placed
from threadmill.corpus.build.stored_threads import CorpusPost, CorpusThread
from threadmill.corpus.text.lemmas import Lemmatiser
from threadmill.corpus.text.sentences import SentenceSplitter
from threadmill.native.loader import load_extension
from threadmill.types import Link, Metadata, Page

_Source = tuple[str, str, Sequence[Link]]  # text, language and links of a paragraph

_compiled_words = load_extension("tokens")
_compiled_links = load_extension("links")

_MOST_LANGUAGES = 16  # languages kept in memory; a splitter remembers up to 4 MB of pieces


@dataclass(frozen=True, slots=True)
class DocumentDraft:
    """What a document needs of its page: its title and its good paragraphs, not yet split into tokens."""

    attributes: Attributes
    sources: Sequence[_Source]


@dataclass(slots=True)
class Assembler:
    """Makes documents. It keeps the sentence splitters and lemmatisers of the languages it has met."""

    lemma: bool = False
    metadata: bool = False
    _splitters: dict[str, SentenceSplitter] = field(default_factory=dict)
    _lemmatisers: dict[str, Lemmatiser] = field(default_factory=dict)

    def page(self, page: Page, language: str = "") -> Document:
        """The document of a page: its good paragraphs."""
        return self.documents([self.draft(page, language)])[0]

    def draft(self, page: Page, language: str = "") -> DocumentDraft:
        """Take from a page what its document needs, so that the page can be freed."""
        language = page.language or language
        attributes = self._attributes(page, language)
        title: _Source = (_title(attributes), language, ())
        return DocumentDraft(
            attributes, [title, *((p.text, p.language or language, p.links) for p in page.good)]
        )

    def documents(self, drafts: Sequence[DocumentDraft]) -> list[Document]:
        """The documents of some pages. All their paragraphs are split together, which is faster."""
        passages = iter(self._passages([draft.sources for draft in drafts]))
        found = []
        for draft in drafts:
            head, *rest = islice(passages, len(draft.sources))
            found.append(Document(draft.attributes, tuple([p for p in rest if p is not None]), head))
        return found

    def thread(self, page: Page, messages: Iterable[CorpusPost]) -> Document:
        """The document of a thread page: each post is a section, and each quote a section inside it."""
        attributes = self._attributes(page, page.language)
        sections = tuple(self._post_section(message, page.language) for message in messages)
        return Document(attributes, sections, self._title_passage(attributes, page.language))

    def stored_thread(self, thread: CorpusThread, language: str) -> Document:
        """The document of a thread of the store, or of a part of a long thread."""
        attributes: Attributes = (("title", thread.title), ("url", thread.url), ("board", thread.board))
        part = str(thread.part) if thread.part > 1 else ""
        attributes = _with_values((*attributes, ("part", part), ("lang", language)), always=("title", "url"))
        sections = tuple(self._post_section(message, language) for message in thread.messages)
        return Document(attributes, sections, self._title_passage(attributes, language))

    def passage(self, text: str, language: str, links: Sequence[Link] = ()) -> AnyPassage | None:
        """The passage of a paragraph. None if it has neither a word nor an image."""
        return self._passages([[(text, language, links)]])[0]

    def _passages(self, documents: Sequence[Sequence[_Source]]) -> list[AnyPassage | None]:
        """The passages of many documents. All paragraphs of one language are split together."""
        texts = _clean_all(documents)
        by_language: dict[str, list[int]] = {}
        sources = list(chain.from_iterable(documents))
        for at, (_, language, _) in enumerate(sources):
            by_language.setdefault(language, []).append(at)
        found: list[AnyPassage | None] = [None] * len(sources)
        for language, places in by_language.items():
            cuts = self._splitter(language).cut_all([texts[at] for at in places])
            if _compiled_links is not None:
                _compiled_links.passages(sources, texts, places, cuts, found, _linked_passage)
            else:
                _put_passages(sources, texts, places, cuts, found)
            if self.lemma:
                lemmatiser = self._lemmatiser(language)
                for at in places:
                    found[at] = _with_lemmas(found[at], lemmatiser)
        return found

    def _post_section(self, post: CorpusPost, language: str) -> Section:
        attributes = (
            ("author", post.author),
            ("date", post.date),
            ("url", post.url),
            ("id", post.identifier),
        )
        quotes = tuple(
            Section(
                "quote",
                _with_values((("author", quote.author or ""),)),
                self._line_passages(quote.text, language),
            )
            for quote in post.quotes
        )
        return Section("post", _with_values(attributes), (*quotes, *self._line_passages(post.text, language)))

    def _line_passages(self, text: str, language: str) -> tuple[AnyPassage, ...]:
        passages = self._passages([[(line, language, ()) for line in text.split("\n")]])
        return tuple(passage for passage in passages if passage is not None)

    def _attributes(self, page: Page, language: str) -> Attributes:
        attributes: Attributes = (("title", page.title), ("url", page.url or ""))
        if self.metadata:
            attributes += _metadata_attributes(page.metadata)
        return _with_values((*attributes, ("lang", language)), always=("title", "url"))

    def _title_passage(self, attributes: Attributes, language: str) -> AnyPassage | None:
        return self.passage(_title(attributes), language)

    def _splitter(self, language: str) -> SentenceSplitter:
        found = self._splitters.pop(language, None)
        if found is None:
            if len(self._splitters) >= _MOST_LANGUAGES:
                del self._splitters[next(iter(self._splitters))]  # the one that was not used for longest
            found = SentenceSplitter(language)
        self._splitters[language] = found
        return found

    def _lemmatiser(self, language: str) -> Lemmatiser:
        found = self._lemmatisers.get(language)
        if found is None:
            if len(self._lemmatisers) >= _MOST_LANGUAGES:
                self._lemmatisers.clear()
            found = self._lemmatisers[language] = Lemmatiser(language)
        return found


def _clean_all(documents: Sequence[Sequence[_Source]]) -> list[str]:
    if _compiled_words is not None:
        texts = [text for sources in documents for text, _, _ in sources]
        found: list[str] = _compiled_words.clean_texts(texts)
        return found
    return [text for sources in documents for text in clean_texts([text for text, _, _ in sources])]


def _put_passages(
    sources: Sequence[_Source],
    texts: Sequence[str],
    places: Sequence[int],
    cuts: Sequence[str],
    found: list[AnyPassage | None],
) -> None:
    """Put the passages of some sources into `found`, at their places."""
    for at, cut in zip(places, cuts, strict=True):
        text, _, links = sources[at]
        if links:
            found[at] = _linked_passage(text, texts[at], cut, links)
        elif cut:
            found[at] = CutPassage(cut)


def _linked_passage(text: str, cleaned: str, cut: str, links: Sequence[Link]) -> CutPassage | None:
    cut, spans = link_up(cut, placed(links, text, cleaned), len(cleaned))
    return CutPassage(cut, spans) if cut else None


def _with_lemmas(passage: AnyPassage | None, lemmatiser: Lemmatiser) -> Passage | None:
    if passage is None:
        return None
    return Passage(tuple(lemmatiser.sentence(sentence) for sentence in passage.sentences), passage.spans)


def _title(attributes: Attributes) -> str:
    return dict(attributes)["title"]


def _with_values(attributes: Attributes, always: tuple[str, ...] = ()) -> Attributes:
    """The attributes that have a value, and those of `always`, in a form that can be written."""
    return clean_attributes(tuple((name, value) for name, value in attributes if value or name in always))


def _metadata_attributes(metadata: Metadata) -> Attributes:
    return (
        ("date", metadata.date.isoformat() if metadata.date else ""),
        ("author", metadata.author),
        ("site", metadata.site_name),
        ("licence", metadata.licence),
    )
