"""Writes documents as CoNLL-U, the format of Universal Dependencies and most taggers, and as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from threadmill.corpus.build.documents import AnyPassage, Attributes, Document, Passage, Section
from threadmill.types import Token


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
    for at, token in enumerate(sentence, 1):
        misc = "_" if token.space_after else "SpaceAfter=No"
        yield f"{at}\t{token.form}\t{token.lemma or '_'}\t{token.tag or '_'}\t_\t_\t_\t_\t_\t{misc}"


def read_conllu(lines: Iterable[str]) -> Iterator[Document]:
    """The documents of a CoNLL-U file. A multiword token becomes one token."""
    attributes: list[tuple[str, str]] = []
    passages: list[tuple[str, list[tuple[Token, ...]]]] = []
    tokens: list[Token] = []
    covered = 0
    for raw in lines:
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
            covered = _read_word(line, tokens, covered)
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
    if "." not in identifier and int(identifier) > covered:
        tokens.append(Token(form, space, _column_value(lemma), _column_value(tag)))
    return covered


def _column_value(column: str) -> str | None:
    return None if column == "_" else column


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
