"""Links and images at their tokens: offsets in a paragraph's text become spans of its forms."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from threadmill.corpus.documents import IMAGE, Span, clean_text, clean_url
from threadmill.types import Link


def moved(link: Link, text: str, cleaned: str) -> Link:
    """The link with offsets in the cleaned text."""
    if text == cleaned:
        return link
    start, end = (_offset(text, at) for at in (link.start, link.end))
    return link._replace(start=start, end=max(start, end))


def _offset(text: str, at: int) -> int:
    before = text[:at]
    return len(clean_text(before)) + (before[-1:].isspace() and bool(before.strip()))


def link_up(sentences: list[list[str]], links: Sequence[Link]) -> tuple[Span, ...]:
    """Put in a form for each image, and find the forms of each link; forms keep the space before them."""
    forms = [form for sentence in sentences for form in sentence]
    ends = list(accumulate(map(len, forms)))
    images = sorted((link for link in links if link.kind == "image" and link.url), key=_start)
    image_starts = [image.start for image in images]
    places = [bisect_right(ends, start) for start in image_starts]  # forms that end before the image
    spans = [
        Span(clean_url(image.url), place + number, place + number + 1, "image")
        for number, (image, place) in enumerate(zip(images, places, strict=True))
    ]
    last = 0
    for link in sorted((link for link in links if link.kind != "image" and link.url), key=_start):
        first = bisect_right(ends, link.start) + bisect_left(image_starts, link.start)
        begun = _begun(forms, ends, link.end) if link.end > link.start else bisect_right(ends, link.end)
        after = begun + bisect_right(image_starts, link.end)
        if last <= first < after:
            spans.append(Span(clean_url(link.url), first, after))
            last = after
    _put_in(sentences, places)
    return tuple(sorted(spans, key=lambda span: (span.end, span.end - span.start, span.kind)))


def _start(link: Link) -> int:
    return link.start


def _begun(forms: list[str], ends: list[int], at: int) -> int:
    """How many forms begin before this place; the space before a form is not part of it."""
    done = bisect_left(ends, at)
    if done == len(forms):
        return done
    start = ends[done] - len(forms[done].lstrip(" "))
    return done + (start < at)


def _put_in(sentences: list[list[str]], places: list[int]) -> None:
    """Images after so many forms; one between two forms without white space is glued to the second."""
    if not places:
        return
    if not sentences:
        sentences.append([f" {IMAGE}"] * len(places))
        sentences[0][0] = IMAGE
        return
    counts = list(accumulate(map(len, sentences)))
    for place in reversed(places):
        number = bisect_right(counts, place)
        if number == len(sentences):
            sentences[-1].append(f" {IMAGE}")
            continue
        sentence = sentences[number]
        at = place - counts[number] + _length(counts, number)
        if at:
            sentence.insert(at, f" {IMAGE}")
        else:
            space = " " if sentence[0][0] == " " else ""
            sentence[:1] = [space + IMAGE, f" {sentence[0].lstrip(' ')}"]


def _length(counts: list[int], number: int) -> int:
    """How many forms a sentence had before anything was put in."""
    return counts[number] - (counts[number - 1] if number else 0)
