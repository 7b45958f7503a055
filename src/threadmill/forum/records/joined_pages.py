"""Several pages of one site as one outline, so that pages with one post each can be read side by side.

What pages share is framing: menus, headers, boxes. What differs from page to page is the post and its head.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urljoin

from threadmill.forum.records.page_outline import PageOutline

_SHARED = 0.8  # of the pages: somebody may have written every second post
_MAX_COMPARED = 2_000  # characters of an element that is compared as a whole; larger ones by their parts


@dataclass(frozen=True, slots=True)
class JoinedPages:
    """One outline of several pages: their `<html>` elements are one, everything below stays apart."""

    outline: PageOutline
    tops: tuple[int, ...]  # the `<body>` of each page
    framing: tuple[int, ...]  # the largest elements with the same text at the same place of most pages


def join_pages(pages: Sequence[PageOutline]) -> JoinedPages:
    """The outline of all pages. There must be one page at least, and none may be empty."""
    joined = pages[0].as_root()
    tops = []
    for page in pages:
        start = len(joined)
        _append(joined, page)
        bodies = (index for index in range(start, len(joined)) if joined.tags[index] == "body")
        tops.append(next(bodies, start))
    joined.end[0], joined.text_to[0] = len(joined), len(joined.segments)
    # A heading repeats the title of its own page.
    joined.title = "\n".join(page.title for page in pages)
    return JoinedPages(joined, tuple(tops), _find_framing(joined, tops))


def _append(joined: PageOutline, page: PageOutline) -> None:
    """Add the elements of a page below its root, with indices moved on."""
    shift, texts = len(joined) - 1, len(joined.segments)
    joined.elements += page.elements[1:]
    joined.tags += page.tags[1:]
    joined.symbols += page.symbols[1:]
    joined.parent += [up + shift if up > 0 else 0 for up in page.parent[1:]]
    joined.depth += page.depth[1:]
    joined.end += [end + shift for end in page.end[1:]]
    joined.hrefs += [_absolute(page.base, href) if href else href for href in page.hrefs[1:]]
    joined.segments += page.segments
    joined.segment_owner += [owner + shift if owner > 0 else 0 for owner in page.segment_owner]
    joined.text_from += [number + texts for number in page.text_from[1:]]
    joined.text_to += [number + texts for number in page.text_to[1:]]


def _absolute(base: str, href: str) -> str:
    try:
        return href if href.startswith("#") else urljoin(base, href)
    except ValueError:  # "http://[" is no URL
        return href


def _find_framing(joined: PageOutline, tops: Sequence[int]) -> tuple[int, ...]:
    """The largest elements whose text stands at the same place of most pages."""
    pages_with: dict[tuple[int, str], set[int]] = defaultdict(set)
    texts: list[tuple[int, str] | None] = [None] * len(joined)
    for page, top in enumerate(tops):
        for index in range(top + 1, joined.end[top]):
            if 0 < joined.text_length(index) <= _MAX_COMPARED:
                key = joined.paths[index], joined.text(index)
                texts[index] = key
                pages_with[key].add(page)
    found: list[int] = []
    for top in tops:
        index = top + 1
        while index < joined.end[top]:
            key_here = texts[index]
            shared = key_here is not None and len(pages_with[key_here]) >= max(2, _SHARED * len(tops))
            if shared:
                found.append(index)
            index = joined.end[index] if shared else index + 1
    return tuple(found)
