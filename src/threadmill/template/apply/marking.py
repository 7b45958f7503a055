"""Removes byte spans from a page, or marks them, and leaves all other bytes unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from threadmill.template.clusters.fragments import FRAGMENT

ByteSpan = tuple[int, int]  # start and end, as byte offsets of the page

_MARK = b"threadmill-framing"
_STYLE = b' style="background:#ffe08a;color:#000;outline:1px solid #c77700"'
_TAG = re.compile(rb"</?([a-zA-Z][^\s/>]*)")
_ANY_MARK = re.compile(rb"</?threadmill-framing-(\d{1,9})")
# A mark inside these elements would be shown as text, dropped or misunderstood.
_UNMARKABLE = frozenset(
    [b"title", b"textarea", b"option", b"select", b"svg", b"math", b"noscript", b"xmp", b"iframe"]
)
VOID_TAGS = frozenset(
    b"area base bgsound br col embed frame hr img input keygen link meta param source track wbr".split()
)
# Without these elements the page would be another page.
_KEPT_TAGS = frozenset([b"html", b"head", b"body", b"title", b"base", b"meta", b"frameset"])


def merge_spans(spans: Iterable[ByteSpan]) -> list[ByteSpan]:
    """Return the spans in order, without overlaps."""
    merged: list[ByteSpan] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif end > start:
            merged.append((start, end))
    return merged


def remove_spans(html: bytes, spans: Iterable[ByteSpan]) -> bytes:
    """Return the page without these spans."""
    kept, at = [], 0
    for start, end in merge_spans(spans):
        kept.append(html[at:start])
        at = end
    kept.append(html[at:])
    return b"".join(kept)


def mark_spans(html: bytes, spans: Iterable[ByteSpan]) -> bytes:
    """Return the page with the texts of these spans coloured; unmark() gives the original bytes back."""
    name = b"%s-%d" % (_MARK, _free_number(html))
    opening, closing = b"<%s%s>" % (name, _STYLE), b"</%s>" % name
    parts: list[bytes] = []
    at = 0
    for start, end in _texts(html, merge_spans(spans)):
        parts += (html[at:start], opening, html[start:end], closing)
        at = end
    parts.append(html[at:])
    return b"".join(parts)


def unmark(html: bytes) -> bytes:
    """Return the page as it was before the last marking."""
    number = _free_number(html) - 1
    if number < 0:
        return html
    name = b"%s-%d" % (_MARK, number)
    return html.replace(b"<%s%s>" % (name, _STYLE), b"").replace(b"</%s>" % name, b"")


def _free_number(html: bytes) -> int:
    """Return a number for new marks. A page that was marked before, or mentions marks, needs another one."""
    return max((int(found.group(1)) + 1 for found in _ANY_MARK.finditer(html)), default=0)


def _texts(html: bytes, spans: Sequence[ByteSpan]) -> Iterator[ByteSpan]:
    """Yield the texts inside the spans that can hold a mark."""
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


def removable_spans(html: bytes, places: Sequence[ByteSpan], framing: Sequence[bool]) -> list[ByteSpan]:
    """Return the framing fragments that can be removed without breaking the rest.

    Texts, comments and single tags can go. The two tags of an element can go when everything between them
    goes, so both must stand in one unbroken run of framing.
    """
    gone: list[ByteSpan] = []
    run: list[ByteSpan] = []
    titled = False  # a title stays, even if several pages share it
    for place, flag in zip(places, framing, strict=True):
        title, titled = titled, html[place[0] : place[0] + 6].lower() == b"<title"
        if flag and not title:
            run.append(place)
        elif run:
            gone += _removable_in_run(html, run)
            run = []
    return merge_spans([*gone, *_removable_in_run(html, run)])


def _removable_in_run(html: bytes, run: Sequence[ByteSpan]) -> Iterator[ByteSpan]:
    staying: list[tuple[bytes, ByteSpan]] = []  # name (empty unless it is an opening tag) and place
    for place in run:
        start, end = place
        if _can_go_alone(html, place):
            yield place
            continue
        tag = _TAG.match(html, start, end)
        name = tag.group(1).lower() if tag else b""
        if html.startswith(b"</", start):
            if name not in _KEPT_TAGS and staying and staying[-1][0] == name:
                yield staying.pop()[1]
                yield place
                continue
            name = b""
        elif html[end - 2 : end] == b"/>":
            name = b""
        staying.append((name, place))


def _can_go_alone(html: bytes, place: ByteSpan) -> bool:
    start, end = place
    tag = _TAG.match(html, start, end)
    if tag is None:
        return html.startswith(b"<!--", start) or not html.startswith((b"<!", b"</"), start)
    name = tag.group(1).lower()
    if name in _KEPT_TAGS:
        return False
    return name in VOID_TAGS or html.startswith((b"<script", b"<style", b"<SCRIPT", b"<STYLE"), start)
