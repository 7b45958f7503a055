"""What a person means who points at an element of a page: a part of every post, or links of one kind."""

from __future__ import annotations

from threadmill.errors import UsageError
from threadmill.forum.link_urls import absolute_url, same_site
from threadmill.forum.read_page import PageAnalysis, find_thread_records
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.site_model.corrections import MOST_VALUES, write_place
from threadmill.forum.site_model.wrapper import NEAR, Wrapper, element_keys


def pointed_values(analysis: PageAnalysis, wrapper: Wrapper | None, kind: str, element: int) -> list[str]:
    """The values of the correction of a kind. Raise UsageError if the element does not fit it."""
    outline = analysis.outline
    if element >= len(outline.elements):
        raise UsageError("expected an element of this page; the page may have changed, so point again")
    if kind in {"author", "date", "text"}:
        return [_place_in_post(analysis, wrapper, element)]
    link = _link_around(outline, element)
    url = absolute_url(outline.base, outline.hrefs[link] or "") if link is not None else None
    if link is None or url is None:
        raise UsageError("expected a link; point at the title of a thread or the name of a board")
    return [url] if kind == "not boards" else _links_alike(outline, link)


def _place_in_post(analysis: PageAnalysis, wrapper: Wrapper | None, element: int) -> str:
    found = find_thread_records(analysis, wrapper)
    for members in found.table.members if found is not None else ():
        for index, key in element_keys(analysis.outline, members):
            if index == element:
                return write_place(key)
    raise UsageError("expected something inside a post, but this stands outside of all posts that were found")


def _link_around(outline: PageOutline, element: int) -> int | None:
    while element >= 0:
        if outline.hrefs[element]:
            return element
        element = outline.parent[element]
    return None


def _links_alike(outline: PageOutline, link: int) -> list[str]:
    """The URLs of all links that stand in elements of the same names, as those of one list do."""
    chain = outline.chain(link, NEAR)
    urls = (
        absolute_url(outline.base, href)
        for index, href in enumerate(outline.hrefs)
        if href and outline.chain(index, NEAR) == chain
    )
    found = dict.fromkeys(url for url in urls if url and same_site(url, outline.base))
    return list(found)[:MOST_VALUES]
