"""A layout like a question site: answers on one page with the best on top, comments under each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape

from threadmill.lab.simulate.content.shown_dates import ShownDate
from threadmill.lab.simulate.content.world import SimulatedBoard
from threadmill.lab.simulate.content.writing import ForumAuthor
from threadmill.lab.simulate.forum import PageLocation, PageRequest, SimulatedForum
from threadmill.lab.simulate.layout import (
    MISSING,
    ForumLayout,
    as_page,
    match_numbers,
    query_only,
    with_links,
    wrap_in_paragraphs,
)
from threadmill.lab.simulate.snapshot import ALL, PageSlice
from threadmill.lab.simulate.view import ForumView, IndexRow, ShownPost, slug


class QuestionsLayout(ForumLayout):
    """/questions?page=2, /questions/tagged/slug-4?page=2, /questions/12/slug?page=2, /a/99."""

    name = "questions"
    cookie = "prov"
    home = "/questions"
    feed = "/feeds"

    def route(self, path: str, query: Mapping[str, str]) -> PageRequest:
        if path in {"/", "/questions", "/questions/"}:
            if query.get("sort", "newest") != "newest":
                return PageRequest("other", what="archive")
            return PageRequest("home", page=as_page(query.get("page")))
        found = match_numbers(r"/questions/tagged/(?:[^/]*-)?(\d+)", path)
        if found:
            return PageRequest("board", found[0], as_page(query.get("page")))
        found = match_numbers(r"/questions/(\d+)(?:/[^/]*)?", path)
        if found:
            if "answertab" in query and query["answertab"] != "oldest":
                return PageRequest("other", found[0], what="archive")
            return PageRequest("thread", found[0], as_page(query.get("page")))
        return self._route_rest(path)

    def _route_rest(self, path: str) -> PageRequest:
        found = match_numbers(r"/(?:a|q)/(\d+)(?:/\d+)?", path)
        if found:
            return PageRequest("post", found[0], redirect=True)
        found = match_numbers(r"/users/(\d+)(?:/.*)?", path)
        if found:
            return PageRequest("other", found[0], what="profile")
        if path == self.feed:
            return PageRequest("feed")
        first = path.strip("/").partition("/")[0]
        known = {
            "users": "login",
            "search": "search",
            "tags": "boards",
            "help": "help",
            "posts": "report",
            "tour": "help",
        }
        return PageRequest("other", what=known[first]) if first in known else MISSING

    def board_url(self, forum: SimulatedForum, board: SimulatedBoard, offset: int = 0) -> str:
        page = offset // forum.traits.threads_per_page + 1
        return f"/questions/tagged/{slug(board.title)}-{board.number}" + (f"?page={page}" if page > 1 else "")

    def all_url(self, forum: SimulatedForum, offset: int) -> str:
        return f"/questions?page={offset // forum.traits.threads_per_page + 1}"

    def thread_url(self, view: ForumView, index: int, offset: int = 0) -> str:
        page = offset // view.traits.posts_per_page + 1
        base = f"/questions/{view.world.threads[index].number}/{slug(view.raw_title(index))}"
        return base + (f"?page={page}" if page > 1 else "")

    def post_url(self, view: ForumView, index: int, post_id: int, offset: int = 0) -> str:
        del view, index, offset
        return f"/a/{post_id}"

    def anchor(self, post_id: int) -> str:
        return str(post_id)

    def profile_url(self, author: ForumAuthor) -> str:
        return f"/users/{author.number}/{slug(author.name)}"

    def aliases(self, view: ForumView, place: PageLocation) -> list[str]:
        if place.kind == "thread" and not place.offset:
            return [
                f"/questions/{view.world.threads[place.index].number}",
                self.thread_url(view, place.index) + "?answertab=oldest",
            ]
        return ["/", "/questions?sort=newest"] if place.index == ALL and not place.offset else []

    # -- pages

    def draw_home(self, view: ForumView) -> str:
        return self.draw_board(view, PageLocation("index", ALL, 0))

    def draw_board(self, view: ForumView, place: PageLocation) -> str:
        part = view.index_slice(place)
        board = None if place.index == ALL else view.world.boards[place.index]

        def url(offset: int) -> str:
            if board:
                return self.board_url(view.forum, board, offset)
            return self.all_url(view.forum, offset) if offset else self.home

        rows = "".join(self._summary(view, row) for row in view.rows(place))
        title = escape(board.title) if board else view.word("threads")
        body = (
            f'<div id="mainbar"><div class="subheader"><h1>{title}</h1><div id="tabs"><a class="youarehere" href="{view.href(url(0))}">{view.word("newer")}</a><a href="/questions?sort=votes">{view.word("votes")}</a><a href="/questions?sort=active">{view.word("recent")}</a></div></div>'
            f'<div id="questions">{rows}</div><div class="pager fl">{self._pager(view, part, url)}</div></div>'
        )
        head = (
            f'<link rel="next" href="{view.href(url(part.offset + part.per))}">'
            if part.has_next and view.traits.rel_next
            else ""
        )
        return self._frame(view, title, body, head)

    def _summary(self, view: ForumView, row: IndexRow) -> str:
        url = view.href(self.thread_url(view, row.index))
        answers = len(view.snapshot.units(row.index)[1])
        excerpt = escape(view.world.language.sentences[row.number % 7].partition("{")[0])
        return (
            f'<div class="question-summary" id="question-summary-{row.number}"><div class="statscontainer"><div class="stats"><div class="vote"><div class="votes"><span class="vote-count-post"><strong>{row.number % 9}</strong></span><div class="viewcount">{view.word("votes")}</div></div></div>'
            f'<div class="status answered"><strong>{answers}</strong>{view.word("answers")}</div></div><div class="remarks">{row.replies - answers} {view.word("comments")}</div><div class="views" title="{row.views}">{row.views} {view.word("views")}</div></div><div class="summary"><h3><a href="{url}" class="question-hyperlink">{escape(row.title)}</a></h3>'
            f'<div class="excerpt">{excerpt}</div><div class="tags"><a href="{view.href(self.board_url(view.forum, row.board))}" class="post-tag" rel="tag">{escape(row.board.title)}</a></div><div class="started fr"><div class="user-info"><div class="user-action-time">{view.word("started")} {self._when(row.created)}</div>'
            f'<div class="user-details">{self._user(view, row.author)}<div class="-flair"><span class="reputation-score">{row.author.posts}</span></div></div></div></div></div></div>'
        )

    def draw_thread(self, view: ForumView, place: PageLocation) -> str:
        units = view.units(place)
        part = view.thread_slice(place)
        question, remarks = units[0]
        answers = "".join(self._answer(view, place, post, under) for post, under in units[1:])
        number_ = view.world.threads[place.index].number
        url = self.thread_url(view, place.index)
        body = (
            f'<div id="question-header"><h1 itemprop="name"><a href="{view.href(url)}" class="question-hyperlink">{view.title(place.index)}</a></h1></div><div id="mainbar"><div class="question" data-questionid="{number_}" id="question" itemscope itemtype="http://schema.org/Question">'
            f'{self._layout(view, place, question, remarks)}</div><div id="answers"><a name="tab-top"></a><div id="answers-header"><div class="subheader answers-subheader"><h2>{part.total} {view.word("answers")}</h2><div id="tabs"><a href="{view.href(url + "?answertab=votes")}">{view.word("votes")}</a></div></div></div>'
            f'{answers}<div class="pager-answers">{self._pager(view, part, lambda offset: self.thread_url(view, place.index, offset))}</div></div></div>'
        )
        head = (
            f'<link rel="next" href="{view.href(self.thread_url(view, place.index, part.offset + part.per))}">'
            if part.has_next and view.traits.rel_next
            else ""
        )
        return self._frame(view, view.title(place.index), body, head)

    def _answer(self, view: ForumView, place: PageLocation, post: ShownPost, remarks: list[ShownPost]) -> str:
        accepted = " accepted-answer" if post.accepted else ""
        return f'<a name="{post.id}"></a><div id="answer-{post.id}" class="answer{accepted}" data-answerid="{post.id}" itemscope itemtype="http://schema.org/Answer">{self._layout(view, place, post, remarks)}</div>'

    def _layout(self, view: ForumView, place: PageLocation, post: ShownPost, remarks: list[ShownPost]) -> str:
        comments = "".join(self._remark(view, place, remark) for remark in remarks)
        edited = (
            f'<div class="post-signature"><div class="user-info"><div class="user-action-time">{escape(view.language.words["edited"].format(who=post.author.name, when=post.edited.text, n=1))}</div></div></div>'
            if post.edited
            else ""
        )
        tick = (
            f'<span class="vote-accepted-on" title="{view.word("accepted")}">✓</span>'
            if post.accepted and not post.first
            else ""
        )
        return (
            f'<table><tr><td class="votecell"><div class="vote"><a class="vote-up-off">▲</a><span itemprop="upvoteCount" class="vote-count-post">{post.votes}</span><a class="vote-down-off">▼</a>{tick}</div></td><td class="postcell"><div><div class="post-text" itemprop="text">{wrap_in_paragraphs(post.paragraphs)}</div>'
            f'<table class="fw"><tr><td class="vt"><div class="post-menu"><a href="{view.href(self.post_url(view, place.index, post.id))}" class="short-link">{view.word("share")}</a></div></td><td>{edited}</td><td class="post-signature owner"><div class="user-info"><div class="user-action-time">{view.word("started")} {self._when(post.when)}</div>'
            f'<div class="user-gravatar32"></div><div class="user-details">{self._user(view, post.author)}<div class="-flair"><span class="reputation-score">{post.author.posts}</span></div></div></div></td></tr></table></div></td></tr><tr><td class="votecell"></td><td><div id="comments-{post.id}" class="comments"><table><tbody>{comments}</tbody></table></div></td></tr></table>'
        )

    def _remark(self, view: ForumView, place: PageLocation, post: ShownPost) -> str:
        words = " ".join(with_links(paragraph) for paragraph in post.paragraphs)
        link = view.href(f"{self.thread_url(view, place.index, place.offset)}#comment{post.id}_0")
        return (
            f'<tr id="comment-{post.id}" class="comment"><td class="comment-actions"><span title="" class="cool">{post.votes or ""}</span></td><td class="comment-text"><div style="display: block;" class="comment-body"><span class="comment-copy">{words}</span> &ndash;&nbsp;{self._user(view, post.author, "comment-user")} '
            f'<span class="comment-date" dir="ltr"><a class="comment-link" href="{link}">{self._when(post.when)}</a></span></div></td></tr>'
        )

    def draw_other(self, view: ForumView, heading: str, content: str) -> str:
        return self._frame(
            view,
            heading,
            f'<div id="mainbar-full"><div class="subheader"><h1>{heading}</h1></div>{content}</div>',
        )

    # -- parts

    def _when(self, when: ShownDate) -> str:
        return f'<span title="{escape(when.title)}" class="relativetime">{escape(when.text)}</span>'

    def _user(self, view: ForumView, author: ForumAuthor, css: str = "") -> str:
        if not author.number:
            return f"<span>{escape(author.name)}</span>"
        style = f' class="{css}"' if css else ""
        return f'<a href="{view.href(self.profile_url(author))}"{style}>{escape(author.name)}</a>'

    def _pager(self, view: ForumView, part: PageSlice, url: Callable[[int], str]) -> str:
        if part.pages == 1:
            return ""
        pieces = []
        if part.page > 1:
            pieces.append(
                f'<a href="{view.href(query_only(url(part.offset - part.per)))}" rel="prev"><span class="page-numbers prev"> {view.word("previous")}</span></a>'
            )
        for page in part.window(around=2):
            if page == part.page:
                pieces.append(f'<span class="page-numbers current">{page}</span>')
            elif page:
                pieces.append(
                    f'<a href="{view.href(query_only(url(part.offset_of(page))))}"><span class="page-numbers">{page}</span></a>'
                )
            else:
                pieces.append('<span class="page-numbers dots">&hellip;</span>')
        if part.has_next:
            pieces.append(
                f'<a href="{view.href(query_only(url(part.offset + part.per)))}" rel="next"><span class="page-numbers next"> {view.word("next")}</span></a>'
            )
        return "".join(pieces)

    def _frame(self, view: ForumView, title: str, body: str, head: str = "") -> str:
        recent = "".join(
            f'<div class="spacer"><a href="{view.href(self.thread_url(view, row.index))}"><div class="answer-votes">{row.replies}</div></a><a href="{view.href(self.thread_url(view, row.index))}" class="question-hyperlink">{escape(row.title)}</a></div>'
            for row in view.recent()
        )
        tags = "".join(
            f'<a href="{view.href(self.board_url(view.forum, view.world.boards[i]))}" class="post-tag">{escape(view.world.boards[i].title)}</a> '
            for i in view.snapshot.boards
        )
        return (
            f'<!DOCTYPE html><html itemscope itemtype="http://schema.org/QAPage"><head><title>{title} - {escape(view.traits.title)}</title><meta charset="utf-8">{head}{view.feed_link()}<script>StackExchange = {{init: {view.tick}}};</script></head><body class="question-page new-topbar"><div class="topbar"><div class="network-items"></div>'
            f'<div class="topbar-links"><a href="/users/login" class="login-link">{view.word("login")}</a><a href="/help">{view.word("help")}</a><form action="/search"><input name="q"></form></div></div><div class="container"><div id="header"><div id="hlogo"><a href="{view.href("/questions")}">{escape(view.traits.title)}</a></div>'
            f'<div id="hmenus"><ul><li><a href="{view.href("/questions")}">{view.word("threads")}</a></li><li><a href="/tags">{view.word("boards")}</a></li><li><a href="/users">{view.word("members")}</a></li><li><a href="/questions/ask">{view.word("ask")}</a></li></ul></div></div><div id="content">{body}'
            f'<div id="sidebar" class="show-votes"><div class="module"><h4>{view.word("boards")}</h4>{tags}</div><div class="module sidebar-related"><h4>{view.word("recent")}</h4><div class="related">{recent}</div></div></div></div></div><div id="footer"><div class="footerwrap"><a href="/help">{view.word("contact")}</a></div>rev {view.now // 86400}.{view.tick}</div></body></html>'
        )


LAYOUT = QuestionsLayout()
