"""Any vertical, by whomever, back to running text: paragraphs and posts with the attributes around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import unescape

from threadmill.corpus.build.documents import IMAGE
from threadmill.corpus.search.entries import Entry
from threadmill.corpus.vertical.reader import ATTRIBUTE, TAG

_SECTIONS = frozenset({"doc", "post", "quote"})
_BREAKS = _SECTIONS | {"p", "head"}


@dataclass(slots=True)
class _Open:
    """A document, post or quote that is not closed yet."""

    name: str
    entry: Entry  # what is known of it, without text
    paragraphs: list[str] = field(default_factory=list)


def read_running_text(lines: Iterable[str]) -> Iterator[Entry]:
    """The paragraphs outside posts, the posts and the quotes of a vertical; headings are their titles."""
    reader = _Reader()
    for line in lines:
        if line.startswith("<") and (match := TAG.fullmatch(line.rstrip("\n"))):
            yield from reader.tag(match[1] == "/", match[2], match[3], match[4] == "/")
        else:
            reader.position(line)
    yield from reader.tag(True, "doc", "", False)


class _Reader:
    def __init__(self) -> None:
        self._open = [_Open("doc", Entry(""))]
        self._words: list[str] = []
        self._glued = False
        self._in_head = False

    def position(self, line: str) -> None:
        form = line.rstrip("\n").partition("\t")[0]
        if form == IMAGE or not form:
            return
        if "&" in form:
            form = unescape(form)
        self._words.append(form if self._glued or not self._words else f" {form}")
        self._glued = False

    def tag(self, closing: bool, name: str, attributes: str, empty: bool) -> Iterator[Entry]:
        if empty:
            self._glued = self._glued or name == "g"
        elif name in _BREAKS:
            yield from self._paragraph()
            self._in_head = name == "head" and not closing
            if name in _SECTIONS:
                yield from self._closed(name) if closing else self._opened(name, attributes)

    def _paragraph(self) -> Iterator[Entry]:
        text, self._words, self._glued = "".join(self._words), [], False
        if not text or self._in_head:
            return
        section = self._open[-1]
        if section.name == "doc":
            yield _with_text(section.entry, text)
        else:
            section.paragraphs.append(text)

    def _opened(self, name: str, attributes: str) -> Iterator[Entry]:
        said = {m[1]: unescape(m[2] if m[2] is not None else m[3]) for m in ATTRIBUTE.finditer(attributes)}
        if name == "doc":
            yield from self._closed("doc")
        outer = self._open[-1].entry
        own = name != "quote"  # a quote's words are not those of the post's author, nor of its day
        entry = Entry(
            "",
            said.get("url") or outer.url,
            said.get("title") or outer.title,
            said.get("author") or (outer.author if own else ""),
            said.get("date") or (outer.date if own else ""),
            said.get("lang") or outer.language,
            "p" if name == "doc" else name,
        )
        self._open.append(_Open(name, entry))

    def _closed(self, name: str) -> Iterator[Entry]:
        """Up to the one of this name, or all of them: a vertical of somebody else may forget to close."""
        while len(self._open) > 1:
            section = self._open.pop()
            if section.paragraphs:
                yield _with_text(section.entry, "\n".join(section.paragraphs))
            if section.name == name:
                return


def _with_text(base: Entry, text: str) -> Entry:
    return Entry(text, base.url, base.title, base.author, base.date, base.language, base.kind)
