"""A layout like MyBB 1.8: table rows, divs for posts, recent dates in spans with exact titles, lastpost redirects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape

from threadmill.lab.simulate.content.shown_dates import ShownDate
from threadmill.lab.simulate.content.world import SimulatedBoard
from threadmill.lab.simulate.content.writing import ForumAuthor, Quotation
from threadmill.lab.simulate.forum import PageLocation, PageRequest, SimulatedForum
from threadmill.lab.simulate.layout import (
    HOME,
    MISSING,
    ForumLayout,
    alternating,
    as_int,
    as_page,
    join_with_breaks,
)
from threadmill.lab.simulate.snapshot import PageSlice
from threadmill.lab.simulate.view import ForumView, IndexRow, ShownPost

_OTHER = {
    "/search.php": "search",
    "/memberlist.php": "members",
    "/newreply.php": "reply",
    "/newthread.php": "new_thread",
    "/misc.php": "help",
    "/online.php": "online",
    "/private.php": "login",
    "/usercp.php": "login",
}


class MyBBLayout(ForumLayout):
    """forumdisplay.php?fid=2&page=2, showthread.php?tid=12&page=2, showthread.php?tid=12&action=lastpost."""

    name = "mybb"
    session_name = "sid"
    cookie = "mybb_sid"
    home = "/index.php"
    link_style = "bare"
    feed = "/syndication.php"

    def route(self, path: str, query: Mapping[str, str]) -> PageRequest:
        if path in {"/", "/index.php"}:
            return HOME
        if path == "/forumdisplay.php":
            if "sortby" in query or "order" in query:
                return PageRequest("other", what="archive")
            return PageRequest("board", as_int(query.get("fid")), as_page(query.get("page")))
        if path == "/showthread.php":
            return self._route_thread(query)
        if path == self.feed:
            return PageRequest("feed")
        return self._route_other(path, query)

    def _route_thread(self, query: Mapping[str, str]) -> PageRequest:
        if "pid" in query:
            return PageRequest("post", as_int(query["pid"]))
        if query.get("action") in {"lastpost", "newpost"}:
            return PageRequest("last", as_int(query.get("tid")))
        if "action" in query or query.get("mode") == "threaded":
            return PageRequest("other", as_int(query.get("tid")), what="archive")
        return PageRequest("thread", as_int(query.get("tid")), as_page(query.get("page")))

    def _route_other(self, path: str, query: Mapping[str, str]) -> PageRequest:
        if path == "/member.php":
            what = "profile" if query.get("action") == "profile" else "login"
            return PageRequest("other", as_int(query.get("uid")), what=what)
        if path in {"/printthread.php", "/calendar.php"}:
            what = "print" if path == "/printthread.php" else "calendar"
            return PageRequest("other", as_int(query.get("tid")), as_page(query.get("month")), what=what)
        return PageRequest("other", what=_OTHER[path]) if path in _OTHER else MISSING

    def board_url(self, forum: SimulatedForum, board: SimulatedBoard, offset: int = 0) -> str:
        page = offset // forum.traits.threads_per_page + 1
        return f"/forumdisplay.php?fid={board.number}" + (f"&page={page}" if page > 1 else "")

    def thread_url(self, view: ForumView, index: int, offset: int = 0) -> str:
        page = offset // view.traits.posts_per_page + 1
        return f"/showthread.php?tid={view.world.threads[index].number}" + (
            f"&page={page}" if page > 1 else ""
        )

    def post_url(self, view: ForumView, index: int, post_id: int, offset: int = 0) -> str:
        del offset
        return f"/showthread.php?tid={view.world.threads[index].number}&pid={post_id}#pid{post_id}"

    def newest_url(self, view: ForumView, index: int) -> str:
        return f"/showthread.php?tid={view.world.threads[index].number}&action=lastpost"

    def anchor(self, post_id: int) -> str:
        return f"pid{post_id}"

    def profile_url(self, author: ForumAuthor) -> str:
        return f"/member.php?action=profile&uid={author.number}"

    def aliases(self, view: ForumView, place: PageLocation) -> list[str]:
        if place.kind == "thread" and not place.offset:
            return [f"{self.thread_url(view, place.index)}&page=1"]
        return ["/"] if place.kind == "home" else []

    # -- pages

    def draw_home(self, view: ForumView) -> str:
        tables = []
        for top in view.boards():
            rows = "".join(self._board_row(view, i) for i in [top, *view.boards(top)])
            tables.append(
                f'<table border="0" cellspacing="0" cellpadding="5" class="tborder"><thead><tr><td class="thead" colspan="5"><strong>{escape(view.world.boards[top].title)}</strong></td></tr></thead>'
                f'<tbody id="cat_{top}_e"><tr><td class="tcat" colspan="2">{view.word("board")}</td><td class="tcat">{view.word("threads")}</td><td class="tcat">{view.word("posts")}</td>'
                f'<td class="tcat">{view.word("last_post")}</td></tr>{rows}</tbody></table><br />'
            )
        online = ", ".join(self._user(view, a) for a in view.online())
        return self._frame(
            view,
            escape(view.traits.title),
            "",
            "".join(tables)
            + f'<table class="tborder"><tr><td class="tcat">{view.word("online")}</td></tr><tr><td class="trow1"><span class="smalltext">{online}</span></td></tr></table>',
        )

    def _board_row(self, view: ForumView, index: int) -> str:
        board, last = view.world.boards[index], view.board_last(index)
        threads, posts = view.board_counts(index)
        said = ""
        if last:
            said = (
                f'<span class="smalltext"><a href="{view.href(self.newest_url(view, last.index))}" title="{escape(last.title)}"><strong>{escape(last.title[:22])}...</strong></a><br />'
                f"{self._time(last.active)}<br />{view.word('by')} {self._user(view, last.last_author)}</span>"
            )
        return (
            f'<tr><td class="trow1" align="center" width="1"><span class="forum_status forum_off" id="mark_read_{board.number}"></span></td><td class="trow1"><strong><a href="{view.href(self.board_url(view.forum, board))}">'
            f'{escape(board.title)}</a></strong><div class="smalltext">{escape(board.description)}</div></td><td class="trow1" align="center">{threads}</td><td class="trow1" align="center">{posts}</td><td class="trow1" align="right">{said}</td></tr>'
        )

    def draw_board(self, view: ForumView, place: PageLocation) -> str:
        board = view.world.boards[place.index]
        part, rows = view.index_slice(place), view.rows(place)
        pages = self._multipage(view, part, lambda offset: self.board_url(view.forum, board, offset))
        subs = "".join(self._board_row(view, i) for i in view.boards(place.index))
        if subs:
            subs = f'<table class="tborder"><tr><td class="thead" colspan="5">{view.word("subboards")}</td></tr>{subs}</table><br />'
        sort = self.board_url(view.forum, board)
        items, marked = [], ""
        for row, shade in zip(rows, alternating(rows, "trow1", "trow2"), strict=True):
            group = "sticky" if row.sticky else "threads"
            if group != marked and rows[0].sticky:
                items.append(f'<tr><td class="trow_sep" colspan="7">{view.word(group)}</td></tr>')
            marked = group
            items.append(self._row(view, row, shade))
        body = (
            f'{subs}<div class="float_left">{pages}</div><table border="0" cellspacing="0" cellpadding="5" class="tborder clear"><tr><td class="thead" colspan="7"><div><strong>{escape(board.title)}</strong></div></td></tr>'
            f'<tr><td class="tcat" colspan="3" width="66%"><a href="{view.href(sort + "&sortby=subject&order=asc")}">{view.word("thread")}</a> / <a href="{view.href(sort + "&sortby=starter&order=asc")}">{view.word("author")}</a></td>'
            f'<td class="tcat"><a href="{view.href(sort + "&sortby=replies&order=desc")}">{view.word("replies")}</a></td><td class="tcat">{view.word("views")}</td><td class="tcat" colspan="2">{view.word("last_post")}</td></tr>'
            f'{"".join(items)}</table><div class="float_left">{pages}</div>'
        )
        return self._frame(view, escape(board.title), self._crumb(view, board), body)

    def _row(self, view: ForumView, row: IndexRow, shade: str) -> str:
        pages = ""
        if row.pages > 1 and view.traits.row_pages and not row.stub:
            per = view.traits.posts_per_page
            links = " ".join(
                f'<a href="{view.href(self.thread_url(view, row.index, (n - 1) * per))}">{n}</a>'
                for n in range(1, min(row.pages, 4) + 1)
            )
            if row.pages > 4:
                links += f' ... <a href="{view.href(self.thread_url(view, row.index, (row.pages - 1) * per))}">{row.pages}</a>'
            pages = f' <span class="smalltext">({view.word("page")}: {links})</span>'
        prefix = f"{view.word('moved')}: " if row.stub else ""
        tail = (
            "-"
            if row.stub
            else f'<span class="lastpost smalltext">{self._time(row.active)}<br /><a href="{view.href(self.last_url(view, row.index, row.last_id, row.last_offset))}">{view.word("last_post")}</a>: {self._user(view, row.last_author)}</span>'
        )
        return (
            f'<tr class="inline_row"><td align="center" class="{shade} forumdisplay_regular" width="2%"><span class="thread_status oldfolder">&nbsp;</span></td><td align="center" class="{shade}" width="2%">&nbsp;</td>'
            f'<td class="{shade} forumdisplay_regular"><div><span>{prefix}<span class="subject_old" id="tid_{row.number}"><a href="{view.href(self.thread_url(view, row.index))}">{escape(row.title)}</a></span>{pages}</span>'
            f'<div class="author smalltext">{self._user(view, row.author)}</div></div></td><td align="center" class="{shade}"><a href="javascript:void(0)" onclick="MyBB.whoPosted({row.number}); return false;">{row.replies}</a></td>'
            f'<td align="center" class="{shade}">{row.views}</td><td class="{shade}" style="white-space: nowrap; text-align: right;">{tail}</td></tr>'
        )

    def draw_thread(self, view: ForumView, place: PageLocation) -> str:
        thread = view.world.threads[place.index]
        board = view.world.boards[thread.board_at(view.now)]
        part = view.thread_slice(place)
        pages = self._multipage(view, part, lambda offset: self.thread_url(view, place.index, offset))
        shown = "".join(self._post(view, place, post) for post in view.posts(place))
        base = self.thread_url(view, place.index)
        body = (
            f'<div class="float_left">{pages}</div><table border="0" cellspacing="0" cellpadding="5" class="tborder tfixed clear"><tr><td class="thead"><div class="float_right"><span class="smalltext"><strong>'
            f'<a href="{view.href(base + "&mode=threaded")}">Threaded</a></strong></span></div><div><strong>{view.title(place.index)}</strong></div></td></tr><tr><td id="posts_container"><div id="posts">{shown}</div></td></tr>'
            f'<tr><td class="tfoot"><a href="{view.href(base + "&action=nextoldest")}">{view.word("previous")}</a> | <a href="{view.href(base + "&action=nextnewest")}">{view.word("next")}</a></td></tr></table>'
            f'<div class="float_left">{pages}</div><ul class="thread_tools"><li><a href="{view.href(f"/printthread.php?tid={thread.number}")}">{view.word("print")}</a></li></ul>'
        )
        return self._frame(view, view.title(place.index), self._crumb(view, board), body)

    def _post(self, view: ForumView, place: PageLocation, post: ShownPost) -> str:
        author = post.author
        stats = (
            f"{view.word('posts')}: {author.posts}<br />{view.word('joined')}: {view.joined(author, '{mon} {Y}')}"
            if author.number
            else ""
        )
        edited = ""
        if post.edited:
            said = view.language.words["edited"].format(who=author.name, when=post.edited.text, n=1)
            edited = f'<span class="post_edit" id="edited_by_{post.id}"><span class="edited_post">({escape(said)})</span></span>'
        signature = (
            f'<div class="signature scaleimages">{escape(author.signature)}</div>' if author.signature else ""
        )
        return (
            f'<a name="pid{post.id}" id="pid{post.id}"></a><div class="post classic" id="post_{post.id}"><div class="post_author scaleimages"><strong><span class="largetext">{self._user(view, author)}</span></strong><br />'
            f'<span class="smalltext">{view.word("rank")}<br /></span><div class="author_statistics">{stats}</div></div><div class="post_content"><div class="post_head"><div class="float_right"><strong>'
            f'<a href="{view.href(self.post_url(view, place.index, post.id))}" title="">#{post.position}</a></strong></div><span class="post_date">{self._time(post.when)} {edited}</span></div>'
            f'<div class="post_body scaleimages" id="pid_{post.id}">{_quote(view, post.quotation)}{join_with_breaks(post.paragraphs, link=LINK)}</div>{signature}<div class="post_meta" id="post_meta_{post.id}"></div></div>'
            f'<div class="post_controls"><div class="postbit_buttons"><a href="{view.href(f"/newreply.php?tid={place.index}&replyto={post.id}")}" class="postbit_quote"><span>{view.word("reply")}</span></a></div></div></div>'
        )

    def draw_other(self, view: ForumView, heading: str, content: str) -> str:
        return self._frame(
            view,
            heading,
            "",
            f'<table class="tborder"><tr><td class="thead"><strong>{heading}</strong></td></tr><tr><td class="trow1">{content}</td></tr></table>',
        )

    # -- parts

    def _time(self, when: ShownDate) -> str:
        if when.title and when.title != when.text:
            return f'<span title="{escape(when.title)}">{escape(when.text)}</span>'
        return escape(when.text)

    def _user(self, view: ForumView, author: ForumAuthor) -> str:
        if not author.number:
            return escape(author.name)
        return f'<a href="{view.href(self.profile_url(author))}">{escape(author.name)}</a>'

    def _multipage(self, view: ForumView, part: PageSlice, url: Callable[[int], str]) -> str:
        if part.pages == 1:
            return ""
        pieces = []
        if part.page > 1:
            pieces.append(
                f'<a href="{view.href(url(part.offset - part.per))}" class="pagination_previous">&laquo; {view.word("previous")}</a>'
            )
        for page in part.window(around=2):
            if page == part.page:
                pieces.append(f'<span class="pagination_current">{page}</span>')
            elif page:
                css = "pagination_last" if page == part.pages else "pagination_page"
                pieces.append(f'<a href="{view.href(url(part.offset_of(page)))}" class="{css}">{page}</a>')
            else:
                pieces.append(" ... ")
        if part.has_next:
            pieces.append(
                f'<a href="{view.href(url(part.offset + part.per))}" class="pagination_next">{view.word("next")} &raquo;</a>'
            )
        return f'<div class="pagination"><span class="pages">{view.word("page")} ({part.pages}):</span>{"".join(pieces)}</div>'

    def _crumb(self, view: ForumView, board: SimulatedBoard) -> str:
        return f' &rsaquo; <a href="{view.href(self.board_url(view.forum, board))}">{escape(board.title)}</a>'

    def _frame(self, view: ForumView, title: str, crumb: str, body: str) -> str:
        clock = view.write_date(view.now, "{dd}-{mm}-{Y}, {HH}:{MM}")
        return (
            f'<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd"><!-- start: forum --><html xml:lang="{view.language.code}" lang="{view.language.code}" xmlns="http://www.w3.org/1999/xhtml">'
            f'<head><title>{title}</title><meta http-equiv="Content-Type" content="text/html; charset=UTF-8" />{view.feed_link()}<script type="text/javascript">var cookieDomain = ".example"; var my_post_key = "{view.tick:08x}";</script></head><body>'
            f'<div id="container"><a name="top" id="top"></a><div id="header"><div id="logo"><div class="wrapper"><a href="{view.href("/index.php")}"><img src="images/logo.png" alt="{escape(view.traits.title)}" /></a><ul class="menu top_links">'
            f'<li><a href="{view.href("/search.php")}" class="search">{view.word("search")}</a></li><li><a href="{view.href("/memberlist.php")}">{view.word("members")}</a></li><li><a href="{view.href("/calendar.php")}">{view.word("calendar")}</a></li>'
            f'<li><a href="{view.href("/misc.php?action=help")}">{view.word("help")}</a></li></ul></div></div><div id="panel"><span class="welcome">{view.word("welcome")} <a href="{view.href("/member.php?action=login")}" class="login">{view.word("login")}</a> '
            f'<a href="{view.href("/member.php?action=register")}">{view.word("register")}</a></span></div></div><div id="content"><div class="wrapper"><div class="navigation"><a href="{view.href("/index.php")}">{escape(view.traits.title)}</a>{crumb}</div><br />{body}</div></div>'
            f'<div id="footer"><ul class="menu bottom_links"><li><a href="#top">{view.word("top")}</a></li></ul><div id="current_time"><strong>{view.word("all_times")}:</strong> {clock}</div><div id="copyright">MyBB, &copy; 2002-2016</div></div></div></body></html>'
        )


LINK = ' target="_blank" rel="noopener" class="mycode_url"'


def _quote(view: ForumView, quotation: Quotation | None) -> str:
    if not quotation:
        return ""
    when = view.write_date(quotation.moment, "{dd}-{mm}-{Y}, {HH}:{MM}")
    return (
        f'<blockquote class="mycode_quote"><cite><span> ({when})</span>{escape(quotation.author)} {view.word("wrote")}: <a href="{view.href(f"/showthread.php?pid={quotation.post_id}#pid{quotation.post_id}")}" class="quick_jump"></a></cite>'
        f"{_quote(view, quotation.inner)}{join_with_breaks([quotation.text])}</blockquote>"
    )


LAYOUT = MyBBLayout()
