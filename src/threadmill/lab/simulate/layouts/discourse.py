"""A layout like the plain view of Discourse for crawlers: one list of all categories, only "next" links."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from threadmill.lab.simulate.content.shown_dates import ShownDate
from threadmill.lab.simulate.content.world import SimulatedBoard
from threadmill.lab.simulate.content.writing import ForumAuthor, Quotation
from threadmill.lab.simulate.forum import PageLocation, PageRequest, SimulatedForum
from threadmill.lab.simulate.layout import (
    MISSING,
    ForumLayout,
    as_int,
    as_page,
    match_numbers,
    wrap_in_paragraphs,
)
from threadmill.lab.simulate.snapshot import ALL, PageSlice
from threadmill.lab.simulate.view import ForumView, IndexRow, ShownPost, slug


class DiscourseLayout(ForumLayout):
    """/latest?page=1 (the second page), /c/slug/4?page=1, /t/slug/12?page=2, /t/slug/12/7 (the seventh post)."""

    name = "discourse"
    cookie = "_forum_session"
    home = "/"
    feed = "/latest.rss"

    def route(self, path: str, query: Mapping[str, str]) -> PageRequest:
        if path in {"/", "/latest"}:
            return PageRequest("home", page=as_int(query.get("page")) + 1)
        if path == self.feed:
            return PageRequest("feed")
        found = match_numbers(r"/c/(?:[^/]*/)?(\d+)", path)
        if found:
            return PageRequest("board", found[0], as_int(query.get("page")) + 1)
        found = match_numbers(r"/t/(?:[^/]*/)?(\d+)", path)
        if found:
            return (
                PageRequest("other", found[0], what="print")
                if "print" in query
                else PageRequest("thread", found[0], as_page(query.get("page")))
            )
        return self._route_rest(path)

    def _route_rest(self, path: str) -> PageRequest:
        found = match_numbers(r"/t/[^/]*/(\d+)/(\d+)", path)
        if found:
            return PageRequest("thread", found[0], offset=max(0, found[1] - 1) // 20 * 20)
        found = match_numbers(r"/p/(\d+)", path)
        if found:
            return PageRequest("post", found[0], redirect=True)
        if path.startswith("/u/"):
            return PageRequest("other", len(path), what="profile")
        known = {
            "/login": "login",
            "/search": "search",
            "/categories": "boards",
            "/top": "top",
            "/tos": "rules",
            "/privacy": "privacy",
            "/faq": "help",
            "/guidelines": "rules",
        }
        return PageRequest("other", what=known[path]) if path in known else MISSING

    def board_url(self, forum: SimulatedForum, board: SimulatedBoard, offset: int = 0) -> str:
        page = offset // forum.traits.threads_per_page
        return f"/c/{slug(board.title)}/{board.number}" + (f"?page={page}" if page else "")

    def all_url(self, forum: SimulatedForum, offset: int) -> str:
        return f"/latest?page={offset // forum.traits.threads_per_page}"

    def thread_url(self, view: ForumView, index: int, offset: int = 0) -> str:
        page = offset // view.traits.posts_per_page + 1
        base = f"/t/{slug(view.raw_title(index))}/{view.world.threads[index].number}"
        return base + (f"?page={page}" if page > 1 else "")

    def post_url(self, view: ForumView, index: int, post_id: int, offset: int = 0) -> str:
        del view, index, offset
        return f"/p/{post_id}"

    def anchor(self, post_id: int) -> str:
        return f"post_{post_id}"

    def profile_url(self, author: ForumAuthor) -> str:
        return f"/u/{slug(author.name)}"

    def aliases(self, view: ForumView, place: PageLocation) -> list[str]:
        if place.kind == "thread" and not place.offset:
            return [
                f"/t/{view.world.threads[place.index].number}",
                f"{self.thread_url(view, place.index)}?page=1",
            ]
        return ["/latest"] if place.kind == "index" and place.index == ALL and not place.offset else []

    # -- pages

    def draw_home(self, view: ForumView) -> str:
        return self.draw_board(view, PageLocation("index", ALL, 0))

    def draw_board(self, view: ForumView, place: PageLocation) -> str:
        part = view.index_slice(place)
        board = None if place.index == ALL else view.world.boards[place.index]
        rows = "".join(self._row(view, row, n + 1) for n, row in enumerate(view.rows(place)))
        title = escape(board.title if board else view.traits.title)
        described = f'<div class="category-description">{escape(board.description)}</div>' if board else ""
        body = (
            f"{described}<div class='topic-list-container' itemscope itemtype='http://schema.org/ItemList'><meta itemprop='itemListOrder' content='http://schema.org/ItemListOrderDescending'><table class='topic-list'><thead><tr><th>{view.word('thread')}</th><th></th>"
            f'<th class="replies">{view.word("replies")}</th><th class="views">{view.word("views")}</th><th>{view.word("last_post")}</th></tr></thead><tbody>{rows}</tbody></table></div>'
        )
        head = ""
        if part.has_next:
            url = view.href(
                self.board_url(view.forum, board, part.offset + part.per)
                if board
                else self.all_url(view.forum, part.offset + part.per)
            )
            head = f'<link rel="next" href="{url}">'
            body += f'<div role="navigation" itemscope itemtype="http://schema.org/SiteNavigationElement" class="topic-list-bottom"><span itemprop="name"><a rel="next" itemprop="url" href="{url}">{view.word("next")} →</a></span></div>'
        return self._frame(view, title, body, head)

    def _row(self, view: ForumView, row: IndexRow, position: int) -> str:
        shown = "" if view.traits.index_dates == "none" else escape(row.active.text)
        pin = f'<span class="pinned">{view.word("sticky")}</span> ' if row.sticky else ""
        return (
            f'<tr class="topic-list-item category-{slug(row.board.title)}" id="topic-list-item-{row.number}"><td class="main-link" itemprop="itemListElement" itemscope itemtype="http://schema.org/ListItem"><meta itemprop="position" content="{position}"><span class="link-top-line">{pin}'
            f'<a itemprop="url" href="{view.href(self.thread_url(view, row.index))}" class="title raw-link raw-topic-link"><span itemprop="name">{escape(row.title)}</span></a></span><div class="link-bottom-line"><a href="{view.href(self.board_url(view.forum, row.board))}" class="badge-wrapper bullet">'
            f'<span class="badge-category-bg"></span><span class="category-name">{escape(row.board.title)}</span></a></div></td><td class="posters"><a href="{view.href(self.profile_url(row.author))}" class="latest single"><img width="25" height="25" src="/letter_avatar/{row.author.number}/25.png" title="{escape(row.author.name)}"></a></td>'
            f'<td class="replies"><span class="posts" title="{view.word("posts")}">{row.replies}</span></td><td class="views"><span class="views">{row.views}</span></td><td>{shown}</td></tr>'
        )

    def draw_thread(self, view: ForumView, place: PageLocation) -> str:
        part = view.thread_slice(place)
        thread = view.world.threads[place.index]
        board = view.world.boards[thread.board_at(view.now)]
        shown = "".join(self._post(view, post) for post in view.posts(place))
        body = (
            f'<h1 class="crawler-topic-title"><a href="{view.href(self.thread_url(view, place.index))}">{view.title(place.index)}</a></h1><div id="breadcrumbs" itemscope itemtype="http://schema.org/BreadcrumbList"><div itemprop="itemListElement" itemscope itemtype="http://schema.org/ListItem">'
            f'<a href="{view.href(self.board_url(view.forum, board))}" class="badge-wrapper bullet" itemprop="item"><span class="category-title" itemprop="name">{escape(board.title)}</span></a><meta itemprop="position" content="1"></div></div>'
            f'<div itemscope itemtype="http://schema.org/DiscussionForumPosting"><meta itemprop="headline" content="{view.title(place.index)}"><meta itemprop="articleSection" content="{escape(board.title)}">{shown}{self._steps(view, place, part)}</div>{self._related(view, place)}'
        )
        head = (
            f'<link rel="next" href="{view.href(self.thread_url(view, place.index, part.offset + part.per))}">'
            if part.has_next
            else ""
        )
        return self._frame(view, view.title(place.index), body, head)

    def _steps(self, view: ForumView, place: PageLocation, part: PageSlice) -> str:
        links = ""
        if part.page > 1:
            links += f'<a rel="prev" itemprop="previousUrl" href="{view.href(self.thread_url(view, place.index, part.offset - part.per))}">← {view.word("previous")}</a> '
        if part.has_next:
            links += f'<a rel="next" itemprop="nextUrl" href="{view.href(self.thread_url(view, place.index, part.offset + part.per))}">{view.word("next")} →</a>'
        return f'<div role="navigation" class="topic-body crawler-post">{links}</div>' if links else ""

    def _related(self, view: ForumView, place: PageLocation) -> str:
        rows = [row for row in view.recent(6) if row.index != place.index]
        items = "".join(self._row(view, row, n + 1) for n, row in enumerate(rows[:4]))
        return f'<div id="related-topics" class="more-topics__list" role="complementary"><h3 class="more-topics__list-title">{view.word("recent")}</h3><div class="topic-list-container"><table class="topic-list"><tbody>{items}</tbody></table></div></div>'

    def _post(self, view: ForumView, post: ShownPost) -> str:
        when = f'<time datetime="{_utc(view, post)}" class="post-time">{escape(post.when.text)}</time>'
        date = f'<meta itemprop="datePublished" content="{_utc(view, post)}">'
        if post.edited:
            when = f'<time itemprop="dateModified" datetime="{escape(post.edited.iso)}" class="post-time">{escape(post.when.text)}</time>'
        return (
            f'<div id="post_{post.position}" {"" if post.first else "itemprop=comment itemscope itemtype=http://schema.org/Comment"} class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator" itemprop="author" itemscope itemtype="http://schema.org/Person">'
            f'<a itemprop="url" rel="nofollow" href="{view.href(self.profile_url(post.author))}"><span itemprop="name">{escape(post.author.name)}</span></a></span><span class="crawler-post-infos">{date}{when}<span itemprop="position">{post.position}</span></span></div>'
            f'<div class="post" itemprop="text">{_quote(view, post.quotation)}{wrap_in_paragraphs(post.paragraphs, LINK)}</div><div itemprop="interactionStatistic" itemscope itemtype="http://schema.org/InteractionCounter"><meta itemprop="interactionType" content="http://schema.org/LikeAction"/>'
            f'<meta itemprop="userInteractionCount" content="{post.votes}" /><span class="post-likes">{post.votes or ""}</span></div></div>'
        )

    def draw_other(self, view: ForumView, heading: str, content: str) -> str:
        return self._frame(
            view, heading, f'<div class="page-not-found"><h1 class="title">{heading}</h1>{content}</div>'
        )

    def _frame(self, view: ForumView, title: str, body: str, head: str = "") -> str:
        boards = "".join(
            f'<a href="{view.href(self.board_url(view.forum, view.world.boards[i]))}">{escape(view.world.boards[i].title)}</a> '
            for i in view.snapshot.boards
        )
        return (
            f'<!DOCTYPE html><html lang="{view.language.code}"><head><meta charset="utf-8"><title>{title} - {escape(view.traits.title)}</title><meta name="generator" content="Discourse 2.9"><meta name="viewport" content="width=device-width, initial-scale=1.0">{head}{view.feed_link()}'
            f'<script type="application/json" id="data-preloaded">{{"currentUser":null,"tick":{view.tick}}}</script></head><body class="crawler"><header><a href="{view.href("/")}"><img src="/logo.png" alt="{escape(view.traits.title)}" id="site-logo"></a></header><div id="main-outlet" class="wrap" role="main">{body}</div>'
            f'<footer class="container wrap"><nav class="crawler-nav"><ul><li itemscope itemtype="http://schema.org/SiteNavigationElement"><span itemprop="name"><a href="{view.href("/")}" itemprop="url">{view.word("home")}</a></span></li><li><a href="{view.href("/categories")}">{view.word("boards")}</a></li><li><a href="{view.href("/guidelines")}">{view.word("rules")}</a></li>'
            f'<li><a href="{view.href("/tos")}">{view.word("privacy")}</a></li></ul></nav><p class="categories">{boards}</p><p class="powered-by-link">Powered by Discourse</p></footer></body></html>'
        )


LINK = ' rel="noopener nofollow ugc"'


def _utc(view: ForumView, post: ShownPost) -> str:
    """Return a machine-readable date. It is in UTC, whatever zone the page shows."""
    return ShownDate.in_utc(view.world.times[post.rank])


def _quote(view: ForumView, quotation: Quotation | None) -> str:
    if not quotation:
        return ""
    return f'<aside class="quote no-group" data-username="{escape(quotation.author)}" data-post="1"><div class="title"><div class="quote-controls"></div>{escape(quotation.author)}:</div><blockquote>{_quote(view, quotation.inner)}{wrap_in_paragraphs([quotation.text])}</blockquote></aside>'


LAYOUT = DiscourseLayout()
