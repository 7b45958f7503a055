"""Turns one page into its text of the corpus, or into the reason why it is left out. Runs on every core.

A cleaned page, or the posts of a thread, become a document of sentences, tokens and links.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module, util
from itertools import chain, islice
from pathlib import Path
from typing import TypeVar

from threadmill.archive.inputs import TITLE_HEADER
from threadmill.corpus.build.corpus_inputs import AUTHOR_HEADER, RECORD_TYPE, WIKI_TYPE
from threadmill.corpus.build.corpus_options import BatchResult, CorpusOptions
from threadmill.corpus.build.documents import (
    AnyPassage,
    Attributes,
    CutPassage,
    Document,
    Passage,
    Section,
    clean_attributes,
    clean_texts,
    write_conllu,
    write_json_line,
)
from threadmill.corpus.build.linking import PostLinks, link_up, placed
from threadmill.corpus.build.stored_threads import CorpusPost, CorpusThread, to_corpus_post
from threadmill.corpus.text.clitics import CliticSplitter, clitic_splitter
from threadmill.corpus.text.delimited_text import NO_WIDTH
from threadmill.corpus.text.lemmas import Lemmatiser
from threadmill.corpus.text.sentences import SentenceSplitter
from threadmill.corpus.text.unspaced_words import chinese_script
from threadmill.corpus.vertical import Writer, dialect
from threadmill.errors import HookError, UsageError
from threadmill.native.loader import load_extension
from threadmill.page.clean import CleanedPage, CleanFailure, PageInput, clean, clean_pages
from threadmill.page.garbage_collection import without_garbage_collection
from threadmill.page.judge.clean_settings import CleanMethod, CleanSettings
from threadmill.page.judge.user_hooks import Hook
from threadmill.page.language import detect_language
from threadmill.types import Capture, Link, Metadata, Moment, Page, Paragraph, Precision

_Made = TypeVar("_Made")
_Source = tuple[str, str, Sequence[Link]]  # text, language and links of a paragraph

_compiled_words = load_extension("tokens")
_compiled_links = load_extension("links")

_SCRIPT_SAMPLE = 5000  # characters, far more than the script needs
# Languages kept in memory. A splitter remembers up to 4 MB of pieces and is made anew in 2 ms. A lemmatiser
# has tables of 10 MB and is made anew in 50 ms.
_MOST_SPLITTERS, _MOST_LEMMATISERS = 12, 16


@dataclass(frozen=True, slots=True)
class DocumentDraft:
    """What a document needs of its page: its title and its good paragraphs, not yet split into tokens."""

    attributes: Attributes
    sources: Sequence[_Source]


@dataclass(slots=True)
class Assembler:
    """Makes documents. It keeps the sentence splitters and lemmatisers of the languages it has met."""

    lemma: bool = False
    tags: bool = False
    metadata: bool = False
    clitics: bool = False
    _splitters: dict[str, SentenceSplitter] = field(default_factory=dict)
    _lemmatisers: dict[str, Lemmatiser] = field(default_factory=dict)

    def page(self, page: Page, language: str = "") -> Document:
        """The document of a page: its good paragraphs."""
        return self.documents([self.draft(page, language)])[0]

    def draft(self, page: Page, language: str = "", title: str | None = None) -> DocumentDraft:
        """Take from a page what its document needs, so that the page can be freed.

        A title that the source of the page gives comes before the title that the page shows.
        """
        language = page.language or language
        attributes = self._attributes(page, language, title)
        head: _Source = (_title(attributes), language, ())
        return DocumentDraft(
            attributes, [head, *((p.text, p.language or language, p.links) for p in page.good)]
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
        if self.metadata:
            attributes += (("date", next((post.date for post in thread.messages if post.date), "")),)
        script = _script(language, (message.text for message in thread.messages))
        attributes += (("part", part), ("lang", language), ("script", script))
        attributes = _with_values(attributes, always=("title", "url"))
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
            clitics = clitic_splitter(language) if self.clitics else None
            if clitics is not None:
                cuts = [clitics.split(cut) for cut in cuts]
            if _compiled_links is not None:
                _compiled_links.passages(sources, texts, places, cuts, found, _linked_passage)
            else:
                _put_passages(sources, texts, places, cuts, found)
            if any(NO_WIDTH in cut for cut in cuts):
                for at in places:
                    found[at] = _without_no_width(found[at])
            if self.lemma or self.tags:
                lemmatiser = self._lemmatiser(language)
                for at in places:
                    found[at] = self._annotated(found[at], lemmatiser, clitics)
        return found

    def _annotated(
        self, passage: AnyPassage | None, lemmatiser: Lemmatiser, clitics: CliticSplitter | None
    ) -> Passage | None:
        """The passage with the lemmas and tags that are wanted. Words have them with their clitics."""
        if passage is None:
            return None
        lemmas, tags = self.lemma, self.tags
        if isinstance(passage, CutPassage) and clitics is not None:
            found = []
            for forms, spaces in passage.forms():
                words, ends, parts = clitics.whole_words(forms, spaces)
                annotated = lemmatiser.annotate(words, ends, lemmas=lemmas, tags=tags)
                found.append(clitics.split_tokens(annotated, parts))
        elif isinstance(passage, CutPassage):
            annotate = lemmatiser.annotate
            found = [annotate(*sentence, lemmas=lemmas, tags=tags) for sentence in passage.forms()]
        else:
            found = [
                lemmatiser.sentence(sentence, lemmas=lemmas, tags=tags) for sentence in passage.sentences
            ]
        return Passage(tuple(found), passage.spans)

    def _post_section(self, post: CorpusPost, language: str) -> Section:
        attributes = (
            ("author", post.author),
            ("date", post.date),
            ("url", post.url),
            ("id", post.identifier),
        )
        links = PostLinks(post.html, post.links)
        quotes = tuple(
            Section(
                "quote",
                _with_values((("author", quote.author or ""),)),
                self._line_passages(quote.text, language, links),
            )
            for quote in post.quotes
        )
        own = self._line_passages(post.text, language, links)
        return Section("post", _with_values(attributes), (*quotes, *own))

    def _line_passages(self, text: str, language: str, links: PostLinks) -> tuple[AnyPassage, ...]:
        lines = text.split("\n")
        passages = self._passages([[(line, language, links.of_line(line)) for line in lines]])
        return tuple(passage for passage in passages if passage is not None)

    def _attributes(self, page: Page, language: str, title: str | None = None) -> Attributes:
        stated = page.title if title is None else title
        attributes: Attributes = (("title", stated), ("url", page.url or ""))
        if self.metadata:
            attributes += _metadata_attributes(page.metadata)
        attributes += (("lang", language), ("script", _script(language, (block.text for block in page.good))))
        return _with_values(attributes, always=("title", "url"))

    def _title_passage(self, attributes: Attributes, language: str) -> AnyPassage | None:
        return self.passage(_title(attributes), language)

    def _splitter(self, language: str) -> SentenceSplitter:
        return _of_language(self._splitters, language, SentenceSplitter, _MOST_SPLITTERS)

    def _lemmatiser(self, language: str) -> Lemmatiser:
        return _of_language(self._lemmatisers, language, Lemmatiser, _MOST_LEMMATISERS)


def _of_language(known: dict[str, _Made], language: str, make: Callable[[str], _Made], most: int) -> _Made:
    """What is known of a language, or made anew. The one that was not used for longest makes room for it."""
    found = known.pop(language, None)
    if found is None:
        if len(known) >= most:
            del known[next(iter(known))]
        found = make(language)
    known[language] = found
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


def _without_no_width(passage: AnyPassage | None) -> AnyPassage | None:
    return (
        passage._replace(cut=passage.cut.replace(NO_WIDTH, ""))
        if isinstance(passage, CutPassage)
        else passage
    )


def _linked_passage(text: str, cleaned: str, cut: str, links: Sequence[Link]) -> CutPassage | None:
    cut, spans = link_up(cut, placed(links, text, cleaned), len(cleaned))
    return CutPassage(cut, spans) if cut else None


def _script(language: str, texts: Iterable[str]) -> str:
    """The script of Chinese, by its first characters. Empty for languages with one script."""
    return chinese_script("".join(texts)[:_SCRIPT_SAMPLE]) if language == "zh" else ""


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


def _record_metadata(capture: Capture) -> Metadata:
    """What a record of a dataset says about its text. A text record of a WET file says nothing."""
    if capture.content_type != RECORD_TYPE:
        return Metadata()
    at = capture.at
    date = Moment(at.date(), at.time(), "UTC", Precision.SECOND) if at.year > _NO_YEAR else None
    return Metadata(
        title=capture.header(TITLE_HEADER) or "", author=capture.header(AUTHOR_HEADER) or "", date=date
    )


_NO_YEAR = 1970  # of a record without a date
_CLEANED = frozenset({"text/html", "application/xhtml+xml"})
HTML_TYPES = _CLEANED | {WIKI_TYPE}
# No page of 2,118 real ones has a control character among its first bytes; in noise one byte in ten is one. A
# payload with a tag is a page all the same: of a broken server, or in UTF-16, with zeros between the letters.
_SNIFFED, _SEARCHED = 1024, 1 << 16
_CONTROLS = bytes({*range(0x20)} - {*b"\t\n\f\r\x1b"})
_MOST_CONTROLS = 0.05
_TAGS = ("!doctype", "html", "head", "body", "title", "meta", "div", "table", "p>")
_TAG = re.compile("|".join(r"\0*".join(f"<{tag}") for tag in _TAGS).encode(), re.IGNORECASE)
_POSTS_FOR_LANGUAGE = 5  # the detector looks at far less than their text


class PageConverter:
    """Converts captures and stored threads into corpus text. Each process has one."""

    def __init__(self, options: CorpusOptions) -> None:
        self._options = options
        self._assembler = Assembler(
            lemma=options.lemma, tags=options.tags, metadata=options.metadata, clitics=options.clitics
        )
        self._settings = CleanSettings(method=options.method, favour=options.favour, languages=options.detect)
        self._everything = CleanSettings(method=CleanMethod.EVERYTHING, languages=False)
        self._hook = load_hook(options.hook) if options.hook else None

    def batch(self, captures: Sequence[Capture | CorpusThread]) -> BatchResult:
        """Convert some pages. A page that fails is counted and stops nothing."""
        # A search for reference cycles would visit all objects of the pages, which are freed after the batch.
        with without_garbage_collection():
            return self._batch(captures)

    def _batch(self, captures: Sequence[Capture | CorpusThread]) -> BatchResult:
        done = BatchResult(pages=len(captures), octets=sum(len(capture.payload) for capture in captures))
        writer = Writer(dialect(self._options.dialect), self._options.columns)
        for found in self._documents(captures):
            if isinstance(found, str):
                done.reasons[found] += 1
                continue
            try:
                done.texts.append(self._write(found, writer))
            except Exception as error:
                done.reasons[_failure_reason(error)] += 1
        done.inventory = writer.inventory
        return done

    def document(self, source: Capture | CorpusThread) -> Document | str:
        """The document of a page or a stored thread, or the reason why there is none."""
        return self._documents([source])[0]

    def _documents(self, sources: Sequence[Capture | CorpusThread]) -> list[Document | str]:
        """The same for many, split together. If that fails, one by one, so that only the bad page is lost."""
        cleaned = self._clean(sources)
        drafts = [self._draft(source, cleaned) for source in sources]
        waiting = [draft for draft in drafts if isinstance(draft, DocumentDraft)]
        made: Iterator[Document | str]
        try:
            made = iter(self._assembler.documents(waiting))
        except Exception:
            made = map(self._document_alone, waiting)
        found = [next(made) if isinstance(draft, DocumentDraft) else draft for draft in drafts]
        return [document if isinstance(document, str) else _or_reason(document) for document in found]

    def _draft(
        self, source: Capture | CorpusThread, cleaned: Iterator[CleanedPage | CleanFailure]
    ) -> DocumentDraft | Document | str:
        """The draft or document of a page or thread, or a reason. An error in it becomes a reason too."""
        try:
            return self._thread(source) if isinstance(source, CorpusThread) else self._page(source, cleaned)
        except Exception as error:
            return _failure_reason(error)

    def _document_alone(self, draft: DocumentDraft) -> Document | str:
        try:
            return self._assembler.documents([draft])[0]
        except Exception as error:
            return _failure_reason(error)

    def _clean(self, sources: Sequence[Capture | CorpusThread]) -> Iterator[CleanedPage | CleanFailure]:
        """Clean the sources that are web pages, in their order."""
        pages = (
            PageInput(source.payload, source.url, source.header("content-type") or "")
            for source in sources
            if isinstance(source, Capture) and source.content_type in _CLEANED and not _why_no_page(source)
        )
        return clean_pages(pages, self._settings, hook=self._hook)

    def _thread(self, thread: CorpusThread) -> Document | str:
        sample = "\n".join(message.text for message in thread.messages[:_POSTS_FOR_LANGUAGE])
        language = detect_language(sample)[0] if self._options.detect else self._language()
        unwanted = self._why_unwanted(language)
        return unwanted or self._assembler.stored_thread(thread, language)

    def _page(
        self, capture: Capture, cleaned: Iterator[CleanedPage | CleanFailure]
    ) -> DocumentDraft | Document | str:
        kind = capture.content_type
        if (
            kind == "text/plain" and len(capture.headers) == 1
        ):  # no server sends a single header: this is a text record
            return self._text_record(capture)
        if kind == RECORD_TYPE:
            return self._text_record(capture)
        reason = _why_no_page(capture)
        if reason:
            return reason
        if kind == WIKI_TYPE:
            return self._extract(capture)
        outcome = next(cleaned)
        if isinstance(outcome, CleanFailure):
            raise outcome.error
        _, tree, page = outcome
        unwanted = self._why_unwanted(page.language)
        if unwanted:
            return unwanted
        if self._options.posts:
            from threadmill.forum.page_class.classify import classify
            from threadmill.forum.read_page import read_thread

            if classify(tree, capture.at).kind == "thread":
                thread = self._assembler.thread(
                    page, map(to_corpus_post, read_thread(tree, capture.at).posts)
                )
                if thread.children:
                    return thread
        return self._assembler.draft(page, self._language())

    def _extract(self, capture: Capture) -> DocumentDraft | str:
        """A document of a Wikipedia extract. A language that is asked for is its own: an extract has one."""
        page = clean(capture.payload, capture.url, self._everything, content_type="text/html; charset=utf-8")
        language, unwanted = self._language(), ""
        if not language and self._options.detect:
            language = detect_language(page.text)[0]
            unwanted = self._why_unwanted(language)
        return unwanted or self._assembler.draft(page, language, capture.header(TITLE_HEADER))

    def _text_record(self, capture: Capture) -> DocumentDraft | str:
        """A text record of a WET file or of a dataset. Each line is a paragraph."""
        text = capture.payload.decode("utf-8", "replace")
        language = detect_language(text)[0] if self._options.detect else ""
        paragraphs = tuple(Paragraph(line, "p", "") for line in text.split("\n") if line.strip())
        page = Page(capture.url, paragraphs, language, metadata=_record_metadata(capture))
        return self._why_unwanted(language) or self._assembler.draft(page, self._language())

    def _why_unwanted(self, language: str) -> str:
        wanted = self._options.languages
        if self._options.detect and wanted and language not in wanted:
            return f"language {language or 'unknown'}"
        return ""

    def _language(self) -> str:
        """The language of a text without detection: the wanted language, if there is exactly one."""
        return self._options.languages[0] if len(self._options.languages) == 1 else ""

    def _write(self, document: Document, writer: Writer) -> str:
        if self._options.format == "vertical":
            return writer.write(document)
        writer.inventory.documents += 1
        passages = (document.head, *document.passages())
        writer.inventory.tokens += sum(passage.length for passage in passages if passage)
        if self._options.format == "conllu":
            return write_conllu(document)
        return write_json_line(document)


def _why_no_page(capture: Capture) -> str:
    """The reason why an answer is no page, empty if it is one."""
    kind = capture.content_type
    if capture.status != 200:
        return f"status {capture.status}"
    if kind not in HTML_TYPES:
        return f"not HTML: {kind[:40] or 'no type'}"
    return "not HTML: binary data that calls itself HTML" if is_binary(capture.payload) else ""


def is_binary(payload: bytes) -> bool:
    """Whether the first bytes of a payload are those of a picture, an archive or other binary data."""
    begin = payload[:_SNIFFED]
    if begin.startswith(b"%PDF-"):
        return True
    controls = len(begin) - len(begin.translate(None, _CONTROLS))
    return controls > _MOST_CONTROLS * len(begin) and not _TAG.search(payload, 0, _SEARCHED)


def _or_reason(document: Document) -> Document | str:
    return document if any(True for _ in document.passages()) else "no text left"


def _failure_reason(error: Exception) -> str:
    return str(error) if isinstance(error, HookError) else f"failed with {type(error).__name__}"


def load_hook(name: str) -> Hook:
    """Load a user's function from "module:function" or "file.py:function"."""
    place, _, function = name.rpartition(":")
    try:
        if place.endswith(".py"):
            spec = util.spec_from_file_location("threadmill_hook", Path(place))
            if spec is None or spec.loader is None:
                raise ImportError(f"cannot load {place}")
            module = util.module_from_spec(spec)
            spec.loader.exec_module(module)
        else:
            module = import_module(place)
        hook: Hook = getattr(module, function)
    except (ImportError, AttributeError, OSError, ValueError) as error:
        raise UsageError(f"--hook wants module:function or file.py:function, not {name!r}: {error}") from None
    return hook
