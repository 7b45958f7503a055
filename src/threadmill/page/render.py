"""A page that was read, written out: Markdown, and a record for JSON lines."""

from __future__ import annotations

import re
from typing import Any

from threadmill.types import Page, Paragraph, ParagraphClass

_SPECIAL = re.compile(r"([\\`*_\[\]<>])")
_LEADING = re.compile(r"^(\s*)([#+\-]|\d+[.)])(?=\s)", re.MULTILINE)


def to_markdown(page: Page) -> str:
    """The good paragraphs as Markdown: headings, lists, quotes, code, links and images."""
    kept = [p for p in page.paragraphs if p.verdict is ParagraphClass.GOOD and (p.text or p.links)]
    lines: list[str] = []
    for before, paragraph in zip([None, *kept], kept, strict=False):
        tight = before is not None and before.kind == paragraph.kind == "li"
        lines.append(("" if tight or before is None else "\n") + _markdown(paragraph))
    return "\n".join(lines)


def _markdown(paragraph: Paragraph) -> str:
    if paragraph.kind == "pre":
        fence = "```" if "```" not in paragraph.text else "~~~~"
        return f"{fence}\n{paragraph.text}\n{fence}"
    text = _with_links(paragraph)
    if paragraph.kind[:1] == "h" and paragraph.kind[1:].isdigit():
        return f"{'#' * int(paragraph.kind[1:])} {' '.join(text.split())}"
    if paragraph.kind == "li":
        return "- " + text.replace("\n", "\n  ")
    if "blockquote" in paragraph.path:
        return "> " + text.replace("\n", "\n> ")
    return text.replace("\n", "  \n")


def _with_links(paragraph: Paragraph) -> str:
    text, at, pieces = paragraph.text, 0, []
    for link in sorted(paragraph.links, key=lambda link: (link.start, link.end)):
        if link.start < at or (link.start == link.end and link.kind == "link"):
            continue
        pieces.append(_escaped(text[at : link.start]))
        target = link.url.replace(" ", "%20").replace(")", "%29")
        if link.kind == "image":
            pieces.append(f"![{_escaped(link.text)}]({target})")
        else:
            pieces.append(f"[{_escaped(text[link.start : link.end])}]({target})")
        at = link.end
    pieces.append(_escaped(text[at:]))
    return _LEADING.sub(r"\1\\\2", "".join(pieces))


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def to_record(page: Page) -> dict[str, Any]:
    """A page as plain values: its metadata and every paragraph with class, reason and links."""
    metadata = page.metadata
    return {
        "url": page.url,
        "language": page.language,
        "language_confidence": round(page.language_confidence, 4),
        "encoding": page.encoding,
        "metadata": {
            "title": metadata.title,
            "author": metadata.author,
            "date": metadata.date.isoformat() if metadata.date else None,
            "site_name": metadata.site_name,
            "canonical_url": metadata.canonical_url,
            "description": metadata.description,
            "licence": metadata.licence,
            "alternates": [list(pair) for pair in metadata.alternates],
            "schema": list(metadata.schema),
            "sources": metadata.sources,
        },
        "text": page.text,
        "paragraphs": [_paragraph_record(paragraph) for paragraph in page.paragraphs],
    }


def _paragraph_record(paragraph: Paragraph) -> dict[str, Any]:
    return {
        "text": paragraph.text,
        "class": str(paragraph.verdict),
        "reason": paragraph.reason,
        "kind": paragraph.kind,
        "path": paragraph.path,
        "language": paragraph.language,
        "links": [
            {"url": link.url, "text": link.text, "start": link.start, "end": link.end, "kind": link.kind}
            for link in paragraph.links
        ],
    }
