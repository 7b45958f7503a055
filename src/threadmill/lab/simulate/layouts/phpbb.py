"""A layout like phpBB 3: definition lists for rows, offsets in URLs, posts with a profile column."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape

from threadmill.lab.simulate.content.world import SimulatedBoard
from threadmill.lab.simulate.content.writing import ForumAuthor, Quotation
from threadmill.lab.simulate.forum import PageLocation, PageRequest, SimulatedForum
from threadmill.lab.simulate.layout import HOME, MISSING, ForumLayout, as_int, join_with_breaks
from threadmill.lab.simulate.snapshot import PageSlice
from threadmill.lab.simulate.view import ForumView, IndexRow, ShownPost

_OTHER = {
    "/ucp.php": "login", "/search.php": "search", "/memberlist.php": "members", "/faq.php": "help",
    "/posting.php": "reply", "/viewonline.php": "online", "/report.php": "report", "/mcp.php": "login",
}  # fmt: skip


class PhpBBLayout(ForumLayout):
    """viewforum.php?f=2&start=25, viewtopic.php?f=2&t=14&start=15, viewtopic.php?p=123#p123."""

    name = "phpbb"
    session_name = "sid"
    cookie = "phpbb3_k7h2_sid"
    home = "/index.php"
    link_style = "dot"
    feed = "/feed.php"

    def route(self, path: str, query: Mapping[str, str]) -> PageRequest:
        if path in {"/", "/index.php"}:
            return HOME
        if path == "/viewforum.php":
            return PageRequest("board", as_int(query.get("f")), offset=as_int(query.get("start")))
        if path == "/viewtopic.php":
            return self._route_topic(query)
        if path == "/feed.php":
            return PageRequest("feed")
        what = _OTHER.get(path)
        if what == "members" and query.get("mode") == "viewprofile":
            what = "profile"
        return PageRequest("other", as_int(query.get("u")), what=what) if what else MISSING

    def _route_topic(self, query: Mapping[str, str]) -> PageRequest:
        if query.get("view") == "print":
            return PageRequest("other", as_int(query.get("t")), what="print")
        if query.get("sd") == "d" or "sk" in query or "hilit" in query:
            return PageRequest("other", as_int(query.get("t")), what="archive")
        if "p" in query:
            return PageRequest("post", as_int(query["p"]))
        if query.get("view") in {"unread", "next", "previous"}:
            return PageRequest("last", as_int(query.get("t")))
        return PageRequest("thread", as_int(query.get("t")), offset=as_int(query.get("start")))

    def board_url(self, forum: SimulatedForum, board: SimulatedBoard, offset: int = 0) -> str:
        del forum
        return f"/viewforum.php?f={board.number}" + (f"&start={offset}" if offset else "")

    def thread_url(self, view: ForumView, index: int, offset: int = 0) -> str:
        thread = view.world.threads[index]
        board = view.world.boards[thread.board_at(view.now)].number
        return f"/viewtopic.php?f={board}&t={thread.number}" + (f"&start={offset}" if offset else "")

    def post_url(self, view: ForumView, index: int, post_id: int, offset: int = 0) -> str:
        del offset
        thread = view.world.threads[index]
        board = view.world.boards[thread.board_at(view.now)].number
        return f"/viewtopic.php?f={board}&t={thread.number}&p={post_id}#p{post_id}"

    def profile_url(self, author: ForumAuthor) -> str:
        return f"/memberlist.php?mode=viewprofile&u={author.number}"

    def aliases(self, view: ForumView, place: PageLocation) -> list[str]:
        if place.kind == "home":
            return ["/"]
        if place.kind != "thread":
            return []
        number = view.world.threads[place.index].number
        tail = f"&start={place.offset}" if place.offset else ""
        return [f"/viewtopic.php?t={number}{tail}", *([] if tail else [f"/viewtopic.php?t={number}&start=0"])]

    # -- pages

    def draw_home(self, view: ForumView) -> str:
        lists = []
        for place, board in enumerate(view.boards()):
            rows = "\n".join(self._board_row(view, i) for i in [board, *view.boards(board)])
            lists.append(
                f'<div class="forabg"><div class="inner"><ul class="topiclist"><li class="header"><dl class="icon">'
                f'<dt><a href="{view.href("/index.php")}#c{place}">{view.word("boards")}</a></dt>'
                f'<dd class="topics">{view.word("threads")}</dd><dd class="posts">{view.word("posts")}</dd>'
                f'<dd class="lastpost"><span>{view.word("last_post")}</span></dd></dl></li></ul>'
                f'<ul class="topiclist forums">{rows}</ul></div></div>'
            )
        people = ", ".join(
            f'<a href="{view.href(self.profile_url(a))}" class="username">{escape(a.name)}</a>'
            for a in view.online()
        )
        body = "\n".join(lists) + (
            f'<h3><a href="{view.href("/viewonline.php")}">{view.word("online")}</a></h3><p>{people}</p>'
            f"<h3>{view.word('birthdays')}</h3><p>"
            + ", ".join(f"<strong>{escape(a.name)}</strong> ({age})" for a, age in view.birthday_people())
            + "</p>"
        )
        return self._frame(view, escape(view.traits.title), "", body)

    def _board_row(self, view: ForumView, index: int) -> str:
        board = view.world.boards[index]
        threads, posts = view.board_counts(index)
        last = view.board_last(index)
        said = "&nbsp;"
        if last:
            said = (
                f"<span><dfn>{view.word('last_post')}</dfn> {view.word('by')} {self._user(view, last.last_author)}\n"
                f'<a href="{view.href(self.post_url(view, last.index, last.last_id))}">'
                f'<img src="./styles/prosilver/imageset/icon_topic_latest.gif" width="11" height="9" alt="" /></a> <br />'
                f"{escape(last.active.text)}</span>"
            )
        return (
            f'<li class="row"><dl class="icon" style="background-image: url(./styles/prosilver/imageset/forum_read.gif);">'
            f'<dt><a href="{view.href(self.board_url(view.forum, board))}" class="forumtitle">{escape(board.title)}</a>'
            f"<br />{escape(board.description)}</dt>"
            f'<dd class="topics">{threads} <dfn>{view.word("threads")}</dfn></dd>'
            f'<dd class="posts">{posts} <dfn>{view.word("posts")}</dfn></dd>'
            f'<dd class="lastpost">{said}</dd></dl></li>'
        )

    def draw_board(self, view: ForumView, place: PageLocation) -> str:
        board = view.world.boards[place.index]
        part = view.index_slice(place)
        rows = view.rows(place)
        pages = self._pagination(view, part, lambda offset: self.board_url(view.forum, board, offset))
        sub = "".join(self._board_row(view, i) for i in view.boards(place.index)) if not place.offset else ""
        if sub:
            sub = (
                f'<div class="forabg"><div class="inner"><ul class="topiclist forums">{sub}</ul></div></div>'
            )
        items = "\n".join(self._row(view, row, n) for n, row in enumerate(rows))
        body = (
            f'<h2><a href="{view.href(self.board_url(view.forum, board))}">{escape(board.title)}</a></h2>\n{sub}'
            f'<div class="topic-actions"><div class="buttons"><div class="post-icon"><a href="'
            f'{view.href(f"/posting.php?mode=post&f={board.number}")}">{view.word("new_thread")}</a></div></div>'
            f'<div class="pagination">{part.total} {view.word("threads")} &bull; {pages}</div></div>'
            f'<div class="forumbg"><div class="inner"><ul class="topiclist"><li class="header"><dl class="icon">'
            f'<dt>{view.word("threads")}</dt><dd class="posts">{view.word("replies")}</dd>'
            f'<dd class="views">{view.word("views")}</dd><dd class="lastpost"><span>{view.word("last_post")}</span></dd>'
            f'</dl></li></ul><ul class="topiclist topics">{items}</ul></div></div>'
            f'<div class="topic-actions"><div class="pagination">{pages}</div></div>'
        )
        return self._frame(view, escape(board.title), self._crumb(view, board), body)

    def _row(self, view: ForumView, row: IndexRow, number: int) -> str:
        kind = "sticky" if row.sticky else ""
        pages = ""
        if row.pages > 1 and view.traits.row_pages and not row.stub:
            numbers = [1, *range(max(2, row.pages - 2), row.pages + 1)]
            links = '<span class="page-sep">, </span>'.join(
                f'<a href="{view.href(self.thread_url(view, row.index, (n - 1) * view.traits.posts_per_page))}">{n}</a>'
                for n in numbers
            )
            pages = f'<strong class="pagination"><span>{links}</span></strong>'
        moved = f"{view.word('moved')}: " if row.stub else ""
        last = (
            f'<dd class="lastpost"><span><dfn>{view.word("last_post")} </dfn>{view.word("by")} '
            f"{self._user(view, row.last_author)}\n"
            f'<a href="{view.href(self.last_url(view, row.index, row.last_id, row.last_offset))}">'
            f'<img src="./styles/prosilver/imageset/icon_topic_latest.gif" alt="{view.word("last_post")}" /></a> <br />'
            f"{escape(row.active.text)}</span></dd>"
        )
        return (
            f'<li class="row bg{number % 2 + 1} {kind}"><dl class="icon" '
            f'style="background-image: url(./styles/prosilver/imageset/{kind or "topic"}_read.gif);">'
            f'<dt title="{view.word("thread")}">{moved}<a href="{view.href(self.thread_url(view, row.index))}" '
            f'class="topictitle">{escape(row.title)}</a>\n{pages}<br />{view.word("by")} '
            f"{self._user(view, row.author)} &raquo; {escape(row.created.text)}</dt>"
            f'<dd class="posts">{row.replies} <dfn>{view.word("replies")}</dfn></dd>'
            f'<dd class="views">{row.views} <dfn>{view.word("views")}</dfn></dd>{last}</dl></li>'
        )

    def draw_thread(self, view: ForumView, place: PageLocation) -> str:
        thread = view.world.threads[place.index]
        board = view.world.boards[thread.board_at(view.now)]
        part = view.thread_slice(place)
        posts = view.posts(place)
        pages = self._pagination(view, part, lambda offset: self.thread_url(view, place.index, offset))
        title = view.title(place.index)
        shown = '\n<hr class="divider" />\n'.join(
            self._post(view, place, post, n) for n, post in enumerate(posts)
        )
        base = self.thread_url(view, place.index)
        body = (
            f'<h2><a href="{view.href(self.thread_url(view, place.index, place.offset))}">{title}</a></h2>'
            f'<div class="topic-actions"><div class="buttons"><a href="'
            f'{view.href(f"/posting.php?mode=reply&f={board.number}&t={thread.number}")}">{view.word("reply")}</a></div>'
            f'<div class="pagination">{view.snapshot.count(place.index)} {view.word("posts")} &bull; {pages}</div></div>'
            f"{shown}"
            f'<form method="post" action="{view.href(base)}"><fieldset class="display-options"><select name="sd">'
            f'<option value="a">+</option><option value="d">-</option></select></fieldset></form>'
            f'<div class="topic-actions"><div class="pagination">{pages}</div></div>'
            f'<p><a href="{view.href(base + "&view=print")}">{view.word("print")}</a> '
            f'<a href="{view.href(base + "&sk=t&sd=d")}">{view.word("newer")}</a></p>'
        )
        return self._frame(view, title, self._crumb(view, board), body)

    def _post(self, view: ForumView, place: PageLocation, post: ShownPost, number: int) -> str:
        link = view.href(self.post_url(view, place.index, post.id))
        author = post.author
        profile = f"<dt>{self._user(view, author)}</dt>"
        if author.number:
            profile += (
                f"<dd>{view.word('rank')}</dd><dd>&nbsp;</dd><dd><strong>{view.word('posts')}:</strong> {author.posts}</dd>"
                f"<dd><strong>{view.word('joined')}:</strong> {view.joined(author, '{wd} {mon} {dd}, {Y} {h}:{MM} {ap}')}</dd>"
                + (
                    f"<dd><strong>{view.word('location')}:</strong> {escape(author.place)}</dd>"
                    if author.place
                    else ""
                )
            )
        note = ""
        if post.edited:
            said = view.language.words["edited"].format(who=author.name, when=post.edited.text, n=1)
            note = f'<div class="notice">{escape(said)}</div>'
        signature = (
            f'<div id="sig{post.id}" class="signature">{escape(author.signature)}</div>'
            if author.signature
            else ""
        )
        return (
            f'<div id="p{post.id}" class="post bg{number % 2 + 1}"><div class="inner">'
            f'<span class="corners-top"><span></span></span><div class="postbody"><ul class="profile-icons">'
            f'<li class="quote-icon"><a href="{view.href(f"/posting.php?mode=quote&p={post.id}")}"><span>'
            f"{view.word('quote')}</span></a></li></ul><h3 {'class=first' if number == 0 else ''}>"
            f'<a href="#p{post.id}">{"" if post.first else "Re: "}{view.title(place.index)}</a></h3>'
            f'<p class="author"><a href="{link}"><img src="./styles/prosilver/imageset/icon_post_target.gif" alt="" /></a>'
            f"{view.word('by')} <strong>{self._user(view, author)}</strong> &raquo; {escape(post.when.text)} </p>"
            f'<div class="content">{_quote(view, post.quotation)}{join_with_breaks(post.paragraphs, link=_POSTLINK)}</div>'
            f'{note}{signature}</div><dl class="postprofile" id="profile{post.id}">{profile}</dl>'
            f'<div class="back2top"><a href="#wrap" class="top">{view.word("top")}</a></div></div></div>'
        )

    def draw_other(self, view: ForumView, heading: str, content: str) -> str:
        return self._frame(
            view,
            heading,
            "",
            f'<div class="panel"><div class="inner"><h2>{heading}</h2>{content}</div></div>',
        )

    # -- parts

    def _user(self, view: ForumView, author: ForumAuthor) -> str:
        if not author.number:
            return f'<span class="username">{escape(author.name)}</span>'
        return f'<a href="{view.href(self.profile_url(author))}">{escape(author.name)}</a>'

    def _pagination(self, view: ForumView, part: PageSlice, url: Callable[[int], str]) -> str:
        if part.pages == 1:
            return f"{view.word('page')} <strong>1</strong> {view.word('of')} <strong>1</strong>"
        pieces = []
        for number in part.window(around=1):
            if number == 0:
                pieces.append('<span class="page-dots"> ... </span>')
            elif number == part.page:
                pieces.append(f"<strong>{number}</strong>")
            else:
                pieces.append(f'<a href="{view.href(url(part.offset_of(number)))}">{number}</a>')
        return (
            f'<a href="#" onclick="jumpto(); return false;">{view.word("page")} <strong>{part.page}</strong> '
            f"{view.word('of')} <strong>{part.pages}</strong></a> &bull; <span>"
            + '<span class="page-sep">, </span>'.join(pieces)
            + "</span>"
        )

    def _crumb(self, view: ForumView, board: SimulatedBoard) -> str:
        parent = view.world.boards[board.parent] if board.parent >= 0 else None
        chain = [parent, board] if parent else [board]
        return "".join(
            f' <strong>&#8249;</strong> <a href="{view.href(self.board_url(view.forum, b))}">{escape(b.title)}</a>'
            for b in chain
        )

    def _frame(self, view: ForumView, title: str, crumb: str, body: str) -> str:
        now = view.write_date(view.now, "{wd} {mon} {dd}, {Y} {h}:{MM} {ap}")
        jump = "".join(
            f'<option value="{view.world.boards[i].number}">{escape(view.world.boards[i].title)}</option>'
            for i in view.snapshot.boards
        )
        return (
            f'<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\n'
            f'<html xmlns="http://www.w3.org/1999/xhtml" dir="ltr" lang="{view.language.code}"><head>'
            f'<meta http-equiv="content-type" content="text/html; charset=UTF-8" /><title>{escape(view.traits.title)} '
            f"&bull; {title}</title>{view.feed_link()}\n<script type=\"text/javascript\">// <![CDATA[\nvar jump_page = '1'; var per_page = '';\n"
            f"function jumpto() {{ var page = prompt(jump_page, ''); }}\n// ]]></script>"
            f'<link href="./styles/prosilver/theme/print.css" rel="stylesheet" type="text/css" media="print" /></head>'
            f'<body id="phpbb" class="section-view ltr"><div id="wrap"><a id="top" name="top"></a>'
            f'<div id="page-header"><div class="headerbar"><h1>{escape(view.traits.title)}</h1>'
            f'<div id="search-box"><form action="{view.href("/search.php")}"><input name="keywords" /></form>'
            f'<a href="{view.href("/search.php")}">{view.word("search")}</a></div></div>'
            f'<div class="navbar"><ul class="linklist navlinks"><li class="icon-home"><a href="{view.href("/index.php")}">'
            f'{view.word("home")}</a>{crumb}</li></ul><ul class="linklist rightside">'
            f'<li><a href="{view.href("/faq.php")}">{view.word("help")}</a></li>'
            f'<li><a href="{view.href("/ucp.php?mode=register")}">{view.word("register")}</a></li>'
            f'<li><a href="{view.href("/ucp.php?mode=login")}">{view.word("login")}</a></li></ul></div></div>'
            f'<a name="start_here"></a><div id="page-body"><p>{now}</p>{body}'
            f'<form method="post" id="jumpbox"><select name="f">{jump}</select></form></div>'
            f'<div id="page-footer"><div class="navbar"><ul class="linklist"><li class="rightside">'
            f'<a href="{view.href("/memberlist.php?mode=leaders")}">{view.word("members")}</a> &bull; '
            f"{view.word('all_times')} UTC {view.traits.zone.minutes // 60:+d}</li></ul></div>"
            f'<div class="copyright">phpBB &copy; 2000, 2002, 2005, 2007</div></div></div></body></html>'
        )


_POSTLINK = ' class="postlink"'


def _quote(view: ForumView, quotation: Quotation | None) -> str:
    if not quotation:
        return ""
    return (
        f"<blockquote><div><cite>{escape(quotation.author)} {view.word('wrote')}:</cite>"
        f"{_quote(view, quotation.inner)}{join_with_breaks([quotation.text])}</div></blockquote>"
    )


LAYOUT = PhpBBLayout()
