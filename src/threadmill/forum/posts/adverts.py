"""Finds records that are adverts between posts: all they say leads to another site."""

from __future__ import annotations

import re

from threadmill.forum.link_urls import absolute_url, same_site
from threadmill.forum.posts.post_columns import PostColumns
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import RecordTable

_URL = re.compile(r"://|^www\.|^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:/|$)")
_MIN_POSTS = 2  # beside an advert: one post may have a signature that another one lacks


def find_adverts(table: RecordTable, columns: PostColumns) -> set[int]:
    """The numbers of records that only link to other sites, and lack something that all posts have.

    A post may be nothing but a link. Then it shows the URL, or it has the id, the panel and the buttons of a
    post, or it is the first one: "Read the story here".
    """
    linked = {
        number
        for number, body in columns.bodies.items()
        if number and number not in columns.ids and _is_linked_away(table.outline, body)
    }
    posts = columns.bodies.keys() - linked
    if not linked or len(posts) < _MIN_POSTS or len(posts) <= len(linked):
        return set()
    usual = [
        cells
        for cells in table.columns.values()
        if posts <= cells.keys()
        and not any(table.outline.is_under(cells[number], columns.bodies[number]) for number in posts)
    ]
    return {number for number in linked if any(number not in cells for cells in usual)}


def only_leads_away(outline: PageOutline, element: int) -> bool:
    """Whether all texts of an element are links to other sites."""
    said = _owners_of_texts(outline, element)
    return bool(said) and all(leads_away(outline, owner) for owner in said)


def leads_away(outline: PageOutline, index: int) -> bool:
    """Whether an element is in a link to another site."""
    href = next((outline.hrefs[up] for up in (index, *outline.ancestors(index)) if outline.hrefs[up]), None)
    target = absolute_url(outline.base, href) if href else None
    return target is not None and not same_site(target, outline.base)


def _is_linked_away(outline: PageOutline, element: int) -> bool:
    """The same, where none of the texts is the URL itself, as people paste it."""
    texts = outline.segments[outline.text_from[element] : outline.text_to[element]]
    return only_leads_away(outline, element) and not any(map(_URL.search, texts))


def _owners_of_texts(outline: PageOutline, element: int) -> list[int]:
    inside = range(outline.text_from[element], outline.text_to[element])
    return [outline.segment_owner[number] for number in inside if outline.segments[number].strip()]
