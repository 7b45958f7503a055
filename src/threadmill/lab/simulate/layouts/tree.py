"""A layout of nested replies: comments nested in the HTML, only relative dates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape

from threadmill.lab.simulate.content.world import SimulatedBoard
from threadmill.lab.simulate.content.writing import ForumAuthor
from threadmill.lab.simulate.forum import PageLocation, PageRequest, SimulatedForum
from threadmill.lab.simulate.layout import (
    HOME,
    MISSING,
    ForumLayout,
    as_page,
    match_numbers,
    wrap_in_paragraphs,
)
from threadmill.lab.simulate.snapshot import PageSlice
from threadmill.lab.simulate.view import ForumView, IndexRow, ShownPost


class TreeLayout(ForumLayout):
    """/topics/4?p=2, /item/12?p=2, /item/12/c99 (the page around a comment)."""

    name = "tree"
    cookie = "tr"
    home = "/"

    def route(self, path: str, query: Mapping[str, str]) -> PageRequest:
        if path in {"/", "/topics"}:
            return HOME
        found = match_numbers(r"/topics/(\d+)", path)
        if found:
            return (
                PageRequest("other", what="top")
                if "by" in query
                else PageRequest("board", found[0], as_page(query.get("p")))
            )
        found = match_numbers(r"/item/(\d+)", path)
        if found:
            return PageRequest("thread", found[0], as_page(query.get("p")))
        found = match_numbers(r"/item/\d+/c(\d+)", path)
        if found:
            return PageRequest("post", found[0])
        if path.startswith("/user/"):
            return PageRequest("other", len(path), what="profile")
        known = {
            "/login": "login",
            "/search": "search",
            "/submit": "new_thread",
            "/about": "help",
            "/reply": "reply",
            "/vote": "votes",
        }
        return PageRequest("other", what=known[path]) if path in known else MISSING

    def board_url(self, forum: SimulatedForum, board: SimulatedBoard, offset: int = 0) -> str:
        page = offset // forum.traits.threads_per_page + 1
        return f"/topics/{board.number}" + (f"?p={page}" if page > 1 else "")

    def thread_url(self, view: ForumView, index: int, offset: int = 0) -> str:
        page = offset // view.traits.posts_per_page + 1
        return f"/item/{view.world.threads[index].number}" + (f"?p={page}" if page > 1 else "")

    def post_url(self, view: ForumView, index: int, post_id: int, offset: int = 0) -> str:
        del offset
        return f"/item/{view.world.threads[index].number}/c{post_id}"

    def anchor(self, post_id: int) -> str:
        return f"c{post_id}"

    def profile_url(self, author: ForumAuthor) -> str:
        return f"/user/{author.name}"

    def aliases(self, view: ForumView, place: PageLocation) -> list[str]:
        del view
        return ["/topics"] if place.kind == "home" else []

    # -- pages

    def draw_home(self, view: ForumView) -> str:
        items = []
        for top in view.boards():
            for index in [top, *view.boards(top)]:
                board = view.world.boards[index]
                last = view.board_last(index)
                said = f' <span class="age">{escape(last.active.text)}</span>' if last else ""
                items.append(
                    f'<li><a href="{view.href(self.board_url(view.forum, board))}">{escape(board.title)}</a> <span>{view.board_counts(index)[0]}</span>{said}<br><small>{escape(board.description)}</small></li>'
                )
        return self._frame(
            view, escape(view.traits.title), f'<main><ul class="topics">{"".join(items)}</ul></main>'
        )

    def draw_board(self, view: ForumView, place: PageLocation) -> str:
        board = view.world.boards[place.index]
        part = view.index_slice(place)
        rows = "".join(self._row(view, row) for row in view.rows(place))
        subs = "".join(
            f'<a class="pill" href="{view.href(self.board_url(view.forum, view.world.boards[i]))}">{escape(view.world.boards[i].title)}</a>'
            for i in view.boards(place.index)
        )
        nav = self._nav(view, part, lambda offset: self.board_url(view.forum, board, offset))
        body = f'<main><h1>{escape(board.title)}</h1><p>{subs} <a href="{view.href(f"/topics/{board.number}?by=score")}">{view.word("top")}</a></p><section class="stories">{rows}</section>{nav}</main>'
        return self._frame(view, escape(board.title), body)

    def _row(self, view: ForumView, row: IndexRow) -> str:
        url = view.href(self.thread_url(view, row.index))
        mark = (
            f"<b>{view.word('sticky')}</b> "
            if row.sticky
            else f"<b>{view.word('moved')}:</b> "
            if row.stub
            else ""
        )
        return (
            f'<div class="story" data-n="{row.number}"><a class="up" href="/vote?id={row.number}">▲</a> {mark}<a class="head" href="{url}">{escape(row.title)}</a><div class="sub"><span class="score">{row.number % 80 + view.tick % 5}</span> {view.word("by")} '
            f'{self._user(view, row.author)} <span class="age">{escape(row.created.text)}</span> | <a href="{url}">{row.replies} {view.word("comments")}</a></div></div>'
        )

    def draw_thread(self, view: ForumView, place: PageLocation) -> str:
        part = view.thread_slice(place)
        posts = view.posts(place)
        board = view.world.boards[view.world.threads[place.index].board_at(view.now)]
        nav = self._nav(view, part, lambda offset: self.thread_url(view, place.index, offset))
        first = posts[0]
        body = (
            f'<main><p class="crumb"><a href="{view.href(self.board_url(view.forum, board))}">{escape(board.title)}</a></p><article class="lead" id="c{first.id}"><h1>{view.title(place.index)}</h1><div class="sub">{self._user(view, first.author)} <span class="age">{escape(first.when.text)}</span></div><div class="said">{wrap_in_paragraphs(first.paragraphs)}</div>{_edit(view, first)}</article>'
            f'<section class="talk">{self._branches(view, place, posts[1:])}</section>{nav}</main>'
        )
        return self._frame(view, view.title(place.index), body)

    def _branches(self, view: ForumView, place: PageLocation, posts: list[ShownPost]) -> str:
        """Draw replies, each inside the reply it answers. Tags are closed when the depth falls."""
        pieces, open_depths = [], 0
        for post in posts:
            while open_depths > post.depth:
                pieces.append("</div></div>")
                open_depths -= 1
            pieces.append(self._comment(view, place, post))
            open_depths += 1
        return "".join(pieces) + "</div></div>" * open_depths

    def _comment(self, view: ForumView, place: PageLocation, post: ShownPost) -> str:
        link = view.href(self.post_url(view, place.index, post.id))
        return (
            f'<div class="reply" id="c{post.id}"><div class="by">{self._user(view, post.author)} <a class="age" href="{link}">{escape(post.when.text)}</a></div><div class="said">{wrap_in_paragraphs(post.paragraphs)}</div>{_edit(view, post)}'
            f'<div class="do"><a href="/reply?to={post.id}">{view.word("reply")}</a></div><div class="kids">'
        )

    def draw_other(self, view: ForumView, heading: str, content: str) -> str:
        return self._frame(view, heading, f"<main><h1>{heading}</h1>{content}</main>")

    def _user(self, view: ForumView, author: ForumAuthor) -> str:
        if not author.number:
            return f'<span class="anon">{escape(author.name)}</span>'
        return f'<a class="user" href="{view.href(self.profile_url(author))}">{escape(author.name)}</a>'

    def _nav(self, view: ForumView, part: PageSlice, url: Callable[[int], str]) -> str:
        pieces = []
        if part.page > 1:
            pieces.append(
                f'<a href="{view.href(url(part.offset - part.per))}" rel="prev">{view.word("newer")}</a>'
            )
        if part.has_next:
            pieces.append(
                f'<a href="{view.href(url(part.offset + part.per))}" rel="next">{view.word("older")}</a>'
            )
        return f'<nav class="more">{" ".join(pieces)}</nav>'

    def _frame(self, view: ForumView, title: str, body: str) -> str:
        recent = "".join(
            f'<li><a href="{view.href(self.thread_url(view, row.index))}">{escape(row.title)}</a> <span class="age">{escape(row.active.text)}</span></li>'
            for row in view.recent(4)
        )
        return (
            f'<!DOCTYPE html><html lang="{view.language.code}"><head><meta charset="utf-8"><title>{title} | {escape(view.traits.title)}</title><script async src="/t.js?{view.tick}"></script></head><body><header><a href="{view.href("/")}">{escape(view.traits.title)}</a> <a href="/submit">{view.word("new_thread")}</a> <a href="/search">{view.word("search")}</a> <a href="/login">{view.word("login")}</a></header>'
            f'{body}<aside><h4>{view.word("recent")}</h4><ol>{recent}</ol></aside><footer><a href="/about">{view.word("help")}</a> · {len(view.online())} {view.word("members")}</footer></body></html>'
        )


def _edit(view: ForumView, post: ShownPost) -> str:
    return (
        f'<div class="edited">{escape(view.language.words["edited"].format(who=post.author.name, when=post.edited.text, n=1))}</div>'
        if post.edited
        else ""
    )


LAYOUT = TreeLayout()
