"""A layout like bbPress in a WordPress theme: nested lists, relative dates, replies as sibling divs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape

from threadmill.lab.simulate.content.world import SimulatedBoard
from threadmill.lab.simulate.content.writing import ForumAuthor, Quotation
from threadmill.lab.simulate.forum import PageLocation, PageRequest, SimulatedForum
from threadmill.lab.simulate.layout import (
    HOME,
    MISSING,
    ForumLayout,
    alternating,
    match_numbers,
    wrap_in_paragraphs,
)
from threadmill.lab.simulate.snapshot import PageSlice
from threadmill.lab.simulate.view import ForumView, IndexRow, ShownPost, slug


class BbPressLayout(ForumLayout):
    """/forums/forum/slug-4/page/2/, /forums/topic/slug-12/page/2/, /forums/topic/slug-12/page/3/#post-99."""

    name = "bbpress"
    cookie = "wordpress_test"
    home = "/forums/"
    link_style = "full"
    feed = "/forums/feed/"

    def route(self, path: str, query: Mapping[str, str]) -> PageRequest:
        if path in {"/forums", "/forums/"} and "bbp_search" not in query:
            return HOME
        if path == self.feed:
            return PageRequest("feed")
        found = match_numbers(r"/forums/forum/(?:[^/]*-)?(\d+)/(?:page/(\d+)/)?", path)
        if found:
            return PageRequest("board", found[0], max(1, found[1]))
        found = match_numbers(r"/forums/topic/(?:[^/]*-)?(\d+)/(?:page/(\d+)/)?", path)
        if found:
            return PageRequest("thread", found[0], max(1, found[1]))
        found = match_numbers(r"/forums/reply/(\d+)/", path)
        if found:
            return PageRequest("post", found[0], redirect=True)
        if path.startswith("/forums/users/"):
            return PageRequest("other", len(path), what="profile")
        known = {
            "/wp-login.php": "login",
            "/forums/search/": "search",
            "/": "home",
            "/iletisim/": "contact",
            "/forums/": "search",
        }
        return PageRequest("other", what=known[path]) if path in known else MISSING

    def board_url(self, forum: SimulatedForum, board: SimulatedBoard, offset: int = 0) -> str:
        page = offset // forum.traits.threads_per_page + 1
        return f"/forums/forum/{slug(board.title)}-{board.number}/" + (f"page/{page}/" if page > 1 else "")

    def thread_url(self, view: ForumView, index: int, offset: int = 0) -> str:
        page = offset // view.traits.posts_per_page + 1
        base = f"/forums/topic/{slug(view.raw_title(index))}-{view.world.threads[index].number}/"
        return base + (f"page/{page}/" if page > 1 else "")

    def post_url(self, view: ForumView, index: int, post_id: int, offset: int = 0) -> str:
        return f"{self.thread_url(view, index, offset)}#post-{post_id}"

    def anchor(self, post_id: int) -> str:
        return f"post-{post_id}"

    def profile_url(self, author: ForumAuthor) -> str:
        return f"/forums/users/{slug(author.name)}/"

    def aliases(self, view: ForumView, place: PageLocation) -> list[str]:
        if place.kind == "thread" and not place.offset:
            return [
                f"{self.thread_url(view, place.index)}page/1/",
                *(f"/forums/reply/{post.id}/" for post in view.posts(place)[:2]),
            ]
        return ["/forums"] if place.kind == "home" else []

    # -- pages

    def draw_home(self, view: ForumView) -> str:
        rows = "".join(
            self._forum(view, i, shade)
            for i, shade in zip(view.boards(), alternating(view.boards(), "odd", "even"), strict=True)
        )
        body = (
            f'<ul id="forums-list-0" class="bbp-forums"><li class="bbp-header"><ul class="forum-titles"><li class="bbp-forum-info">{view.word("forum")}</li><li class="bbp-forum-topic-count">{view.word("threads")}</li>'
            f'<li class="bbp-forum-reply-count">{view.word("posts")}</li><li class="bbp-forum-freshness">{view.word("last_post")}</li></ul></li><li class="bbp-body">{rows}</li></ul>'
        )
        return self._frame(view, view.word("boards"), "", body)

    def _forum(self, view: ForumView, index: int, shade: str) -> str:
        board, last = view.world.boards[index], view.board_last(index)
        threads, posts = view.board_counts(index)
        subs = "".join(
            f'<li class="bbp-forum"><a href="{view.href(self.board_url(view.forum, view.world.boards[i]))}" class="bbp-forum-link">{escape(view.world.boards[i].title)} ({view.board_counts(i)[0]})</a></li>'
            for i in view.boards(index)
        )
        fresh = self._freshness(view, last) if last else ""
        return (
            f'<ul id="bbp-forum-{board.number}" class="loop-item-{index} {shade} bbp-forum-status-open post-{board.number} forum type-forum"><li class="bbp-forum-info"><a class="bbp-forum-title" href="{view.href(self.board_url(view.forum, board))}">{escape(board.title)}</a>'
            f'<div class="bbp-forum-content">{escape(board.description)}</div>{f"""<ul class="bbp-forums-list">{subs}</ul>""" if subs else ""}</li><li class="bbp-forum-topic-count">{threads}</li><li class="bbp-forum-reply-count">{posts}</li><li class="bbp-forum-freshness">{fresh}</li></ul>'
        )

    def _freshness(self, view: ForumView, row: IndexRow) -> str:
        url = (
            self.post_url(view, row.index, row.last_id, row.last_offset)
            if view.traits.last_link != "none"
            else self.thread_url(view, row.index)
        )
        return f'<a href="{view.href(url)}" title="{escape(row.title)}">{escape(row.active.text)}</a><p class="bbp-topic-meta"><span class="bbp-topic-freshness-author">{self._user(view, row.last_author, 14)}</span></p>'

    def draw_board(self, view: ForumView, place: PageLocation) -> str:
        board = view.world.boards[place.index]
        part, rows = view.index_slice(place), view.rows(place)
        pages = self._pagination(
            view, part, "topic", lambda offset: self.board_url(view.forum, board, offset)
        )
        subs = "".join(self._forum(view, i, "odd") for i in view.boards(place.index))
        items = "".join(
            self._row(view, row, shade)
            for row, shade in zip(rows, alternating(rows, "odd", "even"), strict=True)
        )
        body = (
            f'<div class="bbp-template-notice info"><p class="bbp-forum-description">{part.total} {view.word("threads")}</p></div>{f"""<ul class="bbp-forums"><li class="bbp-body">{subs}</li></ul>""" if subs else ""}{pages}<ul id="bbp-forum-{board.number}" class="bbp-topics"><li class="bbp-header"><ul class="forum-titles">'
            f'<li class="bbp-topic-title">{view.word("thread")}</li><li class="bbp-topic-voice-count">{view.word("members")}</li><li class="bbp-topic-reply-count">{view.word("posts")}</li><li class="bbp-topic-freshness">{view.word("last_post")}</li></ul></li><li class="bbp-body">{items}</li></ul>{pages}'
        )
        return self._frame(view, escape(board.title), self._crumb(view, board), body)

    def _row(self, view: ForumView, row: IndexRow, shade: str) -> str:
        voices = min(row.replies, 2 + row.number % 5)
        state = "sticky" if row.sticky else "status-publish"
        moved = f"{view.word('moved')}: " if row.stub else ""
        return (
            f'<ul id="bbp-topic-{row.number}" class="{shade} bbp-parent-forum-{row.board.number} user-id-{row.author.number} post-{row.number} topic type-topic {state} hentry"><li class="bbp-topic-title">{moved}<a class="bbp-topic-permalink" href="{view.href(self.thread_url(view, row.index))}">{escape(row.title)}</a>'
            f'<p class="bbp-topic-meta"><span class="bbp-topic-started-by">{view.word("started")} {self._user(view, row.author, 14)}</span></p></li><li class="bbp-topic-voice-count">{voices}</li><li class="bbp-topic-reply-count">{row.replies}</li><li class="bbp-topic-freshness">{self._freshness(view, row)}</li></ul>'
        )

    def draw_thread(self, view: ForumView, place: PageLocation) -> str:
        thread = view.world.threads[place.index]
        board = view.world.boards[thread.board_at(view.now)]
        pages = self._pagination(
            view, view.thread_slice(place), "reply", lambda offset: self.thread_url(view, place.index, offset)
        )
        posts = view.posts(place)
        shown = "".join(
            self._reply(view, place, post, shade)
            for post, shade in zip(posts, alternating(posts, "odd", "even"), strict=True)
        )
        body = (
            f'<span id="subscription-toggle"></span><div class="bbp-template-notice info"><p class="bbp-topic-description">{view.snapshot.count(place.index)} {view.word("posts")}</p></div>{pages}<ul id="topic-{thread.number}-replies" class="forums bbp-replies"><li class="bbp-header">'
            f'<div class="bbp-reply-author">{view.word("author")}</div><div class="bbp-reply-content">{view.word("posts")}</div></li><li class="bbp-body">{shown}</li><li class="bbp-footer"><div class="bbp-reply-author">{view.word("author")}</div></li></ul>{pages}'
            f'<div class="bbp-no-reply"><p>{view.word("permission")} <a href="/wp-login.php">{view.word("login")}</a></p></div>'
        )
        return self._frame(view, view.title(place.index), self._crumb(view, board), body)

    def _reply(self, view: ForumView, place: PageLocation, post: ShownPost, shade: str) -> str:
        """Draw a reply. Its header and body are siblings, not parent and child."""
        author = post.author
        edited = (
            f'<ul id="bbp-reply-revision-log-{post.id}" class="bbp-reply-revision-log"><li>{escape(view.language.words["edited"].format(who=author.name, when=post.edited.text, n=1))}</li></ul>'
            if post.edited
            else ""
        )
        signature = f'<div class="bbp-signature">{escape(author.signature)}</div>' if author.signature else ""
        return (
            f'<div id="post-{post.id}" class="bbp-reply-header"><div class="bbp-meta"><span class="bbp-reply-post-date">{escape(post.when.text)}</span><a href="{view.href(self.post_url(view, place.index, post.id, place.offset))}" class="bbp-reply-permalink">#{post.id}</a><span class="bbp-admin-links"></span></div></div>'
            f'<div class="{shade} bbp-parent-topic-{place.index} reply-position-{post.position} user-id-{author.number} post-{post.id} reply type-reply hentry"><div class="bbp-reply-author">{self._user(view, author, 80)}<div class="bbp-author-role">{view.word("rank")}</div></div>'
            f'<div class="bbp-reply-content">{_quote(view, post.quotation)}{wrap_in_paragraphs(post.paragraphs, LINK)}{edited}{signature}</div></div>'
        )

    def draw_other(self, view: ForumView, heading: str, content: str) -> str:
        return self._frame(view, heading, "", f'<div class="bbp-template-notice">{content}</div>')

    # -- parts

    def _user(self, view: ForumView, author: ForumAuthor, size: int) -> str:
        picture = f'<img alt="" src="//avatars.example/{author.number}?s={size}" class="avatar avatar-{size} photo" height="{size}" width="{size}" />'
        if not author.number:
            return f'{picture}<span class="bbp-author-name">{escape(author.name)}</span>'
        url = view.href(self.profile_url(author))
        return f'<a href="{url}" class="bbp-author-avatar" rel="nofollow">{picture}</a>&nbsp;<a href="{url}" class="bbp-author-name" rel="nofollow">{escape(author.name)}</a>'

    def _pagination(self, view: ForumView, part: PageSlice, kind: str, url: Callable[[int], str]) -> str:
        first, last = part.offset + 1, min(part.total, part.offset + part.per)
        count = f'<div class="bbp-pagination-count">{first} - {last} ({part.total})</div>'
        if part.pages == 1:
            return f'<div class="bbp-pagination">{count}<div class="bbp-pagination-links"></div></div>'
        pieces = []
        if part.page > 1:
            pieces.append(
                f'<a class="prev page-numbers" href="{view.href(url(part.offset - part.per))}">&larr;</a>'
            )
        for page in part.window(around=1):
            if page == 0:
                pieces.append('<span class="page-numbers dots">&hellip;</span>')
            elif page == part.page:
                pieces.append(f"<span class='page-numbers current'>{page}</span>")
            else:
                pieces.append(
                    f"<a class='page-numbers' href='{view.href(url(part.offset_of(page)))}'>{page}</a>"
                )
        if part.has_next:
            pieces.append(
                f'<a class="next page-numbers" href="{view.href(url(part.offset + part.per))}">&rarr;</a>'
            )
        return f'<div class="bbp-pagination bbp-pagination-{kind}">{count}<div class="bbp-pagination-links">{"".join(pieces)}</div></div>'

    def _crumb(self, view: ForumView, board: SimulatedBoard) -> str:
        return f'<span class="bbp-breadcrumb-sep">&rsaquo;</span> <a href="{view.href(self.board_url(view.forum, board))}" class="bbp-breadcrumb-forum">{escape(board.title)}</a>'

    def _frame(self, view: ForumView, title: str, crumb: str, body: str) -> str:
        recent = "".join(
            f'<li><a class="bbp-forum-title" href="{view.href(self.thread_url(view, row.index))}">{escape(row.title)}</a><div>{escape(row.active.text)}</div></li>'
            for row in view.recent()
        )
        return (
            f'<!DOCTYPE html><html lang="{view.language.code}" class="no-js"><head><meta charset="UTF-8"><title>{title} &#8211; {escape(view.traits.title)}</title>{view.feed_link()}<script type="text/javascript">window._wpemojiSettings = {{"source":{{"concatemoji":"/wp-includes/js/wp-emoji-release.min.js"}}}};</script>'
            f'<style>.bbp-reply-header{{background:#f4f4f4}}</style></head><body class="topic bbpress single single-topic wp-custom"><div id="page" class="site"><header id="masthead" class="site-header"><p class="site-title"><a href="/" rel="home">{escape(view.traits.title)}</a></p><nav id="site-navigation"><ul class="nav-menu">'
            f'<li class="menu-item"><a href="/">{view.word("home")}</a></li><li class="menu-item"><a href="{view.href("/forums/")}">{view.word("forum")}</a></li><li class="menu-item"><a href="/iletisim/">{view.word("contact")}</a></li></ul></nav></header><div id="primary" class="content-area"><article class="hentry"><header class="entry-header">'
            f'<h1 class="entry-title">{title}</h1></header><div class="entry-content"><div id="bbpress-forums"><div class="bbp-breadcrumb"><p><a href="/" class="bbp-breadcrumb-home">{view.word("home")}</a> <span class="bbp-breadcrumb-sep">&rsaquo;</span> <a href="{view.href("/forums/")}" class="bbp-breadcrumb-root">{view.word("boards")}</a> {crumb}</p></div>'
            f'<div class="bbp-search-form"><form method="get" action="/forums/search/"><input type="text" name="bbp_search" /></form></div>{body}</div></div></article></div><div id="secondary" class="widget-area"><aside class="widget widget_display_topics"><h3>{view.word("recent")}</h3><ul>{recent}</ul></aside>'
            f'<aside class="widget widget_archive"><h3>{view.word("archive")}</h3><ul><li><a href="/2015/11/">{view.language.months[10]} 2015</a></li></ul></aside></div><footer id="colophon">{view.now // 31557600 + 1970}</footer></div></body></html>'
        )


LINK = ' rel="nofollow"'


def _quote(view: ForumView, quotation: Quotation | None) -> str:
    if not quotation:
        return ""
    return f"<blockquote><p><strong>{escape(quotation.author)} {view.word('wrote')}:</strong></p>{_quote(view, quotation.inner)}{wrap_in_paragraphs([quotation.text])}</blockquote>"


LAYOUT = BbPressLayout()
