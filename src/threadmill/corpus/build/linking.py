"""Finds the tokens of links and images: offsets in a paragraph's text become spans of tokens."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from threadmill.corpus.build.documents import IMAGE, Span, clean_text, clean_url
from threadmill.corpus.text.delimited_text import (
    GLUED_SENTENCE,
    SENTENCE,
    count_tokens,
    to_forms,
    token_starts,
)
from threadmill.types import Link

_SENTENCES = SENTENCE + GLUED_SENTENCE


def placed(links: Sequence[Link], text: str, cleaned: str) -> Sequence[Link]:
    """The links of a text with offsets in the cleaned text."""
    if text == cleaned or text.replace("\n", " ") == cleaned:  # a space instead of a line break moves nothing
        return links
    return [moved(link, text) for link in links]


def moved(link: Link, text: str) -> Link:
    """The link with offsets in the cleaned text."""
    start, end = (_offset(text, at) for at in (link.start, link.end))
    return link._replace(start=start, end=max(start, end))


def _offset(text: str, at: int) -> int:
    before = text[:at]
    return len(clean_text(before)) + (before[-1:].isspace() and bool(before.strip()))


def link_up(cut: str, links: Sequence[Link], length: int) -> tuple[str, tuple[Span, ...]]:
    """Put a token for each image into a delimited text, and find the spans of all links and images.

    `length` is the length of the plain text.
    """
    if len(links) == 1 and cut:  # one link over the whole text, as in most lists
        _, _, start, end, kind = link = links[0]
        if not start and end >= length and kind != "image" and link.url:
            return cut, (Span(clean_url(link.url), 0, count_tokens(cut)),)
    forms = to_forms(cut)
    ends = list(accumulate(map(len, forms)))
    images = [link for link in links if link.kind == "image" and link.url]
    images.sort(key=_start)
    image_starts = [image.start for image in images]
    places = [bisect_right(ends, start) for start in image_starts]  # forms that end before the image
    spans = [
        Span(clean_url(image.url), place + number, place + number + 1, "image")
        for number, (image, place) in enumerate(zip(images, places, strict=True))
    ]
    others = [link for link in links if link.kind != "image" and link.url] if images else links
    last = 0
    for url, _, start, end, _ in sorted(others, key=_start):
        first = bisect_right(ends, start) + bisect_left(image_starts, start)
        begun = _count_begun(forms, ends, end) if end > start else bisect_right(ends, end)
        after = begun + bisect_right(image_starts, end)
        if url and last <= first < after:
            spans.append(Span(clean_url(url), first, after))
            last = after
    if len(spans) > 1:
        spans.sort(key=lambda span: (span.end, span.end - span.start, span.kind))
    return _with_images(cut, places) if places else cut, tuple(spans)


def _start(link: Link) -> int:
    return link.start


def _count_begun(forms: list[str], ends: list[int], at: int) -> int:
    """How many forms begin before a place. The space before a form is not part of the form."""
    done = bisect_left(ends, at)
    if done == len(forms):
        return done
    start = ends[done] - len(forms[done].lstrip(" "))
    return done + (start < at)


def _with_images(cut: str, places: list[int]) -> str:
    """Put an image token after each of these numbers of tokens.

    Between two tokens without white space, the image is glued to the second.
    """
    if not cut:
        return " ".join([IMAGE] * len(places))
    begins = token_starts(cut)
    parts, done = [], 0
    for place in places:
        at = begins[place]
        if not place or (at < len(cut) and cut[at - 1] in _SENTENCES):  # the image begins a sentence
            parts += [cut[done:at], f"{IMAGE} "]
        else:
            at -= 1
            parts += [cut[done:at], f" {IMAGE}"]
        done = at
    return "".join([*parts, cut[done:]])
