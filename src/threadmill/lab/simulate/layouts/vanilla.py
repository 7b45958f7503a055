"""A layout like Vanilla 2: lists instead of tables, a separate first post, only months for old dates."""

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

_OTHER = {
    "entry": "login",
    "search": "search",
    "messages": "login",
    "dashboard": "login",
    "post": "new_thread",
    "activity": "recent",
}


class VanillaLayout(ForumLayout):
    """/categories/slug-4/p2, /discussion/12/slug/p2, /discussion/comment/99/#Comment_99."""

    name = "vanilla"
    cookie = "Vanilla"
    home = "/categories"
    feed = "/discussions/feed.rss"

    def route(self, path: str, query: Mapping[str, str]) -> PageRequest:
        del query
        if path in {"/", "/categories", "/categories/"}:
            return HOME
        if path == self.feed:
            return PageRequest("feed")
        found = match_numbers(r"/categories/(?:[^/]*-)?(\d+)(?:/p(\d+))?/?", path)
        if found:
            return PageRequest("board", found[0], max(1, found[1]))
        found = match_numbers(r"/discussion/comment/(\d+)/?", path)
        if found:
            return PageRequest("post", found[0])
        found = match_numbers(r"/discussion/(\d+)(?:/[^/]*)??(?:/p(\d+))?/?", path)
        if found:
            return PageRequest("thread", found[0], max(1, found[1]))
        found = match_numbers(r"/profile/(\d+)/.*", path)
        if found:
            return PageRequest("other", found[0], what="profile")
        first = path.strip("/").partition("/")[0]
        return PageRequest("other", what=_OTHER[first]) if first in _OTHER else MISSING

    def board_url(self, forum: SimulatedForum, board: SimulatedBoard, offset: int = 0) -> str:
        page = offset // forum.traits.threads_per_page + 1
        return f"/categories/{slug(board.title)}-{board.number}" + (f"/p{page}" if page > 1 else "")

    def thread_url(self, view: ForumView, index: int, offset: int = 0) -> str:
        page = offset // view.traits.posts_per_page + 1
        base = f"/discussion/{view.world.threads[index].number}/{slug(view.raw_title(index))}"
        return base + (f"/p{page}" if page > 1 else "")

    def post_url(self, view: ForumView, index: int, post_id: int, offset: int = 0) -> str:
        if view.world.ids[view.snapshot.ranks(index)[0]] == post_id:
            return self.thread_url(view, index, offset)
        return f"/discussion/comment/{post_id}/#Comment_{post_id}"

    def anchor(self, post_id: int) -> str:
        return f"Comment_{post_id}"

    def profile_url(self, author: ForumAuthor) -> str:
        return f"/profile/{author.number}/{slug(author.name)}"

    def aliases(self, view: ForumView, place: PageLocation) -> list[str]:
        if place.kind == "thread" and not place.offset:
            base = self.thread_url(view, place.index)
            return [f"{base}/p1", f"/discussion/{view.world.threads[place.index].number}"]
        return ["/"] if place.kind == "home" else []

    # -- pages

    def draw_home(self, view: ForumView) -> str:
        items = []
        for top in view.boards():
            for index in [top, *view.boards(top)]:
                items.append(self._category(view, index, 1 if index == top else 2))
        body = f'<h1 class="H HomepageTitle">{view.word("boards")}</h1><ul class="DataList CategoryList">{"".join(items)}</ul>'
        return self._frame(view, escape(view.traits.title), body)

    def _category(self, view: ForumView, index: int, depth: int) -> str:
        board, last = view.world.boards[index], view.board_last(index)
        threads, posts = view.board_counts(index)
        said = ""
        if last:
            said = (
                f'<span class="MItem LastDiscussionTitle">{view.word("last_post")}: <a href="{view.href(self.thread_url(view, last.index, last.last_offset))}">{escape(last.title)}</a> {view.word("by")} {self._user(view, last.last_author)}</span>'
                f'<span class="MItem LastCommentDate">{self._time(last.active)}</span>'
            )
        return (
            f'<li id="Category_{board.number}" class="Item Depth{depth} Category-{slug(board.title)}"><div class="ItemContent Category"><div class="TitleWrap"><a href="{view.href(self.board_url(view.forum, board))}" class="Title">{escape(board.title)}</a></div>'
            f'<div class="CategoryDescription">{escape(board.description)}</div><div class="Meta"><span class="MItem RSS"></span><span class="MItem DiscussionCount"><span class="Number">{threads}</span> {view.word("threads")}</span>'
            f'<span class="MItem CommentCount"><span class="Number">{posts - threads}</span> {view.word("comments")}</span>{said}</div></div></li>'
        )

    def draw_board(self, view: ForumView, place: PageLocation) -> str:
        board = view.world.boards[place.index]
        part = view.index_slice(place)
        pager = self._pager(view, part, lambda offset: self.board_url(view.forum, board, offset))
        subs = (
            "".join(self._category(view, i, 2) for i in view.boards(place.index)) if not place.offset else ""
        )
        rows = "".join(self._row(view, row) for row in view.rows(place))
        body = (
            f'<h1 class="H HomepageTitle">{escape(board.title)}</h1><div class="P PageDescription">{escape(board.description)}</div>{f"""<ul class="DataList CategoryList">{subs}</ul>""" if subs else ""}'
            f'<div class="PageControls Top">{pager}</div><ul class="DataList Discussions">{rows}</ul><div class="PageControls Bottom">{pager}</div>'
        )
        return self._frame(
            view,
            escape(board.title),
            body,
            self._rel(view, part, lambda offset: self.board_url(view.forum, board, offset)),
        )

    def _row(self, view: ForumView, row: IndexRow) -> str:
        tag = (
            f'<span class="Tag Tag-Announcement">{view.word("sticky")}</span>'
            if row.sticky
            else f'<span class="Tag">{view.word("moved")}:</span>'
            if row.stub
            else ""
        )
        if row.replies:
            link = view.href(self.last_url(view, row.index, row.last_id, row.last_offset))
            last = (
                f'<span class="MItem LastCommentBy">{view.word("last_post")} {view.word("by")} {self._user(view, row.last_author)}</span> <span class="MItem LastCommentDate">'
                + (
                    f'<a href="{link}" rel="nofollow">{self._time(row.active)}</a>'
                    if view.traits.last_link != "none"
                    else self._time(row.active)
                )
                + "</span>"
            )
        else:
            last = f'<span class="MItem LastCommentBy">{view.word("started")} {self._user(view, row.author)}</span> <span class="MItem LastCommentDate">{self._time(row.created)}</span>'
        return (
            f'<li id="Discussion_{row.number}" class="Item{" Announcement" if row.sticky else ""} ItemDiscussion"><span class="Options"></span><div class="ItemContent Discussion"><div class="Title">'
            f'<a href="{view.href(self.thread_url(view, row.index))}">{escape(row.title)}</a></div><div class="Meta Meta-Discussion">{tag}<span class="MItem MCount ViewCount"><span title="{row.views}" class="Number">{row.views}</span> {view.word("views")}</span>'
            f' <span class="MItem MCount CommentCount"><span title="{row.replies}" class="Number">{row.replies}</span> {view.word("comments")}</span> {last} <span class="MItem Category"><a href="{view.href(self.board_url(view.forum, row.board))}">{escape(row.board.title)}</a></span></div></div></li>'
        )

    def draw_thread(self, view: ForumView, place: PageLocation) -> str:
        part = view.thread_slice(place)
        pager = self._pager(view, part, lambda offset: self.thread_url(view, place.index, offset))
        posts = view.posts(place)
        opening = self._opening(view, place, posts[0]) if posts[0].first else ""
        comments = "".join(self._comment(view, post) for post in posts if not post.first)
        board = view.world.boards[view.world.threads[place.index].board_at(view.now)]
        body = (
            f'<span class="Breadcrumbs"><span class="CrumbLabel HomeCrumb"><a href="{view.href("/")}">{view.word("home")}</a></span><span class="Crumb">›</span><span class="CrumbLabel"><a href="{view.href(self.board_url(view.forum, board))}">{escape(board.title)}</a></span></span>'
            f'<div class="MessageList Discussion"><div class="PageTitle"><h1>{view.title(place.index)}</h1></div>{opening}</div><div class="CommentsWrap"><span class="BeforeCommentHeading">{pager}</span><div class="DataBox DataBox-Comments">'
            f'<h2 class="CommentHeading">{view.word("comments")}</h2><ul class="MessageList DataList Comments">{comments}</ul></div><div class="P PagerWrap">{pager}</div></div><div class="Foot Closed"><a href="/entry/signin">{view.word("login")}</a></div>'
        )
        return self._frame(
            view,
            view.title(place.index),
            body,
            self._rel(view, part, lambda offset: self.thread_url(view, place.index, offset)),
        )

    def _opening(self, view: ForumView, place: PageLocation, post: ShownPost) -> str:
        number_ = view.world.threads[place.index].number
        return f'<div id="Discussion_{number_}" class="Item ItemDiscussion"><div class="Discussion">{self._message(view, post, view.href(self.thread_url(view, place.index)), "Discussion")}</div></div>'

    def _comment(self, view: ForumView, post: ShownPost) -> str:
        link = view.href(f"/discussion/comment/{post.id}/#Comment_{post.id}")
        return f'<li class="Item{" Alt" if post.position % 2 else ""} ItemComment" id="Comment_{post.id}"><div class="Comment">{self._message(view, post, link, "Comment")}</div></li>'

    def _message(self, view: ForumView, post: ShownPost, link: str, kind: str) -> str:
        edited = (
            f'<span class="MItem DateUpdated">{view.word("edited").split("{")[0]} {self._time(post.edited)}</span>'
            if post.edited
            else ""
        )
        signature = (
            f'<div class="Signature UserSignature">{escape(post.author.signature)}</div>'
            if post.author.signature
            else ""
        )
        rank = (
            f'<span class="MItem AuthorTitle">{view.word("rank")}</span><span class="MItem PostCount">{view.word("posts")}: {post.author.posts}</span>'
            if post.author.number
            else ""
        )
        return (
            f'<div class="Item-Header {kind}Header"><div class="AuthorWrap"><span class="Author">{self._user(view, post.author)}</span><span class="AuthorInfo">{rank}</span></div><div class="Meta {kind}Meta"><span class="MItem DateCreated"><a href="{link}" class="Permalink" name="Item_{post.position}" rel="nofollow">'
            f'{self._time(post.when)}</a></span>{edited}</div></div><div class="Item-BodyWrap"><div class="Item-Body"><div class="Message">{_quote(view, post.quotation)}{wrap_in_paragraphs(post.paragraphs)}</div><div class="Reactions"><a class="Hijack ReactButton" href="/entry/signin">{view.word("quote")}</a></div>{signature}</div></div>'
        )

    def draw_other(self, view: ForumView, heading: str, content: str) -> str:
        return self._frame(
            view,
            heading,
            f'<div class="Center SplashInfo"><h1>{heading}</h1><div id="Message">{content}</div></div>',
        )

    # -- parts

    def _time(self, when: ShownDate) -> str:
        return f'<time title="{escape(when.title)}" datetime="{when.iso}">{escape(when.text)}</time>'

    def _user(self, view: ForumView, author: ForumAuthor) -> str:
        if not author.number:
            return f'<span class="Username">{escape(author.name)}</span>'
        return f'<a href="{view.href(self.profile_url(author))}" class="Username">{escape(author.name)}</a>'

    def _pager(self, view: ForumView, part: PageSlice, url: Callable[[int], str]) -> str:
        if part.pages == 1:
            return ""
        pieces = [
            f'<a href="{view.href(url(part.offset - part.per))}" class="Previous">«</a>'
            if part.page > 1
            else '<span class="Previous Pager-nav">«</span>'
        ]
        for page in part.window(around=2):
            if page == 0:
                pieces.append('<span class="Ellipsis">…</span>')
            else:
                pieces.append(
                    f'<a href="{view.href(url(part.offset_of(page)))}" class="{"Highlight" if page == part.page else ""} Pager-p p-{page}" rel="{"next" if page == part.page + 1 else ""}">{page}</a>'
                )
        pieces.append(
            f'<a href="{view.href(url(part.offset + part.per))}" class="Next">»</a>'
            if part.has_next
            else '<span class="Next Pager-nav">»</span>'
        )
        return f'<div class="Pager NumberedPager">{"".join(pieces)}</div>'

    def _rel(self, view: ForumView, part: PageSlice, url: Callable[[int], str]) -> str:
        return (
            f'<link rel="next" href="{view.href(url(part.offset + part.per))}" />'
            if part.has_next and view.traits.rel_next
            else ""
        )

    def _frame(self, view: ForumView, title: str, body: str, head: str = "") -> str:
        recent = "".join(
            f'<li class="Item"><a href="{view.href(self.thread_url(view, row.index))}">{escape(row.title)}</a> <span class="LastCommentDate">{self._time(row.active)}</span></li>'
            for row in view.recent()
        )
        boards = "".join(
            f'<li class="Depth1"><a href="{view.href(self.board_url(view.forum, view.world.boards[i]))}" class="ItemLink"><span class="Aside"><span class="Count">{view.tick % 40 + i}</span></span> {escape(view.world.boards[i].title)}</a></li>'
            for i in view.snapshot.boards
        )
        return (
            f'<!DOCTYPE html><html lang="{view.language.code}"><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><title>{title} — {escape(view.traits.title)}</title>{head}{view.feed_link()}<script>gdn=window.gdn||{{}};gdn.meta={{"WebRoot":"/","Dispatch":{view.tick}}};</script></head>'
            f'<body id="vanilla_discussion_index" class="Vanilla Discussion isDesktop"><div id="Frame"><div class="Head" id="Head"><div class="Row"><strong class="SiteTitle"><a href="{view.href("/")}">{escape(view.traits.title)}</a></strong><div class="SiteSearch"><form method="get" action="/search"><input type="text" name="Search"></form></div>'
            f'<ul class="SiteMenu"><li><a href="{view.href("/categories")}">{view.word("boards")}</a></li><li><a href="/activity">{view.word("recent")}</a></li><li><a href="/entry/signin" class="SignInPopup">{view.word("login")}</a></li></ul></div></div><div id="Body"><div class="Row"><div class="Column PanelColumn" id="Panel">'
            f'<div class="MeBox MeBox-SignIn"><a href="/entry/register">{view.word("register")}</a></div><div class="Box BoxCategories"><h4>{view.word("boards")}</h4><ul class="PanelInfo PanelCategories">{boards}</ul></div><div class="Box BoxDiscussions"><h4>{view.word("recent")}</h4><ul class="PanelInfo">{recent}</ul></div></div>'
            f'<div class="Column ContentColumn" id="Content">{body}</div></div></div><div id="Foot"><div class="Row"><a href="https://vanillaforums.example/" class="PoweredByVanilla">Powered by Vanilla</a></div></div></div></body></html>'
        )


def _quote(view: ForumView, quotation: Quotation | None) -> str:
    if not quotation:
        return ""
    link = f"/discussion/comment/{quotation.post_id}/#Comment_{quotation.post_id}"
    return f'<blockquote class="Quote UserQuote"><div class="QuoteAuthor"><a href="{view.href(link)}">{escape(quotation.author)}</a> {view.word("wrote")}</div><div class="QuoteText">{_quote(view, quotation.inner)}{wrap_in_paragraphs([quotation.text])}</div></blockquote>'


LAYOUT = VanillaLayout()
