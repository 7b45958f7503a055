"""The elements and class attributes of a random forum: how the parts of a post are put together."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

from threadmill.lab.simulate.content.seeded_random import pick_one, random_fraction

if TYPE_CHECKING:
    from threadmill.lab.simulate.random_forum.layout import RandomLayout

# What engines call things. A role that is not listed is called by its own name.
_SYNONYMS = {
    "post": ("post", "message", "comment", "item", "entry", "reply", "msg", "postbit", "cPost"),
    "posts": ("posts", "messages", "comments", "stream", "thread-body", "content-list", "replies"),
    "author": ("author", "username", "poster", "by", "user", "name", "creator"),
    "date": ("date", "time", "when", "posted", "timestamp", "meta-date", "smalltext"),
    "head": ("head", "meta", "postheader", "byline", "info", "top", "msgHead"),
    "side": ("side", "postprofile", "userinfo", "left", "user-col", "avatar-col"),
    "main": ("main", "postbody", "right", "content-col", "inner"),
    "body": ("body", "content", "text", "message-text", "post-content", "postText", "txt"),
    "foot": ("foot", "actions", "tools", "post-buttons", "bottom", "controls"),
    "signature": ("signature", "sig", "usersig"),
    "row": ("row", "topic", "thread", "discussion", "line", "topicRow", "listitem"),
    "rows": ("rows", "topics", "threads", "list", "forumline", "discussions"),
    "title": ("title", "subject", "topictitle", "headline", "thread-title"),
    "counter": ("count", "num", "stat", "replies", "counter", "numbers"),
    "last": ("last", "lastpost", "latest", "last-activity", "recent"),
    "board": ("board", "forum", "category", "section", "node", "forumrow"),
    "boards": ("boards", "forums", "categories", "sections", "nodes"),
    "pager": ("pagination", "pager", "pages", "pagenav", "nav-links", "PageNav"),
    "quote": ("quote", "quotation", "bbquote", "cite", "quoted"),
    "sidebar": ("sidebar", "aside", "widget", "block", "panel"),
    "note": ("edited", "note", "notice", "editnote", "last-edit"),
}
_UTILITIES = (
    "flex", "grid", "p-2", "p-4", "px-3", "py-1", "m-0", "mb-2", "mt-4", "mx-auto", "text-sm", "text-xs", "text-gray-500",
    "font-bold", "rounded", "border", "border-b", "shadow", "bg-white", "w-full", "items-center", "justify-between",
    "gap-2", "md:w-1/4", "hover:underline", "leading-6", "truncate",
)  # fmt: skip


class ClassNames:
    """Gives each role of an element its class attribute."""

    def __init__(self, style: str, seed: int | str) -> None:
        self.style = style
        self.seed = seed

    def of(self, role: str) -> str:
        """Return the class attribute of a role with a blank before it, or an empty text."""
        name = self.name(role)
        return f' class="{name}"' if name else ""

    def name(self, role: str) -> str:
        """Return the class of a role."""
        word = pick_one(_SYNONYMS.get(role, (role,)), "class", self.seed, role)
        if self.style == "words":
            return word
        if self.style == "hashed":
            return self._hashed(role, word)
        if self.style == "utility":
            chosen = [u for u in _UTILITIES if random_fraction("utility", self.seed, role, u) < 0.16]
            return " ".join(chosen or _UTILITIES[:2])
        return ""

    def _hashed(self, role: str, word: str) -> str:
        digest = blake2b(f"{self.seed} {role}".encode(), digest_size=5).hexdigest()
        form = pick_one(("module", "css", "styled"), "hashed", self.seed)
        if form == "module":
            return f"{word.replace('-', '').capitalize()}_{role}__{digest[:5]}"
        return f"css-{digest[:6]}" if form == "css" else f"sc-{digest[:6]} {digest[6:]}x"


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
