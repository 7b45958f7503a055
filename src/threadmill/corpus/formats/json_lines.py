"""Documents to JSON lines: attributes, paragraphs as text, links with character offsets."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from threadmill.corpus.build.documents import AnyPassage, Document, Section


def write(document: Document, *, tokens: bool = False) -> str:
    """One line; with tokens also the sentences as lists of forms."""
    record: dict[str, Any] = dict(document.attributes)
    if document.head:
        record["head"] = document.head.text
    if document.duplicate:
        record["duplicate"] = True
    record["text"] = "\n".join(passage.text for passage in document.passages())
    record["blocks"] = _blocks(document.children, tokens)
    return json.dumps(record, ensure_ascii=False) + "\n"


def _blocks(children: Iterable[AnyPassage | Section], tokens: bool) -> list[dict[str, Any]]:
    return [_section(c, tokens) if isinstance(c, Section) else _passage(c, tokens) for c in children]


def _section(section: Section, tokens: bool) -> dict[str, Any]:
    return {"type": section.name, **dict(section.attributes), "blocks": _blocks(section.children, tokens)}


def _passage(passage: AnyPassage, tokens: bool) -> dict[str, Any]:
    record: dict[str, Any] = {"type": "p", **dict(passage.attributes), "text": passage.text}
    if passage.duplicate:
        record["duplicate"] = True
    if passage.spans:
        offsets = _offsets(passage)
        record["links"] = [
            {"url": s.url, "start": offsets[s.start][0], "end": offsets[s.end - 1][1], "kind": s.kind}
            for s in passage.spans
        ]
    if tokens:
        record["sentences"] = [[token.form for token in sentence] for sentence in passage.sentences]
    return record


def _offsets(passage: AnyPassage) -> list[tuple[int, int]]:
    found, at = [], 0
    for token in passage.tokens:
        found.append((at, at + len(token.form)))
        at += len(token.form) + token.space_after
    return found
