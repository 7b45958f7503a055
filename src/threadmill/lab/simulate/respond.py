"""Answers any URL as a forum would at a given time: a pure function from request to response.

This includes robots.txt, the sitemap and the feed. These are truthful in some forums and wrong in others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from hashlib import blake2b
from html import escape
from urllib.parse import urlsplit

from threadmill.lab.simulate.content.shown_dates import DAY
from threadmill.lab.simulate.content.writing import write_post, write_title
from threadmill.lab.simulate.forum import PageLocation, PageRequest, SimulatedForum
from threadmill.lab.simulate.snapshot import ListedThread
from threadmill.lab.simulate.view import ForumView

_HTML = "text/html; charset="
_XML = "application/xml; charset=utf-8"
_FEED_LENGTH = 15
_STALE = 60 * DAY  # the age of a cache that is never emptied
_SITEMAP_LENGTH = 45_000  # below the limit of 50,000 URLs per sitemap


@dataclass(frozen=True, slots=True)
class SimulatedAnswer:
    """A response, with its entry for the request log."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    page: str = ""  # canonical key of an index page or thread page; otherwise empty
    page_class: str = "other"  # index, thread, redirect, other
    target: str = ""  # where a redirect leads

    def header(self, name: str) -> str | None:
        """Return the first value of a header."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)


def respond(
    forum: SimulatedForum, url: str, now: int, headers: Mapping[str, str] | None = None, tick: int = 0
) -> SimulatedAnswer:
    """Return the answer to GET `url` (path and query) at the Unix time `now`.

    `tick` is the number of the request. It changes view counters and session ids, but no content.
    """
    asked = {key.lower(): value for key, value in (headers or {}).items()}
    session = _new_session(forum, asked, tick)
    view = ForumView(forum, now, tick, session, asked.get("host", ""))
    answer = _answer(view, url, asked)
    extra = [("Date", _http_date(now)), ("Server", "nginx")]
    if session:
        extra.append(("Set-Cookie", f"{forum.layout.cookie}={session}; path=/; HttpOnly"))
    return SimulatedAnswer(
        answer.status, (*answer.headers, *extra), answer.body, answer.page, answer.page_class, answer.target
    )


def route(forum: SimulatedForum, url: str) -> PageRequest:
    """Return what a URL asks of a forum."""
    return forum.layout.route_url(url)


def maintenance_page(forum: SimulatedForum, now: int) -> SimulatedAnswer:
    """Return the maintenance page that engines send with status 200."""
    view = ForumView(forum, now)
    text = f"<p>{view.word('maintenance')}</p>"
    body = forum.layout.draw_other(view, escape(forum.traits.title), text)
    return _html(forum, body, 200, extra=(("Date", _http_date(now)),))


def _answer(view: ForumView, url: str, asked: Mapping[str, str]) -> SimulatedAnswer:
    forum, path = view.forum, urlsplit(url).path
    if path == "/robots.txt":
        return SimulatedAnswer(
            200, (("Content-Type", "text/plain; charset=utf-8"),), _draw_robots(forum).encode()
        )
    if path == "/sitemap.xml" and forum.traits.sitemap != "none":
        return SimulatedAnswer(
            200, (("Content-Type", _XML),), _draw_sitemap(view, asked.get("host", "")).encode()
        )
    target = forum.layout.route_url(url)
    if target.kind == "feed" and forum.traits.feed != "none":
        return SimulatedAnswer(
            200, (("Content-Type", _XML),), _draw_feed(view, asked.get("host", "")).encode()
        )
    if target.kind in {"other", "message"}:
        return _other(view, target)
    if target.kind == "board" and any(b.closed and b.number == target.number for b in view.world.boards):
        return _other(view, PageRequest("other", what="login"))
    place = forum.locate(target, view.now)
    if place is None:
        # Engines answer 404 to unknown paths, whatever status they send for an unknown number.
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
    """Redirect last-post links, permalinks of some engines, merged threads, and pages beyond the end."""
    anchor = ""
    if target.kind == "last" or (target.kind == "post" and target.redirect):
        ranks = view.snapshot.ranks(place.index)
        post_id = target.number if target.kind == "post" else view.world.ids[ranks[-1]]
        anchor = "#" + view.layout.anchor(post_id)
    elif target.kind == "next" or (
        target.kind == "thread" and view.world.thread_by_number(target.number) != place.index
    ):
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
    """Answer with a login, search, profile, print or calendar page. A crawler should not fetch these."""
    extra = view.layout.draw_extra(view, target)
    if extra is not None:
        return _html(view.forum, extra, 200)
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
    """Return the content of a page without view counters and relative dates. The ETag is its hash."""
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
    """Return a session id for a visitor without a cookie. Each request gets another one."""
    if not forum.traits.session_ids or f"{forum.layout.cookie}=" in asked.get("cookie", ""):
        return ""
    return blake2b(f"{forum.traits.name} {tick}".encode(), digest_size=16).hexdigest()


def _http_date(moment: int) -> str:
    return format_datetime(datetime.fromtimestamp(moment, UTC), usegmt=True)


def _draw_robots(forum: SimulatedForum) -> str:
    """Write robots.txt with the rules of the forum."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in forum.traits.robots)]
    if forum.traits.crawl_delay:
        lines.append(f"Crawl-delay: {forum.traits.crawl_delay:g}")
    if forum.traits.sitemap != "none":
        lines += ["", "Sitemap: /sitemap.xml"]
    return "\n".join(lines) + "\n"


def _draw_sitemap(view: ForumView, host: str) -> str:
    """Write a sitemap of all threads with their last change. A lying one says that all changed today."""
    entries = []
    if view.traits.sitemap == "stale":
        view = ForumView(view.forum, view.now - _STALE)
    for listed in _all_listed(view)[:_SITEMAP_LENGTH]:
        url = view.layout.thread_url(view, listed.thread)
        changed = view.now if view.traits.sitemap == "lying" else view.world.times[listed.last]
        entries.append(f"<url><loc>{_absolute(host, url)}</loc><lastmod>{_iso_time(changed)}</lastmod></url>")
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        + "\n".join(entries)
        + "\n</urlset>\n"
    )


def _draw_feed(view: ForumView, host: str) -> str:
    """Write an RSS feed of the newest posts. A lying one shows the oldest threads with today's date."""
    lying = view.traits.feed == "lying"
    if view.traits.feed == "stale":
        view = ForumView(view.forum, view.now - _STALE)
    listed = sorted(_all_listed(view), key=lambda row: row.last, reverse=True)
    chosen = listed[-_FEED_LENGTH:] if lying else listed[:_FEED_LENGTH]
    items = []
    for row in chosen:
        moment = view.now if lying else view.world.times[row.last]
        place = PageLocation("thread", row.thread, view.snapshot.offset_of_post(row.thread, row.last))
        link = f"{view.layout.key(view, place)}#{view.layout.anchor(view.world.ids[row.last])}"
        words = write_post(view.world, row.last, view.now).paragraphs[0]
        title = escape(write_title(view.world, row.thread))
        items.append(
            f"<item><title>{title}</title><link>{_absolute(host, link)}</link>"
            f"<pubDate>{format_datetime(datetime.fromtimestamp(moment, UTC))}</pubDate>"
            f"<description>{escape(words)}</description></item>"
        )
    head = f"<title>{escape(view.traits.title)}</title><link>{_absolute(host, view.layout.home)}</link>"
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel>{head}\n'
        + "\n".join(items)
        + "\n</channel></rss>\n"
    )


def _all_listed(view: ForumView) -> list[ListedThread]:
    snapshot = view.snapshot
    return [
        row
        for board in snapshot.boards
        for row in snapshot.stickies[board] + snapshot.listings[board]
        if not row.stub
    ]


def _absolute(host: str, url: str) -> str:
    return escape(f"http://{host}{url}" if host else url)


def _iso_time(moment: int) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%S+00:00")
