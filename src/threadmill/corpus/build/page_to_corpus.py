"""One page to its lines of the corpus, or the reason why it has none: the stage that runs on every core."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module, util
from pathlib import Path

from threadmill.corpus.formats import conllu
from threadmill.corpus.formats import json_lines as jsonlines
from threadmill.corpus.build.assembly import Assembler, Draft
from threadmill.corpus.build.documents import Document
from threadmill.corpus.build.corpus_inputs import WIKI_TYPE
from threadmill.corpus.build.messages import message_of
from threadmill.corpus.build.stored_threads import Thread
from threadmill.corpus.vertical import Inventory, Writer, dialect
from threadmill.errors import HookError, UsageError
from threadmill.page.clean import clean
from threadmill.page.parse.garbage_collection import without_collector
from threadmill.page.judge.user_hooks import Hook
from threadmill.page.language import detect_language
from threadmill.page.clean_pages import Cleaned, Source, Uncleaned, clean_pages
from threadmill.page.judge.clean_settings import CleanSettings, Favour, Method
from threadmill.types import Capture, Metadata, Page, Paragraph

_CLEANED = frozenset({"text/html", "application/xhtml+xml"})
HTML_TYPES = _CLEANED | {WIKI_TYPE}
FORMATS = ("vertical", "conllu", "jsonl")
# No page of 2,118 real ones has a control character among its first bytes; noise has one in ten. What has a
# tag is a page all the same: of a broken server, or in UTF-16, where there are zeros between the letters.
_SNIFFED, _SEARCHED = 1024, 1 << 16
_CONTROLS = bytes({*range(0x20)} - {*b"\t\n\f\r\x1b"})
_MOST_CONTROLS = 0.05
_TAGS = ("!doctype", "html", "head", "body", "title", "meta", "div", "table", "p>")
_TAG = re.compile("|".join(r"\0*".join(f"<{tag}") for tag in _TAGS).encode(), re.IGNORECASE)
_POSTS_FOR_LANGUAGE = 5  # their beginnings are far more than the detector looks at


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a corpus is made; the same recipe and inputs give the same bytes."""

    dialect: str = "sketch"
    format: str = "vertical"
    languages: tuple[str, ...] = ()  # wanted ones; none: all
    detect: bool = True
    lemma: bool = False
    metadata: bool = False
    posts: bool = False  # thread pages as posts
    method: Method = Method.DEFAULT
    favour: Favour = Favour.BALANCE
    hook: str = ""  # module:function or file.py:function

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a position."""
        return ("word", "lemma", "tag") if self.lemma else ("word",)


@dataclass(slots=True)
class Batch:
    """What became of some pages."""

    texts: list[str] = field(default_factory=list)  # one per kept page
    reasons: Counter[str] = field(default_factory=Counter)  # of those left out
    inventory: Inventory = field(default_factory=Inventory)
    pages: int = 0
    octets: int = 0


class Verticaliser:
    """Turns captures into text; one for each process."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._assembler = Assembler(lemma=recipe.lemma, metadata=recipe.metadata)
        self._settings = CleanSettings(method=recipe.method, favour=recipe.favour, languages=recipe.detect)
        self._everything = CleanSettings(method=Method.EVERYTHING, languages=False)
        self._hook = load_hook(recipe.hook) if recipe.hook else None

    def batch(self, captures: Sequence[Capture | Thread]) -> Batch:
        """Some pages at once; none of them can stop the run."""
        # Looking for cycles goes over all that the pages hold, and that is gone after the batch.
        with without_collector():
            return self._batch(captures)

    def _batch(self, captures: Sequence[Capture | Thread]) -> Batch:
        done = Batch(pages=len(captures), octets=sum(len(capture.payload) for capture in captures))
        writer = Writer(dialect(self._recipe.dialect), self._recipe.columns)
        for found in self._documents(captures):
            if isinstance(found, str):
                done.reasons[found] += 1
                continue
            try:
                done.texts.append(self._write(found, writer))
            except Exception as error:
                done.reasons[_failed(error)] += 1
        done.inventory = writer.inventory
        return done

    def document(self, source: Capture | Thread) -> Document | str:
        """The document of a page or a stored thread, or why there is none."""
        return self._documents([source])[0]

    def _documents(self, sources: Sequence[Capture | Thread]) -> list[Document | str]:
        """The same of many, cut at one go; if that fails, one by one, so that the one at fault is found."""
        cleaned = self._clean(sources)
        drafts = [self._drafted(source, cleaned) for source in sources]
        waiting = [draft for draft in drafts if isinstance(draft, Draft)]
        made: Iterator[Document | str]
        try:
            made = iter(self._assembler.documents(waiting))
        except Exception:
            made = map(self._alone, waiting)
        found = [next(made) if isinstance(draft, Draft) else draft for draft in drafts]
        return [document if isinstance(document, str) else _judged(document) for document in found]

    def _drafted(
        self, source: Capture | Thread, cleaned: Iterator[Cleaned | Uncleaned]
    ) -> Draft | Document | str:
        """What a page or thread is to become; a hostile one, or a fault of ours, is judged and counted."""
        try:
            return self._thread(source) if isinstance(source, Thread) else self._page(source, cleaned)
        except Exception as error:
            return _failed(error)

    def _alone(self, draft: Draft) -> Document | str:
        try:
            return self._assembler.documents([draft])[0]
        except Exception as error:
            return _failed(error)

    def _clean(self, sources: Sequence[Capture | Thread]) -> Iterator[Cleaned | Uncleaned]:
        """Those that are pages of the web, cleaned in their order."""
        pages = (
            Source(source.payload, source.url, source.header("content-type") or "")
            for source in sources
            if isinstance(source, Capture) and source.content_type in _CLEANED and not _unfit(source)
        )
        return clean_pages(pages, self._settings, hook=self._hook)

    def _thread(self, thread: Thread) -> Document | str:
        sample = "\n".join(message.text for message in thread.messages[:_POSTS_FOR_LANGUAGE])
        language = detect_language(sample)[0] if self._recipe.detect else self._language()
        unwanted = self._unwanted(language)
        return unwanted or self._assembler.stored_thread(thread, language)

    def _page(self, capture: Capture, cleaned: Iterator[Cleaned | Uncleaned]) -> Draft | Document | str:
        kind = capture.content_type
        if kind == "text/plain" and len(capture.headers) == 1:  # no server sends so few: a text record
            return self._plain(capture)
        unfit = _unfit(capture)
        if unfit:
            return unfit
        if kind == WIKI_TYPE:
            page = clean(
                capture.payload, capture.url, self._everything, content_type="text/html; charset=utf-8"
            )
            return self._assembler.draft(page, self._language())
        outcome = next(cleaned)
        if isinstance(outcome, Uncleaned):
            raise outcome.error
        _, tree, page = outcome
        unwanted = self._unwanted(page.language)
        if unwanted:
            return unwanted
        if self._recipe.posts:
            from threadmill.forum.read_page import classify, read_thread

            if classify(tree, capture.at).kind == "thread":
                thread = self._assembler.thread(page, map(message_of, read_thread(tree, capture.at).posts))
                if thread.children:
                    return thread
        return self._assembler.draft(page, self._language())

    def _plain(self, capture: Capture) -> Draft | str:
        """A text record of a WET file: a line is a paragraph."""
        text = capture.payload.decode("utf-8", "replace")
        language = detect_language(text)[0] if self._recipe.detect else ""
        paragraphs = tuple(Paragraph(line, "p", "") for line in text.split("\n") if line.strip())
        page = Page(capture.url, paragraphs, language, metadata=Metadata())
        return self._unwanted(language) or self._assembler.draft(page, self._language())

    def _unwanted(self, language: str) -> str:
        wanted = self._recipe.languages
        if self._recipe.detect and wanted and language not in wanted:
            return f"language {language or 'unknown'}"
        return ""

    def _language(self) -> str:
        """What a text is taken for when nobody looked: the wanted language, if it is one."""
        return self._recipe.languages[0] if len(self._recipe.languages) == 1 else ""

    def _write(self, document: Document, writer: Writer) -> str:
        if self._recipe.format == "vertical":
            return writer.write(document)
        writer.inventory.documents += 1
        passages = (document.head, *document.passages())
        writer.inventory.tokens += sum(passage.length for passage in passages if passage)
        if self._recipe.format == "conllu":
            return conllu.write(document)
        return jsonlines.write(document)


def _unfit(capture: Capture) -> str:
    """Why an answer is no page."""
    kind = capture.content_type
    if capture.status != 200:
        return f"status {capture.status}"
    if kind not in HTML_TYPES:
        return f"not HTML: {kind[:40] or 'no type'}"
    return "not HTML: binary data that calls itself HTML" if is_binary(capture.payload) else ""


def is_binary(payload: bytes) -> bool:
    """Whether what a server calls a page is a picture, an archive or the like, as its first bytes tell."""
    begin = payload[:_SNIFFED]
    if begin.startswith(b"%PDF-"):
        return True
    controls = len(begin) - len(begin.translate(None, _CONTROLS))
    return controls > _MOST_CONTROLS * len(begin) and not _TAG.search(payload, 0, _SEARCHED)


def _judged(document: Document) -> Document | str:
    return document if any(True for _ in document.passages()) else "no text left"


def _failed(error: Exception) -> str:
    return str(error) if isinstance(error, HookError) else f"failed with {type(error).__name__}"


def load_hook(name: str) -> Hook:
    """A user's function by "module:function" or "file.py:function"."""
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
