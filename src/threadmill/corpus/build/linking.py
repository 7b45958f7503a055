"""Finds the tokens of links and images: offsets in a paragraph's text become spans of tokens.

For the lines of a post, the offsets are found first, by the post's HTML.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from turbohtml import Element, Text

from threadmill.corpus.build.documents import IMAGE, Span, clean_text, clean_url
from threadmill.corpus.text.delimited_text import (
    GLUED_SENTENCE,
    SENTENCE,
    count_tokens,
    to_forms,
    token_starts,
)
from threadmill.page.parse.tree import parse
from threadmill.types import Link

_SENTENCES = SENTENCE + GLUED_SENTENCE


class PostLinks:
    """Finds the links of a post in its lines. A line is looked for in the HTML, where the links stand.

    White space does not count, because the lines of a post are cut and joined in another way than its HTML.
    """

    def __init__(self, html: str, links: Sequence[Link]) -> None:
        known = [(link.url, _compact(link.text)) for link in links if link.kind != "image"]
        self._named = [(url, text) for url, text in known if url and text]
        self._text, self._anchors = _anchors(html, self._named) if self._named else ("", [])
        self._taken: list[tuple[int, int]] = []

    def of_line(self, line: str) -> tuple[Link, ...]:
        """The links of the next line, with offsets in it. Ask for the quotes first, then for the own words.

        Where the HTML does not have the line, a link is where its text is, if that is there only once.
        """
        wanted = _compact(line) if self._named else ""
        if not wanted:
            return ()
        begin = self._find(wanted) if self._anchors else -1
        if begin >= 0:
            self._taken.append((begin, begin + len(wanted)))
            found = [(url, start - begin, end - begin) for url, start, end in self._anchors]
        else:
            found = [
                (url, wanted.find(text), wanted.find(text) + len(text))
                for url, text in self._named
                if wanted.count(text) == 1
            ]
        places = [at for at, sign in enumerate(line) if not sign.isspace()]
        inside = [(url, max(start, 0), min(end, len(wanted))) for url, start, end in found]
        return tuple(
            Link(url, line[places[start] : places[end - 1] + 1], places[start], places[end - 1] + 1)
            for url, start, end in inside
            if start < end
        )

    def _find(self, wanted: str) -> int:
        """The first place of a line in the HTML that no earlier line has taken. -1: there is none."""
        at = self._text.find(wanted)
        while at >= 0:
            after = [end for start, end in self._taken if start < at + len(wanted) and at < end]
            if not after:
                return at
            at = self._text.find(wanted, max(after))
        return -1


def _compact(text: str) -> str:
    return "".join(text.split())


def _anchors(html: str, named: Sequence[tuple[str, str]]) -> tuple[str, list[tuple[str, int, int]]]:
    """The text of some HTML without white space, and the places of the named links in it.

    The names give the full URLs: the HTML of a post does not tell the address of its page.
    """
    parts: list[str] = []
    found: list[tuple[str, int, int]] = []
    length, number = 0, 0
    for node in parse(html).document.descendants:
        if isinstance(node, Text):
            parts.append(_compact(node.text))
            length += len(parts[-1])
        elif isinstance(node, Element) and node.tag == "a" and (text := _compact(node.text)):
            # The text of a stored link may be cut.
            same = (at for at in range(number, len(named)) if text.startswith(named[at][1]))
            at = next(same, None)
            if at is not None:
                found.append((named[at][0], length, length + len(text)))
                number = at + 1
    return "".join(parts), found


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
