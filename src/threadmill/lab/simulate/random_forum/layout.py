"""The layout of a random forum: URLs, pages and the frame around them follow the choices that were drawn."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cached_property
from html import escape
from urllib.parse import unquote

from threadmill.lab.simulate.content.seeded_random import pick_one, random_fraction
from threadmill.lab.simulate.content.world import ForumContent, SimulatedBoard
from threadmill.lab.simulate.content.writing import ForumAuthor, write_title
from threadmill.lab.simulate.forum import PageLocation, PageRequest, SimulatedForum
from threadmill.lab.simulate.layout import HOME, MISSING, ForumLayout, as_int, as_page, last_number
from threadmill.lab.simulate.random_forum.addresses import decode_id, encode_id, make_addresses
from threadmill.lab.simulate.random_forum.choices import ForumChoices
from threadmill.lab.simulate.random_forum.elements import ClassNames
from threadmill.lab.simulate.random_forum.index_page import draw_board_list, draw_listing
from threadmill.lab.simulate.random_forum.message_page import draw_message
from threadmill.lab.simulate.random_forum.thread_page import draw_thread_page
from threadmill.lab.simulate.random_forum.url_template import UrlTemplate, plain
from threadmill.lab.simulate.snapshot import ALL
from threadmill.lab.simulate.view import ForumView, slug

_CHARSETS = {
    "ru": "windows-1251",
    "pl": "windows-1250",
    "tr": "windows-1254",
    "zh": "gb18030",
    "ja": "shift_jis",
}
_ANCHORS = ("p", "post-", "msg_", "c", "comment-", "post", "reply", "")
_PERMALINKS = {"page", "redirect"}


class RandomLayout(ForumLayout):
    """A layout made of choices. `world` is the content of its forum, set when the forum is opened."""

    name = "random"
    world: ForumContent

    def __init__(self, choices: ForumChoices, seed: int | str) -> None:
        self.choices = choices
        self.seed = seed
        self.names = ClassNames(choices.classes, seed)
        self.addresses = make_addresses(choices, seed)
        self.home = self.addresses.home
        self.feed = self.addresses.bare.write({"word": "feed"})
        self.charset = (
            _CHARSETS.get(choices.language, "windows-1252") if choices.charset == "legacy" else "utf-8"
        )
        self.link_style = choices.link_style if choices.link_style in self.addresses.link_styles else "path"
        self.session_name = pick_one(("sid", "PHPSESSID"), "session", seed)
        self.cookie = self.session_name
        self.anchor_word = self.pick("anchor", *_ANCHORS)

    def pick(self, name: str, *options: str) -> str:
        """Draw a detail that is no choice of its own."""
        return pick_one(options, "detail", self.seed, name)

    def chance(self, name: str, share: float) -> bool:
        """Draw whether a detail is there."""
        return random_fraction("detail", self.seed, name) < share

    # -- reading URLs

    def route(self, path: str, query: Mapping[str, str]) -> PageRequest:
        """Return what a URL asks for; the query is read as plain text in `route_url`."""
        return self.route_url(path + ("?" + "&".join(f"{k}={v}" for k, v in query.items()) if query else ""))

    def route_url(self, url: str) -> PageRequest:
        text = plain(url, self.session_name)
        if text in {self.home, self.home.rpartition("/")[0] + "/"}:
            return HOME
        for kind in ("listing", "board", "thread", "post", "profile"):
            template: UrlTemplate = getattr(self.addresses, kind)
            parts = template.read(text)
            if parts is not None:
                found = getattr(self, f"_read_{kind}")(parts)
                if isinstance(found, PageRequest):
                    return found
        parts = self.addresses.other.read(text) or self.addresses.bare.read(text)
        return self._read_other(parts) if parts else MISSING

    def _read_listing(self, parts: Mapping[str, str]) -> PageRequest:
        return self._at(PageRequest("board", 0), parts, "thread")

    def _read_board(self, parts: Mapping[str, str]) -> PageRequest | None:
        number = self._number(parts["id"], "board")
        return self._at(PageRequest("board", number), parts, "thread") if number >= 0 else None

    def _read_thread(self, parts: Mapping[str, str]) -> PageRequest | None:
        if self.choices.shape == "message":
            number = self._number(parts["id"], "post")
            return PageRequest("post", number) if number >= 0 else None
        number = self._number(parts["id"], "thread")
        if number < 0:
            return None
        return (
            PageRequest("last", number)
            if "last" in parts
            else self._at(PageRequest("thread", number), parts, "post")
        )

    def _read_post(self, parts: Mapping[str, str]) -> PageRequest | None:
        number = self._number(parts["id"], "post")
        if number < 0:
            return None
        if self.choices.shape == "tree":
            return PageRequest("message", number)
        return PageRequest("post", number, redirect=self.choices.permalink_url == "redirect")

    def _read_profile(self, parts: Mapping[str, str]) -> PageRequest:
        return PageRequest("other", as_int(parts["id"]), what="profile")

    def _read_other(self, parts: Mapping[str, str]) -> PageRequest:
        word, number = parts["word"], parts.get("id", "")
        if word == "feed":
            return PageRequest("feed")
        if word == "nexttopic":
            return PageRequest("next", self._number(number, "thread"))
        if word in OTHER_PAGES:
            return PageRequest("other", max(0, self._number(number, "thread")), what=OTHER_PAGES[word])
        return MISSING

    def _at(self, asked: PageRequest, parts: Mapping[str, str], kind: str) -> PageRequest:
        """Add the position of a page to a request."""
        text = parts.get("n", "")
        if not text:
            return asked
        if self.choices.paging == "cursor":
            return PageRequest(asked.kind, asked.number, cursor=self._number(text, kind))
        if self.choices.paging == "offset":
            return PageRequest(asked.kind, asked.number, offset=as_int(text))
        return PageRequest(asked.kind, asked.number, page=as_page(text))

    def _number(self, text: str, kind: str) -> int:
        style = self._id_style(kind)
        if style == "slug":
            return self._slugs[kind].get(unquote(text), -1)
        return decode_id(text, kind, style)

    def post_number(self, written: str) -> int:
        style = self._id_style("post")
        if style == "number":
            return last_number(written)
        text = re.split("[/=?#]", written)[-1]
        return decode_id(text.removeprefix(self.anchor_word), "post", style)

    # -- writing URLs

    def _id_style(self, kind: str) -> str:
        return "number" if self.choices.ids == "slug" and kind == "post" else self.choices.ids

    def code(self, number: int, kind: str) -> str:
        """Write the public id of a board, thread or post."""
        style = self._id_style(kind)
        return self._slug_of[kind][number] if style == "slug" else encode_id(number, kind, style)

    @cached_property
    def _slug_of(self) -> dict[str, dict[int, str]]:
        titles = {t.number: write_title(self.world, index) for index, t in enumerate(self.world.threads)}
        boards = {board.number: board.title for board in self.world.boards}
        return {"thread": _unique(titles), "board": _unique(boards)}

    @cached_property
    def _slugs(self) -> dict[str, dict[str, int]]:
        return {kind: {unquote(text): n for n, text in made.items()} for kind, made in self._slug_of.items()}

    def _thread_parts(self, index: int) -> dict[str, str]:
        thread = self.world.threads[index]
        return {
            "id": self.code(thread.number, "thread"),
            "slug": slug(write_title(self.world, index)) or "-",
            "board": self.code(self.world.boards[thread.board].number, "board"),
        }

    def board_url(self, forum: SimulatedForum, board: SimulatedBoard, offset: int = 0) -> str:
        parts = {"id": self.code(board.number, "board"), "slug": slug(board.title) or "-"}
        return self.addresses.board.write(parts, self._position(offset, forum.traits.threads_per_page))

    def all_url(self, forum: SimulatedForum, offset: int) -> str:
        if not offset:
            return self.home
        return self.addresses.listing.write({}, self._position(offset, forum.traits.threads_per_page))

    def _position(self, offset: int, per: int) -> str:
        if not offset:
            return ""
        return str(offset if self.choices.paging == "offset" else offset // per + 1)

    def thread_url(self, view: ForumView, index: int, offset: int = 0) -> str:
        units = view.snapshot.units(index)[1]
        parts = self._thread_parts(index)
        if self.choices.shape == "message":
            return self._message_url(parts, view.world.ids[units[min(offset, len(units) - 1)].rank])
        if self.choices.paging == "cursor":
            inside = 0 < offset < len(units)
            number = self.code(view.world.ids[units[offset].rank], "post") if inside else ""
            return self.addresses.thread.write(parts, number)
        return self.addresses.thread.write(parts, self._position(offset, view.traits.posts_per_page))

    def key(self, view: ForumView, place: PageLocation) -> str:
        if place.kind == "index" and place.offset and self.choices.paging == "cursor":
            rows = view.snapshot.stickies[place.index] + view.snapshot.listings[place.index]
            number = self.code(view.world.threads[rows[place.offset].thread].number, "thread")
            if place.index == ALL:
                return self.addresses.listing.write({}, number)
            board = view.world.boards[place.index]
            parts = {"id": self.code(board.number, "board"), "slug": slug(board.title) or "-"}
            return self.addresses.board.write(parts, number)
        return super().key(view, place)

    def post_url(self, view: ForumView, index: int, post_id: int, offset: int = 0) -> str:
        if self.choices.shape == "message":
            return self.message_url(index, post_id)
        if self.choices.permalink_url in _PERMALINKS and self.choices.shape != "tree":
            return f"{self.message_url(index, post_id)}#{self.anchor(post_id)}"
        return f"{self.thread_url(view, index, offset)}#{self.anchor(post_id)}"

    def message_url(self, index: int, post_id: int) -> str:
        """Return the URL of the page of one message, or the permalink that has no fragment."""
        parts = self._thread_parts(index)
        if self.choices.shape == "message":
            return self._message_url(parts, post_id)
        return self.addresses.post.write({**parts, "thread": parts["id"], "id": self.code(post_id, "post")})

    def _message_url(self, parts: Mapping[str, str], post_id: int) -> str:
        rank = self.world.rank_of(post_id)
        assert rank is not None
        when = datetime.fromtimestamp(self.world.times[rank], UTC)
        months = {**parts, "id": self.code(post_id, "post"), "dir": f"{when:%Y-%m}"}
        return self.addresses.thread.write(months)

    def newest_url(self, view: ForumView, index: int) -> str:
        del view
        return self.addresses.thread.write(self._thread_parts(index), last=True)

    def anchor(self, post_id: int) -> str:
        return f"{self.anchor_word}{self.code(post_id, 'post')}"

    def profile_url(self, author: ForumAuthor) -> str:
        name = author.name if self.choices.profiles == "name" else str(author.number)
        return self.addresses.profile.write({"id": name})

    def other_url(self, word: str, thread: int | None = None) -> str:
        """Return the URL of a page that is neither index nor thread: login, print, reply …"""
        if thread is None:
            return self.addresses.bare.write({"word": word})
        number = self.world.threads[thread].number
        return self.addresses.other.write({"word": word, "id": self.code(number, "thread")})

    # -- pages

    def draw_home(self, view: ForumView) -> str:
        return draw_frame(self, view, escape(view.traits.title), "", draw_board_list(self, view))

    def draw_board(self, view: ForumView, place: PageLocation) -> str:
        title = view.traits.title if place.index == ALL else view.world.boards[place.index].title
        content, head = draw_listing(self, view, place)
        board = None if place.index == ALL else view.world.boards[place.index]
        return draw_frame(self, view, escape(title), head, content, board)

    def draw_thread(self, view: ForumView, place: PageLocation) -> str:
        if self.choices.shape == "message":
            (post,) = view.posts(place)
            content, head = draw_message(self, view, place.index, post.rank), ""
        else:
            content, head = draw_thread_page(self, view, place)
        board = view.world.boards[view.world.threads[place.index].board_at(view.now)]
        return draw_frame(self, view, view.title(place.index), head, content, board)

    def draw_extra(self, view: ForumView, target: PageRequest) -> str | None:
        if target.kind != "message":
            return None
        rank = self.world.rank_of(target.number)
        if rank is None or not view.snapshot.shows(rank):
            return self.draw_other(view, escape(view.traits.title), f"<p>{view.word('missing')}</p>")
        index = view.snapshot.home_of(self.world.owners[rank])
        return draw_frame(self, view, view.title(index), "", draw_message(self, view, index, rank))

    def draw_other(self, view: ForumView, heading: str, content: str) -> str:
        return draw_frame(self, view, heading, "", f"<h1>{heading}</h1>{content}")


# Pages that are neither index nor thread, by their word in URLs; the value tells how to draw them.
OTHER_PAGES = {
    "login": "login", "register": "register", "search": "search", "members": "members", "help": "help",
    "reply": "reply", "quote": "quote", "report": "report", "print": "print", "subscribe": "share",
    "newtopic": "new_thread", "markread": "archive", "ask": "ask", "feedback": "contact", "like": "share",
    "rss": "help", "rules": "rules", "contact": "contact", "vote": "votes", "calendar": "calendar",
}  # fmt: skip


def _unique(titles: Mapping[int, str]) -> dict[int, str]:
    """Return a slug for each number. A title that was used before gets a number at its end."""
    used: dict[str, int] = {}
    found = {}
    for number, title in titles.items():
        base = slug(title) or "x"
        used[base] = used.get(base, 0) + 1
        found[number] = base if used[base] == 1 else f"{base}-{used[base]}"
    return found


def draw_frame(  # noqa: PLR0917 -- the parts of one page
    layout: RandomLayout,
    view: ForumView,
    title: str,
    head: str,
    content: str,
    board: SimulatedBoard | None = None,
) -> str:
    """Draw a whole page around its content. Title and content are HTML."""
    names, side = layout.names, _sidebar(layout, view)
    body = f"{_crumbs(layout, view, board)}{content}"
    tag = layout.pick("content", "div", "main", "td")
    if tag == "td":
        left = f"<td width=160>{side}</td>" if side and layout.choices.sidebar == "left" else ""
        right = f"<td width=160>{side}</td>" if side and layout.choices.sidebar == "right" else ""
        body = f"<table width=100%><tr>{left}<td>{body}</td>{right}</tr></table>"
    else:
        main = f"<{tag}{names.of('content')}>{body}</{tag}>"
        body = f"{side}{main}" if layout.choices.sidebar == "left" else f"{main}{side}"
    charset = f'<meta charset="{layout.charset}">' if layout.chance("meta charset", 0.8) else ""
    return (
        f'<!DOCTYPE html>\n<html lang="{view.language.code}"><head>{charset}<title>{title} - {escape(view.traits.title)}</title>'
        f"{view.feed_link()}{head}</head><body>{_menu(layout, view)}{body}{_footer(layout, view)}</body></html>"
    )


def _menu(layout: RandomLayout, view: ForumView) -> str:
    words = ["search", "members", "help", "register", "login"]
    if layout.choices.shape == "questions":
        words.insert(0, "ask")
    if layout.choices.tools == "many":
        words.insert(0, "feedback")
    spoken = {word: view.language.words.get(word, "") for word in words}
    links = [
        f'<a href="{view.href(layout.other_url(word))}">{escape(text) or view.word(word)}</a>'
        for word, text in spoken.items()
    ]
    form = ""
    if layout.choices.login == "form":
        form = f'<form method="post" action="{view.href(layout.other_url("login"))}"><input name="user"><input type="password" name="password"><button>{view.word("login")}</button></form>'
    logo = f'<a href="{view.href(layout.home)}">{escape(view.traits.title)}</a>'
    if layout.chance("menu list", 0.5):
        items = "".join(f"<li>{link}</li>" for link in links)
        return f"<header>{logo}<nav><ul{layout.names.of('menu')}>{items}</ul></nav>{form}</header>"
    return f"<div{layout.names.of('menu')}>{logo} {' | '.join(links)}{form}</div>"


def _crumbs(layout: RandomLayout, view: ForumView, board: SimulatedBoard | None) -> str:
    shown = board is not None and layout.choices.boards != "none"
    if layout.choices.crumbs == "none" and not (shown and layout.choices.boards == "nested"):
        return ""
    trail = [f'<a href="{view.href(layout.home)}">{view.word("home")}</a>']
    if shown and board is not None:
        trail.append(f'<a href="{view.href(layout.board_url(view.forum, board))}">{escape(board.title)}</a>')
    return f"<div{layout.names.of('crumbs')}>{layout.pick('crumb', ' › ', ' / ', ' &raquo; ', ' -&gt; ').join(trail)}</div>"


def _sidebar(layout: RandomLayout, view: ForumView) -> str:
    if layout.choices.sidebar == "none":
        return ""
    rows = "".join(
        f'<li><a href="{view.href(layout.thread_url(view, row.index))}">{escape(row.title)}</a> {escape(row.last_author.name)} {escape(row.active.text)}</li>'
        for row in view.recent(4)
    )
    return f"<div{layout.names.of('sidebar')}><h4>{view.word('recent')}</h4><ul>{rows}</ul></div>"


def _footer(layout: RandomLayout, view: ForumView) -> str:
    people = ""
    if layout.choices.online == "list":
        names = ", ".join(escape(author.name) for author in view.online())
        people = f"<div{layout.names.of('online')}><h4>{view.word('online')}</h4>{names}</div>"
    links = " ".join(
        f'<a href="{view.href(layout.other_url(word))}">{view.word(word)}</a>'
        for word in ("rules", "contact")
    )
    return f"{people}<div{layout.names.of('footer')}>{links} · {view.now // 31557600 + 1970} · {view.tick} ms</div>"
