"""The messages of a thread as a tree of subjects: what mail archives and tree forums show as an index."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from threadmill.lab.simulate.content.writing import find_author
from threadmill.lab.simulate.random_forum.byline import draw_author, draw_date
from threadmill.lab.simulate.view import ForumView

if TYPE_CHECKING:
    from threadmill.lab.simulate.random_forum.layout import RandomLayout


def draw_subject_tree(layout: RandomLayout, view: ForumView, index: int, at: int = -1) -> str:
    """Draw one line for each message of a thread. The line of the message `at` is not linked."""
    ranks = view.snapshot.ranks(index)
    lines = [(depth, _line(layout, view, index, rank, at)) for rank, depth in _depths(view, ranks)]
    if layout.pick("tree", "ul", "indent", "flat") == "ul":
        return _nested_lists(lines)
    flat = layout.pick("tree", "ul", "indent", "flat") == "flat"
    return "".join(f"<div>{'' if flat else '&nbsp;' * 4 * depth}{line}</div>\n" for depth, line in lines)


def _depths(view: ForumView, ranks: list[int]) -> list[tuple[int, int]]:
    """Return the messages in the order of the tree, each with its depth."""
    children: dict[int, list[int]] = {rank: [] for rank in ranks}
    for rank in ranks[1:]:
        children[view.snapshot.parent_of(rank, children, ranks[0])].append(rank)
    found, stack = [], [(ranks[0], 0)]
    while stack:
        rank, depth = stack.pop()
        found.append((rank, depth))
        stack += [(child, depth + 1) for child in reversed(children[rank])]
    return found


def _line(layout: RandomLayout, view: ForumView, index: int, rank: int, at: int) -> str:
    first = view.snapshot.ranks(index)[0] == rank
    title = ("" if first else "Re: ") + view.raw_title(index)
    author = draw_author(layout, view, find_author(view.world, rank))
    moment = view.world.times[rank]
    date = draw_date(layout, view.show_row_date(moment), moment)
    if rank == at:
        return f"<b>{escape(title)}</b> {author} {date}"
    link = layout.message_url(index, view.world.ids[rank])
    if layout.choices.shape == "tree" and first:
        link = layout.thread_url(view, index)
    return f'<a href="{view.href(link)}">{escape(title)}</a> {author} {date}'


def _nested_lists(lines: list[tuple[int, str]]) -> str:
    found, level = "", -1
    for depth, line in lines:
        if depth > level:
            found += "<ul>" * (depth - level)
        else:
            found += "</li>" + "</ul></li>" * (level - depth)
        found += f"<li>{line}"
        level = depth
    return found + "</li></ul>" * (level + 1)
