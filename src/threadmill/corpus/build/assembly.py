"""A page read, or the posts of a thread, to a document: sentences, tokens, links at their tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from threadmill.native.loader import load_extension
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
from threadmill.corpus.text.lemmas import Lemmatiser
from threadmill.corpus.build.linking import link_up, placed
from threadmill.corpus.build.messages import Message
from threadmill.corpus.text.sentences import Splitter
from threadmill.corpus.build.stored_threads import Thread
from threadmill.types import Link, Metadata, Page

_Source = tuple[str, str, Sequence[Link]]  # a paragraph's text, language and links

_compiled_words = load_extension("tokens")
_compiled_links = load_extension("links")

_MOST_SPLITTERS = 16  # languages at hand; each keeps up to 4 MB of what it has analysed


@dataclass(frozen=True, slots=True)
class Draft:
    """A page on its way to a document: its title and its good paragraphs, not yet cut."""

    attributes: Attributes
    sources: Sequence[_Source]


@dataclass(slots=True)
class Assembler:
    """Makes documents; keeps the splitters and lemmatisers of the languages it meets."""

    lemma: bool = False
    metadata: bool = False
    _splitters: dict[str, Splitter] = field(default_factory=dict)
    _lemmatisers: dict[str, Lemmatiser] = field(default_factory=dict)

    def page(self, page: Page, language: str = "") -> Document:
        """The good paragraphs of a page."""
        return self.documents([self.draft(page, language)])[0]

    def draft(self, page: Page, language: str = "") -> Draft:
        """All that a document needs of its page, which can be forgotten then."""
        language = page.language or language
        attributes = self._attributes(page, language)
        title: _Source = (_title(attributes), language, ())
        return Draft(attributes, [title, *((p.text, p.language or language, p.links) for p in page.good)])

    def documents(self, drafts: Sequence[Draft]) -> list[Document]:
        """The documents of some pages, all their sentences and tokens cut at one go."""
        passages = iter(self._passages([draft.sources for draft in drafts]))
        found = []
        for draft in drafts:
            head, *rest = islice(passages, len(draft.sources))
            found.append(Document(draft.attributes, tuple([p for p in rest if p is not None]), head))
        return found

    def thread(self, page: Page, messages: Iterable[Message]) -> Document:
        """The posts of a thread page, each a section, quotes in it marked."""
        attributes = self._attributes(page, page.language)
        sections = tuple(self._post(message, page.language) for message in messages)
        return Document(attributes, sections, self._head(attributes, page.language))

    def stored_thread(self, thread: Thread, language: str) -> Document:
        """A thread of the store; a long one is several documents."""
        attributes: Attributes = (("title", thread.title), ("url", thread.url), ("board", thread.board))
        part = str(thread.part) if thread.part > 1 else ""
        attributes = _named((*attributes, ("part", part), ("lang", language)), always=("title", "url"))
        sections = tuple(self._post(message, language) for message in thread.messages)
        return Document(attributes, sections, self._head(attributes, language))

    def passage(self, text: str, language: str, links: Sequence[Link] = ()) -> AnyPassage | None:
        """A paragraph; None when it has neither a word nor an image."""
        return self._passages([[(text, language, links)]])[0]

    def _passages(self, documents: Sequence[Sequence[_Source]]) -> list[AnyPassage | None]:
        """The same for those of many documents, what is of one language at once."""
        texts = _cleaned(documents)
        by_language: dict[str, list[int]] = {}
        sources = list(chain.from_iterable(documents))
        for at, (_, language, _) in enumerate(sources):
            by_language.setdefault(language, []).append(at)
        found: list[AnyPassage | None] = [None] * len(sources)
        for language, places in by_language.items():
            cuts = self._splitter(language).cut_all([texts[at] for at in places])
            if _compiled_links is not None:
                _compiled_links.passages(sources, texts, places, cuts, found, _linked)
            else:
                _put_passages(sources, texts, places, cuts, found)
            if self.lemma:
                lemmatiser = self._lemmatiser(language)
                for at in places:
                    found[at] = _with_lemmas(found[at], lemmatiser)
        return found

    def _post(self, post: Message, language: str) -> Section:
        attributes = (
            ("author", post.author),
            ("date", post.date),
            ("url", post.url),
            ("id", post.identifier),
        )
        quotes = tuple(
            Section("quote", _named((("author", quote.author or ""),)), self._lines(quote.text, language))
            for quote in post.quotes
        )
        return Section("post", _named(attributes), (*quotes, *self._lines(post.text, language)))

    def _lines(self, text: str, language: str) -> tuple[AnyPassage, ...]:
        passages = self._passages([[(line, language, ()) for line in text.split("\n")]])
        return tuple(passage for passage in passages if passage is not None)

    def _attributes(self, page: Page, language: str) -> Attributes:
        attributes: Attributes = (("title", page.title), ("url", page.url or ""))
        if self.metadata:
            attributes += _of_metadata(page.metadata)
        return _named((*attributes, ("lang", language)), always=("title", "url"))

    def _head(self, attributes: Attributes, language: str) -> AnyPassage | None:
        return self.passage(_title(attributes), language)

    def _splitter(self, language: str) -> Splitter:
        found = self._splitters.pop(language, None)
        if found is None:
            if len(self._splitters) >= _MOST_SPLITTERS:
                del self._splitters[next(iter(self._splitters))]  # the one not asked for longest
            found = Splitter(language)
        self._splitters[language] = found
        return found

    def _lemmatiser(self, language: str) -> Lemmatiser:
        found = self._lemmatisers.get(language)
        if found is None:
            if len(self._lemmatisers) >= _MOST_SPLITTERS:
                self._lemmatisers.clear()
            found = self._lemmatisers[language] = Lemmatiser(language)
        return found


def _cleaned(documents: Sequence[Sequence[_Source]]) -> list[str]:
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
    """The passages of these sources at their places."""
    for at, cut in zip(places, cuts, strict=True):
        text, _, links = sources[at]
        if links:
            found[at] = _linked(text, texts[at], cut, links)
        elif cut:
            found[at] = CutPassage(cut)


def _linked(text: str, cleaned: str, cut: str, links: Sequence[Link]) -> CutPassage | None:
    cut, spans = link_up(cut, placed(links, text, cleaned), len(cleaned))
    return CutPassage(cut, spans) if cut else None


def _with_lemmas(passage: AnyPassage | None, lemmatiser: Lemmatiser) -> Passage | None:
    if passage is None:
        return None
    return Passage(tuple(lemmatiser.sentence(sentence) for sentence in passage.sentences), passage.spans)


def _title(attributes: Attributes) -> str:
    return dict(attributes)["title"]


def _named(attributes: Attributes, always: tuple[str, ...] = ()) -> Attributes:
    """Those that say something."""
    return clean_attributes(tuple((name, value) for name, value in attributes if value or name in always))


def _of_metadata(metadata: Metadata) -> Attributes:
    return (
        ("date", metadata.date.isoformat() if metadata.date else ""),
        ("author", metadata.author),
        ("site", metadata.site_name),
        ("licence", metadata.licence),
    )
