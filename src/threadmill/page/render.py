"""Writes cleaned pages: in every format that keeps text, and side by side with another extractor.

render() is the way in. A page that comes fresh from clean() is written with its structure; one that was
changed or stored has its paragraphs only.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from difflib import SequenceMatcher
from html import escape
from types import SimpleNamespace
from typing import Any

from threadmill.errors import MissingDependencyError, UsageError
from threadmill.page.clean import LazyPage
from threadmill.page.structure import StructureOptions
from threadmill.page.structured_formats import write_page
from threadmill.types import Metadata, Page, Paragraph, ParagraphClass

_SPECIAL = re.compile(r"([\\`*_\[\]<>])")
# Only spaces of the same line: thousands of empty lines would be tried from each of them.
_LEADING = re.compile(r"^([^\S\n]*+\d*+)((?<=\d)[.)]|(?<!\d)[#+\-])(?=\s)", re.MULTILINE)


FORMATS = ("text", "markdown", "html", "xml", "tei", "csv", "json")
CSV_HEAD = ("url", "title", "author", "date", "site_name", "language", "text", "comments")


def render(page: Page, name: str, options: StructureOptions) -> str:
    """A page in a format of FORMATS."""
    if name not in FORMATS:
        raise UsageError(f"expected a format of {', '.join(FORMATS)}, not {name!r}")
    if name == "text":
        return page.text if options.tables else _text_without_tables(page)
    if name == "json":
        return json.dumps(to_record(page), ensure_ascii=False)
    if name == "csv":
        return _csv_row(page)
    if isinstance(page, LazyPage):
        return write_page(page, name, options)
    if name == "markdown":
        return to_markdown(page)
    raise UsageError(
        f"expected a page as clean() gives it, without a hook, for {name}; write markdown or json"
    )


_LEAST_REPEATED = 50  # characters: shorter paragraphs, such as headings, may repeat
_MOST_REMEMBERED = 5_000_000  # paragraphs; some 500 MB


class RepeatedParagraphs:
    """Remembers the paragraphs of a run, and takes those that came before out of the content."""

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def left_out(self, page: Page) -> Page:
        """The page, with repeated paragraphs as boilerplate."""
        paragraphs = tuple(self._judge(paragraph) for paragraph in page.paragraphs)
        whole = page.whole() if isinstance(page, LazyPage) else page
        return replace(whole, paragraphs=paragraphs)

    def _judge(self, paragraph: Paragraph) -> Paragraph:
        if paragraph.verdict is not ParagraphClass.GOOD or len(paragraph.text) < _LEAST_REPEATED:
            return paragraph
        known = hash(paragraph.text)
        if known in self._seen:
            return paragraph._replace(verdict=ParagraphClass.BAD, reason="written before in this run")
        if len(self._seen) < _MOST_REMEMBERED:
            self._seen.add(known)
        return paragraph


def _text_without_tables(page: Page) -> str:
    return "\n".join(p.text for p in page.good if p.text and ".table." not in f".{p.path}.")


def _csv_row(page: Page) -> str:
    """One line of CSV, with the columns of CSV_HEAD."""
    metadata = page.metadata
    row = (
        page.url or "",
        metadata.title,
        metadata.author,
        metadata.date.isoformat() if metadata.date else "",
        metadata.site_name,
        page.language,
        page.text,
        "\n".join(paragraph.text for paragraph in page.comments),
    )
    return csv_line(row)


def csv_line(row: Iterable[str]) -> str:
    """Values as one line of CSV."""
    written: list[str] = []
    # Values with the character that ends a line are quoted.
    csv.writer(SimpleNamespace(write=written.append), lineterminator="\n").writerow(row)
    return "".join(written).removesuffix("\n")


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
        "metadata": metadata_record(metadata),
        "text": page.text,
        "comments": "\n".join(paragraph.text for paragraph in page.comments),
        "paragraphs": [_paragraph_record(paragraph) for paragraph in page.paragraphs],
    }


def metadata_record(metadata: Metadata) -> dict[str, Any]:
    """What is known about a page, as plain values."""
    return {
        "title": metadata.title,
        "author": metadata.author,
        "authors": list(metadata.authors),
        "date": metadata.date.isoformat() if metadata.date else None,
        "modified": metadata.modified.isoformat() if metadata.modified else None,
        "site_name": metadata.site_name,
        "language": metadata.language,
        "categories": list(metadata.categories),
        "tags": list(metadata.tags),
        "licence": metadata.licence,
        "description": metadata.description,
        "image": metadata.image,
        "canonical_url": metadata.canonical_url,
        "kind": metadata.kind,
        "alternates": [list(pair) for pair in metadata.alternates],
        "schema": list(metadata.schema),
        "sources": metadata.sources,
        "confidence": metadata.confidence,
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


Extractor = Callable[[str], str]

_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Threadmill: two extractors side by side</title>
<style>
body{font:15px/1.4 sans-serif;margin:1rem}
table{border-collapse:collapse;width:100%;table-layout:fixed}
td,th{vertical-align:top;padding:.2rem .5rem;border-bottom:1px solid #ddd;text-align:left}
td{overflow-wrap:anywhere}
.left{background:#fde2e2} .right{background:#e0f3e0} .none{background:#f6f6f6}
h2{font-size:1rem;margin-top:2rem}
</style></head><body>
<h1>FIRST and SECOND</h1>
<p>Red: only in the first. Green: only in the second.</p>
"""


def extractor(name: str) -> Extractor:
    """An extractor of other makers by its name."""
    known: dict[str, Callable[[], Extractor]] = {
        "justext": _justext,
        "trafilatura": _trafilatura,
        "resiliparse": _resiliparse,
    }
    if name not in known:
        raise UsageError(f"there is no extractor {name!r} to compare with; known are {', '.join(known)}")
    try:
        return known[name]()
    except ImportError as error:
        raise MissingDependencyError(name, "bench", f"comparing with {name}") from error


def _justext() -> Extractor:
    import justext

    words = justext.get_stoplist("English")
    return lambda html: "\n".join(p.text for p in justext.justext(html, words) if not p.is_boilerplate)


def _trafilatura() -> Extractor:
    from trafilatura import extract

    return lambda html: extract(html) or ""


def _resiliparse() -> Extractor:
    from resiliparse.extract.html2text import extract_plain_text

    return lambda html: str(extract_plain_text(html, main_content=True))


def comparison_head(first: str, second: str) -> str:
    """The beginning of the page, up to the first comparison."""
    return _HEAD.replace("FIRST", escape(first)).replace("SECOND", escape(second))


def compare(title: str, first: str, second: str) -> str:
    """One page's two texts as a table; everything in it is escaped."""
    one, two = _lines(first), _lines(second)
    matcher = SequenceMatcher(None, one, two, autojunk=False)
    share = matcher.ratio() if len(one) * len(two) < 4_000_000 else matcher.quick_ratio()
    rows = "".join(_rows(one, two, matcher)) if len(one) * len(two) < 4_000_000 else _unmatched(one, two)
    return (
        f"<h2>{escape(title)}</h2><p>{len(one)} and {len(two)} lines, {share:.0%} alike</p>\n"
        f"<table>{rows}</table>\n"
    )


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def _rows(one: list[str], two: list[str], matcher: SequenceMatcher[str]) -> Iterable[str]:
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            for line in one[a:b]:
                yield f"<tr><td>{escape(line)}</td><td>{escape(line)}</td></tr>\n"
            continue
        for i in range(max(b - a, d - c)):
            yield f"<tr>{_cell(one[a:b], i, 'left')}{_cell(two[c:d], i, 'right')}</tr>\n"


def _cell(lines: list[str], i: int, side: str) -> str:
    return f'<td class="{side}">{escape(lines[i])}</td>' if i < len(lines) else '<td class="none"></td>'


def _unmatched(one: list[str], two: list[str]) -> str:
    """Too long to be matched line by line in reasonable time: both as they are."""
    return "".join(
        f"<tr>{_cell(one, i, 'left')}{_cell(two, i, 'right')}</tr>\n" for i in range(max(len(one), len(two)))
    )
