"""Documents to CoNLL-U and back: the format of Universal Dependencies and of most taggers and parsers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from threadmill.corpus.build.documents import Attributes, Document, Passage, Section
from threadmill.types import Token


def write(document: Document, identifier: str = "") -> str:
    """The sentences of a document; an identifier, else its URL, makes the ids of sentences unique."""
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
            lines += [f"# text = {text}", *_words(sentence), ""]
    return "".join(f"{line}\n" for line in lines)


def _words(sentence: tuple[Token, ...]) -> Iterator[str]:
    for at, token in enumerate(sentence, 1):
        misc = "_" if token.space_after else "SpaceAfter=No"
        yield f"{at}\t{token.form}\t{token.lemma or '_'}\t{token.tag or '_'}\t_\t_\t_\t_\t_\t{misc}"


def read(lines: Iterable[str]) -> Iterator[Document]:
    """The documents of a file; a multiword token is one token."""
    attributes: list[tuple[str, str]] = []
    passages: list[tuple[str, list[tuple[Token, ...]]]] = []
    tokens: list[Token] = []
    covered = 0
    for raw in lines:
        line = raw.rstrip("\n")
        if line.startswith("# newdoc"):
            if passages:
                yield _document(tuple(attributes), passages)
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
            covered = _read_word(line, tokens, covered)
    if passages:
        yield _document(tuple(attributes), passages)


def _end_sentence(tokens: list[Token], passages: list[tuple[str, list[tuple[Token, ...]]]]) -> None:
    """Put a sentence into the open passage; sentences before any paragraph mark make one passage."""
    if tokens:
        if not passages:
            passages.append(("p", []))
        passages[-1][1].append(tuple(tokens))


def _read_word(line: str, tokens: list[Token], covered: int) -> int:
    """Add the token of a line; the last word that a multiword token covers."""
    identifier, form, lemma, tag, _, _, _, _, _, misc = line.split("\t")
    space = "SpaceAfter=No" not in misc.split("|")
    if "-" in identifier:
        tokens.append(Token(form, space))
        return int(identifier.partition("-")[2])
    if "." not in identifier and int(identifier) > covered:
        tokens.append(Token(form, space, _known(lemma), _known(tag)))
    return covered


def _known(column: str) -> str | None:
    return None if column == "_" else column


def _document(attributes: Attributes, passages: list[tuple[str, list[tuple[Token, ...]]]]) -> Document:
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
