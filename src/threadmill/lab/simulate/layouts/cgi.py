"""An old custom layout of plain tables. Rows show the date of the first post but are sorted by the last."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape

from threadmill.lab.simulate.content.world import SimulatedBoard
from threadmill.lab.simulate.content.writing import ForumAuthor, Quotation
from threadmill.lab.simulate.forum import PageLocation, PageRequest, SimulatedForum
from threadmill.lab.simulate.layout import HOME, MISSING, ForumLayout, as_int, as_page, join_with_breaks
from threadmill.lab.simulate.snapshot import PageSlice
from threadmill.lab.simulate.view import ForumView, IndexRow, ShownPost


class CgiLayout(ForumLayout):
    """/forum.asp?f=4&page=2, /tema.asp?id=12&page=2, /tema.asp?id=12&page=zadnja."""

    name = "cgi"
    session_name = "ASPSESSIONID"
    cookie = "ASPSESSIONID"
    home = "/default.asp"
    charset = "windows-1250"

    def route(self, path: str, query: Mapping[str, str]) -> PageRequest:
        path = path.lower()
        if path in {"/", "/default.asp"}:
            return HOME
        if path == "/forum.asp":
            return (
                PageRequest("other", what="archive")
                if "sort" in query
                else PageRequest("board", as_int(query.get("f")), as_page(query.get("page")))
            )
        if path == "/tema.asp":
            if query.get("page") == "zadnja":
                return PageRequest("last", as_int(query.get("id")))
            return PageRequest("thread", as_int(query.get("id")), as_page(query.get("page")))
        if path == "/stampa.asp":
            return PageRequest("other", as_int(query.get("id")), what="print")
        known = {
            "/login.asp": "login",
            "/trazi.asp": "search",
            "/clan.asp": "profile",
            "/odgovor.asp": "reply",
            "/pravila.asp": "rules",
            "/clanovi.asp": "members",
        }
        return PageRequest("other", as_int(query.get("id")), what=known[path]) if path in known else MISSING

    def board_url(self, forum: SimulatedForum, board: SimulatedBoard, offset: int = 0) -> str:
        page = offset // forum.traits.threads_per_page + 1
        return f"/forum.asp?f={board.number}" + (f"&page={page}" if page > 1 else "")

    def thread_url(self, view: ForumView, index: int, offset: int = 0) -> str:
        page = offset // view.traits.posts_per_page + 1
        return f"/tema.asp?id={view.world.threads[index].number}" + (f"&page={page}" if page > 1 else "")

    def post_url(self, view: ForumView, index: int, post_id: int, offset: int = 0) -> str:
        return f"{self.thread_url(view, index, offset)}#{post_id}"

    def newest_url(self, view: ForumView, index: int) -> str:
        return f"/tema.asp?id={view.world.threads[index].number}&page=zadnja"

    def anchor(self, post_id: int) -> str:
        return str(post_id)

    def profile_url(self, author: ForumAuthor) -> str:
        return f"/clan.asp?id={author.number}"

    def aliases(self, view: ForumView, place: PageLocation) -> list[str]:
        if place.kind == "home":
            return ["/"]
        return [] if place.offset else [f"{self.key(view, place)}&page=1"]

    # -- pages

    def draw_home(self, view: ForumView) -> str:
        rows = []
        for top in view.boards():
            for index in [top, *view.boards(top)]:
                rows.append(self._board_row(view, index))
        body = f'<TABLE border=1 cellpadding=4 width="100%"><TR bgcolor="#003366"><TD><FONT color=white>{view.word("board")}</FONT></TD><TD><FONT color=white>{view.word("threads")}</FONT></TD><TD><FONT color=white>{view.word("posts")}</FONT></TD></TR>{"".join(rows)}</TABLE>'
        return self._frame(view, escape(view.traits.title), body)

    def _board_row(self, view: ForumView, index: int) -> str:
        board = view.world.boards[index]
        threads, posts = view.board_counts(index)
        return f'<TR><TD><A href="{view.href(self.board_url(view.forum, board))}"><B>{escape(board.title)}</B></A><BR><FONT size=1>{escape(board.description)}</FONT></TD><TD align=center>{threads}</TD><TD align=center>{posts}</TD></TR>'

    def draw_board(self, view: ForumView, place: PageLocation) -> str:
        board = view.world.boards[place.index]
        part = view.index_slice(place)
        nav = self._nav(view, part, lambda offset: self.board_url(view.forum, board, offset))
        rows = "".join(self._row(view, row, n) for n, row in enumerate(view.rows(place)))
        subs = "".join(self._board_row(view, i) for i in view.boards(place.index)) if not place.offset else ""
        sort = view.href(f"/forum.asp?f={board.number}&sort=naslov")
        body = (
            f'<H2>{escape(board.title)}</H2>{f"<TABLE border=1>{subs}</TABLE>" if subs else ""}<P>{nav}</P><TABLE border=0 cellpadding=3 cellspacing=1 width="100%" bgcolor="#CCCCCC"><TR bgcolor="#003366"><TD><A href="{sort}"><FONT color=white>{view.word("thread")}</FONT></A></TD>'
            f"<TD><FONT color=white>{view.word('author')}</FONT></TD><TD><FONT color=white>{view.word('posts')}</FONT></TD><TD><FONT color=white>{view.word('started')}</FONT></TD></TR>{rows}</TABLE><P>{nav}</P>"
        )
        return self._frame(view, escape(board.title), body)

    def _row(self, view: ForumView, row: IndexRow, order: int) -> str:
        mark = (
            f'<IMG src="/img/pin.gif" alt="{view.word("sticky")}"> '
            if row.sticky
            else f"{view.word('moved')}: "
            if row.stub
            else ""
        )
        last = (
            f' <A href="{view.href(self.newest_url(view, row.index))}"><IMG src="/img/last.gif" border=0 alt="&raquo;"></A>'
            if view.traits.last_link != "none" and row.pages > 1
            else ""
        )
        return (
            f'<TR bgcolor="{"#FFFFFF" if order % 2 else "#EEEEEE"}"><TD>{mark}<A href="{view.href(self.thread_url(view, row.index))}">{escape(row.title)}</A>{last}</TD><TD>{self._user(view, row.author)}</TD><TD align=center>{row.replies}</TD>'
            f"<TD nowrap><FONT size=1>{escape(row.created.text)}</FONT></TD></TR>"
        )

    def draw_thread(self, view: ForumView, place: PageLocation) -> str:
        thread = view.world.threads[place.index]
        board = view.world.boards[thread.board_at(view.now)]
        nav = self._nav(
            view, view.thread_slice(place), lambda offset: self.thread_url(view, place.index, offset)
        )
        shown = "".join(self._post(view, post, n) for n, post in enumerate(view.posts(place)))
        body = (
            f'<P><A href="{view.href("/default.asp")}">{view.word("home")}</A> &gt; <A href="{view.href(self.board_url(view.forum, board))}">{escape(board.title)}</A></P><H2>{view.title(place.index)}</H2><P>{nav}</P><TABLE border=0 cellpadding=4 cellspacing=1 width="100%" bgcolor="#CCCCCC">{shown}</TABLE><P>{nav}</P>'
            f'<P><A href="{view.href(f"/odgovor.asp?id={thread.number}")}">{view.word("reply")}</A> | <A href="{view.href(f"/stampa.asp?id={thread.number}")}">{view.word("print")}</A></P>'
        )
        return self._frame(view, view.title(place.index), body)

    def _post(self, view: ForumView, post: ShownPost, order: int) -> str:
        """Draw a post as three rows of one table: head, body and foot."""
        author = post.author
        about = (
            f"<FONT size=1>{view.word('joined')}: {view.joined(author, '{d}.{m}.{Y}.')}<BR>{view.word('posts')}: {author.posts}</FONT>"
            if author.number
            else ""
        )
        note = (
            f"<BR><I><FONT size=1>{escape(view.language.words['edited'].format(who=author.name, when=post.edited.text, n=1))}</FONT></I>"
            if post.edited
            else ""
        )
        signature = (
            f'<BR>-- <BR><FONT size=1 class="potpis">{escape(author.signature)}</FONT>'
            if author.signature
            else ""
        )
        shade = "#FFFFFF" if order % 2 else "#F4F4F4"
        return (
            f'<TR bgcolor="#DDE6F0"><TD><A name="{post.id}"></A>{self._user(view, author)}</TD><TD align=right><FONT size=1>{escape(post.when.text)}</FONT> <FONT size=1>#{post.position}</FONT></TD></TR>'
            f'<TR bgcolor="{shade}"><TD valign=top width=140>{about}</TD><TD valign=top><DIV class="poruka">{_quote(view, post.quotation)}{join_with_breaks(post.paragraphs, "<BR>")}</DIV>{note}{signature}</TD></TR><TR bgcolor="{shade}"><TD>&nbsp;</TD><TD align=right><A href="{view.href(f"/odgovor.asp?citat={post.id}")}">{view.word("quote")}</A></TD></TR>'
        )

    def draw_other(self, view: ForumView, heading: str, content: str) -> str:
        return self._frame(view, heading, f"<H2>{heading}</H2>{content}")

    def _user(self, view: ForumView, author: ForumAuthor) -> str:
        if not author.number:
            return f"<B>{escape(author.name)}</B>"
        return f'<A href="{view.href(self.profile_url(author))}"><B>{escape(author.name)}</B></A>'

    def _nav(self, view: ForumView, part: PageSlice, url: Callable[[int], str]) -> str:
        if part.pages == 1:
            return ""
        pieces = [
            f"<B>[{n}]</B>" if n == part.page else f'<A href="{view.href(url(part.offset_of(n)))}">{n}</A>'
            for n in part.window(around=5, edge=1)
            if n
        ]
        after = (
            f' <A href="{view.href(url(part.offset + part.per))}"><IMG src="/img/next.gif" border=0></A>'
            if part.has_next
            else ""
        )
        return f"{view.word('page')}: {' '.join(pieces)}{after}"

    def _frame(self, view: ForumView, title: str, body: str) -> str:
        menu = " | ".join(
            f'<A href="{view.href(path)}">{view.word(word)}</A>'
            for path, word in (
                ("/default.asp", "forum"),
                ("/trazi.asp", "search"),
                ("/clanovi.asp", "members"),
                ("/pravila.asp", "rules"),
                ("/login.asp", "login"),
            )
        )
        return (
            f'<HTML><HEAD><META http-equiv="Content-Type" content="text/html; charset={self.charset}"><TITLE>{title}</TITLE></HEAD><BODY bgcolor=white><CENTER><TABLE width=760 border=0><TR><TD><H1>{escape(view.traits.title)}</H1>{menu}<HR>{body}<HR><FONT size=1>{view.write_date(view.now, "{weekday}, {d}. {month} {Y}. {HH}:{MM}")} - '
            f"{view.word('online')}: {', '.join(escape(a.name) for a in view.online())}</FONT></TD></TR></TABLE></CENTER></BODY></HTML>"
        )


def _quote(view: ForumView, quotation: Quotation | None) -> str:
    if not quotation:
        return ""
    when = view.write_date(quotation.moment, "{d}.{m}.{Y}. {HH}:{MM}")
    return f"<BLOCKQUOTE><FONT size=1>{escape(quotation.author)} {view.word('wrote')} ({when}):</FONT><HR>{_quote(view, quotation.inner)}{join_with_breaks([quotation.text], '<BR>')}<HR></BLOCKQUOTE>"


LAYOUT = CgiLayout()
