"""Answers any URL as a forum would at a given moment: a pure function from request to response."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from hashlib import blake2b
from html import escape
from urllib.parse import unquote, unquote_plus, urlsplit

from threadmill.lab.simulate.forum import PageLocation, PageRequest, SimulatedForum
from threadmill.lab.simulate.machine_hints import draw_feed, draw_robots, draw_sitemap
from threadmill.lab.simulate.view import ForumView

_HTML = "text/html; charset="
_XML = "application/xml; charset=utf-8"


@dataclass(frozen=True, slots=True)
class SimulatedAnswer:
    """A response, and what the request log says of it."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    page: str = ""  # canonical key of the page shown; empty for pages that are neither index nor thread
    page_class: str = "other"  # index, thread, redirect, other
    target: str = ""  # where a redirect leads

    def header(self, name: str) -> str | None:
        """The first value of a header."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)


def respond(
    forum: SimulatedForum, url: str, now: int, headers: Mapping[str, str] | None = None, tick: int = 0
) -> SimulatedAnswer:
    """The forum's answer to GET `url` (path and query) at the Unix time `now`.

    `tick` is the number of the request: it moves counters and session ids, never content.
    """
    asked = {key.lower(): value for key, value in (headers or {}).items()}
    path, query = read_url(url, forum)
    session = _new_session(forum, asked, tick)
    view = ForumView(forum, now, tick, session, asked.get("host", ""))
    answer = _answer(view, path, query, asked)
    extra = [("Date", _http_date(now)), ("Server", "nginx")]
    if session:
        extra.append(("Set-Cookie", f"{forum.layout.cookie}={session}; path=/; HttpOnly"))
    return SimulatedAnswer(
        answer.status, (*answer.headers, *extra), answer.body, answer.page, answer.page_class, answer.target
    )


def read_url(url: str, forum: SimulatedForum) -> tuple[str, dict[str, str]]:
    """Path and query parameters of a URL, without session ids; parameters part at & and at ;."""
    parts = urlsplit(url)
    query: dict[str, str] = {}
    for piece in re.split("[&;]", parts.query):
        name, _, value = piece.partition("=")
        if name and name not in {forum.layout.session_name, forum.layout.cookie}:
            query[unquote_plus(name)] = unquote_plus(value)
    return unquote(parts.path) or "/", query


def route(forum: SimulatedForum, url: str) -> PageRequest:
    """What a URL asks of a forum."""
    return forum.layout.route(*read_url(url, forum))


def trouble_page(forum: SimulatedForum, now: int) -> SimulatedAnswer:
    """The maintenance page that engines show with status 200."""
    view = ForumView(forum, now)
    text = f"<p>{view.word('maintenance')}</p>"
    body = forum.layout.draw_other(view, escape(forum.traits.title), text)
    return _html(forum, body, 200, extra=(("Date", _http_date(now)),))


def _answer(
    view: ForumView, path: str, query: Mapping[str, str], asked: Mapping[str, str]
) -> SimulatedAnswer:
    forum = view.forum
    if path == "/robots.txt":
        return SimulatedAnswer(
            200, (("Content-Type", "text/plain; charset=utf-8"),), draw_robots(forum).encode()
        )
    if path == "/sitemap.xml" and forum.traits.sitemap != "none":
        return SimulatedAnswer(
            200, (("Content-Type", _XML),), draw_sitemap(view, asked.get("host", "")).encode()
        )
    target = forum.layout.route(path, query)
    if target.kind == "feed" and forum.traits.feed != "none":
        return SimulatedAnswer(
            200, (("Content-Type", _XML),), draw_feed(view, asked.get("host", "")).encode()
        )
    if target.kind == "other":
        return _other(view, target)
    if target.kind == "board" and any(b.closed and b.number == target.number for b in view.world.boards):
        return _other(view, PageRequest("other", what="login"))
    place = forum.locate(target, view.now)
    if place is None:
        # Engines answer 404 to paths they have no program for, whatever they say to a wrong number.
        return _missing(view, 404 if target.kind in {"missing", "feed"} else view.traits.missing_status)
    elsewhere = _redirect(view, target, place)
    return elsewhere or _page(view, place, asked)


def _page(view: ForumView, place: PageLocation, asked: Mapping[str, str]) -> SimulatedAnswer:
    forum, layout = view.forum, view.layout
    page_class = "thread" if place.kind == "thread" else "index"
    key = layout.key(view, place)
    validators = _validators(view, place)
    etag = dict(validators).get("ETag")
    if forum.traits.validators == "truthful" and etag and asked.get("if-none-match") == etag:
        return SimulatedAnswer(304, validators, b"", key, page_class)
    if place.kind == "home":
        body = layout.draw_home(view)
    elif place.kind == "index":
        body = layout.draw_board(view, place)
    else:
        body = layout.draw_thread(view, place)
    found = _html(forum, body, 200, extra=validators)
    return SimulatedAnswer(200, found.headers, found.body, key, page_class)


def _redirect(view: ForumView, target: PageRequest, place: PageLocation) -> SimulatedAnswer | None:
    """Last-post links, permalinks of some engines, merged threads and pages beyond the end lead elsewhere."""
    anchor = ""
    if target.kind == "last" or (target.kind == "post" and target.redirect):
        ranks = view.snapshot.ranks(place.index)
        post_id = target.number if target.kind == "post" else view.world.ids[ranks[-1]]
        anchor = "#" + view.layout.anchor(post_id)
    elif target.kind == "thread" and view.world.thread_by_number(target.number) != place.index:
        pass
    elif not _overran(view, target, place):
        return None
    location = view.layout.key(view, place) + anchor
    status = 302 if anchor else 301
    host = f"http://{view.host}" if view.host and view.layout.link_style == "full" else ""
    headers = (("Location", host + location), ("Content-Type", _HTML + "utf-8"))
    return SimulatedAnswer(status, headers, b"", page_class="redirect", target=location.partition("#")[0])


def _overran(view: ForumView, target: PageRequest, place: PageLocation) -> bool:
    if view.traits.overrun != "redirect" or target.kind not in {"thread", "board"} or target.page == 1:
        return False
    per = view.traits.posts_per_page if target.kind == "thread" else view.traits.threads_per_page
    return (target.page - 1) * per != place.offset


def _other(view: ForumView, target: PageRequest) -> SimulatedAnswer:
    """Login, search, profile, print and calendar pages: real, and never worth a download."""
    heading = view.language.words.get(target.what, target.what or "…")
    content = f"<p>{view.word('permission')}</p>"
    if target.what == "profile":
        content = f"<p>{view.word('posts')}: {target.number * 7 % 900}</p>"
    elif target.what in {"print", "archive"}:
        place = view.forum.locate(PageRequest("thread", target.number), view.now)
        posts = view.posts(place) if place else []
        lines = (
            f"<p>{escape(p.author.name)}, {escape(p.when.text)}<br>{escape(p.paragraphs[0])}</p>"
            for p in posts
        )
        content = "\n".join(lines)
    elif target.what == "calendar":
        month = 1 + (target.page - 1) % 12
        content = f'<p>{month}</p><a href="?month={target.page + 1}">{view.word("next")}</a>'
    return _html(view.forum, view.layout.draw_other(view, escape(heading), content), 200)


def _missing(view: ForumView, status: int) -> SimulatedAnswer:
    body = view.layout.draw_other(view, escape(view.traits.title), f"<p>{view.word('missing')}</p>")
    return _html(view.forum, body, status)


def _html(
    forum: SimulatedForum, body: str, status: int, extra: tuple[tuple[str, str], ...] = ()
) -> SimulatedAnswer:
    charset = forum.layout.charset
    headers = (("Content-Type", _HTML + charset), *extra)
    return SimulatedAnswer(status, headers, body.encode(charset, "xmlcharrefreplace"))


def _validators(view: ForumView, place: PageLocation) -> tuple[tuple[str, str], ...]:
    if view.traits.validators == "now":
        return (("Last-Modified", _http_date(view.now)), ("Cache-Control", "private, no-cache"))
    if view.traits.validators != "truthful":
        return ()
    digest = blake2b(repr(_content_of(view, place)).encode(), digest_size=10).hexdigest()
    return (("ETag", f'W/"{digest}"'), ("Cache-Control", "no-cache"))


def _content_of(view: ForumView, place: PageLocation) -> object:
    """What a reader of the page learns, counters of views and words for lately aside."""
    snapshot, world = view.snapshot, view.world
    if place.kind == "thread":
        units = snapshot.thread_page(place.index, place.offset)
        ranks = [rank for unit in units for rank in unit.ranks]
        edited = [rank for rank in ranks if 0 < world.edited_at(rank) <= view.now]
        return ranks, edited, snapshot.thread_slice(place.index, 0).total
    if place.kind == "home":
        return [view.board_counts(board) for board in snapshot.boards]
    rows = snapshot.listing_page(place.index, place.offset)
    return [(row.thread, row.last, snapshot.count(row.thread)) for row in rows]


def _new_session(forum: SimulatedForum, asked: Mapping[str, str], tick: int) -> str:
    """A session id for a visitor without cookie, other with every request."""
    if not forum.traits.session_ids or f"{forum.layout.cookie}=" in asked.get("cookie", ""):
        return ""
    return blake2b(f"{forum.traits.name} {tick}".encode(), digest_size=16).hexdigest()


def _http_date(moment: int) -> str:
    return format_datetime(datetime.fromtimestamp(moment, UTC), usegmt=True)
