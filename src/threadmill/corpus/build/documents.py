"""Documents, passages and link spans as every output format takes them; as CoNLL-U and JSON lines too."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from threadmill.corpus.text.delimited_text import (
    GLUE,
    JOINED,
    NO_WIDTH,
    count_tokens,
    to_sentences,
    to_text,
)
from threadmill.corpus.text.tokens import UNSPACED
from threadmill.errors import VerticalError
from threadmill.types import Token

IMAGE = "__IMG__"
Attributes = tuple[tuple[str, str], ...]

# CWB cuts a value after 4,095 bytes and a line after 65,534. manatee accepts both lengths.
MOST_VALUE_BYTES = 4095
_MOST_ATTRIBUTES = 15

# Not allowed in any line or tag: control characters, surrogates, non-characters.
# Controls, and the soft hyphen: it only says where a line may break. So does the space of no width, except in
# a script without spaces: there it ends a word.
_CONTROLS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\ud800-\udfff\ufdd0-\ufdef\ufeff\ufffe\uffff]"
    f"|(?<![{UNSPACED}]){NO_WIDTH}"
)
_NOT_IN_URL = re.compile(r"[\s|\"'<>\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_NOT_IN_NAME = re.compile(r"[^a-z0-9_]+")


class Span(NamedTuple):
    """A link or an image over the tokens start to end (exclusive) of a passage.

    A tuple rather than a dataclass, because pages have hundreds of them.
    """

    url: str
    start: int
    end: int
    kind: str = "link"  # or "image", which covers one token with the form IMAGE


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph or a heading: its sentences, and the links and images in them."""

    sentences: tuple[tuple[Token, ...], ...]
    spans: tuple[Span, ...] = ()
    attributes: Attributes = ()
    duplicate: bool = False

    @property
    def tokens(self) -> tuple[Token, ...]:
        """All tokens, sentence by sentence."""
        return tuple(token for sentence in self.sentences for token in sentence)

    @property
    def length(self) -> int:
        """The number of tokens."""
        return sum(map(len, self.sentences))

    @property
    def text(self) -> str:
        """The text of the passage, with single spaces."""
        return "".join(t.form + " " * t.space_after for t in self.tokens).strip()


class CutPassage(NamedTuple):
    """A paragraph as delimited text, without lemmas and tags. It is fast, because tokens are no objects."""

    cut: str  # see text/delimited_text.py
    spans: tuple[Span, ...] = ()

    @property
    def attributes(self) -> Attributes:
        """Always empty."""
        return ()

    @property
    def duplicate(self) -> bool:
        """Always false, because near-duplicates are found later."""
        return False

    @property
    def sentences(self) -> tuple[tuple[Token, ...], ...]:
        """The sentences as tokens."""
        return tuple(tuple(map(Token, forms, spaces)) for forms, spaces in self.forms())

    def forms(self) -> list[tuple[list[str], list[bool]]]:
        """The forms of each sentence, and whether a space follows each."""
        sentences = to_sentences(self.cut)
        after = [*(following[0] == " " for following in sentences[1:]), True]
        found = []
        for sentence, last in zip(sentences, after, strict=False):  # nothing comes of an empty text
            text = sentence.removeprefix(" ")
            forms = text.replace(" ", GLUE).split(GLUE)
            if JOINED in text:
                forms = [form.replace(JOINED, " ") for form in forms]
            spaces = [True] * len(forms)
            if GLUE in text:
                marked = text.replace(" ", f"{GLUE} ").split(GLUE)
                spaces = [form[0] == " " for form in marked[1:]]
                spaces.append(last)
            spaces[-1] = last
            found.append((forms, spaces))
        return found

    @property
    def tokens(self) -> tuple[Token, ...]:
        """All tokens, sentence by sentence."""
        return tuple(token for sentence in self.sentences for token in sentence)

    @property
    def length(self) -> int:
        """The number of tokens."""
        return count_tokens(self.cut) if self.cut else 0

    @property
    def text(self) -> str:
        """The text of the passage, with single spaces."""
        return to_text(self.cut)


def to_tokens(forms: list[str], space_after: bool = True) -> list[Token]:
    """Turn forms, which keep the space before them, into tokens, which know whether a space follows."""
    spaces = [following[0] == " " for following in forms[1:]]
    spaces.append(space_after)
    return [Token(form.lstrip(" "), space) for form, space in zip(forms, spaces, strict=True)]


AnyPassage = Passage | CutPassage


@dataclass(frozen=True, slots=True)
class Section:
    """A post of a thread, or a quote in a post."""

    name: str
    attributes: Attributes = ()
    children: tuple[AnyPassage | Section, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """One page or thread as it is written to a corpus."""

    attributes: Attributes
    children: tuple[AnyPassage | Section, ...] = ()
    head: AnyPassage | None = None
    duplicate: bool = False

    def attribute(self, name: str) -> str:
        """The value of an attribute, empty if there is none."""
        return next((value for key, value in self.attributes if key == name), "")

    def passages(self) -> Iterator[AnyPassage]:
        """All passages in order, without the head."""
        yield from _passages(self.children)


def _passages(children: Iterable[AnyPassage | Section]) -> Iterator[AnyPassage]:
    for child in children:
        if isinstance(child, Section):
            yield from _passages(child.children)
        else:
            yield child


def clean_text(text: str) -> str:
    """The text in NFC, with single spaces and without control characters."""
    spaced = " ".join(text.split())
    if spaced.isprintable() and (spaced.isascii() or unicodedata.is_normalized("NFC", spaced)):
        return spaced
    return unicodedata.normalize("NFC", " ".join(_CONTROLS.sub("", spaced).split()))


def clean_texts(texts: list[str]) -> list[str]:
    """The same for many texts. One check of all of them together is enough if all are clean, as usual."""
    whole = " ".join(filter(None, texts))
    spaced = "  " not in whole and whole.strip(" ") == whole
    if spaced and whole.isprintable() and (whole.isascii() or unicodedata.is_normalized("NFC", whole)):
        return texts
    return list(map(clean_text, texts))


def clean_url(url: str) -> str:
    """The URL with white space, quotes, brackets and bars percent-encoded: they would break a line or tag."""
    if url.isascii() and len(url) <= MOST_VALUE_BYTES and not _NOT_IN_URL.search(url):
        return url
    return _shorten(_NOT_IN_URL.sub(_percent_encode, url.strip()))


def _percent_encode(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode("utf-8", "replace"))


def clean_name(name: str) -> str:
    """The name in a form that every corpus manager accepts: [a-z][a-z0-9_]*."""
    plain = _NOT_IN_NAME.sub("_", name.lower()).strip("_") or "x"
    return plain if plain[0].isalpha() else f"x{plain}"


def clean_value(value: str) -> str:
    """The value in a form that fits into one line, with room for the quotes that a dialect escapes."""
    text = clean_text(value)
    if '"' in text:
        most = MOST_VALUE_BYTES - (len("&quot;") - 1) * text.count('"')
        return _shorten(text, max(most, MOST_VALUE_BYTES // len("&quot;"))).rstrip()
    return _shorten(text).rstrip()


def _shorten(value: str, most: int = MOST_VALUE_BYTES) -> str:
    encoded = value.encode("utf-8", "replace")
    return value if len(encoded) <= most else encoded[:most].decode("utf-8", "ignore")


def clean_attributes(attributes: Attributes) -> Attributes:
    """Attributes with writable names and values. The first of each name is kept, up to 15 of them."""
    kept: dict[str, str] = {}
    for name, value in attributes:
        cleaned = clean_url(value) if name == "url" or name.endswith("_url") else clean_value(value)
        kept.setdefault(clean_name(name), cleaned)
    return tuple(kept.items())[:_MOST_ATTRIBUTES]


def canonical(document: Document) -> Document:
    """The document in the form that every dialect can write and read back."""
    head = _canonical_passage(document.head) if document.head else None
    return Document(
        clean_attributes(document.attributes),
        _canonical_children(document.children),
        replace(head, attributes=(), duplicate=False) if head else None,
        document.duplicate,
    )


def _canonical_children(children: Iterable[AnyPassage | Section]) -> tuple[AnyPassage | Section, ...]:
    found: list[AnyPassage | Section] = []
    for child in children:
        if isinstance(child, Section):
            name = clean_name(child.name)
            found.append(
                Section(name, clean_attributes(child.attributes), _canonical_children(child.children))
            )
        elif (passage := _canonical_passage(child)) is not None:
            found.append(passage)
    return tuple(found)


def _canonical_passage(passage: AnyPassage) -> Passage | None:
    """A passage with clean forms, no empty sentence and no overlapping links. None if no sentence is left."""
    spans = _valid_spans(passage)
    images = {span.start for span in spans if span.kind == "image"}
    sentences: list[tuple[Token, ...]] = []
    at = 0
    for sentence in passage.sentences:
        sentences.append(tuple(_canonical_token(token, at + i in images) for i, token in enumerate(sentence)))
        at += len(sentence)
    kept = [sentence for sentence in sentences if sentence]
    if not kept:
        return None
    kept[-1] = (*kept[-1][:-1], replace(kept[-1][-1], space_after=True))
    return Passage(tuple(kept), spans, clean_attributes(passage.attributes), passage.duplicate)


def _canonical_token(token: Token, image: bool) -> Token:
    form = "".join(clean_text(token.form).split()) or "\ufffd"
    if (form == IMAGE) != image:
        form = IMAGE if image else "_IMG_"
    lemma = clean_text(token.lemma) or None if token.lemma else None
    tag = clean_text(token.tag) or None if token.tag else None
    return Token(_shorten(form), token.space_after, lemma, tag)


def _valid_spans(passage: AnyPassage) -> tuple[Span, ...]:
    """Spans inside the passage. Of overlapping links the first is kept, and one image per token."""
    length = len(passage.tokens)
    kept: list[Span] = []
    taken = {"link": 0, "image": 0}
    for span in sorted(passage.spans, key=lambda s: (s.start, s.end)):
        end = span.start + 1 if span.kind == "image" else span.end
        if taken[span.kind] <= span.start < end <= length and span.url.strip():
            kept.append(Span(clean_url(span.url), span.start, end, span.kind))
            taken[span.kind] = end
    # The inner span first, as in a line with both: an image is never longer than the link around it.
    return tuple(sorted(kept, key=lambda s: (s.end, s.end - s.start, s.kind)))


_UNINFLECTED = frozenset({"ADP", "CCONJ", "SCONJ"})  # the form of such a word is its lemma


def write_conllu(document: Document, identifier: str = "") -> str:
    """A document as CoNLL-U. The identifier (or else its URL) makes the ids of its sentences unique."""
    lines: list[str] = []
    identifier = identifier or document.attribute("id") or document.attribute("url") or "doc"
    passages = [("head", document.head)] if document.head else []
    passages += [("p", passage) for passage in document.passages()]
    count = 0
    for at, (kind, passage) in enumerate(passages, 1):
        for place, sentence in enumerate(passage.sentences):
            count += 1
            if count == 1:
                lines.append(f"# newdoc id = {identifier}")
                lines += [f"# doc_{name} = {value}" for name, value in document.attributes]
            if not place:
                lines.append(f"# newpar id = {identifier}-{kind}{at}")
            lines.append(f"# sent_id = {identifier}-{count}")
            text = "".join(t.form + " " * t.space_after for t in sentence).strip()
            lines += [f"# text = {text}", *_conllu_words(sentence), ""]
    return "".join(f"{line}\n" for line in lines)


def _conllu_words(sentence: tuple[Token, ...]) -> Iterator[str]:
    """The lines of a sentence. A contraction ("du", ADP+DET) has a line of its own, then those of its words.

    Its tag and lemma name the words, but not the forms of those that are inflected: these stay unspecified.
    """
    at = 1
    for token in sentence:
        misc = "_" if token.space_after else "SpaceAfter=No"
        tags = (token.tag or "_").split("+")
        tags = tags if all(tags) else [token.tag or "_"]
        if len(tags) == 1:
            yield _conllu_line(str(at), token.form, token.lemma or "_", tags[0], misc)
        else:
            yield _conllu_line(f"{at}-{at + len(tags) - 1}", token.form, "_", "_", misc)
            lemmas = (token.lemma or "").split("+")
            if len(lemmas) != len(tags) or not all(lemmas):
                lemmas = ["_"] * len(tags)
            for number, (lemma, tag) in enumerate(zip(lemmas, tags, strict=True), at):
                yield _conllu_line(str(number), lemma if tag in _UNINFLECTED else "_", lemma, tag, "_")
        at += len(tags)


def _conllu_line(identifier: str, form: str, lemma: str, tag: str, misc: str) -> str:
    return f"{identifier}\t{form}\t{lemma}\t{tag}\t_\t_\t_\t_\t_\t{misc}"


def read_conllu(lines: Iterable[str]) -> Iterator[Document]:
    """The documents of a CoNLL-U file. A multiword token becomes one token with the tags of its words."""
    attributes: list[tuple[str, str]] = []
    passages: list[tuple[str, list[tuple[Token, ...]]]] = []
    tokens: list[Token] = []
    covered = 0
    for number, raw in enumerate(lines, 1):
        line = raw.rstrip("\n")
        if line.startswith("# newdoc"):
            if passages:
                yield _conllu_document(tuple(attributes), passages)
            attributes, passages = [], []
        elif line.startswith("# doc_"):
            name, _, value = line.removeprefix("# doc_").partition(" = ")
            attributes.append((name, value))
        elif line.startswith("# newpar"):
            passages.append((line.rpartition("-")[2], []))
        elif not line:
            _end_sentence(tokens, passages)
            tokens, covered = [], 0
        elif not line.startswith("#"):
            try:
                covered = _read_word(line, tokens, covered)
            except ValueError:
                raise VerticalError(
                    f"line {number}: expected ten columns that begin with a number, but got {line[:40]!r}"
                ) from None
    if passages:
        yield _conllu_document(tuple(attributes), passages)


def _end_sentence(tokens: list[Token], passages: list[tuple[str, list[tuple[Token, ...]]]]) -> None:
    """Add a sentence to the open passage. Sentences before the first paragraph mark make one passage."""
    if tokens:
        if not passages:
            passages.append(("p", []))
        passages[-1][1].append(tuple(tokens))


def _read_word(line: str, tokens: list[Token], covered: int) -> int:
    """Add the token of a line. Returns the number of the last word that a multiword token covers."""
    identifier, form, lemma, tag, _, _, _, _, _, misc = line.split("\t")
    space = "SpaceAfter=No" not in misc.split("|")
    if "-" in identifier:
        tokens.append(Token(form, space))
        return int(identifier.partition("-")[2])
    if "." in identifier:
        return covered
    if int(identifier) > covered:
        tokens.append(Token(form, space, _column_value(lemma), _column_value(tag)))
    else:
        whole = tokens[-1]
        lemma = f"{whole.lemma}+{lemma}" if whole.lemma else lemma
        tag = f"{whole.tag}+{tag}" if whole.tag else tag
        if int(identifier) == covered:
            tokens[-1] = Token(whole.form, whole.space_after, _column_value(lemma), _column_value(tag))
        else:
            tokens[-1] = Token(whole.form, whole.space_after, lemma, tag)
    return covered


def _column_value(column: str) -> str | None:
    """The value of a column, or of that column of all words of a contraction. None if it is not known."""
    return None if set(column.split("+")) == {"_"} else column


def _conllu_document(attributes: Attributes, passages: list[tuple[str, list[tuple[Token, ...]]]]) -> Document:
    found: list[Passage | Section] = []
    head: Passage | None = None
    for kind, sentences in passages:
        if not sentences:
            continue
        *rest, last = sentences
        closed = (*last[:-1], replace(last[-1], space_after=True))
        passage = Passage((*rest, closed))
        if kind.startswith("head") and head is None and not found:
            head = passage
        else:
            found.append(passage)
    return Document(attributes, tuple(found), head)


def write_json_line(document: Document, *, tokens: bool = False) -> str:
    """A document as one line of JSON. With `tokens`, the sentences are added as lists of forms."""
    record: dict[str, Any] = dict(document.attributes)
    if document.head:
        record["head"] = document.head.text
    if document.duplicate:
        record["duplicate"] = True
    record["text"] = "\n".join(passage.text for passage in document.passages())
    record["blocks"] = _block_records(document.children, tokens)
    return json.dumps(record, ensure_ascii=False) + "\n"


def _block_records(children: Iterable[AnyPassage | Section], tokens: bool) -> list[dict[str, Any]]:
    return [
        _section_record(c, tokens) if isinstance(c, Section) else _passage_record(c, tokens) for c in children
    ]


def _section_record(section: Section, tokens: bool) -> dict[str, Any]:
    return {
        "type": section.name,
        **dict(section.attributes),
        "blocks": _block_records(section.children, tokens),
    }


def _passage_record(passage: AnyPassage, tokens: bool) -> dict[str, Any]:
    record: dict[str, Any] = {"type": "p", **dict(passage.attributes), "text": passage.text}
    if passage.duplicate:
        record["duplicate"] = True
    if passage.spans:
        offsets = _token_offsets(passage)
        record["links"] = [
            {"url": s.url, "start": offsets[s.start][0], "end": offsets[s.end - 1][1], "kind": s.kind}
            for s in passage.spans
        ]
    if tokens:
        record["sentences"] = [[token.form for token in sentence] for sentence in passage.sentences]
    return record


def _token_offsets(passage: AnyPassage) -> list[tuple[int, int]]:
    found, at = [], 0
    for token in passage.tokens:
        found.append((at, at + len(token.form)))
        at += len(token.form) + token.space_after
    return found
