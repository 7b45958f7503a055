"""A layout like SMF 2: index.php/topic,64.15.html, offsets, posts in nested wrappers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape

from threadmill.lab.simulate.content.world import SimulatedBoard
from threadmill.lab.simulate.content.writing import ForumAuthor, Quotation
from threadmill.lab.simulate.forum import PageLocation, PageRequest, SimulatedForum
from threadmill.lab.simulate.layout import HOME, MISSING, ForumLayout, as_int, join_with_breaks
from threadmill.lab.simulate.snapshot import PageSlice
from threadmill.lab.simulate.view import ForumView, IndexRow, ShownPost


class SmfLayout(ForumLayout):
    """index.php/board,14.50.html, index.php/topic,64.15.html, index.php/topic,64.msg123.html#msg123."""

    name = "smf"
    session_name = "PHPSESSID"
    cookie = "PHPSESSID"
    home = "/index.php"
    link_style = "full"
    feed = "/index.php?action=.xml;type=rss"

    def route(self, path: str, query: Mapping[str, str]) -> PageRequest:
        if path in {"/", "/index.php", "/index.php/"} and not set(query) - {"wwwRedirect"}:
            return HOME
        found = re.fullmatch(r"/index\.php/(board|topic),(\d+)\.(msg|from)?(\d+|new)(?:/.*)?\.html", path)
        if found:
            return self._route_pretty(found[1], found[2], found[3], found[4], query)
        if path != "/index.php":
            return MISSING
        for kind in ("board", "topic"):
            if kind in query and "action" not in query:
                first, _, rest = query[kind].partition(".")
                marker = "msg" if rest.startswith("msg") else None
                return self._route_pretty(kind, first, marker, rest.removeprefix("msg") or "0", query)
        action = query.get("action", "")
        if action == ".xml":
            return PageRequest("feed")
        words = {"login": "login", "register": "register", "search": "search", "mlist": "members", "help": "help",
                 "calendar": "calendar", "printpage": "print", "profile": "profile", "who": "online"}  # fmt: skip
        what = words.get(action, "reply" if action else "archive")
        return PageRequest(
            "other", as_int(query.get("u") or query.get("topic")), as_int(query.get("month"), 1), what=what
        )

    def _route_pretty(
        self, kind: str, first: str, marker: str | None, rest: str, query: Mapping[str, str]
    ) -> PageRequest:
        if kind == "board":
            if "sort" in query:
                return PageRequest("other", what="archive")
            return PageRequest("board", as_int(first), offset=as_int(rest))
        if rest == "new":
            return PageRequest("last", as_int(first))
        if marker == "msg":
            return PageRequest("post", as_int(rest))
        return PageRequest("thread", as_int(first), offset=as_int(rest))

    def board_url(self, forum: SimulatedForum, board: SimulatedBoard, offset: int = 0) -> str:
        del forum
        return f"/index.php/board,{board.number}.{offset}.html"

    def thread_url(self, view: ForumView, index: int, offset: int = 0) -> str:
        return f"/index.php/topic,{view.world.threads[index].number}.{offset}.html"

    def post_url(self, view: ForumView, index: int, post_id: int, offset: int = 0) -> str:
        del offset
        return f"/index.php/topic,{view.world.threads[index].number}.msg{post_id}.html#msg{post_id}"

    def newest_url(self, view: ForumView, index: int) -> str:
        return f"/index.php/topic,{view.world.threads[index].number}.new.html#new"

    def anchor(self, post_id: int) -> str:
        return f"msg{post_id}"

    def profile_url(self, author: ForumAuthor) -> str:
        return f"/index.php?action=profile;u={author.number}"

    def aliases(self, view: ForumView, place: PageLocation) -> list[str]:
        if place.kind == "home":
            return ["/"]
        if place.kind == "thread":
            return [f"/index.php?topic={view.world.threads[place.index].number}.{place.offset}"]
        return [f"/index.php?board={view.world.boards[place.index].number}.{place.offset}"]

    # -- pages

    def draw_home(self, view: ForumView) -> str:
        tables = []
        for top in view.boards():
            rows = "".join(self._board_row(view, i) for i in [top, *view.boards(top)])
            tables.append(
                f'<tbody class="header" id="category_{top}"><tr><td colspan="4"><div class="cat_bar"><h3 class="catbg"><a id="c{top}">'
                f'</a>{view.word("boards")}</h3></div></td></tr></tbody><tbody class="content" id="category_{top}_boards">{rows}</tbody>'
            )
        recent = "".join(
            f'<dt><strong><a href="{view.href(self.thread_url(view, row.index, row.last_offset))}">{escape(row.title)}</a></strong> '
            f"{view.word('by')} {self._user(view, row.last_author)}</dt><dd>{row.active.text}</dd>"
            for row in view.recent()
        )
        body = (
            f'<div id="boardindex_table"><table class="table_list">{"".join(tables)}</table></div>'
            f'<div id="upshrinkHeaderIC"><h4 class="titlebg">{view.word("recent")}</h4><dl id="ic_recentposts" class="middletext">{recent}</dl>'
            f'<h4 class="titlebg">{view.word("online")}</h4><p class="inline smalltext">'
            + ", ".join(self._user(view, a) for a in view.online())
            + "</p></div>"
        )
        return self._frame(view, escape(view.traits.title), "", body)

    def _board_row(self, view: ForumView, index: int) -> str:
        board, last = view.world.boards[index], view.board_last(index)
        threads, posts = view.board_counts(index)
        said = ""
        if last:
            said = (
                f"<p><strong>{view.word('last_post')}</strong> {view.word('by')} {self._user(view, last.last_author)}<br />"
                f'<a href="{view.href(self.post_url(view, last.index, last.last_id))}" title="{escape(last.title)}">{escape(last.title[:24])}</a><br />'
                f"{last.active.text}</p>"
            )
        return (
            f'<tr id="board_{board.number}" class="windowbg2"><td class="icon windowbg"><img src="Themes/default/images/off.png" alt="" /></td>'
            f'<td class="info"><a class="subject" href="{view.href(self.board_url(view.forum, board))}" name="b{board.number}">{escape(board.title)}</a>'
            f'<p>{escape(board.description)}</p></td><td class="stats windowbg"><p>{posts} {view.word("posts")} <br />{threads} {view.word("threads")}</p></td>'
            f'<td class="lastpost">{said}</td></tr>'
        )

    def draw_board(self, view: ForumView, place: PageLocation) -> str:
        board = view.world.boards[place.index]
        part = view.index_slice(place)
        pages = self._pages(view, part, lambda offset: self.board_url(view.forum, board, offset))
        subs = "".join(self._board_row(view, i) for i in view.boards(place.index))
        if subs:
            subs = f'<div id="board_{board.number}_childboards"><table class="table_list"><tbody class="content">{subs}</tbody></table></div>'
        sort = self.board_url(view.forum, board)
        rows = "".join(self._row(view, row) for row in view.rows(place))
        body = (
            f'{subs}<div class="pagesection"><div class="pagelinks floatleft">{view.word("page")}: {pages}&nbsp;&nbsp;<a href="#bot"><strong>&darr;</strong></a></div>'
            f'<div class="buttonlist floatright"><ul><li><a href="{view.href(f"/index.php?action=post;board={board.number}.0")}"><span>{view.word("new_thread")}</span></a></li></ul></div></div>'
            f'<div class="tborder topic_table" id="messageindex"><table class="table_grid" cellspacing="0"><thead><tr class="catbg">'
            f'<th scope="col" class="first_th" width="8%" colspan="2">&nbsp;</th><th scope="col" class="lefttext"><a href="{view.href(sort + "?sort=subject")}">{view.word("thread")}</a> / '
            f'<a href="{view.href(sort + "?sort=starter")}">{view.word("started")}</a></th><th scope="col" width="14%"><a href="{view.href(sort + "?sort=replies")}">{view.word("replies")}</a> / '
            f'{view.word("views")}</th><th scope="col" class="lefttext last_th" width="22%">{view.word("last_post")}</th></tr></thead><tbody>'
            f'<tr class="windowbg2 whos_viewing"><td colspan="5" class="smalltext">{view.tick % 4} {view.word("members")}, {view.tick % 11 + 2} {view.word("guest")}</td></tr>'
            f'{rows}</tbody></table></div><a id="bot"></a><div class="pagesection"><div class="pagelinks">{view.word("page")}: {pages}</div></div>'
        )
        return self._frame(view, escape(board.title), self._crumb(view, board), body)

    def _row(self, view: ForumView, row: IndexRow) -> str:
        shade = "stickybg" if row.sticky else "windowbg"
        strong = ("<strong>", "</strong>") if row.sticky else ("", "")
        pages = ""
        if row.pages > 1 and view.traits.row_pages and not row.stub:
            per = view.traits.posts_per_page
            numbers = [n for n in range(1, row.pages + 1) if n <= 2 or n > row.pages - 2]
            links = " ".join(
                f'<a class="navPages" href="{view.href(self.thread_url(view, row.index, (n - 1) * per))}">{n}</a>'
                for n in numbers
            )
            pages = f'<small id="pages{row.last_id}">&#171; {links} &#187;</small>'
        moved = f"{view.word('moved')}: " if row.stub else ""
        return (
            f'<tr><td class="icon1 {shade}"><img src="Themes/default/images/topic/normal_post{"_sticky" if row.sticky else ""}.gif" alt="" /></td>'
            f'<td class="icon2 {shade}"><img src="Themes/default/images/post/xx.gif" alt="" /></td><td class="subject {shade}2"><div><span id="msg_{row.last_id}">{strong[0]}'
            f'{moved}<a href="{view.href(self.thread_url(view, row.index))}">{escape(row.title)}</a>{strong[1]}</span><p>{view.word("started")} {self._user(view, row.author)} {pages}</p></div></td>'
            f'<td class="stats {shade}">{row.replies} {view.word("replies")}<br />{row.views} {view.word("views")}</td><td class="lastpost {shade}2">'
            f'<a href="{view.href(self.last_url(view, row.index, row.last_id, row.last_offset))}"><img src="Themes/default/images/icons/last_post.gif" alt="{view.word("last_post")}" /></a> '
            f"{row.active.text}<br />{view.word('by')} {self._user(view, row.last_author)}</td></tr>"
        )

    def draw_thread(self, view: ForumView, place: PageLocation) -> str:
        thread = view.world.threads[place.index]
        board = view.world.boards[thread.board_at(view.now)]
        part = view.thread_slice(place)
        pages = self._pages(view, part, lambda offset: self.thread_url(view, place.index, offset))
        shown = "".join(self._post(view, place, post, n) for n, post in enumerate(view.posts(place)))
        body = (
            f'<a id="top"></a><a id="msg{view.posts(place)[0].id}"></a><div class="pagesection"><div class="nextlinks"><a href="'
            f'{view.href(f"/index.php?topic={thread.number}.0;prev_next=prev;action=go")}">&laquo; {view.word("previous")}</a></div><div class="buttonlist floatright"><ul><li>'
            f'<a href="{view.href(f"/index.php?action=printpage;topic={thread.number}.0")}" rel="new_win nofollow"><span>{view.word("print")}</span></a></li></ul></div>'
            f'<div class="pagelinks floatleft">{view.word("page")}: {pages}</div></div><div id="forumposts"><div class="cat_bar"><h3 class="catbg">'
            f'<img src="Themes/default/images/topic/hot_post.gif" align="bottom" alt="" /><span id="author">{view.word("author")}</span>{view.word("thread")}: {view.title(place.index)} '
            f'&nbsp;({view.snapshot.views(place.index, view.tick)} {view.word("views")})</h3></div><form action="{view.href("/index.php?action=quickmod2")}" method="post" id="quickModForm">{shown}</form></div>'
            f'<a id="lastPost"></a><div class="pagesection"><div class="pagelinks floatleft">{view.word("page")}: {pages}</div></div>'
        )
        return self._frame(view, view.title(place.index), self._crumb(view, board), body)

    def _post(self, view: ForumView, place: PageLocation, post: ShownPost, order: int) -> str:
        author = post.author
        about = ""
        if author.number:
            about = (
                f'<ul class="reset smalltext"><li class="membergroup">{view.word("rank")}</li><li class="postcount">{view.word("posts")}: {author.posts}</li>'
                f"<li>{view.word('joined')}: {view.joined(author, '{Month} {dd}, {Y}')}</li></ul>"
            )
        signature = (
            f'<div class="signature" id="msg_{post.id}_signature">{escape(author.signature)}</div>'
            if author.signature
            else ""
        )
        note = ""
        if post.edited:
            said = view.language.words["edited"].format(who=escape(author.name), when=post.edited.text, n=1)
            note = f"&#171; <em>{said}</em> &#187;"
        anchor = "" if order == 0 else f'<a id="msg{post.id}"></a>'
        subject = ("" if post.first else "Re: ") + view.title(place.index)
        number = f"{view.word('reply')} #{post.position - 1} &ndash; " if not post.first else ""
        return (
            f'{anchor}<div class="windowbg{"2" if order % 2 else ""}"><span class="topslice"><span></span></span><div class="post_wrapper"><div class="poster"><h4>'
            f'<img src="Themes/default/images/useroff.gif" alt="" />{self._user(view, author)}</h4>{about}</div><div class="postarea"><div class="flow_hidden"><div class="keyinfo">'
            f'<div class="messageicon"><img src="Themes/default/images/post/xx.gif" alt="" /></div><h5 id="subject_{post.id}"><a href="{view.href(self.post_url(view, place.index, post.id))}" rel="nofollow">{subject}</a></h5>'
            f'<div class="smalltext">&#171; <strong>{number}</strong> {post.when.text} &#187;</div><div id="msg_{post.id}_quick_mod"></div></div></div><div class="post"><div class="inner" id="msg_{post.id}">'
            f'{_quote(view, post.quotation)}{join_with_breaks(post.paragraphs, "<br />", BBLINK)}</div></div></div><div class="moderatorbar"><div class="smalltext modified" id="modified_{post.id}">{note}</div>'
            f'<div class="smalltext reportlinks"><a href="{view.href(f"/index.php?action=reporttm;topic={place.index}.{post.position};msg={post.id}")}">{view.word("report")}</a> &nbsp;'
            f'<img src="Themes/default/images/ip.gif" alt="" /></div>{signature}</div></div><span class="botslice"><span></span></span></div><hr class="post_separator" />'
        )

    def draw_other(self, view: ForumView, heading: str, content: str) -> str:
        return self._frame(
            view,
            heading,
            "",
            f'<div id="fatal_error"><div class="cat_bar"><h3 class="catbg">{heading}</h3></div><div class="windowbg"><div class="padding">{content}</div></div></div>',
        )

    # -- parts

    def _user(self, view: ForumView, author: ForumAuthor) -> str:
        if not author.number:
            return escape(author.name)
        return f'<a href="{view.href(self.profile_url(author))}" title="{view.word("profile")} {escape(author.name)}">{escape(author.name)}</a>'

    def _pages(self, view: ForumView, part: PageSlice, url: Callable[[int], str]) -> str:
        pieces = []
        for page in part.window(around=2):
            if page == 0:
                pieces.append('<span style="font-weight: bold;" onclick="expandPages(this);"> ... </span>')
            elif page == part.page:
                pieces.append(f"[<strong>{page}</strong>]")
            else:
                pieces.append(f'<a class="navPages" href="{view.href(url(part.offset_of(page)))}">{page}</a>')
        return " ".join(pieces)

    def _crumb(self, view: ForumView, board: SimulatedBoard) -> str:
        return f'<li class="last"> &#187; <a href="{view.href(self.board_url(view.forum, board))}"><span>{escape(board.title)}</span></a></li>'

    def _frame(self, view: ForumView, title: str, crumb: str, body: str) -> str:
        now = view.write_date(view.now, "{Month} {dd}, {Y}, {hh}:{MM}:{SS} {ap}")
        menu = "".join(
            f'<li id="button_{action}"><a class="firstlevel" href="{view.href(f"/index.php?action={action}")}"><span class="firstlevel">{view.word(word)}</span></a></li>'
            for action, word in (
                ("help", "help"),
                ("search", "search"),
                ("calendar", "calendar"),
                ("login", "login"),
                ("register", "register"),
            )
        )
        tree = f'<div class="navigate_section"><ul><li><a href="{view.href("/index.php")}"><span>{escape(view.traits.title)}</span></a></li>{crumb}</ul></div>'
        return (
            f'<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n<html xmlns="http://www.w3.org/1999/xhtml"><head>'
            f'<link rel="stylesheet" type="text/css" href="Themes/default/css/index.css?fin20" /><script type="text/javascript"><!-- // --><![CDATA[\n\tvar smf_theme_url = "Themes/default";\n// ]]></script>'
            f'<meta http-equiv="Content-Type" content="text/html; charset=UTF-8" /><title>{title}</title>{view.feed_link()}</head><body><div id="wrapper" style="width: 90%"><div id="header"><div class="frame">'
            f'<div id="top_section"><h1 class="forumtitle"><a href="{view.href("/index.php")}">{escape(view.traits.title)}</a></h1></div><div id="upper_section" class="middletext"><div class="user">'
            f'<p>{view.word("welcome")}</p><p class="time">{now}</p></div></div><div id="main_menu"><ul class="dropmenu" id="menu_nav">{menu}</ul></div></div></div><div id="content_section"><div class="frame">'
            f'<div id="main_content_section">{tree}{body}{tree}</div></div></div><div id="footer_section"><div class="frame"><ul class="reset"><li class="copyright">SMF 2.0 | SMF &copy; 2013, Simple Machines</li>'
            f"<li>0.0{view.tick % 80 + 11} s, {view.tick % 20 + 8} queries.</li></ul></div></div></div></body></html>"
        )


BBLINK = ' class="bbc_link" target="_blank"'


def _quote(view: ForumView, quotation: Quotation | None) -> str:
    if not quotation:
        return ""
    when = view.write_date(quotation.moment, "{Month} {dd}, {Y}, {hh}:{MM}:{SS} {ap}")
    link = view.href(f"/index.php?topic=0.msg{quotation.post_id}#msg{quotation.post_id}")
    return (
        f'<div class="quoteheader"><div class="topslice_quote"><a href="{link}">{view.word("quote")}: {escape(quotation.author)} {when}</a></div></div>'
        f'<blockquote class="bbc_standard_quote">{_quote(view, quotation.inner)}{join_with_breaks([quotation.text])}</blockquote><div class="quotefooter"><div class="botslice_quote"></div></div>'
    )


LAYOUT = SmfLayout()
