"""Finds records that are no posts: adverts between them, and the list of messages below the only one."""

from __future__ import annotations

import re
from collections.abc import Callable

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


def find_list_entries(table: RecordTable, columns: PostColumns) -> set[int]:
    """The numbers of the records below a single post that list the messages of its thread.

    Each is a link to the page of a message, with a name and a date, but without a word more. The message of
    the page itself may be listed without a link, by its subject. The post may be no record: then all are
    entries.
    """
    targets = [_target_of_entry(table, columns, number) for number in range(len(table.records))]
    first = 1 if targets[0] is None else 0
    listed = targets[first:]
    if None in listed or len(set(listed)) < len(listed):
        return set()
    here = absolute_url(table.outline.base, table.outline.base)
    entries = range(first, len(targets))
    return set(entries) if here in listed or any(map(_shows_subject(table), entries)) else set()


def _target_of_entry(table: RecordTable, columns: PostColumns, number: int) -> str | None:
    """The page that a record leads to if it says nothing but the text of a link, a name and a date."""
    outline = table.outline
    byline = list(columns.byline_of(number))
    here, targets = absolute_url(outline.base, outline.base), set[str]()
    for segment in table.segments[number]:
        owner, text = outline.segment_owner[segment], outline.segments[segment]
        if not any(map(str.isalpha, text)) or any(outline.is_under(owner, part) for part in byline):
            continue
        if owner in table.dated:
            continue
        target = _target_of(outline, owner)
        if target is None and not is_subject(text, outline.title):
            return None
        targets.add(target or here or "")
    only = next(iter(targets)) if len(targets) == 1 else None
    return only if only and same_site(only, outline.base) else None


def _shows_subject(table: RecordTable) -> Callable[[int], bool]:
    """A test for records that show the subject of the page."""
    texts, title = table.outline.segments, table.outline.title
    return lambda number: any(is_subject(texts[segment], title) for segment in table.segments[number])


def is_subject(text: str, title: str) -> bool:
    """Does the title of the page begin with a text, perhaps without the mark of an answer before it?"""
    return any(len(one) > 1 and title.startswith(one) for one in (text, text.partition(": ")[2]))


def only_leads_away(outline: PageOutline, element: int) -> bool:
    """Whether all texts of an element are links to other sites."""
    said = _owners_of_texts(outline, element)
    return bool(said) and all(leads_away(outline, owner) for owner in said)


def leads_away(outline: PageOutline, index: int) -> bool:
    """Whether an element is in a link to another site."""
    target = _target_of(outline, index)
    return target is not None and not same_site(target, outline.base)


def _target_of(outline: PageOutline, index: int) -> str | None:
    """The URL that an element leads to."""
    href = next((outline.hrefs[up] for up in (index, *outline.ancestors(index)) if outline.hrefs[up]), None)
    return absolute_url(outline.base, href) if href else None


def _is_linked_away(outline: PageOutline, element: int) -> bool:
    """The same, where none of the texts is the URL itself, as people paste it."""
    texts = outline.segments[outline.text_from[element] : outline.text_to[element]]
    return only_leads_away(outline, element) and not any(map(_URL.search, texts))


def _owners_of_texts(outline: PageOutline, element: int) -> list[int]:
    inside = range(outline.text_from[element], outline.text_to[element])
    return [outline.segment_owner[number] for number in inside if outline.segments[number].strip()]
