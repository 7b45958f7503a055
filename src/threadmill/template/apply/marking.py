"""Takes framing out of a page, or marks it: the original bytes less the framing, or plus the marks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from threadmill.template.clusters.fragments import FRAGMENT

Span = tuple[int, int]  # begin and end in the page's bytes

_MARK = b"threadmill-framing"
_STYLE = b' style="background:#ffe08a;color:#000;outline:1px solid #c77700"'
_TAG = re.compile(rb"</?([a-zA-Z][^\s/>]*)")
_ANY_MARK = re.compile(rb"</?threadmill-framing-(\d{1,9})")
# A mark inside these would be shown as text, dropped or misunderstood.
_UNMARKABLE = frozenset(
    [b"title", b"textarea", b"option", b"select", b"svg", b"math", b"noscript", b"xmp", b"iframe"]
)
VOID = frozenset(
    b"area base bgsound br col embed frame hr img input keygen link meta param source track wbr".split()
)
# What a page cannot lose without becoming another page.
_KEPT = frozenset([b"html", b"head", b"body", b"title", b"base", b"meta", b"frameset"])


def merge(spans: Iterable[Span]) -> list[Span]:
    """Spans in order, without overlaps."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif end > start:
            merged.append((start, end))
    return merged


def remove(html: bytes, spans: Iterable[Span]) -> bytes:
    """The page without these spans."""
    kept, at = [], 0
    for start, end in merge(spans):
        kept.append(html[at:start])
        at = end
    kept.append(html[at:])
    return b"".join(kept)


def mark(html: bytes, spans: Iterable[Span]) -> bytes:
    """The page with the texts of these spans coloured; unmark() gives the page back byte for byte."""
    name = b"%s-%d" % (_MARK, _free_number(html))
    opening, closing = b"<%s%s>" % (name, _STYLE), b"</%s>" % name
    parts: list[bytes] = []
    at = 0
    for start, end in _texts(html, merge(spans)):
        parts += (html[at:start], opening, html[start:end], closing)
        at = end
    parts.append(html[at:])
    return b"".join(parts)


def unmark(html: bytes) -> bytes:
    """The page as it was before the last marking."""
    number = _free_number(html) - 1
    if number < 0:
        return html
    name = b"%s-%d" % (_MARK, number)
    return html.replace(b"<%s%s>" % (name, _STYLE), b"").replace(b"</%s>" % name, b"")


def _free_number(html: bytes) -> int:
    """A page that was marked before, or speaks of marks, gets marks of another name."""
    return max((int(found.group(1)) + 1 for found in _ANY_MARK.finditer(html)), default=0)


def _texts(html: bytes, spans: Sequence[Span]) -> Iterator[Span]:
    """The texts inside the spans that can hold a mark."""
    waiting = iter(spans)
    begin, finish = next(waiting, (len(html), len(html)))
    closed_by = b""
    for found in FRAGMENT.finditer(html):
        start, text = found.start(), found.group().rstrip()
        while start >= finish:
            begin, finish = next(waiting, (len(html), len(html) + 1))
            if begin >= len(html):
                return
        tag = _TAG.match(text)
        name = tag.group(1).lower() if tag else b""
        if closed_by:
            closed_by = b"" if name == closed_by and text.startswith(b"</") else closed_by
        elif name in _UNMARKABLE and not text.startswith(b"</"):
            closed_by = name
        elif start >= begin and not text.startswith(b"<") and start + len(text) <= finish:
            yield start, start + len(text)


def balanced(html: bytes, places: Sequence[Span], framing: Sequence[bool]) -> list[Span]:
    """Of fragments that are framing, those that can go without breaking what stays.

    Texts, comments and lone tags go; an element's two tags go when all that stands between them goes, so that
    both stand in one unbroken run of framing.
    """
    gone: list[Span] = []
    run: list[Span] = []
    titled = False  # a title that several pages have is theirs all the same
    for place, flag in zip(places, framing, strict=True):
        title, titled = titled, html[place[0] : place[0] + 6].lower() == b"<title"
        if flag and not title:
            run.append(place)
        elif run:
            gone += _balanced_run(html, run)
            run = []
    return merge([*gone, *_balanced_run(html, run)])


def _balanced_run(html: bytes, run: Sequence[Span]) -> Iterator[Span]:
    staying: list[tuple[bytes, Span]] = []  # name ("" when it is no opening tag) and place
    for place in run:
        start, end = place
        if _is_loose(html, place):
            yield place
            continue
        tag = _TAG.match(html, start, end)
        name = tag.group(1).lower() if tag else b""
        if html.startswith(b"</", start):
            if name not in _KEPT and staying and staying[-1][0] == name:
                yield staying.pop()[1]
                yield place
                continue
            name = b""
        elif html[end - 2 : end] == b"/>":
            name = b""
        staying.append((name, place))


def _is_loose(html: bytes, place: Span) -> bool:
    start, end = place
    tag = _TAG.match(html, start, end)
    if tag is None:
        return html.startswith(b"<!--", start) or not html.startswith((b"<!", b"</"), start)
    name = tag.group(1).lower()
    if name in _KEPT:
        return False
    return name in VOID or html.startswith((b"<script", b"<style", b"<SCRIPT", b"<STYLE"), start)
