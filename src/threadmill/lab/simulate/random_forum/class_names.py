"""Class attributes of a random forum: words, hashed names, utility classes, or none at all."""

from __future__ import annotations

from hashlib import blake2b

from threadmill.lab.simulate.content.seeded_random import pick_one, random_fraction

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
