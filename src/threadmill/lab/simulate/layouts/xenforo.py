"""A layout like XenForo 2: structItem rows, article messages, time elements, redirects to the latest post."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape

from threadmill.lab.simulate.content.shown_dates import ShownDate
from threadmill.lab.simulate.content.world import SimulatedBoard
from threadmill.lab.simulate.content.writing import ForumAuthor, Quotation
from threadmill.lab.simulate.forum import PageLocation, PageRequest, SimulatedForum
from threadmill.lab.simulate.layout import HOME, MISSING, ForumLayout, join_with_breaks, match_numbers
from threadmill.lab.simulate.snapshot import PageSlice
from threadmill.lab.simulate.view import ForumView, IndexRow, ShownPost, slug

_OTHER = ("login", "register", "search", "members", "help", "online", "whats-new", "misc", "account")


class XenForoLayout(ForumLayout):
    """/forums/slug.4/page-2, /threads/slug.123/page-2, /threads/slug.123/latest, /posts/99/."""

    name = "xenforo"
    session_name = "_xfs"
    cookie = "xf_session"
    home = "/"
    feed = "/forums/-/index.rss"

    def route(self, path: str, query: Mapping[str, str]) -> PageRequest:
        if path in {"/", "/index.php", "/forums/"}:
            return HOME
        if path == self.feed:
            return PageRequest("feed")
        found = match_numbers(r"/forums/(?:[^/]*\.)?(\d+)/(?:page-(\d+))?", path)
        if found:
            return (
                PageRequest("other", what="archive")
                if query.get("order")
                else PageRequest("board", found[0], max(1, found[1]))
            )
        found = match_numbers(r"/threads/(?:[^/]*\.)?(\d+)/(?:page-(\d+))?", path)
        if found:
            return PageRequest("thread", found[0], max(1, found[1]))
        found = match_numbers(r"/threads/(?:[^/]*\.)?(\d+)/(?:latest|unread)", path)
        if found:
            return PageRequest("last", found[0])
        return self._route_rest(path)

    def _route_rest(self, path: str) -> PageRequest:
        found = match_numbers(r"/(?:threads/[^/]*/post-|posts/)(\d+)/?", path)
        if found:
            return PageRequest("post", found[0], redirect=True)
        found = match_numbers(r"/members/(?:[^/]*\.)?(\d+)/.*", path)
        if found:
            return PageRequest("other", found[0], what="profile")
        first = path.strip("/").partition("/")[0]
        known = {"whats-new": "recent", "misc": "contact", "account": "login"}
        return PageRequest("other", what=known.get(first, first)) if first in _OTHER else MISSING

    def board_url(self, forum: SimulatedForum, board: SimulatedBoard, offset: int = 0) -> str:
        page = offset // forum.traits.threads_per_page + 1
        return f"/forums/{slug(board.title)}.{board.number}/" + (f"page-{page}" if page > 1 else "")

    def thread_url(self, view: ForumView, index: int, offset: int = 0) -> str:
        page = offset // view.traits.posts_per_page + 1
        return self._base(view, index) + (f"page-{page}" if page > 1 else "")

    def _base(self, view: ForumView, index: int) -> str:
        return f"/threads/{slug(view.raw_title(index))}.{view.world.threads[index].number}/"

    def post_url(self, view: ForumView, index: int, post_id: int, offset: int = 0) -> str:
        del offset
        return f"{self._base(view, index)}post-{post_id}"

    def newest_url(self, view: ForumView, index: int) -> str:
        return f"{self._base(view, index)}latest"

    def anchor(self, post_id: int) -> str:
        return f"post-{post_id}"

    def profile_url(self, author: ForumAuthor) -> str:
        return f"/members/{slug(author.name)}.{author.number}/"

    def aliases(self, view: ForumView, place: PageLocation) -> list[str]:
        if place.kind == "thread":
            short = f"/threads/{view.world.threads[place.index].number}/"
            page = view.thread_slice(place).page
            return [short + (f"page-{page}" if page > 1 else "")]
        return ["/index.php", "/forums/"] if place.kind == "home" else []

    # -- pages

    def draw_home(self, view: ForumView) -> str:
        blocks = []
        for top in view.boards():
            nodes = "".join(self._node(view, i) for i in [top, *view.boards(top)])
            blocks.append(
                f'<div class="block block--category block--category{top}"><div class="block-container"><h2 class="block-header">'
                f'{escape(view.world.boards[top].title)}</h2><div class="block-body">{nodes}</div></div></div>'
            )
        return self._frame(view, escape(view.traits.title), "", "".join(blocks), self._sidebar(view))

    def _node(self, view: ForumView, index: int) -> str:
        board, last = view.world.boards[index], view.board_last(index)
        threads, posts = view.board_counts(index)
        extra = ""
        if last:
            extra = (
                f'<div class="node-extra-row"><a href="{view.href(self.newest_url(view, last.index))}" class="node-extra-title" title="{escape(last.title)}">'
                f'{escape(last.title)}</a></div><div class="node-extra-row"><ul class="listInline listInline--bullet"><li>{self._time(last.active, "node-extra-date")}</li>'
                f'<li class="node-extra-user">{self._user(view, last.last_author)}</li></ul></div>'
            )
        return (
            f'<div class="node node--id{board.number} node--depth2 node--forum node--read"><div class="node-body"><span class="node-icon"></span><div class="node-main">'
            f'<h3 class="node-title"><a href="{view.href(self.board_url(view.forum, board))}" data-xf-init="element-tooltip">{escape(board.title)}</a></h3>'
            f'<div class="node-description">{escape(board.description)}</div></div><div class="node-stats"><dl class="pairs pairs--rows"><dt>{view.word("threads")}</dt>'
            f'<dd>{threads}</dd></dl><dl class="pairs pairs--rows"><dt>{view.word("posts")}</dt><dd>{posts}</dd></dl></div><div class="node-extra">{extra}</div></div></div>'
        )

    def draw_board(self, view: ForumView, place: PageLocation) -> str:
        board = view.world.boards[place.index]
        part, rows = view.index_slice(place), view.rows(place)
        pages = self._pages(view, part, lambda offset: self.board_url(view.forum, board, offset))
        sticky = "".join(self._row(view, row) for row in rows if row.sticky)
        normal = "".join(self._row(view, row) for row in rows if not row.sticky)
        subs = "".join(self._node(view, i) for i in view.boards(place.index))
        body = (
            f'{f"""<div class="block"><div class="block-container"><div class="block-body">{subs}</div></div></div>""" if subs else ""}'
            f'<div class="block" data-type="thread"><div class="block-outer"><div class="block-outer-main">{pages}</div><div class="block-outer-opposite"><a href="/login/" class="button--cta button">'
            f'{view.word("new_thread")}</a></div></div><div class="block-container"><div class="block-filterBar"><a href="{view.href(self.board_url(view.forum, board) + "?order=post_date&direction=desc")}">'
            f'{view.word("newer")}</a></div><div class="block-body"><div class="structItemContainer"><div class="structItemContainer-group structItemContainer-group--sticky">{sticky}</div>'
            f'<div class="structItemContainer-group js-threadList">{normal}</div></div></div></div><div class="block-outer block-outer--after">{pages}</div></div>'
        )
        head = self._rel(view, part, lambda offset: self.board_url(view.forum, board, offset))
        return self._frame(
            view, escape(board.title), self._crumb(view, board), body, self._sidebar(view), head
        )

    def _row(self, view: ForumView, row: IndexRow) -> str:
        url = self.thread_url(view, row.index)
        jump = ""
        if row.pages > 1 and view.traits.row_pages and not row.stub:
            per = view.traits.posts_per_page
            numbers = [n for n in range(2, row.pages + 1) if n == 2 or n > row.pages - 2]
            jump = (
                '<span class="structItem-pageJump">'
                + "".join(
                    f'<a href="{view.href(self.thread_url(view, row.index, (n - 1) * per))}">{n}</a>'
                    for n in numbers
                )
                + "</span>"
            )
        status = (
            f'<li><i class="structItem-status structItem-status--sticky"></i><span class="u-srOnly">{view.word("sticky")}</span></li>'
            if row.sticky
            else ""
        )
        moved = f'<span class="label">{view.word("moved")}: </span>' if row.stub else ""
        latest = ""
        if not row.stub:
            latest = (
                f'<div class="structItem-cell structItem-cell--latest"><a href="{view.href(self.last_url(view, row.index, row.last_id, row.last_offset))}" rel="nofollow">'
                f'{self._time(row.active, "structItem-latestDate")}</a><div class="structItem-minor">{self._user(view, row.last_author)}</div></div>'
            )
        return (
            f'<div class="structItem structItem--thread js-inlineModContainer js-threadListItem-{row.number}" data-author="{escape(row.author.name)}"><div class="structItem-cell structItem-cell--icon">'
            f'<span class="avatar avatar--s"><img src="/data/avatars/s/0/{row.author.number}.jpg" alt="{escape(row.author.name)}"/></span></div><div class="structItem-cell structItem-cell--main">'
            f'<ul class="structItem-statuses">{status}</ul><div class="structItem-title">{moved}<a href="{view.href(url)}" data-tp-primary="on">{escape(row.title)}</a></div><div class="structItem-minor">'
            f'<ul class="structItem-parts"><li>{self._user(view, row.author)}</li><li class="structItem-startDate"><a href="{view.href(url)}" rel="nofollow">{self._time(row.created)}</a></li></ul>{jump}</div></div>'
            f'<div class="structItem-cell structItem-cell--meta" title=""><dl class="pairs pairs--justified"><dt>{view.word("replies")}</dt><dd>{row.replies}</dd></dl><dl class="pairs pairs--justified structItem-minor">'
            f"<dt>{view.word('views')}</dt><dd>{row.views}</dd></dl></div>{latest}</div>"
        )

    def draw_thread(self, view: ForumView, place: PageLocation) -> str:
        thread = view.world.threads[place.index]
        board = view.world.boards[thread.board_at(view.now)]
        part = view.thread_slice(place)
        pages = self._pages(view, part, lambda offset: self.thread_url(view, place.index, offset))
        shown = "".join(self._message(view, place, post) for post in view.posts(place))
        first = view.world.times[thread.ranks[0]]
        body = (
            f'<div class="p-description"><ul class="listInline listInline--bullet"><li>{view.word("started")} {self._time(view.show_date(first))}</li></ul></div><div class="block block--messages" '
            f'data-type="post"><div class="block-outer">{pages}</div><div class="block-container lbContainer"><div class="block-body js-replyNewMessageContainer">{shown}</div></div>'
            f'<div class="block-outer block-outer--after">{pages}<a href="/login/">{view.word("permission")}</a></div></div>'
        )
        head = self._rel(view, part, lambda offset: self.thread_url(view, place.index, offset))
        return self._frame(view, view.title(place.index), self._crumb(view, board), body, "", head)

    def _message(self, view: ForumView, place: PageLocation, post: ShownPost) -> str:
        author, link = post.author, view.href(self.post_url(view, place.index, post.id))
        extras = ""
        if author.number:
            extras = (
                f'<div class="message-userExtras"><dl class="pairs pairs--justified"><dt>{view.word("joined")}</dt><dd>{view.joined(author, "{mon} {d}, {Y}")}</dd></dl>'
                f'<dl class="pairs pairs--justified"><dt>{view.word("posts")}</dt><dd>{author.posts}</dd></dl></div>'
            )
        edited = (
            f'<div class="message-lastEdit">{view.word("edited").split("{")[0]} {self._time(post.edited)}</div>'
            if post.edited
            else ""
        )
        signature = (
            f'<aside class="message-signature"><div class="bbWrapper">{escape(author.signature)}</div></aside>'
            if author.signature
            else ""
        )
        return (
            f'<article class="message message--post js-post" data-author="{escape(author.name)}" data-content="post-{post.id}" id="js-post-{post.id}"><span class="u-anchorTarget" id="post-{post.id}"></span>'
            f'<div class="message-inner"><div class="message-cell message-cell--user"><section class="message-user"><div class="message-avatar"></div><div class="message-userDetails"><h4 class="message-name">'
            f'{self._user(view, author)}</h4><h5 class="userTitle message-userTitle">{view.word("rank")}</h5></div>{extras}</section></div><div class="message-cell message-cell--main"><div class="message-main js-quickEditTarget">'
            f'<header class="message-attribution message-attribution--split"><ul class="message-attribution-main listInline"><li class="u-concealed"><a href="{link}" rel="nofollow">{self._time(post.when)}</a></li></ul>'
            f'<ul class="message-attribution-opposite"><li><a href="{link}" rel="nofollow">#{post.position}</a></li></ul></header><div class="message-content js-messageContent"><div class="message-userContent lbContainer">'
            f'<article class="message-body js-selectToQuote"><div class="bbWrapper">{_quote(view, post.quotation)}{join_with_breaks(post.paragraphs, "<br />", LINK)}</div><div class="js-selectToQuoteEnd">&nbsp;</div></article></div>'
            f'{edited}{signature}</div><footer class="message-footer"><div class="reactionsBar"></div><a href="{view.href(f"/posts/{post.id}/report")}" class="actionBar-action">{view.word("report")}</a></footer></div></div></div></article>'
        )

    def draw_other(self, view: ForumView, heading: str, content: str) -> str:
        return self._frame(view, heading, "", f'<div class="blockMessage">{content}</div>')

    # -- parts

    def _time(self, when: ShownDate, css: str = "") -> str:
        return f'<time class="{css} u-dt" dir="auto" datetime="{when.iso}" title="{escape(when.title)}">{escape(when.text)}</time>'

    def _user(self, view: ForumView, author: ForumAuthor) -> str:
        if not author.number:
            return f'<span class="username" data-user-id="0">{escape(author.name)}</span>'
        return f'<a href="{view.href(self.profile_url(author))}" class="username" data-user-id="{author.number}">{escape(author.name)}</a>'

    def _pages(self, view: ForumView, part: PageSlice, url: Callable[[int], str]) -> str:
        if part.pages == 1:
            return ""
        items = []
        for page in part.window(around=1):
            if page == 0:
                items.append(
                    '<li class="pageNav-page pageNav-page--skip"><a data-xf-init="tooltip" role="button" tabindex="0">…</a></li>'
                )
                continue
            current = " pageNav-page--current" if page == part.page else ""
            items.append(
                f'<li class="pageNav-page{current}"><a href="{view.href(url(part.offset_of(page)))}">{page}</a></li>'
            )
        after = (
            f'<a href="{view.href(url(part.offset + part.per))}" class="pageNav-jump pageNav-jump--next">{view.word("next")}</a>'
            if part.has_next
            else ""
        )
        before = (
            f'<a href="{view.href(url(part.offset - part.per))}" class="pageNav-jump pageNav-jump--prev">{view.word("previous")}</a>'
            if part.page > 1
            else ""
        )
        return f'<nav class="pageNavWrapper"><div class="pageNav">{before}<ul class="pageNav-main">{"".join(items)}</ul>{after}</div></nav>'

    def _rel(self, view: ForumView, part: PageSlice, url: Callable[[int], str]) -> str:
        before = (
            f'<link rel="prev" href="{view.href(url(part.offset - part.per))}" />' if part.page > 1 else ""
        )
        return before + (
            f'<link rel="next" href="{view.href(url(part.offset + part.per))}" />' if part.has_next else ""
        )

    def _sidebar(self, view: ForumView) -> str:
        items = "".join(
            f'<li class="block-row"><div class="contentRow-main"><a href="{view.href(self.newest_url(view, row.index))}">{escape(row.title)}</a><div class="contentRow-minor">{self._time(row.active)}</div></div></li>'
            for row in view.recent()
        )
        online = ", ".join(self._user(view, author) for author in view.online())
        return (
            f'<div class="p-body-sidebar"><div class="block"><h3 class="block-minorHeader">{view.word("online")}</h3><div class="block-row">{online}</div></div>'
            f'<div class="block"><h3 class="block-minorHeader">{view.word("recent")}</h3><ul class="block-body">{items}</ul></div></div>'
        )

    def _crumb(self, view: ForumView, board: SimulatedBoard) -> str:
        return f'<li itemprop="itemListElement"><a href="{view.href(self.board_url(view.forum, board))}" itemprop="item"><span itemprop="name">{escape(board.title)}</span></a></li>'

    def _frame(  # noqa: PLR0917
        self, view: ForumView, title: str, crumb: str, body: str, side: str = "", head: str = ""
    ) -> str:
        return (
            f'<!DOCTYPE html><html id="XF" lang="{view.language.code}" dir="LTR" class="has-no-js"><head><meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{title} | {escape(view.traits.title)}</title>{head}{view.feed_link()}<script>var XF = window.XF || {{}}; XF.cookie = {{path: '/'}};</script></head><body data-template=\"thread_view\">"
            f'<div class="p-pageWrapper" id="top"><header class="p-header"><a href="{view.href("/")}">{escape(view.traits.title)}</a></header><nav class="p-nav"><ul class="p-navl js-offCanvasNavSource"><li>'
            f'<a href="{view.href("/")}" class="p-navEl-link">{view.word("forum")}</a></li><li><a href="{view.href("/whats-new/")}">{view.word("recent")}</a></li><li><a href="{view.href("/members/")}">{view.word("members")}</a></li></ul>'
            f'<div class="p-navgroup"><a href="{view.href("/login/")}" class="p-navgroup-link">{view.word("login")}</a><a href="{view.href("/search/")}">{view.word("search")}</a></div></nav>'
            f'<div class="p-body"><div class="p-body-inner"><ul class="p-breadcrumbs"><li><a href="{view.href("/")}"><span>{view.word("boards")}</span></a></li>{crumb}</ul><div class="p-body-header"><h1 class="p-title-value">{title}</h1></div>'
            f'<div class="p-body-main p-body-main--withSidebar"><div class="p-body-content"><div class="p-body-pageContent">{body}</div></div>{side}</div></div></div><footer class="p-footer"><ul class="p-footer-linkList">'
            f'<li><a href="{view.href("/misc/contact")}">{view.word("contact")}</a></li><li><a href="{view.href("/help/")}">{view.word("help")}</a></li></ul><div class="p-footer-copyright">Forum software by XenForo</div></footer></div></body></html>'
        )


LINK = ' target="_blank" class="link link--external" rel="nofollow"'


def _quote(view: ForumView, quotation: Quotation | None) -> str:
    if not quotation:
        return ""
    link = view.href(f"/posts/{quotation.post_id}/")
    return (
        f'<blockquote class="bbCodeBlock bbCodeBlock--expandable bbCodeBlock--quote"><div class="bbCodeBlock-title"><a href="{link}" class="bbCodeBlock-sourceJump">{escape(quotation.author)} {view.word("wrote")}:</a></div>'
        f'<div class="bbCodeBlock-content"><div class="bbCodeBlock-expandContent">{_quote(view, quotation.inner)}{join_with_breaks([quotation.text])}</div></div></blockquote>'
    )


LAYOUT = XenForoLayout()
