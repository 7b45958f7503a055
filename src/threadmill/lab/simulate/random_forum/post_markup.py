"""How a random forum puts the parts of a post into elements: tables, lists, articles or bare lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadmill.lab.simulate.random_forum.layout import RandomLayout


@dataclass(frozen=True, slots=True)
class PostParts:
    """The parts of one post as HTML. `under` are the posts that stand inside it."""

    attributes: str  # id and data attributes of the element
    anchor: str  # an element before it, for engines that mark posts by <a name>
    side: str  # the author's column; empty if there is none
    head: str
    body: str
    foot: str
    under: str = ""


def wrap_post(layout: RandomLayout, parts: PostParts, style: str) -> str:
    """Draw one post in its elements."""
    if style in {"table_rows", "tables", "nested_tables"}:
        return _in_table(layout, parts, style)
    names = layout.names
    if style == "dl":
        return (
            f"<dt{parts.attributes}{names.of('head')}>{parts.anchor}{parts.head}</dt>"
            f"<dd{names.of('post')}>{parts.body}{parts.foot}{parts.under}</dd>"
        )
    if style == "hr":
        open_, close = layout.pick("line", "<p>|</p>", "<div>|</div>", "<h4>|</h4>").split("|")
        head = f"{open_}{parts.head}{close}" if parts.head else ""
        return f"{parts.anchor}<a{parts.attributes}></a>{head}{parts.body}{parts.foot}<hr>"
    return _in_block(layout, parts, style)


def _in_block(layout: RandomLayout, parts: PostParts, style: str) -> str:
    tags = {
        "ul": ("li", "div", "div", "div"),
        "article": ("article", "header", "div", "footer"),
        "custom": ("forum-post", "post-meta", "post-text", "post-tools"),
    }.get(style, ("div", "div", "div", "div"))
    outer, head, main, foot = tags
    names = layout.names
    inner = f"<{head}{names.of('head')}>{parts.head}</{head}>" if parts.head else ""
    inner += parts.body
    inner += f"<{foot}{names.of('foot')}>{parts.foot}</{foot}>" if parts.foot else ""
    if parts.side:
        inner = f"<{main}{names.of('main')}>{inner}</{main}>"
        side = f"<div{names.of('side')}>{parts.side}</div>"
        inner = inner + side if layout.chance("side right", 0.25) else side + inner
    under = parts.under
    if under:
        tag = "ul" if style == "ul" else "div"
        under = f"<{tag}{names.of('children')}>{under}</{tag}>"
    return f"{parts.anchor}<{outer}{parts.attributes}{names.of('post')}>{inner}{under}</{outer}>"


def _in_table(layout: RandomLayout, parts: PostParts, style: str) -> str:
    names = layout.names
    attributes = f"{parts.attributes}{names.of('post')}"
    main = f"<td{names.of('main')} valign=top>{{}}</td>"
    side = f"<td{names.of('side')} width=150 valign=top>{parts.side}</td>" if parts.side else ""
    wide = " colspan=2" if parts.side else ""
    if style == "nested_tables":
        lines = [f"<td{names.of('head')}>{parts.head}</td>"] if parts.head else []
        lines += [f"<td>{parts.body}</td>"] + (
            [f"<td{names.of('foot')}>{parts.foot}</td>"] if parts.foot else []
        )
        inner = "<table width=100%>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"
        row = f"<tr>{side}{main.format(inner)}</tr>"
        table = f"<table{attributes} width=100% cellpadding=4>{row}</table>{parts.under}"
        return f"<tr><td>{parts.anchor}{table}</td></tr>"
    apart = layout.pick("head row", "row", "cell") == "row" and parts.head
    inner = (parts.body if apart else parts.head + parts.body) + ("" if apart else parts.foot)
    rows = f"<tr>{side}{main.format(parts.anchor + inner)}</tr>"
    if apart:
        rows = f"<tr><td{wide}{names.of('head')}>{parts.head}</td></tr>{rows}"
        rows += f"<tr><td{wide}{names.of('foot')}>{parts.foot}</td></tr>" if parts.foot else ""
    if style == "tables":
        return f"<table{attributes} width=100% border=1>{rows}</table>{parts.under}"
    return rows.replace("<tr>", f"<tr{attributes}>", 1)


def wrap_posts(layout: RandomLayout, posts: list[str], style: str) -> str:
    """Draw the element around all posts."""
    inner, names = "\n".join(posts), layout.names
    if style in {"table_rows", "nested_tables"}:
        return f"<table{names.of('posts')} width=100%>{inner}</table>"
    if style == "ul":
        tag = layout.pick("list", "ul", "ol")
        return f"<{tag}{names.of('posts')}>{inner}</{tag}>"
    if style == "dl":
        return f"<dl{names.of('posts')}>{inner}</dl>"
    if style == "hr":
        return inner
    tag = {"article": "section", "custom": "forum-thread"}.get(style, "div")
    return f"<{tag}{names.of('posts')}>{inner}</{tag}>"
