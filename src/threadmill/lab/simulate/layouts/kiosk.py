"""A custom layout of definition lists: threads by creation without dates, posts as dt and dd."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape

from threadmill.lab.simulate.content.world import SimulatedBoard
from threadmill.lab.simulate.content.writing import ForumAuthor, Quotation
from threadmill.lab.simulate.forum import PageLocation, PageRequest, SimulatedForum
from threadmill.lab.simulate.layout import HOME, MISSING, ForumLayout, join_with_breaks, match_numbers
from threadmill.lab.simulate.snapshot import PageSlice
from threadmill.lab.simulate.view import ForumView, IndexRow, ShownPost


class KioskLayout(ForumLayout):
    """/b/4/2.html, /t/758057/2.html; no last-activity links, no paging in rows."""

    name = "kiosk"
    cookie = "ks"
    home = "/"

    def route(self, path: str, query: Mapping[str, str]) -> PageRequest:
        del query
        if path in {"/", "/index.html"}:
            return HOME
        found = match_numbers(r"/b/(\d+)/(?:(\d+)\.html)?", path)
        if found:
            return PageRequest("board", found[0], max(1, found[1]))
        found = match_numbers(r"/t/(\d+)/(?:(\d+)\.html)?", path)
        if found:
            return PageRequest("thread", found[0], max(1, found[1]))
        found = match_numbers(r"/u/(\d+)\.html", path)
        if found:
            return PageRequest("other", found[0], what="profile")
        found = match_numbers(r"/log/(\d+)\.html", path)
        if found:
            return PageRequest("other", found[0], what="archive")
        known = {
            "/login.cgi": "login",
            "/search.cgi": "search",
            "/post.cgi": "reply",
            "/help.html": "help",
            "/rule.html": "rules",
        }
        return PageRequest("other", what=known[path]) if path in known else MISSING

    def board_url(self, forum: SimulatedForum, board: SimulatedBoard, offset: int = 0) -> str:
        page = offset // forum.traits.threads_per_page + 1
        return f"/b/{board.number}/" + (f"{page}.html" if page > 1 else "")

    def thread_url(self, view: ForumView, index: int, offset: int = 0) -> str:
        page = offset // view.traits.posts_per_page + 1
        return f"/t/{view.world.threads[index].number}/" + (f"{page}.html" if page > 1 else "")

    def post_url(self, view: ForumView, index: int, post_id: int, offset: int = 0) -> str:
        return f"{self.thread_url(view, index, offset)}#r{post_id}"

    def anchor(self, post_id: int) -> str:
        return f"r{post_id}"

    def profile_url(self, author: ForumAuthor) -> str:
        return f"/u/{author.number}.html"

    def aliases(self, view: ForumView, place: PageLocation) -> list[str]:
        if place.offset:
            return []
        return ["/index.html"] if place.kind == "home" else [f"{self.key(view, place)}1.html"]

    # -- pages

    def draw_home(self, view: ForumView) -> str:
        items = []
        for top in view.boards():
            for index in [top, *view.boards(top)]:
                board = view.world.boards[index]
                threads, posts = view.board_counts(index)
                items.append(
                    f'<dt class="k{1 if index == top else 2}"><a href="{view.href(self.board_url(view.forum, board))}">{escape(board.title)}</a> ({threads}/{posts})</dt><dd>{escape(board.description)}</dd>'
                )
        return self._frame(
            view,
            escape(view.traits.title),
            f'<div id="ita"><h2>{view.word("boards")}</h2><dl>{"".join(items)}</dl></div>',
        )

    def draw_board(self, view: ForumView, place: PageLocation) -> str:
        board = view.world.boards[place.index]
        part = view.index_slice(place)
        nav = self._nav(view, part, lambda offset: self.board_url(view.forum, board, offset))
        rows = "".join(self._row(view, row, part.offset + n) for n, row in enumerate(view.rows(place), 1))
        subs = "".join(
            f'<a href="{view.href(self.board_url(view.forum, view.world.boards[i]))}">{escape(view.world.boards[i].title)}</a> '
            for i in view.boards(place.index)
        )
        body = f'<h2>{escape(board.title)}</h2><p class="sub">{subs}</p><div class="nav">{nav}</div><div id="sure"><ol>{rows}</ol></div><div class="nav">{nav}</div>'
        return self._frame(view, escape(board.title), body)

    def _row(self, view: ForumView, row: IndexRow, order: int) -> str:
        mark = f"【{view.word('sticky')}】" if row.sticky else f"{view.word('moved')}:" if row.stub else ""
        return f'<li value="{order}"><a href="{view.href(self.thread_url(view, row.index))}">{mark}{escape(row.title)}</a> <span class="c">({row.replies})</span> <span class="n">{escape(row.author.name)}</span></li>'

    def draw_thread(self, view: ForumView, place: PageLocation) -> str:
        thread = view.world.threads[place.index]
        board = view.world.boards[thread.board_at(view.now)]
        part = view.thread_slice(place)
        nav = self._nav(view, part, lambda offset: self.thread_url(view, place.index, offset))
        shown = "".join(self._post(view, post) for post in view.posts(place))
        body = (
            f'<p class="up"><a href="{view.href(self.board_url(view.forum, board))}">{escape(board.title)}</a> &gt; <a href="{view.href(f"/log/{thread.number}.html")}">{view.word("archive")}</a></p><h2 class="t">{view.title(place.index)}</h2><div class="nav">{nav}</div>'
            f'<dl class="thread">{shown}</dl><div class="nav">{nav}</div><form action="/post.cgi" method="post"><textarea name="m"></textarea><input type="submit" value="{view.word("reply")}"></form>'
        )
        return self._frame(view, view.title(place.index), body)

    def _post(self, view: ForumView, post: ShownPost) -> str:
        name = (
            f'<a href="{view.href(self.profile_url(post.author))}"><b>{escape(post.author.name)}</b></a>'
            if post.author.number
            else f"<b>{escape(post.author.name)}</b>"
        )
        note = (
            f'<div class="ed">{escape(view.language.words["edited"].format(who=post.author.name, when=post.edited.text, n=1))}</div>'
            if post.edited
            else ""
        )
        return f'<dt id="r{post.id}">{post.position} ：{name}：{escape(post.when.text)} ID:{post.author.number * 7919 % 99991:05d}</dt><dd><div class="m">{_quote(view, post.quotation)}{join_with_breaks(post.paragraphs, "<br>")}</div>{note}</dd>'

    def draw_other(self, view: ForumView, heading: str, content: str) -> str:
        return self._frame(view, heading, f"<h2>{heading}</h2>{content}")

    def _nav(self, view: ForumView, part: PageSlice, url: Callable[[int], str]) -> str:
        if part.pages == 1:
            return ""
        pieces = (
            [f'<a href="{view.href(url(part.offset - part.per))}">{view.word("previous")}</a>']
            if part.page > 1
            else []
        )
        pieces += [
            "…"
            if n == 0
            else f"<b>{n}</b>"
            if n == part.page
            else f'<a href="{view.href(url(part.offset_of(n)))}">{n}</a>'
            for n in part.window(around=2)
        ]
        if part.has_next:
            pieces.append(f'<a href="{view.href(url(part.offset + part.per))}">{view.word("next")}</a>')
        return " | ".join(pieces)

    def _frame(self, view: ForumView, title: str, body: str) -> str:
        recent = "".join(
            f'<li><a href="{view.href(self.thread_url(view, row.index))}">{escape(row.title)}</a> {escape(view.show_date(view.world.times[view.world.rank_of(row.last_id) or 0]).text)}</li>'
            for row in view.recent(4)
        )
        return (
            f'<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><html lang="{view.language.code}"><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><title>{title} - {escape(view.traits.title)}</title></head><body><div id="wrap"><div id="head"><h1><a href="{view.href("/")}">{escape(view.traits.title)}</a></h1>'
            f'<ul id="menu"><li><a href="/search.cgi">{view.word("search")}</a><li><a href="/login.cgi">{view.word("login")}</a><li><a href="/help.html">{view.word("help")}</a></ul></div><div id="main">{body}</div><div id="side"><h3>{view.word("recent")}</h3><ul>{recent}</ul><p>{view.word("views")} {view.now // 3600 + view.tick}</p></div>'
            f'<div id="foot"><a href="/rule.html">{view.word("rules")}</a></div></div></body></html>'
        )


def _quote(view: ForumView, quotation: Quotation | None) -> str:
    if not quotation:
        return ""
    return f'<div class="q">&gt;&gt;<a href="#r{quotation.post_id}">{escape(quotation.author)}</a>{view.word("wrote")}<br>{_quote(view, quotation.inner)}&gt; {join_with_breaks([quotation.text], "<br>")}</div>'


LAYOUT = KioskLayout()
