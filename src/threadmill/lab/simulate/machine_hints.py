"""What a forum offers to machines: robots.txt, a sitemap, a feed; truthful on some, lying on others."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import format_datetime
from html import escape

from threadmill.lab.simulate.content.shown_dates import DAY
from threadmill.lab.simulate.content.writing import write_post, write_title
from threadmill.lab.simulate.forum import PageLocation, SimulatedForum
from threadmill.lab.simulate.snapshot import ListedThread
from threadmill.lab.simulate.view import ForumView

_FEED_LENGTH = 15
_STALE = 60 * DAY  # a cache that nobody empties
_SITEMAP_LENGTH = 45_000  # a sitemap may hold 50,000


def draw_robots(forum: SimulatedForum) -> str:
    """robots.txt with the forum's own rules."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in forum.traits.robots)]
    if forum.traits.crawl_delay:
        lines.append(f"Crawl-delay: {forum.traits.crawl_delay:g}")
    if forum.traits.sitemap != "none":
        lines += ["", "Sitemap: /sitemap.xml"]
    return "\n".join(lines) + "\n"


def draw_sitemap(view: ForumView, host: str) -> str:
    """Every thread with its last change; the lying one says that everything changed today."""
    entries = []
    if view.traits.sitemap == "stale":
        view = ForumView(view.forum, view.now - _STALE)
    for listed in _all_listed(view)[:_SITEMAP_LENGTH]:
        url = view.layout.thread_url(view, listed.thread)
        changed = view.now if view.traits.sitemap == "lying" else view.world.times[listed.last]
        entries.append(f"<url><loc>{_absolute(host, url)}</loc><lastmod>{_iso(changed)}</lastmod></url>")
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        + "\n".join(entries)
        + "\n</urlset>\n"
    )


def draw_feed(view: ForumView, host: str) -> str:
    """RSS of the newest posts; the lying one tells of the oldest threads as of today."""
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


def _iso(moment: int) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%S+00:00")
