"""Feeds and sitemaps: what they must say before they are believed, and what they spare then."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from tests.crawl.forum.served_pages import ServedPages, serving_pages
from tests.crawl.forum.world import FIRST, World, world
from threadmill.crawl.forum.feed_hints import (
    ALARM,
    BUSY,
    IDLE,
    LIE,
    PAST,
    PROOF,
    SHORT,
    FeedHint,
    find_feeds,
    is_believed,
    is_worth_asking,
    nested_sitemaps,
    read_hint,
    record_past,
    record_present,
    record_run,
)
from threadmill.crawl.forum.knowledge import ForumKnowledge, LayoutKnowledge, SiteSignals
from threadmill.forum.site_model.model import ForumModel
from threadmill.lab.evaluate.forum_experiment import crawl_whole, read_posts, scratch_workspace
from threadmill.page.parse.tree import parse
from threadmill.types import Capture

LOOKED = datetime(2026, 5, 1, tzinfo=UTC)


def _knowledge(**changes: Any) -> ForumKnowledge:
    site = SiteSignals(last_look=LOOKED, **changes)
    return ForumKnowledge(LayoutKnowledge(ForumModel("https://f.example/")), site=site)


def _hint(*changed: str, unknown: int = 0, reaches: bool = True, told: tuple[str, ...] = ()) -> FeedHint:
    ages = {key: LOOKED - timedelta(days=10) for key in told}
    return FeedHint(reaches, frozenset(changed), unknown, ages, LOOKED - timedelta(days=40))


def _capture(*ages: int, kind: str = "rss") -> Capture:
    """A file of threads that changed so many days before or after the last look."""
    moments = [LOOKED + timedelta(days=age) for age in ages]
    if kind == "rss":
        items = (
            f"<item><link>https://f.example/t/{n}</link><pubDate>{format_datetime(at)}</pubDate></item>"
            for n, at in enumerate(moments)
        )
        body = f"<rss><channel>{''.join(items)}</channel></rss>"
    else:
        items = (
            f"<url><loc>https://f.example/t/{n}</loc><lastmod>{at.isoformat()}</lastmod></url>"
            for n, at in enumerate(moments)
        )
        body = f"<urlset>{''.join(items)}</urlset>"
    return Capture("https://f.example/feed", LOOKED, 200, (), body.encode())


def test_the_feed_of_the_site_is_the_one_that_most_pages_name() -> None:
    def page(*feeds: str) -> str:
        links = "".join(f'<link rel="alternate" type="application/rss+xml" href="{feed}">' for feed in feeds)
        return f"<html><head>{links}</head></html>"

    pages = [page("/feed", "/t/1/feed"), page("/feed", "/t/2/feed"), page("/feed")]
    assert find_feeds(parse(one, "https://f.example/") for one in pages) == ("https://f.example/feed",)
    assert find_feeds([parse(page("/t/1/feed"), "https://f.example/")]) == ()


def test_a_feed_says_nothing_beyond_its_oldest_entry_and_a_sitemap_tells_of_everything() -> None:
    far, near = read_hint(_capture(3, 2, -5), _knowledge()), read_hint(_capture(3, 2), _knowledge())
    assert far
    assert near
    assert (far.reaches, near.reaches) == (True, False)
    quiet = read_hint(_capture(-2, -5), _knowledge())
    assert quiet
    assert quiet.quiet
    whole = read_hint(_capture(3, 2, kind="sitemap"), _knowledge())
    assert whole
    assert (whole.reaches, whole.quiet) == (True, False)


def _index(*ages: int | None) -> Capture:
    """An index of sitemaps that changed so many days before or after the last look, or do not say when."""
    items = "".join(
        f"<sitemap><loc>https://f.example/sitemap-{n}.xml</loc>"
        + (f"<lastmod>{(LOOKED + timedelta(days=age)).isoformat()}</lastmod>" if age is not None else "")
        + "</sitemap>"
        for n, age in enumerate(ages)
    )
    body = f"<sitemapindex>{items}</sitemapindex>"
    return Capture("https://f.example/sitemap.xml", LOOKED, 200, (), body.encode())


def test_of_an_index_of_sitemaps_those_are_asked_that_may_have_changed() -> None:
    asked = nested_sitemaps(_index(-5, 3, None), _knowledge())
    assert asked == ("https://f.example/sitemap-1.xml", "https://f.example/sitemap-2.xml")
    assert nested_sitemaps(_capture(3, kind="sitemap"), _knowledge()) == ()


def test_an_index_of_sitemaps_tells_what_those_below_it_tell() -> None:
    unchanged = read_hint(_index(-5, -9), _knowledge())
    assert unchanged
    assert unchanged.quiet
    changed = read_hint(_index(-5, 3), _knowledge(), [_capture(3, -20, kind="sitemap")])
    assert changed
    assert (changed.reaches, changed.unknown, changed.since) == (True, 1, LOOKED)
    empty = Capture("https://f.example/sitemap-1.xml", LOOKED, 404, (), b"")
    assert read_hint(_index(-5, 3), _knowledge(), [empty]) is None


def test_a_hint_is_asked_for_only_where_runs_were_in_vain_and_cost_more_than_it() -> None:
    knowledge = _knowledge()
    for _ in range(3):
        record_run(knowledge, pages=1, posts=0)  # the start page settles everything
    assert not is_worth_asking(knowledge)
    knowledge = _knowledge()
    for _ in range(2):
        record_run(knowledge, pages=5, posts=0)
    assert is_worth_asking(knowledge)
    for _ in range(3):
        record_run(knowledge, pages=9, posts=4)
    assert not is_worth_asking(knowledge)


@pytest.mark.parametrize("votes", [{LIE: 1, PROOF: 9}, {SHORT: 3}, {ALARM: 4}])
def test_one_that_lies_or_never_helps_is_not_asked_again(votes: dict[str, int]) -> None:
    knowledge = _knowledge()
    knowledge.site.runs.votes.update({IDLE: 4, BUSY: 0})
    knowledge.site.hints.votes.update(votes)
    assert not is_worth_asking(knowledge)


def test_each_fourth_run_walks_whatever_the_hint_says() -> None:
    knowledge = _knowledge(skipped_runs=3)
    knowledge.site.runs.votes[IDLE] = 4
    assert not is_worth_asking(knowledge)


@pytest.mark.parametrize(
    ("hint", "news", "vote"),
    [
        (_hint("a", "b"), {"a": LOOKED}, PROOF),
        (_hint("a"), {"a": LOOKED, "b": LOOKED}, LIE),
        (_hint(), {"a": LOOKED}, LIE),
        (_hint(), {"a": LOOKED - timedelta(days=90)}, None),  # an old post, merged into a thread
        (_hint(unknown=2), {"a": LOOKED}, PROOF),  # links to posts that name no thread
        (_hint("a"), {}, ALARM),
        (_hint(), {}, None),
        (_hint("a", reaches=False), {"b": LOOKED}, SHORT),
    ],
)
def test_what_was_said_is_held_against_what_was_found(
    hint: FeedHint, news: dict[str, datetime | None], vote: str | None
) -> None:
    knowledge = _knowledge()
    record_present(knowledge, hint, news)
    assert dict(knowledge.site.hints.votes) == ({vote: 1} if vote else {})


@pytest.mark.parametrize(
    ("told", "vote"), [(("a", "b", "c"), PAST), (("a",), LIE), (("a", "b"), None), ((), None)]
)
def test_what_it_says_of_the_past_is_held_against_what_we_have(
    told: tuple[str, ...], vote: str | None
) -> None:
    knowledge = _knowledge()
    record_past(knowledge, _hint(told=told), dict.fromkeys("abc", LOOKED - timedelta(days=10)))
    assert dict(knowledge.site.hints.votes) == ({vote: 1} if vote else {})


def test_two_times_right_and_never_wrong_is_believed() -> None:
    knowledge = _knowledge()
    knowledge.site.hints.add(PAST)
    assert not is_believed(knowledge)
    knowledge.site.hints.add(PROOF)
    assert is_believed(knowledge)
    knowledge.site.hints.add(LIE)
    assert not is_believed(knowledge)


def _daily(here: World, days: range) -> list[int]:
    """Pages of one crawl a day, one page at a time: of two, now the one and now the other comes first."""
    return [here.crawl(f"2015-12-{day:02d}", host_concurrency=1).pages for day in days]


@pytest.mark.parametrize("source", ["feed", "sitemap"])
def test_a_truthful_site_that_says_nothing_is_new_is_not_walked_through(tmp_path: Path, source: str) -> None:
    traits: dict[str, Any] = {"feed": "none", "sitemap": "none", source: "truthful"}
    with world(tmp_path, "bahce", **traits) as here:
        here.crawl(FIRST)
        before, after = _daily(here, range(2, 5)), _daily(here, range(5, 12))
        assert min(before) > 1
        assert after.count(1) >= 5
        assert here.figures("2015-12-11").posts.summary()["post_recall"] == 1.0
        here.crawl("2016-02-01")
        assert here.figures("2016-02-01").posts.summary()["post_recall"] == 1.0


@pytest.mark.parametrize(
    "traits", [{"feed": "stale"}, {"feed": "lying"}, {"feed": "none", "sitemap": "stale"}]
)
def test_a_site_that_lies_loses_no_posts(tmp_path: Path, traits: dict[str, Any]) -> None:
    with world(tmp_path, "bahce", **traits) as here:
        here.crawl(FIRST)
        _daily(here, range(2, 8))
        here.crawl("2016-01-01")
        assert here.figures("2016-01-01").posts.summary()["post_recall"] == 1.0


# A blog: articles by their numbers with the days between 1 March 2025 and each of their comments. Its list
# shows when articles were written, and nothing that moves with a comment.
COMMENTS = {n: [11 * n + 2 * k + 1 for k in range(1 + (n * 2) % 5)] for n in range(1, 11)}
WORDS = ("cable", "saddle", "lamp", "mirror", "bell", "tyre", "basket", "pump", "brake", "pedal")
NAMES = ("anna", "bruno", "carla", "dario", "elena", "fabio")
HEAD = """<link rel="alternate" type="application/rss+xml" href="/feed/">
<link rel="alternate" type="application/rss+xml" href="/comments/feed/">"""


def _when(days: int) -> datetime:
    return datetime(2025, 3, 1, 9, 30, tzinfo=UTC) + timedelta(days=days)


def _comment(article: int, place: int, days: int) -> str:
    number, name = article * 100 + place, NAMES[(article + place) % len(NAMES)]
    return f"""<li id="comment-{number}" class="comment"><b class="fn"><a href="http://{name}.example/">{name}</a></b>
<a href="/post/{article}/#comment-{number}"><time>{_when(days):%d %B %Y at %H:%M}</time></a>
<p>The {WORDS[(number * 7) % 10]} of number {number} came loose on my way to the works.</p></li>"""


def _blog(comments: dict[int, list[int]]) -> dict[str, str]:
    pages = {}
    for n, days in comments.items():
        title, word = f"How I mended the {WORDS[n - 1]} of my bicycle", WORDS[n - 1]
        told = "".join(_comment(n, place, day) for place, day in enumerate(days))
        body = f"<p>It took {n} evenings to take the {word} off and to put it on again with new screws.</p>"
        page = f"""{HEAD}<article><h1>{title}</h1><div class="meta">{_when(11 * n):%d %B %Y} by
<a href="/author/olga/">olga</a></div>{body}</article><h2>Comments</h2><ol class="comments">{told}</ol>"""
        pages[f"/post/{n}/"] = page
    rows = "".join(
        f'<article class="entry"><h2><a href="/post/{n}/">How I mended the {WORDS[n - 1]} of my bicycle</a>'
        f"</h2><time>{_when(11 * n):%d %B %Y}</time><p>A story of screws.</p></article>"
        for n in reversed(comments)
    )
    latest = sorted(((day, n, place) for n, days in comments.items() for place, day in enumerate(days)))[-6:]
    items = "".join(
        f"<item><link>http://x/post/{n}/#comment-{n * 100 + place}</link>"
        f"<pubDate>{format_datetime(_when(day))}</pubDate></item>"
        for day, n, place in latest[::-1]
    )
    threads = "".join(f"<item><link>http://x/post/{n}/</link></item>" for n in reversed(comments))
    feeds = {"/feed/": threads, "/comments/feed/": items}
    return (
        pages
        | {"/": HEAD + rows}
        | {url: f"<rss><channel>{one}</channel></rss>" for url, one in feeds.items()}
    )


def test_where_lists_tell_nothing_a_feed_of_comments_leads_to_the_answered_articles(
    tmp_path: Path,
) -> None:
    blog, workspace = ServedPages(), scratch_workspace(tmp_path / "work")
    with serving_pages(blog) as root:

        def crawl(comments: dict[int, list[int]]) -> list[str]:
            blog.pages = {url: page.replace("http://x/", root) for url, page in _blog(comments).items()}
            blog.asked.clear()
            crawl_whole(workspace, root)
            assert len(read_posts(workspace)) == len(comments) + sum(map(len, comments.values()))
            return [url for url in blog.asked if url != "/robots.txt"]

        crawl(COMMENTS)
        assert set(crawl(COMMENTS)) >= {"/comments/feed/", "/feed/"}
        later = COMMENTS | {2: [*COMMENTS[2], 300], 7: [*COMMENTS[7], 301]}
        asked = crawl(later)
        assert {"/", "/comments/feed/", "/post/2/", "/post/7/"} <= set(asked)
        assert "/feed/" not in asked  # it names no posts
