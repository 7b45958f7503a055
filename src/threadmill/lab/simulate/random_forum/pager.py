"""The pagers of a random forum: numbers, arrows, icons, "load more", or only a link in the head."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from threadmill.lab.simulate.layout import neighbours
from threadmill.lab.simulate.snapshot import PageSlice
from threadmill.lab.simulate.view import ForumView

if TYPE_CHECKING:
    from threadmill.lab.simulate.random_forum.layout import RandomLayout

Url = Callable[[int], str]


def draw_pager(
    layout: RandomLayout, view: ForumView, part: PageSlice, url: Url, *, oldest_first: bool = False
) -> str:
    """Draw the links to the other pages; nothing if there are none."""
    if part.pages == 1 or layout.choices.pager == "rel_only":
        return ""
    draw = {
        "numbers": _numbers, "numbers_next": _numbers_next, "icons": _icons, "page_of": _page_of,
        "load_more": _load_more, "older": _older,
    }.get(layout.choices.pager, _previous_next)  # fmt: skip
    if oldest_first and draw is _older:  # the next page has newer posts there
        draw = _previous_next
    inner = draw(layout, view, part, url)
    tag = layout.pick("pager", "div", "nav", "p", "td")
    if tag == "td":
        return f"<table{layout.names.of('pager')}><tr><td>{inner}</td></tr></table>"
    return f"<{tag}{layout.names.of('pager')}>{inner}</{tag}>"


def draw_rel_links(view: ForumView, part: PageSlice, url: Url) -> str:
    """Draw the links of the head element, if this forum has them."""
    if not view.traits.rel_next:
        return ""
    before, after = neighbours(part)
    found = f'<link rel="prev" href="{view.href(url(before))}">' if before is not None else ""
    return found + (f'<link rel="next" href="{view.href(url(after))}">' if after is not None else "")


def _link(view: ForumView, url: str, text: str, attributes: str = "") -> str:
    return f'<a href="{view.href(url)}"{attributes}>{text}</a>'


def _numbers(layout: RandomLayout, view: ForumView, part: PageSlice, url: Url) -> str:
    pieces = []
    current = layout.pick("current", "<b>{}</b>", "<span>{}</span>", "[{}]", '<a href="#">{}</a>')
    for page in part.window():
        if page == 0:
            pieces.append("…")
        elif page == part.page:
            pieces.append(current.format(page))
        else:
            pieces.append(_link(view, url(part.offset_of(page)), str(page)))
    joint = layout.pick("between pages", " ", ", ", " | ", "")
    if layout.chance("pages in items", 0.3):
        return "<ul>" + "".join(f"<li>{piece}</li>" for piece in pieces) + "</ul>"
    word = f"{view.word('page')}: " if layout.chance("word of pages", 0.4) else ""
    return word + joint.join(pieces)


def _numbers_next(layout: RandomLayout, view: ForumView, part: PageSlice, url: Url) -> str:
    return f"{_numbers(layout, view, part, url)} {_previous_next(layout, view, part, url)}"


def _previous_next(layout: RandomLayout, view: ForumView, part: PageSlice, url: Url) -> str:
    before, after = neighbours(part)
    left, right = (
        layout.pick("arrows", "« ", "‹ ", "", "&lt; "),
        layout.pick("arrows right", " »", " ›", "", " &gt;"),
    )
    rel = ' rel="next"' if layout.chance("rel on a", 0.3) else ""
    found = [_link(view, url(before), f"{left}{view.word('previous')}")] if before is not None else []
    found += [_link(view, url(after), f"{view.word('next')}{right}", rel)] if after is not None else []
    return " ".join(found)


def _icons(layout: RandomLayout, view: ForumView, part: PageSlice, url: Url) -> str:
    before, after = neighbours(part)
    left, right = layout.pick(
        "icons", "&lsaquo;|&rsaquo;", "&laquo;|&raquo;", "◀|▶",
        '<img src="/img/left.gif" alt="">|<img src="/img/right.gif" alt="">', "<i class=icon-left></i>|<i class=icon-right></i>",
    ).split("|")  # fmt: skip
    found = [_link(view, url(before), left)] if before is not None else []
    return " ".join(found + ([_link(view, url(after), right)] if after is not None else []))


def _page_of(layout: RandomLayout, view: ForumView, part: PageSlice, url: Url) -> str:
    return f"{view.word('page')} {part.page} {view.word('of')} {part.pages} {_icons(layout, view, part, url)}"


def _load_more(layout: RandomLayout, view: ForumView, part: PageSlice, url: Url) -> str:
    del layout
    _, after = neighbours(part)
    return _link(view, url(after), view.word("load_more")) if after is not None else ""


def _older(layout: RandomLayout, view: ForumView, part: PageSlice, url: Url) -> str:
    del layout
    before, after = neighbours(part)
    found = [_link(view, url(before), view.word("newer"))] if before is not None else []
    return " · ".join(found + ([_link(view, url(after), view.word("older"))] if after is not None else []))
