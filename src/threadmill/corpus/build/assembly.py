"""Turns a cleaned page, or the posts of a thread, into a document of sentences, tokens and links."""


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
from threadmill.corpus.build.stored_threads import CorpusPost
from threadmill.corpus.text.sentences import SentenceSplitter
from threadmill.corpus.build.stored_threads import CorpusThread
from threadmill.types import Link, Metadata, Page
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from threadmill.corpus.text.delimited_text import GLUED_SENTENCE, SENTENCE, count_tokens, token_starts, to_forms
from threadmill.corpus.build.documents import IMAGE, Span, clean_text, clean_url
from threadmill.types import Link


_SENTENCES = SENTENCE + GLUED_SENTENCE


def placed(links: Sequence[Link], text: str, cleaned: str) -> Sequence[Link]:
    """The links of a text with offsets in the cleaned text."""
    if text == cleaned or text.replace("\n", " ") == cleaned:  # a space instead of a line break moves nothing
        return links
    return [moved(link, text) for link in links]


def moved(link: Link, text: str) -> Link:
    """The link with offsets in the cleaned text."""
    start, end = (_offset(text, at) for at in (link.start, link.end))
    return link._replace(start=start, end=max(start, end))


def _offset(text: str, at: int) -> int:
    before = text[:at]
    return len(clean_text(before)) + (before[-1:].isspace() and bool(before.strip()))


def link_up(cut: str, links: Sequence[Link], length: int) -> tuple[str, tuple[Span, ...]]:
    """Put a token for each image into a delimited text, and find the spans of all links and images.

    `length` is the length of the plain text.
    """
    if len(links) == 1 and cut:  # one link over the whole text, as in most lists
        _, _, start, end, kind = link = links[0]
        if not start and end >= length and kind != "image" and link.url:
            return cut, (Span(clean_url(link.url), 0, count_tokens(cut)),)
    forms = to_forms(cut)
    ends = list(accumulate(map(len, forms)))
    images = [link for link in links if link.kind == "image" and link.url]
    images.sort(key=_start)
    image_starts = [image.start for image in images]
    places = [bisect_right(ends, start) for start in image_starts]  # forms that end before the image
    spans = [
        Span(clean_url(image.url), place + number, place + number + 1, "image")
        for number, (image, place) in enumerate(zip(images, places, strict=True))
    ]
    others = [link for link in links if link.kind != "image" and link.url] if images else links
    last = 0
    for url, _, start, end, _ in sorted(others, key=_start):
        first = bisect_right(ends, start) + bisect_left(image_starts, start)
        begun = _count_begun(forms, ends, end) if end > start else bisect_right(ends, end)
        after = begun + bisect_right(image_starts, end)
        if url and last <= first < after:
            spans.append(Span(clean_url(url), first, after))
            last = after
    if len(spans) > 1:
        spans.sort(key=lambda span: (span.end, span.end - span.start, span.kind))
    return _with_images(cut, places) if places else cut, tuple(spans)


def _start(link: Link) -> int:
    return link.start


def _count_begun(forms: list[str], ends: list[int], at: int) -> int:
    """How many forms begin before a place. The space before a form is not part of the form."""
    done = bisect_left(ends, at)
    if done == len(forms):
        return done
    start = ends[done] - len(forms[done].lstrip(" "))
    return done + (start < at)


def _with_images(cut: str, places: list[int]) -> str:
    """Put an image token after each of these numbers of tokens.

    Between two tokens without white space, the image is glued to the second.
    """
    if not cut:
        return " ".join([IMAGE] * len(places))
    begins = token_starts(cut)
    parts, done = [], 0
    for place in places:
        at = begins[place]
        if not place or (at < len(cut) and cut[at - 1] in _SENTENCES):  # the image begins a sentence
            parts += [cut[done:at], f"{IMAGE} "]
        else:
            at -= 1
            parts += [cut[done:at], f" {IMAGE}"]
        done = at
    return "".join([*parts, cut[done:]])


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
        return DocumentDraft(attributes, [title, *((p.text, p.language or language, p.links) for p in page.good)])

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
            Section("quote", _with_values((("author", quote.author or ""),)), self._line_passages(quote.text, language))
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
