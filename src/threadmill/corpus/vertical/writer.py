"""Writes documents as vertical text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import cast

from threadmill.corpus.build.documents import (
    AnyPassage,
    Attributes,
    CutPassage,
    Document,
    Section,
    Span,
)
from threadmill.corpus.text.delimited_text import (
    GLUE,
    GLUED_SENTENCE,
    JOINED,
    PASSAGE,
    SENTENCE,
    count_tokens,
    token_starts,
)
from threadmill.corpus.vertical.dialects import Dialect
from threadmill.native.loader import load_extension
from threadmill.types import Token

# The beginnings of the structures inside a passage.
_IN_PASSAGES = {"g": "<g/>", "link": "<link ", "img": "<img "}
SPACE_IN_TAG = "\x1b"  # stands for the space in a tag while spaces still separate tokens

_compiled = load_extension("vertical_lines")  # reads SPACE_IN_TAG


_MOST_LINES = 100_000  # remembered lines of tokens, some 20 MB
_NEARLY_ALL = 0.9  # of the documents; the language of short ones is often guessed wrong


@dataclass(slots=True)
class Inventory:
    """The structures of a corpus with their attributes, in the order of first use, and its size."""

    structures: dict[str, dict[str, None]] = field(default_factory=dict)
    documents: int = 0
    tokens: int = 0
    languages: dict[str, int] = field(default_factory=dict)  # documents of each

    @property
    def language(self) -> str:
        """The language of nearly all documents. Empty if there are several."""
        best = max(self.languages, key=self.languages.__getitem__, default="")
        return best if self.languages.get(best, 0) >= _NEARLY_ALL * self.documents else ""

    def add(self, name: str, attributes: Iterable[str] = ()) -> None:
        """Add a structure with its attributes."""
        known = self.structures.setdefault(name, {})
        for attribute in attributes:
            known.setdefault(attribute)

    def merge(self, other: Inventory) -> None:
        """Add the inventory of another part of the corpus."""
        for name, attributes in other.structures.items():
            self.add(name, attributes)
        self.documents += other.documents
        for code, number in other.languages.items():
            self.languages[code] = self.languages.get(code, 0) + number
        self.tokens += other.tokens


class Writer:
    """Writes documents in one dialect. The columns are the same for the whole corpus."""

    def __init__(self, dialect: Dialect, columns: Sequence[str] = ("word",)) -> None:
        self.inventory = Inventory()
        self._dialect = dialect
        self._further = tuple(columns[1:])  # of "lemma", "tag" and "lempos"
        self._lines: dict[tuple[str, str | None, str | None], str] = {}  # by form, lemma and tag

    def write(self, document: Document) -> str:
        """The lines of a document, each with its line end."""
        self.inventory.documents += 1
        if language := dict(document.attributes).get("lang"):
            self.inventory.languages[language] = self.inventory.languages.get(language, 0) + 1
        lines = [self._open("doc", document.attributes)]
        if document.duplicate:
            lines.append(self._empty("dup"))
        if document.head:
            lines += self._passages("head", [document.head])
        lines += self._children(document.children)
        lines.append("</doc>\n")
        return "\n".join(lines).replace(JOINED, " ")

    def _children(self, children: Sequence[AnyPassage | Section]) -> Iterator[str]:
        if not self._further and set(map(type, children)) == {CutPassage}:  # most documents
            yield self._cut_passages("p", cast(Sequence[CutPassage], children))
            return
        for is_section, group in groupby(children, key=_is_section):
            if not is_section:
                yield from self._passages("p", cast(Iterable[AnyPassage], group))
                continue
            for section in cast(Iterable[Section], group):
                yield self._open(section.name, section.attributes)
                yield from self._children(section.children)
                yield f"</{section.name}>"

    def _passages(self, name: str, passages: Iterable[AnyPassage]) -> Iterator[str]:
        for is_cut, group in groupby(passages, key=_is_cut):
            if is_cut and not self._further:
                yield self._cut_passages(name, list(cast(Iterable[CutPassage], group)))
            else:
                for passage in group:
                    yield "\n".join(self._passage(name, passage))

    def _cut_passages(self, name: str, passages: Sequence[CutPassage]) -> str:
        """The lines of passages in delimited text, all at once: delimiters become line ends and tags."""
        text = PASSAGE.join([passage.cut for passage in passages])
        written = self._compiled_lines(text, name, passages)
        if written is not None:
            self.inventory.tokens += written[1]
            self._add_structures(written[0], name)
            return written[0]
        text = self._dialect.write_cut(text)
        self.inventory.tokens += count_tokens(text)
        linked = [at for at, passage in enumerate(passages) if passage.spans]
        if linked:
            parts = text.split(PASSAGE)
            for at in linked:
                parts[at] = self._with_spans(parts[at], passages[at].spans)
            text = PASSAGE.join(parts)
        lines = (
            text.replace(GLUE, "\n<g/>\n")
            .replace(" ", "\n")
            .replace(SENTENCE, "\n</s>\n<s>\n")
            .replace(GLUED_SENTENCE, "\n</s>\n<g/>\n<s>\n")
            .replace(PASSAGE, f"\n</s>\n</{name}>\n<{name}>\n<s>\n")
        )
        if linked:
            lines = lines.replace(SPACE_IN_TAG, " ")
        self._add_structures(lines, name)
        return f"<{name}>\n<s>\n{lines}\n</s>\n</{name}>"

    def _compiled_lines(self, text: str, name: str, passages: Sequence[CutPassage]) -> tuple[str, int] | None:
        """The same by compiled code, with the number of tokens. None where it is not available."""
        if _compiled is None:
            return None
        columns = _link_columns if self._dialect.links_in_columns else None
        spans = [passage.spans for passage in passages]
        written: tuple[str, int] | None = _compiled.write(text, name, spans, self._dialect, columns)
        return written

    def _add_structures(self, lines: str, name: str) -> None:
        """Add the structures of some lines to the inventory, in the order of the text."""
        known = self.inventory.structures
        for structure in (name, "s"):
            if structure not in known:
                self.inventory.add(structure)
        if all(structure in known for structure in _IN_PASSAGES):
            return
        places = {lines.find(begin): structure for structure, begin in _IN_PASSAGES.items()}
        for place, structure in sorted(places.items()):
            if place >= 0:
                self.inventory.add(structure, () if structure == "g" else ("url",))

    def _with_spans(self, cut: str, spans: Sequence[Span]) -> str:
        """A delimited text with the tags of its links and images as lines of their own."""
        if len(spans) == 1:
            return self._with_span(cut, spans[0])
        begins = token_starts(cut)
        in_columns = self._dialect.links_in_columns
        ends, opened = _spans_by_token(spans)
        parts, done = [], 0
        for place in sorted({*ends} if in_columns else {*ends, *opened}):
            begin, end = begins[place], begins[place + 1] - 1
            if in_columns:
                parts += [cut[done:end], _link_columns(ends[place])]
            else:
                parts.append(cut[done:begin])
                parts += [self._span_tag(span) for span in opened.get(place, ())]
                parts.append(cut[begin:end])
                parts += [f"\n</{_structure(span)}>" for span in ends.get(place, ())]
            done = end
        return "".join([*parts, cut[done:]])

    def _with_span(self, cut: str, span: Span) -> str:
        """The same for one span. A link over the whole text, as in lists, needs no counting of tokens."""
        begin, end = 0, len(cut)
        if span.start or span.end != count_tokens(cut):
            begins = token_starts(cut)
            begin, end = begins[span.start], begins[span.end] - 1
        if self._dialect.links_in_columns:
            return f"{cut[:end]}{_link_columns((span,))}{cut[end:]}"
        return f"{cut[:begin]}{self._span_tag(span)}{cut[begin:end]}\n</{_structure(span)}>{cut[end:]}"

    def _span_tag(self, span: Span) -> str:
        return f"<{_structure(span)}{SPACE_IN_TAG}url={self._dialect.write_value(span.url)}>\n"

    def _passage(self, name: str, passage: AnyPassage) -> list[str]:
        """The lines of a passage. A list takes less time than a generator inside of generators."""
        lines = [self._open(name, passage.attributes)]
        if passage.duplicate:
            lines.append(self._empty("dup"))
        if passage.spans:
            lines += self._marked_sentences(passage)
        elif self._further:
            lines += self._annotated_sentences(passage)
        else:
            lines += self._plain_sentences(passage)
        lines.append(f"</{name}>")
        return lines

    def _plain_sentences(self, passage: AnyPassage) -> Iterator[str]:
        """The lines of a passage with one column and without links."""
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

    def _annotated_sentences(self, passage: AnyPassage) -> Iterator[str]:
        """The lines of a passage with lemmas or tags and without links."""
        glued = False
        for sentence in passage.sentences:
            if glued:
                yield self._empty("g")
            yield self._open("s", ())
            spaces = [token.space_after for token in sentence]
            glued = not spaces.pop()
            self.inventory.tokens += len(sentence)
            lines = self._columns(sentence)
            if not all(spaces):
                tag = self._empty("g")
                for at, space in enumerate(spaces):
                    if not space:
                        lines[at] = f"{lines[at]}\n{tag}"
            yield "\n".join(lines)
            yield "</s>"

    def _marked_sentences(self, passage: AnyPassage) -> Iterator[str]:
        """The lines of a passage with links."""
        ends, starts = _spans_by_token(passage.spans)
        marked = {*ends} if self._dialect.links_in_columns else {*ends, *starts}
        at, glued = 0, False
        for sentence in passage.sentences:
            if glued:
                yield self._empty("g")
            yield self._open("s", ())
            lines = self._columns(sentence)
            joined = {place for place, token in enumerate(sentence, 1) if not token.space_after}
            glued = len(sentence) in joined
            joined.discard(len(sentence))
            linked = {place - at for place in marked if at <= place < at + len(sentence)}
            for place in sorted(joined | linked):  # in the order of the text: so structures become known
                before = [self._empty("g")] if place in joined else []
                own = lines[place : place + 1]
                if place in linked:
                    own = self._linked_lines(own[0], starts.get(at + place, ()), ends.get(at + place, ()))
                lines[place] = "\n".join(before + own)
            yield "\n".join(lines)
            yield "</s>"
            at += len(sentence)
        self.inventory.tokens += at

    def _linked_lines(self, line: str, starts: Sequence[Span], ends: Sequence[Span]) -> list[str]:
        """The line of a token with which links begin or end, and the lines of these."""
        if self._dialect.links_in_columns:
            return [line + _link_columns(ends)]
        opened = [self._open(_structure(span), (("url", span.url),)) for span in starts]
        return [*opened, line, *(f"</{_structure(span)}>" for span in ends)]

    def _columns(self, sentence: Sequence[Token]) -> list[str]:
        """The columns of each token. Most tokens were there before with the same lemma and tag."""
        known = self._lines.get
        return [known((token.form, token.lemma, token.tag)) or self._line(token) for token in sentence]

    def _line(self, token: Token) -> str:
        write = self._dialect.write_column
        values = [write(_column_value(token, column)) for column in self._further]
        line = "\t".join([self._dialect.write_form(token.form), *values])
        if len(self._lines) >= _MOST_LINES:
            self._lines.clear()
        self._lines[token.form, token.lemma, token.tag] = line
        return line

    def _open(self, name: str, attributes: Attributes) -> str:
        if not attributes:
            if name not in self.inventory.structures:
                self.inventory.add(name)
            return f"<{name}>"
        self.inventory.add(name, (key for key, _ in attributes))
        written = " ".join(f"{key}={self._dialect.write_value(value)}" for key, value in attributes)
        return f"<{name} {written}>"

    def _empty(self, name: str) -> str:
        if name not in self.inventory.structures:
            self.inventory.add(name)
        return f"<{name}/>"


def _is_section(child: AnyPassage | Section) -> bool:
    return isinstance(child, Section)


def _is_cut(passage: AnyPassage) -> bool:
    return isinstance(passage, CutPassage)


def _link_columns(spans: Sequence[Span]) -> str:
    return "".join(f'\t<link="{s.url}">\t<length={s.end - s.start}>' for s in spans)


def _spans_by_token(spans: Iterable[Span]) -> tuple[dict[int, list[Span]], dict[int, list[Span]]]:
    """Spans by their last token (inner ones first), and by their first token (outer ones first)."""
    ends: dict[int, list[Span]] = {}
    starts: dict[int, list[Span]] = {}
    for span in spans:
        ends.setdefault(span.end - 1, []).append(span)
        starts.setdefault(span.start, []).insert(0, span)
    return ends, starts


def _structure(span: Span) -> str:
    return "img" if span.kind == "image" else "link"


def _column_value(token: Token, column: str) -> str | None:
    if column == "lempos":
        return lempos(token)
    return token.lemma if column == "lemma" else token.tag


# The letters of lempos in (No)Sketch Engine, by the part of speech. All others have an x.
LEMPOS = {
    "NOUN": "n",
    "PROPN": "n",
    "VERB": "v",
    "AUX": "v",
    "ADJ": "j",
    "ADV": "a",
    "PRON": "d",
    "ADP": "i",
    "CCONJ": "c",
    "SCONJ": "c",
    "NUM": "m",
}


def lempos(token: Token) -> str | None:
    """The lemma with a letter for its part of speech: mill-n. None without lemma or tag."""
    if not token.lemma or not token.tag:
        return None
    return f"{token.lemma}-{LEMPOS.get(token.tag.partition('+')[0], 'x')}"
