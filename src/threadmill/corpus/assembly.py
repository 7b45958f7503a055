"""A page read, or the posts of a thread, to a document: sentences, tokens, links at their tokens."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from threadmill.corpus.documents import (
    IMAGE,
    Attributes,
    Document,
    Passage,
    Section,
    Span,
    clean_attributes,
    clean_text,
    clean_url,
)
from threadmill.corpus.lemmas import Lemmatiser
from threadmill.corpus.messages import Message
from threadmill.corpus.sentences import Splitter
from threadmill.corpus.stored import Thread
from threadmill.types import Link, Metadata, Page, ParagraphClass, Token

_MOST_SPLITTERS = 8  # languages at hand; each keeps up to 8 MB of what it has analysed


@dataclass(slots=True)
class Assembler:
    """Makes documents; keeps the splitters and lemmatisers of the languages it meets."""

    lemma: bool = False
    metadata: bool = False
    _splitters: dict[str, Splitter] = field(default_factory=dict)
    _lemmatisers: dict[str, Lemmatiser] = field(default_factory=dict)

    def page(self, page: Page, language: str = "") -> Document:
        """The good paragraphs of a page."""
        language = page.language or language
        kept = [p for p in page.paragraphs if p.verdict is ParagraphClass.GOOD]
        passages = [self.passage(p.text, p.language or language, p.links) for p in kept]
        attributes = self._attributes(page, language)
        children = tuple(passage for passage in passages if passage is not None)
        return Document(attributes, children, self._head(attributes, language))

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

    def passage(self, text: str, language: str, links: Sequence[Link] = ()) -> Passage | None:
        """A paragraph; None when it has neither a word nor an image."""
        cleaned = clean_text(text)
        sentences = self._splitter(language).tokens(cleaned)
        spans: tuple[Span, ...] = ()
        if links:
            sentences, spans = _with_links(sentences, [_moved(link, text, cleaned) for link in links])
        if not sentences:
            return None
        if self.lemma:
            lemmatiser = self._lemmatiser(language)
            return Passage(tuple(lemmatiser.sentence(sentence) for sentence in sentences), spans)
        return Passage(tuple(map(tuple, sentences)), spans)

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

    def _lines(self, text: str, language: str) -> tuple[Passage, ...]:
        passages = (self.passage(line, language) for line in text.split("\n"))
        return tuple(passage for passage in passages if passage is not None)

    def _attributes(self, page: Page, language: str) -> Attributes:
        attributes: Attributes = (("title", page.metadata.title), ("url", page.url or ""))
        if self.metadata:
            attributes += _of_metadata(page.metadata)
        return _named((*attributes, ("lang", language)), always=("title", "url"))

    def _head(self, attributes: Attributes, language: str) -> Passage | None:
        return self.passage(dict(attributes)["title"], language)

    def _splitter(self, language: str) -> Splitter:
        found = self._splitters.get(language)
        if found is None:
            if len(self._splitters) >= _MOST_SPLITTERS:
                self._splitters.clear()
            found = self._splitters[language] = Splitter(language)
        return found

    def _lemmatiser(self, language: str) -> Lemmatiser:
        found = self._lemmatisers.get(language)
        if found is None:
            if len(self._lemmatisers) >= _MOST_SPLITTERS:
                self._lemmatisers.clear()
            found = self._lemmatisers[language] = Lemmatiser(language)
        return found


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


def _moved(link: Link, text: str, cleaned: str) -> Link:
    """The link with offsets in the cleaned text."""
    if text == cleaned:
        return link
    start, end = (_offset(text, at) for at in (link.start, link.end))
    return replace(link, start=start, end=max(start, end))


def _offset(text: str, at: int) -> int:
    before = text[:at]
    return len(clean_text(before)) + (before[-1:].isspace() and bool(before.strip()))


def _with_links(
    sentences: list[list[Token]], links: Sequence[Link]
) -> tuple[list[list[Token]], tuple[Span, ...]]:
    """Put in a token for each image, and find the tokens of each link."""
    starts, ends = _offsets(sentences)
    images = sorted((link for link in links if link.kind == "image" and link.url), key=_start)
    image_starts = [image.start for image in images]
    places = [bisect_right(ends, start) for start in image_starts]  # tokens that end before the image
    spans = [
        Span(clean_url(image.url), place + number, place + number + 1, "image")
        for number, (image, place) in enumerate(zip(images, places, strict=True))
    ]
    last = 0
    for link in sorted((link for link in links if link.kind != "image" and link.url), key=_start):
        first = bisect_right(ends, link.start) + bisect_left(image_starts, link.start)
        begun = bisect_left(starts, link.end) if link.end > link.start else bisect_right(ends, link.end)
        after = begun + bisect_right(image_starts, link.end)
        if last <= first < after:
            spans.append(Span(clean_url(link.url), first, after))
            last = after
    ordered = sorted(spans, key=lambda span: (span.end, span.end - span.start, span.kind))
    return _put_in(sentences, places), tuple(ordered)


def _start(link: Link) -> int:
    return link.start


def _offsets(sentences: list[list[Token]]) -> tuple[list[int], list[int]]:
    """Where the tokens begin and where they end in the text."""
    starts, ends, at = [], [], 0
    for sentence in sentences:
        for token in sentence:
            starts.append(at)
            ends.append(at + len(token.form))
            at += len(token.form) + token.space_after
    return starts, ends


def _put_in(sentences: list[list[Token]], places: list[int]) -> list[list[Token]]:
    """Image tokens after so many tokens; glue before one moves behind it."""
    if not places:
        return sentences
    if not sentences:
        return [[Token(IMAGE) for _ in places]]
    waiting = sorted(places)
    done: list[list[Token]] = []
    count = 0
    for sentence in sentences:
        tokens: list[Token] = []
        for token in sentence:
            while waiting and waiting[0] <= count:
                _add_image(tokens)
                waiting.pop(0)
            tokens.append(token)
            count += 1
        done.append(tokens)
    for _ in waiting:
        _add_image(done[-1])
    return done


def _add_image(tokens: list[Token]) -> None:
    glued = bool(tokens) and not tokens[-1].space_after
    if glued:
        tokens[-1] = replace(tokens[-1], space_after=True)
    tokens.append(Token(IMAGE, not glued))
