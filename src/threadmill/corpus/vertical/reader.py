"""Reads vertical text back into documents, one at a time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from threadmill.corpus.build.documents import IMAGE, Attributes, Document, Passage, Section, Span
from threadmill.corpus.vertical.dialects import Dialect
from threadmill.errors import VerticalError
from threadmill.types import Token

ATTRIBUTE = re.compile(r"""\s+([a-z][a-z0-9_]*)=(?:"([^"]*)"|'([^']*)')""")
TAG = re.compile(r"""<(/?)([a-z][a-z0-9_]*)((?:\s+[a-z][a-z0-9_]*=(?:"[^"]*"|'[^']*'))*)\s*(/?)>""")
_LINK = re.compile(r'<link="([^"]*)">')
_DOCUMENTS = frozenset({"doc", "text"})  # CQPweb calls a document a text
_LENGTH = re.compile(r"<length=(\d+)>")


@dataclass(slots=True)
class _OpenPassage:
    name: str
    attributes: Attributes
    sentences: list[tuple[Token, ...]] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    begun: dict[str, tuple[int, str]] = field(
        default_factory=dict
    )  # open links and images: first token and URL
    count: int = 0
    duplicate: bool = False

    def glue(self) -> None:
        """Note that no white space follows the last token."""
        if self.tokens:
            self.tokens[-1] = replace(self.tokens[-1], space_after=False)
        elif self.sentences and self.sentences[-1]:  # a sentence may be empty
            *rest, last = self.sentences[-1]
            self.sentences[-1] = (*rest, replace(last, space_after=False))

    def passage(self) -> Passage:
        return Passage(tuple(self.sentences), tuple(self.spans), self.attributes, self.duplicate)


def read(lines: Iterable[str], dialect: Dialect, columns: Sequence[str] = ("word",)) -> Iterator[Document]:
    """The documents of a vertical file that the writer of this dialect wrote."""
    reader = _VerticalReader(dialect, columns[1:])
    for number, line in enumerate(lines, 1):
        document = reader.line(line.rstrip("\n"), number)
        if document is not None:
            yield document


class _VerticalReader:
    def __init__(self, dialect: Dialect, further: Sequence[str]) -> None:
        self._dialect = dialect
        self._further = tuple(further)  # of "lemma" and "tag"
        self._attributes: Attributes = ()
        self._duplicate = False
        self._head: Passage | None = None
        # Open sections, the document first: name, attributes, children so far.
        self._stack: list[tuple[str, Attributes, list[Passage | Section]]] = []
        self._passage: _OpenPassage | None = None

    def line(self, line: str, number: int) -> Document | None:
        match = TAG.fullmatch(line)
        if match is None:
            self._token(line, number)
            return None
        closing, name, attributes, empty = match.groups()
        if empty:
            self._empty(name)
        elif closing:
            return self._close(name, number)
        else:
            self._open(name, self._read_attributes(attributes), number)
        return None

    def _token(self, line: str, number: int) -> None:
        passage = self._passage
        if passage is None:
            raise VerticalError(f"line {number}: expected a structure tag, but got the token {line[:40]!r}")
        form, *rest = line.split("\t")
        values: dict[str, str | None] = {}
        if self._further and len(rest) >= len(self._further):
            values = dict(zip(self._further, map(self._dialect.read_column, rest), strict=False))
            rest = rest[len(self._further) :]
        token = Token(self._dialect.read_form(form), True, values.get("lemma"), values.get("tag"))
        passage.tokens.append(token)
        passage.count += 1
        for at in range(0, len(rest) - 1, 2):
            link, length = _LINK.fullmatch(rest[at]), _LENGTH.fullmatch(rest[at + 1])
            if link and length:
                kind = "image" if at == 0 and token.form == IMAGE and length.group(1) == "1" else "link"
                start = passage.count - int(length.group(1))
                passage.spans.append(Span(link.group(1), start, passage.count, kind))

    def _empty(self, name: str) -> None:
        if name == "g" and self._passage:
            self._passage.glue()
        elif name == "dup" and self._passage:
            self._passage.duplicate = True
        elif name == "dup":
            self._duplicate = True

    def _open(self, name: str, attributes: Attributes, number: int) -> None:
        if name in _DOCUMENTS and not self._stack:
            self._attributes, self._duplicate, self._head = attributes, False, None
            self._stack = [(name, attributes, [])]
        elif not self._stack:
            raise VerticalError(f"line {number}: <{name}> outside <doc>")
        elif name in {"p", "head"} and self._passage is None:
            self._passage = _OpenPassage(name, attributes)
        elif self._passage is None:
            self._stack.append((name, attributes, []))
        elif name in {"link", "img"}:
            self._passage.begun[name] = (self._passage.count, dict(attributes).get("url", ""))

    def _close(self, name: str, number: int) -> Document | None:
        passage = self._passage
        if passage is not None:
            self._close_in_passage(passage, name)
            return None
        if not self._stack or self._stack[-1][0] != name:
            raise VerticalError(f"line {number}: </{name}> closes nothing")
        _, attributes, children = self._stack.pop()
        if not self._stack:
            return Document(self._attributes, tuple(children), self._head, self._duplicate)
        self._stack[-1][2].append(Section(name, attributes, tuple(children)))
        return None

    def _close_in_passage(self, passage: _OpenPassage, name: str) -> None:
        if name == "s":
            passage.sentences.append(tuple(passage.tokens))
            passage.tokens = []
        elif name in {"link", "img"} and name in passage.begun:
            start, url = passage.begun.pop(name)
            passage.spans.append(Span(url, start, passage.count, "image" if name == "img" else "link"))
        elif name == passage.name:
            if name == "head":
                self._head = passage.passage()
            else:
                self._stack[-1][2].append(passage.passage())
            self._passage = None

    def _read_attributes(self, text: str) -> Attributes:
        read_value = self._dialect.read_value
        return tuple((m[1], read_value(m[2] if m[2] is not None else m[3])) for m in ATTRIBUTE.finditer(text))
