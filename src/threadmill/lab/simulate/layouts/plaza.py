"""A custom layout without tables: newest posts first, pages addressed by their first post, only "older" links."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from threadmill.lab.simulate.content.world import SimulatedBoard
from threadmill.lab.simulate.content.writing import ForumAuthor, Quotation
from threadmill.lab.simulate.forum import PageLocation, PageRequest, SimulatedForum
from threadmill.lab.simulate.layout import (
    HOME,
    MISSING,
    ForumLayout,
    as_int,
    match_numbers,
    wrap_in_paragraphs,
)
from threadmill.lab.simulate.view import ForumView, IndexRow, ShownPost, slug


class PlazaLayout(ForumLayout):
    """/rubriek/4?vanaf=88 (starts with thread 88), /onderwerp/12/slug?start=991 (starts with post 991)."""

    name = "plaza"
    cookie = "plaza"
    home = "/"

    def route(self, path: str, query: Mapping[str, str]) -> PageRequest:
        if path == "/":
            return HOME
        found = match_numbers(r"/rubriek/(\d+)", path)
        if found:
            return PageRequest("board", found[0], cursor=as_int(query["vanaf"]) if "vanaf" in query else None)
        found = match_numbers(r"/onderwerp/(\d+)(?:/[^/]*)?", path)
        if found:
            if "print" in query or "volgorde" in query:
                return PageRequest("other", found[0], what="print")
            return PageRequest(
                "thread", found[0], cursor=as_int(query["start"]) if "start" in query else None
            )
        found = match_numbers(r"/bericht/(\d+)", path)
        if found:
            return PageRequest("post", found[0])
        found = match_numbers(r"/lid/(\d+)/.*", path)
        if found:
            return PageRequest("other", found[0], what="profile")
        first = path.strip("/").partition("/")[0]
        known = {
            "inloggen": "login",
            "zoeken": "search",
            "agenda": "calendar",
            "reageer": "reply",
            "contact": "contact",
            "regels": "rules",
        }
        return (
            PageRequest("other", page=as_int(query.get("maand"), 1), what=known[first])
            if first in known
            else MISSING
        )

    def board_url(self, forum: SimulatedForum, board: SimulatedBoard, offset: int = 0) -> str:
        """Return the first page only. A cursor needs the rows, so `key` and the drawing methods write it."""
        del forum, offset
        return f"/rubriek/{board.number}"

    def thread_url(self, view: ForumView, index: int, offset: int = 0) -> str:
        base = f"/onderwerp/{view.world.threads[index].number}/{slug(view.raw_title(index))}"
        units = view.snapshot.units(index)[1]
        return base + (f"?start={view.world.ids[units[offset].rank]}" if 0 < offset < len(units) else "")

    def key(self, view: ForumView, place: PageLocation) -> str:
        if place.kind == "index" and place.offset:
            row = (view.snapshot.stickies[place.index] + view.snapshot.listings[place.index])[place.offset]
            return f"/rubriek/{view.world.boards[place.index].number}?vanaf={view.world.threads[row.thread].number}"
        return super().key(view, place)

    def post_url(self, view: ForumView, index: int, post_id: int, offset: int = 0) -> str:
        del view, index, offset
        return f"/bericht/{post_id}"

    def anchor(self, post_id: int) -> str:
        return f"b{post_id}"

    def profile_url(self, author: ForumAuthor) -> str:
        return f"/lid/{author.number}/{slug(author.name)}"

    def aliases(self, view: ForumView, place: PageLocation) -> list[str]:
        if place.kind == "thread" and not place.offset:
            return [f"/onderwerp/{view.world.threads[place.index].number}"]
        return []

    # -- pages

    def draw_home(self, view: ForumView) -> str:
        parts = []
        for top in view.boards():
            cards = "".join(self._card(view, i) for i in [top, *view.boards(top)])
            parts.append(f'<section class="cluster">{cards}</section>')
        return self._frame(view, escape(view.traits.title), f'<div class="clusters">{"".join(parts)}</div>')

    def _card(self, view: ForumView, index: int) -> str:
        board, last = view.world.boards[index], view.board_last(index)
        threads, posts = view.board_counts(index)
        latest = (
            f'<p class="latest"><a href="{view.href(self.thread_url(view, last.index))}">{escape(last.title)}</a> <small>{escape(last.active.text)}</small></p>'
            if last
            else ""
        )
        return f'<div class="card"><h2><a href="{view.href(self.board_url(view.forum, board))}">{escape(board.title)}</a></h2><p>{escape(board.description)}</p><p class="n">{threads} {view.word("threads")}, {posts} {view.word("posts")}</p>{latest}</div>'

    def draw_board(self, view: ForumView, place: PageLocation) -> str:
        board = view.world.boards[place.index]
        part = view.index_slice(place)
        rows = "".join(self._row(view, row) for row in view.rows(place))
        subs = "".join(self._card(view, i) for i in view.boards(place.index)) if not place.offset else ""
        steps = ""
        if place.offset:
            steps += f'<a class="step up" href="{view.href(self.board_url(view.forum, board))}">{view.word("first")}</a> '
        if part.has_next:
            steps += f'<a class="step down" href="{view.href(self.key(view, PageLocation("index", place.index, part.offset + part.per)))}">{view.word("older")}</a>'
        return self._frame(
            view,
            escape(board.title),
            f'<h1>{escape(board.title)}</h1><div class="cluster">{subs}</div><div class="stream">{rows}</div><p class="steps">{steps}</p>',
        )

    def _row(self, view: ForumView, row: IndexRow) -> str:
        flag = (
            f'<b class="flag">{view.word("sticky")}</b> '
            if row.sticky
            else f'<b class="flag">{view.word("moved")}:</b> '
            if row.stub
            else ""
        )
        dates = (
            f'<span class="moment">{escape(row.active.text)}</span>'
            if view.traits.index_dates != "none"
            else ""
        )
        return (
            f'<div class="entry"><div class="what">{flag}<a href="{view.href(self.thread_url(view, row.index))}">{escape(row.title)}</a></div><div class="who">{self._user(view, row.author)}</div>'
            f'<div class="how"><i>{row.replies}</i> {view.word("replies")} · <i>{row.views}</i>× {view.word("views")}</div><div class="when">{dates} {view.word("by")} {escape(row.last_author.name)}</div></div>'
        )

    def draw_thread(self, view: ForumView, place: PageLocation) -> str:
        part = view.thread_slice(place)
        board = view.world.boards[view.world.threads[place.index].board_at(view.now)]
        shown = []
        for order, post in enumerate(view.posts(place)):
            shown.append(self._post(view, post))
            if view.traits.adverts and order == 2:
                shown.append(
                    f'<div class="item promo"><div class="side"><strong>Promo</strong></div><div class="main"><div class="meta">{view.write_date(view.now, "{d}-{m}-{Y} {HH}:{MM}")}</div><div class="txt"><p>{view.word("advert")}: {escape(view.language.boards[1][1])}</p></div></div></div>'
                )
        steps = ""
        if place.offset:
            steps += f'<a class="step up" href="{view.href(self.thread_url(view, place.index))}">{view.word("newer")}</a> '
        if part.has_next:
            steps += f'<a class="step down" href="{view.href(self.thread_url(view, place.index, part.offset + part.per))}">{view.word("older")}</a>'
        base = self.thread_url(view, place.index)
        body = (
            f'<nav class="trail"><a href="{view.href("/")}">{view.word("home")}</a> / <a href="{view.href(self.board_url(view.forum, board))}">{escape(board.title)}</a></nav><h1>{view.title(place.index)}</h1><p class="tools"><a href="{view.href(base + "?print=1")}">{view.word("print")}</a> '
            f'<a href="{view.href(base + "?volgorde=oud")}">{view.word("older")}</a></p><div class="items">{"".join(shown)}</div><p class="steps">{steps}</p>'
        )
        return self._frame(view, view.title(place.index), body)

    def _post(self, view: ForumView, post: ShownPost) -> str:
        author = post.author
        side = (
            f'<span class="since">{view.word("joined")} {view.joined(author, "{d}-{m}-{Y}")}</span>'
            if author.number
            else ""
        )
        edited = (
            f'<div class="note">{escape(view.language.words["edited"].format(who=author.name, when=post.edited.text, n=1))}</div>'
            if post.edited
            else ""
        )
        signature = f'<div class="sig">{escape(author.signature)}</div>' if author.signature else ""
        return (
            f'<div class="item" id="b{post.id}"><div class="side">{self._user(view, author)}{side}</div><div class="main"><div class="meta">{escape(post.when.text)} <a class="hash" href="{view.href(f"/bericht/{post.id}")}">#{post.position}</a></div>'
            f'<div class="txt">{_quote(view, post.quotation)}{wrap_in_paragraphs(post.paragraphs)}</div>{edited}{signature}<div class="acts"><a href="{view.href(f"/reageer?op={post.id}")}">{view.word("quote")}</a></div></div></div>'
        )

    def draw_other(self, view: ForumView, heading: str, content: str) -> str:
        return self._frame(view, heading, f"<h1>{heading}</h1>{content}")

    def _user(self, view: ForumView, author: ForumAuthor) -> str:
        if not author.number:
            return f"<em>{escape(author.name)}</em>"
        return f'<a class="lid" href="{view.href(self.profile_url(author))}">{escape(author.name)}</a>'

    def _frame(self, view: ForumView, title: str, body: str) -> str:
        recent = "".join(
            f'<div><a href="{view.href(self.thread_url(view, row.index))}">{escape(row.title)}</a> {escape(row.active.text)}</div>'
            for row in view.recent(4)
        )
        return (
            f'<!doctype html><html lang="{view.language.code}"><meta charset="utf-8"><title>{title}</title><link rel="stylesheet" href="/p.css?{view.now // 86400}"><body><div class="bar"><a class="brand" href="{view.href("/")}">{escape(view.traits.title)}</a> <a href="/zoeken">{view.word("search")}</a> '
            f'<a href="/agenda">{view.word("calendar")}</a> <a href="/inloggen">{view.word("login")}</a></div><div class="shell"><div class="body">{body}</div><div class="aside"><h4>{view.word("recent")}</h4>{recent}<h4>{view.word("online")}</h4>'
            f'{", ".join(escape(a.name) for a in view.online())}</div></div><div class="foot"><a href="/regels">{view.word("rules")}</a> · <a href="/contact">{view.word("contact")}</a></div></body></html>'
        )


def _quote(view: ForumView, quotation: Quotation | None) -> str:
    if not quotation:
        return ""
    when = view.write_date(quotation.moment, "{d}-{m}-{Y} {HH}:{MM}")
    return f'<div class="cit"><div class="citkop">{escape(quotation.author)} {view.word("wrote")} ({when})</div>{_quote(view, quotation.inner)}{wrap_in_paragraphs([quotation.text])}</div>'


LAYOUT = PlazaLayout()
