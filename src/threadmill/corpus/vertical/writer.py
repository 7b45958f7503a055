"""Documents to vertical text, with an inventory of what was written for the registry file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from threadmill.corpus.documents import AnyPassage, Attributes, CutPassage, Document, Section, Span
from threadmill.corpus.vertical.dialects import Dialect
from threadmill.types import Token


@dataclass(slots=True)
class Inventory:
    """The structures of a corpus with their attributes, in the order they were first seen, and its size."""

    structures: dict[str, dict[str, None]] = field(default_factory=dict)
    documents: int = 0
    tokens: int = 0

    def saw(self, name: str, attributes: Iterable[str] = ()) -> None:
        """Remember a structure."""
        known = self.structures.setdefault(name, {})
        for attribute in attributes:
            known.setdefault(attribute)

    def merge(self, other: Inventory) -> None:
        """Add what another part of the corpus has."""
        for name, attributes in other.structures.items():
            self.saw(name, attributes)
        self.documents += other.documents
        self.tokens += other.tokens


class Writer:
    """Writes canonical documents in one dialect; columns are fixed for the whole corpus."""

    def __init__(self, dialect: Dialect, columns: Sequence[str] = ("word",)) -> None:
        self.inventory = Inventory()
        self._dialect = dialect
        self._tagged = "lemma" in columns
        self._columns = tuple(columns)

    def write(self, document: Document) -> str:
        """The lines of a document, each with its line end."""
        self.inventory.documents += 1
        lines = [self._open("doc", document.attributes)]
        if document.duplicate:
            lines.append(self._empty("dup"))
        if document.head:
            lines += self._passage("head", document.head)
        lines += self._children(document.children)
        lines.append("</doc>\n")
        return "\n".join(lines)

    def _children(self, children: Iterable[AnyPassage | Section]) -> Iterator[str]:
        for child in children:
            if isinstance(child, Section):
                yield self._open(child.name, child.attributes)
                yield from self._children(child.children)
                yield f"</{child.name}>"
            else:
                yield from self._passage("p", child)

    def _passage(self, name: str, passage: AnyPassage) -> Iterator[str]:
        yield self._open(name, passage.attributes)
        if passage.duplicate:
            yield self._empty("dup")
        if isinstance(passage, CutPassage) and not self._tagged:
            yield from self._linked_forms(passage) if passage.spans else self._plain_forms(passage)
        elif passage.spans or self._tagged:
            yield from self._marked_sentences(passage)
        else:
            yield from self._plain_sentences(passage)
        yield f"</{name}>"

    def _plain_forms(self, passage: CutPassage) -> Iterator[str]:
        """Most passages, a sentence at a time: a form without a space before it is glued to the last one."""
        for number, forms in enumerate(passage.forms):
            self.inventory.tokens += len(forms)
            text = self._dialect.write_forms("\n".join(forms))
            if text[0] == " ":
                text = text[1:]
            elif number:
                yield self._empty("g")
            yield self._open("s", ())
            if text.count("\n") != text.count("\n "):
                self._empty("g")
            yield text.replace("\n ", "\0").replace("\n", "\n<g/>\n").replace("\0", "\n")
            yield "</s>"

    def _linked_forms(self, passage: CutPassage) -> Iterator[str]:
        """The same with the lines of links put in at their places."""
        ends, starts = _by_place(passage.spans)
        at = 0
        for number, forms in enumerate(passage.forms):
            rows = self._dialect.write_forms("\n".join(forms)).split("\n")
            glued = [row[0] != " " for row in rows]
            if glued[0] and number:
                yield self._empty("g")
            yield self._open("s", ())
            if any(glued[1:]):
                self._empty("g")
            rows = [row.lstrip(" ") for row in rows]
            last = at + len(rows)
            for place in {*starts, *ends}:
                if at <= place < last:
                    rows[place - at] = self._with_spans(
                        rows[place - at], starts.get(place, ()), ends.get(place, ())
                    )
            yield rows[0]
            yield from (f"<g/>\n{row}" if g else row for row, g in zip(rows[1:], glued[1:], strict=True))
            yield "</s>"
            at = last
        self.inventory.tokens += at

    def _with_spans(self, row: str, starts: Sequence[Span], ends: Sequence[Span]) -> str:
        if self._dialect.links_in_columns:
            return row + _columns(ends)
        opening = (self._open(_structure(span), (("url", span.url),)) for span in starts)
        return "\n".join([*opening, row, *(f"</{_structure(span)}>" for span in ends)])

    def _plain_sentences(self, passage: AnyPassage) -> Iterator[str]:
        """Most passages: a column, no links, and hardly ever a sign that has to be escaped."""
        glued = False
        for sentence in passage.sentences:
            if glued:
                yield self._empty("g")
            yield self._open("s", ())
            forms = [token.form for token in sentence]
            text = "\n".join(forms)
            if "<" in text or "&" in text or "|" in text or self._dialect.entities:
                forms = list(map(self._dialect.write_form, forms))
            spaces = [token.space_after for token in sentence]
            glued = not spaces[-1]
            self.inventory.tokens += len(forms)
            if not all(spaces[:-1]):
                self._empty("g")
                last = forms.pop()
                yield from (
                    form if space else f"{form}\n<g/>" for form, space in zip(forms, spaces, strict=False)
                )
                yield last
            else:
                yield from forms
            yield "</s>"

    def _marked_sentences(self, passage: AnyPassage) -> Iterator[str]:
        """Passages with links, or with a lemma and a tag on each line."""
        ends, starts = _by_place(passage.spans)
        at, glued = 0, False
        for sentence in passage.sentences:
            if glued:
                yield self._empty("g")
            yield self._open("s", ())
            for place, token in enumerate(sentence):
                if glued and place:
                    yield self._empty("g")
                yield from self._position(token, starts.get(at, ()), ends.get(at, ()))
                glued = not token.space_after
                at += 1
            yield "</s>"
        self.inventory.tokens += at

    def _position(self, token: Token, starts: Sequence[Span], ends: Sequence[Span]) -> Iterator[str]:
        if self._dialect.links_in_columns:
            yield self._line(token, ends)
            return
        yield from (self._open(_structure(span), (("url", span.url),)) for span in starts)
        yield self._line(token, ())
        yield from (f"</{_structure(span)}>" for span in ends)

    def _line(self, token: Token, spans: Sequence[Span]) -> str:
        dialect = self._dialect
        line = dialect.write_form(token.form)
        if self._tagged:
            line = f"{line}\t{dialect.write_column(token.lemma)}\t{dialect.write_column(token.tag)}"
        return line + _columns(spans)

    def _open(self, name: str, attributes: Attributes) -> str:
        self.inventory.saw(name, (key for key, _ in attributes))
        if not attributes:
            return f"<{name}>"
        written = " ".join(f"{key}={self._dialect.write_value(value)}" for key, value in attributes)
        return f"<{name} {written}>"

    def _empty(self, name: str) -> str:
        self.inventory.saw(name)
        return f"<{name}/>"


def _columns(spans: Sequence[Span]) -> str:
    return "".join(f'\t<link="{s.url}">\t<length={s.end - s.start}>' for s in spans)


def _structure(span: Span) -> str:
    return "img" if span.kind == "image" else "link"


def _by_place(spans: Iterable[Span]) -> tuple[dict[int, list[Span]], dict[int, list[Span]]]:
    """Spans by their last token, inner ones first, and by their first, outer ones first."""
    ends: dict[int, list[Span]] = {}
    starts: dict[int, list[Span]] = {}
    for span in spans:
        ends.setdefault(span.end - 1, []).append(span)
        starts.setdefault(span.start, []).insert(0, span)
    return ends, starts
