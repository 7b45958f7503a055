"""A layout like IP.Board 3: readable URLs, a table of topics, post_block divs with microdata."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape

from threadmill.lab.simulate.content.shown_dates import ShownDate
from threadmill.lab.simulate.content.world import SimulatedBoard
from threadmill.lab.simulate.content.writing import ForumAuthor, Quotation
from threadmill.lab.simulate.forum import PageLocation, PageRequest, SimulatedForum
from threadmill.lab.simulate.layout import HOME, MISSING, ForumLayout, match_numbers, wrap_in_paragraphs
from threadmill.lab.simulate.snapshot import PageSlice
from threadmill.lab.simulate.view import ForumView, IndexRow, ShownPost, slug


class IpbLayout(ForumLayout):
    """/forum/3-slug/page-2, /topic/12-slug/page-2, /topic/12-slug/?view=getlastpost, /topic/12-slug/#entry99."""

    name = "ipb"
    session_name = "s"
    cookie = "session_id"
    home = "/"
    link_style = "full"
    feed = "/rss/forums/1-all/"

    def route(self, path: str, query: Mapping[str, str]) -> PageRequest:
        if path in {"/", "/index"}:
            if query.get("section") == "findpost":
                return PageRequest("post", int("0" + query.get("pid", "")), redirect=True)
            return PageRequest("other", what="login") if query.get("app") else HOME
        if path == self.feed:
            return PageRequest("feed")
        found = match_numbers(r"/forum/(\d+)-[^/]*/(?:page-(\d+))?", path)
        if found:
            return (
                PageRequest("other", what="archive")
                if "sort_key" in query
                else PageRequest("board", found[0], max(1, found[1]))
            )
        found = match_numbers(r"/topic/(\d+)-[^/]*/(?:page-(\d+))?", path)
        if found:
            if query.get("view") in {"getlastpost", "getnewpost"}:
                return PageRequest("last", found[0])
            return PageRequest("thread", found[0], max(1, found[1]))
        return self._route_rest(path)

    def _route_rest(self, path: str) -> PageRequest:
        found = match_numbers(r"/user/(\d+)-.*", path)
        if found:
            return PageRequest("other", found[0], what="profile")
        known = {
            "search": "search",
            "members": "members",
            "calendar": "calendar",
            "register": "register",
            "online": "online",
            "tags": "search",
        }
        first = path.strip("/").partition("/")[0]
        return PageRequest("other", what=known[first]) if first in known else MISSING

    def board_url(self, forum: SimulatedForum, board: SimulatedBoard, offset: int = 0) -> str:
        page = offset // forum.traits.threads_per_page + 1
        return f"/forum/{board.number}-{slug(board.title)}/" + (f"page-{page}" if page > 1 else "")

    def thread_url(self, view: ForumView, index: int, offset: int = 0) -> str:
        page = offset // view.traits.posts_per_page + 1
        return self._base(view, index) + (f"page-{page}" if page > 1 else "")

    def _base(self, view: ForumView, index: int) -> str:
        return f"/topic/{view.world.threads[index].number}-{slug(view.raw_title(index))}/"

    def post_url(self, view: ForumView, index: int, post_id: int, offset: int = 0) -> str:
        return f"{self.thread_url(view, index, offset)}#entry{post_id}"

    def newest_url(self, view: ForumView, index: int) -> str:
        return f"{self._base(view, index)}?view=getlastpost"

    def anchor(self, post_id: int) -> str:
        return f"entry{post_id}"

    def profile_url(self, author: ForumAuthor) -> str:
        return f"/user/{author.number}-{slug(author.name)}/"

    def aliases(self, view: ForumView, place: PageLocation) -> list[str]:
        if place.kind != "thread":
            return ["/index"] if place.kind == "home" else []
        page = view.thread_slice(place).page
        return [
            f"/topic/{view.world.threads[place.index].number}-x/page-{page}",
            self.thread_url(view, place.index, place.offset) + "?hl=abc",
        ]

    # -- pages

    def draw_home(self, view: ForumView) -> str:
        parts = []
        for top in view.boards():
            rows = "".join(self._board_row(view, i) for i in [top, *view.boards(top)])
            parts.append(
                f'<div class="category_block block_wrap"><h3 id="category_{top}" class="maintitle"><a href="{view.href(self.board_url(view.forum, view.world.boards[top]))}">{escape(view.world.boards[top].title)}</a></h3>'
                f'<div class="table_wrap ipsBox_container"><table class="ipb_table"><tr class="header hide"><th scope="col">{view.word("board")}</th><th>{view.word("statistics")}</th><th>{view.word("last_post")}</th></tr>{rows}</table></div></div>'
            )
        return self._frame(
            view,
            escape(view.traits.title),
            "",
            f'<div id="categories">{"".join(parts)}</div>{self._hook(view)}',
        )

    def _board_row(self, view: ForumView, index: int) -> str:
        board, last = view.world.boards[index], view.board_last(index)
        threads, posts = view.board_counts(index)
        said = ""
        if last:
            said = (
                f'<ul class="last_post ipsType_small"><li><a href="{view.href(self.newest_url(view, last.index))}">{escape(last.title)}</a></li><li>{view.word("by")} {self._user(view, last.last_author)}</li>'
                f'<li class="desc lighter blend_links"><a href="{view.href(self.newest_url(view, last.index))}">{escape(last.active.text)}</a></li></ul>'
            )
        return (
            f'<tr><td class="col_c_icon"><img src="/public/style_images/master/f_icon_read.png" /></td><td class="col_c_forum"><h4><a href="{view.href(self.board_url(view.forum, board))}">{escape(board.title)}</a></h4>'
            f'<p class="desc __forum_desc">{escape(board.description)}</p></td><td class="col_c_stats ipsType_small"><ul><li><strong>{threads}</strong> {view.word("threads")}</li><li><strong>{posts}</strong> {view.word("posts")}</li></ul></td>'
            f'<td class="col_c_post">{said}</td></tr>'
        )

    def draw_board(self, view: ForumView, place: PageLocation) -> str:
        board = view.world.boards[place.index]
        part = view.index_slice(place)
        pages = self._pages(view, part, lambda offset: self.board_url(view.forum, board, offset))
        rows = "".join(self._row(view, row) for row in view.rows(place))
        subs = "".join(self._board_row(view, i) for i in view.boards(place.index))
        if subs:
            subs = f'<div class="category_block"><h3 class="maintitle">{view.word("subboards")}</h3><table class="ipb_table">{subs}</table></div>'
        body = (
            f'{subs}<div class="topic_controls">{pages}<ul class="topic_buttons"><li><a href="/index?app=core&amp;module=global&amp;section=login">{view.word("new_thread")}</a></li></ul></div><div class="ipsBox"><h2 class="maintitle">'
            f'<a href="{view.href(self.board_url(view.forum, board) + "?sort_key=start_date")}">{view.word("newer")}</a></h2><div class="ipsBox_container"><table class="ipb_table topic_list hover_rows" summary="{escape(board.title)}" id="forum_table">'
            f'<tr class="header hide"><th scope="col" class="col_f_icon">&nbsp;</th><th scope="col" class="col_f_topic">{view.word("thread")}</th><th scope="col" class="col_f_views">{view.word("statistics")}</th><th scope="col" class="col_f_post">'
            f'{view.word("last_post")}</th></tr>{rows}</table></div></div><div class="topic_controls">{pages}</div>'
        )
        return self._frame(
            view,
            escape(board.title),
            self._crumb(view, board),
            body,
            self._rel(view, part, lambda offset: self.board_url(view.forum, board, offset)),
        )

    def _row(self, view: ForumView, row: IndexRow) -> str:
        mini = ""
        if row.pages > 1 and view.traits.row_pages and not row.stub:
            per = view.traits.posts_per_page
            numbers = [1, 2, row.pages] if row.pages > 2 else [1, 2]
            mini = (
                '<ul class="mini_pagination">'
                + "".join(
                    f'<li><a href="{view.href(self.thread_url(view, row.index, (n - 1) * per))}">{n}{" &rarr;" if n > 2 else ""}</a></li>'
                    for n in numbers
                )
                + "</ul>"
            )
        badge = (
            f'<span class="ipsBadge ipsBadge_green">{view.word("sticky")}</span> '
            if row.sticky
            else f'<span class="ipsBadge">{view.word("moved")}:</span> '
            if row.stub
            else ""
        )
        arrow = (
            f'<a href="{view.href(self.last_url(view, row.index, row.last_id, row.last_offset))}">{escape(row.active.text)}</a>'
            if view.traits.last_link != "none"
            else escape(row.active.text)
        )
        return (
            f'<tr itemscope itemtype="http://schema.org/Article" class="__topic expandable" id="trow_{row.number}" data-tid="{row.number}"><td class="col_f_icon altrow short"><img src="/public/style_images/master/t_read.png" /></td><td class="col_f_content">'
            f'{badge}<h4><a itemprop="url" id="tid-link-{row.number}" href="{view.href(self.thread_url(view, row.index))}" class="topic_title"><span itemprop="name">{escape(row.title)}</span></a></h4><br/>'
            f'<span class="desc lighter blend_links">{view.word("started")} {self._user(view, row.author)}, <span itemprop="dateCreated">{escape(row.created.text)}</span></span>{mini}</td><td class="col_f_views desc blend_links"><ul>'
            f'<li>{row.replies} {view.word("replies")}</li><li class="views desc">{row.views} {view.word("views")}</li></ul></td><td class="col_f_post"><ul class="last_post ipsType_small"><li>{self._user(view, row.last_author)}</li>'
            f"<li>{arrow}</li></ul></td></tr>"
        )

    def draw_thread(self, view: ForumView, place: PageLocation) -> str:
        thread = view.world.threads[place.index]
        board = view.world.boards[thread.board_at(view.now)]
        part = view.thread_slice(place)
        pages = self._pages(view, part, lambda offset: self.thread_url(view, place.index, offset))
        shown = "".join(self._post(view, place, post) for post in view.posts(place))
        body = (
            f'<div itemscope itemtype="http://schema.org/Article"><h1 itemprop="name" class="ipsType_pagetitle">{view.title(place.index)}</h1><div class="desc lighter blend_links">{view.word("started")} <span itemprop="dateCreated">'
            f'{escape(view.show_date(view.world.times[thread.ranks[0]]).text)}</span></div><div class="topic_controls">{pages}</div><h2 class="maintitle">{view.snapshot.count(place.index) - 1} {view.word("replies")}</h2><div class="topic hfeed clear">'
            f'<div class="ipsBox"><div class="ipsBox_container" id="ips_Posts">{shown}</div></div></div><div class="topic_controls">{pages}</div></div>'
        )
        return self._frame(
            view,
            view.title(place.index),
            self._crumb(view, board),
            body,
            self._rel(view, part, lambda offset: self.thread_url(view, place.index, offset)),
        )

    def _post(self, view: ForumView, place: PageLocation, post: ShownPost) -> str:
        author, link = post.author, view.href(self.post_url(view, place.index, post.id, place.offset))
        card = ""
        if author.number:
            card = (
                f'<ul class="user_fields"><li class="group_title">{view.word("rank")}</li><li class="post_count desc">{author.posts} {view.word("posts")}</li><li><span class="ft">{view.word("joined")}:</span>'
                f'<span class="fc">{view.joined(author, "{dd} {mon} {Y}")}</span></li></ul>'
            )
        edited = ""
        if post.edited:
            said = view.language.words["edited"].format(who=author.name, when=post.edited.text, n=1)
            edited = f'<p class="edit"><strong>{escape(said)}</strong></p>'
        signature = (
            f'<div class="signature" data-memberid="{author.number}"><p>{escape(author.signature)}</p></div>'
            if author.signature
            else ""
        )
        return (
            f'<div class="post_block hentry clear clearfix" id="post_id_{post.id}"><a id="entry{post.id}"></a><div class="post_wrap"><h3 class="row2"><span class="post_id right ipsType_small desc blend_links"><a itemprop="replyToUrl" data-entry-pid="{post.id}" href="{link}" rel="bookmark">'
            f'#{post.position}</a></span><span itemprop="creator name" class="author vcard">{self._user(view, author)}</span></h3><div class="author_info"><div class="user_details"><span class="hide">{escape(author.name)}</span>{card}</div></div><div class="post_body">'
            f'<p class="posted_info desc lighter ipsType_small">{view.word("posts")} <abbr class="published" itemprop="commentTime" title="{post.when.iso}">{escape(post.when.text)}</abbr></p><div itemprop="commentText" class="post entry-content">'
            f'{_quote(view, post.quotation)}{wrap_in_paragraphs(post.paragraphs, LINK)}<br />{edited}</div>{signature}</div><ul class="post_controls clear clearfix"><li class="report"><a href="/index?app=core&amp;module=reports&amp;rid={post.id}">{view.word("report")}</a></li></ul></div></div><hr />'
        )

    def draw_other(self, view: ForumView, heading: str, content: str) -> str:
        return self._frame(
            view,
            heading,
            "",
            f'<h1 class="ipsType_pagetitle">{heading}</h1><div class="ipsBox"><div class="message error">{content}</div></div>',
        )

    # -- parts

    def _user(self, view: ForumView, author: ForumAuthor) -> str:
        if not author.number:
            return f"<span>{escape(author.name)}</span>"
        return f'<a hovercard-ref="member" class="url fn name ___hover___member" href="{view.href(self.profile_url(author))}"><span itemprop="name">{escape(author.name)}</span></a>'

    def _pages(self, view: ForumView, part: PageSlice, url: Callable[[int], str]) -> str:
        if part.pages == 1:
            return '<div class="pagination clearfix left no_pages"><ul class="ipsList_inline back left"></ul></div>'
        items = [
            f'<li class="page{" active" if n == part.page else ""}">'
            + (str(n) if n == part.page else f'<a href="{view.href(url(part.offset_of(n)))}">{n}</a>')
            + "</li>"
            for n in part.window(around=3, edge=0)
            if n
        ]
        after = (
            f'<ul class="ipsList_inline forward left"><li class="next"><a href="{view.href(url(part.offset + part.per))}" rel="next">{view.word("next")}</a></li><li class="last"><a href="{view.href(url(part.offset_of(part.pages)))}" rel="last">&raquo;</a></li></ul>'
            if part.has_next
            else ""
        )
        before = (
            f'<ul class="ipsList_inline back left"><li class="first"><a href="{view.href(url(0))}" rel="start">&laquo;</a></li><li class="prev"><a href="{view.href(url(part.offset - part.per))}" rel="prev">{view.word("previous")}</a></li></ul>'
            if part.page > 1
            else ""
        )
        return f'<div class="pagination clearfix left">{before}<ul class="ipsList_inline left pages"><li class="pagejump">{view.word("page")} {part.page} {view.word("of")} {part.pages}</li>{"".join(items)}</ul>{after}</div>'

    def _rel(self, view: ForumView, part: PageSlice, url: Callable[[int], str]) -> str:
        return (
            f'<link rel="next" href="{view.href(url(part.offset + part.per))}" />'
            if part.has_next and view.traits.rel_next
            else ""
        )

    def _hook(self, view: ForumView) -> str:
        items = "".join(
            f'<li><a href="{view.href(self.thread_url(view, row.index))}">{escape(row.title)}</a><br /><span class="desc">{self._when(row.active)}</span></li>'
            for row in view.recent()
        )
        online = ", ".join(self._user(view, a) for a in view.online())
        return f'<div id="index_stats"><div class="ipsSideBlock"><h3>{view.word("recent")}</h3><ul>{items}</ul></div><p>{view.word("online")}: {online}</p></div>'

    def _when(self, when: ShownDate) -> str:
        return f'<abbr title="{when.iso}">{escape(when.text)}</abbr>'

    def _crumb(self, view: ForumView, board: SimulatedBoard) -> str:
        return f'<li><span class="nav_sep">&rarr;</span> <a href="{view.href(self.board_url(view.forum, board))}"><span>{escape(board.title)}</span></a></li>'

    def _frame(self, view: ForumView, title: str, crumb: str, body: str, head: str = "") -> str:
        return (
            f'<!DOCTYPE html><html lang="{view.language.code}" xmlns:fb="http://www.facebook.com/2008/fbml"><head><meta charset="UTF-8" /><title>{title} - {escape(view.traits.title)}</title>{head}{view.feed_link()}<script type="text/javascript">//<![CDATA[\n'
            f'jsDebug = 0; USE_RTE = 1; ipb.vars["secure_hash"] = "{view.tick:032x}";\n//]]></script></head><body id="ipboard_body"><div id="ipbwrapper"><div id="header_bar" class="clearfix"><div class="main_width"><div id="user_navigation" class="not_logged_in">'
            f'<a href="/index?app=core&amp;module=global&amp;section=login" id="sign_in">{view.word("login")}</a> <a href="/register/">{view.word("register")}</a></div></div></div><div id="primary_nav"><ul class="ipsList_inline" id="community_app_menu">'
            f'<li class="left active"><a href="{view.href("/")}">{view.word("forum")}</a></li><li><a href="{view.href("/members/")}">{view.word("members")}</a></li><li><a href="{view.href("/calendar/")}">{view.word("calendar")}</a></li>'
            f'<li><a href="{view.href("/search/")}">{view.word("search")}</a></li></ul></div><div id="secondary_navigation"><ol class="breadcrumb top ipsList_inline left" id="breadcrumb"><li><a href="{view.href("/")}"><span>{escape(view.traits.title)}</span></a></li>{crumb}</ol></div>'
            f'<div id="content" class="clearfix">{body}</div><div id="footer_utilities" class="main_width clearfix"><p id="copyright">IP.Board &copy; 2016</p><p class="desc">{view.word("all_times")} {view.write_date(view.now, "{dd} {mon} {Y} {HH}:{MM}")}</p></div></div></body></html>'
        )


LINK = " class='bbc_url' title='' rel='nofollow external'"


def _quote(view: ForumView, quotation: Quotation | None) -> str:
    if not quotation:
        return ""
    when = view.write_date(quotation.moment, "{dd} {month} {Y} - {HH}:{MM}")
    return (
        f'<p class="citation">{escape(quotation.author)}, {when}, {view.word("wrote")}:</p><div class="blockquote"><blockquote class="ipsBlockquote" data-author="{escape(quotation.author)}" data-cid="{quotation.post_id}">'
        f"{_quote(view, quotation.inner)}{wrap_in_paragraphs([quotation.text])}</blockquote></div>"
    )


LAYOUT = IpbLayout()
