"""A layout like Discuz! X: thread-147-2-1.html, a tbody per row, a table per post, exact dates in titles."""

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
    as_int,
    as_page,
    join_with_breaks,
    match_numbers,
)
from threadmill.lab.simulate.snapshot import PageSlice
from threadmill.lab.simulate.view import ForumView, IndexRow, ShownPost

_OTHER = {"/member.php": "login", "/search.php": "search", "/home.php": "profile", "/misc.php": "help"}


class DiscuzLayout(ForumLayout):
    """forum-28-2.html, thread-147-2-1.html, and the same through forum.php?mod=…."""

    name = "discuz"
    session_name = "sid"
    cookie = "xK3f_2132_sid"
    home = "/forum.php"
    link_style = "bare"

    def route(self, path: str, query: Mapping[str, str]) -> PageRequest:
        if path in {"/", "/index.php"} or (path == "/forum.php" and "mod" not in query):
            return HOME
        found = match_numbers(r"/forum-(\d+)-(\d+)\.html", path)
        if found:
            return PageRequest("board", found[0], max(1, found[1]))
        found = match_numbers(r"/thread-(\d+)-(\d+)-\d+\.html", path)
        if found:
            return PageRequest("thread", found[0], max(1, found[1]))
        found = match_numbers(r"/space-uid-(\d+)\.html", path)
        if found:
            return PageRequest("other", found[0], what="profile")
        if path == "/forum.php":
            return self._route_module(query)
        if path.startswith("/archiver/"):
            return PageRequest("other", what="archive")
        return (
            PageRequest("other", as_int(query.get("uid")), what=_OTHER[path]) if path in _OTHER else MISSING
        )

    def _route_module(self, query: Mapping[str, str]) -> PageRequest:
        thread, page = as_int(query.get("tid") or query.get("ptid")), as_page(query.get("page"))
        module = query.get("mod")
        if module == "forumdisplay":
            if "filter" in query or "orderby" in query:
                return PageRequest("other", what="archive")
            return PageRequest("board", as_int(query.get("fid")), page)
        if module == "viewthread":
            if "authorid" in query or query.get("ordertype") or query.get("action"):
                return PageRequest("other", thread, what="print")
            return PageRequest("thread", thread, page)
        if module == "redirect":
            if query.get("goto") == "findpost":
                return PageRequest("post", as_int(query.get("pid")), redirect=True)
            return (
                PageRequest("last", thread)
                if query.get("goto") == "lastpost"
                else PageRequest("other", what="archive")
            )
        return PageRequest("other", what="reply")

    def board_url(self, forum: SimulatedForum, board: SimulatedBoard, offset: int = 0) -> str:
        return f"/forum-{board.number}-{offset // forum.traits.threads_per_page + 1}.html"

    def thread_url(self, view: ForumView, index: int, offset: int = 0) -> str:
        return f"/thread-{view.world.threads[index].number}-{offset // view.traits.posts_per_page + 1}-1.html"

    def post_url(self, view: ForumView, index: int, post_id: int, offset: int = 0) -> str:
        del offset
        return f"/forum.php?mod=redirect&goto=findpost&ptid={view.world.threads[index].number}&pid={post_id}"

    def newest_url(self, view: ForumView, index: int) -> str:
        return f"/forum.php?mod=redirect&tid={view.world.threads[index].number}&goto=lastpost#lastpost"

    def anchor(self, post_id: int) -> str:
        return f"pid{post_id}"

    def profile_url(self, author: ForumAuthor) -> str:
        return f"/space-uid-{author.number}.html"

    def aliases(self, view: ForumView, place: PageLocation) -> list[str]:
        if place.kind == "home":
            return ["/", "/index.php"]
        if place.kind == "thread":
            thread, page = view.world.threads[place.index].number, view.thread_slice(place).page
            return [
                f"/forum.php?mod=viewthread&tid={thread}&page={page}",
                f"/thread-{thread}-{page}-2.html",
                *([f"/forum.php?mod=viewthread&tid={thread}"] if page == 1 else []),
            ]
        board, page = view.world.boards[place.index].number, view.index_slice(place).page
        return [f"/forum.php?mod=forumdisplay&fid={board}&page={page}"]

    # -- pages

    def draw_home(self, view: ForumView) -> str:
        tables = []
        for top in view.boards():
            rows = "".join(self._board_row(view, i) for i in [top, *view.boards(top)])
            tables.append(
                f'<div class="bm bmw flg cl"><div class="bm_h cl"><h2>{escape(view.world.boards[top].title)}</h2></div>'
                f'<div id="category_{view.world.boards[top].number}" class="bm_c"><table cellspacing="0" cellpadding="0" class="fl_tb">{rows}</table></div></div>'
            )
        online = "".join(
            f'<li><img src="static/image/common/online_member.gif" alt="" /><a href="{view.href(self.profile_url(a))}">{escape(a.name)}</a></li>'
            for a in view.online()
        )
        recent = "".join(
            f'<li><em>{self._time(row.active)}</em><a href="{view.href(self.thread_url(view, row.index))}">{escape(row.title)}</a></li>'
            for row in view.recent()
        )
        body = (
            f'<div id="chart" class="bm bw0 cl"><p class="chart z">{view.word("posts")}: <em>{view.snapshot.limit + view.tick % 5}</em></p></div>'
            f'<div class="bm"><h3>{view.word("recent")}</h3><ul class="xl">{recent}</ul></div>{"".join(tables)}'
            f'<div id="online" class="bm oll"><div class="bm_h"><h3>{view.word("online")}</h3></div><ul class="ptm pbm cl">{online}</ul></div>'
        )
        return self._frame(view, escape(view.traits.title), "", body)

    def _board_row(self, view: ForumView, index: int) -> str:
        board, last = view.world.boards[index], view.board_last(index)
        threads, posts = view.board_counts(index)
        said = ""
        if last:
            said = (
                f'<a href="{view.href(self.newest_url(view, last.index))}" class="xi2">{escape(last.title[:20])}</a> '
                f"<cite>{self._time(last.active)} {self._user(view, last.last_author)}</cite>"
            )
        return (
            f'<tr class="fl_row"><td class="fl_icn"><a href="{view.href(self.board_url(view.forum, board))}"><img src="static/image/common/forum.gif" '
            f'alt="{escape(board.title)}" /></a></td><td><h2><a href="{view.href(self.board_url(view.forum, board))}">{escape(board.title)}</a>'
            f'<em class="xw0 xi1" title="{view.word("posts")}"> ({view.tick % 7})</em></h2><p class="xg2">{escape(board.description)}</p></td>'
            f'<td class="fl_i"><span class="xi2">{threads}</span><span class="xg1"> / {posts}</span></td><td class="fl_by"><div>{said}</div></td></tr>'
        )

    def draw_board(self, view: ForumView, place: PageLocation) -> str:
        board = view.world.boards[place.index]
        part = view.index_slice(place)
        pages = self._pager(view, part, lambda offset: self.board_url(view.forum, board, offset))
        rows = view.rows(place)
        marked = False
        items: list[str] = []
        for row in rows:
            if not row.sticky and not marked and items:
                items.append(
                    '<tbody id="separatorline"><tr class="ts"><td>&nbsp;</td><th>&nbsp;</th><td>&nbsp;</td><td>&nbsp;</td><td>&nbsp;</td></tr></tbody>'
                )
            marked = marked or not row.sticky
            items.append(self._row(view, row))
        subs = "".join(self._board_row(view, i) for i in view.boards(place.index))
        if subs:
            subs = f'<div class="bm bmw fl"><div class="bm_h cl"><h2>{view.word("subboards")}</h2></div><table class="fl_tb">{subs}</table></div>'
        filters = f"/forum.php?mod=forumdisplay&fid={board.number}"
        body = (
            f'{subs}<div class="bm bml pbn"><div class="bm_h cl"><h1 class="xs2"><a href="{view.href(self.board_url(view.forum, board))}">{escape(board.title)}</a>'
            f'</h1></div></div><div id="pgt" class="bm bw0 pgs cl">{pages}<a href="{view.href(f"/forum.php?mod=post&action=newthread&fid={board.number}")}" id="newspecial">'
            f'{view.word("new_thread")}</a></div><div id="threadlist" class="tl bm bmw"><div class="th"><table cellspacing="0" cellpadding="0"><tr><th colspan="2">'
            f'<div class="tf"><a href="{view.href(filters + "&filter=author&orderby=dateline")}" class="xi2">{view.word("newer")}</a> '
            f'<a href="{view.href(filters + "&filter=reply&orderby=replies")}" class="xi2">{view.word("replies")}</a></div></th>'
            f'<td class="by">{view.word("author")}</td><td class="num">{view.word("replies")}/{view.word("views")}</td><td class="by">{view.word("last_post")}</td></tr></table></div>'
            f'<div class="bm_c"><form method="post" id="moderate"><table summary="forum_{board.number}" cellspacing="0" cellpadding="0" id="threadlisttableid">'
            f'{"".join(items)}</table></form></div></div><div class="bm bw0 pgs cl">{pages}</div>'
        )
        return self._frame(view, escape(board.title), self._crumb(view, board), body)

    def _row(self, view: ForumView, row: IndexRow) -> str:
        kind = "stickthread" if row.sticky else "normalthread"
        url = view.href(self.thread_url(view, row.index))
        pages = ""
        if row.pages > 1 and view.traits.row_pages and not row.stub:
            numbers = range(2, min(row.pages, 6) + 1)
            per = view.traits.posts_per_page
            links = "".join(
                f'<a href="{view.href(self.thread_url(view, row.index, (n - 1) * per))}">{n}</a>'
                for n in numbers
            )
            if row.pages > 6:
                links += f'..<a href="{view.href(self.thread_url(view, row.index, (row.pages - 1) * per))}">{row.pages}</a>'
            pages = f'<span class="tps">&nbsp;...{links}</span>'
        moved = f"{view.word('moved')}: " if row.stub else ""
        return (
            f'<tbody id="{kind}_{row.number}"><tr><td class="icn"><a href="{url}" title="{view.word("unread")}" target="_blank"><img src="static/image/common/'
            f'{"pin_1" if row.sticky else "folder_common"}.gif" /></a></td><th class="common">{moved}<a href="{url}" onclick="atarget(this)" class="s xst">'
            f'{escape(row.title)}</a>{pages}</th><td class="by"><cite>{self._user(view, row.author)}</cite><em><span>{self._time(row.created)}</span></em></td>'
            f'<td class="num"><a href="{url}" class="xi2">{row.replies}</a><em>{row.views}</em></td><td class="by"><cite>{self._user(view, row.last_author)}</cite>'
            f'<em><a href="{view.href(self.last_url(view, row.index, row.last_id, row.last_offset))}">{self._time(row.active)}</a></em></td></tr></tbody>'
        )

    def draw_thread(self, view: ForumView, place: PageLocation) -> str:
        thread = view.world.threads[place.index]
        board = view.world.boards[thread.board_at(view.now)]
        part = view.thread_slice(place)
        pages = self._pager(view, part, lambda offset: self.thread_url(view, place.index, offset))
        url = view.href(self.thread_url(view, place.index))
        shown = "".join(self._post(view, place, post) for post in view.posts(place))
        body = (
            f'<div id="pgt" class="pgs mbm cl">{pages}<a id="newspecial" href="{view.href(f"/forum.php?mod=post&action=reply&tid={thread.number}")}">{view.word("reply")}</a></div>'
            f'<div id="postlist" class="pl bm"><table cellspacing="0" cellpadding="0"><tr><td class="pls ptm pbm"><div class="hm"><span class="xg1">{view.word("views")}:</span> '
            f'<span class="xi1">{view.snapshot.views(place.index, view.tick)}</span><span class="pipe">|</span><span class="xg1">{view.word("replies")}:</span> '
            f'<span class="xi1">{view.snapshot.count(place.index) - 1}</span></div></td><td class="plc ptm pbn vwthd"><h1 class="ts"><a href="{url}" id="thread_subject">'
            f'{view.title(place.index)}</a></h1><a href="{view.href(f"/forum.php?mod=viewthread&action=printable&tid={thread.number}")}">{view.word("print")}</a></td></tr></table>'
            f'<table cellspacing="0" cellpadding="0" class="ad"><tr><td class="pls"></td><td class="plc"></td></tr></table>{shown}'
            f'<div id="postlistreply" class="pl"><div id="post_new" class="viewthread_table" style="display: none"></div></div></div><div class="pgs mtm mbm cl">{pages}</div>'
        )
        return self._frame(view, view.title(place.index), self._crumb(view, board), body)

    def _post(self, view: ForumView, place: PageLocation, post: ShownPost) -> str:
        author, thread = post.author, view.world.threads[place.index].number
        card = ""
        if author.number:
            card = (
                f'<div class="p_pop blk bui" id="userinfo{post.id}" style="display: none;"><dl class="cl"><dt>{view.word("joined")}</dt><dd>'
                f"{view.joined(author, '{Y}-{m}-{d}')}</dd><dt>{view.word('posts')}</dt><dd>{author.posts}</dd><dt>UID</dt><dd>{author.number}</dd></dl></div>"
                f'<div><div class="avatar"><a href="{view.href(self.profile_url(author))}"><img src="uc_server/avatar.php?uid={author.number}" /></a></div></div>'
                f"<p><em>{view.word('rank')}</em></p>"
            )
        note = ""
        if post.edited:
            said = view.language.words["edited"].format(
                who=author.name, when=post.edited.title or post.edited.text, n=1
            )
            note = f'<i class="pstatus"> {escape(said)} </i><br />\n<br />\n'
        signature = (
            f'<div class="sign" style="max-height:100px;">{escape(author.signature)}</div>'
            if author.signature
            else ""
        )
        only = view.href(f"/forum.php?mod=viewthread&tid={thread}&page=1&authorid={author.number}")
        return (
            f'<div id="post_{post.id}"><table id="pid{post.id}" class="plhin" summary="pid{post.id}" cellspacing="0" cellpadding="0"><tr><td class="pls" rowspan="2">'
            f'<div class="pi"><div class="authi">{self._user(view, author, "xw1")}</div></div>{card}</td><td class="plc"><div class="pi"><strong>'
            f'<a href="{view.href(self.post_url(view, place.index, post.id))}" id="postnum{post.id}"><em>{post.position}</em><sup>#</sup></a></strong><div class="pti">'
            f'<div class="pdbt"></div><div class="authi"><img class="authicn vm" src="static/image/common/online_member.gif" /><em id="authorposton{post.id}">{view.word("wrote")} '
            f'{self._time(post.when)}</em><span class="pipe">|</span><a href="{only}" rel="nofollow">{view.word("author")}</a></div></div></div><div class="pct"><div class="pcb">'
            f'<div class="t_fsz"><table cellspacing="0" cellpadding="0"><tr><td class="t_f" id="postmessage_{post.id}">\n{note}{_quote(view, post.quotation)}'
            f'{join_with_breaks(post.paragraphs)}</td></tr></table></div><div id="comment_{post.id}" class="cm"></div></div></div></td></tr><tr><td class="plc plm">{signature}</td></tr>'
            f'<tr><td class="pls"></td><td class="plc"><div class="po"><div class="pob cl"><em><a class="fastre" href="{view.href(f"/forum.php?mod=post&action=reply&repquote={post.id}")}">'
            f'{view.word("reply")}</a></em><p><a href="javascript:;">{view.word("report")}</a></p></div></div></td></tr><tr class="ad"><td class="pls"></td><td class="plc"></td></tr></table></div>'
        )

    def draw_other(self, view: ForumView, heading: str, content: str) -> str:
        return self._frame(
            view, heading, "", f'<div id="messagetext" class="alert_info"><h1>{heading}</h1>{content}</div>'
        )

    # -- parts

    def _time(self, when: ShownDate) -> str:
        """Draw a date: recent ones in words with the exact date in the title, older ones plain."""
        if when.title and when.title != when.text:
            return f'<span title="{escape(when.title)}">{escape(when.text).replace(" ", "&nbsp;")}</span>'
        return escape(when.text)

    def _user(self, view: ForumView, author: ForumAuthor, style: str = "") -> str:
        if not author.number:
            return escape(author.name)
        css = f' class="{style}"' if style else ""
        return f'<a href="{view.href(self.profile_url(author))}"{css}>{escape(author.name)}</a>'

    def _pager(self, view: ForumView, part: PageSlice, url: Callable[[int], str]) -> str:
        if part.pages == 1:
            return ""
        pieces = []
        if part.page > 1:
            pieces.append(f'<a href="{view.href(url(part.offset - part.per))}" class="prev">&nbsp;&nbsp;</a>')
        for page in part.window(around=4):
            if page == part.page:
                pieces.append(f"<strong>{page}</strong>")
            elif page:
                last = (
                    f' class="last">... {page}' if page == part.pages and page - part.page > 5 else f">{page}"
                )
                pieces.append(f'<a href="{view.href(url(part.offset_of(page)))}"{last}</a>')
        pieces.append(
            f'<label><input type="text" name="custompage" class="px" size="2" value="{part.page}" /><span> / {part.pages} {view.word("page")}</span></label>'
        )
        if part.has_next:
            pieces.append(
                f'<a href="{view.href(url(part.offset + part.per))}" class="nxt">{view.word("next")}</a>'
            )
        return f'<div class="pg">{"".join(pieces)}</div>'

    def _crumb(self, view: ForumView, board: SimulatedBoard) -> str:
        return f'<em>&rsaquo;</em> <a href="{view.href(self.board_url(view.forum, board))}">{escape(board.title)}</a>'

    def _frame(self, view: ForumView, title: str, crumb: str, body: str) -> str:
        return (
            f'<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n<html xmlns="http://www.w3.org/1999/xhtml">'
            f'<head><meta http-equiv="Content-Type" content="text/html; charset=utf-8" /><title>{title} - {escape(view.traits.title)} - Powered by Discuz!</title>'
            f"<script type=\"text/javascript\">var STYLEID = '1', STATICURL = 'static/', charset = 'utf-8', discuz_uid = '0', cookiepre = 'xK3f_2132_';</script></head>"
            f'<body id="nv_forum" class="pg_viewthread"><div id="append_parent"></div><div id="toptb" class="cl"><div class="wp"><div class="z">'
            f'<a href="{view.href("/")}">{view.word("home")}</a></div><div class="y"><a href="{view.href("/member.php?mod=logging&action=login")}">{view.word("login")}</a>'
            f'<a href="{view.href("/member.php?mod=register")}">{view.word("register")}</a></div></div></div><div id="hd"><div class="wp"><div id="nv"><ul>'
            f'<li class="a"><a href="{view.href("/forum.php")}" hidefocus="true">{view.word("forum")}<span>BBS</span></a></li></ul></div>'
            f'<div id="scbar"><form action="{view.href("/search.php?mod=forum")}" method="post"><input name="srchtxt" value="{view.word("search")}" /></form></div></div></div>'
            f'<div id="wp" class="wp"><div id="pt" class="bm cl"><div class="z"><a href="{view.href("/")}" class="nvhm">{escape(view.traits.title)}</a> <em>&raquo;</em> '
            f'<a href="{view.href("/forum.php")}">{view.word("forum")}</a> {crumb}</div></div><div id="ct" class="wp cl"><div class="mn">{body}</div></div></div>'
            f'<div id="ft" class="wp cl"><div id="flk" class="y"><p><a href="{view.href("/archiver/")}">Archiver</a><span class="pipe">|</span>{view.word("contact")}</p>'
            f'<p class="xs0">GMT+8, {view.write_date(view.now, "{Y}-{m}-{d} {HH}:{MM}")}<span id="debuginfo">, Processed in 0.0{view.tick % 90 + 10} second(s)</span></p></div></div></body></html>'
        )


def _quote(view: ForumView, quotation: Quotation | None) -> str:
    if not quotation:
        return ""
    when = view.write_date(quotation.moment, "{Y}-{m}-{d} {HH}:{MM}")
    link = view.href(f"/forum.php?mod=redirect&goto=findpost&pid={quotation.post_id}&ptid=0")
    return (
        f'<div class="quote"><blockquote><font size="2"><a href="{link}" target="_blank"><font color="#999999">{escape(quotation.author)} {view.word("wrote")} {when}</font></a></font>'
        f"<br />\n{_quote(view, quotation.inner)}{join_with_breaks([quotation.text])}</blockquote></div><br />\n"
    )


LAYOUT = DiscuzLayout()
