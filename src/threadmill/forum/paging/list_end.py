"""Tells whether a list of threads ends with a page, by the links that the page has."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from threadmill.forum.link_urls import (
    absolute_url,
    names_file,
    names_service_page,
    same_site,
    strip_session,
    url_fields,
)
from threadmill.forum.records.page_outline import PageOutline

_NUMBER_OR_ARROW = re.compile(r"\W*(\d{0,5})\W*")
_MAX_LINK_TEXT = 12  # characters of a number or an arrow


def ends_with_page(
    outline: PageOutline, url: str, number: int, read: Collection[str], is_known: Callable[[str], bool]
) -> bool:
    """Whether no link of page `number` of a list may lead to a later page of the list at `url`.

    Such a link shows a number or an arrow, or its URL is that of the list and more. Links that are known to
    lead to threads or boards are none, and those to pages that were read are none.
    """
    seen = {strip_session(one) for one in read} | {strip_session(url)}
    return not any(
        _may_lead_on(url, target, outline.text(index, _MAX_LINK_TEXT), number)
        for index, href in enumerate(outline.hrefs)
        if href
        and (target := absolute_url(outline.base, href)) is not None
        and target not in seen
        and same_site(target, url)
        and not is_known(target)
        and not names_service_page(target)
        and not names_file(target)
    )


def _may_lead_on(url: str, target: str, text: str, number: int) -> bool:
    shown = _NUMBER_OR_ARROW.fullmatch(text.strip()) if text.strip() else None
    if shown:
        return not shown[1] or int(shown[1]) > number
    mine, theirs = url_fields(url), url_fields(target)
    own = {name: value for name, value in mine.items() if value}
    return len(theirs) > len(own) > 0 and all(theirs.get(name) == value for name, value in own.items())
