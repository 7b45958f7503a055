"""The page of a single message, and the tree of subjects that mail archives and tree forums show as index."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from threadmill.lab.simulate.content.writing import Quotation, find_author
from threadmill.lab.simulate.forum import PageLocation
from threadmill.lab.simulate.layout import with_links
from threadmill.lab.simulate.random_forum.byline import draw_author, draw_date
from threadmill.lab.simulate.random_forum.thread_page import draw_body, draw_foot, draw_links
from threadmill.lab.simulate.view import ForumView

if TYPE_CHECKING:
    from threadmill.lab.simulate.random_forum.layout import RandomLayout


def draw_message(layout: RandomLayout, view: ForumView, index: int, rank: int) -> str:
    """Draw the page of one message: its header, text, and the messages before and after it."""
    place = PageLocation("thread", index, view.snapshot.offset_of_post(index, rank))
    post = next(post for post in view.posts(place) if post.rank == rank)
    subject = ("" if post.first else "Re: ") + view.raw_title(index)
    fields = [
        (view.word("from"), draw_author(layout, view, post.author)),
        (view.word("date"), draw_date(layout, post.when, view.world.times[rank])),
        (view.word("subject"), escape(subject)),
    ]
    style = layout.pick("header", "ul", "table", "dl", "lines", "byline")
    if style == "ul":
        head = "<ul>" + "".join(f"<li><em>{name}</em>: {text}</li>" for name, text in fields) + "</ul>"
    elif style == "table":
        head = (
            "<table>"
            + "".join(f"<tr><th>{name}:</th><td>{text}</td></tr>" for name, text in fields)
            + "</table>"
        )
    elif style == "dl":
        head = "<dl>" + "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in fields) + "</dl>"
    elif style == "lines":
        head = "<div>" + "".join(f"<b>{name}:</b> {text}<br>\n" for name, text in fields) + "</div>"
    else:
        head = f"<b>{fields[0][1]}</b><br><i>{fields[1][1]}</i>"
    body = draw_body(layout, view, post)
    if layout.chance("pre", 0.5):
        text = "\n\n".join(with_links(paragraph) for paragraph in post.paragraphs)
        body = f"<pre>{_plain_quote(view, post.quotation)}{text}</pre>"
    ranks = view.snapshot.ranks(index)
    at = ranks.index(rank)
    beside = []
    if at:
        beside.append((layout.message_url(index, view.world.ids[ranks[at - 1]]), view.word("previous")))
    if at + 1 < len(ranks):
        beside.append((layout.message_url(index, view.world.ids[ranks[at + 1]]), view.word("next")))
    if layout.choices.shape == "tree":
        beside.append((layout.thread_url(view, index), view.word("thread")))
    beside.append((layout.home, view.word("index")))
    links = draw_links(layout, view, beside, "message-nav")
    tree = draw_subject_tree(layout, view, index, at=rank) if layout.choices.shape == "tree" else ""
    return f"<h1>{escape(subject)}</h1>{links}<hr>{head}<hr>{body}{draw_foot(layout, view, place, post)}<hr>{links}{tree}"


def _plain_quote(view: ForumView, quotation: Quotation | None) -> str:
    """Write a quote as mail does: > before each line."""
    if not quotation:
        return ""
    return f"{escape(quotation.author)} {view.word('wrote')}:\n&gt; {escape(quotation.text)}\n\n"


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
